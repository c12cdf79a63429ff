#pragma once

#include <engine/marginal/bins.hpp>
#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// One numeric feature whose density in each class is constant within bins; classes may have
// different bins. Each bin is closed on the left; the last one is closed on both sides. A class
// without edges has no density.
struct Steps {
  static constexpr double kStep = 0;
  struct OfClass {
    Vector edges, log_probability;  // one more edge than probabilities
  };
  std::vector<OfClass> classes;

  static OfClass unknown() { return {}; }
};

double log_density(const Steps::OfClass& steps, double x);

// The log density just to the right of an edge of any class.
inline double log_density_after(const Steps::OfClass& steps, double edge) {
  const bool beyond = steps.edges.empty() || edge >= steps.edges.back();
  return beyond ? kNegativeInfinity : log_density(steps, edge);
}

MeanAndSd moments_of(const Steps::OfClass& steps);

// The edges of all classes. Between two neighbouring edges every density is constant.
inline Vector edges_of(const Steps& steps) {
  return unite(steps.classes, [](const auto& of) -> const Vector& { return of.edges; });
}

LogOverlap log_overlap(const Steps::OfClass& first, const Steps::OfClass& second);

// A bin without a cut inside adds its whole probability.
template <class Totals>
void add_probabilities(const Steps::OfClass& steps, double log_weight, const Vector& cut,
                       const Totals& to) {
  for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
    const double weight = std::exp(log_weight + steps.log_probability[b]);
    const double from = steps.edges[b], end = steps.edges[b + 1];
    const auto first = std::upper_bound(cut.begin(), cut.end(), from);
    double low = from;
    for (auto i = static_cast<std::size_t>(first - cut.begin()); low < end; ++i) {
      const double high = i < cut.size() ? std::min(cut[i], end) : end;
      to[i] += weight * ((high - low) / (end - from));
      low = high;
    }
  }
}

inline std::size_t parts_of(const Steps::OfClass& steps) { return steps.log_probability.size(); }

// Adds evenly spaced values in each bin.
void add_points(const Steps::OfClass& steps, int each, Vector& x);

}  // namespace bayesrisk

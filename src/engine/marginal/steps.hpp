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

inline double log_density(const Steps::OfClass& steps, double x) {
  const Bins bins{steps.edges.data(), static_cast<int>(steps.log_probability.size())};
  const int bin = bins.find(x);
  if (bin < 0) return kNegativeInfinity;
  return steps.log_probability[static_cast<std::size_t>(bin)] - std::log(bins.width(bin));
}

// The log density just to the right of an edge of any class.
inline double log_density_after(const Steps::OfClass& steps, double edge) {
  const bool beyond = steps.edges.empty() || edge >= steps.edges.back();
  return beyond ? kNegativeInfinity : log_density(steps, edge);
}

inline MeanAndSd moments_of(const Steps::OfClass& steps) {
  double mean = 0, variance = 0;
  const auto each = [&](const auto& add) {
    for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
      const double width = steps.edges[b + 1] - steps.edges[b];
      add(std::exp(steps.log_probability[b]), steps.edges[b] + 0.5 * width, width);
    }
  };
  each([&](double share, double middle, double) { mean += share * middle; });
  each([&](double share, double middle, double width) {
    variance += share * (width * width / 12 + (middle - mean) * (middle - mean));
  });
  return {mean, std::sqrt(variance)};
}

// The edges of all classes. Between two neighbouring edges every density is constant.
inline Vector edges_of(const Steps& steps) {
  return unite(steps.classes, [](const auto& of) -> const Vector& { return of.edges; });
}

inline LogOverlap log_overlap(const Steps::OfClass& first, const Steps::OfClass& second) {
  const Vector edges = edges_of(Steps{{first, second}});
  std::vector<EventPair> bins;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    bins.push_back({log_density_after(first, edges[i]), log_density_after(second, edges[i]),
                    std::log(edges[i + 1] - edges[i])});
  }
  return log_overlap(std::move(bins));
}

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
inline void add_points(const Steps::OfClass& steps, int each, Vector& x) {
  const Vector& edges = steps.edges;
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    const double width = edges[b + 1] - edges[b];
    for (int i = 0; i < each; ++i) x.push_back(edges[b] + (i + 0.5) / each * width);
  }
}

}  // namespace bayesrisk

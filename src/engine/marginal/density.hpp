#pragma once

#include <engine/core/counts.hpp>
#include <engine/marginal/bins.hpp>
#include <engine/marginal/marginal.hpp>

#include <algorithm>

namespace bayesrisk {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a marginal has of each class.
inline const std::vector<std::vector<NormalTerm>>& classes_of(const Line& line) {
  return line.classes;
}
inline const std::vector<Steps::OfClass>& classes_of(const Steps& steps) { return steps.classes; }
inline const Vector& classes_of(const Counts& counts) { return counts.rate; }
inline const std::vector<Atoms::OfClass>& classes_of(const Atoms& atoms) { return atoms.classes; }

// log p(x | class).
inline double log_density(const std::vector<NormalTerm>& terms, double x) {
  const auto log_term = [x](const NormalTerm& term) {
    const double z = (x - term.mean) / term.sd;
    return term.log_weight - 0.5 * z * z - std::log(term.sd);
  };
  double largest = kNegativeInfinity, sum = 0;
  for (const NormalTerm& term : terms) largest = std::max(largest, log_term(term));
  if (largest == kNegativeInfinity) return largest;
  for (const NormalTerm& term : terms) {
    const double below = log_term(term) - largest;
    if (below > -50) sum += std::exp(below);
  }
  return largest + std::log(sum) - kHalfLogTwoPi;
}

inline double log_density(const Steps::OfClass& steps, double x) {
  const Bins bins{steps.edges.data(), static_cast<int>(steps.log_probability.size())};
  const int bin = bins.find(x);
  if (bin < 0) return kNegativeInfinity;
  return steps.log_probability[static_cast<std::size_t>(bin)] - std::log(bins.width(bin));
}

inline double log_density(double rate, double x) {
  return is_count(x) ? LogPoisson(x).at(rate, std::log(rate)) : kNegativeInfinity;
}

inline double log_density(const Atoms::OfClass& atoms, double x) {
  const auto found = std::lower_bound(atoms.value.begin(), atoms.value.end(), x);
  if (found == atoms.value.end() || *found != x) return kNegativeInfinity;
  return atoms.log_probability[static_cast<std::size_t>(found - atoms.value.begin())];
}

// Numbers of all classes, each once.
template <class OfClass>
Vector unite(const std::vector<OfClass>& classes, Vector OfClass::*numbers) {
  Vector result;
  for (const OfClass& of : classes) {
    result.insert(result.end(), (of.*numbers).begin(), (of.*numbers).end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// Between two edges every density is constant.
inline Vector edges_of(const Steps& steps) { return unite(steps.classes, &Steps::OfClass::edges); }
inline Vector values_of(const Atoms& atoms) { return unite(atoms.classes, &Atoms::OfClass::value); }

// From an edge of any class on.
inline double log_density_after(const Steps::OfClass& steps, double edge) {
  const bool beyond = steps.edges.empty() || edge >= steps.edges.back();
  return beyond ? kNegativeInfinity : log_density(steps, edge);
}

struct MeanAndSd {
  double mean, sd;
};

// Of a feature whose density is constant between edges.
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

inline MeanAndSd moments_of(const Atoms::OfClass& atoms) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    mean += std::exp(atoms.log_probability[i]) * atoms.value[i];
  }
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    const double off = atoms.value[i] - mean;
    variance += std::exp(atoms.log_probability[i]) * off * off;
  }
  return {mean, std::sqrt(variance)};
}

}  // namespace bayesrisk

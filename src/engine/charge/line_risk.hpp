#pragma once

#include <engine/core/log_math.hpp>
#include <engine/marginal/density.hpp>
#include <engine/marginal/poisson_probability.hpp>
#include <engine/regions/regions.hpp>

namespace bayesrisk {

constexpr double kSqrtHalf = 0.70710678118654752440;

// P(low < Z < high) of a standard normal. Tails are taken on their own side, where
// they keep their digits.
inline double normal_probability(double low, double high) {
  if (low > 0) return 0.5 * (std::erfc(low * kSqrtHalf) - std::erfc(high * kSqrtHalf));
  if (high < 0) return 0.5 * (std::erfc(-high * kSqrtHalf) - std::erfc(-low * kSqrtHalf));
  return 0.5 * (std::erf(high * kSqrtHalf) - std::erf(low * kSqrtHalf));
}

// The places of a table where the probabilities of regions are added. What a rule finds
// impossible gets the first action.
class DecisionColumn {
 public:
  DecisionColumn(Matrix& table, std::size_t group, const Regions& rule)
      : table_(table), group_(static_cast<Index>(group)), rule_(rule) {}

  double& operator[](std::size_t region) const {
    return table_(group_, std::max(0, rule_.decision[region]));
  }

 private:
  Matrix& table_;
  Index group_;
  const Regions& rule_;
};

// Of one class: probability of each region, times a weight.
inline void add_probabilities(const std::vector<NormalTerm>& terms, double log_weight,
                              const Regions& rule, const DecisionColumn& to) {
  for (const NormalTerm& term : terms) {
    const double weight = std::exp(log_weight + term.log_weight);
    double low = kNegativeInfinity;
    for (std::size_t i = 0; i < rule.decision.size(); ++i) {
      const double high = i < rule.cut.size() ? (rule.cut[i] - term.mean) / term.sd : kInfinity;
      to[i] += weight * normal_probability(low, high);
      low = high;
    }
  }
}

// A bin that no cut divides counts whole.
inline void add_probabilities(const Steps::OfClass& steps, double log_weight, const Regions& rule,
                              const DecisionColumn& to) {
  for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
    const double weight = std::exp(log_weight + steps.log_probability[b]);
    const double from = steps.edges[b], end = steps.edges[b + 1];
    const auto first = std::upper_bound(rule.cut.begin(), rule.cut.end(), from);
    double low = from;
    for (auto i = static_cast<std::size_t>(first - rule.cut.begin()); low < end; ++i) {
      const double high = i < rule.cut.size() ? std::min(rule.cut[i], end) : end;
      to[i] += weight * ((high - low) / (end - from));
      low = high;
    }
  }
}

inline void add_probabilities(double rate, double log_weight, const Regions& rule,
                              const DecisionColumn& to) {
  const CountProbability probability(rate);
  const double weight = std::exp(log_weight);
  double low = 0;
  for (std::size_t i = 0; i < rule.decision.size(); ++i) {
    const double end = i < rule.cut.size() ? std::ceil(rule.cut[i]) : kInfinity;
    to[i] += weight * probability.between(low, end - 1);
    low = std::max(low, end);
  }
}

inline void add_probabilities(const Atoms::OfClass& atoms, double log_weight, const Regions& rule,
                              const DecisionColumn& to) {
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    const auto cut = std::upper_bound(rule.cut.begin(), rule.cut.end(), atoms.value[i]);
    to[static_cast<std::size_t>(cut - rule.cut.begin())] +=
        std::exp(log_weight + atoms.log_probability[i]);
  }
}

// table (classes x actions) += exp(log_prior of the class) * P(decided on | class). A
// value on a cut is on its right.
template <class World>
void add_probabilities(const World& world, const Vector& log_prior, const Regions& rule,
                       Matrix& table) {
  const auto& classes = classes_of(world);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity)) continue;
    add_probabilities(classes[k], log_prior[k], rule, DecisionColumn(table, k, rule));
  }
}

inline void add_probabilities(const Marginal& world, const Vector& log_prior, const Regions& rule,
                              Matrix& table) {
  std::visit([&](const auto& of) { add_probabilities(of, log_prior, rule, table); }, world);
}

}  // namespace bayesrisk

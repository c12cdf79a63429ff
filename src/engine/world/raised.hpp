#pragma once

#include <engine/marginal/plane.hpp>
#include <engine/model/scorer.hpp>

namespace bayesrisk {

// Densities to a power, as tempered rules use them. A normal to a power is a normal with another
// spread, times a constant. A density to the power 0 is the same in all classes.

inline NormalTerm raised(const NormalTerm& term, double power) {
  if (power == 0) return Normals::unknown()[0];
  const double sd = term.sd / std::sqrt(power);
  return {
      power * (term.log_weight - std::log(term.sd)) + std::log(sd) + (1 - power) * kHalfLogTwoPi,
      term.mean, sd};
}

inline PlaneTerm raised(const PlaneTerm& term, double power) {
  if (power == 0) return {0, Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity()};
  const Eigen::Matrix2d factor = term.factor / std::sqrt(power);
  const auto log_area = [](const Eigen::Matrix2d& f) {
    return std::log(std::abs(f(0, 0))) + std::log(std::abs(f(1, 1)));
  };
  return {power * (term.log_weight - log_area(term.factor)) + log_area(factor) +
              2 * (1 - power) * kHalfLogTwoPi,
          term.mean, factor};
}

// A sum of several normals to a power is no sum of normals.
template <class Term>
void raise(std::vector<Term>& terms, double power) {
  require(terms.size() == 1, "a sum of densities to a power");
  terms[0] = raised(terms[0], power);
}

inline void raise(Steps::OfClass& steps, double power) {
  for (std::size_t i = 0; i < steps.log_probability.size(); ++i) {
    const double log_width = std::log(steps.edges[i + 1] - steps.edges[i]);
    double& log_probability = steps.log_probability[i];
    log_probability = power == 0 ? log_width : power * (log_probability - log_width) + log_width;
  }
}

inline void raise(Marginal& marginal, double power) {
  std::visit(
      [&](auto& of) {
        using Kind = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Kind, Normals> || std::is_same_v<Kind, Steps>) {
          for (auto& of_class : of.classes) raise(of_class, power);
        } else {
          throw InvalidState("a density that has no power in closed form");
        }
      },
      marginal);
}

}  // namespace bayesrisk

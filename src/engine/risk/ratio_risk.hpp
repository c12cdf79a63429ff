#pragma once

#include <engine/core/context.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/regions/regions.hpp>
#include <engine/risk/log_ratio.hpp>
#include <engine/risk/quadratic_law.hpp>
#include <engine/world/combinations.hpp>

namespace bayesrisk {

// The actions of a rule along the log odds of two classes, second over first.
Regions odds_regions(const Cost& cost, int first, int second);

// Joint probabilities of truth and decision, and bounds of their errors.
struct RatioRisk {
  Matrix table, error;
};

// The risk of a rule that compares two classes by normal features and features with levels. It
// decides by a quadratic form in each combination of levels, so its table is exact.
class RatioRule {
 public:
  // `rule` may see no number. Then it may compare any number of classes.
  RatioRule(const View& world, const View& rule, const Context& context);

  // The log joints are those of combinations, classes x combinations.
  RatioRisk risk(const Matrix& world, const Matrix& rule, const Cost& cost) const;

 private:
  static std::vector<std::size_t> classes_of(const Vector& prior);

  static bool reads_numbers(const View& rule);

  // Along the log ratio, in a combination of levels.
  Regions regions(const Regions& odds, const Eigen::VectorXd& log_joint, const Cost& cost) const;

  void add(const Eigen::VectorXd& log_joint, const Regions& rule, RatioRisk& to) const;

  const Context& context_;
  int first_ = -1, second_ = -1;
  std::vector<QuadraticLaw> law_;
};

// The log joints of all combinations of levels of a world.
inline Matrix combination_joints(const View& view, const Combinations& combinations) {
  return CombinationScorer(view, combinations)
      .log_joint(0, static_cast<Index>(combinations.count()));
}

// The Bayes risk at several priors, one per row. `world` has a positive prior for their classes.
Vector bayes_risks(const View& world, const Combinations& combinations, const Matrix& priors,
                   const Cost& cost, const Context& context);

inline RatioRisk ratio_risk(const View& world, const Combinations& combinations, const View& rule,
                            const Cost& cost, const Context& context) {
  return RatioRule(world, rule, context)
      .risk(combination_joints(world, combinations), combination_joints(rule, combinations), cost);
}

}  // namespace bayesrisk

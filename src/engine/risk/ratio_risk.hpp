#pragma once

#include <engine/core/context.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/regions/regions.hpp>
#include <engine/risk/log_ratio.hpp>
#include <engine/risk/method.hpp>
#include <engine/risk/quadratic_law.hpp>

namespace bayesrisk {

// The actions of a rule along the log odds of two classes, second over first.
Regions odds_regions(const Cost& cost, int first, int second);

// The same along the log ratio of their densities, at these log weights. `odds`: their
// odds_regions().
Regions ratio_regions(Regions odds, const Cost& cost, int first, int second,
                      const Eigen::VectorXd& log_weight);

// A rule that compares two classes by normal features and features with levels. It decides by a
// quadratic form in each combination of levels, so its table is exact.
class RatioMethod : public RiskMethod {
 public:
  // `rule` may see no number. Then it may compare any number of classes.
  RatioMethod(const View& world, const Combinations& combinations, const View& rule,
              const Cost& cost, const Context& context);

  RiskTable risk(const Vector& world, const Vector& rule) const override;

 private:
  static std::vector<std::size_t> classes_of(const Vector& prior);

  static bool reads_numbers(const View& rule);

  void add(const Eigen::VectorXd& log_joint, const Regions& rule, RiskTable& to) const;

  View world_, rule_;
  const Combinations& combinations_;
  const Cost& cost_;
  const Context& context_;
  int first_ = -1, second_ = -1;
  std::vector<QuadraticLaw> law_;
};

}  // namespace bayesrisk

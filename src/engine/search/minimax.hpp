#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/risk/sampled_risks.hpp>
#include <engine/search/rule_mixture.hpp>

#include <functional>

namespace bayesrisk {

// The risk of each class under the best rule for a prior without zeros. The mean of these risks,
// weighted by that prior, is the Bayes risk, and the risks are its slopes.
using ClassRisks = std::function<Eigen::VectorXd(const Eigen::VectorXd& prior)>;

// The prior that maximises the Bayes risk, that risk, and the class risks at this prior.
struct Minimax {
  Eigen::VectorXd prior, class_risk;
  double risk = kNegativeInfinity, accuracy = 0;

  // No prior has a larger Bayes risk than the largest class risk of this rule.
  double excess() const { return class_risk.maxCoeff() - risk; }
  double gap() const { return class_risk.maxCoeff() - class_risk.minCoeff(); }
};

// The accuracy of class risks, relative to the range of the costs, and the step in the log odds for
// numerical derivatives.
struct MinimaxOptions {
  double tolerance = 1e-14, step = 1e-5;
};

// Finds the largest value of the concave Bayes risk over all priors. Each rule gives a plane above
// the Bayes risk. The next prior is the point where the minimum of all planes is largest. This
// search converges at corners of the risk. Where the risk is smooth, Newton's method makes the
// class risks equal.
class MinimaxSearch {
 public:
  static constexpr double kLeastPrior = 1e-300;

  MinimaxSearch(Index classes, ClassRisks risks, const Cost& cost, const MinimaxOptions& options);

  Minimax find();

 private:
  static constexpr double kFirstPolish = 1e-4;
  static constexpr int kMostRules = 1000;

  double tolerance() const { return options_.tolerance * scale_; }

  // The best rule at a prior. Its class risks give a plane that bounds the Bayes risk everywhere.
  Minimax look_at(const Eigen::VectorXd& prior);

  // Among equal Bayes risks the prior with the most even class risks.
  bool is_better(const Minimax& seen) const;

  // Newton's method in the log odds of the classes with a prior.
  void polish();

  // The classes with a positive prior. A prior counts even if it is too small to change the risk,
  // because with a prior of 0 the rule would ignore the costs of the class.
  IntVector raise_small_priors(Eigen::VectorXd& prior);

  // Gives a class this small prior. Returns whether the risk of the class exceeds the Bayes risk.
  bool is_dear(Eigen::VectorXd prior, Index k, double log_prior);

  static Index at(const IntVector& support, Index i) {
    return support[static_cast<std::size_t>(i)];
  }

  // The class risks minus that of the first class, at log odds against the first class.
  Eigen::VectorXd differences(const Eigen::VectorXd& odds, const IntVector& support);

  Matrix slopes(const Eigen::VectorXd& odds, const Eigen::VectorXd& now, const IntVector& support);

  Index classes_;
  ClassRisks risks_;
  MinimaxOptions options_;
  double lowest_, scale_ = 1;
  RuleMixture mixture_;
  Minimax best_;
};

// The advantage of an action with the costs `own` (by class) over the best of the `others` (actions
// x classes), at the posterior where it is largest: the value of a game. Its sign is meant, so each
// class may have a unit of its own. Two rules handle infinite costs. First, classes with an
// infinite cost of the action are left out, because the posterior can be 0 there; all other classes
// have a positive probability. Second, another action with an infinite cost in one of these classes
// is left out, because it is always worse. Infinite if nothing is left, or if rounding dominates.
double best_margin(const Matrix& others, const Eigen::VectorXd& own);

// The minimax prior of the classes of a world that have a likelihood.
//
// A class with an infinite cost keeps a positive prior. At a prior of 0 its cost would not count,
// and another rule would be the best.
Minimax search_minimax(const ClassRisks& risks, const IntVector& classes, const Cost& cost,
                       const MinimaxOptions& options);

// The same by a method that is exact, but for errors of the relative size `error`.
Minimax find_minimax(const RiskMethod& method, const IntVector& classes, const Cost& cost,
                     double error = 0);

// For any features: on rows drawn from the classes.
Minimax find_minimax(const View& world, const IntVector& classes, const Cost& cost,
                     std::uint64_t seed, const Context& context);

}  // namespace bayesrisk

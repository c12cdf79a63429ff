#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
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

  MinimaxSearch(Index classes, ClassRisks risks, const Cost& cost, const MinimaxOptions& options)
      : classes_(classes), risks_(std::move(risks)), options_(options), mixture_(classes) {
    lowest_ = cost.of.minCoeff();
    const Matrix finite = cost.of.array().isFinite().select(cost.of, lowest_);
    if (finite.maxCoeff() > lowest_) scale_ = finite.maxCoeff() - lowest_;
  }

  Minimax find() {
    look_at(Eigen::VectorXd::Constant(classes_, 1.0 / static_cast<double>(classes_)));
    double smooth = kFirstPolish;
    for (int i = 0; i < kMostRules && best_.excess() > tolerance() && mixture_.solve(); ++i) {
      const double bound = lowest_ + scale_ * (mixture_.value() - 1);
      if (!(bound - best_.risk > tolerance())) break;
      if (bound - best_.risk < smooth * scale_) {
        polish();
        smooth *= kFirstPolish;
      }
      look_at(mixture_.prior());
    }
    return best_;
  }

 private:
  static constexpr double kFirstPolish = 1e-4;
  static constexpr int kMostRules = 1000;

  double tolerance() const { return options_.tolerance * scale_; }

  // The best rule at a prior. Its class risks give a plane that bounds the Bayes risk everywhere.
  Minimax look_at(const Eigen::VectorXd& prior) {
    Minimax seen{prior, risks_(prior.cwiseMax(kLeastPrior)), 0, tolerance()};
    seen.risk = prior.dot(seen.class_risk);
    if (!std::isfinite(seen.risk)) return best_ = seen;
    mixture_.add((seen.class_risk.array() - lowest_) / scale_ + 1);
    if (is_better(seen)) best_ = seen;
    return seen;
  }

  // Among equal Bayes risks the prior with the most even class risks.
  bool is_better(const Minimax& seen) const {
    if (std::abs(seen.risk - best_.risk) > tolerance()) return seen.risk > best_.risk;
    const double excess = seen.excess() - best_.excess();
    return std::abs(excess) > tolerance() ? excess < 0 : seen.gap() < best_.gap();
  }

  // Newton's method in the log odds of the classes with a prior.
  void polish() {
    constexpr double kLongest = 1;
    constexpr int kSteps = 20;
    Eigen::VectorXd start = best_.prior;
    const IntVector support = raise_small_priors(start);
    const auto size = static_cast<Index>(support.size()) - 1;
    if (size < 1) return;
    Eigen::VectorXd odds(size);
    for (Index i = 0; i < size; ++i) odds[i] = std::log(start[at(support, i + 1)]);
    odds.array() -= std::log(start[support[0]]);
    Eigen::VectorXd unequal = differences(odds, support);
    for (int step = 0; step < kSteps && unequal.cwiseAbs().maxCoeff() > 0.1 * tolerance(); ++step) {
      Eigen::VectorXd change = slopes(odds, unequal, support).fullPivLu().solve(-unequal);
      const double longest = change.cwiseAbs().maxCoeff();
      if (!std::isfinite(longest) || longest == 0) return;
      if (longest > kLongest) change *= kLongest / longest;
      const Eigen::VectorXd next = differences(odds + change, support);
      if (!(next.cwiseAbs().maxCoeff() < unequal.cwiseAbs().maxCoeff())) return;
      odds += change;
      unequal = next;
    }
  }

  // The classes with a positive prior. A prior counts even if it is too small to change the risk,
  // because with a prior of 0 the rule would ignore the costs of the class.
  IntVector raise_small_priors(Eigen::VectorXd& prior) {
    constexpr double kSmall = 1e-6;
    IntVector support;
    for (Index k = 0; k < classes_; ++k) {
      if (prior[k] > kSmall) support.push_back(static_cast<int>(k));
    }
    for (Index k = 0; k < classes_; ++k) {
      if (prior[k] > kSmall) continue;
      double low = std::log(kLeastPrior), high = std::log(2 * kSmall);
      prior[k] = 0;
      if (!is_dear(prior, k, low)) continue;
      while (high - low > 0.1) {
        const double middle = 0.5 * (low + high);
        (is_dear(prior, k, middle) ? low : high) = middle;
      }
      prior[k] = std::exp(low);
      support.push_back(static_cast<int>(k));
    }
    return support;
  }

  // Gives a class this small prior. Returns whether the risk of the class exceeds the Bayes risk.
  bool is_dear(Eigen::VectorXd prior, Index k, double log_prior) {
    prior[k] = std::exp(log_prior);
    const Minimax seen = look_at(prior / prior.sum());
    return seen.class_risk[k] > seen.risk;
  }

  static Index at(const IntVector& support, Index i) {
    return support[static_cast<std::size_t>(i)];
  }

  // The class risks minus that of the first class, at log odds against the first class.
  Eigen::VectorXd differences(const Eigen::VectorXd& odds, const IntVector& support) {
    Eigen::VectorXd prior = Eigen::VectorXd::Zero(classes_);
    const double largest = std::max(0.0, odds.maxCoeff());
    prior[support[0]] = std::exp(-largest);
    for (Index i = 0; i < odds.size(); ++i) {
      prior[at(support, i + 1)] = std::exp(odds[i] - largest);
    }
    const Eigen::VectorXd risk = look_at(prior / prior.sum()).class_risk;
    Eigen::VectorXd result(odds.size());
    for (Index i = 0; i < odds.size(); ++i) {
      result[i] = risk[at(support, i + 1)] - risk[support[0]];
    }
    return result;
  }

  Matrix slopes(const Eigen::VectorXd& odds, const Eigen::VectorXd& now, const IntVector& support) {
    Matrix result(odds.size(), odds.size());
    for (Index i = 0; i < odds.size(); ++i) {
      Eigen::VectorXd moved = odds;
      moved[i] += options_.step;
      result.col(i) = (differences(moved, support) - now) / options_.step;
    }
    return result;
  }

  Index classes_;
  ClassRisks risks_;
  MinimaxOptions options_;
  double lowest_, scale_ = 1;
  RuleMixture mixture_;
  Minimax best_;
};

}  // namespace bayesrisk

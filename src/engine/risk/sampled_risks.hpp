#pragma once

#include <engine/decision/row_rule.hpp>
#include <engine/risk/class_risks.hpp>
#include <engine/risk/monte_carlo.hpp>

namespace bayesrisk {

// Class risks in any world. Rows are drawn once, the same number from each class, and all priors
// are compared on these rows. Rows are points of shifted lattices. A row counts for every class, in
// proportion to its likelihood.
class SampledClassRisks {
 public:
  SampledClassRisks(const View& view, const IntVector& classes, const Cost& cost,
                    std::uint64_t seed, const Context& context)
      : classes_(view.prior.size(), classes), cost_(cost), context_(context) {
    draw(view.with_prior(classes_.even()), seed);
    normalise();
  }

  Eigen::VectorXd operator()(const Eigen::VectorXd& prior) const {
    return by_shift(prior).rowwise().sum();
  }

  // The standard error of the Bayes risk at a prior.
  double standard_error(const Eigen::VectorXd& prior) const {
    const Eigen::ArrayXd risk = kShifts * (by_shift(prior).transpose() * prior).array();
    return std::sqrt((risk - risk.mean()).square().sum() / (kShifts - 1.0) / kShifts);
  }

 private:
  static constexpr int kShifts = 16;
  static constexpr Index kMostNumbers = Index{1} << 19, kFewestPoints = 64;
  static constexpr Index kMostStored = Index{1} << 26;  // two matrices of so many are 1 GB

  void draw(const View& even, std::uint64_t seed) {
    const auto classes = static_cast<Index>(classes_.classes().size());
    points_ = kFewestPoints;
    while (points_ > 1 && points_ * kShifts * classes * classes > kMostStored) points_ /= 2;
    while (2 * points_ * kShifts * classes * classes <= kMostNumbers) points_ *= 2;
    log_share_.resize(kShifts * classes * points_, classes);
    const Drawer drawer(even.plan, even.parameters);
    const Scorer scorer(even.plan, even.parameters, even.prior, log_share_.rows());
    context_.run(kShifts * classes, [&](Index task) {
      DrawnRows rows(drawer.levels(), points_);
      Vector u(static_cast<std::size_t>(drawer.uniforms()));
      const ShiftedLattice lattice(drawer.uniforms(), seed, static_cast<std::uint64_t>(task));
      const int of = classes_.classes()[static_cast<std::size_t>(task % classes)];
      for (Index i = 0; i < points_; ++i) {
        lattice.point(static_cast<std::uint64_t>(i), u.data());
        drawer.draw(of, u.data(), i, rows);
      }
      const Matrix joint = score_log_joint(scorer, rows.frame());
      for (Index k = 0; k < classes; ++k) {
        log_share_.col(k).segment(task * points_, points_) =
            joint.col(classes_.classes()[static_cast<std::size_t>(k)]);
      }
    });
  }

  // The shares of a class add up to 1, so that a constant cost is exact.
  void normalise() {
    log_share_.colwise() -= log_sum_of_rows(log_share_);
    share_ = log_share_.array().exp();
    const Eigen::RowVectorXd total = share_.colwise().sum();
    share_.array().rowwise() /= total.array();
    log_share_.rowwise() -= total.array().log().matrix();
  }

  // Classes x shifts.
  Matrix by_shift(const Eigen::VectorXd& prior) const {
    const Index classes = share_.cols(), rows = points_ * classes;
    Matrix result = Matrix::Zero(classes, kShifts);
    const Cost own = own_cost();
    context_.run(kShifts, [&](Index shift) {
      RowRule rule(own);
      for (Index i = shift * rows; i < (shift + 1) * rows; ++i) {
        context_.check();
        const Eigen::VectorXd joint = log_share_.row(i).transpose().array() + prior.array().log();
        const int action = rule.decide(joint);
        for (Index k = 0; k < classes; ++k) {
          if (share_(i, k) > 0) result(k, shift) += share_(i, k) * own.of(action, k);
        }
      }
    });
    return result;
  }

  Cost own_cost() const {
    Cost cost{Matrix(cost_.of.rows(), static_cast<Index>(classes_.classes().size()))};
    for (Index k = 0; k < cost.of.cols(); ++k) {
      cost.of.col(k) = cost_.of.col(classes_.classes()[static_cast<std::size_t>(k)]);
    }
    return cost;
  }

  EvenClasses classes_;
  const Cost& cost_;
  const Context& context_;
  Index points_ = 0;
  Matrix log_share_, share_;  // rows (shift by shift, class by class) x classes
};

}  // namespace bayesrisk

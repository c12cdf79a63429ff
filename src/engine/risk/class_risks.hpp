#pragma once

#include <engine/risk/decision_table.hpp>
#include <engine/risk/plane_world.hpp>
#include <engine/risk/ratio_risk.hpp>

namespace bayesrisk {

// The classes of a model that have a likelihood. The risk of a class does not depend on the prior
// of the world, so all classes get the same prior. Then each class is sampled often enough.
class EvenClasses {
 public:
  EvenClasses(const View& view, const IntVector& classes)
      : view_(view), classes_(classes), even_(view.prior.size(), 0.0) {
    for (int k : classes) even_[static_cast<std::size_t>(k)] = 1.0 / count();
  }

  double count() const { return static_cast<double>(classes_.size()); }
  const IntVector& classes() const { return classes_; }
  const Vector& even() const { return even_; }

  // Extends a prior of these classes to all classes. The other classes get prior 0.
  Vector spread(const Eigen::VectorXd& prior) const {
    Vector result(even_.size(), 0.0);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      result[static_cast<std::size_t>(classes_[i])] = prior[static_cast<Index>(i)];
    }
    return result;
  }

  View with_prior(const Vector& prior) const {
    return {view_.plan, view_.parameters, prior, view_.feature, view_.level};
  }

  // The mean cost of each class. `table`: joint probabilities in the even world, all classes x
  // actions.
  Eigen::VectorXd risks(const Matrix& table, const Cost& cost) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Index>(classes_.size()));
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      const Index k = classes_[i];
      for (Index a = 0; a < table.cols(); ++a) {
        if (table(k, a) > 0) result[static_cast<Index>(i)] += count() * table(k, a) * cost.of(a, k);
      }
    }
    return result;
  }

 private:
  const View& view_;
  IntVector classes_;
  Vector even_;
};

// Class risks in a world of at most one numeric feature: exact.
class LineClassRisks {
 public:
  LineClassRisks(const LineWorld& world, const IntVector& classes, const Cost& cost,
                 const Context& context)
      : world_(world), classes_(world.view, classes), cost_(cost), context_(context) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& prior) const {
    const Vector of_rule = classes_.spread(prior);
    const View rule = classes_.with_prior(of_rule);
    const LineWorld even{classes_.with_prior(classes_.even()), world_.combinations, world_.numeric,
                         world_.origin};
    return classes_.risks(
        decision_table(even, ModelRule(rule, even, cost_), cost_.actions(), context_), cost_);
  }

 private:
  const LineWorld& world_;
  EvenClasses classes_;
  const Cost& cost_;
  const Context& context_;
};

// Class risks in a world of two classes with normal features: exact.
class RatioClassRisks {
 public:
  RatioClassRisks(const View& world, const Combinations& combinations, const IntVector& classes,
                  const Cost& cost, const Context& context)
      : combinations_(combinations),
        classes_(world, classes),
        cost_(cost),
        rule_(classes_.with_prior(classes_.even()), classes_.with_prior(classes_.even()), context),
        even_(joints(classes_.even())) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& prior) const {
    return classes_.risks(rule_.risk(even_, joints(classes_.spread(prior)), cost_).table, cost_);
  }

 private:
  Matrix joints(const Vector& prior) const {
    return combination_joints(classes_.with_prior(prior), combinations_);
  }

  const Combinations& combinations_;
  EvenClasses classes_;
  const Cost& cost_;
  RatioRule rule_;
  Matrix even_;
};

// Class risks in a world of two numeric features, by quadrature.
class PlaneClassRisks {
 public:
  PlaneClassRisks(const PlaneWorld& world, const IntVector& classes, const Cost& cost,
                  double tolerance, const Context& context)
      : world_(world),
        classes_(world.view, classes),
        cost_(cost),
        tolerance_(tolerance),
        context_(context) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& prior) const {
    constexpr int kMostEvaluations = 200000;
    const Vector of_rule = classes_.spread(prior);
    const View rule = classes_.with_prior(of_rule);
    const PlaneWorld even{classes_.with_prior(classes_.even()), world_.combinations, world_.first,
                          world_.second, world_.origin};
    return classes_.risks(
        plane_risk(even, rule, cost_, tolerance_, kMostEvaluations, context_).table, cost_);
  }

 private:
  const PlaneWorld& world_;
  EvenClasses classes_;
  const Cost& cost_;
  double tolerance_;
  const Context& context_;
};

}  // namespace bayesrisk

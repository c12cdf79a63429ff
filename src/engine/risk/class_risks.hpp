#pragma once

#include <engine/risk/method.hpp>

namespace bayesrisk {

// The classes of a model that have a likelihood. The risk of a class does not depend on the prior
// of the world, so all classes get the same prior. Then each class is sampled often enough.
class EvenClasses {
 public:
  // `all`: the number of classes of the model.
  EvenClasses(std::size_t all, const IntVector& classes) : classes_(classes), even_(all, 0.0) {
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
  IntVector classes_;
  Vector even_;
};

// Class risks by a method of which the world itself is the rule.
class MethodClassRisks {
 public:
  MethodClassRisks(const RiskMethod& method, EvenClasses classes, const Cost& cost)
      : method_(method), classes_(std::move(classes)), cost_(cost) {}

  Eigen::VectorXd operator()(const Eigen::VectorXd& prior) const {
    return classes_.risks(method_.risk(classes_.even(), classes_.spread(prior)).table, cost_);
  }

 private:
  const RiskMethod& method_;
  EvenClasses classes_;
  const Cost& cost_;
};

}  // namespace bayesrisk

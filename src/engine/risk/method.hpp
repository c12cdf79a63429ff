#pragma once

#include <engine/decision/cost.hpp>
#include <engine/world/combinations.hpp>

namespace bayesrisk {

// Joint probabilities of truth (rows) and decision (columns), with bounds of their errors.
struct RiskTable {
  Matrix table, error;
  double rest = 0;  // a bound of the sum of the errors that `error` does not hold

  static RiskTable none(Index classes, int actions) {
    return {Matrix::Zero(classes, actions), Matrix::Zero(classes, actions)};
  }

  RiskTable& operator+=(const RiskTable& other);

  // A bound of the error of the expected cost, infinite costs left out.
  double accuracy(const Cost& cost) const;
};

// A way to find the risk of a model that decides in a world. The classes of a view that may have a
// prior have one when the method is made.
class RiskMethod {
 public:
  virtual ~RiskMethod() = default;

  // The priors of the world and of the rule.
  virtual RiskTable risk(const Vector& world, const Vector& rule) const = 0;
};

// The Bayes risk at several priors, one per row, if the world itself is the rule.
Vector bayes_risks(const RiskMethod& method, const Matrix& priors, const Cost& cost);

}  // namespace bayesrisk

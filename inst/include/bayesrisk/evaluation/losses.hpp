#pragma once

#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/decision/cost.hpp>

namespace bayesrisk {

// Cases with what is true of them.
struct Cases {
  Index rows = 0;
  const int* truth = nullptr;      // class, from 1; missing: the case does not count
  const double* weight = nullptr;  // null: every case counts once

  double weight_of(Index r) const { return weight ? weight[r] : 1.0; }
};

// What each decision (from 1) cost; NaN where a case does not count or has none.
inline Vector realised_losses(const Cases& cases, const Cost& cost, const int* decision) {
  Vector loss(cases.rows);
  for (Index r = 0; r < cases.rows; ++r) {
    const bool known = decision[r] != kMissingInteger && cases.truth[r] != kMissingInteger;
    loss[r] = known ? cost.of(decision[r] - 1, cases.truth[r] - 1) : kNaN;
  }
  return loss;
}

// A weighted mean and its standard error; a case of weight w counts as w cases.
struct MeanError {
  double weight = 0, mean = kNaN, error = kNaN;
};

// Of the values that are not NaN.
inline MeanError mean_and_error(const Cases& cases, const Vector& values) {
  double weight = 0, sum = 0, scatter = 0;
  for (Index r = 0; r < cases.rows; ++r) {
    const bool known = !std::isnan(values[r]);
    weight += known ? cases.weight_of(r) : 0.0;
    sum += known ? cases.weight_of(r) * values[r] : 0.0;
  }
  if (weight <= 0) return {};
  const double mean = sum / weight;
  for (Index r = 0; r < cases.rows; ++r) {
    const double deviation = values[r] - mean;
    scatter += std::isnan(values[r]) ? 0.0 : cases.weight_of(r) * deviation * deviation;
  }
  return {weight, mean, weight > 1 ? std::sqrt(scatter / (weight - 1) / weight) : kNaN};
}

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/count/count_scorer.hpp>
#include <engine/likelihood/count/poisson.hpp>

namespace bayesrisk {

struct PoissonLaws {
  Matrix rate, log_rate;

  int classes() const { return static_cast<int>(rate.rows()); }
  double reach(int k, int j) const { return rate(k, j) + 8 * std::sqrt(rate(k, j)); }
  double log_probability(int k, int j, double, const LogPoisson& poisson) const {
    return poisson.at(rate(k, j), log_rate(k, j));
  }
};

class Poisson::Scorer : public CountScorer<PoissonLaws> {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : CountScorer(plan.features, {parameters.rate, Matrix(parameters.rate.array().log())}, rows) {
  }
};

}  // namespace bayesrisk

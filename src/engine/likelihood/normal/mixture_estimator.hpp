#pragma once

#include <engine/likelihood/normal/mixture_fitter.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// Finds the mixture of each group: the candidate with the best criterion.
class MixtureEstimator {
 public:
  MixtureEstimator(const Mixture::Statistics& statistics, const Mixture::Options& options,
                   const Classes& classes, int feature, Diagnostics& diagnostics);

  Mixture::Parameters estimate();

 private:
  void add_group(int g);

  // Candidates that need no borrowed case come first.
  MixtureTerms select(const Points& points, int g, double weight) const;

  MixtureTerms best_of(const MixtureFitter& fitter, Index values, double weight,
                       double borrow) const;

  void add_empty(int g);

  // A class without spread borrows one case from the pooled variance.
  void add_constant(int g, double mean, double weight);

  void add_problem(ProblemName problem, int g, double count) {
    diagnostics_.add(problem, problem == Problem::apart ? kAll : g, feature_, count);
    add_normal(kNaN, kNaN);
  }

  void add_normal(double mean, double sd);

  static double mean_of(const DoubleDouble& mean) { return mean.high + mean.low; }

  const Mixture::Statistics& statistics_;
  const Mixture::Options& options_;
  const Classes& classes_;
  Spread spread_;
  int feature_;
  Diagnostics& diagnostics_;
  Mixture::Parameters p_;
};

inline Mixture::Parameters Mixture::estimate(const Plan& plan, const Statistics& statistics,
                                             const Options& options, const Classes& classes,
                                             Diagnostics& diagnostics) {
  return MixtureEstimator(statistics, options, classes, plan.features[0], diagnostics).estimate();
}

}  // namespace bayesrisk

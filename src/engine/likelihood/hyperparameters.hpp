#pragma once

#include <engine/likelihood/bernoulli.hpp>
#include <engine/likelihood/categorical.hpp>
#include <engine/likelihood/gaussian.hpp>
#include <engine/likelihood/histogram.hpp>
#include <engine/likelihood/joint_histogram.hpp>
#include <engine/likelihood/joint_table.hpp>
#include <engine/likelihood/multinomial.hpp>
#include <engine/likelihood/multivariate_gaussian.hpp>
#include <engine/likelihood/poisson.hpp>

namespace bayesrisk {

// The hyperparameters of the posterior of a bank's parameters, apart from its centre, the estimate:
// see parameter_draws.hpp.
struct Hyperparameters {
  Matrix weight;   // groups x blocks. Empty or 0: no posterior, the parameters count as known
  Matrix freedom;  // likewise: degrees of freedom of a variance or a covariance; of a Poisson rate
                   // the size of its negative binomial distribution

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("freedom", self.freedom);
  }
  bool known() const { return weight.size() == 0; }
  template <class Plan>
  void check(const Plan& plan, int groups) const {
    const int parts = plan.blocks();
    require(known() || has_shape(weight, groups, parts), "hyperparameters: wrong dimensions");
    require(freedom.size() == 0 || has_shape(freedom, groups, parts),
            "hyperparameters: wrong dimensions");
    using L = typename Plan::Likelihood;
    constexpr bool has_freedom = std::is_same_v<L, Gaussian> || std::is_same_v<L, Poisson> ||
                                 std::is_same_v<L, MultivariateGaussian>;
    require(!has_freedom || freedom.size() == weight.size(),
            "hyperparameters: no degrees of freedom");
    require(!has_freedom || !known(), "hyperparameters: none");
  }
};

// The degrees of freedom of the scatter of a class that borrows cases.
inline double freedom_of_class(double weight, double borrow) {
  return std::max(weight - 1, 0.0) + borrow;
}

inline void require_freedom(double freedom, double weight, int g, int feature,
                            Diagnostics& diagnostics) {
  if (!(freedom > 0 && weight > 0)) diagnostics.add(Problem::no_freedom, g, feature, weight);
}

// Each overload takes the unbiased estimate. The last one is for likelihoods without a posterior.
inline Hyperparameters hyperparameters_of(const Gaussian::Plan& plan,
                                          const Gaussian::Statistics& statistics,
                                          const Gaussian::Options& options,
                                          const Gaussian::Parameters& parameters,
                                          const Classes& classes, Diagnostics& diagnostics) {
  Hyperparameters hyperparameters{statistics.moments.weight, statistics.moments.weight};
  for (int j = 0; j < plan.members(); ++j) {
    for (int g = 0; g < classes.count(); ++g) {
      double& weight = hyperparameters.weight(g, j);
      if (parameters.left_out[j]) weight = 0;
      hyperparameters.freedom(g, j) = freedom_of_class(weight, options.borrow[j]);
      if (!classes.has_rows(g) || parameters.left_out[j]) continue;
      require_freedom(hyperparameters.freedom(g, j), weight, g, plan.features[j], diagnostics);
    }
  }
  return hyperparameters;
}

// Shrinkage by g, also towards the identity, counts as the cases that, borrowed, would give the
// same covariance.
inline Hyperparameters hyperparameters_of(const MultivariateGaussian::Plan&,
                                          const MultivariateGaussian::Statistics& statistics,
                                          const MultivariateGaussian::Options& options,
                                          const MultivariateGaussian::Parameters& parameters,
                                          const Classes& classes, Diagnostics& diagnostics) {
  const Matrix& weight = statistics.scatter.weight;
  const auto size = static_cast<double>(parameters.kept().size());
  const bool pooled = parameters.factor.size() == 1;
  double all = 0;
  for (Index g = 0; g < weight.rows(); ++g) all += weight(g, 0) > 0 ? weight(g, 0) - 1 : 0;
  Hyperparameters hyperparameters{weight, weight};
  for (int g = 0; g < classes.count(); ++g) {
    const double own =
        freedom_of_class(weight(g, 0), options.borrow) / (1 - (pooled ? 0 : options.shrinkage));
    hyperparameters.freedom(g, 0) = (pooled ? all : own) / (1 - options.identity);
    if (!classes.has_rows(g) || size == 0) continue;
    require_freedom(hyperparameters.freedom(g, 0) - size + 1, weight(g, 0), g, kAll, diagnostics);
  }
  if (size == 0) hyperparameters.weight.setZero();
  return hyperparameters;
}

inline Hyperparameters hyperparameters_of(const Categorical::Plan& plan,
                                          const Categorical::Statistics& statistics,
                                          const Categorical::Options& options,
                                          const Categorical::Parameters&, const Classes& classes,
                                          Diagnostics&) {
  const IntVector offset = plan.offsets();
  Hyperparameters hyperparameters{Matrix::Zero(classes.count(), plan.members()), {}};
  for (int j = 0; j < plan.members(); ++j) {
    for (int l = offset[j]; l < offset[j + 1]; ++l) {
      hyperparameters.weight.col(j).array() +=
          statistics.count.col(l).array() + options.pseudo_count[l];
    }
  }
  return hyperparameters;
}

inline Hyperparameters hyperparameters_of(const JointTable::Plan& plan,
                                          const JointTable::Statistics& statistics,
                                          const JointTable::Options& options,
                                          const JointTable::Parameters&, const Classes&,
                                          Diagnostics&) {
  return {statistics.count.rowwise().sum().array() + options.pseudo_count * plan.cells(), {}};
}

inline Hyperparameters hyperparameters_of(const JointHistogram::Plan& plan,
                                          const JointHistogram::Statistics& statistics,
                                          const JointHistogram::Options& options,
                                          const JointHistogram::Parameters& parameters,
                                          const Classes& classes, Diagnostics& diagnostics) {
  return hyperparameters_of(plan.table(), static_cast<const JointTable::Statistics&>(statistics),
                            JointTable::Options{options.laplace},
                            static_cast<const JointTable::Parameters&>(parameters), classes,
                            diagnostics);
}

inline Hyperparameters hyperparameters_of(const Histogram::Plan& plan,
                                          const Histogram::Statistics& statistics,
                                          const Histogram::Options& options,
                                          const Histogram::Parameters&, const Classes& classes,
                                          Diagnostics&) {
  Matrix weight = statistics.count.rowwise().sum();
  for (int g = 0; g < classes.count(); ++g)
    weight(g, 0) += options.laplace * plan.of_group(g).count;
  return {weight, {}};
}

// Without smoothing new counts are Poisson at the estimated rate.
inline Hyperparameters hyperparameters_of(const Poisson::Plan& plan,
                                          const Poisson::Statistics& statistics,
                                          const Poisson::Options& options,
                                          const Poisson::Parameters& parameters,
                                          const Classes& classes, Diagnostics&) {
  Hyperparameters hyperparameters{statistics.weight,
                                  Matrix::Constant(classes.count(), plan.members(), kInfinity)};
  for (int j = 0; j < plan.members(); ++j) {
    const double count = options.pseudo_count.empty() ? 0 : options.pseudo_count[j];
    const double exposure = options.pseudo_exposure.empty() ? 0 : options.pseudo_exposure[j];
    hyperparameters.weight.col(j).array() += exposure;
    if (parameters.left_out[j]) hyperparameters.weight.col(j).setZero();
    for (int g = 0; g < classes.count(); ++g) {
      const double size = parameters.rate(g, j) * hyperparameters.weight(g, j);
      if (count + exposure > 0 && size > 0) hyperparameters.freedom(g, j) = size;
    }
  }
  return hyperparameters;
}

// Complement weights are no probabilities.
inline Hyperparameters hyperparameters_of(const Multinomial::Plan& plan,
                                          const Multinomial::Statistics& statistics,
                                          const Multinomial::Options& options,
                                          const Multinomial::Parameters&, const Classes&,
                                          Diagnostics&) {
  if (options.complement) return {};
  return {statistics.count.rowwise().sum().array() + options.laplace * plan.terms(), {}};
}

inline Hyperparameters hyperparameters_of(const Bernoulli::Plan&,
                                          const Bernoulli::Statistics& statistics,
                                          const Bernoulli::Options& options,
                                          const Bernoulli::Parameters&, const Classes& classes,
                                          Diagnostics&) {
  Hyperparameters hyperparameters{Matrix::Constant(classes.count(), 1, 2 * options.laplace), {}};
  for (int g = 0; g < classes.count(); ++g) hyperparameters.weight(g, 0) += statistics.weight[g];
  return hyperparameters;
}

template <class Plan, class Statistics, class Options, class Parameters>
Hyperparameters hyperparameters_of(const Plan&, const Statistics&, const Options&,
                                   const Parameters&, const Classes&, Diagnostics&) {
  return {};
}

// The options of the estimate that is the centre of the posterior.
template <class Options>
Options unbiased_options(Options options) {
  return options;
}
inline Gaussian::Options unbiased_options(Gaussian::Options options) {
  std::fill(options.unbiased.begin(), options.unbiased.end(), 1);
  return options;
}
inline MultivariateGaussian::Options unbiased_options(MultivariateGaussian::Options options) {
  options.unbiased = true;
  return options;
}

}  // namespace bayesrisk

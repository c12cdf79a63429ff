#pragma once

#include <engine/core/random_laws.hpp>
#include <engine/model/fit.hpp>

namespace bayesrisk {

// The prior and the parameters of a model.
struct ModelParameters {
  Vector prior;
  std::vector<AnyParameters> banks;
};

// The posterior of the parameters of a model: its centre, and the hyperparameters of each bank.
struct ParameterPosterior {
  ModelParameters centre;
  std::vector<Hyperparameters> hyperparameters;
  Vector class_weight{};  // the Dirichlet parameters of the prior; empty: the prior is known

  // Draw number `draw` of a seed: it does not depend on the other draws.
  ModelParameters draw(const ModelPlan& plan, std::uint64_t seed, std::uint64_t draw) const {
    ModelParameters result = centre;
    RandomLaws random(seed, draw);
    if (!class_weight.empty()) draw_prior(random, result.prior);
    for (std::size_t b = 0; b < plan.banks.size(); ++b) {
      plan.banks[b]->draw_parameters(hyperparameters[b], random, result.banks[b]);
    }
    return result;
  }

 private:
  void draw_prior(RandomLaws& random, Vector& prior) const {
    Eigen::VectorXd number(class_weight.size());
    for (Index k = 0; k < number.size(); ++k) {
      number[k] = random.log_gamma(class_weight[static_cast<std::size_t>(k)]);
    }
    const double total = log_sum(number);
    for (std::size_t k = 0; k < prior.size(); ++k) {
      prior[k] = std::exp(number[static_cast<Index>(k)] - total);
    }
  }
};

// The centre is the estimate with unbiased variances. `prior`: of the classes.
inline ParameterPosterior parameter_posterior(const ModelPlan& plan,
                                              const ModelStatistics& statistics,
                                              const std::vector<AnyOptions>& options,
                                              const Vector& prior, bool borrow,
                                              Diagnostics& diagnostics,
                                              const Context& context = Context()) {
  ParameterPosterior posterior;
  posterior.centre.prior = prior;
  const Classes classes{statistics.classes.weight, borrow, context};
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const Bank& bank = *plan.banks[b];
    const AnyStatistics& own = statistics.banks[b];
    const AnyOptions unbiased = bank.unbiased(options[b]);
    Diagnostics problems;
    AnyParameters centre = bank.estimate(own, unbiased, classes, problems);
    posterior.hyperparameters.push_back(
        bank.hyperparameters(own, unbiased, centre, classes, problems));
    posterior.centre.banks.push_back(std::move(centre));
    diagnostics.append(problems, static_cast<int>(b));
  }
  return posterior;
}

}  // namespace bayesrisk

#include "context.h"
#include "decisions.h"
#include "model.h"

#include <engine/evaluation/data_value.hpp>
#include <engine/evaluation/stability.hpp>

using namespace bayesrisk;

// The posterior of the parameters, see ParameterPosterior: list(parameters, hyperparameters,
// diagnostics).
// [[Rcpp::export(rng = false)]]
Rcpp::List parameter_posterior_cpp(Rcpp::List banks, int groups, int features,
                                   Rcpp::List statistics, Rcpp::List options, bool borrow) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  const ModelStatistics collected = bind::read_statistics(plan, statistics);
  const auto of_banks = bind::read_options(plan, options);
  Diagnostics diagnostics;
  const ParameterPosterior posterior = parameter_posterior(plan, collected, of_banks, {}, borrow,
                                                           diagnostics, bind::make_context(1));
  Rcpp::List hyperparameters(posterior.hyperparameters.size());
  for (std::size_t b = 0; b < posterior.hyperparameters.size(); ++b) {
    hyperparameters[b] = bind::to_list(posterior.hyperparameters[b]);
  }
  return bind::named_list({{"parameters", bind::write_banks(posterior.centre.banks)},
                           {"hyperparameters", hyperparameters},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
}

// Draws number 1, 2, ... of a seed: a list(prior, banks) for each.
// [[Rcpp::export(rng = false)]]
Rcpp::List draw_parameters_cpp(Rcpp::List model, Rcpp::NumericVector class_weight, int draws,
                               double seed) {
  const bind::Model known(model);
  const ParameterPosterior posterior = known.posterior(Rcpp::as<Vector>(class_weight));
  require(draws >= 0, "draws: negative");
  const Context context = bind::make_context(1);
  Rcpp::List result(draws);
  for (int d = 0; d < draws; ++d) {
    context.check();
    const ModelParameters drawn =
        posterior.draw(known.plan, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(d));
    result[d] =
        bind::named_list({{"prior", drawn.prior}, {"banks", bind::write_banks(drawn.banks)}});
  }
  return result;
}

// `decided`: a factor of actions. Columns by row, and matrices of rows x classes: see Stability.
// [[Rcpp::export(rng = false)]]
Rcpp::List decision_stability_cpp(Rcpp::List model, Rcpp::NumericVector class_weight,
                                  Rcpp::List frame, Rcpp::List cost, Rcpp::IntegerVector decided,
                                  int draws, double seed, double level, int threads) {
  const bind::Model known(model);
  const ParameterPosterior posterior = known.posterior(Rcpp::as<Vector>(class_weight));
  const Frame data = bind::read_data(known, frame);
  const bind::ActionCost costs(cost, known.plan.groups, data.rows);
  require(decided.size() == data.rows, "decided: wrong length");
  bind::require_codes_in(decided, costs.cost.fixed.actions(), "decided");
  require(draws > 0 && level > 0 && level < 1, "draws or level: out of range");
  const Stability found = decision_stability(
      known.plan, posterior, known.tempering, data, costs.cost, decided.begin(), draws,
      static_cast<std::uint64_t>(seed), level, bind::make_context(threads));
  return bind::named_list(
      {{"stays", found.stays},
       {"runner_up", bind::as_actions(Rcpp::wrap(found.runner_up), costs.actions)},
       {"runner_up_share", found.runner_up_share},
       {"saving", found.saving},
       {"lower", found.lower},
       {"upper", found.upper}});
}

// `model`: decides now, with hyperparameters by predictive distributions; `centre`: the model with
// them; `prior`: known, or empty; `group`: the class of the new rows, from 1, or NA. See DataValue.
// [[Rcpp::export(rng = false)]]
Rcpp::List data_value_cpp(Rcpp::List model, Rcpp::List centre, Rcpp::NumericVector class_weight,
                          Rcpp::List statistics, Rcpp::List options, Rcpp::NumericVector prior,
                          bool borrow, Rcpp::NumericMatrix cost, Rcpp::IntegerVector sizes,
                          int group, double cases, int draws, double seed, int threads) {
  const bind::Model now(model), known(centre);
  const ParameterPosterior posterior = known.posterior(Rcpp::as<Vector>(class_weight));
  const ModelStatistics collected = bind::read_statistics(now.plan, statistics);
  const auto of_banks = bind::read_options(now.plan, options);
  require(known.plan.groups == now.plan.groups && known.plan.banks.size() == now.plan.banks.size(),
          "centre: another model");
  require(cases >= 1 && draws >= 1, "no cases or draws");
  require(prior.size() == 0 || prior.size() == now.plan.groups, "prior: wrong length");
  Cost costs;
  bind::read_field(cost, costs.of);
  require(costs.of.cols() == now.plan.groups && costs.of.rows() > 0, "cost: wrong dimensions");
  const LearningModel learning{now.plan,
                               collected,
                               of_banks,
                               borrow,
                               now.tempering,
                               Rcpp::as<Vector>(prior),
                               {{now.prior, now.parameters}, now.hyperparameters}};
  const IntVector more(sizes.begin(), sizes.end());
  for (std::size_t i = 0; i < more.size(); ++i) {
    require(more[i] >= (i == 0 ? 0 : more[i - 1]), "sizes: not in order");
  }
  const DataValue value =
      DataValueSimulation(learning, posterior, costs, more, bind::index_of(group, now.plan.groups),
                          static_cast<Index>(cases), static_cast<std::uint64_t>(seed))
          .run(draws, bind::make_context(threads));
  return bind::named_list({{"saving", value.saving}, {"limit", value.limit}});
}

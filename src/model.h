#pragma once

// A model as R passes it: list(banks, parameters, prior, features, temper, hyperparameters), where
// `features` is their number, and `temper` is NULL or list(power, offset). With `hyperparameters`,
// a list by bank, `parameters` is the centre of their posterior, and scores are predictive.

#include "frame.h"

#include <engine/model/scorer.hpp>

namespace doors {

struct Model {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;
  Tempering tempering;
  std::vector<Hyperparameters> hyperparameters;

  explicit Model(const Rcpp::List& list) {
    read_field(element(list, "prior"), prior);
    plan = read_plan(element(list, "banks"), static_cast<int>(prior.size()),
                     Rcpp::as<int>(element(list, "features")));
    parameters = read_parameters(plan, element(list, "parameters"));
    check_prior(prior);
    require_sound(plan, parameters, prior);
    read_tempering(element(list, "temper"));
    read_hyperparameters(element(list, "hyperparameters"));
  }

  Scorer scorer(Index rows) const {
    return Scorer(plan, parameters, prior, rows, tempering, hyperparameters);
  }

  // What changes the posteriors by which the model decides; null: nothing.
  const Tempering* rule() const { return tempering.empty() ? nullptr : &tempering; }

 private:
  void read_tempering(SEXP list) {
    if (list == R_NilValue) return;
    read_field(element(list, "power"), tempering.power);
    read_field(element(list, "offset"), tempering.offset);
    tempering.check(plan);
  }

  void read_hyperparameters(SEXP list) {
    if (list == R_NilValue) return;
    require(TYPEOF(list) == VECSXP && Rf_xlength(list) == static_cast<R_xlen_t>(plan.banks.size()),
            "hyperparameters: wrong number of banks");
    for (std::size_t b = 0; b < plan.banks.size(); ++b) {
      hyperparameters.push_back(
          from_list<Hyperparameters>(VECTOR_ELT(list, static_cast<R_xlen_t>(b))));
      plan.banks[b]->check(hyperparameters.back(), plan.groups);
    }
  }
};

inline Frame read_data(const Model& model, const Rcpp::List& list, const Reading& how = Reading()) {
  const Frame frame = read_frame(list, how);
  for (const AnyPlan& bank : model.plan.banks) {
    for (int feature : bank->features()) {
      require(feature < static_cast<int>(frame.columns.size()), "frame: a column is missing");
    }
  }
  require_codes(model.plan, frame);
  return frame;
}

}  // namespace doors

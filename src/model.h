#pragma once

// A model as R passes it: list(banks, parameters, prior, features, temper, hyperparameters), where
// `features` is their number, and `temper` is NULL or list(power, offset). With `hyperparameters`,
// a list by bank, `parameters` is the centre of their posterior, and scores are predictive.

#include "frame.h"

#include <engine/model/parameter_posterior.hpp>
#include <engine/model/score.hpp>
#include <engine/model/scorer.hpp>

namespace bind {

struct Model {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;
  Tempering tempering;
  std::vector<Hyperparameters> hyperparameters;

  explicit Model(const Rcpp::List& list);

  Scorer scorer(Index rows) const {
    return Scorer(plan, parameters, prior, rows, tempering, hyperparameters);
  }

  // The posterior of the parameters; the model must have hyperparameters. `class_weight`: the
  // Dirichlet parameters of the prior; empty: the prior is known.
  ParameterPosterior posterior(const Vector& class_weight) const;

  // The tempering of the posteriors by which the model decides; null: none.
  const Tempering* rule() const { return tempering.empty() ? nullptr : &tempering; }

 private:
  void read_tempering(SEXP list);
  void read_hyperparameters(SEXP list);
};

Frame read_data(const Model& model, const Rcpp::List& list, const Reading& how = Reading());

// The report of rows without a complete answer.
Rcpp::List write_report(const ScoreReport& report);

}  // namespace bind

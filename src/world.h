#pragma once

// A world and the rules that decide in it, as R passes them.

#include "model.h"

#include <engine/risk/decision_table.hpp>

#include <memory>

namespace bind {

Cost read_cost(SEXP x, int classes);

// list(model, numeric, categorical): a model, and its features of each kind.
struct World {
  Model model;
  int features;
  View view;
  IntVector levels, numeric;
  Combinations combinations;

  explicit World(const Rcpp::List& list);
  World(const World&) = delete;

  int levels_of(int feature) const;

  // The world as one of at most one numeric feature.
  LineWorld along_a_line() const;

  // The way to find the risk of a model that decides in this world: quadrature in the plane of two
  // numeric features, or an exact one.
  std::unique_ptr<RiskMethod> method(const View& rule, const Cost& cost, bool quadrature,
                                     double tolerance, const Context& context) const;
};

// list(model, feature, level, cost): a model that decides in a world. `feature` and `level` give
// the positions of the world's features and levels in the model. The cost is in the order of the
// model's classes.
struct RuleModel {
  Model model;
  View view;
  Cost cost;

  RuleModel(const Rcpp::List& list, const World& world);
  RuleModel(const RuleModel&) = delete;
};

}  // namespace bind

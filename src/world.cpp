#include "world.h"

#include <engine/risk/plane_world.hpp>
#include <engine/risk/ratio_risk.hpp>

namespace bind {

namespace {

// The number of levels of each feature; 0 for a number. In a sound plan each feature has a bank.
IntVector read_levels(const ModelPlan& plan, int features) {
  IntVector levels = feature_levels(plan);
  require(static_cast<int>(levels.size()) == features, "a feature without a bank");
  return levels;
}

}  // namespace

Cost read_cost(SEXP x, int classes) {
  Cost cost;
  read_field(x, cost.of);
  require(cost.of.cols() == classes && cost.of.rows() > 0, "cost: wrong dimensions");
  return cost;
}

World::World(const Rcpp::List& list)
    : model(Rcpp::List(element(list, "model"))),
      features(Rcpp::as<int>(element(element(list, "model"), "features"))),
      view(view_of(model.plan, model.parameters, model.prior, features)),
      levels(read_levels(model.plan, features)),
      numeric(read_places(element(list, "numeric"), features)) {
  combinations.features = read_places(element(list, "categorical"), features);
  for (int feature : numeric) require(levels_of(feature) == 0, "not numeric");
  for (int feature : combinations.features) {
    combinations.levels.push_back(levels_of(feature));
    require(combinations.levels.back() > 0, "not categorical");
  }
}

int World::levels_of(int feature) const {
  require(feature >= 0, "no such feature");
  return levels[static_cast<std::size_t>(feature)];
}

LineWorld World::along_a_line() const {
  require(numeric.size() <= 1, "more than one numeric feature");
  if (numeric.empty()) return {view, combinations, -1, 0};
  return {view, combinations, numeric[0], origin_of(view, numeric[0])};
}

std::unique_ptr<RiskMethod> World::method(const View& rule, const Cost& cost, bool quadrature,
                                          double tolerance, const Context& context) const {
  if (quadrature) {
    require(numeric.size() == 2, "not two numeric features");
    const int x = numeric[0], y = numeric[1];
    const PlaneWorld plane{view, combinations, x, y, {origin_of(view, x), origin_of(view, y)}};
    return std::make_unique<PlaneMethod>(plane, rule, cost, tolerance, context);
  }
  if (numeric.size() > 1) {
    return std::make_unique<RatioMethod>(view, combinations, rule, cost, context);
  }
  return std::make_unique<LineMethod>(along_a_line(), rule, cost, context);
}

RuleModel::RuleModel(const Rcpp::List& list, const World& world)
    : model(Rcpp::List(element(list, "model"))),
      view{model.plan, model.parameters, model.prior, {}, {}, model.rule()},
      cost(read_cost(element(list, "cost"), model.plan.groups)) {
  const int own = Rcpp::as<int>(element(element(list, "model"), "features"));
  view.feature = read_places(element(list, "feature"), own);
  require(static_cast<int>(view.feature.size()) == world.features, "rule: wrong features");
  const IntVector own_levels = read_levels(model.plan, own);
  const Rcpp::List level(element(list, "level"));
  require(level.size() == world.features, "rule: wrong levels");
  for (int j = 0; j < world.features; ++j) {
    const int feature = view.feature[static_cast<std::size_t>(j)];
    const int levels = feature < 0 ? 0 : own_levels[static_cast<std::size_t>(feature)];
    view.level.push_back(read_places(level[j], levels));
    const int expected = feature < 0 ? 0 : world.levels_of(j);
    require(
        static_cast<int>(view.level.back().size()) == expected && (expected > 0) == (levels > 0),
        "rule: wrong levels");
  }
}

}  // namespace bind

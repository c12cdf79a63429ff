#include "context.h"
#include "world.h"

#include <engine/regions/action_pairs.hpp>
#include <engine/search/minimax.hpp>
#include <engine/world/conditional_plane.hpp>

using namespace bayesrisk;

namespace {

// The costs of actions in the plane of two numeric features. The frame has one row, in which these
// features are missing.
struct PlaneContest {
  bind::Model model;
  int features;
  View view;
  int first, second;
  Eigen::Vector2d origin;
  Vector log_prior;
  Cost cost;

  PlaneContest(const Rcpp::List& list, const Rcpp::IntegerVector& places, const Vector& log_joint,
               const Rcpp::NumericMatrix& costs)
      : model(list),
        features(Rcpp::as<int>(bind::element(list, "features"))),
        view(view_of(model.plan, model.parameters, model.prior, features)),
        log_prior(log_joint),
        cost(bind::read_cost(costs, model.plan.groups)) {
    view.tempering = model.rule();
    require(places.size() == 2 && places[0] != places[1], "not two features");
    for (int place : places) require(place >= 1 && place <= features, "no such feature");
    first = places[0] - 1;
    second = places[1] - 1;
    origin << origin_of(view, first), origin_of(view, second);
    require(static_cast<int>(log_prior.size()) == model.plan.groups, "log joint: wrong length");
  }
  PlaneContest(const PlaneContest&) = delete;

  Plane plane(const Rcpp::List& frame) const {
    const Frame row = bind::read_data(model, frame);
    require(row.rows == 1, "not one row");
    return conditional_plane(view, row, 0, first, second, origin);
  }
};

const char* kind_of(const ActionPair& pair) {
  switch (pair.contest) {
    case ActionPair::Contest::settled: return "none";
    case ActionPair::Contest::tied: return "everywhere";
    case ActionPair::Contest::contour: return "contour";
    default: return to_string(pair.boundary()->kind());
  }
}

}  // namespace

// For each pair of actions (from 1): the kind of their boundary, and its coefficients (x^2, xy,
// y^2, x, y, 1) in coordinates relative to `origin`. If the boundary consists of straight lines,
// these lines follow (pair, x, y, 1).
// [[Rcpp::export(rng = false)]]
Rcpp::List boundaries_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::IntegerVector features,
                          Rcpp::NumericVector log_joint, Rcpp::NumericMatrix cost) {
  const PlaneContest contest(model, features, Rcpp::as<Vector>(log_joint), cost);
  const Plane plane = contest.plane(frame);
  const Eigen::Vector2d origin = reported_origin(plane, contest.log_prior, contest.origin);
  const Eigen::Vector2d by = origin - contest.origin;
  const std::vector<ActionPair> pairs = compare_actions(plane, contest.log_prior, contest.cost);
  const auto count = static_cast<int>(pairs.size());
  Rcpp::IntegerVector first(count), second(count);
  Rcpp::CharacterVector kind(count);
  Rcpp::NumericMatrix coefficients(count, 6);
  coefficients.fill(NA_REAL);
  std::vector<Vector> lines;
  for (int i = 0; i < count; ++i) {
    const ActionPair& pair = pairs[static_cast<std::size_t>(i)];
    first[i] = pair.first + 1;
    second[i] = pair.second + 1;
    kind[i] = kind_of(pair);
    const std::optional<Boundary> boundary = pair.boundary();
    if (!boundary) continue;
    const Conic f = moved(boundary->conic(), by);
    coefficients.row(i) = Rcpp::NumericVector{f.xx, f.xy, f.yy, f.x, f.y, f.constant};
    for (const StraightLine& whole : boundary->lines()) {
      const StraightLine line = moved(whole, by);
      lines.push_back({i + 1.0, line.normal[0], line.normal[1], line.constant});
    }
  }
  Rcpp::NumericMatrix table(static_cast<int>(lines.size()), 4);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    table.row(static_cast<int>(i)) = Rcpp::NumericVector(lines[i].begin(), lines[i].end());
  }
  return bind::named_list({{"first", first},
                           {"second", second},
                           {"kind", kind},
                           {"coefficients", coefficients},
                           {"lines", table},
                           {"origin", Vector{origin[0], origin[1]}}});
}

// `classes` (from 1): the classes that may have a positive prior. `method`: as in bayes_risk().
// [[Rcpp::export(rng = false)]]
Rcpp::List minimax_cpp(Rcpp::List world, Rcpp::NumericMatrix cost, Rcpp::IntegerVector classes,
                       std::string method, double seed, int threads) {
  constexpr double kError = 1e-10;  // of quadrature
  const bind::World read(world);
  const Cost costs = bind::read_cost(cost, read.model.plan.groups);
  const IntVector possible = bind::read_places(classes, read.model.plan.groups);
  for (int k : possible) require(k >= 0 && read.model.prior[k] > 0, "classes: no likelihood");
  const Context context = bind::make_context(threads);
  Minimax found;
  if (method == "monte_carlo") {
    found = find_minimax(read.view, possible, costs, static_cast<std::uint64_t>(seed), context);
  } else {
    const bool quadrature = method == "quadrature";
    require(quadrature || method == "exact", "no such method");
    const auto by = read.method(read.view, costs, quadrature, kError, context);
    found = find_minimax(*by, possible, costs, quadrature ? kError : 0);
  }
  return bind::named_list({{"prior", found.prior},
                           {"class_risk", found.class_risk},
                           {"risk", found.risk},
                           {"accuracy", found.accuracy}});
}

// `others`: the costs of other actions, actions x classes.
// [[Rcpp::export(rng = false)]]
double best_margin_cpp(Rcpp::NumericMatrix others, Rcpp::NumericVector own) {
  Matrix costs;
  bind::read_field(others, costs);
  require(own.size() == costs.cols() && own.size() > 0, "own: wrong length");
  return best_margin(costs, bind::as_vector(own));
}

#include "context.h"
#include "plane.h"

#include <engine/search/dominance.hpp>
#include <engine/search/minimax_world.hpp>

using namespace bayesrisk;

namespace {

Rcpp::List write_minimax(const Minimax& found) {
  return Rcpp::List::create(Rcpp::_["prior"] = found.prior,
                            Rcpp::_["class_risk"] = found.class_risk, Rcpp::_["risk"] = found.risk,
                            Rcpp::_["accuracy"] = found.accuracy);
}

}  // namespace

// `classes` (from 1): the classes that may have a positive prior. `method`: as in bayes_risk().
// [[Rcpp::export(rng = false)]]
Rcpp::List minimax_cpp(Rcpp::List world, Rcpp::NumericMatrix cost, Rcpp::IntegerVector classes,
                       std::string method, double seed, int threads) {
  const doors::World read(world);
  const Cost costs = doors::read_cost(cost, read.model.plan.groups);
  const IntVector possible = doors::read_places(classes, read.model.plan.groups);
  for (int k : possible) require(k >= 0 && read.model.prior[k] > 0, "classes: no likelihood");
  const Context context = doors::make_context(threads);
  if (method == "exact" && read.numeric.size() > 1) {
    return write_minimax(find_minimax(read.view, read.combinations, possible, costs, context));
  }
  if (method == "exact") {
    return write_minimax(find_minimax(read.along_a_line(), possible, costs, context));
  }
  if (method == "quadrature") {
    return write_minimax(find_minimax(doors::plane_of_world(read), possible, costs, context));
  }
  require(method == "monte_carlo", "no such method");
  const auto stream = static_cast<std::uint64_t>(seed);
  return write_minimax(find_minimax(read.view, possible, costs, stream, context));
}

// `others`: the costs of other actions, actions x classes.
// [[Rcpp::export(rng = false)]]
double best_margin_cpp(Rcpp::NumericMatrix others, Rcpp::NumericVector own) {
  Matrix costs;
  doors::read_field(others, costs);
  require(own.size() == costs.cols() && own.size() > 0, "own: wrong length");
  return best_margin(costs, Rcpp::as<Eigen::VectorXd>(own));
}

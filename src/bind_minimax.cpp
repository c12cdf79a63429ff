#include "plane.h"
#include "threads.h"

#include <bayesrisk/risk/minimax.hpp>
#include <bayesrisk/risk/sampled_risks.hpp>

using namespace bayesrisk;

namespace {

Rcpp::List write_minimax(const Minimax& found) {
  return Rcpp::List::create(Rcpp::_["prior"] = found.prior,
                            Rcpp::_["class_risk"] = found.class_risk, Rcpp::_["risk"] = found.risk,
                            Rcpp::_["accuracy"] = found.accuracy);
}

}  // namespace

// `classes` (from 1): those that may have a prior. `method` is one of bayes_risk().
// [[Rcpp::export]]
Rcpp::List minimax_cpp(Rcpp::List world, Rcpp::NumericMatrix cost, Rcpp::IntegerVector classes,
                       std::string method, double seed, int threads) {
  const doors::World read(world);
  const Cost costs = doors::read_cost(cost, read.model.plan.groups);
  const IntVector possible = doors::read_places(classes, read.model.plan.groups);
  for (int k : possible) require(k >= 0 && read.model.prior[k] > 0, "classes: no likelihood");
  const Context context = doors::make_context(threads);
  const auto search = [&](const ClassRisks& risks, const MinimaxOptions& options) {
    return MinimaxSearch(static_cast<Index>(possible.size()), risks, costs, options).find();
  };
  if (method == "exact") {
    const CellWorld line = read.along_a_line();
    return write_minimax(search(LineClassRisks(line, possible, costs, context), {}));
  }
  if (method == "quadrature") {
    const PlaneWorld plane = doors::plane_of_world(read);
    const PlaneClassRisks risks(plane, possible, costs, 1e-10, context);
    return write_minimax(search(risks, {1e-9, 1e-4}));
  }
  require(method == "monte_carlo", "no such method");
  const SampledClassRisks risks(read.view, possible, costs, static_cast<std::uint64_t>(seed),
                                context);
  Minimax found = search(risks, {1e-8, 0.05});
  found.accuracy = risks.standard_error(found.prior);
  return write_minimax(found);
}

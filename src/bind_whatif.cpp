#include "report.h"
#include "threads.h"
#include "world.h"

#include <bayesrisk/risk/minimax.hpp>
#include <bayesrisk/risk/next_feature.hpp>
#include <bayesrisk/risk/sampled_risks.hpp>
#include <bayesrisk/risk/sweep.hpp>

using namespace bayesrisk;

namespace {

// Cases x classes; NaN where there is no answer.
Matrix score_joint(const doors::Model& model, const Frame& data, const Context& context,
                   ScoreReport& report) {
  const Scorer scorer(model.plan, model.parameters, model.prior);
  Matrix joint(data.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = joint.data();
  report = score(scorer, data, request, context);
  return joint;
}

// Pieces as columns, rows and actions from 1; a case without an answer has one row of NA.
Rcpp::List write_pieces(const std::vector<std::vector<Piece>>& pieces) {
  IntVector row, decision;
  Vector from, to;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t p = 0; p < std::max<std::size_t>(1, pieces[i].size()); ++p) {
      const bool none = pieces[i].empty();
      row.push_back(static_cast<int>(i) + 1);
      decision.push_back(none ? NA_INTEGER : pieces[i][p].action + 1);
      from.push_back(none ? NA_REAL : pieces[i][p].from);
      to.push_back(none ? NA_REAL : pieces[i][p].to);
    }
  }
  return Rcpp::List::create(Rcpp::_["row"] = row, Rcpp::_["decision"] = decision,
                            Rcpp::_["from"] = from, Rcpp::_["to"] = to);
}

PlaneWorld plane_of_world(const doors::World& world) {
  require(world.numeric.size() == 2, "not two numeric features");
  const int first = world.numeric[0], second = world.numeric[1];
  return {world.view,
          world.cells,
          first,
          second,
          {origin_of(world.view, first), origin_of(world.view, second)}};
}

Rcpp::List write_minimax(const Minimax& found) {
  return Rcpp::List::create(Rcpp::_["prior"] = found.prior,
                            Rcpp::_["class_risk"] = found.class_risk, Rcpp::_["risk"] = found.risk,
                            Rcpp::_["accuracy"] = found.accuracy);
}

}  // namespace

// `decision` and `truth` from 1, 0: none, as in Vary. `prior` is that of the class whose
// prior varies; the prior of the model is then its base prior.
// [[Rcpp::export]]
Rcpp::List sweep_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost, int decision,
                     int truth, double prior, double from, double to) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Cost costs = doors::read_cost(cost, scored.plan.groups);
  require(decision >= 0 && decision <= costs.actions() && truth >= 0 &&
              truth <= scored.plan.groups && decision + truth > 0,
          "nothing varies");
  const Context context = doors::make_context(1);
  ScoreReport report;
  const Matrix joint = score_joint(scored, data, context, report);
  const Sweep sweep = sweep_cases(
      joint, [&](Index) -> const Cost& { return costs; }, {decision - 1, truth - 1}, prior, from,
      to, context);
  report.impossible = sweep.impossible;
  return Rcpp::List::create(Rcpp::_["pieces"] = write_pieces(sweep.pieces),
                            Rcpp::_["intercept"] = sweep.intercept, Rcpp::_["slope"] = sweep.slope,
                            Rcpp::_["report"] = doors::write_report(report));
}

// Cases x features (from 1): the expected cost now, after the feature is seen, and what
// is saved. NaN where a feature is known or the case has no answer.
// [[Rcpp::export]]
Rcpp::List next_feature_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                            Rcpp::IntegerVector features, int threads) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Cost costs = doors::read_cost(cost, scored.plan.groups);
  const int count = static_cast<int>(data.columns.size());
  IntVector asked;
  for (int feature : features) {
    require(feature >= 1 && feature <= count, "no such feature");
    asked.push_back(feature - 1);
  }
  const View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  const Context context = doors::make_context(threads);
  ScoreReport report;
  const Matrix joint = score_joint(scored, data, context, report);
  const NextFeature next = next_feature(view, costs, data, asked, joint, context);
  report.impossible = next.impossible;
  return Rcpp::List::create(Rcpp::_["unknown"] = next.unknown, Rcpp::_["now"] = next.now,
                            Rcpp::_["after"] = next.after, Rcpp::_["value"] = next.value,
                            Rcpp::_["report"] = doors::write_report(report));
}

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
    const PlaneWorld plane = plane_of_world(read);
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

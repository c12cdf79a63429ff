#include "context.h"
#include "decisions.h"
#include "model.h"
#include "report.h"

#include <engine/decision/decide_posterior.hpp>

using namespace bayesrisk;

namespace {

// How many rows, and the first of them from 1.
Rcpp::List write_rows(const BadRows& rows) {
  Rcpp::NumericVector first;
  for (Index row : rows.first) first.push_back(static_cast<double>(row) + 1);
  return Rcpp::List::create(Rcpp::_["count"] = static_cast<double>(rows.count),
                            Rcpp::_["first"] = first);
}

}  // namespace

// `error` is reported for output "all" only.
// [[Rcpp::export(rng = false)]]
Rcpp::List decide_model_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost, std::string output,
                            SEXP row_names, int threads) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows);
  const doors::ActionCost costs(cost, scorer.classes(), data.rows);
  const doors::DecisionValue value(output, data.rows, costs.actions, row_names);
  Request request;
  request.output = Output::decision;
  request.cost = &costs.cost;
  request.decision = value.columns();
  request.class_of = costs.classes_from_0(output == "all");
  const ScoreReport report = score(scorer, data, request, doors::make_context(threads));
  return Rcpp::List::create(Rcpp::_["value"] = value.value(),
                            Rcpp::_["report"] = doors::write_report(report));
}

// `posterior`: a frame as of read_frame(), a column per class. `factor`: of each class, new
// prior to old, or empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List decide_posterior_cpp(Rcpp::List posterior, Rcpp::NumericVector factor, Rcpp::List cost,
                                std::string output, SEXP row_names, int threads) {
  const Frame data = doors::read_frame(posterior);
  const int classes = static_cast<int>(data.columns.size());
  require(classes > 0, "posterior: no classes");
  require(factor.size() == 0 || factor.size() == classes, "factor: wrong length");
  const doors::ActionCost costs(cost, classes, data.rows);
  const doors::DecisionValue value(output, data.rows, costs.actions, row_names);
  const PosteriorReport report =
      decide_posterior(data, Rcpp::as<Vector>(factor), costs.cost, value.columns(),
                       costs.classes_from_0(output == "all"), doors::make_context(threads));
  return Rcpp::List::create(
      Rcpp::_["value"] = value.value(),
      Rcpp::_["report"] = Rcpp::List::create(
          Rcpp::_["impossible"] = static_cast<double>(report.impossible),
          Rcpp::_["unpriced"] = static_cast<double>(report.decision.unpriced),
          Rcpp::_["negative"] = write_rows(report.negative),
          Rcpp::_["sum"] = write_rows(report.sum), Rcpp::_["error"] = report.decision.error));
}

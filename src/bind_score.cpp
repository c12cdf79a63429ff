#include "context.h"
#include "fresh.h"
#include "model.h"
#include "report.h"

#include <engine/model/contributions.hpp>

using namespace bayesrisk;

namespace {

Output parse_output(const std::string& type) {
  if (type == "class") return Output::class_;
  if (type == "prob") return Output::prob;
  if (type == "log_prob") return Output::log_prob;
  if (type == "log_joint") return Output::log_joint;
  if (type == "log_likelihood") return Output::log_likelihood;
  require(type == "log_evidence", "no such output");
  return Output::log_evidence;
}

}  // namespace

// Whether the parameters of a model are sound: an error if not.
// [[Rcpp::export(rng = false)]]
void check_parameters_cpp(Rcpp::List model) { doors::Model checked(model); }

// The value gets the attributes `labels` here, where it is not shared: R would copy it.
// [[Rcpp::export(rng = false)]]
Rcpp::List score_cpp(Rcpp::List model, Rcpp::List frame, std::string type, Rcpp::List labels,
                     int threads) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows);
  Request request;
  request.missing = NA_REAL;
  request.output = parse_output(type);
  const R_xlen_t rows = data.rows;
  Rcpp::RObject value;
  if (request.output == Output::class_) {
    auto choices = doors::fresh<Rcpp::IntegerVector>(rows);
    request.choices = choices.begin();
    value = choices;
  } else if (request.output == Output::log_evidence) {
    auto evidence = doors::fresh<Rcpp::NumericVector>(rows);
    request.numbers = evidence.begin();
    value = evidence;
  } else {
    Rcpp::NumericMatrix numbers = doors::fresh_matrix(rows, scorer.classes());
    request.numbers = numbers.begin();
    value = numbers;
  }
  const ScoreReport report = score(scorer, data, request, doors::make_context(threads));
  const Rcpp::CharacterVector names = labels.names();
  for (R_xlen_t i = 0; i < labels.size(); ++i) value.attr(std::string(names[i])) = labels[i];
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["report"] = doors::write_report(report));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List contributions_cpp(Rcpp::List model, Rcpp::List frame, int blocks) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows);
  int expected = 0;
  for (const AnyPlan& bank : scored.plan.banks) {
    expected += std::visit([](const auto& plan) { return plan.blocks(); }, bank);
  }
  require(blocks == expected, "blocks: wrong number");
  Rcpp::NumericVector value(Rcpp::Dimension(data.rows, blocks + 1, scorer.classes()));
  const ScoreReport report = contributions(scored.plan, scorer, data, NA_REAL, value.begin());
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["report"] = doors::write_report(report));
}

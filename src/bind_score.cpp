#include "context.h"
#include "fresh.h"
#include "model.h"
#include "report.h"

#include <engine/model/contributions.hpp>

using namespace bayesrisk;

namespace {

void set_attributes(Rcpp::RObject& value, const Rcpp::List& attributes) {
  const Rcpp::CharacterVector names = attributes.names();
  for (R_xlen_t i = 0; i < attributes.size(); ++i)
    value.attr(std::string(names[i])) = attributes[i];
}

Output parse_output(const std::string& type) {
  if (type == "class") return Output::class_;
  if (type == "prob" || type == "both") return Output::prob;
  if (type == "log_prob") return Output::log_prob;
  if (type == "log_joint") return Output::log_joint;
  if (type == "log_likelihood") return Output::log_likelihood;
  require(type == "log_evidence", "no such output");
  return Output::log_evidence;
}

}  // namespace

// Stops if the parameters of a model are not sound.
// [[Rcpp::export(rng = false)]]
void check_parameters_cpp(Rcpp::List model) { doors::Model checked(model); }

// `labels`: list(class, numbers), the attributes of both kinds of result. The attributes are set
// here, because R would copy the value to set them. The value of type "both" is list(class,
// posterior).
// [[Rcpp::export(rng = false)]]
Rcpp::List score_cpp(Rcpp::List model, Rcpp::List frame, std::string type, Rcpp::List labels,
                     int threads) {
  const doors::Model scored(model);
  const Context context = doors::make_context(threads);
  const Frame data = doors::read_data(scored, frame, {context, context.threads});
  Request request;
  request.missing = NA_REAL;
  request.output = parse_output(type);
  // The likelihood and the evidence are those of the densities, which tempering leaves alone.
  const bool plain =
      request.output == Output::log_likelihood || request.output == Output::log_evidence;
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows,
                      plain ? Tempering() : scored.tempering, scored.hyperparameters);
  const R_xlen_t rows = data.rows;
  Rcpp::RObject classes, numbers;
  if (type == "class" || type == "both") {
    auto choices = doors::fresh<Rcpp::IntegerVector>(rows);
    request.choices = choices.begin();
    classes = choices;
    set_attributes(classes, labels["class"]);
  }
  if (type != "class") {
    auto all = doors::fresh<Rcpp::NumericVector>(
        request.output == Output::log_evidence ? rows : rows * scorer.classes());
    request.numbers = all.begin();
    numbers = all;
    set_attributes(numbers, labels["numbers"]);
  }
  const ScoreReport report = score(scorer, data, request, context);
  Rcpp::RObject value = type == "class" ? classes : numbers;
  if (type == "both") {
    value = Rcpp::List::create(Rcpp::_["class"] = classes, Rcpp::_["posterior"] = numbers);
  }
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["report"] = doors::write_report(report));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List contributions_cpp(Rcpp::List model, Rcpp::List frame, int blocks, int threads) {
  const doors::Model scored(model);
  const Context context = doors::make_context(threads);
  const Frame data = doors::read_data(scored, frame, {context, context.threads});
  const Scorer scorer = scored.scorer(data.rows);
  require(blocks == static_cast<int>(blocks_of(scored.plan).size()), "blocks: wrong number");
  Rcpp::NumericVector value(Rcpp::Dimension(data.rows, blocks + 1, scorer.classes()));
  const ScoreReport report =
      contributions(scored.plan, scorer, data, NA_REAL, value.begin(), context);
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["report"] = doors::write_report(report));
}

#include "context.h"
#include "fresh.h"
#include "model.h"

#include <engine/likelihood/contract/log_coefficient.hpp>
#include <engine/model/contributions.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/term_contributions.hpp>

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
void check_parameters_cpp(Rcpp::List model) { bind::Model checked(model); }

// `labels`: list(class, numbers), the attributes of both kinds of result. The attributes are set
// here, because R would copy the value to set them. The value of type "both" is list(class,
// posterior).
// [[Rcpp::export(rng = false)]]
Rcpp::List score_cpp(Rcpp::List model, Rcpp::List frame, std::string type, Rcpp::List labels,
                     int threads) {
  const bind::Model scored(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(scored, frame, {context, context.threads});
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
    auto choices = bind::fresh<Rcpp::IntegerVector>(rows);
    request.choices = choices.begin();
    classes = choices;
    set_attributes(classes, labels["class"]);
  }
  if (type != "class") {
    auto all = bind::fresh<Rcpp::NumericVector>(
        request.output == Output::log_evidence ? rows : rows * scorer.classes());
    request.numbers = all.begin();
    numbers = all;
    set_attributes(numbers, labels["numbers"]);
  }
  const ScoreReport report = score(scorer, data, request, context);
  Rcpp::RObject value = type == "class" ? classes : numbers;
  if (type == "both") {
    value = bind::named_list({{"class", classes}, {"posterior", numbers}});
  }
  return bind::named_list({{"value", value}, {"report", bind::write_report(report)}});
}

// [[Rcpp::export(rng = false)]]
Rcpp::List contributions_cpp(Rcpp::List model, Rcpp::List frame, int blocks, int threads) {
  const bind::Model scored(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(scored, frame, {context, context.threads});
  const Scorer scorer = scored.scorer(data.rows);
  require(blocks == static_cast<int>(blocks_of(scored.plan).size()), "blocks: wrong number");
  Rcpp::NumericVector value(Rcpp::Dimension(data.rows, blocks + 1, scorer.classes()));
  const ScoreReport report =
      contributions(scored.plan, scorer, data, NA_REAL, value.begin(), context);
  return bind::named_list({{"value", value}, {"report", bind::write_report(report)}});
}

// Draws rows from the model with R's generator. Returns their classes (from 1), and for each
// feature its numbers or codes (from 1).
// [[Rcpp::export(rng = false)]]
Rcpp::List draw_rows_cpp(Rcpp::List model, int rows) {
  const bind::Model known(model);
  require(rows >= 0, "rows: negative");
  const Drawer drawer(known.plan, known.parameters);
  DrawnRows drawn(drawer.levels(), rows);
  const IntVector group = draw_cases(
      drawer, known.prior, rows, [] { return R::unif_rand(); }, drawn);
  return bind::named_list(
      {{"class", bind::from_one(group)}, {"columns", bind::write_columns(drawn.frame())}});
}

namespace {

// Codes from 1 as codes from 0; NA is negative.
IntVector read_classes(const Rcpp::IntegerVector& codes, Index rows, int classes) {
  require(codes.size() == rows, "classes: wrong length");
  IntVector result;
  for (int code : codes) {
    require(code == NA_INTEGER || (code >= 1 && code <= classes), "no such class");
    result.push_back(code == NA_INTEGER ? -1 : code - 1);
  }
  return result;
}

// The feature of a block that is a bag, and its number of terms.
std::pair<int, int> bag_of(const ModelPlan& plan, const BlockMembers& block) {
  const Bank& bank = *plan.banks[block.bank];
  require(bank.is_bag(), "a block that is no bag");
  return {bank.features()[0], bank.levels()[0]};
}

}  // namespace

// The contributions of the terms of a bag to the log odds of the class `favoured` against `rival`,
// both from 1 by row, or NA: see TermContributions. `block`: of the bag, from 1; `most`: terms by
// row.
// [[Rcpp::export(rng = false)]]
Rcpp::List term_contributions_cpp(Rcpp::List model, Rcpp::List frame, int block,
                                  Rcpp::IntegerVector favoured, Rcpp::IntegerVector rival,
                                  double most) {
  const bind::Model scored(model);
  const Frame data = bind::read_data(scored, frame);
  const Scorer scorer = scored.scorer(data.rows);
  bind::Model of_terms = scored;
  of_terms.parameters = parameters_of_terms(of_terms.plan, std::move(of_terms.parameters));
  const auto blocks = blocks_of(scored.plan);
  require(block >= 1 && block <= static_cast<int>(blocks.size()) && most >= 1, "no such block");
  const BlockMembers& asked = blocks[static_cast<std::size_t>(block - 1)];
  const auto [feature, terms] = bag_of(scored.plan, asked);
  require(static_cast<bool>(data.columns[static_cast<std::size_t>(feature)].by_term), "no bag");
  const TermContributions found =
      term_contributions(scorer, of_terms.scorer(data.rows), asked, feature, terms, data,
                         read_classes(favoured, data.rows, scorer.classes()),
                         read_classes(rival, data.rows, scorer.classes()),
                         static_cast<std::size_t>(std::min(most, 1e9)), bind::make_context(1));
  return bind::to_list(found);
}

// `column`: an encoded bag. The log multinomial coefficients of its rows, or NULL if some numbers
// are no counts.
// [[Rcpp::export(rng = false)]]
SEXP log_coefficient_cpp(Rcpp::List column, double rows) {
  const Column bag = bind::read_column(column, static_cast<Index>(rows));
  require(static_cast<bool>(bag.by_term), "no bag");
  Rcpp::NumericVector result(bag.by_term.rows);
  if (!log_coefficients(bag.by_term, result.begin())) return R_NilValue;
  return result;
}

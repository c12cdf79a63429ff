#include "context.h"
#include "decisions.h"
#include "fresh.h"
#include "model.h"

#include <engine/likelihood/contract/log_coefficient.hpp>
#include <engine/model/contributions.hpp>
#include <engine/model/discriminants.hpp>
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

// The result of a type, whose numbers and classes the engine writes for `request`.
Rcpp::RObject make_scores(const std::string& type, R_xlen_t rows, int classes,
                          const Rcpp::List& labels, Request& request) {
  request.missing = NA_REAL;
  Rcpp::RObject choices, numbers;
  if (type == "class" || type == "both") {
    auto all = bind::fresh<Rcpp::IntegerVector>(rows);
    request.choices = all.begin();
    choices = all;
    set_attributes(choices, labels["class"]);
  }
  if (type != "class") {
    auto all = bind::fresh<Rcpp::NumericVector>(type == "log_evidence" ? rows : rows * classes);
    request.numbers = all.begin();
    numbers = all;
    set_attributes(numbers, labels["numbers"]);
  }
  if (type == "class") return choices;
  if (type != "both") return numbers;
  return bind::named_list({{"class", choices}, {"posterior", numbers}});
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
  request.output = parse_output(type);
  // The likelihood and the evidence are those of the densities, which tempering leaves alone.
  const bool plain =
      request.output == Output::log_likelihood || request.output == Output::log_evidence;
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows,
                      plain ? Tempering() : scored.tempering, scored.hyperparameters);
  const Rcpp::RObject value = make_scores(type, data.rows, scorer.classes(), labels, request);
  const ScoreReport report = score(scorer, data, request, context);
  return bind::named_list({{"value", value}, {"report", bind::write_report(report)}});
}

// `error` is reported for output "all" only. `beliefs`: the type of the posterior that is computed
// with the decisions, with its `labels`: see score_cpp(). "none": there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List decide_model_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost, std::string output,
                            SEXP row_names, std::string beliefs, Rcpp::List labels, int threads) {
  const bind::Model scored(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(scored, frame, {context});
  const Scorer scorer = scored.scorer(data.rows);
  const bind::ActionCost costs(cost, scorer.classes(), data.rows);
  const bind::DecisionValue value(output, data.rows, costs.actions, row_names);
  Request request;
  request.output = Output::decision;
  request.cost = &costs.cost;
  request.decision = value.columns();
  request.class_of = costs.classes_from_0(output == "all");
  Rcpp::RObject posterior;
  if (beliefs != "none") {
    request.beliefs = parse_output(beliefs);
    require(request.beliefs == Output::prob || request.beliefs == Output::log_prob, "no posterior");
    posterior = make_scores(beliefs, data.rows, scorer.classes(), labels, request);
  }
  const ScoreReport report = score(scorer, data, request, context);
  return bind::named_list(
      {{"value", value.value()}, {"posterior", posterior}, {"report", bind::write_report(report)}});
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

namespace {

Discriminants discriminants_of(const bind::Model& model, double tolerance) {
  return find_discriminants(model.plan, model.parameters, model.prior, tolerance);
}

}  // namespace

// See Discriminants; features count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List discriminants_cpp(Rcpp::List model, double tolerance) {
  const bind::Model known(model);
  const Discriminants found = discriminants_of(known, tolerance);
  return bind::named_list({{"features", bind::from_one(found.features)},
                           {"unpooled", bind::from_one(found.unpooled)},
                           {"scaling", Rcpp::wrap(found.scaling)},
                           {"centre", found.centre},
                           {"centre_low", found.centre_low},
                           {"mean", Rcpp::wrap(found.mean)},
                           {"between", found.between},
                           {"directions", static_cast<double>(found.directions)}});
}

// The coordinates of rows in a model that has them.
// [[Rcpp::export(rng = false)]]
Rcpp::List discriminant_scores_cpp(Rcpp::List model, Rcpp::List frame, int threads) {
  const bind::Model scored(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(scored, frame, {context});
  const Discriminants found = discriminants_of(scored, 0);
  Rcpp::NumericMatrix value = bind::fresh_matrix(data.rows, found.scaling.cols());
  const ScoreReport report = discriminant_scores(found, data, NA_REAL, value.begin(), context);
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
  require(favoured.size() == data.rows && rival.size() == data.rows, "classes: wrong length");
  const TermContributions found = term_contributions(
      scorer, of_terms.scorer(data.rows), asked, feature, terms, data,
      bind::read_places(favoured, scorer.classes()), bind::read_places(rival, scorer.classes()),
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

#include "context.h"
#include "model.h"

#include <engine/likelihood/log_coefficient.hpp>
#include <engine/model/term_contributions.hpp>

using namespace bayesrisk;

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
  return std::visit(
      [](const auto& p) -> std::pair<int, int> {
        using Plan = std::decay_t<decltype(p)>;
        if constexpr (reads_bag<Plan>) return {p.feature(), p.terms()};
        throw InvalidState("a block that is no bag");
      },
      plan.banks[block.bank]);
}

}  // namespace

// What the terms of a bag contribute to the log odds of the class `favoured` against `rival`, both
// from 1 by row, or NA: see TermContributions. `block`: of the bag, from 1; `most`: terms by row.
// [[Rcpp::export(rng = false)]]
Rcpp::List term_contributions_cpp(Rcpp::List model, Rcpp::List frame, int block,
                                  Rcpp::IntegerVector favoured, Rcpp::IntegerVector rival,
                                  double most) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer = scored.scorer(data.rows);
  doors::Model of_terms = scored;
  of_terms.parameters = parameters_of_terms(std::move(of_terms.parameters));
  const auto blocks = blocks_of(scored.plan);
  require(block >= 1 && block <= static_cast<int>(blocks.size()) && most >= 1, "no such block");
  const BlockMembers& asked = blocks[static_cast<std::size_t>(block - 1)];
  const auto [feature, terms] = bag_of(scored.plan, asked);
  require(static_cast<bool>(data.columns[static_cast<std::size_t>(feature)].by_term), "no bag");
  const TermContributions found =
      term_contributions(scorer, of_terms.scorer(data.rows), asked, feature, terms, data,
                         read_classes(favoured, data.rows, scorer.classes()),
                         read_classes(rival, data.rows, scorer.classes()),
                         static_cast<std::size_t>(std::min(most, 1e9)), doors::make_context(1));
  return doors::to_list(found);
}

// `column`: an encoded bag. The log multinomial coefficients of its rows, or NULL if some numbers
// are no counts.
// [[Rcpp::export(rng = false)]]
SEXP log_coefficient_cpp(Rcpp::List column, double rows) {
  const Column bag = doors::read_column(column, static_cast<Index>(rows));
  require(static_cast<bool>(bag.by_term), "no bag");
  Rcpp::NumericVector result(bag.by_term.rows);
  if (!log_coefficients(bag.by_term, result.begin())) return R_NilValue;
  return result;
}

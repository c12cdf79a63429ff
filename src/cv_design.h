#pragma once

// A cross-validation design as R passes it: list(banks (of the shared plan), classes, frame, group,
// weight (or NULL), fold, folds, candidates). A candidate is list(banks, bank (for each shared bank
// its position among the candidate's banks, from 0; -1: not used), options, prior (empty: class
// shares), uniform, borrow, predictive, part, others).

#include "frame.h"
#include "lists.h"

#include <engine/evaluation/cross_validation.hpp>

namespace bind {

class CvDesign {
 public:
  ModelPlan shared;
  std::vector<Candidate> candidates;
  FoldedRows rows;
  int folds;

  explicit CvDesign(const Rcpp::List& design)
      : folds(Rcpp::as<int>(element(design, "folds"))),
        group_(element(design, "group")),
        fold_(element(design, "fold")) {
    rows.frame = read_frame(element(design, "frame"));
    const int features = static_cast<int>(rows.frame.columns.size());
    shared =
        read_plan(element(design, "banks"), Rcpp::as<int>(element(design, "classes")), features);
    require_codes(shared, rows.frame);
    read_rows(design);
    const Rcpp::List list(element(design, "candidates"));
    for (R_xlen_t c = 0; c < list.size(); ++c) candidates.push_back(read_candidate(list[c]));
  }
  CvDesign(const CvDesign&) = delete;

 private:
  void read_rows(const Rcpp::List& design) {
    const Index count = rows.frame.rows;
    require(group_.size() == count, "group: wrong length");
    require_codes_in(group_, shared.groups, "group");
    rows.group = group_.begin();
    require(folds >= 1 && fold_.size() == count, "fold: wrong length");
    require_codes_in(fold_, folds, "fold");
    rows.fold = fold_.begin();
    rows.weight = read_weight(element(design, "weight"), count);
  }

  Candidate read_candidate(SEXP list) const {
    const int features = static_cast<int>(rows.frame.columns.size());
    Candidate candidate;
    candidate.plan = read_plan(element(list, "banks"), shared.groups, features);
    read_field(element(list, "bank"), candidate.bank);
    check_moved_banks(shared, candidate.plan, identity_mapping(shared, features), candidate.bank);
    candidate.options = read_options(candidate.plan, element(list, "options"));
    read_field(element(list, "prior"), candidate.prior);
    require(candidate.prior.empty() || static_cast<int>(candidate.prior.size()) == shared.groups,
            "prior: wrong length");
    read_field(element(list, "uniform"), candidate.uniform);
    read_field(element(list, "borrow"), candidate.borrow);
    read_field(element(list, "predictive"), candidate.predictive);
    read_parts(element(list, "part"), candidate);
    read_others(element(list, "others"), candidate);
    return candidate;
  }

  // `list`: list(statistics, cases) of the other groups; NULL if the group learns alone.
  static void read_others(SEXP list, Candidate& candidate) {
    if (list == R_NilValue) return;
    OtherGroups others{read_statistics(candidate.plan, Rcpp::List(element(list, "statistics"))),
                       read_cases(candidate.plan, Rcpp::List(element(list, "cases")))};
    require_known(others.cases);
    candidate.others = std::make_shared<OtherGroups>(std::move(others));
  }

  // The exponent of each block, from 1; none: nothing is tempered.
  static void read_parts(SEXP list, Candidate& candidate) {
    for (int part : Rcpp::as<IntVector>(list)) {
      require(part >= 1, "part: out of range");
      candidate.part_of.push_back(part - 1);
      candidate.parts = std::max(candidate.parts, part);
    }
    require(
        candidate.part_of.empty() || candidate.part_of.size() == blocks_of(candidate.plan).size(),
        "part: wrong length");
  }

  Rcpp::IntegerVector group_, fold_;
};

inline Rcpp::List write_fold_problems(const std::vector<FoldProblem>& problems) {
  Rcpp::List result(problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    result[i] = named_list({{"candidate", problems[i].candidate + 1},
                            {"fold", problems[i].fold + 1},
                            {"failed", problems[i].failed},
                            {"empty", from_one(problems[i].empty)},
                            {"diagnostics", write_diagnostics(problems[i].problems)}});
  }
  return result;
}

}  // namespace bind

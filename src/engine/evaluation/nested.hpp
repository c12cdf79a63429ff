#pragma once

#include <engine/evaluation/comparison.hpp>
#include <engine/evaluation/cross_validation.hpp>

namespace bayesrisk {

// A mean over new cases and its standard error. NaN: too few cases.
struct NestedMean {
  double mean = kNaN, standard_error = kNaN;
};

// The measures of a candidate: the share of wrong decisions, the mean cost, and the mean difference
// from the cost of the first candidate.
struct NestedRisk {
  NestedMean error, cost, difference;
};

// The errors of one measure in a nested cross-validation (Bates, Hastie and Tibshirani 2024,
// algorithm 1). For each fold the other folds predict its mean, by models that miss two folds.
class NestedErrors {
 public:
  // `values`: those of `fold` by the model without it; all others by the models without their own
  // fold and this one. NaN: does not count.
  void add(const Cases& cases, const int* fold_of, int fold, const Vector& values);

  // The folds of a division of the rows are complete.
  void finish_split(const Cases& cases);

  NestedMean estimate(int folds) const;

 private:
  double squares_ = 0, variances_ = 0, compared_ = 0;  // of the folds that can be compared
  double inside_ = 0, folds_ = 0;                      // the sum of the means of the other folds
  double plain_ = 0, plain_error_ = 0, splits_ = 0;    // of the usual cross-validation
  Vector held_out_;                                    // of each row, by the model without its fold
};

// The risks of candidates by several divisions into folds. The models without one and without two
// folds are estimated from merged statistics.
class NestedCrossValidation {
 public:
  // `cases`: what the rows count for in the means.
  NestedCrossValidation(const ModelPlan& shared, const std::vector<Candidate>& candidates,
                        const Cases& cases, const CaseCost& cost, const IntVector& class_of,
                        const Context& context)
      : shared_(shared),
        candidates_(candidates),
        cases_(cases),
        cost_(cost),
        class_of_(class_of),
        context_(context),
        errors_(candidates.size()) {}

  // The number of tasks of add().
  Index tasks(const FoldedRows& rows, int folds) const;

  // Adds a division of the rows into `folds` folds.
  void add(const FoldedRows& rows, int folds);

  std::vector<NestedRisk> risks(int folds) const;

 private:
  struct OfCandidate {
    NestedErrors error, cost, difference;
  };

  // Fold x fold: the models without both, on the diagonal without one.
  std::vector<FoldModels> estimate(const FoldedRows& rows, int folds) const;

  // `models`: of each fold, for its rows.
  void compare(const FoldedRows& rows, int fold, const FoldModels& models);

  const ModelPlan& shared_;
  const std::vector<Candidate>& candidates_;
  const Cases& cases_;
  const CaseCost& cost_;
  const IntVector& class_of_;
  const Context& context_;
  std::vector<OfCandidate> errors_;
};

}  // namespace bayesrisk

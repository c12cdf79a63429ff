#pragma once

#include <engine/evaluation/held_out.hpp>
#include <engine/evaluation/temper.hpp>
#include <engine/model/statistics_collector.hpp>

namespace bayesrisk {

// Why a candidate has no model of the rows outside a fold. A class without rows prevents a model
// only if its prior is positive.
struct FoldProblem {
  int candidate, fold;
  bool failed;
  IntVector empty;  // classes
  Diagnostics problems;
};

// The statistics of each part, in one reading: a group for each part and class.
std::vector<ModelStatistics> collect_parts(const ModelPlan& shared, const FoldedRows& rows,
                                           const int* part, int parts, const Context& context,
                                           Diagnostics& diagnostics);

// Estimates each candidate for each fold from the merged statistics of all other folds, and scores
// the rows of the fold. The data are read once for the statistics of every fold and class and once
// for the scores. With more than kMostParts folds, the folds are processed in batches. Then memory
// holds a few times sqrt(folds) sets of statistics, and the rows are read once more.
class CrossValidation {
 public:
  static constexpr int kMostParts = 100;

  CrossValidation(const ModelPlan& shared, const std::vector<Candidate>& candidates,
                  const HeldOut& wanted, const Context& context)
      : shared_(shared), candidates_(candidates), wanted_(wanted), context_(context) {}

  // If the data have problems, nothing is estimated.
  std::vector<FoldProblem> run(const FoldedRows& rows, int folds, Diagnostics& diagnostics);

 private:
  // The rows of a window, when `rows` of the frame are scored.
  Index window(Frame frame, Index rows) const {
    frame.rows = rows;
    return HeldOutBags::rows_of_window(frame, shared_.groups, context_);
  }

  // The number of tasks of all runs of a batch, without those of bags.
  Index tasks(const Frame& frame, Index rows, int folds) const;

  static constexpr int kInnerFolds = 10;

  // The exponents of each candidate, from a cross-validation of the rows outside of a part. Its
  // folds are the other parts, some of them together if there are many.
  std::vector<Tempering> temper_outside(const FoldedRows& rows, const int* part, int left_out,
                                        int parts) const;

  Tempering temper_candidate(const Candidate& candidate, const FoldedRows& rows) const;

  static Candidate untempered(Candidate candidate) {
    candidate.part_of.clear();
    return candidate;
  }

  // Processes some folds; `outside` holds the statistics of all other folds, `exponents` those of
  // the candidates. Without exponents each fold has its own.
  void run_batch(const FoldedRows& rows, int first_fold, int folds, const ModelStatistics& outside,
                 const std::vector<Tempering>* exponents, Diagnostics& diagnostics);

  // The rows of a batch, copied so that they stand side by side.
  void run_gathered(const FoldedRows& rows, const Index* chosen, Index count, int first_fold,
                    int folds, const ModelStatistics& outside,
                    const std::vector<Tempering>& exponents);

  void report_problems(const FoldModels& models, int first_fold);

  const ModelPlan& shared_;
  const std::vector<Candidate>& candidates_;
  const HeldOut& wanted_;
  const Context& context_;
  std::vector<FoldProblem> problems_;
};

}  // namespace bayesrisk

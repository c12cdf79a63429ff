#pragma once

#include <engine/evaluation/folds.hpp>
#include <engine/evaluation/held_out_bags.hpp>
#include <engine/evaluation/temper_cases.hpp>
#include <engine/model/score.hpp>

namespace bayesrisk {

// The parts of a model whose exponents are estimated, and the cases that are filled with scores of
// held-out rows. Rows without a fold are cases without a score.
struct TemperedParts {
  std::vector<std::pair<BlockMembers, int>> runs;  // of blocks, with their part, from 0
  TemperCases cases;

  TemperedParts(const ModelPlan& plan, const IntVector& part_of_block, int parts,
                const FoldedRows& rows)
      : runs(unite_blocks(blocks_of(plan), part_of_block)),
        cases(plan.groups, parts, rows.frame.rows, rows.group, rows.weight, rows.fold) {}
};

// The results for held-out rows and their destinations, for each candidate: decisions if there is a
// cost, the scores of the parts of the only candidate if there are parts, `output` otherwise.
struct HeldOut {
  const CaseCost* cost = nullptr;
  TemperedParts* parts = nullptr;
  Output output = Output::prob;
  Index rows = 0;  // the stride of `numbers`
  std::vector<int*> choices;
  std::vector<double*> numbers;
  double missing = kNaN;
};

// Scores rows by the models of their own folds. Windows of rows are processed in order. Within a
// window the rows are processed fold by fold. So the data are read once.
class HeldOutScorer {
 public:
  HeldOutScorer(const FoldedRows& rows, const FoldModels& models, const HeldOut& wanted);

  // `window`: the rows of a window.
  void run(Index window, const Context& context) const;

 private:
  void score_window(Index first, Index last, const Context& context) const;

  void score_rows(const Scorer& scorer, const Frame& held_out, const Index* rows,
                  std::size_t candidate, const Context& context) const;

  void score_parts(const Scorer& scorer, const Frame& held_out, const Index* rows,
                   const Context& context) const;

  Index place(Index row) const { return rows_.place ? rows_.place[row] : row; }

  // The cost of some rows; `varying` keeps the costs that differ from row to row.
  CaseCost gather_cost(const Index* rows, Index count, std::vector<Vector>& varying) const;

  const FoldedRows& rows_;
  const FoldModels& models_;
  const HeldOut& wanted_;
  const HeldOutBags bags_;
  const int classes_;  // into which the rows of a fold are sorted
  IntVector label_;    // the fold and the class of each row, from 1
};

}  // namespace bayesrisk

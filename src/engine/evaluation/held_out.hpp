#pragma once

#include <engine/evaluation/folds.hpp>
#include <engine/evaluation/held_out_bags.hpp>
#include <engine/model/score.hpp>

namespace bayesrisk {

struct TemperedParts;

// The results for held-out rows and their destinations, for each candidate: decisions if there is a
// cost, the scores of the parts of the only candidate if there are parts, posterior probabilities
// otherwise.
struct HeldOut {
  const CaseCost* cost = nullptr;
  TemperedParts* parts = nullptr;
  Index rows = 0;  // the stride of `numbers`
  std::vector<int*> choices;
  std::vector<double*> numbers;
  double missing = kNaN;
};

// Scores rows by the models of their own folds. Windows of rows are processed in order. Within a
// window the rows are processed fold by fold. So the data are read once.
class HeldOutScorer {
 public:
  HeldOutScorer(const FoldedRows& rows, const FoldModels& models, const HeldOut& wanted)
      : rows_(rows), models_(models), wanted_(wanted), bags_(rows, models) {}

  // `window`: the rows of a window.
  void run(Index window, const Context& context) const;

 private:
  void score_window(Index first, Index last, const Context& context) const;

  void score_rows(const Scorer& scorer, const Frame& held_out, const Index* rows,
                  std::size_t candidate, const Context& context) const;

  Index place(Index row) const { return rows_.place ? rows_.place[row] : row; }

  // The cost of some rows; `varying` keeps the costs that differ from row to row.
  CaseCost gather_cost(const Index* rows, Index count, std::vector<Vector>& varying) const;

  const FoldedRows& rows_;
  const FoldModels& models_;
  const HeldOut& wanted_;
  const HeldOutBags bags_;
};

}  // namespace bayesrisk

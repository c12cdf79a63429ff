#pragma once

#include <engine/evaluation/held_out.hpp>
#include <engine/evaluation/temper_cases.hpp>

namespace bayesrisk {

// The parts of a model whose exponents are estimated, and the cases that are filled with scores of
// held-out rows. Rows without a fold count as cases without a score.
struct TemperedParts {
  const ModelPlan* plan = nullptr;
  IntVector part_of;  // per block, from 0
  int parts = 0;
  TemperCases cases;
  std::vector<Index> filled;  // for each class the number of its cases that have been read

  TemperedParts(const ModelPlan& tempered, const IntVector& part_of_block, int number_of_parts,
                const FoldedRows& rows);

  static bool counts(const FoldedRows& rows, Index r) {
    return rows.group[r] != kMissingInteger && !(rows.weight && !(rows.weight[r] > 0));
  }
};

// Scores the rows of each fold by its model, as HeldOutScorer does, and writes them to their cases.
class CaseScorer {
 public:
  // `window`: the rows of a window.
  CaseScorer(const FoldedRows& rows, const FoldModels& models, TemperedParts& wanted, Index window);

  void run(const Context& context);

 private:
  Index first(Index window) const { return std::min(rows_.frame.rows, window * window_); }

  // Neighbouring rows of a tile that are neighbouring cases of one class.
  struct Run {
    int from, rows;
    const TemperSlice* slice;
    Index place;  // within the slice
  };

  // The rows of a window, fold by fold, and within a fold class by class.
  class Window {
   public:
    // `next`: for each class the number of its next case.
    Window(const CaseScorer& all, const std::vector<Index>& next);

    void score(Index window, const Context& context);

   private:
    void score_fold(const Scorer& scorer, const Frame& frame, const Index* rows,
                    const Context& context);

    void find_runs(const Index* rows);

    // A class that had no rows has no likelihood: only the prior counts.
    void write_base(const Vector& log_prior);

    void write_scores(int column);

    static void write_any(const double* of_class, const double* of_truth, int rows, double* to);

    void find_lost(const Run& run);

    void lose(int from, int to) { std::fill(lost_.begin() + from, lost_.begin() + to, 1); }

    void write_states();

    TemperCases& cases() { return all_.wanted_.cases; }

    const CaseScorer& all_;
    std::vector<Index> next_, left_;
    Tile tile_;
    std::vector<char> lost_;
    std::vector<Run> runs_;
    const simd::TileLoops& loops_ = simd::tile_loops();
  };

  const FoldedRows& rows_;
  const FoldModels& models_;
  TemperedParts& wanted_;
  const Index window_;
  const HeldOutBags bags_;
  const int classes_;
  const std::vector<std::pair<BlockMembers, int>> runs_;
  IntVector label_;
};

}  // namespace bayesrisk

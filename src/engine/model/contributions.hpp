#pragma once

#include <engine/model/score.hpp>

namespace bayesrisk {

// Writes one column (the prior, or a block) of every class. For a class without rows only the prior
// counts, because it has no likelihood.
inline void write_column(const Tile& tile, Index rows, Index columns, Index column, double* out) {
  for (int k = 0; k < tile.classes; ++k) {
    const double* from = tile.of_class(k);
    double* to = out + (k * columns + column) * rows + tile.begin;
    for (int r = 0; r < tile.rows; ++r) {
      to[r] = std::isnan(from[r]) ? 0.0 : from[r];
    }
  }
}

// Writes the log prior and what each block adds to the log joint, row x (1 + block) x class. Their
// sum is the log joint.
inline ScoreReport contributions(const ModelPlan& plan, const Scorer& scorer, const Frame& frame,
                                 double missing, double* out, const Context& context) {
  const auto blocks = blocks_of(plan);
  const auto columns = static_cast<Index>(blocks.size()) + 1;
  const int features = static_cast<int>(frame.columns.size());
  const auto write_run = [&](Index first, Index last) {
    Tile tile(scorer.classes(), features);
    ScoreReport report(features);
    for (Index begin = first; begin < last; begin += tile.rows) {
      context.check();
      tile.start(begin, last);
      scorer.add_prior(tile);
      write_column(tile, frame.rows, columns, 0, out);
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        tile.clear();
        scorer.add_blocks(frame, blocks[b], tile);
        write_column(tile, frame.rows, columns, static_cast<Index>(b) + 1, out);
      }
      for (int r = 0; r < tile.rows; ++r) {
        if (!tile.flagged(r, kInfinite)) continue;
        for (Index c = 0; c < columns * tile.classes; ++c)
          out[c * frame.rows + tile.begin + r] = missing;
      }
      report.count_flags(tile);
    }
    report.unknown_by_feature = tile.unknown;
    report.malformed_by_feature = tile.malformed;
    return report;
  };
  return merge_by_rows(frame.rows, context, ScoreReport(features), write_run, rows_of_run(frame));
}

}  // namespace bayesrisk

#pragma once

#include <engine/model/score.hpp>

#include <numeric>

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

// Writes the log prior and what each part of the blocks adds to the log joint, row x (1 + part) x
// class. Their sum is the log joint. `part_of`: the part of each block, from 0.
inline ScoreReport contributions_of_parts(const ModelPlan& plan, const Scorer& scorer,
                                          const IntVector& part_of, int parts, const Frame& frame,
                                          double missing, double* out, const Context& context) {
  const auto runs = unite_blocks(blocks_of(plan), part_of);
  const Index columns = parts + 1;
  const int features = static_cast<int>(frame.columns.size());
  return merge_by_rows(
      frame.rows, context, ScoreReport(features),
      [&](Index first, Index last) {
        Tile tile(scorer.classes(), features);
        ScoreReport report(features);
        for (Index begin = first; begin < last; begin += tile.rows) {
          context.check();
          tile.start(begin, last);
          scorer.add_prior(tile);
          write_column(tile, frame.rows, columns, 0, out);
          for (int part = 0; part < parts; ++part) {
            tile.clear();
            for (const auto& [run, of_part] : runs) {
              if (of_part == part) scorer.add_blocks(frame, run, tile);
            }
            write_column(tile, frame.rows, columns, part + 1, out);
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
      },
      rows_of_run(frame));
}

// The same, row x (1 + block) x class.
inline ScoreReport contributions(const ModelPlan& plan, const Scorer& scorer, const Frame& frame,
                                 double missing, double* out, const Context& context) {
  IntVector part_of(blocks_of(plan).size());
  std::iota(part_of.begin(), part_of.end(), 0);
  return contributions_of_parts(plan, scorer, part_of, static_cast<int>(part_of.size()), frame,
                                missing, out, context);
}

}  // namespace bayesrisk

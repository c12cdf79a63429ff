#pragma once

#include <bayesrisk/model/score.hpp>

namespace bayesrisk {

// log prior and the log likelihood of every block, row x (1 + block) x class:
// they add up to the log joint.
inline ScoreReport contributions(const ModelPlan &plan, const Scorer &scorer, const Frame &frame,
                                 double *out) {
  struct Member {
    std::size_t bank;
    int from, to;
  };
  std::vector<Member> blocks;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    std::visit(
        [&](const auto &p) {
          if (p.blocks() == p.members()) {
            for (int j = 0; j < p.members(); ++j)
              blocks.push_back({b, j, j + 1});
          } else {
            blocks.push_back({b, 0, p.members()});
          }
        },
        plan.banks[b]);
  }
  const Index columns = static_cast<Index>(blocks.size()) + 1;
  const int features = static_cast<int>(frame.columns.size());
  Tile tile(scorer.classes(), features);
  ScoreReport report(features);
  auto write = [&](Index column) {
    for (int k = 0; k < tile.classes; ++k) {
      double *to = out + (k * columns + column) * frame.rows + tile.begin;
      for (int r = 0; r < tile.rows; ++r)
        to[r] = tile.flags[r] & kInfinite ? kNaN : tile.of_class(k)[r];
    }
  };
  for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
    tile.start(begin, frame.rows);
    scorer.add_prior(tile);
    write(0);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      tile.clear();
      scorer.add_members(frame, blocks[i].bank, blocks[i].from, blocks[i].to, tile);
      write(static_cast<Index>(i) + 1);
    }
    for (int r = 0; r < tile.rows; ++r) {
      report.infinite += (tile.flags[r] & kInfinite) != 0;
      report.unknown += (tile.flags[r] & kUnknownLevel) != 0;
    }
  }
  report.unknown_by_feature = tile.unknown;
  report.malformed_by_feature = tile.malformed;
  return report;
}

} // namespace bayesrisk

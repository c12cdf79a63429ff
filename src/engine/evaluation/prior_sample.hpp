#pragma once

#include <engine/evaluation/prior_rows.hpp>

namespace bayesrisk {

// Some of the rows, with the likelihoods of all features together and of each feature alone: row x
// class, and row x class x feature.
struct PriorSample {
  Index rows = 0;
  double *together = nullptr, *alone = nullptr, *evidence = nullptr;
};

// Rows are read in short runs, evenly spaced.
constexpr Index kSampleRun = 64;

inline Index sample_size(Index rows, Index most) {
  return rows <= most ? rows : most / kSampleRun * kSampleRun;
}

// Reads a single feature of a model: in a joint block all other features are missing.
class LoneFeature {
 public:
  LoneFeature(const ModelPlan& plan, const Scorer& scorer, int feature) : scorer_(scorer) {
    for (const BlockMembers& block : blocks_of(plan)) {
      const IntVector members = features_of(plan, block);
      if (std::find(members.begin(), members.end(), feature) == members.end()) continue;
      block_ = block;
      for (int other : members) {
        if (other != feature) missing_.push_back(other);
      }
    }
  }

  // `frame` begins with the rows of the tile.
  void add(Frame frame, Tile& tile) const {
    for (int feature : missing_) {
      Column& column = frame.columns[static_cast<std::size_t>(feature)];
      if (column.real) {
        column.real = no_numbers().data();
      } else {
        column.integer = no_integers().data();
      }
    }
    scorer_.add_members(frame, block_, tile);
  }

 private:
  static IntVector features_of(const ModelPlan& plan, const BlockMembers& block) {
    return std::visit(
        [&](const auto& p) {
          return IntVector(p.features.begin() + block.from, p.features.begin() + block.to);
        },
        plan.banks[block.bank]);
  }
  static const Vector& no_numbers() {
    static const Vector missing(kSampleRun, kNaN);
    return missing;
  }
  static const IntVector& no_integers() {
    static const IntVector missing(kSampleRun, kMissingInteger);
    return missing;
  }

  const Scorer& scorer_;
  BlockMembers block_{0, 0, 0};
  IntVector missing_;
};

class PriorSampler {
 public:
  // `factors`: see log_factors(); `plain`: those without constants; `features`: those to be read
  // alone, by the untempered scorer.
  PriorSampler(const ModelPlan& plan, const Scorer& scorer, const Scorer& untempered,
               const Vector& factors, const Vector& plain, const IntVector& features)
      : scorer_(scorer), factors_(factors), plain_(plain) {
    for (int feature : features) lone_.emplace_back(plan, untempered, feature);
  }

  void read(const Frame& frame, const double* weight, const PriorSample& out,
            const Context& context) const {
    const Index runs = (out.rows + kSampleRun - 1) / kSampleRun;
    context.run(runs, [&](Index i) {
      context.check();
      const Index at = i * kSampleRun, count = std::min(kSampleRun, out.rows - at);
      const Index first = out.rows == frame.rows ? at : i * (frame.rows / runs);
      read_run(part_of(frame, first, count), weight ? weight + first : nullptr, at, out);
    });
  }

 private:
  void read_run(const Frame& frame, const double* weight, Index at, const PriorSample& out) const {
    const int classes = scorer_.classes();
    Tile tile(classes, static_cast<int>(frame.columns.size()));
    RelativeLikelihoods together(factors_, tile.capacity), alone(plain_, tile.capacity);
    for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
      tile.start(begin, frame.rows);
      scorer_.add_all(frame, tile);
      together.read(tile);
      for (int r = 0; r < tile.rows; ++r) {
        const Index row = begin + r;
        const bool lost = tile.flagged(r, kInfinite) || together.impossible(r);
        const bool counts = !lost && !together.uninformed(r);
        out.evidence[at + row] = !counts ? 0.0 : weight ? weight[row] : 1.0;
        write(together, !counts, r, at + row, classes, out.rows, out.together);
      }
      for (std::size_t j = 0; j < lone_.size(); ++j) {
        tile.start(begin, frame.rows);
        lone_[j].add(frame, tile);
        alone.read(tile);
        double* to = out.alone + static_cast<Index>(j) * classes * out.rows;
        for (int r = 0; r < tile.rows; ++r) {
          const bool lost = tile.flagged(r, kInfinite) || alone.impossible(r);
          write(alone, lost, r, at + begin + r, classes, out.rows, to);
        }
      }
    }
  }

  static void write(const RelativeLikelihoods& from, bool lost, int r, Index row, int classes,
                    Index rows, double* to) {
    for (int k = 0; k < classes; ++k) to[k * rows + row] = lost ? 1.0 : from.of(k, r);
  }

  const Scorer& scorer_;
  const Vector &factors_, &plain_;
  std::vector<LoneFeature> lone_;
};

}  // namespace bayesrisk

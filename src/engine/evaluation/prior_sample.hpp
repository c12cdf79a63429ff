#pragma once

#include <engine/evaluation/prior_rows.hpp>

namespace bayesrisk {

// Some of the rows, with the likelihoods of the model, row x class, and those by other densities,
// of each feature alone or under each draw of the parameters: row x class x density.
struct PriorSample {
  Index rows = 0;
  double *together = nullptr, *others = nullptr, *evidence = nullptr;
};

// Rows are read in short runs, evenly spaced.
constexpr Index kSampleRun = 64;

inline Index sample_size(Index rows, Index most) {
  return rows <= most ? rows : most / kSampleRun * kSampleRun;
}

// Reads a single feature of a model: in a joint block all other features are missing.
class LoneFeature {
 public:
  LoneFeature(const ModelPlan& plan, const Scorer& scorer, int feature);

  // `frame` begins with the rows of the tile.
  void operator()(Frame frame, Tile& tile) const;

 private:
  static IntVector features_of(const ModelPlan& plan, const BlockMembers& block) {
    const IntVector& features = plan.banks[block.bank]->features();
    return IntVector(features.begin() + block.from, features.begin() + block.to);
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
  // Adds log likelihoods to a tile.
  using Density = std::function<void(const Frame&, Tile&)>;

  // `factors`, `other_factors`: see log_factors().
  PriorSampler(const Scorer& scorer, const Vector& factors, std::vector<Density> others,
               const Vector& other_factors)
      : scorer_(scorer),
        factors_(factors),
        other_factors_(other_factors),
        others_(std::move(others)) {}

  void read(const Frame& frame, const double* weight, const PriorSample& out,
            const Context& context) const;

 private:
  void read_run(const Frame& frame, const double* weight, Index at, const PriorSample& out) const;

  static void write(const RelativeLikelihoods& from, bool lost, int r, Index row, int classes,
                    Index rows, double* to) {
    for (int k = 0; k < classes; ++k) to[k * rows + row] = lost ? 1.0 : from.of(k, r);
  }

  const Scorer& scorer_;
  const Vector &factors_, &other_factors_;
  std::vector<Density> others_;
};

}  // namespace bayesrisk

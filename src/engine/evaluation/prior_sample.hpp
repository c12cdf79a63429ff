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

// The first row of a run.
inline Index first_of_run(Index rows, Index sampled, Index run) {
  const Index runs = (sampled + kSampleRun - 1) / kSampleRun;
  return sampled == rows ? run * kSampleRun : run * (rows / runs);
}

// Reads a single feature of a model: in a joint block all other features are missing.
class LoneFeature {
 public:
  LoneFeature(const ModelPlan& plan, const Scorer& scorer, int feature);

  // `frame` begins with the rows of the tile.
  void operator()(Frame frame, Tile& tile) const;

 private:
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

  // `factors`: see log_factors().
  PriorSampler(std::vector<Density> others, const Vector& factors)
      : factors_(factors), others_(std::move(others)) {}

  // `all`: of the rows of the frame, see read_prior_rows().
  void read(const Frame& frame, const PriorColumns& all, const PriorSample& out,
            const Context& context) const;

 private:
  // Copies from neighbouring rows, and reads the other densities there.
  void read_run(const Frame& frame, const PriorColumns& all, Index first, Index count, Index at,
                const PriorSample& out) const;

  const Vector& factors_;
  std::vector<Density> others_;
};

}  // namespace bayesrisk

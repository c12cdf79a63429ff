#pragma once

#include <engine/model/score.hpp>

namespace bayesrisk {

// Where the numbers of a PriorPiece are written. `given`: the weights of the rows; null: all 1.
struct PriorColumns {
  double *likelihood, *evidence, *weight;
  const double* given = nullptr;

  double given_of(Index row) const { return given ? given[row] : 1.0; }
};

struct PriorReport {
  ScoreReport score;
  Index used = 0, uninformed = 0;
  double log_scale = 0;  // the weighted sum of the logarithms of the largest likelihoods

  explicit PriorReport(int features = 0) : score(features) {}
  void merge(const PriorReport& other) {
    score.merge(other.score);
    used += other.used;
    uninformed += other.uninformed;
    log_scale += other.log_scale;
  }
};

// The logarithm by which the likelihood of each class is multiplied: the constants of tempering.
// Classes of prior 0 have no likelihood.
inline Vector log_factors(const Vector& prior, const Tempering& tempering) {
  Vector factors(prior.size(), 0.0);
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (!tempering.empty()) factors[k] = tempering.offset[k];
    if (prior[k] == 0) factors[k] = kNegativeInfinity;
  }
  return factors;
}

// The relative likelihoods of the rows of a tile.
class RelativeLikelihoods {
 public:
  RelativeLikelihoods(const Vector& factors, int capacity)
      : factors_(factors),
        uninformed_(capacity),
        posterior_(static_cast<int>(factors.size()), capacity) {}

  // The tile holds the log likelihoods, and is changed.
  void read(Tile& tile) {
    find_uninformed(tile);
    posterior_.negate_log_joints(tile, factors_);
    posterior_.evaluate(tile);
    tile_ = &tile;
  }

  // Whether all features of a row are missing.
  bool uninformed(int r) const { return uninformed_[r]; }
  bool impossible(int r) const { return !(posterior_.least()[r] < kInfinity); }
  double log_largest(int r) const { return -posterior_.least()[r]; }

  // A likelihood that is too small for a double is not 0, which would be an impossible class.
  double of(int k, int r) const {
    const double value = posterior_.of_class(k)[r];
    return value > 0 || tile_->of_class(k)[r] == kInfinity ? value : kLeast;
  }

 private:
  static constexpr double kLeast = 1e-290;

  void find_uninformed(const Tile& tile) {
    std::fill(uninformed_.begin(), uninformed_.end(), 1);
    for (int k = 0; k < tile.classes; ++k) {
      if (factors_[k] == kNegativeInfinity) continue;
      const double* l = tile.of_class(k);
      for (int r = 0; r < tile.rows; ++r) uninformed_[r] &= l[r] == 0.0;
    }
  }

  const Vector& factors_;
  std::vector<char> uninformed_;
  Posterior posterior_;
  const Tile* tile_ = nullptr;
};

// Reads the likelihoods of rows, tile by tile.
class PriorTask {
 public:
  PriorTask(const Scorer& scorer, const Frame& frame, const Vector& factors,
            const PriorColumns& out)
      : scorer_(scorer),
        frame_(frame),
        out_(out),
        tile_(scorer.classes(), static_cast<int>(frame.columns.size())),
        likelihoods_(factors, tile_.capacity),
        report_(static_cast<int>(frame.columns.size())) {}

  PriorReport run(Index first, Index last, const Context& context) {
    for (Index begin = first; begin < last; begin += tile_.rows) {
      context.check();
      tile_.start(begin, last);
      scorer_.add_all(frame_, tile_);
      likelihoods_.read(tile_);
      for (int r = 0; r < tile_.rows; ++r) write(r);
      report_.score.count_flags(tile_);
    }
    report_.score.unknown_by_feature = tile_.unknown;
    report_.score.malformed_by_feature = tile_.malformed;
    return report_;
  }

 private:
  // Rows that do not count have the same likelihood in all classes.
  void write(int r) {
    const Index row = tile_.begin + r;
    const double weight = out_.given_of(row);
    const bool infinite = tile_.flagged(r, kInfinite),
               lost = infinite || likelihoods_.impossible(r);
    if (lost && !infinite && ++report_.score.impossible == 1) report_.score.first_impossible = row;
    const bool counts = !lost && weight > 0, informed = counts && !likelihoods_.uninformed(r);
    for (int k = 0; k < tile_.classes; ++k) {
      out_.likelihood[k * frame_.rows + row] = counts ? likelihoods_.of(k, r) : 1.0;
    }
    out_.evidence[row] = informed ? weight : 0.0;
    out_.weight[row] = counts ? weight : 0.0;
    report_.used += informed;
    report_.uninformed += counts && !informed;
    if (informed) report_.log_scale += weight * likelihoods_.log_largest(r);
  }

  const Scorer& scorer_;
  const Frame& frame_;
  const PriorColumns& out_;
  Tile tile_;
  RelativeLikelihoods likelihoods_;
  PriorReport report_;
};

inline PriorReport read_prior_rows(const Scorer& scorer, const Frame& frame, const Vector& factors,
                                   const PriorColumns& out, const Context& context) {
  const PriorReport none(static_cast<int>(frame.columns.size()));
  return merge_by_rows(
      frame.rows, context, none,
      [&](Index first, Index last) {
        return PriorTask(scorer, frame, factors, out).run(first, last, context);
      },
      rows_of_run(frame));
}

}  // namespace bayesrisk

#pragma once

#include <engine/model/score.hpp>

namespace bayesrisk {

// The destinations of the numbers of a PriorPiece. `given`: the weights of the rows; null: all 1.
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
  void merge(const PriorReport& other);
};

// The logarithm by which the likelihood of each class is multiplied: the constants of tempering.
// Classes of prior 0 have no likelihood.
Vector log_factors(const Vector& prior, const Tempering& tempering);

// The relative likelihoods of the rows of a tile.
class RelativeLikelihoods {
 public:
  RelativeLikelihoods(const Vector& factors, int capacity)
      : factors_(factors),
        uninformed_(capacity),
        posterior_(static_cast<int>(factors.size()), capacity) {}

  // The tile holds the log likelihoods, and is changed.
  void read(Tile& tile);

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

  void find_uninformed(const Tile& tile);

  const Vector& factors_;
  std::vector<char> uninformed_;
  Posterior posterior_;
  const Tile* tile_ = nullptr;
};

// Reads the likelihoods of rows, tile by tile.
class PriorTask {
 public:
  PriorTask(const Scorer& scorer, const Frame& frame, const Vector& factors,
            const PriorColumns& out);

  PriorReport run(Index first, Index last, const Context& context);

 private:
  // Rows that do not count have the same likelihood in all classes.
  void write(int r);

  const Scorer& scorer_;
  const Frame& frame_;
  const PriorColumns& out_;
  Tile tile_;
  RelativeLikelihoods likelihoods_;
  PriorReport report_;
};

PriorReport read_prior_rows(const Scorer& scorer, const Frame& frame, const Vector& factors,
                            const PriorColumns& out, const Context& context);

}  // namespace bayesrisk

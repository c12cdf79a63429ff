#pragma once

#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/tile.hpp>
#include <bayesrisk/decision/cost.hpp>

namespace bayesrisk {

constexpr double kTie = 1e-12;

// The largest log joint of each row. A row where it is -Inf is impossible
// under every class.
inline void find_maximum(const Tile& tile, double* maximum) {
  std::copy_n(tile.of_class(0), tile.rows, maximum);
  for (int k = 1; k < tile.classes; ++k) {
    const double* l = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) maximum[r] = std::max(maximum[r], l[r]);
  }
}

// The most probable class, from 1. Classes within the band of a tie: the first.
inline void choose_class(const Tile& tile, const double* maximum, int* choice) {
  double threshold[Tile::kMostRows];
  for (int r = 0; r < tile.rows; ++r) {
    threshold[r] = maximum[r] - kTie * std::max(1.0, std::abs(maximum[r]));
  }
  std::fill_n(choice, tile.rows, 0);
  for (int k = tile.classes - 1; k >= 0; --k) {
    const double* l = tile.of_class(k);
    // A mask, because which class wins is no branch that can be predicted.
    for (int r = 0; r < tile.rows; ++r) {
      const int wins = -static_cast<int>(l[r] >= threshold[r]);
      choice[r] = (wins & (k + 1)) | (~wins & choice[r]);
    }
  }
}

// Expected cost of each action, given posterior probabilities of one row.
class ExpectedCost {
 public:
  explicit ExpectedCost(const Cost& cost) {
    for (Index k = 0; k < cost.of.cols(); ++k) {
      for (Index a = 0; a < cost.of.rows(); ++a) {
        if (std::isinf(cost.of(a, k))) infinite_.push_back({a, k});
      }
    }
    finite_ = cost.of.array().isFinite().select(cost.of, 0.0);
    magnitude_ = finite_.cwiseAbs();
  }

  // posterior and log_joint: one number per class. An infinite cost counts
  // unless its class is impossible; a probability that underflowed is not 0.
  void evaluate(const Eigen::VectorXd& posterior, const Eigen::VectorXd& log_joint,
                Eigen::VectorXd& expected) const {
    expected.noalias() = finite_ * posterior;
    for (const Cell& cell : infinite_) {
      if (log_joint[cell.truth] != kNegativeInfinity) {
        expected[cell.action] = std::numeric_limits<double>::infinity();
      }
    }
  }

  // The cheapest action, from 0; the first within the band of a tie.
  int choose(const Eigen::VectorXd& posterior, const Eigen::VectorXd& expected) {
    const double smallest = expected.minCoeff();
    if (std::isinf(smallest)) return 0;
    absolute_.noalias() = magnitude_ * posterior;
    const double band = kTie * absolute_.maxCoeff();
    int action = 0;
    while (expected[action] - smallest > band) ++action;
    return action;
  }

 private:
  struct Cell {
    Index action, truth;
  };
  std::vector<Cell> infinite_;
  Matrix finite_, magnitude_;
  Eigen::VectorXd absolute_;
};

}  // namespace bayesrisk

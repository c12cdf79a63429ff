#pragma once

#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>

#include <cmath>

namespace bayesrisk {

// The mean loss of a candidate on held-out cases, and how much less it is than that of the first
// candidate. NaN: the candidate has no loss in some case.
struct CandidateLoss {
  double loss = kNaN, gain = kNaN, standard_error = kNaN;
};

// `score`: of each candidate a matrix of rows x classes, whose negative is the loss where the class
// is the true one; `group`: from 1, or missing: the row does not count. Weights that are all equal
// change no number; others count by their effective number.
inline std::vector<CandidateLoss> compare_losses(const std::vector<Vector>& score, Index rows,
                                                 const int* group, const double* weight) {
  const auto loss_of = [&](std::size_t c, Index r) { return -score[c][(group[r] - 1) * rows + r]; };
  const auto each = [&](const auto& visit) {
    for (Index r = 0; r < rows; ++r) {
      const double w = weight ? weight[r] : 1.0;
      if (group[r] != kMissingInteger && w > 0) visit(r, w);
    }
  };
  double total = 0, squares = 0;
  each([&](Index, double w) {
    total += w;
    squares += w * w;
  });
  std::vector<CandidateLoss> result(score.size());
  for (std::size_t c = 0; c < score.size(); ++c) {
    double loss = 0, gain = 0, spread = 0;
    each([&](Index r, double w) {
      loss += w * loss_of(c, r);
      gain += w * (loss_of(0, r) - loss_of(c, r));
    });
    result[c].loss = loss / total;
    result[c].gain = gain / total;
    each([&](Index r, double w) {
      const double off = loss_of(0, r) - loss_of(c, r) - result[c].gain;
      spread += w * off * off;
    });
    result[c].standard_error = std::sqrt(spread / total * squares) / total;
  }
  return result;
}

}  // namespace bayesrisk

#pragma once

#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/tile.hpp>

namespace bayesrisk {

// log of the sum over classes of exp(log joint): max-shifted.
inline double log_evidence(const Tile& tile, int r, double maximum) {
  if (std::isinf(maximum)) return maximum;
  double sum = 0;
  for (int k = 0; k < tile.classes; ++k) sum += std::exp(tile.of_class(k)[r] - maximum);
  return maximum + std::log(sum);
}

// Posterior probabilities of one row, written with a stride per class.
inline void write_posterior(const Tile& tile, int r, double maximum, double* out, Index stride) {
  double sum = 0;
  for (int k = 0; k < tile.classes; ++k) {
    const double weight = std::exp(tile.of_class(k)[r] - maximum);
    out[k * stride] = weight;
    sum += weight;
  }
  for (int k = 0; k < tile.classes; ++k) out[k * stride] /= sum;
}

// log posterior. Relative to the maximum, so that the loser's log is exact
// where the winner's rounds to 0.
inline void write_log_posterior(const Tile& tile, int r, double maximum, double* out,
                                Index stride) {
  double others = 0;
  bool winner = true;  // the first class at the maximum counts as 1
  for (int k = 0; k < tile.classes; ++k) {
    const double difference = tile.of_class(k)[r] - maximum;
    if (winner && difference == 0) {
      winner = false;
    } else {
      others += std::exp(difference);
    }
  }
  const double log_sum = std::log1p(others);
  for (int k = 0; k < tile.classes; ++k) {
    out[k * stride] = (tile.of_class(k)[r] - maximum) - log_sum;
  }
}

}  // namespace bayesrisk

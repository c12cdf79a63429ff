// Posterior probabilities in one pass. tile_loops.hpp includes this file after
// score_loops_body.hpp, in the same way as tile_loops_body.hpp. The results are those of
// negate_log_joints() and add_exponentials(), times the inverse of the sum, bit for bit.

// Log joints of `Vectors` vectors of rows, class by class: `top` becomes the largest of each row,
// and `other` the other ones minus the largest. The most probable class has weight exp(0), so it
// needs no exponential. `above[k * Vectors + v]`: whether class k + 1 exceeds all classes before
// it.
template <int Others, int Vectors, class Mask>
inline void find_top(const double* log_likelihood, const double* log_prior, int stride, Lanes* top,
                     Lanes* other, Mask* above) {
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) top[v] = *lanes(log_likelihood + v * kWidth) + log_prior[0];
#pragma GCC unroll 8
  for (int i = 0; i < Others * Vectors; ++i) {
    const int k = i / Vectors + 1, v = i % Vectors;
    const Lanes joint = *lanes(log_likelihood + k * stride + v * kWidth) + log_prior[k];
    above[i] = joint > top[v];
    other[i] = joint > top[v] ? top[v] : joint;
    top[v] = joint > top[v] ? joint : top[v];
  }
#pragma GCC unroll 8
  for (int i = 0; i < Others * Vectors; ++i) other[i] -= top[i % Vectors];
}

// Gives the weights of find_top() back to their classes.
template <int Others, int Vectors, class Mask>
inline void place_weights(const Lanes* other, const Mask* above, Lanes* weight) {
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) weight[v] = all(1);
#pragma GCC unroll 8
  for (int i = Others * Vectors - 1; i >= 0; --i) {
    const Lanes before = weight[i % Vectors];  // of the largest of the classes up to this one
    weight[i + Vectors] = above[i] ? before : other[i];
    weight[i % Vectors] = above[i] ? other[i] : before;
  }
}

// The places of the next results are prefetched, as the next numbers are in score_loops_body.hpp.
template <int Classes>
inline bool write_posterior_of(const double* log_likelihood, const double* log_prior, int stride,
                               int rows, double* probability, long distance) {
  // Exponentials side by side; more would not fit into the registers.
  constexpr int kVectors = Classes < 4 ? 2 : 1, kOthers = Classes - 1;
  auto answered = Lanes{} == 0.0;
  Lanes check = {};
  for (int r = 0; r < rows; r += kVectors * kWidth) {
    Lanes top[kVectors], other[kOthers * kVectors], weight[Classes * kVectors], sum[kVectors];
    decltype(answered) above[kOthers * kVectors], normal[kOthers * kVectors];
    find_top<kOthers, kVectors>(log_likelihood + r, log_prior, stride, top, other, above);
    for (int v = 0; v < kVectors; ++v) check += top[v];
    if (r % kLine == 0) {
      for (int k = 0; k < Classes; ++k) {
        __builtin_prefetch(probability + k * distance + r + rows, 1);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kOthers * kVectors; ++i) {
      normal[i] = other[i] >= kLowestNormalExp;
      answered &= normal[i] | (other[i] <= kLowestExp);
    }
    exponentiate<kOthers * kVectors>(other);
#pragma GCC unroll 8
    for (int i = 0; i < kOthers * kVectors; ++i) {
      other[i] = only_where((LaneBits)normal[i], other[i]);
    }
    place_weights<kOthers, kVectors>(other, above, weight);
#pragma GCC unroll 8
    for (int i = 0; i < Classes * kVectors; ++i) {
      sum[i % kVectors] = i < kVectors ? weight[i] : sum[i % kVectors] + weight[i];
    }
    for (int v = 0; v < kVectors; ++v) sum[v] = 1.0 / sum[v];
#pragma GCC unroll 8
    for (int i = 0; i < Classes * kVectors; ++i) {
      const int k = i / kVectors, v = i % kVectors;
      *lanes(probability + k * distance + r + v * kWidth) = weight[i] * sum[v];
    }
  }
  // A difference is NaN where a log joint is, and a sum with an infinite or NaN top is not finite.
  return !any((LaneBits) ~(answered & (check - check == 0.0)));
}

inline bool write_posterior(const double* log_likelihood, const double* log_prior, int classes,
                            int stride, int rows, double* probability, long distance) {
  const auto write = classes == 2   ? write_posterior_of<2>
                     : classes == 3 ? write_posterior_of<3>
                                    : write_posterior_of<4>;
  return write(log_likelihood, log_prior, stride, rows, probability, distance);
}

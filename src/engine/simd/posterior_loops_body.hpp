// Posterior probabilities in one pass. tile_loops.hpp includes this file after
// score_loops_body.hpp, in the same way as tile_loops_body.hpp. The results are those of
// negate_log_joints() and add_exponentials(), times the inverse of the sum, bit for bit.

template <int Classes>
inline bool write_posterior_of(const double* log_likelihood, const double* log_prior, int stride,
                               int rows, double* probability, long distance) {
  LaneBits unanswered = {};
  for (int r = 0; r < rows; r += kWidth) {
    Lanes d[Classes], top = all(-__builtin_inf()), check = {};
#pragma GCC unroll 4
    for (int k = 0; k < Classes; ++k) {
      d[k] = *lanes(log_likelihood + k * stride + r) + log_prior[k];
      top = d[k] > top ? d[k] : top;
    }
#pragma GCC unroll 4
    for (int k = 0; k < Classes; ++k) {
      d[k] -= top;
      check += d[k];
      unanswered |= (LaneBits)((d[k] < kLowestNormalExp) & (d[k] > kLowestExp));
    }
    unanswered |= (LaneBits)(check != check);
    Lanes sum = {};
#pragma GCC unroll 4
    for (int k = 0; k < Classes; ++k) {
      d[k] = only_where((LaneBits)(d[k] >= kLowestNormalExp), exp_normal(d[k]));
      sum += d[k];
    }
    const Lanes factor = 1.0 / sum;
#pragma GCC unroll 4
    for (int k = 0; k < Classes; ++k) *lanes(probability + k * distance + r) = d[k] * factor;
  }
  return !any(unanswered);
}

inline bool write_posterior(const double* log_likelihood, const double* log_prior, int classes,
                            int stride, int rows, double* probability, long distance) {
  const auto write = classes == 2   ? write_posterior_of<2>
                     : classes == 3 ? write_posterior_of<3>
                                    : write_posterior_of<4>;
  return write(log_likelihood, log_prior, stride, rows, probability, distance);
}

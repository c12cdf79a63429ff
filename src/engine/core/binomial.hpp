#pragma once

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// P(X <= k) for a binomial number X of n cases with probability p, 0 < p < 1. Terms are added from
// the largest one on, so small probabilities keep their digits.
inline double binomial_at_most(double n, double p, double k) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  const double odds = p / (1 - p), largest = std::min(k, std::floor((n + 1) * p));
  const double log_largest = std::lgamma(n + 1) - std::lgamma(largest + 1) -
                             std::lgamma(n - largest + 1) + largest * std::log(p) +
                             (n - largest) * std::log1p(-p);
  double sum = 1, term = 1;
  for (double x = largest; x > 0 && term > 1e-17 * sum; --x) {
    term *= x / ((n - x + 1) * odds);
    sum += term;
  }
  term = 1;
  for (double x = largest + 1; x <= k && term > 1e-17 * sum; ++x) {
    term *= (n - x + 1) * odds / x;
    sum += term;
  }
  return std::min(1.0, std::exp(log_largest) * sum);
}

}  // namespace bayesrisk

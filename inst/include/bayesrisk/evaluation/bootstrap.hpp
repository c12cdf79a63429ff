#pragma once

#include <bayesrisk/core/context.hpp>
#include <bayesrisk/core/random.hpp>

#include <algorithm>

namespace bayesrisk {

constexpr std::size_t kMostResampled = 10000;

// Means of equally many values each, taken in turn, where there are more than are
// resampled: their mean has the same distribution as that of the values themselves.
inline Vector resampled_units(const Vector& values) {
  const std::size_t units = std::min(values.size(), kMostResampled);
  Vector sum(units, 0.0), count(units, 0.0);
  for (std::size_t i = 0, u = 0; i < values.size(); ++i, u = u + 1 == units ? 0 : u + 1) {
    sum[u] += values[i];
    ++count[u];
  }
  for (std::size_t u = 0; u < units; ++u) sum[u] /= count[u];
  return sum;
}

// Means of samples drawn with replacement, sorted. A replicate is a stream of its own.
inline Vector bootstrap_means(const Vector& values, int replicates, std::uint64_t seed,
                              const Context& context) {
  const Vector unit = resampled_units(values);
  if (unit.empty()) return {};
  constexpr Index kBatch = 100;
  Vector mean(replicates);
  context.run((replicates + kBatch - 1) / kBatch, [&](Index batch) {
    const Index last = std::min<Index>(replicates, (batch + 1) * kBatch);
    for (Index b = batch * kBatch; b < last; ++b) {
      CounterRandom random(seed, static_cast<std::uint64_t>(b));
      double sum = 0;
      for (std::size_t i = 0; i < unit.size(); ++i) {
        sum += unit[random.below(static_cast<std::uint32_t>(unit.size()))];
      }
      mean[b] = sum / static_cast<double>(unit.size());
    }
  });
  std::sort(mean.begin(), mean.end());
  return mean;
}

// Between the neighbours in sorted values, as R's quantile() by default.
inline double quantile(const Vector& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = p * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(below);
  if (share == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

}  // namespace bayesrisk

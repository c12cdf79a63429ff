#pragma once

#include <engine/core/context.hpp>
#include <engine/core/quantile.hpp>
#include <engine/core/random.hpp>

#include <algorithm>

namespace bayesrisk {

constexpr std::size_t kMostResampled = 10000;

// The units that are resampled: the values or, if there are more than kMostResampled, groups of
// values, represented by their sums and sizes.
struct ResampledUnits {
  Vector sum, count;
};

// Values are assigned to groups at random, so that their order in the data does not matter.
inline ResampledUnits resampled_units(const Vector& values, std::uint64_t seed) {
  if (values.size() <= kMostResampled) return {values, Vector(values.size(), 1.0)};
  ResampledUnits units{Vector(kMostResampled, 0.0), Vector(kMostResampled, 0.0)};
  CounterRandom random(seed, ~std::uint64_t{0});
  for (double value : values) {
    const std::uint32_t u = random.below(static_cast<std::uint32_t>(kMostResampled));
    units.sum[u] += value;
    ++units.count[u];
  }
  return units;
}

// Means of samples drawn with replacement, sorted. Each replicate has its own random stream. Groups
// differ in size; the mean of a replicate is that of its values, not of its groups.
inline Vector bootstrap_means(const Vector& values, int replicates, std::uint64_t seed,
                              const Context& context) {
  const ResampledUnits units = resampled_units(values, seed);
  const std::uint32_t drawn = static_cast<std::uint32_t>(units.sum.size());
  if (drawn == 0) return {};
  constexpr Index kBatch = 100;
  Vector mean(replicates);
  context.run((replicates + kBatch - 1) / kBatch, [&](Index batch) {
    const Index last = std::min<Index>(replicates, (batch + 1) * kBatch);
    for (Index b = batch * kBatch; b < last; ++b) {
      CounterRandom random(seed, static_cast<std::uint64_t>(b));
      double sum = 0, count = 0;
      for (std::uint32_t i = 0; i < drawn; ++i) {
        const std::uint32_t u = random.below(drawn);
        sum += units.sum[u];
        count += units.count[u];
      }
      mean[b] = sum / count;
    }
  });
  std::sort(mean.begin(), mean.end());
  return mean;
}

// Interpolates between neighbours in sorted values, as R's quantile() does by default.
inline double quantile(const Vector& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double at = p * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(below);
  if (share == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return between(sorted[below], sorted[below + 1], share);
}

}  // namespace bayesrisk

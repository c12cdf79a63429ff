#pragma once

#include <engine/core/context.hpp>
#include <engine/core/quantile.hpp>
#include <engine/core/random.hpp>

#include <algorithm>

namespace bayesrisk {

constexpr std::size_t kMostResampled = 10000;

// Assigns values, one after the other, to the units that are resampled. Each value is a unit. If
// there are more than kMostResampled values, units are groups of values. Values join groups at
// random, so their order in the data does not matter.
class UnitDraw {
 public:
  UnitDraw(Index values, std::uint64_t seed)
      : grouped_(values > static_cast<Index>(kMostResampled)),
        units_(grouped_ ? static_cast<Index>(kMostResampled) : values),
        random_(seed, ~std::uint64_t{0}) {}

  Index units() const { return units_; }
  Index next() {
    return grouped_ ? random_.below(static_cast<std::uint32_t>(kMostResampled)) : next_++;
  }

 private:
  bool grouped_;
  Index units_, next_ = 0;
  CounterRandom random_;
};

// `units`: a column of sums per unit. Returns a column per replicate: the sums over units that are
// drawn with replacement. Each replicate has its own random stream.
inline Matrix bootstrap_sums(const Matrix& units, int replicates, std::uint64_t seed,
                             const Context& context) {
  const std::uint32_t drawn = static_cast<std::uint32_t>(units.cols());
  // A few sums per unit are added draw by draw. With many sums it is faster to count the draws of
  // each unit and to multiply the units by these numbers.
  const bool few = units.rows() <= 4;
  Matrix sums = Matrix::Zero(units.rows(), replicates);
  constexpr Index kBatch = 100;
  context.run((replicates + kBatch - 1) / kBatch, [&](Index batch) {
    const Index first = batch * kBatch, count = std::min<Index>(replicates - first, kBatch);
    Matrix draws = Matrix::Zero(few ? 0 : units.cols(), count);
    for (Index b = 0; b < count; ++b) {
      CounterRandom random(seed, static_cast<std::uint64_t>(first + b));
      for (std::uint32_t i = 0; i < drawn; ++i) {
        const std::uint32_t u = random.below(drawn);
        if (few) {
          sums.col(first + b) += units.col(u);
        } else {
          draws(u, b) += 1;
        }
      }
    }
    if (!few) sums.middleCols(first, count).noalias() = units * draws;
  });
  return sums;
}

// Means of samples drawn with replacement, sorted. Groups differ in size. The mean of a replicate
// is the mean of its values, not of its groups.
inline Vector bootstrap_means(const Vector& values, int replicates, std::uint64_t seed,
                              const Context& context) {
  if (values.empty()) return {};
  UnitDraw unit(static_cast<Index>(values.size()), seed);
  Matrix units = Matrix::Zero(2, unit.units());
  for (double value : values) units.col(unit.next()) += Eigen::Vector2d(value, 1);
  const Matrix sums = bootstrap_sums(units, replicates, seed, context);
  Vector mean(replicates);
  for (int b = 0; b < replicates; ++b) mean[b] = sums(0, b) / sums(1, b);
  std::sort(mean.begin(), mean.end());
  return mean;
}

}  // namespace bayesrisk

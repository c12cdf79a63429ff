#pragma once

#include <engine/likelihood/points/kernel.hpp>
#include <engine/simd/tile_loops.hpp>

#include <array>

namespace bayesrisk {

// The density of a class. Sums normals relative to the nearest one. Normals that would add less
// than 1e-17 of the nearest one are left out, so only neighbouring values are read. Refers to the
// points.
class KernelDensity {
 public:
  KernelDensity(const Points& points, double bandwidth);

  // NaN for a class without rows.
  double log_density(double x) const;

  // The values around x, in bandwidths from the nearest one. moment[i]: the sum of p d^i, of the
  // last one p d^8, where d is the distance of a value and p its term relative to the nearest value
  // if this had the largest weight. `far`: the greatest |d|. `left_out`: a bound of the share of
  // all other values, exp(-negligible) at x, as long as x moves by at most `room` bandwidths.
  struct Moments {
    double z = 0, far = 0, log_nearest = kNegativeInfinity, left_out = 0;
    std::array<double, simd::kNormalMoments> moment{};
  };
  Moments moments(double x, double room, double negligible) const;

 private:
  static constexpr int kSlice = 128;
  static constexpr int kMostTerms = 1 << 20;
  static constexpr double kNegligible = 40;  // exp(-40) is less than 1e-17

  struct Near {
    double value, z, square;  // the nearest value; its distance from x in bandwidths
    double reach = 0;         // the excess of values that are left out
    Index first = 0, last = 0;
  };

  // The squared distance of another value from x minus the squared distance of the nearest value,
  // in bandwidths.
  double excess(const Near& near, double value) const {
    const double d = (value - near.value) * inverse_bandwidth_;
    return d * (d - 2 * near.z);
  }

  Near find(double x, double negligible) const;

  double sum(const Near& near) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  Eigen::Map<const Eigen::VectorXd> value_;
  Eigen::VectorXd minus_log_;  // of the weight, relative to the largest weight
  double largest_, inverse_bandwidth_, constant_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/kernel.hpp>
#include <engine/simd/tile_loops.hpp>

#include <array>

namespace bayesrisk {

// The density of a class. Sums normals relative to the nearest one. Normals that would add less
// than 1e-17 of the nearest one are left out, so only neighbouring values are read. Refers to the
// points.
class KernelDensity {
 public:
  KernelDensity(const Points& points, double bandwidth)
      : value_(points.data(), points.rows()), inverse_bandwidth_(1 / bandwidth) {
    largest_ = points.rows() > 0 ? points.col(1).maxCoeff() : kNaN;
    minus_log_ = -(points.col(1).array() - largest_).matrix();
    constant_ = largest_ - std::log(bandwidth);
    constant_ -= kHalfLogTwoPi;
  }

  // NaN for a class without rows.
  double log_density(double x) const {
    if (value_.size() == 0) return kNaN;
    const Near near = find(x, kNegligible);
    if (std::isinf(near.square)) return kNegativeInfinity;
    return constant_ - 0.5 * near.square + std::log(sum(near));
  }

  // The values around x, in bandwidths from the nearest one. moment[i]: the sum of p d^i, of the
  // last one p d^8, where d is the distance of a value and p its term relative to the nearest value
  // if this had the largest weight. `far`: the greatest |d|. `left_out`: a bound of the share of
  // all other values, exp(-negligible) at x, as long as x moves by at most `room` bandwidths.
  struct Moments {
    double z = 0, far = 0, log_nearest = kNegativeInfinity, left_out = 0;
    std::array<double, simd::kNormalMoments> moment{};
  };
  Moments moments(double x, double room, double negligible) const {
    const Near near = find(x, negligible);
    Moments result;
    if (std::isinf(near.square)) return result;
    result.z = near.z;
    result.log_nearest = constant_ - 0.5 * near.square;
    const auto distance = [&](Index i) {
      return std::abs(value_[i] - near.value) * inverse_bandwidth_;
    };
    result.far = std::max(distance(near.first), distance(near.last - 1));
    // Beyond the first value that is left out the terms fall.
    const auto leave_out = [&](Index i) {
      const double log_term = 0.5 * (near.reach - excess(near, value_[i])) - negligible;
      result.left_out += std::exp(log_term + room * distance(i));
    };
    if (near.first > 0) leave_out(near.first - 1);
    if (near.last < value_.size()) leave_out(near.last);
    for (Index i = near.first; i < near.last; i += kMostTerms) {
      const int count = static_cast<int>(std::min<Index>(kMostTerms, near.last - i));
      loops_.add_normal_moments(value_.data() + i, minus_log_.data() + i, count, near.value,
                                inverse_bandwidth_, near.z, result.moment.data());
    }
    return result;
  }

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

  Near find(double x, double negligible) const {
    const Index count = value_.size();
    const double* value = value_.data();
    Index nearest = std::lower_bound(value, value + count, x) - value;
    if (nearest == count || (nearest > 0 && x - value[nearest - 1] < value[nearest] - x)) --nearest;
    const double z = (x - value[nearest]) * inverse_bandwidth_;
    Near near{value[nearest], z, z * z};
    if (std::isinf(near.square)) return near;
    near.reach = 2 * (negligible + minus_log_[nearest] - largest_);
    const auto out = [&](double v) { return excess(near, v) > near.reach; };
    const auto in = [&](double v) { return !out(v); };
    near.first = std::partition_point(value, value + nearest, out) - value;
    near.last = std::partition_point(value + nearest, value + count, in) - value;
    return near;
  }

  double sum(const Near& near) const {
    std::array<double, kSlice> exponent, term, top{}, sum{};
    for (Index i = near.first; i < near.last; i += kSlice) {
      const int rows = static_cast<int>(std::min<Index>(kSlice, near.last - i));
      const int padded = Tile::padded(rows);
      for (int r = 0; r < rows; ++r) {
        exponent[r] = 0.5 * excess(near, value_[i + r]) + minus_log_[i + r];
      }
      std::fill(exponent.begin() + rows, exponent.begin() + padded, -kNegativeInfinity);
      loops_.add_exponentials(top.data(), exponent.data(), padded, term.data(), sum.data());
    }
    double total = 0;
    for (double s : sum) total += s;
    return total;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  Eigen::Map<const Eigen::VectorXd> value_;
  Eigen::VectorXd minus_log_;  // of the weight, relative to the largest weight
  double largest_, inverse_bandwidth_, constant_;
};

}  // namespace bayesrisk

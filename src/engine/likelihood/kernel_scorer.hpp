#pragma once

#include <engine/likelihood/kernel.hpp>
#include <engine/simd/tile_loops.hpp>

#include <array>

namespace bayesrisk {

// Sums normals relative to the nearest one. Normals that would add less than 1e-17 of the nearest
// one are left out, so only neighbouring values are read.
class Kernel::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), left_out_(parameters.left_out[0]) {
    for (std::size_t k = 0; k < parameters.points.size(); ++k) {
      const Points& points = parameters.points[k];
      const double largest = points.rows() > 0 ? points.col(1).maxCoeff() : kNaN;
      Density density{points.col(0), -(points.col(1).array() - largest).matrix(), largest,
                      1 / parameters.bandwidth[k], largest - std::log(parameters.bandwidth[k])};
      density.constant -= kHalfLogTwoPi;
      densities_.push_back(std::move(density));
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to || left_out_) return;
    const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      for (int r = 0; r < tile.rows; ++r) {
        if (std::isfinite(x[r])) out[r] += log_density(densities_[k], x[r]);
      }
    }
  }

 private:
  static constexpr int kSlice = 128;

  struct Density {
    Eigen::VectorXd value, minus_log;  // minus_log: of the weight, relative to the largest weight
    double largest, inverse_bandwidth, constant;
  };

  // NaN for a class without rows.
  double log_density(const Density& d, double x) const {
    const Index count = d.value.size();
    if (count == 0) return kNaN;
    const double* value = d.value.data();
    Index nearest = std::lower_bound(value, value + count, x) - value;
    if (nearest == count || (nearest > 0 && x - value[nearest - 1] < value[nearest] - x)) --nearest;
    const double z = (x - value[nearest]) * d.inverse_bandwidth, square = z * z;
    if (std::isinf(square)) return kNegativeInfinity;
    const From from{value[nearest], d.inverse_bandwidth, 2 * z};
    const double reach = 2 * (kNegligible + d.minus_log[nearest] - d.largest);
    const auto out = [&](double v) { return from.excess(v) > reach; };
    const auto in = [&](double v) { return !out(v); };
    const Index first = std::partition_point(value, value + nearest, out) - value;
    const Index last = std::partition_point(value + nearest, value + count, in) - value;
    return d.constant - 0.5 * square + std::log(sum(d, from, first, last));
  }

  // The squared distance of another value from x minus the squared distance of the nearest value,
  // in bandwidths.
  struct From {
    double nearest, inverse_bandwidth, twice_z;
    double excess(double value) const {
      const double d = (value - nearest) * inverse_bandwidth;
      return d * (d - twice_z);
    }
  };

  double sum(const Density& d, const From& from, Index first, Index last) const {
    std::array<double, kSlice> exponent, term, top{}, sum{};
    for (Index i = first; i < last; i += kSlice) {
      const int rows = static_cast<int>(std::min<Index>(kSlice, last - i));
      const int padded = Tile::padded(rows);
      for (int r = 0; r < rows; ++r) {
        exponent[r] = 0.5 * from.excess(d.value[i + r]) + d.minus_log[i + r];
      }
      std::fill(exponent.begin() + rows, exponent.begin() + padded, -kNegativeInfinity);
      loops_.add_exponentials(top.data(), exponent.data(), padded, term.data(), sum.data());
    }
    double total = 0;
    for (double s : sum) total += s;
    return total;
  }

  static constexpr double kNegligible = 40;  // exp(-40) is less than 1e-17

  const Plan& plan_;
  bool left_out_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  std::vector<Density> densities_;
};

}  // namespace bayesrisk

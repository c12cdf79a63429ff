#pragma once

#include <engine/likelihood/points/kernel_density.hpp>

namespace bayesrisk {

// The log density of a class whose points lie on a grid, by its Taylor series of degree 5 about the
// centre of an interval. Intervals begin at the multiples of their width, a power of 2, so the
// interval of a row does not depend on other rows. With fewer rows than intervals each row computes
// the series of its interval, and the result is the same.
//
// In bandwidths h, the derivatives of the log density from the third on are the cumulants of V, a
// point drawn by its share in the density at x. So the remainder is at most
// (width / 2h)^6 max |cumulant 6| / 6!, and |cumulant 6| <= 16 E|V - EV|^6 (equal shares of two
// points attain it). The moments at x are those at the centre, tilted by exp((x - centre) V).
class KernelTable {
 public:
  // `low`, `high`: of the points of all classes. With a step of 0 there is no grid.
  KernelTable(const Points& points, double bandwidth, double step, double low, double high,
              Index rows);

  double log_density(double x) const {
    const double of_series = by_series(x);
    return std::isnan(of_series) ? density_.log_density(x) : of_series;
  }

 private:
  using Series = std::array<double, 6>;

  static constexpr double kShareOfBound = 0.01;
  static constexpr double kLeastError = 1e-12;    // less would be near to rounding
  static constexpr double kFaint = 4;             // shares of exp(-4) of most_ are left out
  static constexpr double kUsualSpread = 3.0;     // see error()
  static constexpr double kLeastSum = 1e-250;     // terms below 1e-307 are not added
  static constexpr int kMostIntervals = 1 << 15;  // 1.5 MB

  // NaN where no series is accurate enough.
  double by_series(double x) const;

  void fill() {
    all_.reserve(static_cast<std::size_t>(count_));
    for (int i = 0; i < count_; ++i) all_.push_back(series(i));
  }

  // The series of an interval in multiples of its width.
  Series series(int i) const;

  // A bound of the remainder, from the moments about the nearest point. The tilt is |s| <= half_.
  // With y = s d, exp(y) <= 1 + |y| + y^2 exp(|y|) / 2, and by Jensen E exp(y) >= exp(s E d). So
  // E|d|^6 is at most length^6 in the whole interval, and the mean moves by at most s length^2.
  double error(const std::array<double, simd::kNormalMoments>& m, double far) const;

  KernelDensity density_;
  double most_ = 0, width_ = 0, inverse_width_ = 0;
  double half_ = 0;   // half the width, in bandwidths
  double first_ = 0;  // interval, as a multiple of the width
  int count_ = 0;     // of intervals; 0: none is used
  std::vector<Series> all_;
};

}  // namespace bayesrisk

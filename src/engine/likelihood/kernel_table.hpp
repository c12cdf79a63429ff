#pragma once

#include <engine/likelihood/kernel_density.hpp>

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
              Index rows)
      : density_(points, bandwidth) {
    if (!(step > 0) || points.rows() == 0) return;
    const double bound = step / bandwidth * (step / bandwidth) / 8;  // of the grid
    most_ = kShareOfBound * bound;
    if (!(most_ >= kLeastError)) return;
    const double wanted = bandwidth * 2 * std::pow(45 * most_, 1. / 6) / kUsualSpread;
    width_ = std::ldexp(1.0, std::ilogb(wanted));
    inverse_width_ = 1 / width_;
    half_ = width_ / bandwidth / 2;
    const double begin = std::floor(low * inverse_width_);
    const double end = std::floor(high * inverse_width_) + 1;
    // Beyond 2^51 intervals from 0 the centres would be rounded.
    if (!std::isnormal(width_) || !(std::max(-begin, end) < 0x1p51)) return;
    const double middle = std::floor(points(points.rows() / 2, 0) * inverse_width_);
    first_ = std::max(begin, middle - kMostIntervals / 2);
    count_ = static_cast<int>(std::min<double>(end - first_, kMostIntervals));
    if (rows >= count_) fill();
  }

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
  double by_series(double x) const {
    const double place = x * inverse_width_, from_first = place - first_;
    if (!(from_first >= 0 && from_first < count_)) return kNaN;
    const int i = static_cast<int>(from_first);
    Series own;
    const Series& c = all_.empty() ? (own = series(i)) : all_[static_cast<std::size_t>(i)];
    const double t = place - (first_ + i + 0.5);
    return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
  }

  void fill() {
    all_.reserve(static_cast<std::size_t>(count_));
    for (int i = 0; i < count_; ++i) all_.push_back(series(i));
  }

  // The series of an interval in multiples of its width.
  Series series(int i) const {
    const double centre = (first_ + i + 0.5) * width_;
    const KernelDensity::Moments about = density_.moments(centre, half_, kFaint - std::log(most_));
    const double sum = about.moment[0];
    std::array<double, simd::kNormalMoments> m;
    for (int k = 0; k < simd::kNormalMoments; ++k) m[k] = about.moment[k] / sum;
    const bool accurate = error(m, about.far) + about.left_out <= most_;
    if (!accurate || sum < kLeastSum) return {kNaN};
    const double m2 = m[1] * m[1];
    const double variance = m[2] - m2;
    const double third = m[3] - m[1] * (3 * m[2] - 2 * m2);
    const double fourth = m[4] - 4 * m[1] * m[3] + m2 * (6 * m[2] - 3 * m2);
    const double fifth = m[5] - 5 * m[1] * m[4] + m2 * (10 * m[3] - m[1] * (10 * m[2] - 4 * m2));
    const double h = 2 * half_, h2 = h * h;
    return {about.log_nearest + std::log(sum),
            (m[1] - about.z) * h,
            (variance - 1) * h2 / 2,
            third * h2 * h / 6,
            (fourth - 3 * variance * variance) * h2 * h2 / 24,
            (fifth - 10 * third * variance) * h2 * h2 * h / 120};
  }

  // A bound of the remainder, from the moments about the nearest point. The tilt is |s| <= half_.
  // With y = s d, exp(y) <= 1 + |y| + y^2 exp(|y|) / 2, and by Jensen E exp(y) >= exp(s E d). So
  // E|d|^6 is at most length^6 in the whole interval, and the mean moves by at most s length^2.
  double error(const std::array<double, simd::kNormalMoments>& m, double far) const {
    const double s = half_, mean = std::abs(m[1]);
    const double tilted =
        m[6] + s * std::sqrt(m[6] * m[7]) + 0.5 * s * s * std::exp(s * far) * m[7];
    const double length = std::cbrt(std::sqrt(tilted * std::exp(s * mean)));
    const double spread = s * (length + mean + s * length * length);
    const double square = spread * spread;
    return square * square * square / 45;
  }

  KernelDensity density_;
  double most_ = 0, width_ = 0, inverse_width_ = 0;
  double half_ = 0;   // half the width, in bandwidths
  double first_ = 0;  // interval, as a multiple of the width
  int count_ = 0;     // of intervals; 0: none is used
  std::vector<Series> all_;
};

}  // namespace bayesrisk

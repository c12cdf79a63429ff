#pragma once

#include <engine/regions/contests.hpp>

namespace bayesrisk {

// The sign changes of two terms of opposite sign: the roots of one quadratic,
//   (s2 - s1)(s2 + s1) y^2 + 2 d s1^2 y = s1^2 (d^2 + 2 l s2^2),
// where y = x - m1, d = m2 - m1, and l is the log of the ratio of the sizes. The first term is the
// narrower one, because both roots may be close to its mean. The root without cancellation is
// computed first. The product of both roots gives the other root. With equal sds the first root is
// the only one.
inline Vector crossings_of_two(const SignedTerm& one, const SignedTerm& other) {
  const bool in_order = one.sd <= other.sd;
  const SignedTerm &first = in_order ? one : other, &second = in_order ? other : one;
  // The unit is a power of two, so that the change of units rounds nothing.
  const double unit = std::ldexp(
      1, std::ilogb(std::max({first.sd, second.sd, std::abs(second.mean - first.mean)})));
  const double s1 = first.sd / unit, s2 = second.sd / unit;
  const double d = (second.mean - first.mean) / unit;
  const double l = first.log_size - second.log_size;
  const double a = (s2 - s1) * (s2 + s1), b = d * s1 * s1, c = -s1 * s1 * (d * d + 2 * l * s2 * s2);
  const double discriminant = d * d + 2 * l * a;
  if (!(discriminant > 0)) return {};
  const double q = -(b + std::copysign(s1 * s2 * std::sqrt(discriminant), b));
  Vector roots;
  for (double y : {q / a, c / q}) {
    const double x = first.mean + unit * y;
    if (std::isfinite(x)) roots.push_back(x);
  }
  return roots;
}

// The points at which a sum of three or more terms changes its sign. Intervals are halved until
// bounds prove that they have no zero, or at most one.
template <class Term>
class SignChanges {
 public:
  explicit SignChanges(const Difference<Term>& difference) : terms_(difference) {}

  // The sign changes within (low, high].
  Vector find(const Interval& within) {
    const double left = std::isinf(within.low) ? proven_tail(-1) : within.low;
    const double right = std::isinf(within.high) ? proven_tail(1) : within.high;
    if (!(left < right)) return {};
    std::vector<Interval> open{{left, right}};
    while (!open.empty()) {
      const Interval interval = open.back();
      open.pop_back();
      const double middle = interval.low + 0.5 * (interval.high - interval.low);
      const Verdict verdict = judge(interval, middle);
      if (verdict == Verdict::none) continue;
      if (verdict == Verdict::at_most_one || --budget_ < 0) {
        bisect(interval);
      } else {
        open.push_back({middle, interval.high});
        open.push_back({interval.low, middle});
      }
    }
    std::sort(roots_.begin(), roots_.end());
    return roots_;
  }

 private:
  // Bounds over an interval of the sum, of its slope, and of the sum of absolute values, all
  // relative to a reference term.
  struct Bounds {
    double positive_low = 0, positive_high = 0, negative_low = 0, negative_high = 0;
    double slope_low = 0, slope_high = 0;

    bool excludes_zero() const {
      const double room = kRoom * (positive_high + negative_high);
      return positive_low - negative_high > room || negative_low - positive_high > room;
    }
    bool is_monotone() const { return slope_low > 0 || slope_high < 0; }
    // Whether the sum is only rounding error, so that the actions tie.
    bool is_flat() const {
      const double size = kFlat * (positive_low + negative_low);
      return positive_high - negative_low <= size && negative_high - positive_low <= size;
    }
    double steepest() const { return std::max(std::abs(slope_low), std::abs(slope_high)); }
  };
  using Ratio = typename Term::Ratio;
  enum class Verdict { none, at_most_one, unknown };

  static constexpr double kRoom = 1e-13, kFlat = 1e-13, kFarthest = 1e150;

  Verdict judge(const Interval& interval, double middle) {
    if (!(interval.low < middle && middle < interval.high)) return Verdict::at_most_one;
    const std::size_t reference = largest_at(middle);
    const Bounds bounds = bound(interval, reference);
    if (bounds.excludes_zero()) return Verdict::none;
    if (bounds.is_monotone() || bounds.is_flat()) return Verdict::at_most_one;
    const double reach = bounds.steepest() * 0.5 * (interval.high - interval.low);
    return std::abs(value(middle, reference)) > (1 + kRoom) * reach ? Verdict::none
                                                                    : Verdict::unknown;
  }

  Bounds bound(const Interval& interval, std::size_t reference) {
    Bounds bounds;
    const std::vector<Ratio>& ratios = ratios_to(reference);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto [low, high] = range_of(ratios[i], interval);
      const double smallest = std::exp(low), largest = std::exp(high);
      const bool positive = terms_[i].sign > 0;
      (positive ? bounds.positive_low : bounds.negative_low) += smallest;
      (positive ? bounds.positive_high : bounds.negative_high) += largest;
      const auto [falling, rising] =
          std::minmax({ratios[i].slope_at(interval.low), ratios[i].slope_at(interval.high)});
      const double least = falling * (falling < 0 ? largest : smallest);
      const double most = rising * (rising > 0 ? largest : smallest);
      bounds.slope_low += positive ? least : -most;
      bounds.slope_high += positive ? most : -least;
    }
    return bounds;
  }

  double value(double x, std::size_t reference) {
    const std::vector<Ratio>& ratios = ratios_to(reference);
    double sum = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      sum += terms_[i].sign * std::exp(ratios[i].at(x));
    }
    return sum;
  }

  const std::vector<Ratio>& ratios_to(std::size_t reference) {
    if (ratios_.empty() || reference != reference_) {
      ratios_.clear();
      for (const Term& term : terms_) ratios_.emplace_back(term, terms_[reference]);
      reference_ = reference;
    }
    return ratios_;
  }

  std::size_t largest_at(double x) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      if (terms_[i].log_at(x) > terms_[best].log_at(x)) best = i;
    }
    return best;
  }

  // The term that dominates far out.
  std::size_t largest_far_out(double side) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      if (terms_[i].outweighs(terms_[best], side)) best = i;
    }
    return best;
  }

  // A point beyond which there is no zero.
  double proven_tail(double side) {
    double outermost = side * terms_[0].middle(), step = 0;
    for (const Term& term : terms_) outermost = std::max(outermost, side * term.middle());
    for (const Term& term : terms_) {
      step = std::max({step, term.spread(), outermost - side * term.middle()});
    }
    const std::size_t reference = largest_far_out(side);
    const double infinity = side * std::numeric_limits<double>::infinity();
    double x = side * (outermost + step);
    while (step < kFarthest) {
      const Interval tail = side > 0 ? Interval{x, infinity} : Interval{infinity, x};
      if (bound(tail, reference).excludes_zero()) break;
      step *= 2;
      x = side * (outermost + step);
    }
    return x;
  }

  // Bisects down to neighbouring doubles. The sign depends only on x, so exactly one of two
  // adjacent intervals contains a change at their common end.
  void bisect(Interval interval) {
    const bool sign = is_positive(terms_, interval.low);
    if (sign == is_positive(terms_, interval.high)) return;
    while (true) {
      const double middle = interval.low + 0.5 * (interval.high - interval.low);
      if (!(interval.low < middle && middle < interval.high)) break;
      (is_positive(terms_, middle) == sign ? interval.low : interval.high) = middle;
    }
    roots_.push_back(interval.high);
  }

  const Difference<Term>& terms_;
  std::vector<Ratio> ratios_;  // to the last reference
  std::size_t reference_ = 0;
  Vector roots_;
  int budget_ = 20000;  // limit of halvings: reached only by ties nearly everywhere
};

}  // namespace bayesrisk

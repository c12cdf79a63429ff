#pragma once

#include <engine/core/count_law.hpp>

namespace bayesrisk {

// Probabilities of ranges of counts under a negative binomial or Poisson distribution. Terms are
// added from the largest one on, so small probabilities keep their digits. If there are many terms,
// tails come from the continued fraction of the incomplete beta function.
class CountTails {
 public:
  explicit CountTails(const CountLaw& law)
      : law_(law),
        size_(law.size),
        growth_(law.is_poisson() ? 0.0 : law.mean / (law.mean + law.size)) {}

  // An estimate of the number of counts whose probability is not negligible.
  double width() const { return 40 * (law_.sd() + law_.mean / size_); }

  // The most probable count.
  double mode() const { return size_ > 1 ? std::floor(law_.mean - law_.mean / size_) : 0.0; }

  // P(low <= X <= high), whole numbers or infinite.
  double between(double low, double high) const {
    low = std::max(low, 0.0);
    if (!(low <= high)) return 0;
    if (law_.mean == 0) return low == 0 ? 1 : 0;
    if (width() > kMany && high - low > kMany) return by_tails(low, high);
    const double largest = std::clamp(mode(), low, high);
    double sum = 1;
    each_above(largest, high, [&](double term) { sum += term; });
    each_below(largest, low, [&](double term) { sum += term; });
    return std::exp(law_.log_probability(largest)) * sum;
  }

  // Calls add(p) for each count above `from`, in order, where p is the probability relative to that
  // of `from`. Stops at `high`, or if the remaining terms are negligible. Their sum is bounded by a
  // geometric series. The ratio of this series is `growth` or the next ratio of successive terms,
  // whichever is larger, because no later ratio is above that.
  template <class Add>
  void each_above(double from, double high, const Add& add) const {
    double sum = 1, term = 1;
    for (double n = next_count(from); n <= high; n = next_count(n)) {
      term *= growth_at(n);
      sum += term;
      add(term);
      const double ratio = std::max(growth_, growth_at(n + 1));
      if (ratio < 1 && term * ratio <= kNegligible * sum * (1 - ratio)) break;
    }
  }

  template <class Add>
  void each_below(double from, double low, const Add& add) const {
    double sum = 1, term = 1;
    for (double n = from; n > low; n = previous_count(n)) {
      const double ratio = 1 / growth_at(n);
      term *= ratio;
      sum += term;
      add(term);
      if (ratio < 1 && term * ratio <= kNegligible * sum * (1 - ratio)) break;
    }
  }

  // P(X < n) and P(X >= n). The continued fraction gives the tail that does not contain the mean.
  Tails tails(double n) const;

  // A bound of their errors.
  double error() const {
    if (law_.is_poisson()) return 1e-14;
    if (std::min(law_.mean, size_) > kHuge) return 1e-6;
    return 2e-16 * std::clamp(law_.sd(), 50.0, kWide);
  }

 private:
  static constexpr double kNegligible = 1e-17, kMany = 1e5, kLarge = 1e3, kWide = 5e7, kHuge = 1e10;

  // P(X = n) / P(X = n - 1). For large n the ratio approaches `growth`, from above or from below.
  double growth_at(double n) const {
    return law_.is_poisson() ? law_.mean / n : (n - 1 + size_) / n * growth_;
  }

  double by_tails(double low, double high) const {
    const Tails below = tails(low), above = tails(high + 1);
    const double difference = low > law_.mean    ? below.upper - above.upper
                              : high < law_.mean ? above.lower - below.lower
                                                 : 1 - below.lower - above.upper;
    return std::max(0.0, difference);
  }

  // P(X < n), relative to P(X = n) n / size. For a large size the continued fraction would lose
  // digits.
  double below(double n) const {
    if (size_ < kLarge * law_.sd()) return fraction(size_, n, size_ / (law_.mean + size_));
    double sum = 1;
    each_below(n - 1, 0, [&](double term) { sum += term; });
    return sum * (size_ / n) / growth_at(n);
  }

  // The gamma distribution with the same mean and variance: accurate to 1e-6 for a large size, to
  // 3e-9 for a large spread.
  Tails like_numbers(double n) const {
    const double shape = 1 / (1 / law_.mean + 1 / size_);
    return IncompleteGamma(shape).tails((n - 0.5) * (shape / law_.mean));
  }

  // a B(a, b) I_x(a, b) / (x^a (1 - x)^b) by Lentz's evaluation (Press et al. 2007, section 6.4).
  static double fraction(double a, double b, double x);

  CountLaw law_;
  double size_, growth_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/count_tails.hpp>
#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// The counts of two classes, as events. An event represents one count, or several counts of a long
// run. An integral replaces the sum over a long run: the run is cut into pieces that are short
// compared with the spread, and each piece has the 16 points of a Gauss-Legendre rule.
class CommonCounts {
 public:
  CommonCounts(const CountLaw& first, const CountLaw& second) : first_(first), second_(second) {}

  std::vector<EventPair> find() {
    const double low = std::min(lowest(first_), lowest(second_));
    const double high = std::max(highest(first_), highest(second_));
    double x = low;
    for (; x <= high && x < low + kSingle; ++x) add(x, 1);
    if (x > high) return std::move(events_);
    // The sum from x on is about the integral from x - 1/2 on, plus 1/24 of the slope there. The
    // slope is the term at x minus the term at x - 1. So the term at x - 1, the last event so far,
    // counts 1 - 1/24 times, and the term at x counts 1/24 times.
    events_.back().log_count = std::log1p(-1 / 24.0);
    add(x, 1 / 24.0);
    for (x -= 0.5; x < high;) {
      const double length = std::min(high + 1 - x, std::min(spread(first_, x), spread(second_, x)));
      add_piece(x, length);
      x += length;
    }
    return std::move(events_);
  }

 private:
  static constexpr double kSingle = 4096, kNegligible = 1e-30;

  void add(double x, double count) {
    events_.push_back({first_.log_probability(x), second_.log_probability(x), std::log(count)});
  }

  void add_piece(double from, double length) {
    constexpr double kNode[] = {0.09501250983763744019, 0.28160355077925891323,
                                0.45801677765722738634, 0.61787624440264374845,
                                0.75540440835500303390, 0.86563120238783174388,
                                0.94457502307323257608, 0.98940093499164993260};
    constexpr double kWeight[] = {0.18945061045506849629, 0.18260341504492358887,
                                  0.16915651939500253819, 0.14959598881657673208,
                                  0.12462897125553387205, 0.09515851168249278481,
                                  0.06225352393864789286, 0.02715245941175409485};
    for (int i = 0; i < 8; ++i) {
      for (double side : {-1.0, 1.0}) {
        add(from + 0.5 * length * (1 + side * kNode[i]), 0.5 * length * kWeight[i]);
      }
    }
  }

  // The width about x in which a probability changes by a known factor.
  static double spread(const CountLaw& law, double x) {
    return std::sqrt(x) * std::sqrt(law.is_poisson() ? 1.0 : 1 + x / law.size);
  }

  static double lowest(const CountLaw& law) {
    const CountTails tails(law);
    double low = tails.mode(), step = law.sd() + 1;
    for (; low > 0 && tails.tails(low).lower > kNegligible; step *= 2) low -= std::floor(step);
    return std::max(0.0, low);
  }

  static double highest(const CountLaw& law) {
    const CountTails tails(law);
    double high = tails.mode() + 1, step = law.sd() + 1;
    for (; tails.tails(high).upper > kNegligible && step < 1e300; step *= 2) {
      high += std::floor(step);
    }
    return high;
  }

  const CountLaw &first_, &second_;
  std::vector<EventPair> events_;
};

inline std::vector<EventPair> common_counts(const CountLaw& first, const CountLaw& second) {
  return CommonCounts(first, second).find();
}

}  // namespace bayesrisk

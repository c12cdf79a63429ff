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

  std::vector<EventPair> find();

 private:
  static constexpr double kSingle = 4096, kNegligible = 1e-30;

  void add(double x, double count) {
    events_.push_back({first_.log_probability(x), second_.log_probability(x), std::log(count)});
  }

  void add_piece(double from, double length);

  // The width about x in which a probability changes by a known factor.
  static double spread(const CountLaw& law, double x) {
    return std::sqrt(x) * std::sqrt(law.is_poisson() ? 1.0 : 1 + x / law.size);
  }

  static double lowest(const CountLaw& law);

  static double highest(const CountLaw& law);

  const CountLaw &first_, &second_;
  std::vector<EventPair> events_;
};

inline std::vector<EventPair> common_counts(const CountLaw& first, const CountLaw& second) {
  return CommonCounts(first, second).find();
}

}  // namespace bayesrisk

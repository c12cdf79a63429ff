#pragma once

#include <engine/core/log_math.hpp>

#include <functional>

namespace bayesrisk {

struct MeanAndSd {
  double mean, sd;
};

// The distance between the means of a feature in two classes, and the two variances.
struct MomentPair {
  double distance, first, second;
};

// The unit is the first sd if it is positive, because squares of very large or small numbers would
// overflow or underflow.
MomentPair compare_moments(const MeanAndSd& first, const MeanAndSd& second);

// The log of the integral of p^s q^(1 - s) as a function of s in [0, 1], where p and q are the
// densities of two classes. At s = 0 and s = 1 the limit is used: only values that are possible in
// both classes count.
using LogOverlap = std::function<double(double s)>;

// A set of events that all have one log probability in the first class and one in the second class,
// and the log of the number of events. For densities: a range of values, and the log of its width.
struct EventPair {
  double log_first, log_second, log_count = 0;
};

LogOverlap log_overlap(std::vector<EventPair> events);

// The numbers of all classes in increasing order, each once.
template <class OfClass, class Numbers>
Vector unite(const std::vector<OfClass>& classes, const Numbers& numbers) {
  Vector result;
  for (const OfClass& of : classes) {
    const Vector& own = numbers(of);
    result.insert(result.end(), own.begin(), own.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace bayesrisk

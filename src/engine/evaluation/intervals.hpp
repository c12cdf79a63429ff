#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/quantile.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bayesrisk {

// How intervals are found: by draws of a posterior, by drawing cases with replacement, or not.
enum class Resampling { bayes, bootstrap, none };

struct IntervalPlan {
  Resampling by = Resampling::bayes;
  double level = 0.95;
  std::uint64_t seed = 1;

  double tail() const { return (1 - level) / 2; }
};

// The quantiles at both ends of the level. Values that are NaN are left out. `kept`: a value that
// is always inside.
struct Range {
  double lower = kNaN, upper = kNaN;
};

inline Range range_of(Vector values, const IntervalPlan& plan, double kept) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
               values.end());
  if (values.empty() || std::isnan(kept)) return {};
  std::sort(values.begin(), values.end());
  return {std::min(kept, quantile(values, plan.tail())),
          std::max(kept, quantile(values, 1 - plan.tail()))};
}

}  // namespace bayesrisk

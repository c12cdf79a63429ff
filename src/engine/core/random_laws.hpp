#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/core/random.hpp>

namespace bayesrisk {

// Random numbers of some distributions, from one stream.
class RandomLaws {
 public:
  RandomLaws(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}

  // In (0, 1): the sum alone may round to 1.
  double uniform() { return std::min(random_.uniform() + 0x1p-54, 1 - 0x1p-53); }
  double normal() { return normal_quantile(uniform()); }
  double chi_squared(double freedom) { return 2 * std::exp(log_gamma(0.5 * freedom)); }

  // The log of a gamma number of scale 1, because a number of a small shape underflows (Marsaglia
  // and Tsang 2000). Shape 0: the number is 0; an infinite shape: it is infinite.
  double log_gamma(double shape) {
    if (!(shape > 0)) return kNegativeInfinity;
    if (std::isinf(shape)) return kInfinity;
    if (shape < 1) return log_gamma(shape + 1) + std::log(uniform()) / shape;
    const double d = shape - 1 / 3.0, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double z = normal(), root = 1 + c * z;
      if (!(root > 0)) continue;
      const double v = root * root * root;
      if (std::log(uniform()) < 0.5 * z * z + d * (1 - v + std::log(v))) return std::log(d * v);
    }
  }

 private:
  CounterRandom random_;
};

}  // namespace bayesrisk

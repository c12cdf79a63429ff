#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace bayesrisk {

// A zero of a continuous function that has different signs at the two ends, to the last digits of
// max(1, |x|): bisection, and inverse quadratic interpolation where it converges safely
// (Chandrupatla 1997, Advances in Engineering Software 28, 145-149).
template <class Function>
double find_root(const Function& f, double a, double b) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double of_a = f(a), of_b = f(b), share = 0.5;
  for (int i = 0; i < 2000; ++i) {
    const double x = a + share * (b - a), of_x = f(x);
    double c = a, of_c = of_a;
    if ((of_x > 0) != (of_a > 0)) {
      c = b;
      of_c = of_b;
      b = a;
      of_b = of_a;
    }
    a = x;
    of_a = of_x;
    const double best = std::abs(of_a) < std::abs(of_b) ? a : b;
    const double least = 2 * kEpsilon * std::max(1.0, std::abs(best)) / std::abs(b - a);
    if (!(least < 0.5) || of_a == 0) return best;
    const double place = (a - b) / (c - b), height = (of_a - of_b) / (of_c - of_b);
    share = 0.5;
    if (height * height < place && (1 - height) * (1 - height) < 1 - place) {
      share = of_a / (of_b - of_a) * of_c / (of_b - of_c) +
              (c - a) / (b - a) * of_a / (of_c - of_a) * of_b / (of_c - of_b);
    }
    share = std::clamp(share, least, 1 - least);
  }
  return a;
}

}  // namespace bayesrisk

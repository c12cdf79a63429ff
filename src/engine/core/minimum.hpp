#pragma once

#include <cmath>
#include <utility>

namespace bayesrisk {

// The argument of a least value of a function between low and high, to an absolute tolerance, from
// an argument between them: the vertex of the parabola through the three least values where it is
// close, golden section elsewhere (Brent 1973, Algorithms for Minimization without Derivatives).
template <class Function>
double find_minimum(const Function& f, double low, double middle, double high, double tolerance) {
  constexpr double kGolden = 0.38196601125010515;
  double best = middle, second = middle, third = middle;
  double of_best = f(best), of_second = of_best, of_third = of_best;
  double step = 0, before = 0;
  for (int i = 0; i < 100; ++i) {
    const double centre = 0.5 * (low + high);
    if (std::abs(best - centre) + 0.5 * (high - low) <= 2 * tolerance) break;
    const double r = (best - second) * (of_best - of_third);
    double q = (best - third) * (of_best - of_second);
    double p = (best - third) * q - (best - second) * r;
    q = 2 * (q - r);
    if (q > 0) p = -p;
    q = std::abs(q);
    const bool close =
        std::abs(p) < std::abs(0.5 * q * before) && p > q * (low - best) && p < q * (high - best);
    before = close ? step : (best < centre ? high : low) - best;
    step = close ? p / q : kGolden * before;
    // The last probes are a tolerance to each side, and none is closer to an end of the interval.
    const double next = best + step;
    const bool at_end = next - low < 2 * tolerance || high - next < 2 * tolerance;
    if (at_end) step = std::copysign(tolerance, centre - best);
    if (std::abs(step) < tolerance) step = std::copysign(tolerance, step);
    const double probe = best + step, value = f(probe);
    if (value <= of_best) {
      (probe < best ? high : low) = best;
      third = std::exchange(second, std::exchange(best, probe));
      of_third = std::exchange(of_second, std::exchange(of_best, value));
      continue;
    }
    (probe < best ? low : high) = probe;
    if (value <= of_second || second == best) {
      third = std::exchange(second, probe);
      of_third = std::exchange(of_second, value);
    } else if (value <= of_third || third == best || third == second) {
      third = probe;
      of_third = value;
    }
  }
  return best;
}

}  // namespace bayesrisk

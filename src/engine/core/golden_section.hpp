#pragma once

namespace bayesrisk {

constexpr double kGolden = 0.38196601125010515;  // a golden section from an end

// The argument of the least value of a function between low and high that golden section finds from
// an argument between them. A step narrows the interval to 0.62 of its length.
template <class Function>
double golden_section(const Function& f, double low, double middle, double high, int steps) {
  double least = f(middle);
  for (int i = 0; i < steps; ++i) {
    const bool right = high - middle > middle - low;
    const double probe =
        right ? middle + kGolden * (high - middle) : middle - kGolden * (middle - low);
    const double value = f(probe);
    if (value < least) {
      (right ? low : high) = middle;
      middle = probe;
      least = value;
    } else {
      (right ? high : low) = probe;
    }
  }
  return middle;
}

}  // namespace bayesrisk

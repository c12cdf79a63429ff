#pragma once

#include <bayesrisk/kernel/lanes.hpp>

namespace bayesrisk {
namespace kernel {

constexpr double kLowestNormalExp = -708;  // exp() of less may be below the normal doubles
constexpr double kLowestExp = -745.2;      // exp() of less is 0

// exp(x) for -708 <= x <= 709, to 1 ulp: x = n log 2 + r with |r| <= log(2) / 2, and
// exp(r) = 1 + (r + r^2 q(r)), q of degree 9 (interpolated at Chebyshev's nodes).
inline Lanes exp_normal(Lanes x) {
  // Adding 1.5 * 2^52 rounds to a whole number, which is left in the low bits.
  constexpr double kRounder = 0x1.8p52, kLogTwoHigh = 6.93147180369123816490e-01,
                   kLogTwoLow = 1.90821492927058770002e-10;
  const Lanes shifted = x * 0x1.71547652b82fep0 + kRounder;
  const Lanes n = shifted - kRounder;
  const Lanes r = (x - n * kLogTwoHigh) - n * kLogTwoLow;
  const Lanes r2 = r * r, r4 = r2 * r2;
  const Lanes q0 = (r * 0x1.5555555555556p-3 + 0x1.0000000000001p-1) +
                   (r * 0x1.11111111109b3p-7 + 0x1.5555555553d63p-5) * r2;
  const Lanes q4 = (r * 0x1.a01a01a7c41d5p-13 + 0x1.6c16c1788bd90p-10) +
                   (r * 0x1.71de0dae63bb3p-19 + 0x1.a019b90d2ae7ap-16) * r2;
  const Lanes q8 = r * 0x1.af38a9b0ec855p-26 + 0x1.289185613a3d6p-22;
  const Lanes result = (r + r2 * (q0 + (q4 + q8 * r4) * r4)) + 1.0;
  return (Lanes)((LaneBits)result + ((LaneBits)shifted << 52));
}

// The numbers below the normal doubles that exp_normal() leaves out.
inline void fill_faint(const double* top, const double* x, int rows, double* y) {
  constexpr double kShift = 100, kExpOfMinusShift = 0x1.a8c1f14e2af5dp-145;
  for (int r = 0; r < rows; r += 2) {
    const Lanes d = lanes(top + r) - lanes(x + r);
    const auto faint = (d < kLowestNormalExp) & (d > kLowestExp);
    lanes(y + r) = faint ? exp_normal(d + kShift) * kExpOfMinusShift : lanes(y + r);
  }
}

// y[r] = exp(top[r] - x[r]) for top <= x (x infinite: 0; a difference NaN: 0), and
// sum[r] += y[r], where a number that is not normal does not count. rows: padded.
inline void add_exponentials(const double* top, const double* x, int rows, double* y, double* sum) {
  auto any_faint = Lanes{} > Lanes{};
  for (int r = 0; r < rows; r += 2) {
    const Lanes d = lanes(top + r) - lanes(x + r);
    const auto normal = d >= kLowestNormalExp;
    const Lanes result = normal ? exp_normal(d) : Lanes{};
    lanes(y + r) = result;
    lanes(sum + r) += result;
    any_faint |= ~normal & (d > kLowestExp);
  }
  if (any_faint[0] | any_faint[1]) fill_faint(top, x, rows, y);
}

}  // namespace kernel
}  // namespace bayesrisk

// Decisions that need no exact probabilities. tile_loops.hpp includes this file after
// score_loops_body.hpp, in the same way as tile_loops_body.hpp.
//
// Single precision decides a row unless two expected costs are close, and takes half the time.

typedef float Floats __attribute__((vector_size(sizeof(Lanes)), may_alias));
typedef int FloatCodes __attribute__((vector_size(sizeof(Lanes)), aligned(4), may_alias));
typedef unsigned FloatBits __attribute__((vector_size(sizeof(Lanes)), may_alias));
constexpr int kFloats = 2 * kWidth;

constexpr float kFaintest = -30;  // rough_exp() of less is that of this number
// More than twice the error of an expected cost, relative to the sum of the largest costs: 4.1e-6
// because x is rounded in exp(x), 1.1e-7 by the polynomial, and kMostRough + 10 roundings.
constexpr float kUnclear = 0x1p-16f;

inline Floats narrow(Lanes a, Lanes b) {
#ifdef BAYESRISK_LANE_CODES
  typedef float Half __attribute__((vector_size(sizeof(Lanes) / 2)));
  const Half low = __builtin_convertvector(a, Half), high = __builtin_convertvector(b, Half);
  return Floats{low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
#else
  return Floats{static_cast<float>(a[0]), static_cast<float>(a[1]), static_cast<float>(b[0]),
                static_cast<float>(b[1])};
#endif
}

// exp(x) for kFaintest <= x <= 0. x log2(e) = n + r with |r| <= 1/2, and the polynomial for 2^r
// has degree 5 and interpolates at Chebyshev's nodes, with a relative error of 1.1e-7.
inline Floats rough_exp(Floats x) {
  constexpr float kRounder = 0x1.8p23f, kLogTwoE = 0x1.715476p0f;
  const Floats shifted = x * kLogTwoE + kRounder;
  const Floats r = x * kLogTwoE - (shifted - kRounder);
  const Floats r2 = r * r;
  const Floats q0 = r * 0x1.62e43p-1f + 0x1.000002p+0f;
  const Floats q2 = r * 0x1.c6af6cp-5f + 0x1.ebf906p-3f;
  const Floats q4 = r * 0x1.5f089p-10f + 0x1.3d107p-7f;
  const Floats result = (q4 * r2 + q2) * r2 + q0;
  return (Floats)((FloatBits)result + ((FloatBits)shifted << 23));
}

// Writes the weights of the classes in kFloats rows, relative to the most probable class. Returns
// the sum over classes of weight times largest cost; NaN if a log joint is NaN or the largest is
// infinite. `Classes`: their number; 0: it is not known to the compiler, as below.
template <int Classes>
inline Floats weigh_roughly(const double* log_likelihood, const double* log_prior, int classes,
                            int stride, const float* most, Floats* weight) {
  const int count = Classes > 0 ? Classes : classes;
  const auto joint = [&](int k, int v) {
    return *lanes(log_likelihood + k * stride + v * kWidth) + log_prior[k];
  };
  Lanes top0 = joint(0, 0), top1 = joint(0, 1);
#pragma GCC unroll 4
  for (int k = 1; k < count; ++k) {
    const Lanes v0 = joint(k, 0), v1 = joint(k, 1);
    top0 = v0 > top0 ? v0 : top0;
    top1 = v1 > top1 ? v1 : top1;
  }
  Floats size = {}, check = {};
#pragma GCC unroll 4
  for (int k = 0; k < count; ++k) {
    const Floats d = narrow(joint(k, 0) - top0, joint(k, 1) - top1);
    check += d;
    weight[k] = rough_exp(d > kFaintest ? d : Floats{} + kFaintest);
    size += weight[k] * most[k];
  }
  return check == check ? size : Floats{} + __builtin_nanf("");
}

template <int Classes>
inline bool choose_actions_of(const double* log_likelihood, const double* log_prior, int classes,
                              int stride, int rows, const RoughCosts& costs, int* action) {
  const int count = Classes > 0 ? Classes : classes;
  Floats weight[Classes > 0 ? Classes : kMostRough];
  FloatCodes clear = FloatCodes{} == 0;
  for (int r = 0; r < rows; r += kFloats) {
    const Floats size =
        weigh_roughly<Classes>(log_likelihood + r, log_prior, classes, stride, costs.most, weight);
    Floats least = Floats{} + __builtin_inff(), next = least;
    FloatCodes chosen = {};
    const float* cost = costs.of;
    for (int a = 0; a < costs.actions; ++a) {
      Floats expected = {};
#pragma GCC unroll 4
      for (int k = 0; k < count; ++k) expected += weight[k] * cost[k];
      cost += count;
      const Floats worse = expected > least ? expected : least;
      next = worse < next ? worse : next;
      chosen = expected < least ? FloatCodes{} + a : chosen;
      least = expected < least ? expected : least;
    }
    clear &= next - least > size * kUnclear + costs.faint;
    *reinterpret_cast<FloatCodes*>(action + r) = chosen + 1;
  }
  for (int i = 0; i < kFloats; ++i) clear[0] &= clear[i];
  return clear[0] != 0;
}

inline bool choose_actions(const double* log_likelihood, const double* log_prior, int classes,
                           int stride, int rows, const RoughCosts& costs, int* action) {
  const auto choose = classes == 2   ? choose_actions_of<2>
                      : classes == 3 ? choose_actions_of<3>
                      : classes == 4 ? choose_actions_of<4>
                                     : choose_actions_of<0>;
  return choose(log_likelihood, log_prior, classes, stride, rows, costs, action);
}

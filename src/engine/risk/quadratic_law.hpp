#pragma once

#include <engine/core/log_math.hpp>

#include <complex>

namespace bayesrisk {

// A generalised chi-square: constant + sum of square z^2 + linear z over independent N(0, 1) z.
struct QuadraticForm {
  double constant = 0;
  Vector square, linear;
  // Errors by rounding, in epsilons of a double. If the vectors are empty, the weights are exact.
  double constant_error = 0;
  Vector square_error = {}, linear_error = {};

  void add_constant(double more, double error) {
    constant += more;
    constant_error += error;
  }

  void add(double of_square, double of_linear, double of_square_error = 0,
           double of_linear_error = 0);

  double mean() const;

  bool finite() const;

  // Whether the weights of tilted() keep most of their digits.
  bool tilts() const;

  // This form must be the log of a ratio of two densities, and z is N(0, I) under the density in
  // the denominator. The result is the same log ratio under the density in the numerator. There z =
  // linear / q + y / sqrt(q), where q = 1 - 2 square and y is N(0, I).
  QuadraticForm tilted() const;

  // A number is below a value `at` if the negative number is above `-at`.
  QuadraticForm negative() const;
};

// A probability and a bound of its error.
struct Tail {
  double probability, error;
};

// P(form > at). The characteristic function is inverted numerically, as by Imhof (1961, Biometrika
// 48, 419-426) and Davies (1980, Applied Statistics 29, 323-333), but along a line through the
// saddle point s of K(s) - s at - log s, where K is the cumulant generating function (Rice 1980,
// SIAM J. Sci. Stat. Comput. 1, 438-448). There the integrand does not cancel, so that a tiny
// probability has the relative accuracy of a large one. The path bends towards the side on which
// the integrand falls, and its steps grow exponentially. So the trapezoidal rule converges
// exponentially, even with few degrees of freedom.
class UpperTail {
 public:
  UpperTail(const QuadraticForm& form, double at) : form_(form), at_(at) {}

  Tail find();

 private:
  using Complex = std::complex<double>;
  static constexpr double kBend = 0.5, kWidest = 1, kSharp = 1e-13, kNegligible = 1e-18;
  static constexpr int kMostHalvings = 9, kFewTerms = 3, kMostTerms = 100000;

  // The unit is a power of 2 near the largest weight, so that squares of weights do not overflow.
  void scale();

  // The largest weights of a square, the limit of K'(s), and whether a term has no square.
  void read();

  struct Slopes {
    double first, second;
  };

  // The first two derivatives of K(s) - s at - log s at a real s.
  Slopes slopes(double s) const;

  // Any point near the saddle will do. The function is convex between 0 and the first pole.
  void find_saddle();

  // Terms are kept relative to the saddle. Those with a positive ratio come first.
  void prepare();

  // exp(K - s at) / s at saddle + step, divided by its value at the saddle. The imaginary part of
  // the step is not negative.
  Complex relative(const Complex& step) const;

  // The derivative of K(s) - s at - log s at saddle + i y, its real part, and the slope of this
  // part along y.
  Slopes drift(double y) const;

  // The integrand at a point of the path: saddle + i y, moved to the side on which it is smaller.
  double value(double u) const;

  // The sum of the integrand at first, first + step, ... until it is negligible.
  double sum(double first, double step) const;

  // Halves the step until two sums agree. Their difference is the error of the first one, which is
  // far larger than that of the second.
  Tail integrate() const;

  static constexpr double kPi = 3.14159265358979323846;

  QuadraticForm form_;
  double at_, centre_ = 0, widest_ = 0, saddle_ = 0, width_ = 0, height_ = 0, rounding_ = 0;
  bool has_line_ = false;
  std::size_t positive_ = 0;
  Vector ratio_, shift_;
};

// The distribution of a form.
class QuadraticLaw {
 public:
  explicit QuadraticLaw(QuadraticForm form)
      : form_(std::move(form)), negative_(form_.negative()), mean_(form_.mean()) {}

  // Adds the probabilities of the regions between the cuts, and their errors. The smaller tail is
  // computed on each side of the mean, because small tails keep their digits.
  template <class Add>
  void regions(const Vector& cuts, const Add& add) const {
    Tail last{0, 0};
    bool below = true;  // whether `last` is P(form < cut)
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const bool next_below = i < cuts.size() && cuts[i] <= mean_;
      Tail next{0, 0};
      if (i < cuts.size()) {
        next =
            next_below ? UpperTail(negative_, -cuts[i]).find() : UpperTail(form_, cuts[i]).find();
      }
      const double share = below && next_below ? next.probability - last.probability
                           : below             ? 1 - last.probability - next.probability
                                               : last.probability - next.probability;
      add(i, std::max(share, 0.0), last.error + next.error);
      last = next;
      below = next_below;
    }
  }

 private:
  QuadraticForm form_, negative_;
  double mean_;
};

}  // namespace bayesrisk

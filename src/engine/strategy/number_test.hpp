#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/types.hpp>
#include <engine/decision/cost.hpp>
#include <engine/regions/regions.hpp>

namespace bayesrisk {

// Bounds of the log ratio of two densities, or of a derivative.
struct LogRange {
  double low = kNegativeInfinity, high = kInfinity;

  bool has_zero() const { return !(low > 0 || high < 0); }
};

// Those of its first two derivatives.
struct LogSlopes {
  LogRange first, second;
};

// Of many points at most `count`, evenly chosen. `count`: 2 or more.
Vector thinned(const Vector& x, Index count);

// A number as a test of a case. Its density in each class is known.
class NumberTest {
 public:
  virtual ~NumberTest() = default;

  // Increasing cuts, about `count` of them where the density is continuous.
  virtual Vector cuts(int count) const = 0;

  // P(value in interval i | class), classes x intervals. A value on a cut belongs to its right.
  virtual Matrix probabilities(const Vector& cuts) const = 0;

  // P(interval | class) between cuts(), at most 10 times `count` of them.
  Matrix intervals(int count) const;

  // The log densities of a value in each class, up to a constant.
  virtual Eigen::VectorXd log_densities(double x) const = 0;

  // Whether the ratios of the densities are constant between any cuts(), as those of bins and of
  // single values. Then an interval says what its numbers say.
  virtual bool is_constant() const { return false; }

  // Whether a class has no values where its probability is 0. Otherwise a 0 is an underflow.
  virtual bool has_gaps(Index) const { return false; }

  // Where each row of `cost` is the least, if the classes have these weights.
  virtual Regions regions(const Eigen::VectorXd& weight, const Cost& cost) const = 0;

  // Finitely many answers that say at least as much about the class as the number does: columns of
  // P(answer | class). Each interval is replaced by a mixture of ratios of densities, the corners
  // of a simplex that contains all ratios of the interval. The better informed have the lower
  // expected cost (Blackwell 1951), so these answers bound it from below. The narrower the simplex,
  // the closer the bound.
  Matrix finer_answers(int count) const;

 protected:
  // The log ratios of the densities of two classes between `from` and `to`.
  virtual LogRange log_ratios(Index above, Index below, double from, double to) const = 0;

  // Bounds of their derivatives. Not known: the whole line.
  virtual LogSlopes log_slopes(Index, Index, double, double) const { return {}; }

 private:
  class Curve;

  // False if the classes have one density, as far as the cuts reach.
  bool tells(const Vector& cut, const Eigen::VectorXd& mass) const;
};

}  // namespace bayesrisk

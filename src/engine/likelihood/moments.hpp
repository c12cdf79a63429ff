#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>

namespace bayesrisk {

// Weight, mean and scatter (the sum of weighted squared deviations from the mean) of each feature
// in each group. The mean is stored as two numbers, so that no digit is lost at a large offset.
// Groups are in rows, features in columns.
struct Moments {
  Matrix weight, mean, mean_low, scatter;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("mean", self.mean);
    visit("mean_low", self.mean_low);
    visit("scatter", self.scatter);
  }

  Moments() = default;
  Moments(int groups, int features)
      : weight(Matrix::Zero(groups, features)), mean(weight), mean_low(weight), scatter(weight) {}

  bool consistent(int groups, int features) const {
    return has_shape(weight, groups, features) && has_shape(mean, groups, features) &&
           has_shape(mean_low, groups, features) && has_shape(scatter, groups, features);
  }

  // Adds a part. Its weighted deviations from `shift` sum to `sum`, their squares to `square`.
  void add(int g, int j, double part_weight, double shift, double sum, double square) {
    if (part_weight <= 0) return;
    const double offset = sum / part_weight;
    const double scatter = std::isinf(square) ? square : std::max(0.0, square - sum * offset);
    add_part(g, j, part_weight, shift, offset, scatter);
  }

  void merge(const Moments& other) {
    for (int j = 0; j < weight.cols(); ++j) {
      for (int g = 0; g < weight.rows(); ++g) {
        if (other.weight(g, j) > 0) {
          add_part(g, j, other.weight(g, j), other.mean(g, j), other.mean_low(g, j),
                   other.scatter(g, j));
        }
      }
    }
  }

 private:
  void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                double part_scatter) {
    const double before = weight(g, j);
    const double total = before + part_weight;
    const TwoPart old{mean(g, j), mean_low(g, j)}, part{part_mean, part_low};
    const double delta = before > 0 ? difference(part, old) : 0.0;
    const TwoPart moved = merged_mean(before, old, part_weight, part, delta);
    mean(g, j) = moved.high;
    mean_low(g, j) = moved.low;
    scatter(g, j) += part_scatter + delta * delta * before * (part_weight / total);
    // The difference of the means overflows, and so does the scatter.
    if (std::isnan(scatter(g, j))) scatter(g, j) = -kNegativeInfinity;
    weight(g, j) = total;
  }
};

// The spread of one feature within the classes.
class Spread {
 public:
  Spread(const Moments& moments, Index feature, bool unbiased)
      : moments_(moments), j_(feature), unbiased_(unbiased) {
    double scatter = 0, divisors = 0;
    for (int g = 0; g < moments.weight.rows(); ++g) {
      mean_.add(moments.weight(g, j_), {moments.mean(g, j_), moments.mean_low(g, j_)});
      spreads_ = spreads_ || moments.scatter(g, j_) > 0;
      if (!(divisor(g) > 0)) continue;
      scatter += moments.scatter(g, j_);
      divisors += divisor(g);
    }
    if (divisors > 0) pooled_ = scatter / divisors;
  }

  // The divisor of the variance of class g.
  double divisor(int g) const { return moments_.weight(g, j_) - (unbiased_ ? 1 : 0); }
  // The variance within the classes; 0 if no class has spread.
  double pooled() const { return pooled_; }
  // The mean of all numbers.
  const TwoPart& mean() const { return mean_.mean; }
  // Whether all numbers are equal.
  bool one_value() const { return mean_.equal && !spreads_; }
  // The variance of class g if it borrows some cases from the pooled variance.
  double borrowed(int g, double cases) const {
    return (moments_.scatter(g, j_) + cases * pooled_) / (std::max(divisor(g), 0.0) + cases);
  }

 private:
  const Moments& moments_;
  Index j_;
  bool unbiased_, spreads_ = false;
  double pooled_ = 0;
  MeanOfClasses mean_;
};

// A smaller variance has lost its digits and counts as no spread.
inline bool has_spread(double variance) { return variance >= std::numeric_limits<double>::min(); }

}  // namespace bayesrisk

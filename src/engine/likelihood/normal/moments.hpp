#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/parts.hpp>

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
  void add(int g, int j, double part_weight, double shift, double sum, double square);

  void merge(const Moments& other);

 private:
  void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                double part_scatter);
};

// The spread of one feature within the classes.
class Spread {
 public:
  Spread(const Moments& moments, Index feature, bool unbiased);

  // The divisor of the variance of class g.
  double divisor(int g) const { return moments_.weight(g, j_) - (unbiased_ ? 1 : 0); }
  // The variance within the classes; 0 if no class has spread.
  double pooled() const { return pooled_; }
  // The same as the one variance of all classes, also of those with a divisor of 0 or less; NaN if
  // all of them together have no positive divisor.
  double shared() const { return shared_; }
  // The mean of all numbers.
  const DoubleDouble& mean() const { return mean_.mean; }
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
  double pooled_ = 0, shared_;
  MeanOfClasses mean_;
};

// A smaller variance has lost its digits and counts as no spread.
inline bool has_spread(double variance) { return variance >= std::numeric_limits<double>::min(); }

}  // namespace bayesrisk

#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/minimum.hpp>

#include <cstdint>
#include <cstring>

namespace bayesrisk {

// Parts of the log marginal likelihood of groups under the conjugate prior that some cases of the
// merged model are. Terms that do not depend on these cases are left out. What depends on the prior
// alone is computed once.

// Dirichlet-multinomial.
class TableMarginal {
 public:
  // `before`: the prior count of each level.
  explicit TableMarginal(Vector before);

  // Of the counts in the row of a group, from the column `first` on.
  double of(const Matrix& count, Index group, int first) const;

 private:
  Vector before_, error_;  // of the gamma functions of the prior
  double total_ = 0, total_error_;
};

// The sum over classes, whose priors are given.
double log_marginal_of(const Matrix& count, int first, const std::vector<TableMarginal>& of_class);

// The pseudo-counts of levels with some cases of the merged model, which stand as the counts do.
Vector with_level_cases(const double* pseudo_count, int levels, const Matrix& log_probability,
                        Index group, int first, double cases);

// A level of a smaller probability is unknown to the merged model.
constexpr double kLeastShare = 1e-300;

// Adds some cases of the merged model to the counts of one feature in each class.
void add_cases(const Matrix& log_probability, int first, int levels, double cases, Matrix& count);

// Gamma-Poisson: counts of this sum, observed for `weight`.
double log_rate_marginal(double sum, double weight, double shape, double exposure);

// A function of a weight. Many groups have as many rows as others, so values are kept, each in a
// place that the leading digits of its weight give.
class KeptValues {
 public:
  template <class Function>
  double of(double weight, const Function& function) {
    std::uint64_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    Kept& kept = kept_[bits >> 43 & (kPlaces - 1)];  // the mantissa has 52 bits
    if (kept.weight != weight) kept = {weight, function(weight)};
    return kept.value;
  }

 private:
  static constexpr std::size_t kPlaces = 512;
  struct Kept {
    double weight = kNaN, value = 0;
  };
  std::vector<Kept> kept_ = std::vector<Kept>(kPlaces);
};

// Rows of `size` numbers under a normal prior of the mean, which is that of some cases, and an
// inverse Wishart prior of the covariance, whose scale is freedom * V.
class NormalMarginal {
 public:
  NormalMarginal(double cases, double freedom, int size);

  // The mean of rows of this weight about that of the cases, relative to their covariance.
  double of_mean(double weight);

  // The scatter of rows of this weight. `log_scale`: half the log determinant of V; `log_ratio`:
  // that of the scale with their scatter, less that of the scale. Minus infinity without a prior.
  double of_scatter(double weight, double log_scale, double log_ratio);

 private:
  double cases_, freedom_, size_, log_freedom_;  // the last times half the size
  Vector error_;                                 // of the gamma functions of the prior
  KeptValues mean_, rise_;
};

// Neither none nor all cases.
inline bool is_part_of_cases(double cases) { return cases > 0 && cases < kInfinity; }

// The weight of a class with some cases, whose divisor is theirs and that of the rows, if this is
// positive.
double weight_with_cases(double weight, bool unbiased, double cases);

// The cases with the greatest log marginal likelihood, from 1/64; infinitely many where it still
// rises at the largest number that is tried.
template <class LogMarginal>
double most_probable_cases(const LogMarginal& log_marginal) {
  constexpr int kSteps = 8;
  constexpr double kTolerance = 1e-5;
  const double step = std::log(16.0), first = -1.5 * step;
  Vector loss;
  for (int i = 0; i < kSteps; ++i) loss.push_back(-log_marginal(std::exp(first + i * step)));
  // Of equal losses the last is the best.
  const auto best = std::min_element(loss.rbegin(), loss.rend());
  if (best == loss.rbegin()) return kInfinity;
  const double middle = first + static_cast<double>(loss.rend() - best - 1) * step;
  const auto of_log = [&](double log_cases) {
    return log_cases == middle ? *best : -log_marginal(std::exp(log_cases));
  };
  return std::exp(
      find_minimum(of_log, std::max(first, middle - step), middle, middle + step, kTolerance));
}

}  // namespace bayesrisk

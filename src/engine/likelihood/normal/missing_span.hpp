#pragma once

#include <engine/core/triangle.hpp>

namespace bayesrisk {

// Scores the known members of a row by projection. Let U'U be a covariance and U'z = x - mean. If a
// missing number changes, z moves along a column of V = U^-1'. So the squared distance of the other
// members is that of z from the columns V of the missing members,
//   |z|^2 - g'(V'V)^-1 g  with  g = V'z,
// for any numbers in their place, and their determinant is that of U'U times that of V'V. Each
// column is multiplied by the standard deviation of its member.
struct MissingSpan {
  Matrix across;    // V of all members
  Matrix products;  // V'V
  Vector log_sd;
  Vector length;  // of the columns: the root of the variance inflation factor, at least 1
  double half_log_determinant;

  explicit MissingSpan(const Matrix& factor);

  bool exists() const { return !std::isnan(half_log_determinant); }
};

// The spans of the classes; one if they share a covariance.
struct MissingSpans {
  std::vector<MissingSpan> of_factor;
  Vector length;  // of each member, the greatest

  MissingSpans() = default;
  explicit MissingSpans(const std::vector<Matrix>& factors);

  const MissingSpan& of_class(int k) const { return of_factor[of_factor.size() == 1 ? 0 : k]; }

  // The most of some members that may be missing: without more, the triangle of the others is
  // small.
  static int most_of(std::size_t members) { return static_cast<int>(members) / 4; }
  int most() const { return most_of(length.size()); }

  // Whether the projection keeps the digits of a row. Its relative error is at most about the
  // square of the sum of the lengths, times the epsilon of a double.
  bool project(const int* missing, int count) const;
};

// The factor L of V'V = LL' for some missing members, by row.
class MissingFactor {
 public:
  void set(const MissingSpan& span, const int* missing, int count);

  // Half the log determinant of the covariance of the other members.
  double half_log_determinant() const { return half_log_determinant_; }

  // g'(V'V)^-1 g; overwrites g.
  double square(double* g) const;

 private:
  double* row_of(int i) { return lower_.data() + static_cast<std::size_t>(i) * count_; }
  const double* row_of(int i) const { return lower_.data() + static_cast<std::size_t>(i) * count_; }
  static double product(const double* a, const double* b, int count);

  int count_ = 0;
  Vector lower_;
  double half_log_determinant_ = 0;
};

}  // namespace bayesrisk

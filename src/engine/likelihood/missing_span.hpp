#pragma once

#include <engine/core/triangle.hpp>

namespace bayesrisk {

// What numbers of missing members can change. Let U'U be a covariance and U'z = x - mean. If a
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

  explicit MissingSpan(const Matrix& factor)
      : across(Matrix::Identity(factor.rows(), factor.rows())),
        half_log_determinant(bayesrisk::half_log_determinant(factor)) {
    factor.triangularView<Eigen::Upper>().transpose().solveInPlace(across);
    for (Index j = 0; j < factor.cols(); ++j) {
      const double sd = factor.col(j).stableNorm();
      across.col(j) *= sd;
      log_sd.push_back(std::log(sd));
      length.push_back(across.col(j).norm());
    }
    products = Matrix::Zero(factor.rows(), factor.rows());
    products.selfadjointView<Eigen::Lower>().rankUpdate(across.transpose());
  }

  bool exists() const { return !std::isnan(half_log_determinant); }
};

// The spans of the classes; one if they share a covariance.
struct MissingSpans {
  std::vector<MissingSpan> of_factor;
  Vector length;  // of each member, the greatest

  MissingSpans() = default;
  explicit MissingSpans(const std::vector<Matrix>& factors) {
    for (const Matrix& u : factors) {
      of_factor.emplace_back(u);
      length.resize(static_cast<std::size_t>(u.cols()), 0.0);
      for (std::size_t j = 0; j < length.size(); ++j) {
        // A class without rows has NaN, which is not greater.
        if (of_factor.back().length[j] > length[j]) length[j] = of_factor.back().length[j];
      }
    }
  }

  const MissingSpan& of_class(int k) const { return of_factor[of_factor.size() == 1 ? 0 : k]; }

  // The most of some members that may be missing: without more, the triangle of the others is
  // small.
  static int most_of(std::size_t members) { return static_cast<int>(members) / 4; }
  int most() const { return most_of(length.size()); }

  // Whether the projection keeps the digits of a row. Its relative error is at most about the
  // square of the sum of the lengths, times the epsilon of a double.
  bool project(const int* missing, int count) const {
    constexpr double kLongest = 100;
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += length[static_cast<std::size_t>(missing[i])];
    return sum <= kLongest;
  }
};

// The factor L of V'V = LL' for some missing members, by row.
class MissingFactor {
 public:
  void set(const MissingSpan& span, const int* missing, int count) {
    count_ = count;
    lower_.resize(static_cast<std::size_t>(count) * count);
    half_log_determinant_ = span.half_log_determinant;
    for (int i = 0; i < count; ++i) {
      double* row = row_of(i);
      for (int j = 0; j <= i; ++j) {
        const double rest = span.products(missing[i], missing[j]) - product(row, row_of(j), j);
        row[j] = i == j ? std::sqrt(rest) : rest / row_of(j)[j];
      }
      half_log_determinant_ += std::log(row[i]) - span.log_sd[static_cast<std::size_t>(missing[i])];
    }
  }

  // Of the covariance of the other members.
  double half_log_determinant() const { return half_log_determinant_; }

  // g'(V'V)^-1 g; overwrites g.
  double square(double* g) const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) {
      g[i] = (g[i] - product(row_of(i), g, i)) / row_of(i)[i];
      sum += g[i] * g[i];
    }
    return sum;
  }

 private:
  double* row_of(int i) { return lower_.data() + static_cast<std::size_t>(i) * count_; }
  const double* row_of(int i) const { return lower_.data() + static_cast<std::size_t>(i) * count_; }
  static double product(const double* a, const double* b, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
  }

  int count_ = 0;
  Vector lower_;
  double half_log_determinant_ = 0;
};

}  // namespace bayesrisk

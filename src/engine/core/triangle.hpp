#pragma once

#include <engine/core/types.hpp>

#include <cmath>

namespace bayesrisk {

// A positive semidefinite matrix S is stored as an upper triangle R with R'R = S. Sums,
// sub-matrices and rank-one terms are computed by QR decompositions of stacked rows, because a
// Cholesky factor of the summed S would lose twice as many digits.

constexpr double kRankTolerance = 1e-10;

// The triangle of rows'rows, its diagonal not negative.
inline Matrix triangle_of_rows(const Matrix& rows) {
  // A reflection of Eigen ignores the entries below the diagonal if their squares sum to less than
  // the least normal double. It would lose parts of a variance that is hardly larger. So columns of
  // small numbers are multiplied by kLarger first.
  constexpr double kSmall = 0x1p-400, kLarger = 0x1p+512;
  const Index p = rows.cols();
  Matrix padded = Matrix::Zero(std::max(rows.rows(), p), p);
  padded.topRows(rows.rows()) = rows;
  const Eigen::RowVectorXd scale = padded.cwiseAbs().colwise().maxCoeff().unaryExpr(
      [](double largest) { return largest < kSmall ? kLarger : 1.0; });
  padded.array().rowwise() *= scale.array();
  Matrix r = Eigen::HouseholderQR<Matrix>(padded)
                 .matrixQR()
                 .topRows(p)
                 .template triangularView<Eigen::Upper>();
  for (Index i = 0; i < p; ++i) {
    if (r(i, i) < 0) r.row(i) = -r.row(i);
  }
  r.array().rowwise() /= scale.array();
  return r;
}

inline Matrix stack(const Matrix& above, const Matrix& below) {
  Matrix result(above.rows() + below.rows(), above.cols());
  result << above, below;
  return result;
}

// Columns scaled to length 1; a column of zeros stays.
inline Matrix equilibrate(const Matrix& r) {
  Matrix result = r;
  for (Index j = 0; j < r.cols(); ++j) {
    const double length = r.col(j).stableNorm();
    if (length > 0) result.col(j) /= length;
  }
  return result;
}

// The number of columns that are computed at a time where the other columns are known to be 0.
constexpr Index kTriangleBlock = 48;

// The condition number (1-norm) of a triangle, its columns equilibrated first;
// infinite when it has a zero on its diagonal or a number that is not finite.
inline double equilibrated_condition(const Matrix& r) {
  if ((r.diagonal().array() == 0).any() || !r.allFinite()) {
    return std::numeric_limits<double>::infinity();
  }
  const Matrix scaled = equilibrate(r);
  double largest = 0;
  for (Index j = 0; j < r.cols(); j += kTriangleBlock) {
    const Index width = std::min(kTriangleBlock, r.cols() - j), end = j + width;
    Matrix inverse = Matrix::Zero(end, width);
    inverse.bottomRows(width).setIdentity();
    scaled.topLeftCorner(end, end).triangularView<Eigen::Upper>().solveInPlace(inverse);
    largest = std::max(largest, inverse.cwiseAbs().colwise().sum().maxCoeff());
  }
  return scaled.cwiseAbs().colwise().sum().maxCoeff() * largest;
}

// Whether the condition number is at most `limit`. A bound decides most triangles: the inverse of a
// triangle is not larger than that of its comparison matrix, whose signs let no terms cancel.
inline bool is_conditioned(const Matrix& r, double limit) {
  const Eigen::RowVectorXd length =
      r.colwise().stableNorm().unaryExpr([](double x) { return x > 0 ? x : 1.0; });
  Eigen::VectorXd bound(r.cols());
  double norm = 0, most = 0;
  for (Index j = 0; j < r.cols(); ++j) {
    const auto column = r.col(j).head(j).cwiseAbs();
    bound[j] = (length[j] + column.dot(bound.head(j))) / std::abs(r(j, j));
    if (!(bound[j] <= most)) most = bound[j];  // after a NaN all are NaN
    norm = std::max(norm, r.col(j).head(j + 1).cwiseAbs().sum() / length[j]);
  }
  return norm * most <= limit || equilibrated_condition(r) <= limit;
}

// A well-conditioned triangle has full rank: no pivot is less than its least singular value.
inline Index rank_of_triangle(const Matrix& r, double tolerance = kRankTolerance) {
  const double safe = 0.1 / (tolerance * std::sqrt(static_cast<double>(r.cols())));
  if (r.rows() == r.cols() && is_conditioned(r, safe)) return r.cols();
  Eigen::ColPivHouseholderQR<Matrix> qr(equilibrate(r));
  qr.setThreshold(tolerance);
  return qr.rank();
}

// Whether r = factor u, but for rounding.
inline bool is_multiple(const Matrix& r, const Matrix& u, double factor) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  for (Index j = 0; j < r.cols(); ++j) {
    const auto x = r.col(j).head(j + 1).array(), y = u.col(j).head(j + 1).array();
    if (!((x - factor * y).abs() <= kRounding * x.abs()).all()) return false;
  }
  return true;
}

// The squared norm of R U^-1, two triangles. The factor of a class that neither borrows nor shrinks
// is a multiple of its triangle, and the ratio a multiple of the identity.
inline double squared_norm_of_ratio(const Matrix& r, const Matrix& u) {
  const double factor = r(0, 0) / u(0, 0);
  if (is_multiple(r, u, factor)) return factor * factor * static_cast<double>(r.cols());
  double total = 0;
  for (Index j = 0; j < r.cols(); j += kTriangleBlock) {
    const Index width = std::min(kTriangleBlock, r.cols() - j), rest = r.cols() - j;
    Matrix ratio = r.block(j, j, width, rest).transpose();
    u.bottomRightCorner(rest, rest).transpose().triangularView<Eigen::Lower>().solveInPlace(ratio);
    total += ratio.squaredNorm();
  }
  return total;
}

// The columns that are linear combinations of earlier columns, and their coefficients for the
// independent ones among these.
struct Dependences {
  std::vector<int> column;
  std::vector<Eigen::VectorXd> coefficient;  // of all columns
};

inline Dependences find_dependences(const Matrix& r) {
  constexpr double kTolerance = 100 * kRankTolerance;
  const Index p = r.cols();
  const Matrix scaled = equilibrate(r);
  Matrix basis(r.rows(), p), in_basis = Matrix::Zero(p, p);
  std::vector<Index> independent;
  Dependences found;
  for (Index j = 0; j < p; ++j) {
    const auto m = static_cast<Index>(independent.size());
    Eigen::VectorXd rest = scaled.col(j), parts = Eigen::VectorXd::Zero(m);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd more = basis.leftCols(m).transpose() * rest;
      rest -= basis.leftCols(m) * more;
      parts += more;
    }
    if (rest.norm() > kTolerance) {
      basis.col(m) = rest.normalized();
      in_basis.col(m).head(m) = parts;
      in_basis(m, m) = rest.norm();
      independent.push_back(j);
      continue;
    }
    in_basis.topLeftCorner(m, m).triangularView<Eigen::Upper>().solveInPlace(parts);
    Eigen::VectorXd coefficient = Eigen::VectorXd::Zero(p);
    for (Index i = 0; i < m; ++i) {
      const Index from = independent[static_cast<std::size_t>(i)];
      if (std::abs(parts[i]) <= kTolerance) continue;
      coefficient[from] = parts[i] * r.col(j).stableNorm() / r.col(from).stableNorm();
    }
    found.column.push_back(static_cast<int>(j));
    found.coefficient.push_back(coefficient);
  }
  return found;
}

inline double half_log_determinant(const Matrix& r) {
  return r.diagonal().array().abs().log().sum();
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/types.hpp>

#include <cmath>

namespace bayesrisk {

// A positive semidefinite matrix S is stored as an upper triangle R with R'R = S. Sums,
// sub-matrices and rank-one terms are computed by QR decompositions of stacked rows, because a
// Cholesky factor of the summed S would lose twice as many digits.

constexpr double kRankTolerance = 1e-10;

// The triangle of rows'rows, its diagonal not negative.
Matrix triangle_of_rows(const Matrix& rows);

// The triangle of a'a + b'b + row'row, for triangles a and b; `row` may be empty. Fewer than half
// of the numbers of b are not 0, so this takes a fifth of the work of triangle_of_rows().
Matrix merge_triangles(Matrix a, const Matrix& b, const Eigen::RowVectorXd& row = {});

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
double equilibrated_condition(const Matrix& r);

// Whether the condition number is at most `limit`. A bound decides most triangles: the inverse of a
// triangle is not larger than that of its comparison matrix, whose signs let no terms cancel.
bool is_conditioned(const Matrix& r, double limit);

// A well-conditioned triangle has full rank: no pivot is less than its least singular value.
Index rank_of_triangle(const Matrix& r, double tolerance = kRankTolerance);

// X with U X = B or U'X = B, for an upper triangle U.
Matrix solve_triangle(const Matrix& u, Matrix b);
Matrix solve_transposed(const Matrix& u, Matrix b);

// The upper triangle U with U'U = S, and whether S is positive definite.
bool cholesky(const Matrix& s, Matrix& u);

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
double squared_norm_of_ratio(const Matrix& r, const Matrix& u);

// The columns that are linear combinations of earlier columns, and their coefficients for the
// independent ones among these.
struct Dependences {
  std::vector<int> column;
  std::vector<Eigen::VectorXd> coefficient;  // of all columns
};

Dependences find_dependences(const Matrix& r);

inline double half_log_determinant(const Matrix& r) {
  return r.diagonal().array().abs().log().sum();
}

}  // namespace bayesrisk

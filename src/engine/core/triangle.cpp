#include <engine/core/quotient.hpp>
#include <engine/core/spectrum.hpp>
#include <engine/core/triangle.hpp>

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace bayesrisk {

namespace {

// A reflection ignores the entries below the diagonal if their squares sum to less than the least
// normal double. It would lose parts of a variance that is hardly larger. So columns of small
// numbers are multiplied by a large one first.
Eigen::RowVectorXd enlargement(const Eigen::RowVectorXd& largest) {
  constexpr double kSmall = 0x1p-400, kLarger = 0x1p+512;
  return largest.unaryExpr([](double x) { return x < kSmall ? kLarger : 1.0; });
}

void finish_triangle(Matrix& r, const Eigen::RowVectorXd& scale) {
  for (Index i = 0; i < r.rows(); ++i) {
    if (r(i, i) < 0) r.row(i) = -r.row(i);
  }
  if ((scale.array() != 1).any()) r.array().rowwise() /= scale.array();
}

// Takes `below`, the other numbers of a column that are not 0, into its diagonal number, by a
// reflection of the row of the diagonal and the rows below. The number stays positive, so the row
// is turned. `rest`: the rows below of the columns that follow; `row`: their numbers in the row of
// the diagonal.
template <class Row>
void reflect(double& diagonal, Eigen::Ref<Eigen::VectorXd> below, Row row,
             Eigen::Ref<Matrix, 0, Eigen::OuterStride<>> rest) {
  const double square = below.squaredNorm();
  if (square == 0) return;
  const double length = std::sqrt(diagonal * diagonal + square);
  const double turn = diagonal > 0 ? -1 : 1, left = turn * length;
  const double scale = (left - diagonal) / left;
  below /= diagonal - left;
  for (Index k = 0; k < rest.cols(); ++k) {
    const double part = scale * (row[k] + below.dot(rest.col(k)));
    row[k] = turn * (row[k] - part);
    rest.col(k) -= part * below;
  }
  diagonal = length;
}

// The rows that are not 0. The triangle of a few rows has as many.
IntVector filled_rows(const Matrix& r) {
  Eigen::Array<bool, Eigen::Dynamic, 1> filled(r.rows());
  filled.setConstant(false);
  for (Index j = 0; j < r.cols(); ++j) filled = filled || r.col(j).array() != 0;
  IntVector found;
  for (Index i = 0; i < r.rows(); ++i) {
    if (filled[i]) found.push_back(static_cast<int>(i));
  }
  return found;
}

Matrix select_rows(const Matrix& r, const IntVector& selected) {
  if (static_cast<Index>(selected.size()) == r.rows()) return r;
  Matrix result(selected.size(), r.cols());
  for (Index j = 0; j < r.cols(); ++j) {
    for (std::size_t i = 0; i < selected.size(); ++i) {
      result(static_cast<Index>(i), j) = r(selected[i], j);
    }
  }
  return result;
}

}  // namespace

Matrix triangle_of_rows(const Matrix& rows) {
  const Index p = rows.cols();
  Matrix filled = select_rows(rows, filled_rows(rows));
  const Index count = std::min(filled.rows(), p);
  Matrix r = Matrix::Zero(p, p);
  if (count == 0) return r;
  const Eigen::RowVectorXd scale = enlargement(filled.cwiseAbs().colwise().maxCoeff());
  filled.array().rowwise() *= scale.array();
  r.topRows(count) = Eigen::HouseholderQR<Matrix>(filled)
                         .matrixQR()
                         .topRows(count)
                         .template triangularView<Eigen::Upper>();
  finish_triangle(r, scale);
  return r;
}

Matrix merge_triangles(Matrix a, const Matrix& b, const Eigen::RowVectorXd& row) {
  const Index p = a.cols(), extra = row.size() > 0 ? 1 : 0;
  const IntVector of_a = filled_rows(a), of_b = filled_rows(b);
  if (of_a.size() < of_b.size()) return merge_triangles(b, a, row);
  const auto added = static_cast<Index>(of_b.size());
  if (added + extra == 0) return a;
  Matrix below(added + extra, p);
  if (extra > 0) below.row(0) = row;
  below.bottomRows(added) = select_rows(b, of_b);
  // Reflections of fewer rows than columns would leave rounding errors where rows are 0.
  const auto together = static_cast<Index>(of_a.size()) + below.rows();
  if (together < p) return triangle_of_rows(stack(select_rows(a, of_a), below));
  const Eigen::RowVectorXd largest =
      a.cwiseAbs().colwise().maxCoeff().cwiseMax(below.cwiseAbs().colwise().maxCoeff());
  const Eigen::RowVectorXd scale = enlargement(largest);
  a.array().rowwise() *= scale.array();
  below.array().rowwise() *= scale.array();
  for (Index j = 0; j < p; ++j) {
    const Index rows = std::min(j + 1, added) + extra, rest = p - j - 1;
    reflect(a(j, j), below.col(j).head(rows), a.row(j).tail(rest),
            below.topRightCorner(rows, rest));
  }
  finish_triangle(a, scale);
  return a;
}

double equilibrated_condition(const Matrix& r) {
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

bool is_conditioned(const Matrix& r, double limit) {
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

Index rank_of_triangle(const Matrix& r, double tolerance) {
  const double safe = 0.1 / (tolerance * std::sqrt(static_cast<double>(r.cols())));
  if (r.rows() == r.cols() && is_conditioned(r, safe)) return r.cols();
  const Matrix filled = select_rows(r, filled_rows(r));
  if (filled.rows() == 0) return 0;
  Eigen::ColPivHouseholderQR<Matrix> qr(equilibrate(filled));
  qr.setThreshold(tolerance);
  return qr.rank();
}

Matrix solve_triangle(const Matrix& u, Matrix b) {
  u.triangularView<Eigen::Upper>().solveInPlace(b);
  return b;
}

Matrix solve_transposed(const Matrix& u, Matrix b) {
  u.transpose().triangularView<Eigen::Lower>().solveInPlace(b);
  return b;
}

bool cholesky(const Matrix& s, Matrix& u) {
  const Eigen::LLT<Matrix, Eigen::Lower> llt(s);
  u = llt.matrixU();
  return llt.info() == Eigen::Success;
}

double squared_norm_of_ratio(const Matrix& r, const Matrix& u) {
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

Dependences find_dependences(const Matrix& r) {
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

double Reduction::reflect(Index first, const Eigen::VectorXd& column) {
  const Index rest = column.size();
  const double norm = column.norm(), length = norm > kNegligibleSize ? norm : 0;
  const double top = column[0], left = top > 0 ? -length : length;
  const double scale = length > 0 ? (left - top) / left : 0;
  next_.head(first).setZero();
  next_.segment(first, rest) = column;
  if (length > 0) next_.segment(first, rest) /= top - left;
  next_[first] = 1;
  simd::tile_loops().reflect_symmetric(a_.data(), static_cast<int>(a_.rows()),
                                       static_cast<int>(first / simd::kPanel * simd::kPanel),
                                       v_.data(), w_.data(), next_.data(), product_.data());
  const auto x = next_.segment(first, rest);
  auto vector = result_.vector.tail(rest);
  vector -= scale * x.dot(vector) * x;
  v_ = next_;
  w_.head(first).setZero();
  w_.segment(first, rest) = scale * product_.segment(first, rest);
  w_.segment(first, rest) -= 0.5 * scale * x.dot(w_.segment(first, rest)) * x;
  return left;
}

void TridiagonalSpectrum::turn(Index first, Index last) {
  double g = (d_[first + 1] - d_[first]) / (2 * e_[first]);
  g = d_[last] - d_[first] + e_[first] / (g + std::copysign(std::hypot(g, 1.0), g));
  double s = 1, c = 1, p = 0;
  for (Index i = last - 1; i >= first; --i) {
    const double f = s * e_[i], b = c * e_[i], r = std::sqrt(f * f + g * g);
    e_[i + 1] = r;
    if (r == 0) {
      d_[i + 1] -= p;
      e_[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d_[i + 1] - p;
    const double t = (d_[i] - g) * s + 2 * c * b;
    p = s * t;
    d_[i + 1] = g + p;
    g = c * t - b;
    const double z = z_[i + 1];
    z_[i + 1] = s * z_[i] + c * z;
    z_[i] = c * z_[i] - s * z;
  }
  d_[first] -= p;
  e_[first] = g;
  e_[last] = 0;
}

Spectrum spectrum_of(const Matrix& symmetric, const Eigen::VectorXd& vector) {
  constexpr int kMostExponent = 1000;
  double largest = 0;
  for (Index j = 0; j < symmetric.cols(); ++j) {
    const auto column = symmetric.col(j).tail(symmetric.rows() - j);
    if (!column.allFinite()) return {column.sum() * vector, vector};
    largest = std::max(largest, column.cwiseAbs().maxCoeff());
  }
  const int exponent = largest > 0 ? std::max(std::ilogb(largest), -kMostExponent) : 0;
  Spectrum found =
      TridiagonalSpectrum(Reduction(symmetric, vector, std::ldexp(1.0, -exponent)).find()).find();
  found.value *= std::ldexp(1.0, exponent);
  return found;
}

Matrix products_of_quotient(const Matrix& rows, const Matrix& u) {
  const simd::TileLoops& loops = simd::tile_loops();
  const int count = static_cast<int>(rows.rows()), size = static_cast<int>(u.cols());
  const Eigen::VectorXd inverse = u.diagonal().cwiseInverse(), zeros = Eigen::VectorXd::Zero(size);
  Matrix quotient(size, count);
  LineVector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
  loops.divide_rows(rows.data(), size, u.data(), inverse.data(), zeros.data(), count,
                    scratch.data(), quotient.data());
  Matrix product = Matrix::Zero(count, count);
  loops.add_products({quotient.data(), size * simd::kPanel, size}, count / simd::kPanel,
                     product.data());
  return product;
}

}  // namespace bayesrisk

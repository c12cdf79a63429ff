#include <engine/likelihood/normal/multivariate_gaussian_scorer.hpp>

namespace bayesrisk {

void MultivariateGaussian::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  Matrix buffer;
  std::vector<const double*> x;
  const bool finite = read(frame, tile, buffer, x);
  const std::vector<const double*> columns = columns_of(complete_, x);
  if (finite) return add_whole(columns, tile);
  flag_infinite(x, tile);
  for (const auto& [members, rows] : patterns(x, project(columns, tile))) {
    if (members.empty()) continue;
    if (members.size() == complete_.members.size()) {
      add_rows(complete_, x, rows, tile);
    } else if (const Marginal* known = remembered(members)) {
      add_rows(*known, x, rows, tile);
    } else {
      add_rows(marginal(members), x, rows, tile);
    }
  }
}

std::vector<simd::TriangleOfClass> MultivariateGaussian::Scorer::Marginal::classes() const {
  std::vector<simd::TriangleOfClass> result;
  for (Index k = 0; k < mean.cols(); ++k) {
    const std::size_t at = factor.size() == 1 ? 0 : k;
    result.push_back({factor[at].data(), inverse_diagonal[at].data(), mean.col(k).data(),
                      low.col(k).data(), apart[k].empty() ? nullptr : apart[k].data()});
  }
  return result;
}

MultivariateGaussian::Scorer::Marginal MultivariateGaussian::Scorer::marginal(
    const IntVector& members) const {
  const int m = static_cast<int>(members.size());
  const Index classes = parameters_.mean.rows();
  Marginal result{members, {}, {}, Matrix(m, classes), Matrix(m, classes), {}, {}};
  for (int i = 0; i < m; ++i) {
    result.mean.row(i) = parameters_.mean.col(members[i]).transpose();
    result.low.row(i) = parameters_.mean_low.col(members[i]).transpose();
  }
  for (const Matrix& u : parameters_.factor) {
    Matrix columns(u.rows(), m);
    for (int i = 0; i < m; ++i) columns.col(i) = u.col(members[i]);
    result.factor.push_back(m == u.cols() ? u : triangle_of_rows(columns));
    const Matrix& factor = result.factor.back();
    Vector inverse;
    for (int i = 0; i < m; ++i) inverse.push_back(1 / factor(i, i));
    result.inverse_diagonal.push_back(inverse);
    result.constant.push_back(
        density_.constant(result.constant.size(), m, half_log_determinant(factor)));
  }
  result.apart.resize(static_cast<std::size_t>(classes));
  if (result.factor.size() == 1) find_near(result);
  return result;
}

void MultivariateGaussian::Scorer::find_near(Marginal& marginal) {
  const Matrix &mean = marginal.mean, &low = marginal.low;
  const auto transposed = marginal.factor[0].triangularView<Eigen::Upper>().transpose();
  Index solved = 0;
  for (Index k = 1; k < mean.cols(); ++k) {
    const Eigen::VectorXd apart =
        transposed.solve((mean.col(k) - mean.col(solved)) + (low.col(k) - low.col(solved)));
    if (apart.norm() <= kNear) {
      marginal.apart[k].assign(apart.data(), apart.data() + apart.size());
    } else {
      solved = k;
    }
  }
}

const MultivariateGaussian::Scorer::Marginal* MultivariateGaussian::Scorer::remembered(
    const IntVector& members) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = marginals_.find(members);
  if (found != marginals_.end()) return &found->second;
  if (marginals_.size() >= kRemembered) return nullptr;
  return &marginals_.emplace(members, marginal(members)).first->second;
}

bool MultivariateGaussian::Scorer::read(const Frame& frame, const Tile& tile, Matrix& buffer,
                                        std::vector<const double*>& x) const {
  bool finite = true;
  if (tile.rows < tile.stride) buffer.resize(tile.stride, plan_.size());
  for (int j = 0; j < plan_.size(); ++j) {
    const Column& column = frame.columns[plan_.features[j]];
    if (!column.real && buffer.size() == 0) buffer.resize(tile.stride, plan_.size());
    x.push_back(load_numbers(column, tile.begin, tile.rows, tile.stride,
                             buffer.size() ? buffer.col(j).data() : nullptr));
    const bool counts = !parameters_.left_out[j];
    finite = finite && (!counts || loops_.all_finite(x.back(), tile.stride));
  }
  return finite;
}

void MultivariateGaussian::Scorer::flag_infinite(const std::vector<const double*>& x,
                                                 Tile& tile) const {
  for (const double* column : x) {
    if (loops_.all_finite(column, tile.stride)) continue;
    for (int r = 0; r < tile.rows; ++r) {
      if (std::isinf(column[r])) tile.flag(r, kInfinite);
    }
  }
}

IntVector MultivariateGaussian::Scorer::project(const std::vector<const double*>& x,
                                                Tile& tile) const {
  IntVector rows(static_cast<std::size_t>(tile.rows));
  std::iota(rows.begin(), rows.end(), 0);
  if (x.size() < 64 && std::size_t{1} << x.size() <= kRemembered) return rows;
  MissingOfRows missing(x, tile, MissingSpans::most_of(x.size()));
  if (!missing.any()) return rows;
  std::call_once(spans_found_, [&] { spans_ = MissingSpans(complete_.factor); });
  return ProjectedRows(spans_, density_, complete_.classes(), x, std::move(missing), tile).add();
}

std::map<IntVector, IntVector> MultivariateGaussian::Scorer::patterns(
    const std::vector<const double*>& x, const IntVector& among) const {
  std::map<IntVector, IntVector> rows;
  IntVector members;
  for (int r : among) {
    members.clear();
    for (int j : complete_.members) {
      if (std::isfinite(x[j][r])) members.push_back(j);
    }
    rows[members].push_back(r);
  }
  return rows;
}

std::vector<const double*> MultivariateGaussian::Scorer::columns_of(const Marginal& marginal,
                                                                    std::vector<const double*> x) {
  if (marginal.members.size() == x.size()) return x;
  std::vector<const double*> columns;
  for (int j : marginal.members) columns.push_back(x[j]);
  return columns;
}

void MultivariateGaussian::Scorer::add_whole(const std::vector<const double*>& x,
                                             Tile& tile) const {
  const LineVector squares = solve(complete_, x, tile.classes, tile.stride);
  for (int k = 0; k < tile.classes; ++k) {
    const double* square = squares.data() + static_cast<std::size_t>(k) * tile.stride;
    if (density_.freedom.empty() && loops_.all_finite(square, tile.stride)) {
      loops_.add_half_squares(square, constant(complete_, k), tile.stride, tile.of_class(k));
    } else {
      for (int r = 0; r < tile.rows; ++r) {
        tile.of_class(k)[r] += log_density(complete_, k, square[r]);
      }
    }
  }
}

void MultivariateGaussian::Scorer::add_rows(const Marginal& marginal,
                                            const std::vector<const double*>& x,
                                            const IntVector& rows, Tile& tile) const {
  const int count = static_cast<int>(rows.size()), padded = Tile::padded(count);
  Matrix gathered = Matrix::Zero(padded, static_cast<Index>(marginal.members.size()));
  std::vector<const double*> columns;
  for (std::size_t i = 0; i < marginal.members.size(); ++i) {
    double* column = gathered.col(static_cast<Index>(i)).data();
    for (int r = 0; r < count; ++r) column[r] = x[marginal.members[i]][rows[r]];
    columns.push_back(column);
  }
  const LineVector squares = solve(marginal, columns, tile.classes, padded);
  for (int k = 0; k < tile.classes; ++k) {
    const double* square = squares.data() + static_cast<std::size_t>(k) * padded;
    for (int r = 0; r < count; ++r) {
      tile.of_class(k)[rows[r]] += log_density(marginal, k, square[r]);
    }
  }
}

LineVector MultivariateGaussian::Scorer::solve(const Marginal& marginal,
                                               const std::vector<const double*>& x, int classes,
                                               int rows) const {
  const int size = static_cast<int>(x.size());
  LineVector square(static_cast<std::size_t>(classes) * rows);
  LineVector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
  loops_.solve_triangles(x.data(), size, marginal.classes().data(), classes, rows, rows,
                         scratch.data(), square.data());
  return square;
}

double MultivariateGaussian::Scorer::log_density(const Marginal& marginal, int k,
                                                 double square) const {
  const Matrix& factor = marginal.factor[marginal.factor.size() == 1 ? 0 : k];
  if (std::isnan(square) && !std::isnan(factor(0, 0))) return kNegativeInfinity;
  return density_.log_density(k, static_cast<Index>(marginal.members.size()), constant(marginal, k),
                              square);
}

}  // namespace bayesrisk

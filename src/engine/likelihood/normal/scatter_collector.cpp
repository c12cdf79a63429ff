#include <engine/likelihood/normal/scatter_collector.hpp>
#include <engine/likelihood/normal/scatter_factor.hpp>

namespace bayesrisk {

ScatterCollector::ScatterCollector(const Frame& frame, const IntVector& features,
                                   const Chunk& chunk, Scatter& scatter, Diagnostics& diagnostics)
    : features_(features),
      chunk_(chunk),
      products_(needs_products(static_cast<double>(frame.rows), p())),
      scatter_(scatter),
      diagnostics_(diagnostics),
      packed_(frame, features, chunk),
      mean_(Matrix::Zero(packed_.columns(), chunk.groups + 1)),
      low_(mean_),
      moved_(mean_) {}

void ScatterCollector::collect() {
  for (int first = 0; first < chunk_.rows; first += packed_.capacity()) {
    chunk_.check();
    packed_.load(first, mean_, low_);
    renew_means();
    for (int g = 0; g < chunk_.groups; ++g) {
      if (packed_.rows_of(g) > 0) add_group(g);
    }
  }
  report_incomplete();
  scatter_.mean = mean_.topLeftCorner(p(), chunk_.groups).transpose();
  scatter_.mean_low = low_.topLeftCorner(p(), chunk_.groups).transpose();
  scatter_.summed = true;
  for (Matrix& product : scatter_.triangle) {
    if (product.cols() != p()) product.conservativeResize(p(), p());
  }
}

void ScatterCollector::renew_means() {
  IntVector groups;
  for (int g = 0; g < chunk_.groups; ++g) {
    const bool known = scatter_.weight(g, 0) >= packed_.weight_of(g) / 2;
    if (packed_.rows_of(g) > 0 && !known) groups.push_back(g);
  }
  if (groups.empty()) return;
  const Matrix mean = mean_, low = low_;
  const IntVector first = packed_.first_rows();
  for (int g : groups) {
    for (int j = 0; j < packed_.columns(); ++j) mean_(j, g) = packed_.number(first[g], j);
    low_.col(g).setZero();
  }
  packed_.pack(mean_, low_);
  for (int g : groups) {
    const Eigen::VectorXd offset = packed_.sums(g) / packed_.weight_of(g);
    if (offset.allFinite()) mean_.col(g) += offset;
    moved_.col(g) = (mean.col(g) - mean_.col(g)) + (low.col(g) - low_.col(g));
  }
  packed_.pack(mean_, low_);
}

void ScatterCollector::add_group(int g) {
  const double before = scatter_.weight(g, 0), total = before + packed_.weight_of(g);
  Eigen::VectorXd sum = packed_.sums(g);
  const bool moved = before > 0 && !moved_.col(g).isZero(0);
  if (moved) sum += before * moved_.col(g);
  if (products_) {
    Matrix& product = padded_product(g);
    packed_.add_products(g, product);
    if (moved) add_outer(moved_.col(g), before, product);
    add_outer(sum, -1 / total, product);
  }
  moved_.col(g).setZero();
  for (int j = 0; j < p(); ++j) {
    const DoubleDouble mean = two_sum(mean_(j, g), low_(j, g) + sum[j] / total);
    mean_(j, g) = mean.high;
    low_(j, g) = mean.low;
  }
  scatter_.weight(g, 0) = total;
  scatter_.rows(g, 0) += packed_.rows_of(g);
}

Matrix& ScatterCollector::padded_product(int g) {
  Matrix& product = scatter_.triangle[g];
  if (product.cols() != packed_.columns()) {
    product.resize(0, 0);  // Eigen would free the old memory twice if there is no new memory
    product.setZero(packed_.columns(), packed_.columns());
  }
  return product;
}

void ScatterCollector::report_incomplete() {
  const Incomplete& incomplete = packed_.incomplete();
  scatter_.missing = incomplete.missing;
  scatter_.skipped = incomplete.rows;
  for (int j = 0; j < p(); ++j) {
    if (incomplete.infinite[j] > 0) {
      diagnostics_.add(Problem::infinite, kAll, features_[j], incomplete.infinite[j]);
    }
  }
}

}  // namespace bayesrisk

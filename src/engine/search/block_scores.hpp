#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/likelihood/contract/views.hpp>
#include <engine/likelihood/normal/scatter.hpp>

namespace bayesrisk {

// How blocks of features are scored, on the scale of log likelihoods.
struct BlockSettings {
  bool bic = false;     // log likelihood - log(n) / 2 per parameter, in place of the log evidence
  bool pooled = false;  // a block has one covariance for all classes
  bool borrow = true;   // whether a class without a covariance of its own borrows

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("bic", self.bic);
    visit("pooled", self.pooled);
    visit("borrow", self.borrow);
  }
};

struct BlockScore {
  double value;
  bool singular;  // the covariance cannot be estimated
};

// Scores blocks of numbers. The correlations within a block are a part of those of all features, so
// all blocks are scored from the scatter of one read.
//
// The prior of the evidence is the likelihood of independent features, to the power 1 / n: it is
// worth one case. The covariance S of p features has an inverse Wishart distribution with p + 1
// degrees of freedom and the variances (maximum likelihood) as scale. The mean has a normal
// distribution around the sample mean with covariance S. The prior of a block is the marginal of
// that of a larger block, so blocks of different sizes compare.
class GaussianBlockScorer {
 public:
  GaussianBlockScorer(const Scatter& scatter, const BlockSettings& settings)
      : settings_(settings), all_{0, 0, {}, Matrix(0, scatter.mean.cols())} {
    for (Index g = 0; g < scatter.weight.rows(); ++g) {
      const double weight = scatter.weight(g, 0);
      if (weight <= 0) continue;
      groups_.push_back({weight, scatter.rows(g, 0) - 1, {weight}, scatter.triangle[g]});
      all_.weight += weight;
      all_.freedom += scatter.rows(g, 0) - 1;
      all_.means.push_back(weight);
      all_.triangle = triangle_of_rows(stack(all_.triangle, scatter.triangle[g]));
    }
    together_ = settings_.pooled ? std::vector<Group>{all_} : groups_;
  }

  BlockScore score(const IntVector& members) const {
    BlockScore result{0, is_singular(columns_of(all_, members))};
    // A single feature always has a variance in each class.
    for (const Group& group : members.size() > 1 ? together_ : groups_) {
      const Matrix columns = columns_of(group, members);
      if (columns.cols() == 0) continue;
      const bool single = columns.cols() == 1;
      if (!single && !settings_.borrow) result.singular |= is_singular(columns);
      result.value +=
          settings_.bic ? bic(group, columns, result.singular) : evidence(group, columns);
    }
    return result;
  }

 private:
  // The rows that share a covariance.
  struct Group {
    double weight, freedom;
    Vector means;  // the weights of the classes, each with a mean of its own
    Matrix triangle;
  };

  // The columns of the triangle, without those of features that are constant in the group.
  static Matrix columns_of(const Group& group, const IntVector& members) {
    Matrix columns(group.triangle.rows(), members.size());
    Index kept = 0;
    for (int j : members) {
      if (group.triangle.col(j).stableNorm() > 0) columns.col(kept++) = group.triangle.col(j);
    }
    return columns.leftCols(kept);
  }

  static bool is_singular(const Matrix& columns) {
    return columns.cols() > 1 && rank_of_triangle(columns) < columns.cols();
  }

  // The log of the product of the diagonal of the scatter.
  static double log_diagonal(const Matrix& columns) {
    double sum = 0;
    for (Index j = 0; j < columns.cols(); ++j) sum += 2 * std::log(columns.col(j).stableNorm());
    return sum;
  }

  static double evidence(const Group& group, const Matrix& columns) {
    const double n = group.weight;
    const auto p = static_cast<double>(columns.cols());
    // The correlations plus identity / n, as a triangle.
    const Matrix posterior = triangle_of_rows(stack(
        equilibrate(columns), Matrix::Identity(columns.cols(), columns.cols()) / std::sqrt(n)));
    const double diagonal = log_diagonal(columns);
    double result = -0.5 * n * p * kLogPi + 0.5 * (p + 1) * (diagonal - p * std::log(n)) -
                    0.5 * (n + p + 1) * (diagonal + 2 * half_log_determinant(posterior));
    for (int i = 0; i < columns.cols(); ++i) {
      const double shape = 0.5 * (p + 1 - i);
      result += log_gamma(shape + 0.5 * n) - log_gamma(shape);
    }
    for (double weight : group.means) result -= 0.5 * p * std::log1p(weight);
    return result;
  }

  // A class with too few rows for a covariance of the block has independent features.
  double bic(const Group& group, const Matrix& columns, bool& singular) const {
    const double n = group.weight;
    const auto p = static_cast<double>(columns.cols());
    double parameters = p * (static_cast<double>(group.means.size()) + 1);
    double log_determinant = log_diagonal(columns) - p * std::log(n);
    if (p > 1 && group.freedom >= p) {
      parameters += 0.5 * p * (p - 1);
      singular |= is_singular(columns);
      log_determinant += 2 * half_log_determinant(triangle_of_rows(equilibrate(columns)));
    }
    return -n * p * kHalfLogTwoPi - 0.5 * n * (log_determinant + p) -
           0.5 * parameters * std::log(all_.weight);
  }

  BlockSettings settings_;
  std::vector<Group> groups_, together_;
  Group all_;
};

// Scores a table. The prior of the evidence is a symmetric Dirichlet distribution whose parameters
// add up to 1, for tables of any size: it is worth one case.
inline double score_table(const TableView& table, const BlockSettings& settings) {
  const Matrix& counts = *table.count;
  const double cells = table.all_cells, total = counts.sum();
  double result = 0;
  for (Index g = 0; g < counts.rows(); ++g) {
    const double n = counts.row(g).sum();
    if (n <= 0) continue;
    result += settings.bic ? -0.5 * (cells - 1) * std::log(total) : -log_gamma(1 + n);
    for (Index c = 0; c < counts.cols(); ++c) {
      const double count = counts(g, c);
      if (count <= 0) continue;
      result += settings.bic ? count * std::log(count / n)
                             : log_gamma(1 / cells + count) - log_gamma(1 / cells);
    }
  }
  return result;
}

}  // namespace bayesrisk

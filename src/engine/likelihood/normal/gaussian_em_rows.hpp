#pragma once

#include <engine/likelihood/normal/multivariate_gaussian.hpp>

#include <cstdint>

namespace bayesrisk {

// Rows of a group in which the same members are missing: columns of EmRows.
struct EmPattern {
  int group;  // among the groups of EmRows
  Index first, last;
  IntVector missing;
  double weight;
};

// The rows of some groups of a block as expectation-maximisation reads them. Their coordinates are
// (x - origin) / scale, so that data far from 0 keep their digits. Each row is a column, times the
// root of its weight. If a pattern has more rows than known members, the triangle of their scatter
// and their mean take the place of the rows.
class EmRows {
 public:
  using Statistics = MultivariateGaussian::Statistics;

  EmRows(const Statistics& statistics, const IntVector& groups, const IntVector& members);

  Index size() const { return static_cast<Index>(members_.size()); }
  int groups() const { return static_cast<int>(groups_.size()); }
  const Matrix& origin() const { return origin_; }
  const Eigen::VectorXd& scale() const { return scale_; }
  const std::vector<EmPattern>& patterns() const { return patterns_; }
  // The weights of the rows with a known member.
  const Vector& weight() const { return weight_; }
  const Eigen::VectorXd& root() const { return root_; }
  const Matrix& numbers() const { return numbers_; }
  // In the place of a missing number stands a guess, which does not change a result.
  double& guess(Index member, Index column) { return numbers_(member, column); }

  // The mean of the complete rows of a group, and the triangle of their scatter.
  Eigen::VectorXd complete_mean(Index k) const;
  Matrix complete_triangle(Index k) const;
  double complete_weight(Index k) const {
    return statistics_.scatter.weight(groups_[static_cast<std::size_t>(k)], 0);
  }
  double complete_rows(Index k) const {
    return statistics_.scatter.rows(groups_[static_cast<std::size_t>(k)], 0);
  }

  // The standard deviation of the known values of each member over all groups. The mean in each
  // group is 0, but for rounding.
  Eigen::VectorXd known_sd() const;

 private:
  const RowPoints& incomplete(Index k) const {
    return statistics_.incomplete[static_cast<std::size_t>(groups_[static_cast<std::size_t>(k)])];
  }

  // The mean of the known values of each member, and how far a value or a standard deviation is
  // from it.
  void find_origin(Index k, Eigen::VectorXd& reach);

  // The rows of each pattern of a group, in order.
  struct Found {
    Index group;
    std::vector<Index> rows;  // none: the complete rows of the scatter
    IntVector missing;
    double weight;

    Index columns(Index size) const;
  };

  void find_patterns();

  // Rows without a known member are left out.
  std::vector<Found> sort_by_pattern(Index k) const;

  Index write_complete(const Found& pattern, Index first);

  Index write(const Found& pattern, Index first);

  double coordinate(Index k, Index row, int j) const {
    const double x = incomplete(k)(row, members_[static_cast<std::size_t>(j)]);
    return (x - origin_(j, k)) / scale_[j];
  }

  void write_scatter(const Found& pattern, const IntVector& known, Index first);

  const Statistics& statistics_;
  const IntVector &groups_, &members_;
  Matrix origin_;          // members x groups
  Eigen::VectorXd scale_;  // powers of 2
  Matrix numbers_;
  Eigen::VectorXd root_;  // of the weight of each column; 0: a row of a triangle
  std::vector<EmPattern> patterns_;
  Vector weight_;  // of each group
};

}  // namespace bayesrisk

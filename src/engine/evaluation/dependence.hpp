#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/core/log_math.hpp>
#include <engine/likelihood/contract/views.hpp>
#include <engine/likelihood/normal/moments.hpp>
#include <engine/likelihood/normal/scatter.hpp>

namespace bayesrisk {

// The dependence of two features in each group, NaN where it is unknown, and over all groups.
struct PairDependence {
  Vector weight, information, association;
  IntMatrix constant;  // feature x group: 1 if the feature is constant there
  double pooled = kNaN;
  double mean = kNaN, aic = kNaN, cases = 0;
  double evidence = 0;  // the log Bayes factor of a joint model, all groups together

  explicit PairDependence(Index groups)
      : weight(groups, 0.0),
        information(groups, kNaN),
        association(groups, kNaN),
        constant(IntMatrix::Zero(2, groups)) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("information", self.mean);
    visit("aic", self.aic);
    visit("evidence", self.evidence);
    visit("pooled", self.pooled);
    visit("association", self.association);
    visit("constant", self.constant);
    visit("cases", self.cases);
  }

  bool is_constant(Index g) const { return constant.col(g).any(); }

  // A feature that is constant in a group has the information 0. A group with too few cases is left
  // out. `parameters`: those that a joint model has more, per group.
  void add_up(double parameters) {
    double gain = 0, counted = 0, groups = 0;
    for (std::size_t g = 0; g < weight.size(); ++g) {
      cases += weight[g];
      if (is_constant(g)) information[g] = 0;
      if (std::isnan(information[g])) continue;
      gain += weight[g] * information[g];
      counted += weight[g];
      ++groups;
    }
    mean = gain / counted;
    aic = 2 * parameters * groups - 2 * gain;
  }
};

// The information of a pair of which one is known: `part` of the standard deviation of the other
// remains. Below the tolerance of ranks the covariance of a block is singular.
inline double information_left(double part) {
  return part < kRankTolerance ? kInfinity : -std::log(part);
}

inline double as_association(double information) {
  return std::sqrt(-std::expm1(-2 * information));
}

// The log Bayes factor of `slopes` slopes of a number on n cases, with an intercept, if they leave
// the share `left` of the sum of squares. The prior of the slopes is Zellner's with g = n: it is
// worth one case (Liang, Paulo, Molina, Clyde and Berger 2008, equation 6).
inline double evidence_of_slopes(double n, double slopes, double left) {
  return 0.5 * (n - 1 - slopes) * std::log1p(n) - 0.5 * (n - 1) * std::log1p(n * left);
}

// Two numbers, by their correlation.
inline PairDependence dependence_of_numbers(const Scatter& scatter, int first, int second) {
  PairDependence pair(scatter.weight.rows());
  double products = 0, first_squares = 0, second_squares = 0;
  double first_scale = 1e-300, second_scale = 1e-300;
  std::vector<Matrix> triangles;
  for (const Matrix& all : scatter.triangle) {
    Matrix columns(all.rows(), 2);
    columns << all.col(first), all.col(second);
    triangles.push_back(all.cols() == 2 && first == 0 ? all : triangle_of_rows(columns));
    first_scale = std::max(first_scale, triangles.back().col(0).cwiseAbs().maxCoeff());
    second_scale = std::max(second_scale, triangles.back().col(1).cwiseAbs().maxCoeff());
  }
  for (std::size_t g = 0; g < triangles.size(); ++g) {
    // Scaled, because the pooled scatter is a sum of squares.
    const Matrix& r = triangles[g];
    const double x = r(0, 0) / first_scale, along = r(0, 1) / second_scale;
    const double across = r(1, 1) / second_scale, y = std::hypot(along, across);
    pair.weight[g] = scatter.weight(g, 0);
    if (pair.weight[g] <= 0) continue;
    pair.constant(0, g) = r(0, 0) == 0;
    pair.constant(1, g) = y == 0;
    products += x * along;
    first_squares += x * x;
    second_squares += y * y;
    if (!(scatter.rows(g, 0) > 2) || pair.is_constant(g)) continue;
    pair.association[g] = x < 0 ? -along / y : along / y;
    pair.information[g] = information_left(std::abs(across) / y);
    pair.evidence += evidence_of_slopes(pair.weight[g], 1, std::pow(across / y, 2));
  }
  pair.pooled = products / std::sqrt(first_squares * second_squares);
  pair.add_up(1);
  return pair;
}

// The log Bayes factor of a table against independent rows and columns. The prior of the cells is a
// Dirichlet distribution worth one case per cell, centred at the product of the estimated shares of
// rows and columns; without dependence these sums have the distributions that follow from it. So
// the shares themselves are no evidence. Only levels that have cases enter.
class TableEvidence {
 public:
  explicit TableEvidence(const Vector (&sums)[2]) {
    for (int j = 0; j < 2; ++j) {
      levels_[j] = static_cast<double>(
          std::count_if(sums[j].begin(), sums[j].end(), [](double s) { return s > 0; }));
    }
    const double n = std::accumulate(sums[0].begin(), sums[0].end(), 0.0);
    const double cells = levels_[0] * levels_[1];
    for (int j = 0; j < 2; ++j) {
      for (double s : sums[j]) {
        share_[j].push_back((s + 1) / (n + levels_[j]));
        if (s > 0) value_ -= gain(cells * share_[j].back(), s);
      }
    }
    value_ += log_gamma(cells + n) - log_gamma(cells);
  }

  void add_cell(int row, int column, double count) {
    value_ += gain(levels_[0] * levels_[1] * share_[0][row] * share_[1][column], count);
  }

  double value() const { return value_; }

 private:
  static double gain(double prior, double count) {
    return log_gamma(prior + count) - log_gamma(prior);
  }

  double levels_[2], value_ = 0;
  Vector share_[2];
};

// Two categories, by the mutual information of their joint table.
inline PairDependence dependence_of_table(const TableView& table) {
  const Matrix& counts = *table.count;
  const IntMatrix& codes = *table.cells;
  const IntVector& levels = *table.levels;
  const Index groups = counts.rows(), cells = counts.cols();
  PairDependence pair(groups);
  for (Index g = 0; g < groups; ++g) {
    const double n = counts.row(g).sum();
    pair.weight[g] = n;
    if (n <= 0) continue;
    Vector sums[2] = {Vector(levels[0], 0.0), Vector(levels[1], 0.0)};
    for (Index c = 0; c < cells; ++c) {
      for (int j = 0; j < 2; ++j) sums[j][codes(c, j) - 1] += counts(g, c);
    }
    double gain = 0;
    TableEvidence evidence(sums);
    for (Index c = 0; c < cells; ++c) {
      const double count = counts(g, c);
      const double x = sums[0][codes(c, 0) - 1];
      const double y = sums[1][codes(c, 1) - 1];
      if (count <= 0) continue;
      gain += count * std::log(count * n / (x * y));
      evidence.add_cell(codes(c, 0) - 1, codes(c, 1) - 1, count);
    }
    for (int j = 0; j < 2; ++j) {
      const auto seen =
          std::count_if(sums[j].begin(), sums[j].end(), [](double s) { return s > 0; });
      pair.constant(j, g) = seen == 1;
    }
    pair.information[g] = std::max(gain, 0.0) / n;
    if (pair.is_constant(g)) continue;
    pair.association[g] = as_association(pair.information[g]);
    pair.evidence += evidence.value();
  }
  pair.add_up((levels[0] - 1.0) * (levels[1] - 1.0));
  pair.pooled = as_association(pair.mean);
  return pair;
}

// A number and a category, by the share of variance between the means of the levels. Row
// k + classes * level of the moments is class k of a level. The number is the first feature, unless
// `category_first`.
class MixedDependence {
 public:
  MixedDependence(const Moments& moments, int classes)
      : moments_(moments), classes_(classes), levels_(moments.weight.rows() / classes) {}

  PairDependence measure(int feature, bool category_first) const {
    PairDependence pair(classes_);
    double between = 0, total = 0;
    for (int k = 0; k < classes_; ++k) {
      const Parts parts = parts_of(feature, k);
      pair.weight[k] = parts.weight;
      if (parts.weight <= 0) continue;
      const double all = parts.between + parts.within;
      between += parts.between;
      total += all;
      pair.constant(category_first ? 1 : 0, k) = all == 0;
      pair.constant(category_first ? 0 : 1, k) = parts.levels == 1;
      const bool enough = parts.within > 0 || parts.weight > parts.levels;
      if (pair.is_constant(k) || !enough || !std::isfinite(all)) continue;
      pair.information[k] = information_left(std::sqrt(parts.within / all));
      pair.association[k] = as_association(pair.information[k]);
      pair.evidence += evidence_of_slopes(parts.weight, parts.levels - 1, parts.within / all);
    }
    pair.pooled = std::sqrt(between / total);
    pair.add_up(static_cast<double>(levels_) - 1);
    return pair;
  }

 private:
  // The weight of a class, its number of levels, and its sums of squares.
  struct Parts {
    double weight = 0, levels = 0, between = 0, within = 0;
  };

  Parts parts_of(int feature, int k) const {
    Parts parts;
    double origin = 0, mean = 0;
    const auto level_mean = [&](Index row) {
      return (moments_.mean(row, feature) - origin) + moments_.mean_low(row, feature);
    };
    for (Index l = 0; l < levels_; ++l) {
      const Index row = k + classes_ * l;
      const double weight = moments_.weight(row, feature);
      if (weight <= 0) continue;
      if (parts.levels++ == 0) origin = moments_.mean(row, feature);
      parts.weight += weight;
      parts.within += moments_.scatter(row, feature);
      mean += weight * level_mean(row);
    }
    mean /= parts.weight;
    for (Index l = 0; l < levels_; ++l) {
      const Index row = k + classes_ * l;
      const double weight = moments_.weight(row, feature);
      if (weight > 0) parts.between += weight * std::pow(level_mean(row) - mean, 2);
    }
    return parts;
  }

  const Moments& moments_;
  int classes_;
  Index levels_;
};

}  // namespace bayesrisk

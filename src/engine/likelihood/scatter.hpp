#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/triangle.hpp>

namespace bayesrisk {

// Weight, mean and the triangle of the scatter matrix of each group. Only rows in which all
// features of the block are known count.
struct Scatter {
  Matrix weight, rows;           // groups x 1
  Matrix mean, mean_low;         // groups x p
  std::vector<Matrix> triangle;  // per group p x p
  Vector missing;                // per feature: the number of rows in which it is missing
  double skipped = 0;            // the number of rows in which any feature is missing
  // While rows are collected: the lower triangles of the products about the means stand in the
  // place of the triangles.
  bool summed = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("rows", self.rows);
    visit("mean", self.mean);
    visit("mean_low", self.mean_low);
    visit("triangle", self.triangle);
    visit("missing", self.missing);
    visit("skipped", self.skipped);
  }

  Scatter() = default;
  Scatter(int groups, int p)
      : weight(Matrix::Zero(groups, 1)),
        rows(weight),
        mean(Matrix::Zero(groups, p)),
        mean_low(mean),
        triangle(groups),
        missing(p, 0.0) {
    for (Matrix& r : triangle) r.setZero(p, p);
  }

  // Forgets all rows, but keeps the memory.
  void clear() {
    for (Matrix* m : {&weight, &rows, &mean, &mean_low}) m->setZero();
    for (Matrix& r : triangle) r.setZero();
    std::fill(missing.begin(), missing.end(), 0.0);
    skipped = 0;
    summed = false;
  }

  bool consistent(int groups, int p) const {
    bool good = has_shape(weight, groups, 1) && has_shape(rows, groups, 1) &&
                has_shape(mean, groups, p) && has_shape(mean_low, groups, p) &&
                static_cast<int>(triangle.size()) == groups &&
                static_cast<int>(missing.size()) == p;
    for (const Matrix& r : triangle) good = good && has_shape(r, p, p);
    return good;
  }

  void merge(const Scatter& other) {
    for (int g = 0; g < weight.rows(); ++g) merge_group(other, g);
    for (std::size_t j = 0; j < missing.size(); ++j) missing[j] += other.missing[j];
    skipped += other.skipped;
  }

  // Rows with a missing feature are not counted by group, so their number is unknown for a part of
  // the groups.
  Scatter of_groups(int first, int count) const {
    Scatter part(0, static_cast<int>(mean.cols()));
    part.weight = weight.middleRows(first, count);
    part.rows = rows.middleRows(first, count);
    part.mean = mean.middleRows(first, count);
    part.mean_low = mean_low.middleRows(first, count);
    part.triangle.assign(triangle.begin() + first, triangle.begin() + first + count);
    return part;
  }

  // Sets a group to a group of other scatters of the same features.
  void copy_group(const Scatter& from, int group, int to) {
    weight.row(to) = from.weight.row(group);
    rows.row(to) = from.rows.row(group);
    mean.row(to) = from.mean.row(group);
    mean_low.row(to) = from.mean_low.row(group);
    triangle[to] = from.triangle[group];
  }

  void copy_columns(const Scatter& other, const IntVector& from, const IntVector& group) {
    const int p = static_cast<int>(from.size());
    for (std::size_t g = 0; g < group.size(); ++g) {
      const int to = group[g];
      weight(to, 0) = other.weight(g, 0);
      rows(to, 0) = other.rows(g, 0);
      Matrix columns(other.mean.cols(), p);
      for (int j = 0; j < p; ++j) {
        mean(to, j) = other.mean(g, from[j]);
        mean_low(to, j) = other.mean_low(g, from[j]);
        columns.col(j) = other.triangle[g].col(from[j]);
      }
      triangle[to] =
          columns.isUpperTriangular(0) && columns.rows() == p ? columns : triangle_of_rows(columns);
    }
    for (int j = 0; j < p; ++j) missing[j] = other.missing[from[j]];
    skipped = other.skipped;
  }

 private:
  void merge_group(const Scatter& other, int g) {
    const double before = weight(g, 0), added = other.weight(g, 0);
    if (added <= 0) return;
    rows(g, 0) += other.rows(g, 0);
    weight(g, 0) = before + added;
    if (before <= 0) {
      mean.row(g) = other.mean.row(g);
      mean_low.row(g) = other.mean_low.row(g);
      triangle[g] = other.triangle[g];
      return;
    }
    const double share = added / (before + added);
    Eigen::VectorXd delta(mean.cols());
    for (Index j = 0; j < mean.cols(); ++j) {
      const TwoPart old{mean(g, j), mean_low(g, j)}, part{other.mean(g, j), other.mean_low(g, j)};
      delta[j] = difference(part, old);
      const TwoPart moved = merged_mean(before, old, added, part, delta[j]);
      mean(g, j) = moved.high;
      mean_low(g, j) = moved.low;
    }
    if (summed) {
      triangle[g] += other.triangle[g];
      triangle[g].selfadjointView<Eigen::Lower>().rankUpdate(delta, before * share);
    } else {
      const Matrix apart = std::sqrt(before * share) * delta.transpose();
      triangle[g] = triangle_of_rows(stack(stack(triangle[g], other.triangle[g]), apart));
    }
  }
};

}  // namespace bayesrisk

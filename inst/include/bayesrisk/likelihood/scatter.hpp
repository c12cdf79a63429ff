#pragma once

#include <bayesrisk/core/triangle.hpp>
#include <bayesrisk/likelihood/moments.hpp>

namespace bayesrisk {

// Weight, mean and the triangle of the scatter matrix of each group, over the
// rows that miss none of the block's features.
struct Scatter {
  Matrix weight, rows;           // groups x 1
  Matrix mean, mean_low;         // groups x p
  std::vector<Matrix> triangle;  // per group p x p
  Vector missing;                // per feature: rows that missed it
  double skipped = 0;            // rows that missed any

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
        triangle(groups, Matrix::Zero(p, p)),
        missing(p, 0.0) {}

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

  // Rows that missed a feature are not counted by group: a part does not know its own.
  Scatter of_groups(int first, int count) const {
    Scatter part(0, static_cast<int>(mean.cols()));
    part.weight = weight.middleRows(first, count);
    part.rows = rows.middleRows(first, count);
    part.mean = mean.middleRows(first, count);
    part.mean_low = mean_low.middleRows(first, count);
    part.triangle.assign(triangle.begin() + first, triangle.begin() + first + count);
    return part;
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
    const Index p = mean.cols();
    const double share = added / (before + added);
    Matrix stacked(2 * p + 1, p);
    stacked.topRows(p) = triangle[g];
    stacked.middleRows(p, p) = other.triangle[g];
    for (Index j = 0; j < p; ++j) {
      const double delta =
          (other.mean(g, j) - mean(g, j)) + (other.mean_low(g, j) - mean_low(g, j));
      const TwoPart moved =
          before >= added ? two_sum(mean(g, j), mean_low(g, j) + delta * share)
                          : two_sum(other.mean(g, j), other.mean_low(g, j) - delta * (1 - share));
      stacked(2 * p, j) = std::sqrt(before * share) * delta;
      mean(g, j) = moved.high;
      mean_low(g, j) = moved.low;
    }
    triangle[g] = triangle_of_rows(stacked);
  }
};

// Collects the scatter of one chunk: the means first, then products of the
// centred rows, and QR of these rows where the product would lose digits.
class ScatterCollector {
 public:
  ScatterCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                   Scatter& scatter, Diagnostics& diagnostics)
      : frame_(frame),
        features_(features),
        chunk_(chunk),
        scatter_(scatter),
        diagnostics_(diagnostics),
        p_(static_cast<int>(features.size())),
        group_(chunk.group, chunk.group + chunk.rows),
        moments_(chunk.groups, p_) {}

  void collect() {
    leave_out_incomplete();
    Chunk complete = chunk_;
    complete.group = group_.data();
    complete.block_rows = nullptr;
    MomentCollector(frame_, features_, complete, moments_, diagnostics_).collect();
    for (int r = 0; r < chunk_.rows; ++r) {
      if (group_[r] < chunk_.groups) ++scatter_.rows(group_[r], 0);
    }
    scatter_.weight = moments_.weight.col(0);
    scatter_.mean = moments_.mean;
    scatter_.mean_low = moments_.mean_low;
    add_products();
    refine();
  }

 private:
  static constexpr int kBlock = 2048;
  static constexpr double kSafeCondition = 1e3;

  double number(int j, int r) const {
    double value;
    return *load_numbers(frame_.columns[features_[j]], chunk_.begin + r, 1, 1, &value);
  }

  void leave_out_incomplete() {
    IntVector incomplete(chunk_.rows, 0);
    for (int j = 0; j < p_; ++j) {
      double infinite = 0;
      for (int r = 0; r < chunk_.rows; ++r) {
        const double x = number(j, r);
        if (std::isfinite(x) || chunk_.group[r] == chunk_.groups) continue;
        infinite += std::isinf(x);
        scatter_.missing[j] += std::isnan(x);
        incomplete[r] = 1;
      }
      if (infinite > 0) diagnostics_.add(Problem::infinite, kAll, features_[j], infinite);
    }
    for (int r = 0; r < chunk_.rows; ++r) {
      if (!incomplete[r]) continue;
      group_[r] = chunk_.groups;
      ++scatter_.skipped;
    }
  }

  // Hands every group's centred rows (times the root of their weight), block
  // by block, to `use`.
  template <class Use>
  void for_each_block(Use use) {
    IntVector order(kBlock), start(chunk_.groups + 2);
    for (int first = 0; first < chunk_.rows; first += kBlock) {
      const int rows = std::min(kBlock, chunk_.rows - first);
      sort_by_group(first, rows, order, start);
      for (int g = 0; g < chunk_.groups; ++g) {
        const int size = start[g + 1] - start[g];
        if (size > 0) use(g, centred(g, first, order.data() + start[g], size));
      }
    }
  }

  void sort_by_group(int first, int rows, IntVector& order, IntVector& start) const {
    std::fill(start.begin(), start.end(), 0);
    for (int r = 0; r < rows; ++r) ++start[group_[first + r] + 1];
    for (std::size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
    IntVector next(start);
    for (int r = 0; r < rows; ++r) order[next[group_[first + r]]++] = r;
  }

  Matrix centred(int g, int first, const int* order, int size) const {
    Matrix x(size, p_);
    for (int j = 0; j < p_; ++j) {
      const double mean = moments_.mean(g, j), low = moments_.mean_low(g, j);
      for (int i = 0; i < size; ++i) {
        const int r = first + order[i];
        const double root = chunk_.weight ? std::sqrt(chunk_.weight[r]) : 1.0;
        x(i, j) = ((number(j, r) - mean) - low) * root;
      }
    }
    return x;
  }

  void add_products() {
    products_.resize(chunk_.groups);
    for_each_block([&](int g, const Matrix& x) {
      if (products_[g].size() == 0) products_[g] = Matrix::Zero(p_, p_);
      products_[g].template selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
    });
  }

  // Keeps the Cholesky factor of a product that is well conditioned; the rest
  // is done again by QR.
  void refine() {
    std::vector<bool> unsafe(chunk_.groups, false);
    for (int g = 0; g < chunk_.groups; ++g) {
      if (scatter_.rows(g, 0) == 0) continue;
      const Eigen::LLT<Matrix, Eigen::Lower> llt(products_[g]);
      unsafe[g] = true;
      if (scatter_.rows(g, 0) <= 2 * p_ || llt.info() != Eigen::Success) continue;
      const Matrix r = llt.matrixU();
      if (!(equilibrated_condition(r) <= kSafeCondition)) continue;
      scatter_.triangle[g] = r;
      unsafe[g] = false;
    }
    if (std::find(unsafe.begin(), unsafe.end(), true) == unsafe.end()) return;
    for_each_block([&](int g, const Matrix& x) {
      if (unsafe[g]) scatter_.triangle[g] = triangle_of_rows(stack(scatter_.triangle[g], x));
    });
  }

  const Frame& frame_;
  const IntVector& features_;
  const Chunk& chunk_;
  Scatter& scatter_;
  Diagnostics& diagnostics_;
  const int p_;
  IntVector group_;
  Moments moments_;
  std::vector<Matrix> products_;
};

}  // namespace bayesrisk

#pragma once

#include <bayesrisk/core/triangle.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/data/tile.hpp>
#include <bayesrisk/likelihood/multivariate_gaussian.hpp>

#include <map>
#include <mutex>

namespace bayesrisk {

class MultivariateGaussian::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), complete_(marginal(all_members())) {}

  void add(const Frame& frame, int, int, Tile& tile) const {
    Matrix x(tile.stride, plan_.size());
    std::map<IntVector, IntVector> incomplete;  // members observed -> rows
    IntVector whole;
    read(frame, tile, x, whole, incomplete);
    if (!whole.empty()) add_rows(complete_, x, whole, tile);
    for (const auto& [members, rows] : incomplete) {
      if (members.empty()) continue;
      if (const Marginal* known = remembered(members)) {
        add_rows(*known, x, rows, tile);
      } else {
        add_rows(marginal(members), x, rows, tile);
      }
    }
  }

 private:
  // The distribution of some of the features: the triangle of their columns.
  struct Marginal {
    IntVector members;
    std::vector<Matrix> factor;
    Vector constant;
  };

  static constexpr std::size_t kRemembered = 1024;

  IntVector all_members() const {
    IntVector result(plan_.size());
    for (int j = 0; j < plan_.size(); ++j) result[j] = j;
    return result;
  }

  Marginal marginal(const IntVector& members) const {
    Marginal result{members, {}, {}};
    const int m = static_cast<int>(members.size());
    for (const Matrix& u : parameters_.factor) {
      Matrix columns(u.rows(), m);
      for (int i = 0; i < m; ++i) columns.col(i) = u.col(members[i]);
      result.factor.push_back(m == u.cols() ? u : triangle_of_rows(columns));
      result.constant.push_back(-half_log_determinant(result.factor.back()) - m * kHalfLogTwoPi);
    }
    return result;
  }

  // One factor per pattern of missing values, kept while they are few.
  const Marginal* remembered(const IntVector& members) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto found = marginals_.find(members);
    if (found != marginals_.end()) return &found->second;
    if (marginals_.size() >= kRemembered) return nullptr;
    return &marginals_.emplace(members, marginal(members)).first->second;
  }

  void read(const Frame& frame, Tile& tile, Matrix& x, IntVector& whole,
            std::map<IntVector, IntVector>& incomplete) const {
    bool finite = true;
    for (int j = 0; j < plan_.size(); ++j) {
      double* column = x.col(j).data();
      const double* source = load_numbers(frame.columns[plan_.features[j]], tile.begin, tile.rows,
                                          tile.stride, column);
      if (source != column) std::copy_n(source, tile.stride, column);
      finite = finite && kernel::all_finite(column, tile.stride);
    }
    for (int r = 0; r < tile.rows; ++r) {
      IntVector members;
      bool row_whole = true;
      for (int j = 0; !finite && j < plan_.size(); ++j) {
        if (std::isinf(x(r, j))) tile.flags[r] |= kInfinite;
        row_whole = row_whole && std::isfinite(x(r, j));
        if (std::isfinite(x(r, j))) members.push_back(j);
      }
      if (row_whole) {
        whole.push_back(r);
      } else {
        incomplete[members].push_back(r);
      }
    }
  }

  // Solves U'z = x - mean for all rows side by side; the density needs |z|^2.
  void add_rows(const Marginal& marginal, const Matrix& x, const IntVector& rows,
                Tile& tile) const {
    const int m = static_cast<int>(marginal.members.size());
    const int count = static_cast<int>(rows.size());
    const int padded =
        (count + kernel::kVectorWidth - 1) / kernel::kVectorWidth * kernel::kVectorWidth;
    Matrix z = Matrix::Zero(padded, m);
    Vector square(padded);
    for (int k = 0; k < tile.classes; ++k) {
      const std::size_t of_class = marginal.factor.size() == 1 ? 0 : k;
      const Matrix& u = marginal.factor[of_class];
      std::fill(square.begin(), square.end(), 0.0);
      for (int i = 0; i < m; ++i) {
        const int j = marginal.members[i];
        const double mean = parameters_.mean(k, j), low = parameters_.mean_low(k, j);
        double* zi = z.col(i).data();
        for (int r = 0; r < count; ++r) zi[r] = (x(rows[r], j) - mean) - low;
        for (int before = 0; before < i; ++before) {
          kernel::subtract_multiple(zi, z.col(before).data(), u(before, i), padded);
        }
        const double inverse = 1 / u(i, i);
        for (int r = 0; r < padded; ++r) {
          zi[r] *= inverse;
          square[r] += zi[r] * zi[r];
        }
      }
      double* out = tile.of_class(k);
      for (int r = 0; r < count; ++r) {
        // Inf - Inf on the way: so far out that the density is 0.
        out[rows[r]] += std::isnan(square[r]) && !std::isnan(u(0, 0))
                            ? kNegativeInfinity
                            : marginal.constant[of_class] - 0.5 * square[r];
      }
    }
  }

  const Plan& plan_;
  const Parameters& parameters_;
  Marginal complete_;
  mutable std::map<IntVector, Marginal> marginals_;
  mutable std::mutex mutex_;
};

}  // namespace bayesrisk

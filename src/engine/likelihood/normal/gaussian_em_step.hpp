#pragma once

#include <engine/likelihood/normal/gaussian_em_rows.hpp>

namespace bayesrisk {

// Means, members x groups, and the factor U of the covariance U'U that the groups share.
struct EmState {
  Matrix mean, factor;
};

// A step away from a state, in units of its factor U: the means move by U'shift, and the next
// factor is `factor` U.
struct EmMove {
  Matrix shift, factor;
  double log_likelihood = kNaN;  // of the state before

  bool exists() const {
    return std::isfinite(log_likelihood) && shift.allFinite() && factor.allFinite();
  }
  EmState from(const EmState& at) const {
    return {at.mean + at.factor.transpose() * shift,
            (factor.triangularView<Eigen::Upper>() * at.factor).triangularView<Eigen::Upper>()};
  }
  // This move and then another.
  EmMove then(const EmMove& next) const {
    return {shift + factor.transpose() * next.shift,
            (next.factor.triangularView<Eigen::Upper>() * factor).triangularView<Eigen::Upper>()};
  }
  // The numbers of the move on a scale without bounds: 0 for no move.
  Matrix numbers() const;
  static EmMove of_numbers(const Matrix& numbers);
};

// One step of expectation-maximisation. Let U be the factor of the covariance and U'z = x - mean,
// so that z is standard normal. If the missing numbers of a row change, z moves along columns of
// U^-1'. So z given the known numbers has as its mean the projection of z onto the complement of
// these columns, for any numbers in the missing places, and as its covariance the projection QQ'
// onto their span. The numbers in the missing places are those that the last step expected: then
// little is taken off, and no digits are lost. Products of z are well conditioned near the maximum,
// whatever the covariance; where they are not, the rows are factored.
class EmStep {
 public:
  EmStep(EmRows& rows, const Context& context)
      : rows_(rows), context_(context), columns_(std::max<Index>(512, 2 * rows.size() + 2)) {
    set_tasks();
    for (double w : rows.weight()) weight_ += w;
  }

  Index tasks() const { return static_cast<Index>(start_.size()) - 1; }
  double weight() const { return weight_; }

  EmMove operator()(const EmState& at);

  // The log likelihood of the known numbers.
  double log_likelihood(const EmState& at) {
    prepare(at);
    return add_up().log_likelihood;
  }

 private:
  struct Sums {
    Matrix product, sum;
    double log_likelihood = 0;

    void merge(const Sums& other);
  };

  Index size() const { return rows_.size(); }
  Index columns_of(const EmPattern& p) const {
    return p.last - p.first + static_cast<Index>(p.missing.size());
  }

  // A task is a run of patterns with about the same work. There are few, because each has a matrix
  // of products.
  void set_tasks();

  void prepare(const EmState& at);

  // The sums of the tasks, added in their order.
  Sums add_up() const;

  // Calls use(block, from, end) for the columns of patterns `first` to `last` - 1, some patterns at
  // a time: their rows, and behind them the columns of Q. Sets the sums that need no products.
  template <class Use>
  void for_each_block(Index first, Index last, Sums& sums, const Use& use) const {
    Matrix block(size(), columns_);
    while (first < last) {
      context_.check();
      Index end = first, columns = 0;
      while (end < last) {
        const Index more = columns_of(rows_.patterns()[static_cast<std::size_t>(end)]);
        if (columns > 0 && columns + more > columns_) break;
        columns += more;
        ++end;
      }
      fill(first, end, block, sums);
      use(block.leftCols(columns), first, end);
      first = end;
    }
  }

  void fill(Index first, Index end, Matrix& block, Sums& sums) const;

  // Sets an orthonormal basis of the columns of U^-1' of the missing members; returns the log of
  // their volume, less the log of their scales.
  template <class Block>
  double set_basis(const EmPattern& p, Block& basis) const {
    double log_volume = 0;
    for (Index i = 0; i < basis.cols(); ++i) {
      const int member = p.missing[static_cast<std::size_t>(i)];
      auto column = basis.col(i);
      column = across_.col(member);
      // One pass would leave parts of the columns before if the column is close to their span.
      for (int pass = 0; pass < 2 && i > 0; ++pass) {
        column -= basis.leftCols(i) * (basis.leftCols(i).transpose() * column).eval();
      }
      const double length = column.norm();
      column /= length;
      log_volume += std::log(length) - log_scale_[member];
    }
    return log_volume;
  }

  template <class Block>
  void set_guesses(const EmPattern& p, const Block& z) const {
    for (Index c = 0; c < z.cols(); ++c) {
      for (int j : p.missing) {
        const double guess = rows_.root()[p.first + c] * at_->mean(j, p.group) +
                             at_->factor.col(j).head(j + 1).dot(z.col(c).head(j + 1));
        // A jump too far can overflow; the step after it starts from the guesses before.
        if (std::isfinite(guess)) rows_.guess(j, p.first + c) = guess;
      }
    }
  }

  Sums empty_sums() const {
    return {Matrix::Zero(size(), size()), Matrix::Zero(size(), rows_.groups()), 0};
  }

  // The triangle of all columns about the new means.
  Matrix factor_rows(const Matrix& shift) const;

  template <class Block>
  void centre(const Matrix& shift, Index first, Index end, Block& block) const {
    const Index begin = rows_.patterns()[static_cast<std::size_t>(first)].first;
    for (Index i = first; i < end; ++i) {
      const EmPattern& p = rows_.patterns()[static_cast<std::size_t>(i)];
      const Index rows = p.last - p.first;
      block.middleCols(p.first - begin, rows) -=
          shift.col(p.group) * rows_.root().segment(p.first, rows).transpose();
    }
  }

  EmRows& rows_;
  const Context& context_;
  const Index columns_;  // of a block
  std::vector<Index> start_;
  double weight_ = 0;
  const EmState* at_ = nullptr;
  Matrix across_;  // U^-1'
  Eigen::VectorXd log_scale_;
  double half_log_determinant_ = 0;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>

#include <Eigen/LU>

namespace bayesrisk {

// The likelihoods of the classes in unlabelled rows, relative to the largest one of the row, by
// column (class). Rows that say nothing about the prior have `evidence` 0.
struct PriorPiece {
  Index rows = 0;
  const double* likelihood = nullptr;
  const double* evidence = nullptr;  // the weight of the row in the likelihood of the prior
  const double* weight = nullptr;    // its weight in mean costs; 0: the row has no posterior

  const double* of_class(int k) const { return likelihood + k * rows; }
};

// The log likelihood of a prior, its gradient, and minus its Hessian, if it is asked for.
struct PriorLikelihood {
  double value = 0;
  Eigen::VectorXd gradient;
  Matrix information;

  explicit PriorLikelihood(int classes = 0, bool informed = true)
      : gradient(Eigen::VectorXd::Zero(classes)) {
    if (informed) information = Matrix::Zero(classes, classes);
  }
  void merge(const PriorLikelihood& other) {
    value += other.value;
    gradient += other.gradient;
    information += other.information;
  }
};

// Solves equations with an information matrix. Those of the last open classes stay factorised.
class PriorCurvature {
 public:
  explicit PriorCurvature(Matrix information) : information_(std::move(information)) {}

  const Matrix& information() const { return information_; }

  // The x of the open classes with information * x = right + constant that adds up to `sum`. The
  // ridge keeps classes with equal likelihoods where they are.
  Eigen::VectorXd solve(const IntVector& open, const Eigen::VectorXd& right, double sum) {
    if (open != open_) factorise(open);
    Eigen::VectorXd extended(right.size() + 1);
    extended << right / unit_, sum;
    return factors_.solve(extended).head(right.size());
  }

 private:
  void factorise(const IntVector& open) {
    const auto size = static_cast<Index>(open.size());
    unit_ = 0;
    for (int k : open) unit_ = std::max(unit_, information_(k, k));
    if (!(unit_ > 0)) unit_ = 1;
    Matrix system = Matrix::Zero(size + 1, size + 1);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) system(i, j) = information_(open[i], open[j]) / unit_;
      system(i, i) += 1e-13;
      system(i, size) = system(size, i) = 1;
    }
    factors_.compute(system);
    open_ = open;
  }

  Matrix information_;
  double unit_ = 1;
  IntVector open_{-1};
  Eigen::PartialPivLU<Matrix> factors_;
};

// The log likelihood of unlabelled rows, the weighted sum of log sum_k prior_k likelihood_k, as a
// function of the prior. It is concave.
class PriorEvidence {
 public:
  PriorEvidence(std::vector<PriorPiece> pieces, int classes, const Context& context)
      : pieces_(std::move(pieces)), classes_(classes), context_(context) {
    for (const PriorPiece& piece : pieces_) {
      for (Index r = 0; r < piece.rows; ++r) total_ += piece.evidence[r];
    }
  }

  // The same rows, summed elsewhere.
  PriorEvidence with(const Context& context) const { return {pieces_, classes_, context}; }

  int classes() const { return classes_; }
  double total() const { return total_; }  // the weight of all rows

  void check() const { context_.check(); }

  // With many classes the information takes most of the time.
  PriorLikelihood at(const Eigen::VectorXd& prior, bool informed = true) const {
    PriorLikelihood sum(classes_, informed);
    for (const PriorPiece& piece : pieces_) {
      sum = merge_by_rows(piece.rows, context_, sum, [&](Index first, Index last) {
        context_.check();
        return of_rows(piece, prior, first, last, informed);
      });
    }
    return sum;
  }

 private:
  // Slices fit into the cache.
  static constexpr Index kSlice = 256;

  PriorLikelihood of_rows(const PriorPiece& piece, const Eigen::VectorXd& prior, Index first,
                          Index last, bool informed) const {
    PriorLikelihood sum(classes_, informed);
    Matrix ratio(informed ? kSlice : 0, classes_);
    Eigen::VectorXd mixture(kSlice), root(kSlice);
    for (Index begin = first; begin < last; begin += kSlice) {
      const Index count = std::min(kSlice, last - begin);
      mixture.head(count).setZero();
      for (int k = 0; k < classes_; ++k) {
        mixture.head(count) += prior[k] * of(piece, k, begin, count);
      }
      const Eigen::Map<const Eigen::VectorXd> evidence(piece.evidence + begin, count);
      // A row of weight 0 counts nothing, even if the prior makes it impossible.
      sum.value += sum_of_logs(mixture.data(), evidence.data(), count);
      root.head(count) = evidence.cwiseSqrt();
      mixture.head(count) = root.head(count).cwiseQuotient(mixture.head(count));
      if (!informed) {
        root.head(count) = root.head(count).cwiseProduct(mixture.head(count));
        for (int k = 0; k < classes_; ++k) {
          sum.gradient[k] += of(piece, k, begin, count).dot(root.head(count));
        }
        continue;
      }
      for (int k = 0; k < classes_; ++k) {
        ratio.col(k).head(count) = of(piece, k, begin, count).cwiseProduct(mixture.head(count));
        sum.gradient[k] += ratio.col(k).head(count).dot(root.head(count));
      }
      add_products(ratio.topRows(count), sum.information);
    }
    if (informed) {
      sum.information.triangularView<Eigen::StrictlyUpper>() = sum.information.transpose();
    }
    return sum;
  }

  // The lower triangle of x'x. Eigen's product is made for matrices that are not narrow.
  static void add_products(const Eigen::Ref<const Matrix>& x, Matrix& sum) {
    constexpr Index kNarrow = 8;
    if (x.cols() > kNarrow) {
      sum.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
      return;
    }
    for (Index k = 0; k < x.cols(); ++k) {
      for (Index j = 0; j <= k; ++j) sum(k, j) += x.col(k).dot(x.col(j));
    }
  }

  static Eigen::Map<const Eigen::VectorXd> of(const PriorPiece& piece, int k, Index begin,
                                              Index count) {
    return {piece.of_class(k) + begin, count};
  }

  std::vector<PriorPiece> pieces_;
  int classes_;
  double total_ = 0;
  const Context& context_;
};

}  // namespace bayesrisk

#include <engine/evaluation/prior_likelihood.hpp>

namespace bayesrisk {

PriorEvidence::PriorEvidence(std::vector<PriorPiece> pieces, int classes, const Context& context)
    : pieces_(std::move(pieces)), classes_(classes), context_(context) {
  for (const PriorPiece& piece : pieces_) {
    for (Index r = 0; r < piece.rows; ++r) total_ += piece.evidence[r];
  }
}

LogLikelihood PriorEvidence::at(const Eigen::VectorXd& prior, bool informed) const {
  LogLikelihood sum(classes_, informed);
  for (const PriorPiece& piece : pieces_) {
    sum = merge_by_rows(piece.rows, context_, sum, [&](Index first, Index last) {
      context_.check();
      return of_rows(piece, prior, first, last, informed);
    });
  }
  return sum;
}

LogLikelihood PriorEvidence::of_rows(const PriorPiece& piece, const Eigen::VectorXd& prior,
                                     Index first, Index last, bool informed) const {
  LogLikelihood sum(classes_, informed);
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

void PriorEvidence::add_products(const Eigen::Ref<const Matrix>& x, Matrix& sum) {
  constexpr Index kNarrow = 8;
  if (x.cols() > kNarrow) {
    sum.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
    return;
  }
  for (Index k = 0; k < x.cols(); ++k) {
    for (Index j = 0; j <= k; ++j) sum(k, j) += x.col(k).dot(x.col(j));
  }
}

}  // namespace bayesrisk

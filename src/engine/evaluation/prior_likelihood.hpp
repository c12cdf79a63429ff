#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/evaluation/newton.hpp>

namespace bayesrisk {

// The likelihoods of the classes in unlabelled rows, relative to the largest one of the row, by
// column (class). Rows that say nothing about the prior have `evidence` 0.
struct PriorPiece {
  Index rows = 0;
  const double* likelihood = nullptr;
  const double* evidence = nullptr;  // the weight of the row in the likelihood of the prior
  const double* weight = nullptr;    // its weight in mean costs; 0: the row has no posterior
  const int* cluster = nullptr;      // from 1; null: rows are independent

  const double* of_class(int k) const { return likelihood + k * rows; }
};

// Some rows with the likelihoods of the classes, row x class, and those by other densities, row x
// class x density: see PriorSample.
struct SampledRows {
  Index rows;
  const double *together, *others, *evidence;
  const int* cluster = nullptr;  // from 1; null: rows are independent
};

// The log likelihood of unlabelled rows, the weighted sum of log sum_k prior_k likelihood_k, as a
// function of the prior. It is concave.
class PriorEvidence {
 public:
  PriorEvidence(std::vector<PriorPiece> pieces, int classes, const Context& context);

  // The same rows, summed elsewhere.
  PriorEvidence with(const Context& context) const { return {pieces_, classes_, context}; }

  int classes() const { return classes_; }
  double total() const { return total_; }  // the weight of all rows

  void check() const { context_.check(); }

  // With many classes the information takes most of the time.
  LogLikelihood at(const Eigen::VectorXd& prior, bool informed = true) const;

 private:
  // Slices fit into the cache.
  static constexpr Index kSlice = 256;

  LogLikelihood of_rows(const PriorPiece& piece, const Eigen::VectorXd& prior, Index first,
                        Index last, bool informed) const;

  // The lower triangle of x'x. Eigen's product is made for matrices that are not narrow.
  static void add_products(const Eigen::Ref<const Matrix>& x, Matrix& sum);

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

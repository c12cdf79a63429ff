#pragma once

#include <engine/likelihood/normal/multivariate_mixture.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The rows of a class in standard units: mean 0, covariance the identity. Rows of weight 0 fill
// them up to whole vectors.
struct StandardRows {
  static constexpr int kBlock = 512, kVectors = 32;

  Matrix x;
  Eigen::ArrayXd weight;
  double total = 0;

  StandardRows(const Matrix& rows, const Eigen::ArrayXd& weights);
};

// The components of a block in standard units. U'U is the covariance of a component, for its upper
// triangle U.
struct BlockTerms {
  Eigen::ArrayXd share;
  Matrix mean;  // components in columns
  std::vector<Matrix> factor;
  bool spike = false;  // a component has no case, or too little spread in some direction
  double log_likelihood = kNegativeInfinity;  // minus infinity: not computed

  explicit BlockTerms(int count = 0, Index size = 0)
      : share(count), mean(size, count), factor(static_cast<std::size_t>(count)) {}
  int count() const { return static_cast<int>(share.size()); }

  // A direction in which the variance is below `least` is found without eigenvalues: the
  // covariance less `least` is not positive. Leaves that in place of the covariance.
  void set_covariance(int t, Matrix& covariance, double least);
};

// One step of expectation-maximisation. Each component borrows `borrow` cases whose covariance is
// the identity.
class BlockStep {
 public:
  BlockStep(const StandardRows& rows, double borrow, double least,
            const std::function<void()>& check)
      : rows_(rows), borrow_(borrow), least_(least), check_(check) {}

  // Writes the next terms to `next`, which has as many; also sets the log likelihood of `terms`. A
  // step raises the sum of the log likelihood and of the log density of the borrowed cases.
  // Deviations are from the old means.
  void operator()(BlockTerms& terms, BlockTerms& next);

 private:
  static constexpr int kBlock = StandardRows::kBlock;

  void prepare(const BlockTerms& terms);

  // The weights of a block of rows, shared out among the terms; returns the log likelihood but for
  // a constant.
  double share_out(Index begin, int rows);

  void add_moments(const BlockTerms& terms, Index begin, int rows, int t);

  // Minus the mean log density of the borrowed cases, summed over the terms, but for a constant.
  static double borrowed_loss(const BlockTerms& terms);

  const StandardRows& rows_;
  double borrow_, least_;
  const std::function<void()>& check_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  Vector own_, constant_, low_;
  LineVector scratch_, sum_, least_of_row_;
  Matrix first_, share_, deviation_, shared_;
  std::vector<Matrix> second_;
  std::vector<const double*> columns_;
  std::vector<Vector> inverse_;
  std::vector<simd::TriangleOfClass> classes_;
};

}  // namespace bayesrisk

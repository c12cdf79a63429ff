#include <engine/evaluation/other_features.hpp>

namespace bayesrisk {

OtherFeatures::OtherFeatures(const Scorer& scorer, const Vector& factors, const Frame& frame,
                             const Context& context)
    : scorer_(scorer),
      frame_(frame),
      blocks_(blocks_of(scorer.plan())),
      block_of_(frame.columns.size(), 0),
      log_joint_(log_likelihood(nullptr, context)) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int j : features_of(scorer.plan(), blocks_[b])) block_of_[static_cast<std::size_t>(j)] = b;
  }
  for (Index k = 0; k < log_joint_.cols(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    log_joint_.col(k).array() += factors[at] + scorer.log_prior()[at];
  }
}

Matrix OtherFeatures::posterior(int feature) const {
  const BlockMembers& block = blocks_[block_of_[static_cast<std::size_t>(feature)]];
  Matrix result = log_joint_ - log_likelihood(&block, Context());
  for (Index k = 0; k < result.cols(); ++k) {
    if (!(scorer_.prior()[static_cast<std::size_t>(k)] > 0)) result.col(k).fill(kNegativeInfinity);
  }
  for (Index r = 0; r < result.rows(); ++r) {
    result.row(r) = (result.row(r).array() - result.row(r).maxCoeff()).exp();
    result.row(r) /= result.row(r).sum();
  }
  return result;
}

// Of one block; null: of all.
Matrix OtherFeatures::log_likelihood(const BlockMembers* block, const Context& context) const {
  Matrix result(frame_.rows, scorer_.classes());
  context.run((frame_.rows + kMostTaskRows - 1) / kMostTaskRows, [&](Index run) {
    const Index first = run * kMostTaskRows, last = std::min(first + kMostTaskRows, frame_.rows);
    Tile tile(scorer_.classes(), static_cast<int>(frame_.columns.size()));
    for (Index begin = first; begin < last; begin += tile.rows) {
      context.check();
      tile.start(begin, last);
      if (block) {
        scorer_.add_blocks(frame_, *block, tile);
      } else {
        scorer_.add_all(frame_, tile);
      }
      for (int k = 0; k < tile.classes; ++k) {
        std::copy_n(tile.of_class(k), tile.rows, result.col(k).data() + begin);
      }
    }
  });
  return result;
}

}  // namespace bayesrisk

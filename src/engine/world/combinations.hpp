#pragma once

#include <engine/world/world.hpp>

namespace bayesrisk {

// All combinations of the levels of some categorical features of a world. The first feature varies
// fastest. Without features there is one combination.
struct Combinations {
  IntVector features, levels;

  // A double, because the product may overflow an integer.
  double count() const;

  // The levels, from 0, of one feature in the combinations from `begin` on.
  void load(std::size_t feature, Index begin, IntVector& codes) const;
};

// log prior + log P(combination | class) of a model for every combination of a world. Each
// combination is scored as a row whose numeric features are all missing.
class CombinationScorer {
 public:
  CombinationScorer(const View& view, const Combinations& combinations);

  // The log joint as a matrix, classes x combinations.
  Matrix log_joint(Index begin, Index count) const;

 private:
  Frame make_frame(Index begin, Index count, const Vector& numbers,
                   std::vector<IntVector>& codes) const;

  void add_columns(const Bank& bank, Index begin, Index count, std::vector<IntVector>& codes,
                   Frame& frame) const;

  void fill(int own, Index begin, IntVector& codes) const;

  const View& view_;
  const Combinations& combinations_;
  Scorer scorer_;
  int features_ = 0;
};

// The log joints of all combinations, classes x combinations.
inline Matrix combination_joints(const View& view, const Combinations& combinations) {
  return CombinationScorer(view, combinations)
      .log_joint(0, static_cast<Index>(combinations.count()));
}

}  // namespace bayesrisk

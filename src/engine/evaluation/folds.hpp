#pragma once

#include <engine/core/random.hpp>
#include <engine/model/fit.hpp>

namespace bayesrisk {

// Writes the fold (from 1) of each row. The sizes of the folds differ as little as possible, and
// the rows of each group are spread over the folds as evenly as possible. Groups count from 1; with
// a single group there is no stratification. A row without a group has no fold.
void draw_folds(const int* group, Index rows, int groups, int folds, std::uint64_t seed, int* fold);

// Rows in the order of their part (stored from 1, or missing); parts count from 0.
class RowsByPart {
 public:
  RowsByPart(const int* part, Index first, Index last, int parts);
  Index count(int p) const { return start_[p + 1] - start_[p]; }
  const Index* of(int p) const { return rows_.data() + start_[p]; }

 private:
  std::vector<Index> rows_, start_;
};

// Replaces each part by the merge of all other parts and of `outside`. Parts are merged and never
// subtracted, because a subtraction would lose digits. A part is overwritten once it is no longer
// needed, so memory holds only a few more sets of statistics than there are parts.
void merge_others(const ModelPlan& plan, std::vector<ModelStatistics>& parts, std::size_t first,
                  std::size_t last, ModelStatistics outside, const Context& context);

}  // namespace bayesrisk

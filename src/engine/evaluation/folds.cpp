#include <engine/core/random.hpp>
#include <engine/data/columns.hpp>
#include <engine/evaluation/folds.hpp>

namespace bayesrisk {

void draw_folds(const int* group, Index rows, int groups, int folds, std::uint64_t seed,
                int* fold) {
  auto has_group = [&](Index r) { return group[r] > 0 && group[r] <= groups; };
  std::vector<std::size_t> next(groups + 1, 0);
  for (Index r = 0; r < rows; ++r) {
    if (has_group(r)) ++next[group[r]];
  }
  for (int g = 1; g <= groups; ++g) next[g] += next[g - 1];
  std::vector<std::int16_t> label(next[groups]);
  int turn = 0;
  for (std::int16_t& of_row : label) {
    of_row = static_cast<std::int16_t>(turn);
    turn = turn + 1 == folds ? 0 : turn + 1;
  }
  for (int g = 1; g <= groups; ++g) {
    CounterRandom random(seed, static_cast<std::uint64_t>(g));
    std::int16_t* own = label.data() + next[g - 1];
    for (std::size_t left = next[g] - next[g - 1]; left > 1; --left) {
      std::swap(own[left - 1], own[random.below(static_cast<std::uint32_t>(left))]);
    }
  }
  for (Index r = 0; r < rows; ++r) {
    fold[r] = has_group(r) ? label[next[group[r] - 1]++] + 1 : kMissingInteger;
  }
}

RowsByPart::RowsByPart(const int* part, Index first, Index last, int parts) : start_(parts + 1, 0) {
  for (Index r = first; r < last; ++r) {
    if (part[r] != kMissingInteger) ++start_[part[r]];
  }
  for (int p = 0; p < parts; ++p) start_[p + 1] += start_[p];
  rows_.resize(static_cast<std::size_t>(start_[parts]));
  std::vector<Index> next(start_);
  for (Index r = first; r < last; ++r) {
    if (part[r] != kMissingInteger) rows_[next[part[r] - 1]++] = r;
  }
}

void merge_others(const ModelPlan& plan, std::vector<ModelStatistics>& parts, std::size_t first,
                  std::size_t last, ModelStatistics outside, const Context& context) {
  if (first == last) return;
  if (last - first == 1) {
    parts[first] = std::move(outside);
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  ModelStatistics left = outside, right = std::move(outside);
  for (std::size_t i = middle; i < last; ++i) left.merge(plan, parts[i], context);
  for (std::size_t i = first; i < middle; ++i) right.merge(plan, parts[i], context);
  merge_others(plan, parts, first, middle, std::move(left), context);
  merge_others(plan, parts, middle, last, std::move(right), context);
}

}  // namespace bayesrisk

#pragma once

#include <bayesrisk/likelihood/joint_table.hpp>

#include <iterator>
#include <unordered_map>

namespace bayesrisk {

// Counts by cell while they are being collected; sorted by key at the end.
class CellCounts {
 public:
  CellCounts(const JointTable::Plan& plan, int groups) : plan_(plan), groups_(groups) {}

  // The counts of a cell, one per group.
  Vector& at(const int* codes) {
    auto [place, added] = cells_.try_emplace(plan_.key(codes, plan_.whole()));
    if (added) {
      place->second.codes.assign(codes, codes + plan_.members());
      place->second.count.assign(groups_, 0.0);
    }
    return place->second.count;
  }

  void store(JointTable::Statistics& statistics) const {
    std::vector<std::pair<JointTable::Key, const Cell*>> sorted;
    for (const auto& [key, cell] : cells_) sorted.push_back({key, &cell});
    std::sort(sorted.begin(), sorted.end());
    statistics.cells.resize(sorted.size(), plan_.members());
    statistics.count.resize(groups_, sorted.size());
    for (std::size_t c = 0; c < sorted.size(); ++c) {
      const Cell& cell = *sorted[c].second;
      for (int j = 0; j < plan_.members(); ++j) statistics.cells(c, j) = cell.codes[j] + 1;
      for (int g = 0; g < groups_; ++g) statistics.count(g, c) = cell.count[g];
    }
  }

 private:
  struct Cell {
    IntVector codes;
    Vector count;
  };
  const JointTable::Plan& plan_;
  int groups_;
  std::unordered_map<JointTable::Key, Cell> cells_;
};

inline void JointTable::Statistics::collect(const Plan& plan, const Frame& frame,
                                            const Chunk& chunk, Diagnostics& diagnostics) {
  const int members = plan.members();
  IntMatrix codes(members, chunk.rows);
  IntVector column(chunk.rows);
  for (int j = 0; j < members; ++j) {
    load_codes(frame.columns[plan.features[j]], chunk.begin, chunk.rows, column.data());
    double malformed = 0;
    for (int r = 0; r < chunk.rows; ++r) {
      const bool bad = column[r] < kUnknown || column[r] >= plan.levels[j];
      const bool counted = chunk.group[r] < chunk.groups;
      malformed += bad && counted;
      codes(j, r) = bad ? kMissing : column[r];
      missing[j] += codes(j, r) < 0 && counted;
    }
    if (malformed > 0) diagnostics.add(Problem::malformed, kAll, plan.features[j], malformed);
  }
  CellCounts cells_seen(plan, chunk.groups);
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups) continue;
    if (codes.col(r).minCoeff() < 0) {
      ++skipped;
    } else {
      cells_seen.at(codes.col(r).data())[chunk.group[r]] += chunk.weight ? chunk.weight[r] : 1.0;
    }
  }
  cells_seen.store(*this);
}

// Both lists are in the order of their keys: one pass unites them.
inline void JointTable::Statistics::merge(const Plan& plan, const Statistics& other) {
  const std::vector<Key> mine = keys(plan), theirs = other.keys(plan);
  std::vector<Key> united;
  std::set_union(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                 std::back_inserter(united));
  Statistics result(plan, static_cast<int>(count.rows()));
  result.cells.resize(united.size(), plan.members());
  result.count = Matrix::Zero(count.rows(), united.size());
  auto add = [&](const Statistics& part, const std::vector<Key>& part_keys) {
    std::size_t c = 0;
    for (std::size_t i = 0; i < part_keys.size(); ++i) {
      while (united[c] != part_keys[i]) ++c;
      result.cells.row(c) = part.cells.row(i);
      result.count.col(c) += part.count.col(i);
    }
  };
  add(*this, mine);
  add(other, theirs);
  for (std::size_t j = 0; j < missing.size(); ++j)
    result.missing[j] = missing[j] + other.missing[j];
  result.skipped = skipped + other.skipped;
  *this = std::move(result);
}

// Only the cells that these groups saw. Rows that missed a feature are not counted by
// group: a part does not know its own.
inline JointTable::Statistics JointTable::Statistics::of_groups(const Plan& plan, int first,
                                                                int groups) const {
  std::vector<Index> seen;
  for (Index c = 0; c < count.cols(); ++c) {
    if ((count.col(c).segment(first, groups).array() > 0).any()) seen.push_back(c);
  }
  Statistics part(plan, groups);
  part.cells.resize(seen.size(), plan.members());
  part.count.resize(groups, seen.size());
  for (std::size_t c = 0; c < seen.size(); ++c) {
    part.cells.row(c) = cells.row(seen[c]);
    part.count.col(c) = count.col(seen[c]).segment(first, groups);
  }
  return part;
}

inline std::vector<JointTable::Key> JointTable::Statistics::keys(const Plan& plan) const {
  std::vector<Key> result(cells.rows());
  IntVector codes(plan.members());
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) codes[j] = cells(c, j) - 1;
    result[c] = plan.key(codes.data(), plan.whole());
  }
  return result;
}

inline JointTable::Statistics JointTable::Statistics::realign(const Plan& plan, const Plan& target,
                                                              const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  CellCounts moved(target, mapping.groups);
  IntVector to(plan.members()), codes(target.members());
  for (int j = 0; j < plan.members(); ++j) {
    to[j] = mapping.member(plan.features[j], target.features);
    if (to[j] >= 0) result.missing[to[j]] = missing[j];
  }
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) {
      if (to[j] >= 0) codes[to[j]] = mapping.level[plan.features[j]][cells(c, j) - 1];
    }
    Vector& counts = moved.at(codes.data());
    for (std::size_t g = 0; g < mapping.group.size(); ++g) {
      counts[mapping.group[g]] += count(g, c);
    }
  }
  moved.store(result);
  result.skipped = skipped;
  return result;
}

}  // namespace bayesrisk

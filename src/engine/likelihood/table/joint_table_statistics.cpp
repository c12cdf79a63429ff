#include <engine/likelihood/table/joint_table_statistics.hpp>

namespace bayesrisk {

void JointTable::Statistics::check(const Plan& plan, int groups) const {
  check_cells(plan, cells);
  require(has_shape(count, groups, cells.rows()), "count: wrong dimensions");
  require(not_negative(count), "count: negative");
  const std::vector<Key> sorted = keys(plan);
  require(
      std::adjacent_find(sorted.begin(), sorted.end(), std::greater_equal<Key>()) == sorted.end(),
      "cells: not in order");
  require(static_cast<int>(missing.size()) == plan.members(), "missing: wrong length");
  require(not_negative(missing) && skipped >= 0, "missing: negative");
}

Vector& CellCounts::at(const int* codes) {
  auto [place, added] = cells_.try_emplace(plan_.key(codes, plan_.whole()));
  if (added) {
    place->second.codes.assign(codes, codes + plan_.members());
    place->second.count.assign(groups_, 0.0);
  }
  return place->second.count;
}

void CellCounts::store(JointTable::Statistics& statistics) const {
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

bool AllCells::few() const {
  double cells = slots_;
  for (int levels : plan_.levels) cells *= levels + 1;
  return cells <= std::min(kMost, 8.0 * chunk_.rows);
}

void AllCells::collect(const Frame& frame, Diagnostics& diagnostics) {
  Join all{0, plan_.members(), 1};
  for (int levels : plan_.levels) all.cells *= levels + 1;
  const int cells = all.cells * slots_;
  rows_.assign(static_cast<std::size_t>(cells) * simd::kCountBanks, 0);
  if (chunk_.weight) weight_.assign(rows_.size(), 0.0);
  ChunkCells<JointTable::Plan> rows_in_cells(plan_, frame, chunk_, diagnostics);
  rows_in_cells.for_each_slice(all, [&](int first, int rows, const int* cell) {
    simd::count_cells(cell, rows, cells, rows_.data());
    if (!chunk_.weight) return;
    simd::add_weights(cell, chunk_.weight + first, rows, cells, weight_.data());
  });
  simd::add_cells(rows_.data() + cells, cells, rows_.data());
  if (chunk_.weight) simd::add_cells(weight_.data() + cells, cells, weight_.data());
  rows_.resize(cells);
}

void AllCells::store(JointTable::Statistics& statistics) const {
  std::vector<std::size_t> seen;
  for (std::size_t first = 0; first < rows_.size(); first += slots_) {
    const double rows = std::accumulate(&rows_[first], &rows_[first] + chunk_.groups, 0.0);
    if (rows == 0) continue;
    const IntVector codes = codes_of(first);
    if (codes_missing(codes, rows, statistics.missing)) {
      statistics.skipped += rows;
    } else {
      seen.push_back(first);
    }
  }
  statistics.cells.resize(seen.size(), plan_.members());
  statistics.count.resize(chunk_.groups, seen.size());
  for (std::size_t c = 0; c < seen.size(); ++c) {
    const IntVector codes = codes_of(seen[c]);
    for (int j = 0; j < plan_.members(); ++j) statistics.cells(c, j) = codes[j] + 1;
    for (int g = 0; g < chunk_.groups; ++g) {
      statistics.count(g, c) = chunk_.weight ? weight_[seen[c] + g] : rows_[seen[c] + g];
    }
  }
}

IntVector AllCells::codes_of(std::size_t place) const {
  IntVector codes(plan_.members());
  place /= slots_;
  for (int j = plan_.members() - 1; j >= 0; --j) {
    const auto slots = static_cast<std::size_t>(plan_.levels[j]) + 1;
    codes[j] = static_cast<int>(place % slots);
    place /= slots;
  }
  return codes;
}

bool AllCells::codes_missing(const IntVector& codes, double rows, Vector& missing) const {
  bool any = false;
  for (int j = 0; j < plan_.members(); ++j) {
    if (codes[j] < plan_.levels[j]) continue;
    missing[j] += rows;
    any = true;
  }
  return any;
}

void JointTable::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                     Diagnostics& diagnostics) {
  AllCells all(plan, chunk);
  if (all.few()) {
    all.collect(frame, diagnostics);
    return all.store(*this);
  }
  CellCounts cells_seen(plan, chunk.groups);
  IntVector codes(plan.members());
  Vector malformed(plan.members(), 0.0);
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups) continue;
    bool complete = true;
    for (int j = 0; j < plan.members(); ++j) {
      const Column& column = frame.columns[plan.features[j]];
      codes[j] = level_of(column, column.integer[chunk.begin + r]);
      malformed[j] += is_malformed(codes[j], plan.levels[j]);
      if (codes[j] >= 0 && codes[j] < plan.levels[j]) continue;
      ++missing[j];
      complete = false;
    }
    if (complete) {
      cells_seen.at(codes.data())[chunk.group[r]] += chunk.weight ? chunk.weight[r] : 1.0;
    } else {
      ++skipped;
    }
  }
  for (int j = 0; j < plan.members(); ++j) {
    if (malformed[j] > 0) {
      diagnostics.add(Problem::malformed, kAll, plan.features[j], malformed[j]);
    }
  }
  cells_seen.store(*this);
}

// Both lists are in the order of their keys: one pass unites them.
void JointTable::Statistics::merge(const Plan& plan, const Statistics& other) {
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

// Lists only the cells that occur in these groups. Rows with a missing feature are not counted by
// group, so their number is unknown for a part of the groups.
JointTable::Statistics JointTable::Statistics::of_groups(const Plan& plan, int first,
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

JointTable::Statistics JointTable::Statistics::realign(const Plan& plan, const Plan& target,
                                                       const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  CellCounts moved(target, mapping.groups);
  const IntVector to = mapping.members(plan.features, target.features);
  IntVector codes(target.members());
  for (int j = 0; j < plan.members(); ++j) {
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

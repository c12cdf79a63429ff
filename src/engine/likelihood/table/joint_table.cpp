#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/table/joins.hpp>
#include <engine/likelihood/table/joint_table.hpp>
#include <engine/likelihood/table/joint_table_drawer.hpp>
#include <engine/likelihood/table/joint_table_scorer.hpp>
#include <engine/likelihood/table/joint_table_statistics.hpp>
#include <engine/likelihood/table/joint_table_tilt.hpp>

namespace bayesrisk {

void JointTable::overlap(const Plan& plan, const Parameters& p, int one, int other,
                         Overlap& overlap) {
  std::vector<EventPair> table;
  for (Index c = 0; c < p.cells.rows(); ++c) {
    table.push_back({p.log_probability(one, c), p.log_probability(other, c)});
  }
  const double unseen = plan.cells() - static_cast<double>(p.cells.rows());
  if (unseen > 0) table.push_back({p.log_unseen[one], p.log_unseen[other], std::log(unseen)});
  overlap.parts.push_back(log_overlap(std::move(table)));
}

std::unique_ptr<BankTilt> JointTable::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<JointTableTilt>(plan, p, i, j);
}

Hyperparameters JointTable::hyperparameters(const Plan& plan, const Statistics& statistics,
                                            const Options& options, const Parameters&,
                                            const Classes&, Diagnostics&) {
  return {statistics.count.rowwise().sum().array() + options.pseudo_count * plan.cells(), {}};
}

// The cells that are not listed share what is left of the draw.
void JointTable::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                 RandomLaws& random, Parameters& p) {
  const Index cells = p.cells.rows();
  for (std::size_t g = 0; g < p.log_unseen.size(); ++g) {
    const auto row = static_cast<Index>(g);
    Vector logs, copies(static_cast<std::size_t>(cells), 1.0);
    for (Index c = 0; c < cells; ++c) logs.push_back(p.log_probability(row, c));
    logs.push_back(p.log_unseen[g]);
    copies.push_back(plan.cells() - static_cast<double>(cells));
    draw_distribution(logs, copies, hyperparameters.weight(row, 0), random);
    for (Index c = 0; c < cells; ++c) {
      p.log_probability(row, c) = logs[static_cast<std::size_t>(c)];
    }
    p.log_unseen[g] = logs.back();
  }
}

double JointTable::Plan::cells() const {
  double product = 1;
  for (int count : levels) product *= count;
  return product;
}

JointTable::Key JointTable::Plan::key(const int* codes, Key mask) const {
  Key result = 0;
  for (int j = 0; j < members(); ++j) {
    if (mask >> j & 1) result = result * levels[j] + codes[j];
  }
  return result;
}

void JointTable::Parameters::check(const Plan& plan, int groups) const {
  check_cells(plan, cells);
  std::vector<Key> keys = keys_of(plan, cells);
  std::sort(keys.begin(), keys.end());
  require(std::adjacent_find(keys.begin(), keys.end()) == keys.end(), "cells: one twice");
  require(has_shape(log_probability, groups, cells.rows()), "log_probability: wrong dimensions");
  require(static_cast<int>(log_unseen.size()) == groups, "log_unseen: wrong length");
}

void JointTable::check_cells(const Plan& plan, const IntMatrix& cells) {
  require(cells.cols() == plan.members(), "cells: wrong dimensions");
  for (int j = 0; j < cells.cols(); ++j) {
    for (int c = 0; c < cells.rows(); ++c) {
      require(cells(c, j) >= 1 && cells(c, j) <= plan.levels[j], "cells: code out of range");
    }
  }
}

std::vector<JointTable::Key> JointTable::keys_of(const Plan& plan, const IntMatrix& cells) {
  std::vector<Key> result(cells.rows());
  IntVector codes(plan.members());
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) codes[j] = cells(c, j) - 1;
    result[c] = plan.key(codes.data(), plan.whole());
  }
  return result;
}

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

JointTable::Parameters JointTable::estimate(const Plan& plan, const Statistics& statistics,
                                            const Options& options, const Classes& classes,
                                            Diagnostics& diagnostics) {
  const Index cells = statistics.cells.rows();
  Parameters p{statistics.cells, Matrix::Constant(classes.count(), cells, kNaN),
               Vector(classes.weight.size(), kNaN)};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    Eigen::RowVectorXd count = statistics.count.row(g);
    if (count.sum() <= 0 && options.pseudo_count <= 0 && classes.borrow &&
        statistics.count.sum() > 0) {
      count = statistics.count.colwise().sum();
      diagnostics.add(Problem::borrowed, g, kAll, 0);
    }
    // The sum of pseudo-counts may overflow; its log does not.
    const double log_pseudo = std::log(options.pseudo_count);
    const double log_total = log_add(std::log(count.sum()), log_pseudo + std::log(plan.cells()));
    if (log_total == kNegativeInfinity) diagnostics.add(Problem::empty, g, kAll, 0);
    p.log_unseen[g] = log_pseudo - log_total;
    for (Index c = 0; c < cells; ++c) {
      p.log_probability(g, c) = std::log(count[c] + options.pseudo_count) - log_total;
    }
  }
  return p;
}

double JointTable::log_likelihood(const Plan&, const Statistics& statistics,
                                  const Parameters& parameters) {
  double total = 0;
  for (Index c = 0; c < statistics.count.cols(); ++c) {
    for (Index g = 0; g < statistics.count.rows(); ++g) {
      total += times_log(statistics.count(g, c), parameters.log_probability(g, c));
    }
  }
  return total;
}

JointTable::Drawer::Drawer(const Plan& plan, const Parameters& parameters)
    : plan_(plan), parameters_(parameters) {
  const Index cells = parameters.cells.rows();
  IntVector codes(plan.members());
  for (Index c = 0; c < cells; ++c) {
    for (int j = 0; j < plan.members(); ++j) codes[j] = parameters.cells(c, j) - 1;
    listed_.push_back(plan.key(codes.data(), plan.whole()));
  }
  std::sort(listed_.begin(), listed_.end());
  unlisted_ = static_cast<Key>(plan.cells()) - static_cast<Key>(cells);
  for (Index k = 0; k < parameters.log_probability.rows(); ++k) {
    Vector sum{0};
    for (Index c = 0; c < cells; ++c) {
      sum.push_back(sum.back() + std::exp(parameters.log_probability(k, c)));
    }
    const double each = unlisted_ > 0 ? std::exp(parameters.log_unseen[k]) : 0;
    sum.push_back(sum.back() + each * static_cast<double>(unlisted_));
    sum.erase(sum.begin());
    cumulative_.push_back(sum);
  }
}

JointTable::Drawer::Codes JointTable::Drawer::draw_cell(int k, double u) const {
  Codes codes{};
  const Vector& sum = cumulative_[k];
  const auto cells = static_cast<int>(sum.size()) - 1;
  const int cell = index_of_weight(sum.data(), cells + 1, u);
  if (cell < cells) {
    for (int j = 0; j < plan_.members(); ++j) codes[j] = parameters_.cells(cell, j) - 1;
    return codes;
  }
  const double below = cells > 0 ? sum[cells - 1] : 0;
  const double share = (u * sum[cells] - below) / (sum[cells] - below);
  Key key = nth_unlisted(share);
  for (int j = plan_.members() - 1; j >= 0; --j) {
    const auto levels = static_cast<Key>(plan_.levels[j]);
    codes[j] = static_cast<int>(key % levels);
    key /= levels;
  }
  return codes;
}

JointTable::Key JointTable::Drawer::nth_unlisted(double share) const {
  const double place = std::max(0.0, share) * static_cast<double>(unlisted_);
  const Key n = std::min(static_cast<Key>(place), unlisted_ - 1);
  std::size_t low = 0, high = listed_.size();  // listed cells before the n-th
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (listed_[middle] - middle > n) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return n + low;
}

JointTable::Scorer::Scorer(const Plan& plan, const Parameters& parameters)
    : plan_(plan),
      parameters_(parameters),
      classes_(static_cast<int>(parameters.log_probability.rows())) {
  double cells = 1;
  for (int levels : plan.levels) cells *= levels + 1;
  if (cells <= kMostCells) list_all(static_cast<int>(cells));
}

void JointTable::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  const bool listed = !place_.empty();
  int* cell = tile.codes.data();
  std::fill_n(cell, tile.stride, 0);
  int scale = listed ? 1 : 0;
  for (int j = plan_.members() - 1; j >= 0; --j) {
    add_tile_slots(loops_, frame, plan_.features[j], plan_.levels[j], scale, tile, cell);
    if (listed) scale *= plan_.levels[j] + 1;
  }
  if (listed) {
    for (int r = 0; r < tile.stride; ++r) cell[r] = place_[cell[r]];
    const double* table = table_.data();
    loops_.add_table_rows(&table, cell, 1, tile.capacity, classes_, tile.stride, tile.stride,
                          tile.of_class(0));
  }
  look_up(frame, tile, cell);
}

void JointTable::Scorer::list_all(int cells) {
  const int width = simd::padded_classes(classes_);
  place_.assign(cells, width);
  int inner = cells;
  for (int levels : plan_.levels) {
    const int outer = inner;
    inner /= levels + 1;
    for (int first = levels * inner; first < cells; first += outer) {
      std::fill_n(place_.begin() + first, inner, 0);
    }
  }
  table_.assign(static_cast<std::size_t>(parameters_.cells.rows() + 2) * width, 0.0);
  double* row = table_.data() + width;
  std::copy_n(parameters_.log_unseen.data(), classes_, row);
  for (Index c = 0; c < parameters_.cells.rows(); ++c) {
    row += width;
    for (int k = 0; k < classes_; ++k) row[k] = parameters_.log_probability(k, c);
    int cell = 0;
    for (int j = 0; j < plan_.members(); ++j) {
      cell = cell * (plan_.levels[j] + 1) + parameters_.cells(c, j) - 1;
    }
    place_[cell] = static_cast<int>(row - table_.data());
  }
}

void JointTable::Scorer::look_up(const Frame& frame, Tile& tile, const int* place) const {
  IntVector codes(plan_.members());
  Key pattern = 0;
  std::shared_ptr<const Marginal> marginal;
  for (int r = 0; r < tile.rows; ++r) {
    if (place[r] > 0) continue;
    Key observed = 0;
    for (int j = 0; j < plan_.members(); ++j) {
      const Column& column = frame.columns[plan_.features[j]];
      codes[j] = level_of(column, column.integer[tile.begin + r]);
      if (codes[j] >= 0 && codes[j] < plan_.levels[j]) observed |= Key{1} << j;
    }
    if (observed == 0) continue;
    if (observed != pattern) marginal = of_pattern(observed);
    pattern = observed;
    const auto found = marginal->place.find(plan_.key(codes.data(), observed));
    for (int k = 0; k < tile.classes; ++k) {
      tile.of_class(k)[r] +=
          found == marginal->place.end() ? marginal->unseen[k] : marginal->seen(k, found->second);
    }
  }
}

std::shared_ptr<const JointTable::Scorer::Marginal> JointTable::Scorer::of_pattern(
    Key observed) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = marginals_.find(observed);
  if (found != marginals_.end()) return found->second;
  auto marginal = std::make_shared<const Marginal>(sum_out(observed));
  if (marginals_.size() < kRemembered) marginals_.emplace(observed, marginal);
  return marginal;
}

JointTable::Scorer::Marginal JointTable::Scorer::sum_out(Key observed) const {
  const Index groups = parameters_.log_probability.rows();
  double matching = 1;  // the number of cells that are summed into one remaining cell
  for (int j = 0; j < plan_.members(); ++j) {
    if (!(observed >> j & 1)) matching *= plan_.levels[j];
  }
  Marginal result;
  Vector listed;  // per remaining cell: the number of its cells that were observed
  result.seen = Matrix::Constant(groups, parameters_.cells.rows(), kNegativeInfinity);
  IntVector codes(plan_.members());
  for (Index c = 0; c < parameters_.cells.rows(); ++c) {
    for (int j = 0; j < plan_.members(); ++j) codes[j] = parameters_.cells(c, j) - 1;
    const auto [place, added] =
        result.place.try_emplace(plan_.key(codes.data(), observed), listed.size());
    if (added) listed.push_back(0);
    ++listed[place->second];
    for (Index k = 0; k < groups; ++k) {
      double& sum = result.seen(k, place->second);
      sum = log_add(sum, parameters_.log_probability(k, c));
    }
  }
  result.seen.conservativeResize(Eigen::NoChange, static_cast<Index>(listed.size()));
  for (Index k = 0; k < groups; ++k) {
    result.unseen.push_back(parameters_.log_unseen[k] + std::log(matching));
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (listed[i] == matching) continue;
      result.seen(k, i) =
          log_add(result.seen(k, i), parameters_.log_unseen[k] + std::log(matching - listed[i]));
    }
  }
  return result;
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

std::vector<Join> join_features(const IntVector& levels, double most_cells) {
  std::vector<Join> joins;
  for (int j = 0; j < static_cast<int>(levels.size()); ++j) {
    const int slots = levels[j] + 1;
    if (j > 0 && static_cast<double>(joins.back().cells) * slots <= most_cells) {
      joins.back().last = j + 1;
      joins.back().cells *= slots;
    } else {
      joins.push_back({j, j + 1, slots});
    }
  }
  return joins;
}

void JointTableTilt::write_to(JointTable::Parameters& to, double s, int row) const {
  const double total = log_normaliser(s);
  const auto i = static_cast<std::size_t>(i_), j = static_cast<std::size_t>(j_);
  for (Index c = 0; c < p_.log_probability.cols(); ++c) {
    to.log_probability(row, c) =
        tilted_log(p_.log_probability(i_, c), p_.log_probability(j_, c), s) - total;
  }
  to.log_unseen[static_cast<std::size_t>(row)] =
      tilted_log(p_.log_unseen[i], p_.log_unseen[j], s) - total;
}

BAYESRISK_LIKELIHOOD(JointTable)

}  // namespace bayesrisk

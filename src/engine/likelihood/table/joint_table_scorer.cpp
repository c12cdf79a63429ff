#include <engine/likelihood/table/joint_table_scorer.hpp>

namespace bayesrisk {

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
  const std::vector<Key> keys = keys_of(plan_, parameters_.cells, observed);
  for (Index c = 0; c < parameters_.cells.rows(); ++c) {
    const auto [place, added] = result.place.try_emplace(keys[c], listed.size());
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

}  // namespace bayesrisk

#include <engine/likelihood/contract/bin_sets.hpp>
#include <engine/likelihood/contract/binning.hpp>
#include <engine/likelihood/contract/cell_weights.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/contract/points.hpp>
#include <engine/likelihood/contract/row_points.hpp>

namespace bayesrisk {

Points points_of(const std::vector<ValueAndWeight>& sorted) {
  Points points(sorted.size(), 2);
  Index last = -1;
  for (const auto& [value, weight] : sorted) {
    if (last >= 0 && points(last, 0) == value) {
      points(last, 1) += weight;
    } else {
      points.row(++last) << value, weight;
    }
  }
  return points.topRows(last + 1);
}

Points unite_points(const Points& a, const Points& b) {
  std::vector<ValueAndWeight> both;
  both.reserve(static_cast<std::size_t>(a.rows() + b.rows()));
  Index i = 0, j = 0;
  while (i < a.rows() || j < b.rows()) {
    const bool first = j == b.rows() || (i < a.rows() && a(i, 0) <= b(j, 0));
    both.emplace_back(first ? ValueAndWeight{a(i, 0), a(i, 1)} : ValueAndWeight{b(j, 0), b(j, 1)});
    ++(first ? i : j);
  }
  return points_of(both);
}

std::vector<Points> sorted_points(std::vector<std::vector<ValueAndWeight>>& seen) {
  std::vector<Points> result;
  for (std::vector<ValueAndWeight>& values : seen) {
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    result.push_back(points_of(values));
  }
  return result;
}

std::vector<Points> collect_points(int feature, const Frame& frame, const Chunk& chunk,
                                   Diagnostics& diagnostics) {
  Vector buffer(chunk.rows);
  const double* x =
      load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
  std::vector<std::vector<ValueAndWeight>> seen(chunk.groups);
  for (int r = 0; r < chunk.rows; ++r) {
    const int g = chunk.group[r];
    if (g == chunk.groups || std::isnan(x[r])) continue;
    if (std::isinf(x[r])) {
      diagnostics.add(Problem::infinite, kAll, feature, 1);
    } else {
      // Adding 0 turns -0 into 0.
      seen[g].emplace_back(x[r] + 0.0, chunk.weight ? chunk.weight[r] : 1.0);
    }
  }
  return sorted_points(seen);
}

void check_points(const std::vector<Points>& points, int groups) {
  require(static_cast<int>(points.size()) == groups, "points: wrong length");
  for (const Points& of_group : points) {
    require(of_group.cols() == 2, "points: wrong dimensions");
    for (Index i = 0; i < of_group.rows(); ++i) {
      require(std::isfinite(of_group(i, 0)) && (i == 0 || of_group(i - 1, 0) < of_group(i, 0)),
              "points: not increasing");
    }
  }
}

Points points_or_pooled(const std::vector<Points>& points, int g, int feature,
                        const Classes& classes, Diagnostics& diagnostics) {
  if (points[g].col(1).sum() > 0) return points[g];
  Points pooled(0, 2);
  for (std::size_t i = 0; i < points.size() && classes.borrow; ++i) {
    pooled = unite_points(pooled, points[i]);
  }
  const bool found = pooled.col(1).sum() > 0;
  diagnostics.add(found ? Problem::borrowed : Problem::empty, g, feature, 0);
  return pooled;
}

PointChoices::PointChoices(const std::vector<Points>& points) {
  for (const Points& of_group : points) {
    double sum = 0;
    Vector& cumulative = cumulative_.emplace_back();
    for (Index i = 0; i < of_group.rows(); ++i) {
      cumulative.push_back(sum += std::exp(of_group(i, 1)));
    }
  }
}

bool comes_before(const RowPoints& rows, Index i, Index j) {
  for (Index c = 0; c + 1 < rows.cols(); ++c) {
    const double a = rows(i, c), b = rows(j, c);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    return a < b || std::isnan(b);
  }
  return false;
}

RowPoints unite_neighbours(const RowPoints& rows, const std::vector<Index>& order) {
  RowPoints result(rows.rows(), rows.cols());
  Index count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && !comes_before(rows, order[i - 1], order[i])) {
      result(count - 1, rows.cols() - 1) += rows(order[i], rows.cols() - 1);
    } else {
      result.row(count++) = rows.row(order[i]);
    }
  }
  return result.topRows(count);
}

RowPoints sort_rows(const RowPoints& rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return comes_before(rows, i, j); });
  return unite_neighbours(rows, order);
}

RowPoints unite_rows(const RowPoints& a, const RowPoints& b) {
  if (b.rows() == 0) return a;
  if (a.rows() == 0) return b;
  RowPoints both(a.rows() + b.rows(), a.cols());
  both << a, b;
  std::vector<Index> order(static_cast<std::size_t>(both.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::inplace_merge(order.begin(), order.begin() + a.rows(), order.end(),
                     [&](Index i, Index j) { return comes_before(both, i, j); });
  return unite_neighbours(both, order);
}

bool is_of_kind(RowKind kind, const std::vector<const double*>& x, int r) {
  bool any = false, all = true;
  for (const double* column : x) {
    if (std::isinf(column[r])) return false;
    const bool known = std::isfinite(column[r]);
    any = any || known;
    all = all && known;
    if (!all && kind == RowKind::complete) return false;
  }
  return kind == RowKind::complete || (any && !all);
}

std::vector<RowPoints> collect_rows(RowKind kind, const IntVector& features, const Frame& frame,
                                    const Chunk& chunk) {
  const auto size = static_cast<Index>(features.size());
  Matrix buffer(chunk.rows, size);
  std::vector<const double*> x;
  for (Index j = 0; j < size; ++j) {
    x.push_back(load_numbers(frame.columns[features[static_cast<std::size_t>(j)]], chunk.begin,
                             chunk.rows, chunk.rows, buffer.col(j).data()));
  }
  std::vector<std::vector<int>> found(static_cast<std::size_t>(chunk.groups));
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups || (chunk.weight && !(chunk.weight[r] > 0))) continue;
    if (is_of_kind(kind, x, r)) found[chunk.group[r]].push_back(r);
  }
  std::vector<RowPoints> result;
  for (const std::vector<int>& rows : found) {
    RowPoints points(rows.size(), size + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto to = static_cast<Index>(i);
      // Adding 0 turns -0 into 0. There is one NaN for all that is missing.
      for (Index j = 0; j < size; ++j) {
        const double value = x[j][rows[i]];
        points(to, j) = std::isnan(value) ? kNaN : value + 0.0;
      }
      points(to, size) = chunk.weight ? chunk.weight[rows[i]] : 1.0;
    }
    result.push_back(sort_rows(points));
  }
  return result;
}

double count_unknown(const IntVector& features, const Frame& frame, const Chunk& chunk) {
  IntVector unknown(static_cast<std::size_t>(chunk.rows), 1);
  Vector buffer(static_cast<std::size_t>(chunk.rows));
  for (int j : features) {
    const double* x =
        load_numbers(frame.columns[j], chunk.begin, chunk.rows, chunk.rows, buffer.data());
    for (int r = 0; r < chunk.rows; ++r) unknown[r] &= std::isnan(x[r]);
  }
  double count = 0;
  for (int r = 0; r < chunk.rows; ++r) count += unknown[r] && chunk.group[r] != chunk.groups;
  return count;
}

RowPoints move_columns(const RowPoints& rows, const IntVector& to, Index size) {
  RowPoints moved = RowPoints::Constant(rows.rows(), size + 1, kNaN);
  for (std::size_t j = 0; j < to.size(); ++j) {
    if (to[j] >= 0) moved.col(to[j]) = rows.col(static_cast<Index>(j));
  }
  moved.col(size) = rows.col(rows.cols() - 1);
  return sort_rows(moved);
}

void check_rows(RowKind kind, const std::vector<RowPoints>& points, int groups, int size) {
  require(static_cast<int>(points.size()) == groups, "points: wrong length");
  for (const RowPoints& rows : points) {
    require(rows.cols() == size + 1, "points: wrong dimensions");
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto known = rows.row(i).head(size).array().isFinite();
      require(kind == RowKind::complete ? known.all() : known.any(), "points: not finite");
      require(!rows.row(i).head(size).array().isInf().any(), "points: not finite");
    }
    for (Index i = 1; i < rows.rows(); ++i) {
      require(comes_before(rows, i - 1, i), "points: not increasing");
    }
    require(not_negative(rows.col(size)), "points: negative");
  }
}

ValueAndWeight node_below(double x, double step) {
  if (std::abs(x) >= step * 0x1p53) return {x, 0.0};
  const double below = std::floor(x / step) * step, share = (x - below) / step;
  return share < 1 ? ValueAndWeight{below, share} : ValueAndWeight{below + step, 0.0};
}

Points bin_points(const Points& points, double step) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::vector<ValueAndWeight> nodes;
  const auto add = [&](double node, double weight) {
    node = std::clamp(node, -kLargest, kLargest);
    // The nodes of the previous point are the last two.
    for (std::size_t i = nodes.size(); i-- > 0 && i + 2 >= nodes.size();) {
      if (nodes[i].first == node) {
        nodes[i].second += weight;
        return;
      }
    }
    nodes.emplace_back(node, weight);
  };
  for (Index i = 0; i < points.rows(); ++i) {
    const auto [below, share] = node_below(points(i, 0), step);
    add(below, points(i, 1) * (1 - share));
    if (share > 0) add(below + step, points(i, 1) * share);
  }
  return points_of(nodes);
}

Index count_cells(const Points& points, double step) {
  Index cells = 0;
  double last = kNaN;
  for (Index i = 0; i < points.rows(); ++i) {
    const double below = node_below(points(i, 0), step).first;
    cells += below != last;
    last = below;
  }
  return cells;
}

int least_exponent(const Points& points, double limit, int first) {
  int low = first, high = std::numeric_limits<double>::max_exponent - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const auto cells = static_cast<double>(count_cells(points, std::ldexp(1.0, middle)));
    if (cells <= limit) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double limit_points(Points& points, double step, double limit) {
  if (static_cast<double>(points.rows()) <= limit) return step;
  constexpr int kLeast = std::numeric_limits<double>::min_exponent - 53;
  int exponent = least_exponent(points, limit, step > 0 ? std::ilogb(step) + 1 : kLeast);
  while (true) {
    const double wider = std::ldexp(1.0, exponent++);
    Points binned = bin_points(points, wider);
    if (static_cast<double>(binned.rows()) > limit && exponent < 1024) continue;
    points = std::move(binned);
    return wider;
  }
}

Bins set_of_bins(const IntVector& bins, const Vector& edges, int set) {
  const double* first = edges.data();
  for (int s = 0; s < set; ++s) first += count_edges(bins[s]);
  return {first, bins[set]};
}

void check_bin_sets(const IntVector& bins, const Vector& edges) {
  require(!bins.empty(), "bins: none");
  std::size_t first = 0;
  for (int count : bins) {
    require(count >= 0, "bins: negative");
    require(static_cast<std::size_t>(count) <= edges.size(), "edges: wrong length");
    const auto end = first + static_cast<std::size_t>(count_edges(count));
    require(end <= edges.size(), "edges: wrong length");
    for (std::size_t i = first; i < end; ++i) {
      require(std::isfinite(edges[i]) && (i == first || edges[i - 1] < edges[i]),
              "edges: not increasing");
    }
    first = end;
  }
  require(first == edges.size(), "edges: wrong length");
}

int place_of_bins(const Bins& from, const Bins& to) {
  const int first = to.find(from.edges[0]);
  require(first >= 0 && first + from.count <= to.count &&
              std::equal(from.edges, from.edges + from.count + 1, to.edges + first),
          "edges: other bins");
  return first;
}

double number_in_bin(const Bins& bins, int bin, double share) {
  const double x = bins.edges[bin] + share * bins.width(bin);
  const double last = std::nextafter(bins.edges[bin + 1], bins.edges[bin]);
  return std::clamp(x, bins.edges[bin], last);
}

Vector weigh_cells(const IntVector& cell, const Chunk& chunk, int cells) {
  const std::size_t size = static_cast<std::size_t>(cells) * simd::kCountBanks;
  if (chunk.weight) {
    Vector sum(size, 0.0);
    simd::add_weights(cell.data(), chunk.weight, chunk.rows, cells, sum.data());
    simd::add_cells(sum.data() + cells, cells, sum.data());
    return sum;
  }
  IntVector count(size, 0);
  simd::count_cells(cell.data(), chunk.rows, cells, count.data());
  simd::add_cells(count.data() + cells, cells, count.data());
  return {count.begin(), count.begin() + cells};
}

void MeanOfClasses::add(double class_weight, const DoubleDouble& class_mean) {
  if (!(class_weight > 0)) return;
  const double delta = weight > 0 ? difference(class_mean, mean) : 0.0;
  mean = weight > 0 ? merged_mean(weight, mean, class_weight, class_mean, delta) : class_mean;
  weight += class_weight;
  equal = equal && delta == 0;
}

}  // namespace bayesrisk

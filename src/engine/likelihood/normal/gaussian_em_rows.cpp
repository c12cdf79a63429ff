#include <engine/likelihood/normal/gaussian_em_rows.hpp>

namespace bayesrisk {

EmRows::EmRows(const Statistics& statistics, const IntVector& groups, const IntVector& members)
    : statistics_(statistics), groups_(groups), members_(members) {
  origin_ = Matrix::Zero(size(), static_cast<Index>(groups.size()));
  Eigen::VectorXd reach = Eigen::VectorXd::Zero(size());
  for (Index k = 0; k < origin_.cols(); ++k) find_origin(k, reach);
  scale_ = reach.unaryExpr([](double x) {
    int exponent = 0;
    if (x > 0 && std::isfinite(x)) std::frexp(x, &exponent);
    return std::ldexp(1.0, exponent);
  });
  find_patterns();
}

Eigen::VectorXd EmRows::complete_mean(Index k) const {
  const Scatter& scatter = statistics_.scatter;
  const int g = groups_[static_cast<std::size_t>(k)];
  Eigen::VectorXd mean(size());
  for (Index j = 0; j < size(); ++j) {
    const int from = members_[static_cast<std::size_t>(j)];
    const double away = (scatter.mean(g, from) - origin_(j, k)) + scatter.mean_low(g, from);
    mean[j] = away / scale_[j];
  }
  return mean;
}

Matrix EmRows::complete_triangle(Index k) const {
  const Matrix& triangle = statistics_.scatter.triangle[groups_[static_cast<std::size_t>(k)]];
  Matrix columns(triangle.rows(), size());
  for (Index j = 0; j < size(); ++j) {
    columns.col(j) = triangle.col(members_[static_cast<std::size_t>(j)]) / scale_[j];
  }
  return columns.rows() > size() ? triangle_of_rows(columns) : columns;
}

Eigen::VectorXd EmRows::known_sd() const {
  Eigen::VectorXd square = Eigen::VectorXd::Zero(size()), weight = square;
  for (const EmPattern& p : patterns_) {
    std::vector<bool> known(static_cast<std::size_t>(size()), true);
    for (int j : p.missing) known[static_cast<std::size_t>(j)] = false;
    for (Index j = 0; j < size(); ++j) {
      if (!known[static_cast<std::size_t>(j)]) continue;
      square[j] += numbers_.row(j).segment(p.first, p.last - p.first).squaredNorm();
      weight[j] += p.weight;
    }
  }
  return (square.array() / weight.array()).sqrt();
}

void EmRows::find_origin(Index k, Eigen::VectorXd& reach) {
  const Scatter& scatter = statistics_.scatter;
  const RowPoints& rows = incomplete(k);
  const auto weights = rows.col(rows.cols() - 1);
  const int g = groups_[static_cast<std::size_t>(k)];
  const double complete = scatter.weight(g, 0);
  for (Index j = 0; j < size(); ++j) {
    const int from = members_[static_cast<std::size_t>(j)];
    const auto x = rows.col(from);
    double first = scatter.mean(g, from), weight = complete, sum = 0;
    for (Index r = 0; r < rows.rows(); ++r) {
      if (std::isnan(x[r])) continue;
      if (!(weight > 0)) first = x[r];
      sum += weights[r] * (x[r] - first);
      weight += weights[r];
    }
    const double origin = weight > 0 ? first + sum / weight : first;
    origin_(j, k) = origin;
    if (complete > 0) {
      reach[j] = std::max({reach[j], std::abs(scatter.mean(g, from) - origin),
                           scatter.triangle[g].col(from).stableNorm() / std::sqrt(complete)});
    }
    for (Index r = 0; r < rows.rows(); ++r) {
      if (!std::isnan(x[r])) reach[j] = std::max(reach[j], std::abs(x[r] - origin));
    }
  }
}

Index EmRows::Found::columns(Index size) const {
  const Index known = size - static_cast<Index>(missing.size());
  const auto count = static_cast<Index>(rows.size());
  return count > known + 1 ? known + 1 : count;
}

void EmRows::find_patterns() {
  std::vector<Found> found;
  Index columns = 0;
  for (Index k = 0; k < groups(); ++k) {
    weight_.push_back(0);
    if (complete_weight(k) > 0) {
      columns += complete_triangle(k).rows() + 1;
      found.push_back({k, {}, {}, complete_weight(k)});
    }
    for (Found& pattern : sort_by_pattern(k)) {
      columns += pattern.columns(size());
      found.push_back(std::move(pattern));
    }
  }
  numbers_ = Matrix::Zero(size(), columns);
  root_ = Eigen::VectorXd::Zero(columns);
  Index next = 0;
  for (const Found& pattern : found) {
    const Index first = next;
    next = pattern.rows.empty() ? write_complete(pattern, first) : write(pattern, first);
    patterns_.push_back(
        {static_cast<int>(pattern.group), first, next, pattern.missing, pattern.weight});
    weight_[static_cast<std::size_t>(pattern.group)] += pattern.weight;
  }
}

std::vector<EmRows::Found> EmRows::sort_by_pattern(Index k) const {
  const RowPoints& rows = incomplete(k);
  const Index words = (size() + 63) / 64;
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(rows.rows() * words), 0);
  for (Index j = 0; j < size(); ++j) {
    const auto x = rows.col(members_[static_cast<std::size_t>(j)]);
    for (Index r = 0; r < rows.rows(); ++r) {
      const std::uint64_t missing = std::isnan(x[r]) ? 1 : 0;
      bits[static_cast<std::size_t>(r * words + j / 64)] |= missing << (j % 64);
    }
  }
  const auto begin = [&](Index r) { return bits.begin() + r * words; };
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(begin(a), begin(a) + words, begin(b), begin(b) + words);
  });
  std::vector<Found> found;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index r = order[i];
    if (i == 0 || !std::equal(begin(r), begin(r) + words, begin(order[i - 1]))) {
      found.push_back({k, {}, {}, 0});
      for (int j = 0; j < size(); ++j) {
        if (begin(r)[j / 64] >> (j % 64) & 1) found.back().missing.push_back(j);
      }
    }
    found.back().rows.push_back(r);
    found.back().weight += rows(r, rows.cols() - 1);
  }
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const Found& pattern) {
                               return static_cast<Index>(pattern.missing.size()) == size() ||
                                      !(pattern.weight > 0);
                             }),
              found.end());
  return found;
}

Index EmRows::write_complete(const Found& pattern, Index first) {
  const Matrix triangle = complete_triangle(pattern.group);
  numbers_.middleCols(first, triangle.rows()) = triangle.transpose();
  const Index mean = first + triangle.rows();
  root_[mean] = std::sqrt(pattern.weight);
  numbers_.col(mean) = root_[mean] * complete_mean(pattern.group);
  return mean + 1;
}

Index EmRows::write(const Found& pattern, Index first) {
  IntVector known;
  for (int j = 0; j < size(); ++j) {
    if (!std::binary_search(pattern.missing.begin(), pattern.missing.end(), j)) {
      known.push_back(j);
    }
  }
  const auto count = static_cast<Index>(pattern.rows.size());
  const Index last = first + pattern.columns(size());
  if (last - first < count) {
    write_scatter(pattern, known, first);
    return last;
  }
  const RowPoints& rows = incomplete(pattern.group);
  for (Index i = 0; i < count; ++i) {
    const Index r = pattern.rows[static_cast<std::size_t>(i)];
    root_[first + i] = std::sqrt(rows(r, rows.cols() - 1));
    for (int j : known) {
      numbers_(j, first + i) = root_[first + i] * coordinate(pattern.group, r, j);
    }
  }
  return last;
}

void EmRows::write_scatter(const Found& pattern, const IntVector& known, Index first) {
  const RowPoints& rows = incomplete(pattern.group);
  const auto count = static_cast<Index>(pattern.rows.size());
  const auto size = static_cast<Index>(known.size());
  Matrix x(count, size);
  Eigen::ArrayXd weight(count);
  for (Index i = 0; i < count; ++i) {
    const Index r = pattern.rows[static_cast<std::size_t>(i)];
    weight[i] = rows(r, rows.cols() - 1);
    for (Index j = 0; j < size; ++j) {
      x(i, j) = coordinate(pattern.group, r, known[static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::RowVectorXd mean = weight.matrix().transpose() * x / pattern.weight;
  x.rowwise() -= mean;
  x.array().colwise() *= weight.sqrt();
  constexpr Index kRows = 4096;
  Matrix triangle = Matrix::Zero(size, size);
  for (Index begin = 0; begin < count; begin += kRows) {
    triangle =
        triangle_of_rows(stack(triangle, x.middleRows(begin, std::min(kRows, count - begin))));
  }
  root_[first + size] = std::sqrt(pattern.weight);
  for (Index j = 0; j < size; ++j) {
    const int to = known[static_cast<std::size_t>(j)];
    numbers_.row(to).segment(first, size) = triangle.col(j).transpose();
    numbers_(to, first + size) = root_[first + size] * mean[j];
  }
}

}  // namespace bayesrisk

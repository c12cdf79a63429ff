#include <engine/likelihood/normal/gaussian_em.hpp>
#include <engine/likelihood/normal/gaussian_em_rows.hpp>
#include <engine/likelihood/normal/gaussian_em_step.hpp>

namespace bayesrisk {

EmState EmClimb::climb(EmState at) {
  EmMove first = step_(at);
  for (int cycle = 0; cycle < kMostCycles; ++cycle) {
    const EmState middle = first.from(at);
    if (!first.exists() || is_singular(middle)) return middle;
    const EmMove second = step_(middle);
    EmState end = second.from(middle);
    path_.push_back(first.log_likelihood);
    path_.push_back(second.log_likelihood);
    if (!second.exists() || is_singular(end)) return end;
    if (ends(length(first), length(second), end)) return end;
    EmState there = jump(first, second).from(at);
    const EmMove next = step_(there);
    const bool higher = next.exists() && next.log_likelihood >= second.log_likelihood;
    if (jump_ == longest_) longest_ = higher ? 4 * longest_ : std::max(1.0, longest_ / 4);
    at = higher ? std::move(there) : std::move(end);
    first = higher ? next : step_(at);
  }
  unfinished_ = true;
  return at;
}

EmState EmClimb::start() const {
  Matrix triangle = Matrix::Zero(rows_.size(), rows_.size());
  EmState state{Matrix::Zero(rows_.size(), rows_.groups()), triangle};
  double weight = 0, rows = 0;
  for (Index k = 0; k < rows_.groups(); ++k) {
    if (!(rows_.complete_weight(k) > 0)) continue;
    triangle = triangle_of_rows(stack(triangle, rows_.complete_triangle(k)));
    state.mean.col(k) = rows_.complete_mean(k);
    weight += rows_.complete_weight(k);
    rows += rows_.complete_rows(k);
  }
  const auto enough = static_cast<double>(2 * rows_.size() + rows_.groups());
  if (rows >= enough && triangle.allFinite() && rank_of_triangle(triangle) == rows_.size()) {
    state.factor = triangle / std::sqrt(weight);
  } else {
    state.mean.setZero();
    state.factor = rows_.known_sd().asDiagonal();
  }
  return state;
}

bool EmClimb::ends(double first, double second, const EmState& at) {
  const double rate = first > 0 ? std::min(second / first, 1.0) : 0;
  const double rest = std::sqrt(step_.weight()) * second;
  if (rest == 0 || rest <= kTolerance * (1 - rate)) return true;
  if (second < 0.5 * shortest_) {
    shortest_ = second;
    shortest_at_ = path_.size();
  }
  constexpr std::size_t kPatience = 8;
  if (path_.size() - shortest_at_ < kPatience) return false;
  const double high = path_.back(), gain = high - path_[path_.size() - kPatience];
  const double unit = std::numeric_limits<double>::epsilon();
  const double rounding = equilibrated_condition(at.factor) * step_.weight() + std::abs(high);
  return gain <= 16 * unit * rounding;
}

EmMove EmClimb::jump(const EmMove& first, const EmMove& second) {
  constexpr double kFarthest = 0.5;
  const Matrix one = first.numbers(), two = first.then(second).numbers();
  const Matrix bend = two - 2 * one;
  jump_ = std::clamp(one.norm() / bend.norm(), 1.0, longest_);
  const auto numbers = [&] { return Matrix(2 * jump_ * one + jump_ * jump_ * bend); };
  while (jump_ > 1 && numbers().norm() > kFarthest) jump_ = std::max(1.0, jump_ / 2);
  return EmMove::of_numbers(numbers());
}

Scatter EmScatter::find(bool pooled) {
  IntVector groups;
  bool any = false;
  for (int g = 0; g < classes_.count(); ++g) {
    if (!is_known(statistics_, g)) {
      scatter_.weight(g, 0) = scatter_.rows(g, 0) = 0;
    } else if (pooled || statistics_.incomplete[g].rows() > 0) {
      groups.push_back(g);
      any = any || statistics_.incomplete[g].rows() > 0;
    }
  }
  if (pooled && any) {
    add(groups, kAll);
  } else if (!pooled) {
    for (int g : groups) add({g}, g);
  }
  return scatter_;
}

bool EmScatter::is_known(const Likelihood::Statistics& statistics, int g) {
  if (statistics.scatter.weight(g, 0) > 0) return true;
  const RowPoints& rows = statistics.incomplete[g];
  const Index size = rows.cols() - 1;
  for (Index j = 0; j < size; ++j) {
    if (!((rows.col(size).array() > 0) && rows.col(j).array().isFinite()).any()) return false;
  }
  return true;
}

void EmScatter::add(const IntVector& groups, int name) {
  IntVector members;
  for (int j = 0; j < statistics_.scatter.mean.cols(); ++j) {
    const bool any_varies =
        std::any_of(groups.begin(), groups.end(), [&](int g) { return varies(g, j); });
    if (any_varies) members.push_back(j);
  }
  if (members.empty()) {
    add_weights(groups);
    return;
  }
  EmRows rows(statistics_, groups, members);
  EmClimb climb(rows, classes_.context);
  const EmState state = climb.climb(climb.start());
  if (climb.is_singular(state)) return;
  add_weights(groups);
  if (climb.unfinished()) diagnostics_.add(Problem::unfinished, name, kAll, EmClimb::kMostCycles);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    write(groups[k], members, rows, state, static_cast<Index>(k));
  }
}

bool EmScatter::varies(int g, int j) {
  const Scatter& scatter = statistics_.scatter;
  const RowPoints& rows = statistics_.incomplete[g];
  bool known = scatter.weight(g, 0) > 0;
  if (known &&
      (scatter.mean_low(g, j) != 0 || !(scatter.triangle[g].col(j).squaredNorm() < kLeastSquare))) {
    return true;
  }
  double value = scatter.mean(g, j);
  for (Index r = 0; r < rows.rows(); ++r) {
    if (std::isnan(rows(r, j))) continue;
    if (known && rows(r, j) != value) return true;
    value = rows(r, j);
    known = true;
  }
  scatter_.mean(g, j) = value;
  scatter_.mean_low(g, j) = 0;
  return false;
}

void EmScatter::add_weights(const IntVector& groups) {
  for (int g : groups) {
    const RowPoints& rows = statistics_.incomplete[g];
    scatter_.weight(g, 0) += rows.col(rows.cols() - 1).sum();
    scatter_.rows(g, 0) += static_cast<double>(rows.rows());
    scatter_.triangle[g].setZero();
  }
}

void EmScatter::write(int g, const IntVector& members, const EmRows& rows, const EmState& state,
                      Index k) {
  const double root = std::sqrt(scatter_.weight(g, 0));
  for (Index j = 0; j < rows.size(); ++j) {
    const int to = members[static_cast<std::size_t>(j)];
    const TwoPart mean = two_sum(rows.origin()(j, k), rows.scale()[j] * state.mean(j, k));
    scatter_.mean(g, to) = mean.high;
    scatter_.mean_low(g, to) = mean.low;
    // Members are in increasing order, so this is a triangle.
    scatter_.triangle[g].col(to).head(rows.size()) = root * rows.scale()[j] * state.factor.col(j);
  }
}

double em_log_likelihood(const MultivariateGaussian::Statistics& statistics,
                         const MultivariateGaussian::Parameters& parameters) {
  const IntVector members = parameters.kept();
  const Context context;
  double total = 0;
  for (int g = 0; g < static_cast<int>(statistics.incomplete.size()); ++g) {
    if (members.empty() || !EmScatter::is_known(statistics, g)) continue;
    const IntVector group{g};
    EmRows rows(statistics, group, members);
    EmState state{Matrix(rows.size(), 1), Matrix(rows.size(), rows.size())};
    const Matrix& factor = parameters.factor_of(g);
    for (Index j = 0; j < rows.size(); ++j) {
      const int from = members[static_cast<std::size_t>(j)];
      const double away =
          (parameters.mean(g, from) - rows.origin()(j, 0)) + parameters.mean_low(g, from);
      state.mean(j, 0) = away / rows.scale()[j];
      for (Index i = 0; i < rows.size(); ++i) {
        state.factor(i, j) = factor(members[static_cast<std::size_t>(i)], from) / rows.scale()[j];
      }
    }
    total += EmStep(rows, context).log_likelihood(state);
  }
  return total;
}

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

Matrix EmMove::numbers() const {
  Matrix all(factor.rows(), shift.cols() + factor.cols());
  all << shift, factor;
  all.rightCols(factor.cols()).diagonal() = factor.diagonal().array().log();
  return all;
}

EmMove EmMove::of_numbers(const Matrix& numbers) {
  const Index size = numbers.rows();
  EmMove move{numbers.leftCols(numbers.cols() - size), numbers.rightCols(size)};
  move.factor.diagonal() = move.factor.diagonal().array().exp();
  return move;
}

EmMove EmStep::operator()(const EmState& at) {
  prepare(at);
  const Sums sums = add_up();
  EmMove move;
  move.log_likelihood = sums.log_likelihood;
  move.shift = sums.sum;
  Matrix product = sums.product.selfadjointView<Eigen::Lower>();
  for (int k = 0; k < rows_.groups(); ++k) {
    const double weight = rows_.weight()[static_cast<std::size_t>(k)];
    move.shift.col(k) /= weight;
    product -= weight * move.shift.col(k) * move.shift.col(k).transpose();
  }
  Matrix triangle;
  const bool safe = cholesky(product, triangle) && is_conditioned(triangle, kSafeCholesky);
  move.factor = (safe ? triangle : factor_rows(move.shift)) / std::sqrt(weight_);
  return move;
}

void EmStep::Sums::merge(const Sums& other) {
  product += other.product;
  sum += other.sum;
  log_likelihood += other.log_likelihood;
}

void EmStep::set_tasks() {
  constexpr Index kMostTasks = 32;
  Index total = 0, columns = 0;
  for (const EmPattern& p : rows_.patterns()) total += columns_of(p);
  const Index enough = std::max(2 * columns_, total / kMostTasks + 1);
  start_.push_back(0);
  for (std::size_t i = 0; i < rows_.patterns().size(); ++i) {
    columns += columns_of(rows_.patterns()[i]);
    if (columns < enough && i + 1 < rows_.patterns().size()) continue;
    start_.push_back(static_cast<Index>(i) + 1);
    columns = 0;
  }
}

void EmStep::prepare(const EmState& at) {
  context_.check();
  at_ = &at;
  across_ = Matrix::Identity(size(), size());
  at.factor.triangularView<Eigen::Upper>().transpose().solveInPlace(across_);
  half_log_determinant_ = half_log_determinant(at.factor);
  log_scale_ = rows_.scale().array().log();
}

EmStep::Sums EmStep::add_up() const {
  std::vector<Sums> sums(static_cast<std::size_t>(tasks()), empty_sums());
  context_.run(tasks(), [&](Index t) {
    const auto i = static_cast<std::size_t>(t);
    for_each_block(start_[i], start_[i + 1], sums[i], [&](const auto& block, Index, Index) {
      sums[i].product.template selfadjointView<Eigen::Lower>().rankUpdate(block);
    });
  });
  Sums total = empty_sums();
  for (const Sums& of_task : sums) total.merge(of_task);
  return total;
}

void EmStep::fill(Index first, Index end, Matrix& block, Sums& sums) const {
  const auto& patterns = rows_.patterns();
  const Index begin = patterns[static_cast<std::size_t>(first)].first;
  Index next = patterns[static_cast<std::size_t>(end - 1)].last - begin;
  for (Index i = first; i < end; ++i) {
    const EmPattern& p = patterns[static_cast<std::size_t>(i)];
    const Index rows = p.last - p.first;
    block.middleCols(p.first - begin, rows) =
        rows_.numbers().middleCols(p.first, rows) -
        at_->mean.col(p.group) * rows_.root().segment(p.first, rows).transpose();
  }
  auto z = block.leftCols(next);
  at_->factor.triangularView<Eigen::Upper>().transpose().solveInPlace(z);
  for (Index i = first; i < end; ++i) {
    const EmPattern& p = patterns[static_cast<std::size_t>(i)];
    const Index rows = p.last - p.first, missing = static_cast<Index>(p.missing.size());
    auto known = block.middleCols(p.first - begin, rows);
    auto basis = block.middleCols(next, missing);
    double log_determinant = half_log_determinant_ + log_scale_.sum();
    if (missing > 0) {
      log_determinant += set_basis(p, basis);
      known -= basis * (basis.transpose() * known).eval();
      set_guesses(p, known);
      basis *= std::sqrt(p.weight);
    }
    next += missing;
    const auto members = static_cast<double>(size() - missing);
    sums.log_likelihood -=
        0.5 * known.squaredNorm() + p.weight * (members * kHalfLogTwoPi + log_determinant);
    sums.sum.col(p.group) += known * rows_.root().segment(p.first, rows);
  }
}

Matrix EmStep::factor_rows(const Matrix& shift) const {
  std::vector<Matrix> triangles(static_cast<std::size_t>(tasks()));
  context_.run(tasks(), [&](Index t) {
    const auto i = static_cast<std::size_t>(t);
    Matrix triangle = Matrix::Zero(size(), size());
    Sums sums = empty_sums();
    for_each_block(start_[i], start_[i + 1], sums, [&](auto block, Index first, Index end) {
      centre(shift, first, end, block);
      triangle = triangle_of_rows(stack(triangle, block.transpose()));
    });
    triangles[i] = triangle;
  });
  Matrix all = triangles[0];
  for (std::size_t i = 1; i < triangles.size(); ++i) {
    all = triangle_of_rows(stack(all, triangles[i]));
  }
  return all;
}

}  // namespace bayesrisk

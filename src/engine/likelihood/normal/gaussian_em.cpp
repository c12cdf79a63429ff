#include <engine/likelihood/normal/gaussian_em.hpp>

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
    const DoubleDouble mean = two_sum(rows.origin()(j, k), rows.scale()[j] * state.mean(j, k));
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

}  // namespace bayesrisk

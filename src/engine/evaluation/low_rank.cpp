#include <engine/core/triangle.hpp>
#include <engine/evaluation/low_rank.hpp>

#include <cmath>
#include <utility>

namespace bayesrisk {

Matrix LowRank::full() const {
  Matrix result = Matrix::Zero(root.cols(), root.cols());
  result.selfadjointView<Eigen::Lower>().rankUpdate(root.transpose());
  result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
  result.diagonal().array() += ridge;
  return result;
}

Eigen::VectorXd LowRank::solve(const std::vector<char>& open, const Eigen::VectorXd& right) {
  if (open != open_) open_only(open);
  return solve_triangle(factor_, solve_transposed(factor_, right));
}

void LowRank::open_only(const std::vector<char>& open) {
  const bool first = open_.empty();
  if (first) open_.assign(open.size(), false);
  IntVector all, opened, closed;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const int variable = static_cast<int>(k);
    if (open[k]) all.push_back(variable);
    if (open[k] && !open_[k]) opened.push_back(variable);
    if (!open[k] && open_[k]) closed.push_back(variable);
  }
  // Few changes cost less than all products.
  if (first || opened.size() + closed.size() >= all.size()) {
    products_ = Matrix::Zero(root.rows(), root.rows());
    add_products(all, 1);
  } else {
    add_products(opened, 1);
    add_products(closed, -1);
  }
  Matrix system = products_;
  system.diagonal().array() += ridge;
  // Positive definite, if it is precise().
  cholesky(system, factor_);
  open_ = open;
}

void LowRank::add_products(const IntVector& variables, double sign) {
  // Eigen divides by the number of columns.
  if (variables.empty()) return;
  Matrix part(root.rows(), static_cast<Index>(variables.size()));
  for (Index i = 0; i < part.cols(); ++i) part.col(i) = root.col(variables[i]);
  products_.selfadjointView<Eigen::Lower>().rankUpdate(part, sign);
}

DualStep::DualStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient,
                   LowRank& information, int floored, std::function<void()> check)
    : from_(from),
      gradient_(gradient),
      information_(information),
      floored_(floored),
      check_(std::move(check)),
      here_(at(Eigen::VectorXd::Zero(information.root.rows()))) {}

Eigen::VectorXd DualStep::find() {
  std::vector<char> before = open();
  for (int i = 0; i < kMostSteps; ++i) {
    check_();
    const double share = move(information_.solve(before, -information_.ridge * here_.slope));
    std::vector<char> now = open();
    // The function is quadratic where the same variables are open: a whole step reaches its
    // minimum.
    if (share == 0 || (share == 1 && now == before)) break;
    before = std::move(now);
  }
  return here_.d;
}

DualStep::Place DualStep::at(const Eigen::VectorXd& y) const {
  Place place{y, (gradient_ - information_.root.transpose() * y) / information_.ridge, {}, 0};
  const Eigen::VectorXd free = place.d;
  place.d.head(floored_) = free.head(floored_).cwiseMax(-from_.head(floored_));
  place.slope = y - information_.root * place.d;
  place.value = y.squaredNorm() / 2 + information_.ridge * place.d.dot(free - place.d / 2);
  return place;
}

std::vector<char> DualStep::open() const {
  std::vector<char> result(static_cast<std::size_t>(from_.size()), true);
  for (int k = 0; k < floored_; ++k) result[k] = here_.d[k] > -from_[k];
  return result;
}

double DualStep::move(const Eigen::VectorXd& step) {
  const double slope = step.dot(here_.slope), rounding = kRounding * (1 + std::abs(here_.value));
  for (double share = 1; share > 1e-10; share /= 2) {
    Place next = at(here_.y + share * step);
    if (!(next.value <= here_.value + 1e-4 * share * slope + rounding)) continue;
    here_ = std::move(next);
    return share;
  }
  return 0;
}

}  // namespace bayesrisk

#include <engine/decision/expected_cost.hpp>
#include <engine/decision/tile_cost.hpp>

namespace bayesrisk {

bool Cost::is_zero_one() const {
  if (of.rows() != of.cols()) return false;
  return of == Matrix(Matrix::Ones(of.rows(), of.cols()) - Matrix::Identity(of.rows(), of.cols()));
}

std::vector<Cost::Entry> Cost::not_finite() const {
  std::vector<Entry> entries;
  for (int k = 0; k < of.cols(); ++k) {
    for (int a = 0; a < of.rows(); ++a) {
      if (!std::isfinite(of(a, k))) entries.push_back({a, k, of(a, k)});
    }
  }
  return entries;
}

double cost_of_table(const Matrix& table, const Cost& cost) {
  double total = 0;
  for (Index k = 0; k < table.rows(); ++k) {
    for (Index a = 0; a < table.cols(); ++a) {
      if (table(k, a) > 0) total += table(k, a) * cost.of(a, k);
    }
  }
  return total;
}

Cost CaseCost::at(Index row) const {
  Cost cost = fixed;
  for (const Entry& entry : varying) cost.of(entry.action, entry.truth) = entry.value[row];
  return cost;
}

ExpectedCost::ExpectedCost(const Cost& cost)
    : not_finite_(cost.not_finite()), finite_(cost.finite()), magnitude_(finite_.cwiseAbs()) {}

void ExpectedCost::evaluate(const Eigen::VectorXd& posterior, const Eigen::VectorXd& log_joint,
                            Eigen::VectorXd& expected) const {
  expected.noalias() = finite_ * posterior;
  for (const Cost::Entry& entry : not_finite_) {
    if (log_joint[entry.truth] != kNegativeInfinity) expected[entry.action] += entry.cost;
  }
}

int ExpectedCost::choose(const Eigen::VectorXd& posterior, const Eigen::VectorXd& expected) {
  const double smallest = expected.minCoeff();
  if (std::isinf(smallest)) return 0;
  absolute_.noalias() = magnitude_ * posterior;
  const double band = kTie * absolute_.maxCoeff();
  int action = 0;
  while (expected[action] - smallest > band) ++action;
  return action;
}

TileCost::TileCost(const CaseCost& cost, int capacity)
    : cost_(cost),
      not_finite_(cost.fixed.not_finite()),
      expected_(static_cast<std::size_t>(cost.fixed.actions()) * capacity),
      size_(capacity) {
  const Matrix finite = cost.fixed.finite();
  // Without negative costs the expected cost equals the expected absolute cost.
  signed_ = !cost.varying.empty() || (finite.array() < 0).any();
  costs_ = by_action(finite);
  if (signed_) {
    sizes_ = by_action(finite.cwiseAbs());
    absolute_.resize(expected_.size());
  }
}

void TileCost::divide(const double* scale) {
  for (int a = 0; a < actions(); ++a) {
    double* expected = expected_.data() + at(a);
    loops_.write_quotients(expected, scale, stride_, expected);
  }
}

void TileCost::evaluate(const Beliefs& beliefs, Index begin) {
  stride_ = beliefs.stride;
  weigh(beliefs, costs_, expected_);
  if (signed_) weigh(beliefs, sizes_, absolute_);
  if (varies()) add_all_varying(beliefs, begin);
  for (const Cost::Entry& entry : not_finite_) put(beliefs, entry);
}

void TileCost::add_all_varying(const Beliefs& beliefs, Index begin) {
  for (const CaseCost::Entry& entry : cost_.varying) add_varying(beliefs, begin, entry);
  for (int a = 0; a < actions(); ++a) {
    for (int r = 0; r < stride_; ++r) size_[r] = std::max(size_[r], absolute_[at(a) + r]);
  }
}

void TileCost::add_varying(const Beliefs& beliefs, Index begin, const CaseCost::Entry& entry) {
  const double* weight = beliefs.weight_of(entry.truth);
  const double* improbability = beliefs.improbability_of(entry.truth);
  double* expected = expected_.data() + at(entry.action);
  double* absolute = absolute_.data() + at(entry.action);
  for (int r = 0; r < beliefs.rows; ++r) {
    if (improbability[r] == beliefs.impossible) continue;
    const double cost = entry.value[begin + r];
    if (std::isinf(cost)) {
      expected[r] += cost;
    } else {
      expected[r] += weight[r] * cost;
      absolute[r] += weight[r] * std::abs(cost);
    }
  }
}

void TileCost::put(const Beliefs& beliefs, const Cost::Entry& entry) {
  const double* improbability = beliefs.improbability_of(entry.truth);
  double* expected = expected_.data() + at(entry.action);
  for (int r = 0; r < beliefs.rows; ++r) {
    if (improbability[r] != beliefs.impossible && !std::isnan(expected[r]))
      expected[r] = entry.cost;
  }
}

}  // namespace bayesrisk

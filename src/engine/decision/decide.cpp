#include <engine/decision/clear_actions.hpp>
#include <engine/decision/decide.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/decision/row_rule.hpp>

namespace bayesrisk {

void DecisionReport::merge(const DecisionReport& other) {
  error.resize(std::max(error.size(), other.error.size()), 0.0);
  for (std::size_t a = 0; a < other.error.size(); ++a) error[a] += other.error[a];
  unpriced += other.unpriced;
}

Decider::Decider(const CaseCost& cost, const DecisionColumns& out, const IntVector& class_of,
                 int capacity)
    : out_(out),
      class_of_(class_of),
      class_rule_(cost.is_zero_one()),
      cost_(cost, capacity),
      ranking_(capacity),
      factor_(capacity, 1.0),
      others_(capacity) {
  report_.error.assign(class_of.size(), 0.0);
}

void Decider::decide(const Beliefs& beliefs, const char* lost, Index begin) {
  const bool alone = out_.only_decision();
  if (!(class_rule_ && alone)) cost_.evaluate(beliefs, begin);
  rank(beliefs);
  if (!alone && beliefs.scale) cost_.divide(beliefs.scale);
  for (int a = 0; a < static_cast<int>(out_.cost_of.size()); ++a) {
    std::copy_n(cost_.expected(a), beliefs.rows, out_.cost_of[a] + begin);
  }
  write_probabilities(beliefs, begin);
  if (out_.decision) ranking_.write_first(beliefs.rows, out_.decision + begin);
  if (out_.detailed()) write_details(beliefs, begin);
  if (lost || cost_.may_be_unknown()) write_missing(beliefs.rows, lost, begin);
  if (!class_of_.empty()) add_errors(beliefs);
}

void Decider::rank(const Beliefs& beliefs) {
  const double* values = class_rule_ ? beliefs.improbability : cost_.expected();
  const int actions = cost_.actions();
  if (class_rule_) {
    ranking_.rank_classes(values, actions, beliefs.stride, beliefs.floor);
  } else {
    ranking_.rank(values, actions, beliefs.stride, cost_.size());
  }
  if (out_.detailed() && actions > 1) ranking_.rank_second(values, actions, beliefs.stride);
}

void Decider::write_probabilities(const Beliefs& beliefs, Index begin) {
  for (int k = 0; k < static_cast<int>(out_.probability.size()); ++k) {
    double* out = out_.probability[k] + begin;
    std::copy_n(beliefs.weight_of(k), beliefs.rows, out);
    if (beliefs.scale) loops_.write_quotients(out, beliefs.scale, beliefs.rows, out);
  }
}

void Decider::write_details(const Beliefs& beliefs, Index begin) {
  const int rows = beliefs.rows, stride = beliefs.stride;
  simd::pick(cost_.expected(), stride, ranking_.first(), rows, out_.cost + begin);
  if (cost_.actions() == 1) {
    std::fill_n(out_.runner_up + begin, rows, kMissingInteger);
    std::fill_n(out_.margin + begin, rows, out_.missing);
    std::fill_n(out_.tie + begin, rows, 0);
    return;
  }
  ranking_.write_second(rows, out_.runner_up + begin);
  simd::write_at_most(ranking_.second_least(), ranking_.limit(), rows, out_.tie + begin);
  simd::pick(cost_.expected(), stride, ranking_.second(), rows, out_.margin + begin);
  simd::subtract_unless(out_.cost + begin, out_.tie + begin, rows, out_.margin + begin);
}

void Decider::write_missing(int rows, const char* lost, Index begin) {
  for (int r = 0; r < rows; ++r) {
    const bool gone = lost && lost[r];
    if (!gone && !ranking_.unknown(r)) continue;
    write_missing_row(begin + r, gone);
    ranking_.forget(r, r + 1);
  }
}

void Decider::write_missing_row(Index at, bool lost) {
  report_.unpriced += !lost;
  if (out_.decision) out_.decision[at] = kMissingInteger;
  for (double* cost : out_.cost_of) {
    if (lost || std::isnan(cost[at])) cost[at] = out_.missing;
  }
  for (double* probability : out_.probability) {
    if (lost) probability[at] = out_.missing;
  }
  if (!out_.detailed()) return;
  out_.cost[at] = out_.margin[at] = out_.missing;
  out_.runner_up[at] = out_.tie[at] = kMissingInteger;
}

void Decider::add_errors(const Beliefs& beliefs) {
  ranking_.forget(beliefs.rows, beliefs.stride);
  if (beliefs.scale) simd::invert(beliefs.scale, beliefs.stride, factor_.data());
  std::fill_n(others_.begin(), beliefs.stride, 0.0);
  for (int k = 0; k < beliefs.classes; ++k) {
    simd::add_unless(beliefs.weight_of(k), ranking_.first(), action_of(k), beliefs.stride,
                     others_.data());
  }
  for (std::size_t a = 0; a < class_of_.size(); ++a) {
    if (class_of_[a] < 0) continue;
    report_.error[a] += simd::sum_where(others_.data(), factor_.data(), ranking_.first(),
                                        static_cast<double>(a), beliefs.stride);
  }
}

ClearActions::ClearActions(const CaseCost& cost, int classes, int capacity) : action_(capacity) {
  const Matrix& of = cost.fixed.of;
  const double largest = of.cwiseAbs().maxCoeff();
  possible_ = cost.varying.empty() && classes <= simd::kMostRough && of.allFinite() && largest > 0;
  if (!possible_) return;
  const Matrix scaled = of / largest;
  for (Index a = 0; a < of.rows(); ++a) {
    for (Index k = 0; k < of.cols(); ++k) of_.push_back(static_cast<float>(scaled(a, k)));
  }
  for (Index k = 0; k < of.cols(); ++k) {
    most_.push_back(static_cast<float>(scaled.col(k).cwiseAbs().maxCoeff()));
    faint_ += 2 * simd::kFaintestWeight * most_.back();
  }
}

bool ClearActions::choose(const Tile& tile, const Vector& log_prior, int* action) {
  if (!possible_) return false;
  if (wait_ > 0) {
    --wait_;
    return false;
  }
  const simd::RoughCosts costs{of_.data(), most_.data(),
                               static_cast<int>(of_.size() / most_.size()), faint_};
  if (!loops_.choose_actions(tile.of_class(0), log_prior.data(), tile.classes, tile.stride,
                             tile.stride, costs, action_.data())) {
    wait_ = pause_;
    pause_ = std::min(2 * pause_ + 1, kLongestPause);
    return false;
  }
  pause_ = 0;
  std::copy_n(action_.begin(), tile.rows, action);
  return true;
}

Ranking::Ranking(int capacity)
    : least_(capacity),
      band_(capacity),
      limit_(capacity),
      first_(capacity),
      second_least_(capacity),
      second_(capacity) {}

void Ranking::rank_classes(const double* improbabilities, int count, int stride, double floor) {
  loops_.find_least(improbabilities, count, stride, stride, least_.data());
  simd::size_at_least(least_.data(), floor, stride, band_.data());
  find_first(improbabilities, count, stride, band_.data());
}

int RowRule::decide(const Eigen::VectorXd& log_joint) {
  const double largest = log_joint.maxCoeff();
  if (largest == kNegativeInfinity) return 0;
  if (class_rule_) {
    int best = 0;
    while (log_joint[best] < largest - kTie * std::max(1.0, std::abs(largest))) ++best;
    return best;
  }
  posterior_of(log_joint, posterior_);
  expected_rule_.evaluate(posterior_, log_joint, expected_);
  return expected_rule_.choose(posterior_, expected_);
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/decision/expected_cost.hpp>
#include <engine/model/draw.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/risk/line_risk.hpp>
#include <engine/search/powered_feature.hpp>
#include <engine/world/conditional.hpp>

namespace bayesrisk {

// The expected cost of a case now and after one more feature is observed. `value` is the
// difference, computed so that it is accurate even if both are almost equal.
struct Worth {
  double now = kNaN, after = kNaN, value = kNaN;
};

// One case, given by weights of the classes, which sum to 1.
struct KnownCase {
  Eigen::VectorXd log_weight, weight, expected;
  int decision = 0;

  // Whether an action is as good as the decision.
  bool is_tied(int action) const {
    double largest = 0;
    for (Index a = 0; a < expected.size(); ++a) {
      if (std::isfinite(expected[a])) largest = std::max(largest, std::abs(expected[a]));
    }
    return expected[action] - expected[decision] <= kTie * largest;
  }

  // Returns whether the case is possible under any class.
  bool set(const Eigen::VectorXd& log_joint, ExpectedCost& cost) {
    const double evidence = log_sum(log_joint);
    if (!(evidence > kNegativeInfinity)) return false;
    log_weight = log_joint.array() - evidence;
    weight = log_weight.array().exp();
    cost.evaluate(weight, log_weight, expected);
    decision = cost.choose(weight, expected);
    return true;
  }
};

// The cost that the decisions in the table (classes x actions) save compared with always deciding
// `fixed`. It is a sum over the other actions, and no summand is negative.
inline double saved_by_table(const Matrix& table, const Cost& cost, int fixed) {
  double total = 0;
  for (Index a = 0; a < table.cols(); ++a) {
    double saved = 0;
    for (Index k = 0; k < table.rows(); ++k) {
      if (table(k, a) > 0) saved += table(k, a) * (cost.of(fixed, k) - cost.of(a, k));
    }
    total += std::max(0.0, saved);
  }
  return total;
}

// The value of observing one more feature of a case before deciding. In a tempered model its
// density is to the power of its block, divided by its integral.
class FeatureWorth {
 public:
  // `view`: without tempering.
  FeatureWorth(const View& view, const Frame& frame, int feature, double power)
      : view_(view),
        frame_(frame),
        feature_(feature),
        levels_(levels_of(view.plan, feature)),
        power_(power) {
    if (levels_ > 0) return;
    origin_ = origin_of(view, feature);
    if (power == 0 || power == 1 || !stands_alone(view, feature)) return;
    Marginal marginal = marginal_of(view, feature, origin_);
    if (!to_power(marginal, power)) {
      powered_ = std::make_shared<PoweredFeature>(marginal, view.prior, power);
    }
  }

  bool is_missing(Index row) const {
    const Column& column = frame_.columns[static_cast<std::size_t>(feature_)];
    if (levels_ > 0) return level_of(column, column.integer[row]) == kMissing;
    double buffer = 0;
    return std::isnan(*load_numbers(column, row, 1, 1, &buffer));
  }

  Worth of(Index row, const KnownCase& known, const Cost& cost, ExpectedCost& expected) const {
    const double now = known.expected[known.decision];
    if (power_ == 0) return {now, now, 0};
    const Matrix table =
        levels_ > 0 ? by_level(row, known, expected) : along_line(row, known, cost);
    if (std::isfinite(now)) {
      const double value = saved_by_table(table, cost, known.decision);
      return {now, now - value, value};
    }
    const double after = cost_of_table(table, cost);
    return {now, after, std::isfinite(after) ? now : 0.0};
  }

 private:
  // P(class, decision | known values) when the feature is observed before the decision.
  Matrix along_line(Index row, const KnownCase& known, const Cost& cost) const {
    Matrix table = Matrix::Zero(known.weight.size(), known.expected.size());
    if (powered_) {
      powered_->add_table(known.log_weight, cost, table);
      return table;
    }
    const Vector weight(known.log_weight.data(), known.log_weight.data() + known.log_weight.size());
    Marginal marginal = conditional_marginal(view_, frame_, row, feature_, origin_);
    if (power_ == 1 || to_power(marginal, power_)) {
      add_probabilities(marginal, weight, regions_in(marginal, marginal, weight, cost), table);
    } else {
      PoweredFeature(marginal, view_.prior, power_).add_table(known.log_weight, cost, table);
    }
    return table;
  }

  Matrix by_level(Index row, const KnownCase& known, ExpectedCost& expected) const {
    Matrix table = Matrix::Zero(known.weight.size(), known.expected.size());
    Matrix level_given = conditional_levels(view_, frame_, row, feature_, levels_);
    for (Index k = 0; power_ != 1 && k < level_given.cols(); ++k) {
      level_given.col(k) *= power_;
      const double total = log_sum(level_given.col(k));
      if (total > kNegativeInfinity) level_given.col(k).array() -= total;
    }
    KnownCase seen;
    for (int level = 0; level < levels_; ++level) {
      Eigen::VectorXd log_joint = known.log_weight;
      for (Index k = 0; k < log_joint.size(); ++k) {
        if (log_joint[k] > kNegativeInfinity) log_joint[k] += level_given(level, k);
      }
      if (!seen.set(log_joint, expected)) continue;
      // A tie changes no decision.
      const bool tied = seen.is_tied(known.decision);
      table.col(tied ? known.decision : seen.decision) += log_joint.array().exp().matrix();
    }
    return table;
  }

  const View& view_;
  const Frame& frame_;
  int feature_, levels_;
  double power_, origin_ = 0;
  std::shared_ptr<const PoweredFeature> powered_;
};

// Cases x features; NaN where a feature is known or the case has no answer.
struct NextFeature {
  IntMatrix unknown;  // 1: the feature is missing in the case
  Matrix now, after, value;
  Index impossible = 0, unpriced = 0;
};

// `log_joint`: cases x classes, NaN where there is no answer.
class FeatureSearch {
 public:
  FeatureSearch(const View& view, const CaseCost& cost, const Frame& frame,
                const IntVector& features, const Matrix& log_joint)
      : view_(view.untempered()), cost_(cost), log_joint_(log_joint) {
    for (int feature : features) {
      const double power = power_at(view, place_of(view.plan, feature));
      worth_.emplace_back(view_, frame, feature, power);
    }
  }

  NextFeature run(const Context& context) const {
    const Index rows = log_joint_.rows();
    const auto columns = static_cast<Index>(worth_.size());
    NextFeature result;
    result.unknown = IntMatrix::Zero(rows, columns);
    result.now = result.after = result.value = Matrix::Constant(rows, columns, kNaN);
    std::vector<char> answer(static_cast<std::size_t>(rows), kSome);
    context.run((rows + kRows - 1) / kRows, [&](Index task) {
      for (Index i = task * kRows; i < std::min(rows, (task + 1) * kRows); ++i) {
        answer[static_cast<std::size_t>(i)] = search_case(i, result);
      }
    });
    result.impossible = std::count(answer.begin(), answer.end(), kImpossible);
    result.unpriced = std::count(answer.begin(), answer.end(), kUnpriced);
    return result;
  }

 private:
  enum Answer : char { kSome, kImpossible, kUnpriced };

  static constexpr Index kRows = 16;  // rows between two checks for an interrupt

  Answer search_case(Index i, NextFeature& result) const {
    for (std::size_t j = 0; j < worth_.size(); ++j) {
      result.unknown(i, static_cast<Index>(j)) = worth_[j].is_missing(i);
    }
    const Eigen::VectorXd row = log_joint_.row(i);
    if (row.hasNaN()) return kSome;
    Cost cost = cost_.at(i);
    for (Index k = 0; k < row.size(); ++k) {
      // An impossible class costs nothing, even where the cost is unknown.
      if (row[k] == kNegativeInfinity) cost.of.col(k).setZero();
    }
    if (cost.of.hasNaN()) return kUnpriced;
    ExpectedCost expected(cost);
    KnownCase known;
    if (!known.set(row, expected)) return kImpossible;
    for (std::size_t j = 0; j < worth_.size(); ++j) {
      const auto column = static_cast<Index>(j);
      if (!result.unknown(i, column)) continue;
      const Worth worth = worth_[j].of(i, known, cost, expected);
      result.now(i, column) = worth.now;
      result.after(i, column) = worth.after;
      result.value(i, column) = worth.value;
    }
    return kSome;
  }

  const View view_;
  const CaseCost& cost_;
  const Matrix& log_joint_;
  std::vector<FeatureWorth> worth_;
};

}  // namespace bayesrisk

#pragma once

#include <bayesrisk/core/context.hpp>
#include <bayesrisk/decision/expected_cost.hpp>
#include <bayesrisk/risk/conditional.hpp>
#include <bayesrisk/risk/line_risk.hpp>
#include <bayesrisk/risk/regions.hpp>

namespace bayesrisk {

// What a case costs now, and after one more feature is seen; `value` is the difference,
// exact where the two are almost the same.
struct Worth {
  double now = kNaN, after = kNaN, value = kNaN;
};

// One case: what is known of it, as weights of the classes that sum to 1.
struct KnownCase {
  Eigen::VectorXd log_weight, weight, expected;
  int decision = 0;

  // False where the case is impossible under every class.
  bool set(const Eigen::VectorXd& log_joint, ExpectedCost& cost) {
    const double largest = log_joint.maxCoeff();
    if (!(largest > kNegativeInfinity)) return false;
    const double evidence = largest + std::log((log_joint.array() - largest).exp().sum());
    log_weight = log_joint.array() - evidence;
    weight = log_weight.array().exp();
    cost.evaluate(weight, log_weight, expected);
    decision = cost.choose(weight, expected);
    return true;
  }
};

// The sum of probabilities times costs: what cannot happen costs nothing.
inline double cost_of_table(const Matrix& table, const Cost& cost) {
  double total = 0;
  for (Index k = 0; k < table.rows(); ++k) {
    for (Index a = 0; a < table.cols(); ++a) {
      if (table(k, a) > 0) total += table(k, a) * cost.of(a, k);
    }
  }
  return total;
}

// What is saved by deciding as in the table (classes x actions) and not always `fixed`.
// Each other action saves where it is taken: a sum of what is not negative.
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

// What it is worth to see one more feature of a case before deciding.
class FeatureWorth {
 public:
  FeatureWorth(const View& view, const Cost& cost, const Frame& frame, int feature)
      : view_(view),
        cost_(cost),
        expected_(cost),
        frame_(frame),
        feature_(feature),
        levels_(level_count(view.plan, feature)) {
    if (levels_ == 0) origin_ = origin_of(view, feature);
  }

  bool is_missing(Index row) const {
    const Column& column = frame_.columns[static_cast<std::size_t>(feature_)];
    if (levels_ > 0) return level_of(column, column.integer[row]) == kMissing;
    double buffer = 0;
    return std::isnan(*load_numbers(column, row, 1, 1, &buffer));
  }

  Worth of(Index row, const Eigen::VectorXd& log_joint) {
    KnownCase known;
    if (!known.set(log_joint, expected_)) return {};
    const Matrix table = levels_ > 0 ? by_level(row, known) : along_line(row, known);
    const double now = known.expected[known.decision];
    if (std::isfinite(now)) {
      const double value = saved_by_table(table, cost_, known.decision);
      return {now, now - value, value};
    }
    const double after = cost_of_table(table, cost_);
    return {now, after, std::isfinite(after) ? now : 0.0};
  }

 private:
  static int level_count(const ModelPlan& plan, int feature) {
    const Place place = place_of(plan, feature);
    return std::visit(
        [&](const auto& p) {
          if constexpr (std::decay_t<decltype(p)>::reads_codes) {
            return p.levels[static_cast<std::size_t>(place.member)];
          } else {
            return 0;
          }
        },
        plan.banks[place.bank]);
  }

  // P(class, decision | what is known) when the feature is seen first.
  Matrix along_line(Index row, const KnownCase& known) const {
    Matrix table = empty_table();
    const Vector weight(known.log_weight.data(), known.log_weight.data() + known.log_weight.size());
    const Line line = conditional_line(view_, frame_, row, feature_, origin_);
    add_probabilities(line, weight, find_regions(line, weight, cost_), table);
    return table;
  }

  Matrix by_level(Index row, const KnownCase& known) {
    Matrix table = empty_table();
    const Matrix level_given = conditional_levels(view_, frame_, row, feature_, levels_);
    KnownCase seen;
    for (int level = 0; level < levels_; ++level) {
      Eigen::VectorXd log_joint = known.log_weight;
      for (Index k = 0; k < log_joint.size(); ++k) {
        if (log_joint[k] > kNegativeInfinity) log_joint[k] += level_given(level, k);
      }
      if (!seen.set(log_joint, expected_)) continue;
      table.col(seen.decision) += log_joint.array().exp().matrix();
    }
    return table;
  }

  Matrix empty_table() const {
    return Matrix::Zero(static_cast<Index>(view_.prior.size()), cost_.actions());
  }

  const View& view_;
  const Cost& cost_;
  ExpectedCost expected_;
  const Frame& frame_;
  int feature_, levels_;
  double origin_ = 0;
};

// Cases x features; NaN where a feature is known or the case has no answer.
struct NextFeature {
  IntMatrix unknown;  // 1: the case misses the feature
  Matrix now, after, value;
  Index impossible = 0;
};

constexpr Index kWorthRows = 16;  // between two chances to interrupt

// `log_joint`: cases x classes, NaN where there is no answer.
inline NextFeature next_feature(const View& view, const Cost& cost, const Frame& frame,
                                const IntVector& features, const Matrix& log_joint,
                                const Context& context) {
  const auto columns = static_cast<Index>(features.size());
  NextFeature result;
  result.unknown = IntMatrix::Zero(frame.rows, columns);
  for (Matrix* m : {&result.now, &result.after, &result.value}) {
    *m = Matrix::Constant(frame.rows, columns, kNaN);
  }
  for (Index i = 0; i < frame.rows; ++i) {
    result.impossible += (log_joint.row(i).array() == kNegativeInfinity).all();
  }
  context.run((frame.rows + kWorthRows - 1) / kWorthRows, [&](Index task) {
    const Index end = std::min(frame.rows, (task + 1) * kWorthRows);
    for (Index j = 0; j < columns; ++j) {
      FeatureWorth worth(view, cost, frame, features[static_cast<std::size_t>(j)]);
      for (Index i = task * kWorthRows; i < end; ++i) {
        if (!worth.is_missing(i)) continue;
        result.unknown(i, j) = 1;
        const Eigen::VectorXd row = log_joint.row(i);
        if (row.hasNaN()) continue;
        const Worth of_case = worth.of(i, row);
        result.now(i, j) = of_case.now;
        result.after(i, j) = of_case.after;
        result.value(i, j) = of_case.value;
      }
    }
  });
  return result;
}

}  // namespace bayesrisk

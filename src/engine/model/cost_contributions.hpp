#pragma once

#include <engine/decision/row_rule.hpp>
#include <engine/model/contributions.hpp>

#include <optional>

namespace bayesrisk {

// How the change of an expected cost is divided among blocks. The log joint is a sum, so the part
// of a block is the same in any order. An expected cost is not: the part of a block depends on the
// blocks that are known before it.
enum class StepOrder {
  given,   // the blocks become known in the order of the model
  shapley  // the mean over all orders
};

constexpr int kMostShapleyBlocks = 12;

// Divides the expected costs of the actions of one case: `steps` has the costs under the prior, and
// what each block adds to them, (1 + blocks) x actions. `parts`: the log prior and the log
// likelihood of each block, (1 + blocks) x classes.
class CostSteps {
 public:
  CostSteps(StepOrder order, int blocks) : order_(order), blocks_(blocks) {
    if (order == StepOrder::given) return;
    require(blocks <= kMostShapleyBlocks, "too many blocks");
    // The share of the orders in which a block comes right after a set of `size` other blocks.
    for (int size = 0; size < blocks; ++size) {
      share_.push_back(size == 0 ? 1.0 / blocks : share_.back() * size / (blocks - size));
    }
  }

  void divide(const Matrix& parts, const ExpectedCost& cost, Matrix& steps) {
    if (order_ == StepOrder::given) return divide_in_order(parts, cost, steps);
    divide_by_subsets(parts, cost, steps);
  }

 private:
  // Two infinite costs do not differ.
  static double gap(double after, double before) { return after == before ? 0 : after - before; }

  void evaluate(const Eigen::VectorXd& known, const ExpectedCost& cost) {
    posterior_of(known, posterior_);
    cost.evaluate(posterior_, known, expected_);
  }

  void divide_in_order(const Matrix& parts, const ExpectedCost& cost, Matrix& steps) {
    Eigen::VectorXd known = parts.row(0), before;
    evaluate(known, cost);
    steps.row(0) = expected_;
    for (int b = 1; b <= blocks_; ++b) {
      before = expected_;
      known += parts.row(b).transpose();
      evaluate(known, cost);
      for (Index a = 0; a < expected_.size(); ++a) steps(b, a) = gap(expected_[a], before[a]);
    }
  }

  // Bit b of the number of a subset says whether block b is known.
  void divide_by_subsets(const Matrix& parts, const ExpectedCost& cost, Matrix& steps) {
    const Index subsets = Index{1} << blocks_;
    known_.resize(parts.cols(), subsets);
    cost_of_.resize(steps.cols(), subsets);
    known_.col(0) = parts.row(0);
    for (Index s = 0; s < subsets; ++s) {
      if (s > 0) known_.col(s) = known_.col(s & (s - 1)) + parts.row(1 + lowest(s)).transpose();
      evaluate(known_.col(s), cost);
      cost_of_.col(s) = expected_;
    }
    steps.setZero();
    steps.row(0) = cost_of_.col(0);
    for (Index s = 0; s < subsets; ++s) {
      for (int b = 0; b < blocks_; ++b) {
        const Index with = s | (Index{1} << b);
        if (with == s) continue;
        const double share = share_[size_of(s)];
        for (Index a = 0; a < steps.cols(); ++a) {
          steps(b + 1, a) += share * gap(cost_of_(a, with), cost_of_(a, s));
        }
      }
    }
  }

  static int lowest(Index subset) {
    int bit = 0;
    while (!((subset >> bit) & 1)) ++bit;
    return bit;
  }
  static std::size_t size_of(Index subset) {
    std::size_t size = 0;
    for (; subset; subset &= subset - 1) ++size;
    return size;
  }

  StepOrder order_;
  int blocks_;
  Vector share_;
  Matrix known_, cost_of_;
  Eigen::VectorXd posterior_, expected_;
};

// The places of the results: row x (1 + block) x action, and for each row its decision and the
// cheapest other action (from 1).
struct CostContributions {
  double* steps;
  int* decision;
  int* runner_up;
  double missing;
};

// Divides the expected costs of rows whose log joint has been divided. A row without a posterior
// has no answer.
class CostDivision {
 public:
  CostDivision(const Vector& parts, int classes, int blocks, const CaseCost& cost, StepOrder order,
               const CostContributions& out)
      : all_(parts),
        blocks_(blocks),
        rows_(static_cast<Index>(parts.size()) / ((1 + blocks) * classes)),
        cost_(cost),
        divided_(order, blocks),
        parts_(1 + blocks, classes),
        steps_(1 + blocks, cost.fixed.actions()),
        out_(out) {}

  ScoreReport run(Index first, Index last, const Context& context, int features) {
    ScoreReport report(features);
    for (Index i = first; i < last; ++i) {
      if ((i - first) % kRows == 0) context.check();
      divide_row(i, report);
    }
    return report;
  }

 private:
  static constexpr Index kRows = 64;  // rows between two checks for an interrupt

  void divide_row(Index i, ScoreReport& report) {
    for (Index c = 0; c < parts_.size(); ++c) parts_.data()[c] = all_[c * rows_ + i];
    out_.decision[i] = out_.runner_up[i] = kMissingInteger;
    const bool answered = !parts_.hasNaN();
    const Eigen::VectorXd joint = parts_.colwise().sum();
    if (answered && joint.maxCoeff() > kNegativeInfinity) {
      price(i);
      divided_.divide(parts_, *excess_cost_, steps_);
      steps_.row(0) += least_.transpose();
      decide(i, joint, report);
    } else {
      steps_.setConstant(kNaN);
      if (answered && ++report.impossible == 1) report.first_impossible = i;
    }
    for (Index c = 0; c < steps_.size(); ++c) {
      const double step = steps_.data()[c];
      out_.steps[c * rows_ + i] = std::isnan(step) ? out_.missing : step;
    }
  }

  // Costs are divided relative to the least cost of each action, so that an action that costs the
  // same under every class has no contributions, not even of rounding.
  void price(Index i) {
    if (rule_ && cost_.varying.empty()) return;
    Cost cost = cost_.at(i);
    rule_.emplace(cost);
    least_.resize(cost.actions());
    for (int a = 0; a < cost.actions(); ++a) {
      least_[a] = kInfinity;
      for (Index k = 0; k < cost.of.cols(); ++k) {
        if (cost.of(a, k) < least_[a]) least_[a] = cost.of(a, k);
      }
      if (std::isinf(least_[a])) least_[a] = 0;
    }
    cost.of.colwise() -= least_;
    excess_cost_.emplace(cost);
  }

  void decide(Index i, const Eigen::VectorXd& joint, ScoreReport& report) {
    posterior_of(joint, posterior_);
    excess_cost_->evaluate(posterior_, joint, expected_);
    expected_ += least_;
    if (expected_.hasNaN()) {
      ++report.decision.unpriced;
      return;
    }
    const int best = rule_->decide(joint);
    out_.decision[i] = best + 1;
    int second = -1;
    for (int a = 0; a < expected_.size(); ++a) {
      if (a != best && (second < 0 || expected_[a] < expected_[second])) second = a;
    }
    if (second >= 0) out_.runner_up[i] = second + 1;
  }

  const Vector& all_;
  int blocks_;
  Index rows_;
  const CaseCost& cost_;
  CostSteps divided_;
  Matrix parts_, steps_;
  CostContributions out_;
  std::optional<ExpectedCost> excess_cost_;
  std::optional<RowRule> rule_;
  Eigen::VectorXd least_, posterior_, expected_;
};

inline ScoreReport cost_contributions(const ModelPlan& plan, const Scorer& scorer,
                                      const Frame& frame, const CaseCost& cost, StepOrder order,
                                      const CostContributions& out, const Context& context) {
  const int blocks = static_cast<int>(blocks_of(plan).size());
  const int features = static_cast<int>(frame.columns.size());
  Vector parts(static_cast<std::size_t>(frame.rows * (1 + blocks) * scorer.classes()));
  const ScoreReport scored = contributions(plan, scorer, frame, kNaN, parts.data(), context);
  return merge_by_rows(frame.rows, context, scored, [&](Index first, Index last) {
    CostDivision division(parts, scorer.classes(), blocks, cost, order, out);
    return division.run(first, last, context, features);
  });
}

}  // namespace bayesrisk

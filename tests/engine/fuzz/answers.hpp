#pragma once

#include "bytes.hpp"

#include <engine/decision/decide_posterior.hpp>

namespace fuzz {

inline bool all_missing(const Matrix& m, Index r) { return m.row(r).array().isNaN().all(); }

inline bool any_missing(const Matrix& m, Index r) { return m.row(r).array().isNaN().any(); }

// The choice must be the first class or action whose loss is within the band of a tie.
inline void check_first(const Eigen::VectorXd& losses, double band, int choice, const char* what) {
  const double least = losses.minCoeff();
  for (int i = 0; i < choice - 1; ++i) hold(!(losses[i] < least + 0.99 * band), what);
  hold(losses[choice - 1] <= least + 1.01 * band, what);
}

// The expected cost of each action, and the size that its rounding error is relative to.
struct Expected {
  Eigen::VectorXd cost, size;

  Expected(const Cost& cost, const Eigen::VectorXd& posterior, const Eigen::VectorXd& log_joint)
      : cost(Eigen::VectorXd::Zero(cost.actions())), size(this->cost) {
    for (int a = 0; a < cost.actions(); ++a) {
      for (Index k = 0; k < posterior.size(); ++k) {
        const double c = cost.of(a, k);
        if (log_joint[k] == kNegativeInfinity) continue;
        this->cost[a] += std::isinf(c) ? c : posterior[k] * c;
        size[a] += std::isinf(c) ? 0 : posterior[k] * std::abs(c);
      }
    }
  }
};

// Given posterior probabilities, the decision has the smallest expected cost. If all expected costs
// are infinite, the decision is the first action.
inline void check_decision(const Cost& cost, const Eigen::VectorXd& posterior,
                           const Eigen::VectorXd& log_joint, int decision) {
  hold(decision >= 1 && decision <= cost.actions(), "a decision that is no action");
  const Expected expected(cost, posterior, log_joint);
  if (!expected.size.allFinite() || expected.cost.array().isNaN().any()) return;
  const double least = expected.cost.minCoeff();
  if (std::isinf(least)) {
    hold(decision == 1, "every action costs too much, but not the first is taken");
  } else {
    hold(expected.cost[decision - 1] <= least + 1e-9 * expected.size.maxCoeff() + 1e-300,
         "a decision that costs more than another");
  }
}

// Asks all questions about new rows, and checks that the answers agree with each other.
class AnswerCheck {
 public:
  AnswerCheck(const ModelPlan& plan, const std::vector<AnyParameters>& banks, const Vector& prior,
              const Frame& frame, const Cost& cost)
      : plan_(plan), banks_(banks), prior_(prior), frame_(frame), cost_(cost) {}

  void run() {
    probability_ = numbers(Output::prob);
    log_joint_ = numbers(Output::log_joint);
    const Matrix log_probability = numbers(Output::log_prob);
    const Matrix evidence = numbers(Output::log_evidence);
    const IntVector choice = score_choices(plan_, banks_, prior_, frame_, Output::class_);
    const IntVector decision =
        score_choices(plan_, banks_, prior_, frame_, Output::decision, &cost_);
    for (Index r = 0; r < frame_.rows; ++r) {
      const int chosen = choice[static_cast<std::size_t>(r)];
      const int decided = decision[static_cast<std::size_t>(r)];
      if (any_missing(probability_, r)) {
        hold(all_missing(probability_, r), "half a posterior");
        hold(all_missing(log_probability, r), "a log posterior without a posterior");
        hold(chosen == kMissingInteger, "a class without a posterior");
        hold(decided == kMissingInteger, "a decision without a posterior");
        continue;
      }
      check_posterior(r, log_probability.row(r));
      hold(!std::isnan(evidence(r, 0)), "a posterior without evidence");
      check_class(r, chosen);
      if (!cost_.is_zero_one()) {
        check_decision(cost_, probability_.row(r), log_joint_.row(r), decided);
      } else {
        hold(decided == chosen, "a decision by the class rule that is not the class");
      }
      check_alone(r);
    }
    check_given();
  }

 private:
  Matrix numbers(Output output) const {
    return score_numbers(plan_, banks_, prior_, frame_, output);
  }

  void check_posterior(Index r, const Eigen::VectorXd& log_probability) const {
    const Eigen::VectorXd p = probability_.row(r);
    hold((p.array() >= 0).all() && std::abs(p.sum() - 1) < 1e-9, "a posterior that is none");
    for (int k = 0; k < plan_.groups; ++k) {
      const bool out = prior_[static_cast<std::size_t>(k)] == 0;
      hold(!out || p[k] == 0, "a class of prior 0 is believed in");
      hold(std::abs(std::exp(log_probability[k]) - p[k]) < 1e-9, "two posteriors");
    }
  }

  void check_class(Index r, int chosen) const {
    hold(chosen >= 1 && chosen <= plan_.groups, "a class that is none");
    const Eigen::VectorXd losses = -log_joint_.row(r).transpose();
    const double band = kTie * std::max(1.0, std::abs(losses.minCoeff()));
    check_first(losses, band, chosen, "a class that is not the most probable");
  }

  // The answer of a row does not depend on the other rows, to the last digit.
  void check_alone(Index r) const {
    const Matrix alone = score_numbers(plan_, banks_, prior_, part_of(frame_, r, 1), Output::prob);
    hold(same_bits(alone, probability_.row(r)), "a row that depends on others");
  }

  // Decides by the same probabilities as if another classifier had computed them.
  void check_given() const {
    Frame given;
    given.rows = frame_.rows;
    for (int k = 0; k < plan_.groups; ++k) {
      given.columns.emplace_back().real = probability_.col(k).data();
    }
    CaseCost costs;
    costs.fixed = cost_;
    IntVector decision(static_cast<std::size_t>(frame_.rows), 12345);
    DecisionColumns out;
    out.decision = decision.data();
    decide_posterior(given, {}, costs, out, {}, Context());
    for (Index r = 0; r < frame_.rows; ++r) {
      const int decided = decision[static_cast<std::size_t>(r)];
      if (any_missing(probability_, r)) {
        hold(decided == kMissingInteger, "a decision about nothing");
      } else {
        const Eigen::VectorXd p = probability_.row(r);
        check_decision(cost_, p, p.array().log(), decided);
      }
    }
  }

  const ModelPlan& plan_;
  const std::vector<AnyParameters>& banks_;
  const Vector& prior_;
  const Frame& frame_;
  const Cost& cost_;
  Matrix probability_, log_joint_;
};

}  // namespace fuzz

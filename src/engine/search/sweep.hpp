#pragma once

#include <engine/core/context.hpp>
#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/search/envelope.hpp>

namespace bayesrisk {

// The varying number is the prior of class `truth`, the cost of `decision` under `truth`, or the
// cost of `decision` under every class.
struct Vary {
  int decision = kAll, truth = kAll;

  bool is_prior() const { return decision == kAll; }
  bool covers(Index a, Index k) const { return a == decision && (truth == kAll || truth == k); }
};

// The expected cost of each action as a line in the varying number. With a varying cost the line is
// the expected cost given the case. With a varying prior it is divided by the evidence at the
// current prior, so it is the expected cost given the case at this prior only.
struct CostLines {
  Eigen::VectorXd intercept, slope;
};

// What the sums of the costs and of the evidence gain beyond a value of the varying number.
struct Kink {
  double at, intercept, slope;
};

// One case whose prior or cost varies. If a prior varies, the log joint is computed with the base
// prior. The base prior of the varying class is 1. That of any other class is its share of the
// remaining probability.
class CaseSweep {
 public:
  CaseSweep(const Vary& vary, double prior) : vary_(vary), prior_(prior) {
    pencil_.positive = vary.is_prior();
  }

  // Returns whether the case is possible under the current prior.
  bool set(const Cost& cost, const Eigen::VectorXd& log_joint) {
    pencil_.fixed = cost.of.array().isFinite().select(cost.of, 0.0);
    if (!(vary_.is_prior() ? weigh_odds(log_joint) : weigh_cost(log_joint))) return false;
    rule_out(cost, log_joint);
    return true;
  }

  // The cheapest action between two values of the varying number.
  std::vector<Segment> segments() const {
    if (pencil_.actions.empty()) return {{parameter(kLowest), parameter(-kLowest), 0}};
    std::vector<Segment> result = LowerEnvelope(pencil_).segments();
    for (Segment& segment : result) {
      segment.from = parameter(segment.from);
      segment.to = parameter(segment.to);
    }
    return result;
  }

  CostLines lines() const {
    const Index actions = pencil_.fixed.rows();
    CostLines result{Eigen::VectorXd::Constant(actions, -kLowest), Eigen::VectorXd::Zero(actions)};
    for (int a : pencil_.actions) {
      const double fixed = pencil_.fixed.row(a) * pencil_.weight;
      result.intercept[a] = fixed_unit_ * fixed;
      result.slope[a] = slope_unit_ * pencil_.slope[a];
      if (vary_.is_prior()) result.slope[a] -= result.intercept[a];
    }
    return result;
  }

  // The evidence of the case at a prior t, divided by that at the current prior, as a line.
  Kink evidence() const { return {0, fixed_unit_, slope_unit_ - fixed_unit_}; }

 private:
  static constexpr double kLowest = kNegativeInfinity;

  // For a prior t, x is the odds t / (1 - t) times the likelihood ratio of the class to the other
  // classes. Odds and ratio stay on the log scale.
  bool weigh_odds(const Eigen::VectorXd& log_joint) {
    const double own = log_joint[vary_.truth];
    Eigen::VectorXd others = log_joint;
    others[vary_.truth] = kNegativeInfinity;
    const double rest = log_sum(others);
    const double evidence = log_add(std::log(prior_) + own, std::log1p(-prior_) + rest);
    if (evidence == kNegativeInfinity) return false;
    pencil_.weight = weights(others, rest);
    pencil_.slope = pencil_.fixed.col(vary_.truth);
    if (own == kNegativeInfinity) pencil_.slope.setZero();
    pencil_.fixed.col(vary_.truth).setZero();
    log_unit_ = own - rest;
    fixed_unit_ = std::exp(rest - evidence);
    slope_unit_ = std::exp(own - evidence);
    return true;
  }

  // For a cost v, x is v times the posterior of the class.
  bool weigh_cost(const Eigen::VectorXd& log_joint) {
    const double evidence = log_sum(log_joint);
    if (evidence == kNegativeInfinity) return false;
    pencil_.weight = weights(log_joint, evidence);
    log_unit_ = vary_.truth == kAll ? 0 : log_joint[vary_.truth] - evidence;
    pencil_.slope = Eigen::VectorXd::Zero(pencil_.fixed.rows());
    if (log_unit_ > kNegativeInfinity) pencil_.slope[vary_.decision] = 1;
    for (Index k = 0; k < pencil_.fixed.cols(); ++k) {
      if (vary_.covers(vary_.decision, k)) pencil_.fixed(vary_.decision, k) = 0;
    }
    fixed_unit_ = 1;
    slope_unit_ = std::exp(log_unit_);
    return true;
  }

  // An infinite cost counts unless its class is impossible.
  void rule_out(const Cost& cost, const Eigen::VectorXd& log_joint) {
    pencil_.actions.clear();
    for (Index a = 0; a < cost.of.rows(); ++a) {
      bool ruled_out = false;
      for (Index k = 0; k < cost.of.cols(); ++k) {
        ruled_out = ruled_out || (std::isinf(cost.of(a, k)) && !vary_.covers(a, k) &&
                                  log_joint[k] != kNegativeInfinity);
      }
      if (!ruled_out) pencil_.actions.push_back(static_cast<int>(a));
    }
  }

  static Eigen::VectorXd weights(const Eigen::VectorXd& x, double sum) {
    if (sum == kNegativeInfinity) return Eigen::VectorXd::Zero(x.size());
    return (x.array() - sum).exp();
  }

  // Converts x to the prior or the cost.
  double parameter(double x) const {
    if (vary_.is_prior()) return prior_at(x);
    if (x == 0 || std::isinf(x)) return x;
    if (slope_unit_ > std::numeric_limits<double>::min()) return x / slope_unit_;
    return std::copysign(std::exp(std::log(std::abs(x)) - log_unit_), x);
  }

  double prior_at(double x) const {
    if (!(x > 0)) return 0;
    if (std::isinf(x)) return 1;
    const double log_odds = std::log(x) - log_unit_;
    const double smaller = std::exp(-std::abs(log_odds));
    return log_odds < 0 ? smaller / (1 + smaller) : 1 / (1 + smaller);
  }

  Vary vary_;
  double prior_;
  Pencil pencil_;
  double log_unit_ = 0, fixed_unit_ = 1, slope_unit_ = 1;
};

// For each case: its segments (none if there is no answer) and its lines.
struct Sweep {
  std::vector<std::vector<Segment>> segments;
  Matrix intercept, slope;  // cases x actions
  Index impossible = 0, unpriced = 0;
};

// The part of the segments between `from` and `to`.
inline std::vector<Segment> clip(const std::vector<Segment>& segments, double from, double to) {
  std::vector<Segment> result;
  for (Segment segment : segments) {
    segment.from = std::max(segment.from, from);
    segment.to = std::min(segment.to, to);
    if (segment.from < segment.to) result.push_back(segment);
  }
  return result;
}

// `log_joint`: cases x classes, NaN where there is no answer.
class CasesSweep {
 public:
  CasesSweep(const Matrix& log_joint, const CaseCost& cost, const Vary& vary, double prior)
      : log_joint_(log_joint), cost_(cost), vary_(vary), prior_(prior) {}

  // The segments between `from` and `to`.
  Sweep run(double from, double to, const Context& context) const {
    const Index rows = log_joint_.rows(), actions = cost_.fixed.actions();
    Sweep sweep;
    sweep.segments.resize(static_cast<std::size_t>(rows));
    sweep.intercept = sweep.slope = Matrix::Constant(rows, actions, kNaN);
    std::vector<char> answer(static_cast<std::size_t>(rows), kNone);
    context.run((rows + kRows - 1) / kRows, [&](Index task) {
      CaseSweep one(vary_, prior_);
      for (Index i = task * kRows; i < std::min(rows, (task + 1) * kRows); ++i) {
        answer[static_cast<std::size_t>(i)] = sweep_case(one, i, from, to, sweep);
      }
    });
    sweep.impossible = std::count(answer.begin(), answer.end(), kImpossible);
    sweep.unpriced = std::count(answer.begin(), answer.end(), kUnpriced);
    return sweep;
  }

  // The largest mean expected cost at a prior between two values, without these, each case with the
  // weight that it has in a population of this prior. `weight`: those at the current prior, empty
  // if all are 1. The sum of the costs is linear between the kinks and so is the sum of the
  // weights, so the largest mean is at a kink or an end. -Inf without a kink.
  double largest_mean(const Vector& weight, double from, double to) const {
    CaseSweep one(vary_, prior_);
    std::vector<Kink> kinks;
    Kink weights{0, 0, 0};
    for (Index i = 0; i < log_joint_.rows(); ++i) {
      const double unit = weight.empty() ? 1 : weight[static_cast<std::size_t>(i)];
      if (!(unit > 0) || set_case(one, i) != kSome) continue;
      const Kink evidence = one.evidence();
      weights.intercept += unit * evidence.intercept;
      weights.slope += unit * evidence.slope;
      const CostLines lines = one.lines();
      Kink last{0, 0, 0};
      for (const Segment& segment : clip(one.segments(), from, to)) {
        const double intercept = unit * lines.intercept[segment.action];
        const double slope = unit * lines.slope[segment.action];
        if (std::isinf(intercept)) return kInfinity;
        kinks.push_back({segment.from, intercept - last.intercept, slope - last.slope});
        last = {segment.from, intercept, slope};
      }
    }
    return largest_ratio(kinks, weights, from);
  }

 private:
  // At the kinks above `from`.
  static double largest_ratio(std::vector<Kink>& kinks, const Kink& weights, double from) {
    std::sort(kinks.begin(), kinks.end(), [](const Kink& a, const Kink& b) { return a.at < b.at; });
    double intercept = 0, slope = 0, largest = kNegativeInfinity;
    for (std::size_t j = 0; j < kinks.size(); ++j) {
      intercept += kinks[j].intercept;
      slope += kinks[j].slope;
      if (kinks[j].at == from || (j + 1 < kinks.size() && kinks[j + 1].at == kinks[j].at)) continue;
      const double weight = weights.intercept + weights.slope * kinks[j].at;
      if (weight > 0) largest = std::max(largest, (intercept + slope * kinks[j].at) / weight);
    }
    return largest;
  }

  enum Answer : char { kSome, kNone, kImpossible, kUnpriced };

  static constexpr Index kRows = 1024;  // rows between two checks for an interrupt

  // Sets the case, if it has an answer.
  Answer set_case(CaseSweep& one, Index i) const {
    const Eigen::VectorXd row = log_joint_.row(i);
    if (row.hasNaN()) return kNone;
    const Cost cost = cost_.at(i);
    if (!priced(cost, row)) return kUnpriced;
    return one.set(cost, row) ? kSome : kImpossible;
  }

  Answer sweep_case(CaseSweep& one, Index i, double from, double to, Sweep& sweep) const {
    const Answer answer = set_case(one, i);
    if (answer != kSome) return answer;
    sweep.segments[static_cast<std::size_t>(i)] = clip(one.segments(), from, to);
    const CostLines lines = one.lines();
    sweep.intercept.row(i) = lines.intercept;
    sweep.slope.row(i) = lines.slope;
    return kSome;
  }

  // Whether every cost that counts is known.
  bool priced(const Cost& cost, const Eigen::VectorXd& log_joint) const {
    for (Index k = 0; k < cost.of.cols(); ++k) {
      for (Index a = 0; a < cost.of.rows(); ++a) {
        const bool counts = log_joint[k] > kNegativeInfinity && !vary_.covers(a, k);
        if (counts && std::isnan(cost.of(a, k))) return false;
      }
    }
    return true;
  }

  const Matrix& log_joint_;
  const CaseCost& cost_;
  Vary vary_;
  double prior_;
};

}  // namespace bayesrisk

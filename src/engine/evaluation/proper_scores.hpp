#pragma once

#include <engine/evaluation/curves.hpp>
#include <engine/evaluation/losses.hpp>

#include <algorithm>

namespace bayesrisk {

// Predicted probabilities of one class in a bin of [0, 1], and how often it was true.
struct CalibrationBin {
  double from = 0, to = 1;
  Weights cases;
  double predicted = 0, observed = 0;  // sums, then means; NaN without a case

  void add(double weight, double p, double happened) {
    cases.add(weight);
    predicted += weight * p;
    observed += weight * happened;
  }
  // Nearly all cases are in this bin, and half of those of the class and of the others that the
  // probabilities expect: `all` cases, `own` of the class.
  bool holds_most(double all, double own) const {
    return cases.sum >= 0.9 * all && predicted >= 0.5 * own &&
           cases.sum - predicted >= 0.5 * (all - own);
  }
};

// The cases whose most probable class has a probability of `from` or more, as sums of weights.
struct CertainCases {
  double from = 0, cases = 0;
  double expected = 0, wrong = 0;  // expected and observed errors
  double variance = 0;             // of the sum of the weights of errors, if they are rare
};

struct ClassBenefit {
  int of = 0;  // class, from 1
  BenefitCurve curve;
};

// The quality of probabilities where the truth is known.
struct ProperScores {
  double cases = 0;       // the sum of the weights
  double log_loss = 0;    // mean of -log p(truth)
  double brier = 0;       // mean of squared distances from the truth, over all classes
  double impossible = 0;  // weights of the cases whose truth had probability 0
  CertainCases certain;
  std::vector<Weights> of_class;                  // of the scored cases
  std::vector<std::vector<CalibrationBin>> bins;  // per class
  CostCurve cost_curve;                           // of two classes that both occurred
  std::vector<ClassBenefit> benefit;              // empty if the class, or no other, occurred
};

constexpr double kCertain = 0.99;

class ProperScorer {
 public:
  static constexpr int kBins = 10;    // of a calibration table
  static constexpr int kSteps = 200;  // of a curve over [0, 1]

  // `posterior`: a column of probabilities, or of their logarithms, per class; `cases`: a case
  // without a truth is not scored; `prior`: the prior that the probabilities contain, empty: the
  // shares of the classes among the scored cases. A prior of 0 cannot be replaced by another one,
  // so there is no cost curve then. `benefit_of`: the classes of the net benefits, from 1.
  ProperScorer(const Frame& posterior, bool logarithms, const Cases& cases, const Vector& prior,
               const IntVector& benefit_of = {})
      : posterior_(posterior),
        logarithms_(logarithms),
        cases_(cases),
        classes_(static_cast<int>(posterior.columns.size())),
        p_(classes_),
        log_p_(classes_),
        by_weight_(kSteps) {
    for (int k : benefit_of) scores_.benefit.push_back({k, {}});
    by_probability_.assign(benefit_of.size(), ScoreCounts(kSteps));
    scores_.certain.from = kCertain;
    scores_.of_class.resize(classes_);
    scores_.bins.assign(classes_, std::vector<CalibrationBin>(kBins));
    for (std::vector<CalibrationBin>& bins : scores_.bins) {
      for (int b = 0; b < kBins; ++b) {
        bins[b].from = static_cast<double>(b) / kBins;
        bins[b].to = static_cast<double>(b + 1) / kBins;
      }
    }
    find_class_weights();
    if (classes_ == 2) log_prior_odds_ = find_prior_odds(prior);
  }

  ProperScores run() {
    for (Index r = 0; r < posterior_.rows; ++r) {
      if (!is_scored(r)) continue;
      add(r);
      add_to_benefits(r);
      if (classes_ == 2) add_to_curve(cases_.truth[r], cases_.weight_of(r));
    }
    for (int k = 0; k < classes_; ++k) spread_bins(k);
    take_means();
    draw_curves();
    return std::move(scores_);
  }

 private:
  // If most cases of a rare class, and of the others, are in the same bin of equal width, the bins
  // have equal numbers of cases instead. Cases of the same probability share a bin.
  void spread_bins(int k) {
    std::vector<CalibrationBin>& bins = scores_.bins[k];
    double own = 0;
    for (const CalibrationBin& bin : bins) own += bin.predicted;
    const auto most = [&](const CalibrationBin& b) { return b.holds_most(scores_.cases, own); };
    if (std::none_of(bins.begin(), bins.end(), most)) return;
    struct Predicted {
      double p, weight, happened;
    };
    std::vector<Predicted> cases;
    for (Index r = 0; r < posterior_.rows; ++r) {
      if (!is_scored(r) || cases_.weight_of(r) == 0) continue;
      cases.push_back({p_[k], cases_.weight_of(r), cases_.truth[r] == k + 1 ? 1.0 : 0.0});
    }
    std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.p < b.p; });
    std::vector<CalibrationBin> equal;
    double before = 0;
    int last = -1;
    for (std::size_t first = 0, end = 0; first < cases.size(); first = end) {
      double weight = 0;
      for (; end < cases.size() && cases[end].p == cases[first].p; ++end) {
        weight += cases[end].weight;
      }
      const double middle = (before + 0.5 * weight) / scores_.cases;
      const int at = std::min(kBins - 1, static_cast<int>(middle * kBins));
      if (at != last) equal.push_back({cases[first].p, cases[first].p, {}, 0, 0});
      for (std::size_t i = first; i < end; ++i) {
        equal.back().add(cases[i].weight, cases[i].p, cases[i].happened);
      }
      equal.back().to = cases[first].p;
      last = at;
      before += weight;
    }
    bins = std::move(equal);
  }

  void take_means() {
    scores_.log_loss /= scores_.cases;
    scores_.brier /= scores_.cases;
    for (double spread : spread_) scores_.certain.variance += spread * spread;
    for (std::vector<CalibrationBin>& bins : scores_.bins) {
      for (CalibrationBin& bin : bins) {
        bin.predicted /= bin.cases.sum;
        bin.observed /= bin.cases.sum;
      }
    }
  }

  void draw_curves() {
    for (std::size_t i = 0; i < by_probability_.size(); ++i) {
      by_probability_[i].sum_up();
      if (by_probability_[i].first() == 0 || by_probability_[i].second() == 0) continue;
      scores_.benefit[i].curve = benefit_curve(by_probability_[i], kSteps);
      if (cases_.cluster) widen(i);
    }
    by_weight_.sum_up();
    if (by_weight_.first() == 0 || by_weight_.second() == 0) return;
    scores_.cost_curve = cost_curve(by_weight_, std::move(ratios_), kSteps);
  }

  // With two classes the other probability is exact, however small.
  double of_others(int k) const { return classes_ == 2 ? p_[2 - k] : 1 - p_[k - 1]; }

  void add_to_benefits(Index r) {
    for (std::size_t i = 0; i < by_probability_.size(); ++i) {
      const int k = scores_.benefit[i].of;
      by_probability_[i].add(cases_.truth[r] == k ? 2 : 1, of_others(k), cases_.weight_of(r));
    }
  }

  // How much further a benefit varies because cases of a cluster are alike.
  void widen(std::size_t i) {
    const int k = scores_.benefit[i].of;
    BenefitCurve& curve = scores_.benefit[i].curve;
    IntVector step(static_cast<std::size_t>(cases_.rows), -1);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (is_scored(r)) step[r] = by_probability_[i].step_of(of_others(k));
    }
    for (std::size_t t = 0; t < curve.threshold.size(); ++t) {
      const double odds = curve.threshold[t] / (1 - curve.threshold[t]);
      ClusterSums sums(cases_);
      double squares = 0;
      for (Index r = 0; r < cases_.rows; ++r) {
        if (step[r] < 0) continue;
        const bool decided = step[r] <= kSteps - static_cast<int>(t);
        const double value = decided ? (cases_.truth[r] == k ? 1 : -odds) : 0;
        const double part = cases_.weight_of(r) * (value - curve.benefit[t]);
        sums.add(r, part);
        squares += part * part;
      }
      const double ratio = std::sqrt(sums.variance() / squares);
      curve.wider[t] = squares > 0 ? std::max(1.0, ratio) : 1.0;
    }
  }

  bool is_scored(Index r) { return cases_.truth[r] != kMissingInteger && read(r); }

  void find_class_weights() {
    for (Index r = 0; r < posterior_.rows; ++r) {
      if (is_scored(r)) scores_.of_class[cases_.truth[r] - 1].add(cases_.weight_of(r));
    }
  }

  double find_prior_odds(const Vector& prior) const {
    if (!prior.empty()) return std::log(prior[1]) - std::log(prior[0]);
    return std::log(scores_.of_class[1].sum) - std::log(scores_.of_class[0].sum);
  }

  bool read(Index r) {
    for (int k = 0; k < classes_; ++k) {
      const Column& column = posterior_.columns[k];
      const double value = column.real ? column.real[r] : as_number(column.integer[r]);
      if (std::isnan(value)) return false;
      p_[k] = logarithms_ ? std::exp(value) : value;
      log_p_[k] = logarithms_ ? value : std::log(value);
    }
    return true;
  }

  void add(Index r) {
    const int truth = cases_.truth[r] - 1;
    const double weight = cases_.weight_of(r);
    scores_.cases += weight;
    scores_.log_loss -= weight * log_p_[truth];
    scores_.impossible += log_p_[truth] == kNegativeInfinity ? weight : 0.0;
    for (int k = 0; k < classes_; ++k) {
      const double happened = k == truth, distance = p_[k] - happened;
      scores_.brier += weight * (distance * distance);
      CalibrationBin& bin = scores_.bins[k][std::min(kBins - 1, static_cast<int>(p_[k] * kBins))];
      bin.add(weight, p_[k], happened);
    }
    const int top = static_cast<int>(std::max_element(p_.begin(), p_.end()) - p_.begin());
    if (p_[top] >= kCertain) add_certain(r, top, truth, weight);
  }

  // An error of class k has the weight of a case of class k, on average. The errors of a cluster
  // may all occur together.
  void add_certain(Index r, int top, int truth, double weight) {
    CertainCases& certain = scores_.certain;
    double variance = 0;
    certain.cases += weight;
    certain.wrong += top != truth ? weight : 0.0;
    for (int k = 0; k < classes_; ++k) {
      if (k == top) continue;
      certain.expected += weight * p_[k];
      if (scores_.of_class[k].sum > 0) {
        variance += weight * p_[k] * (scores_.of_class[k].squares / scores_.of_class[k].sum);
      }
    }
    if (!cases_.cluster) {
      certain.variance += variance;
      return;
    }
    const auto cluster = static_cast<std::size_t>(cases_.cluster[r]);
    spread_.resize(std::max(spread_.size(), cluster), 0.0);
    spread_[cluster - 1] += std::sqrt(variance);
  }

  // The decision changes to the second class at the weight at which the weighted likelihoods of
  // both classes are equal.
  void add_to_curve(int truth, double weight) {
    if (!std::isfinite(log_prior_odds_)) return;
    const double log_ratio = (log_p_[1] - log_p_[0]) - log_prior_odds_;
    by_weight_.add(truth, 1 / (1 + std::exp(log_ratio)), weight);
    ratios_.push_back({log_ratio, truth == 2, weight});
  }

  const Frame& posterior_;
  bool logarithms_;
  const Cases cases_;
  int classes_;
  Vector p_, log_p_;
  Vector spread_;  // of each cluster: the standard deviation of the sum of its certain errors
  double log_prior_odds_ = 0;
  ScoreCounts by_weight_;
  std::vector<ScoreCounts> by_probability_;  // per benefit, by the probability of the others
  std::vector<ScoredCase> ratios_;
  ProperScores scores_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/evaluation/curves.hpp>

#include <algorithm>

namespace bayesrisk {

// Predicted probabilities of one class in a bin of [0, 1], and how often it was true.
struct CalibrationBin {
  double from = 0, to = 1, cases = 0;
  double predicted = 0, observed = 0;  // means; NaN without a case
};

// The cases whose most probable class has a probability of `from` or more.
struct CertainCases {
  double from = 0, cases = 0;
  double expected = 0, wrong = 0;  // expected and observed errors
};

// The quality of probabilities where the truth is known.
struct ProperScores {
  double cases = 0;
  double log_loss = 0;    // mean of -log p(truth)
  double brier = 0;       // mean of squared distances from the truth, over all classes
  double impossible = 0;  // cases whose truth had probability 0
  CertainCases certain;
  std::vector<std::vector<CalibrationBin>> bins;  // per class
  CostCurve cost_curve;                           // of two classes that both occurred
  BenefitCurve benefit;
};

constexpr double kCertain = 0.99;

class ProperScorer {
 public:
  static constexpr int kBins = 10;    // of a calibration table
  static constexpr int kSteps = 200;  // of a curve over [0, 1]

  // `posterior`: a column of probabilities, or of their logarithms, per class; `truth`: from 1 or
  // missing; `prior`: the prior that the probabilities contain, empty: the shares of the classes
  // among the scored cases. A prior of 0 cannot be replaced by another one, so there is no cost
  // curve then.
  ProperScorer(const Frame& posterior, bool logarithms, const int* truth, const Vector& prior)
      : posterior_(posterior),
        logarithms_(logarithms),
        truth_(truth),
        classes_(static_cast<int>(posterior.columns.size())),
        p_(classes_),
        log_p_(classes_),
        by_weight_(kSteps),
        by_probability_(kSteps) {
    scores_.certain.from = kCertain;
    scores_.bins.assign(classes_, std::vector<CalibrationBin>(kBins));
    for (std::vector<CalibrationBin>& bins : scores_.bins) {
      for (int b = 0; b < kBins; ++b) {
        bins[b].from = static_cast<double>(b) / kBins;
        bins[b].to = static_cast<double>(b + 1) / kBins;
      }
    }
    if (classes_ == 2) log_prior_odds_ = find_prior_odds(prior);
  }

  ProperScores run() {
    for (Index r = 0; r < posterior_.rows; ++r) {
      if (truth_[r] == kMissingInteger || !read(r)) continue;
      add(truth_[r] - 1);
      if (classes_ == 2) add_to_curves(truth_[r]);
    }
    take_means();
    draw_curves();
    return std::move(scores_);
  }

 private:
  void take_means() {
    scores_.log_loss /= scores_.cases;
    scores_.brier /= scores_.cases;
    for (std::vector<CalibrationBin>& bins : scores_.bins) {
      for (CalibrationBin& bin : bins) {
        bin.predicted /= bin.cases;
        bin.observed /= bin.cases;
      }
    }
  }

  void draw_curves() {
    by_weight_.sum_up();
    by_probability_.sum_up();
    if (by_probability_.first() == 0 || by_probability_.second() == 0) return;
    scores_.benefit = benefit_curve(by_probability_, kSteps);
    if (std::isfinite(log_prior_odds_)) {
      scores_.cost_curve = cost_curve(by_weight_, std::move(cases_), kSteps);
    }
  }

  double find_prior_odds(const Vector& prior) {
    if (!prior.empty()) return std::log(prior[1]) - std::log(prior[0]);
    double first = 0, second = 0;
    for (Index r = 0; r < posterior_.rows; ++r) {
      if (truth_[r] == kMissingInteger || !read(r)) continue;
      first += truth_[r] == 1;
      second += truth_[r] == 2;
    }
    return std::log(second) - std::log(first);
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

  void add(int truth) {
    ++scores_.cases;
    scores_.log_loss -= log_p_[truth];
    scores_.impossible += log_p_[truth] == kNegativeInfinity;
    for (int k = 0; k < classes_; ++k) {
      const double happened = k == truth, distance = p_[k] - happened;
      scores_.brier += distance * distance;
      CalibrationBin& bin = scores_.bins[k][std::min(kBins - 1, static_cast<int>(p_[k] * kBins))];
      ++bin.cases;
      bin.predicted += p_[k];
      bin.observed += happened;
    }
    const int top = static_cast<int>(std::max_element(p_.begin(), p_.end()) - p_.begin());
    if (p_[top] < kCertain) return;
    ++scores_.certain.cases;
    scores_.certain.wrong += top != truth;
    for (int k = 0; k < classes_; ++k) scores_.certain.expected += k == top ? 0 : p_[k];
  }

  // The decision changes to the second class at the weight at which the weighted likelihoods of
  // both classes are equal.
  void add_to_curves(int truth) {
    by_probability_.add(truth, p_[0]);
    if (!std::isfinite(log_prior_odds_)) return;
    const double log_ratio = (log_p_[1] - log_p_[0]) - log_prior_odds_;
    by_weight_.add(truth, 1 / (1 + std::exp(log_ratio)));
    cases_.push_back({log_ratio, truth == 2});
  }

  const Frame& posterior_;
  bool logarithms_;
  const int* truth_;
  int classes_;
  Vector p_, log_p_;
  double log_prior_odds_ = 0;
  ScoreCounts by_weight_, by_probability_;
  std::vector<ScoredCase> cases_;
  ProperScores scores_;
};

}  // namespace bayesrisk

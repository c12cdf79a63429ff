#pragma once

#include <engine/model/score.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/world/conditional.hpp>

namespace bayesrisk {

// A value of one feature at which a case is decided otherwise.
struct Flip {
  double value = kNaN;     // of a number: the nearest end of the region of another decision
  double distance = kNaN;  // from the value of the case, in the unit of the feature
  int level = kMissing;    // of a categorical feature
  int decision = kNoDecision;
  bool exact = true;
};

// The value of a discrete feature inside a region that begins (or ends) at a cut.
inline double value_beside(const Marginal& marginal, double cut, bool begins) {
  if (std::holds_alternative<Counts>(marginal)) return cut + (begins ? 0.5 : -0.5);
  if (const auto* atoms = std::get_if<Atoms>(&marginal); atoms && !begins) {
    const Vector values = values_of(*atoms);
    return *std::prev(std::lower_bound(values.begin(), values.end(), cut));
  }
  return cut;
}

// The nearest value with another decision than `now`; values without a decision do not count.
inline Flip nearest_flip(const Marginal& marginal, const Regions& regions, double x, int now) {
  Flip nearest;
  const std::size_t cuts = regions.cut.size();
  for (std::size_t i = 0; i <= cuts; ++i) {
    const int decision = regions.decision[i];
    if (decision == now || decision == kNoDecision) continue;
    Flip flip{x, 0, kMissing, decision, true};
    if (i > 0 && x < regions.cut[i - 1]) {
      flip.value = value_beside(marginal, regions.cut[i - 1], true);
      flip.exact = regions.exact[i - 1];
    } else if (i < cuts && x >= regions.cut[i]) {
      flip.value = value_beside(marginal, regions.cut[i], false);
      flip.exact = regions.exact[i];
    }
    flip.distance = flip.value - x;
    const bool first = nearest.decision == kNoDecision;
    if (first || std::abs(flip.distance) < std::abs(nearest.distance)) nearest = flip;
  }
  return nearest;
}

// The root of the mean variance of a number within the classes, weighted by the prior.
inline double sd_within(const View& view, int feature) {
  const Marginal marginal = density_of(view, feature, origin_of(view, feature));
  double variance = 0, weight = 0;
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (!(view.prior[k] > 0)) continue;
    const double sd =
        std::visit([k](const auto& of) { return moments_of(of.classes[k]).sd; }, marginal);
    variance += view.prior[k] * sd * sd;
    weight += view.prior[k];
  }
  return std::sqrt(variance / weight);
}

// For each case: its decision, from 0, and for each asked feature its flips, none or several.
struct Flips {
  IntVector decision;
  std::vector<std::vector<std::vector<Flip>>> of;  // feature, case
  Vector sd;                                       // of each feature; NaN: categorical
  ScoreReport report;
};

// Searches for each case and feature the changes of this feature alone that change the decision.
class FlipSearch {
 public:
  FlipSearch(const View& view, const Scorer& scorer, const CaseCost& cost, const Frame& frame,
             const Context& context)
      : view_(view), scorer_(scorer), cost_(cost), frame_(frame), context_(context) {}

  Flips run(const IntVector& features) {
    Flips flips;
    flips.report = decide(frame_, now_);
    flips.decision = now_;
    for (int feature : features) {
      const int levels = levels_of(view_.plan, feature);
      flips.of.emplace_back(static_cast<std::size_t>(frame_.rows));
      if (levels > 0) {
        for (int level = 0; level < levels; ++level) try_level(feature, level, levels, flips);
      } else {
        search_number(feature, flips);
      }
      flips.sd.push_back(levels > 0 ? kNaN : sd_within(view_, feature));
    }
    return flips;
  }

 private:
  static constexpr Index kRows = 16;  // rows between two checks for an interrupt

  // The decisions of predict(), from 0; kNoDecision: none.
  ScoreReport decide(const Frame& frame, IntVector& decision) const {
    decision.assign(static_cast<std::size_t>(frame.rows), 0);
    Request request;
    request.output = Output::decision;
    request.cost = &cost_;
    request.decision.decision = decision.data();
    const ScoreReport report = score(scorer_, frame, request, context_);
    for (int& d : decision) d = d == kMissingInteger ? kNoDecision : d - 1;
    return report;
  }

  Frame with_column(int feature, const Column& column) const {
    Frame frame = frame_;
    frame.columns[static_cast<std::size_t>(feature)] = column;
    return frame;
  }

  void try_level(int feature, int level, int levels, Flips& flips) const {
    const IntVector all(static_cast<std::size_t>(frame_.rows), level);
    IntVector then;
    decide(with_column(feature, Column{nullptr, all.data(), 0, levels, nullptr}), then);
    const Column& column = frame_.columns[static_cast<std::size_t>(feature)];
    for (std::size_t i = 0; i < then.size(); ++i) {
      const int own = level_of(column, column.integer[i]);
      if (own < 0 || own == level || now_[i] == kNoDecision) continue;
      if (then[i] == kNoDecision || then[i] == now_[i]) continue;
      flips.of.back()[i].push_back({kNaN, kNaN, level, then[i], true});
    }
  }

  void search_number(int feature, Flips& flips) const {
    const Vector missing(static_cast<std::size_t>(frame_.rows), kNaN);
    Matrix joint(frame_.rows, scorer_.classes());
    Request request;
    request.output = Output::log_joint;
    request.numbers = joint.data();
    score(scorer_, with_column(feature, Column{missing.data(), nullptr, 0, 0, nullptr}), request,
          context_);
    const double origin = origin_of(view_, feature);
    const bool alone = stands_alone(view_, feature);
    const Marginal shared = alone ? marginal_of(view_, feature, origin) : Marginal();
    context_.run((frame_.rows + kRows - 1) / kRows, [&](Index task) {
      for (Index i = task * kRows; i < std::min(frame_.rows, (task + 1) * kRows); ++i) {
        const Flip flip = alone ? flip_of(i, feature, origin, joint.row(i), shared)
                                : flip_of(i, feature, origin, joint.row(i),
                                          conditional_marginal(view_, frame_, i, feature, origin));
        if (flip.decision != kNoDecision) flips.of.back()[static_cast<std::size_t>(i)] = {flip};
      }
    });
  }

  // `weight`: the log joint of the case without the feature.
  Flip flip_of(Index i, int feature, double origin, const Eigen::VectorXd& weight,
               const Marginal& marginal) const {
    const int now = now_[static_cast<std::size_t>(i)];
    double buffer = 0;
    const double x =
        *load_numbers(frame_.columns[static_cast<std::size_t>(feature)], i, 1, 1, &buffer) - origin;
    if (now == kNoDecision || !std::isfinite(x) || weight.hasNaN()) return {};
    Cost cost = cost_.at(i);
    for (Index k = 0; k < weight.size(); ++k) {
      // An impossible class costs nothing, even where the cost is unknown.
      if (weight[k] == kNegativeInfinity) cost.of.col(k).setZero();
    }
    if (cost.of.hasNaN()) return {};
    const Vector log_prior(weight.data(), weight.data() + weight.size());
    Flip flip = nearest_flip(marginal, regions_in(marginal, marginal, log_prior, cost), x, now);
    flip.value += origin;
    return flip;
  }

  const View& view_;
  const Scorer& scorer_;
  const CaseCost& cost_;
  const Frame& frame_;
  const Context& context_;
  IntVector now_;
};

}  // namespace bayesrisk

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

// The range in which values are proposed. A case outside of it may move towards it.
struct Reach {
  double low = kNegativeInfinity, high = kInfinity;

  Reach with(double x) const { return {std::min(low, x), std::max(high, x)}; }
  bool holds(double x) const { return low <= x && x <= high; }
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

// The nearest value within reach with another decision than `now`; values without a decision do not
// count.
inline Flip nearest_flip(const Marginal& marginal, const Regions& regions, double x, int now,
                         const Reach& reach = {}) {
  Flip nearest;
  const Reach within = reach.with(x);
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
    if (!within.holds(flip.value)) continue;
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

// A feature that may change. Numbers are relative to its origin.
class FlipFeature {
 public:
  FlipFeature(const View& view, int feature, const Reach& reach)
      : feature(feature), levels(levels_of(view.plan, feature)) {
    if (levels > 0) return;
    origin = origin_of(view, feature);
    within = {reach.low - origin, reach.high - origin};
    sd = sd_within(view, feature);
    alone = stands_alone(view, feature);
    if (alone) shared_ = marginal_of(view, feature, origin);
  }

  // The density given the other features of a row, in `own` unless all rows share it.
  const Marginal& given(const View& view, const Frame& frame, Index row, Marginal& own) const {
    if (alone) return shared_;
    own = conditional_marginal(view, frame, row, feature, origin);
    return own;
  }

  const Column& column(const Frame& frame) const {
    return frame.columns[static_cast<std::size_t>(feature)];
  }

  double number(const Frame& frame, Index row) const {
    double buffer = 0;
    return *load_numbers(column(frame), row, 1, 1, &buffer) - origin;
  }

  int level(const Frame& frame, Index row) const {
    return level_of(column(frame), column(frame).integer[row]);
  }

  // The frame with other values of this feature.
  Frame with(Frame frame, const Column& values) const {
    frame.columns[static_cast<std::size_t>(feature)] = values;
    return frame;
  }

  Frame with_numbers(const Frame& frame, const Vector& values) const {
    return with(frame, Column{values.data(), nullptr, 0, 0, nullptr});
  }

  Frame with_levels(const Frame& frame, const IntVector& values) const {
    return with(frame, Column{nullptr, values.data(), 0, levels, nullptr});
  }

  int feature, levels;  // 0: a number
  Reach within;
  double origin = 0, sd = kNaN;
  bool alone = true;  // see stands_alone()

 private:
  Marginal shared_;
};

// The cases whose decisions are to change.
class FlipCases {
 public:
  FlipCases(const View& view, const Scorer& scorer, const CaseCost& cost, const Frame& frame,
            const Context& context)
      : view(view), frame(frame), scorer_(scorer), cost_(cost), context_(context) {
    report = decide(frame, now);
  }

  // The decisions of predict(), from 0; kNoDecision: none.
  ScoreReport decide(const Frame& rows, IntVector& decision) const {
    decision.assign(static_cast<std::size_t>(rows.rows), 0);
    Request request;
    request.output = Output::decision;
    request.cost = &cost_;
    request.decision.decision = decision.data();
    const ScoreReport found = score(scorer_, rows, request, context_);
    for (int& d : decision) d = d == kMissingInteger ? kNoDecision : d - 1;
    return found;
  }

  Matrix log_joint(const Frame& rows) const {
    Matrix joint(rows.rows, scorer_.classes());
    Request request;
    request.output = Output::log_joint;
    request.numbers = joint.data();
    score(scorer_, rows, request, context_);
    return joint;
  }

  template <class Work>
  void for_each(const Work& work) const {
    context_.run((frame.rows + kRows - 1) / kRows, [&](Index task) {
      for (Index i = task * kRows; i < std::min(frame.rows, (task + 1) * kRows); ++i) work(i);
    });
  }

  bool decided(Index i) const { return now_at(i) != kNoDecision; }
  bool changes(Index i, int decision) const {
    return decided(i) && decision != kNoDecision && decision != now_at(i);
  }
  int now_at(Index i) const { return now[static_cast<std::size_t>(i)]; }

  // `weight`: the log joint of case i without the number; `x`: its value, relative to the origin.
  Flip nearest(Index i, const Eigen::VectorXd& weight, const FlipFeature& number,
               const Marginal& marginal, double x) const {
    if (!decided(i) || !std::isfinite(x) || weight.hasNaN()) return {};
    Cost cost = cost_.at(i);
    for (Index k = 0; k < weight.size(); ++k) {
      // An impossible class costs nothing, even where the cost is unknown.
      if (weight[k] == kNegativeInfinity) cost.of.col(k).setZero();
    }
    if (cost.of.hasNaN()) return {};
    const Vector log_prior(weight.data(), weight.data() + weight.size());
    const Regions regions = regions_in(marginal, marginal, log_prior, cost);
    Flip flip = nearest_flip(marginal, regions, x, now_at(i), number.within);
    flip.value += number.origin;
    return flip;
  }

  const View& view;
  const Frame& frame;
  IntVector now;
  ScoreReport report;

 private:
  static constexpr Index kRows = 16;  // rows between two checks for an interrupt

  const Scorer& scorer_;
  const CaseCost& cost_;
  const Context& context_;
};

// For each feature and case the changes of this feature alone that change the decision, none or
// several.
class FlipSearch {
 public:
  using OfCases = std::vector<std::vector<Flip>>;

  explicit FlipSearch(const FlipCases& cases) : cases_(cases) {}

  OfCases run(const FlipFeature& feature) const {
    OfCases flips(static_cast<std::size_t>(cases_.frame.rows));
    for (int level = 0; level < feature.levels; ++level) try_level(feature, level, flips);
    if (feature.levels == 0) search_number(feature, flips);
    return flips;
  }

 private:
  void try_level(const FlipFeature& feature, int level, OfCases& flips) const {
    const IntVector all(flips.size(), level);
    IntVector then;
    cases_.decide(feature.with_levels(cases_.frame, all), then);
    for (std::size_t i = 0; i < then.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const int own = feature.level(cases_.frame, row);
      if (own < 0 || own == level || !cases_.changes(row, then[i])) continue;
      flips[i].push_back({kNaN, kNaN, level, then[i], true});
    }
  }

  void search_number(const FlipFeature& feature, OfCases& flips) const {
    const Vector missing(flips.size(), kNaN);
    const Matrix joint = cases_.log_joint(feature.with_numbers(cases_.frame, missing));
    cases_.for_each([&](Index i) {
      Marginal own;
      const Marginal& given = feature.given(cases_.view, cases_.frame, i, own);
      const Flip flip =
          cases_.nearest(i, joint.row(i), feature, given, feature.number(cases_.frame, i));
      if (flip.decision != kNoDecision) flips[static_cast<std::size_t>(i)] = {flip};
    });
  }

  const FlipCases& cases_;
};

}  // namespace bayesrisk

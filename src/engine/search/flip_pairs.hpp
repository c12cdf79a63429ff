#pragma once

#include <engine/core/golden_section.hpp>
#include <engine/search/flip.hpp>

namespace bayesrisk {

// Changes of two features that change the decision together.
struct PairFlip {
  Flip first, second;
  double distance = kInfinity;  // of the numbers, in standard deviations; infinite: none
  int decision = kNoDecision;
  bool exact = true;

  bool found() const { return decision != kNoDecision; }
};

// For each case the changes of two features that change the decision. Of two numbers it is the
// nearest pair of values that is found: one number is tried at many values, and for each of them
// the nearest flip along the other one is computed. No pair is further than the flip of one of the
// numbers alone. With levels it is a change for each level, or pair of levels, unless a smaller
// part of this change changes the decision.
class PairSearch {
 public:
  using OfCases = std::vector<std::vector<PairFlip>>;

  explicit PairSearch(const FlipCases& cases) : cases_(cases) {}

  OfCases run(const FlipFeature& first, const FlipFeature& second) const {
    OfCases pairs(static_cast<std::size_t>(cases_.frame.rows));
    if (first.levels > 0 && second.levels > 0) {
      try_levels(first, second, pairs);
      return pairs;
    }
    const bool swapped = first.levels == 0 && is_scanned_first(second, first);
    const FlipFeature& scanned = swapped ? second : first;
    const FlipFeature& solved = swapped ? first : second;
    if (scanned.levels > 0) {
      scan_levels(scanned, solved, pairs);
    } else {
      scan_numbers(scanned, solved, pairs);
    }
    for (auto& of_case : pairs) {
      for (PairFlip& pair : of_case) {
        if (swapped) std::swap(pair.first, pair.second);
      }
    }
    return pairs;
  }

 private:
  static constexpr int kIntervals = 64;  // of the values that are tried, between the ends
  static constexpr int kSections = 60;   // golden ones, which narrow an interval to 3e-13
  static constexpr double kMostCounts = 2048;

  // Levels, bins, single values and counts of a short range are tried one by one, so their changes
  // are exact.
  bool is_scanned_first(const FlipFeature& one, const FlipFeature& other) const {
    return one.levels > 0 || (is_smooth(other) && !is_smooth(one));
  }

  bool is_smooth(const FlipFeature& number) const {
    const Marginal marginal = density_of(cases_.view, number.feature, number.origin);
    return is_smooth(marginal);
  }

  static bool is_smooth(const Marginal& marginal) {
    return !is_discrete(marginal) && !std::holds_alternative<Steps>(marginal);
  }

  IntVector decisions_at(const FlipFeature& feature, int level, const Frame& frame) const {
    const IntVector all(static_cast<std::size_t>(frame.rows), level);
    IntVector then;
    cases_.decide(feature.with_levels(frame, all), then);
    return then;
  }

  void try_levels(const FlipFeature& first, const FlipFeature& second, OfCases& pairs) const {
    const Frame& frame = cases_.frame;
    std::vector<IntVector> alone;
    for (int b = 0; b < second.levels; ++b) alone.push_back(decisions_at(second, b, frame));
    for (int a = 0; a < first.levels; ++a) {
      const IntVector all(pairs.size(), a);
      const Frame at = first.with_levels(frame, all);
      const IntVector then = decisions_at(first, a, frame);
      for (int b = 0; b < second.levels; ++b) {
        const IntVector both = decisions_at(second, b, at);
        for (std::size_t i = 0; i < both.size(); ++i) {
          const auto row = static_cast<Index>(i);
          const int x = first.level(frame, row), y = second.level(frame, row);
          if (x < 0 || y < 0 || x == a || y == b || !cases_.changes(row, both[i])) continue;
          const auto level = static_cast<std::size_t>(b);
          if (cases_.changes(row, then[i]) || cases_.changes(row, alone[level][i])) continue;
          pairs[i].push_back({{kNaN, kNaN, a}, {kNaN, kNaN, b}, kNaN, both[i], true});
        }
      }
    }
  }

  void scan_levels(const FlipFeature& scanned, const FlipFeature& solved, OfCases& pairs) const {
    const FlipSearch::OfCases alone = FlipSearch(cases_).run(solved);
    const Vector missing(pairs.size(), kNaN);
    for (int level = 0; level < scanned.levels; ++level) {
      const IntVector all(pairs.size(), level);
      const Frame at = scanned.with_levels(cases_.frame, all);
      const Matrix joint = cases_.log_joint(solved.with_numbers(at, missing));
      cases_.for_each([&](Index i) {
        const int own = scanned.level(cases_.frame, i);
        if (own < 0 || own == level) return;
        Marginal given;
        const Flip flip = cases_.nearest(
            i, joint.row(i), solved, solved.given(cases_.view, at, i, given), solved.number(at, i));
        const auto row = static_cast<std::size_t>(i);
        const double step = std::abs(flip.distance);
        const double before = alone[row].empty() ? kInfinity : std::abs(alone[row][0].distance);
        if (flip.decision == kNoDecision || step == 0 || !(step < before)) return;
        pairs[row].push_back(
            {{kNaN, kNaN, level}, flip, step / solved.sd, flip.decision, flip.exact});
      });
    }
  }

  void scan_numbers(const FlipFeature& scanned, const FlipFeature& solved, OfCases& pairs) const {
    const Vector missing(pairs.size(), kNaN);
    const Matrix joint =
        cases_.log_joint(solved.with_numbers(scanned.with_numbers(cases_.frame, missing), missing));
    const FlipSearch::OfCases alone = FlipSearch(cases_).run(scanned);
    cases_.for_each([&](Index i) {
      const auto& flips = alone[static_cast<std::size_t>(i)];
      const Flip without = flips.empty() ? Flip() : flips[0];
      const PairFlip pair = nearest(i, scanned, solved, joint.row(i), without);
      if (pair.found()) pairs[static_cast<std::size_t>(i)] = {pair};
    });
  }

  // `weight`: the log joint of case i without both numbers; `alone`: the flip of the scanned one.
  PairFlip nearest(Index i, const FlipFeature& scanned, const FlipFeature& solved,
                   const Eigen::VectorXd& weight, const Flip& alone) const {
    const double x = scanned.number(cases_.frame, i), y = solved.number(cases_.frame, i);
    if (!cases_.decided(i) || !std::isfinite(x) || !std::isfinite(y)) return {};
    const Vector missing(1, kNaN);
    const Frame without = solved.with_numbers(part_of(cases_.frame, i, 1), missing);
    Marginal own;
    const Marginal& along = scanned.given(cases_.view, without, 0, own);
    const auto at = [&](double value) {
      Eigen::VectorXd log_joint = weight;
      for (Index k = 0; k < log_joint.size(); ++k) {
        if (log_joint[k] == kNegativeInfinity) continue;
        log_joint[k] += std::visit(
            [&](const auto& of) {
              return log_density(of.classes[static_cast<std::size_t>(k)], value);
            },
            along);
      }
      const Vector tried(1, value + scanned.origin);
      Marginal given;
      const Flip flip = cases_.nearest(
          i, log_joint, solved,
          solved.given(cases_.view, scanned.with_numbers(without, tried), 0, given), y);
      if (flip.decision == kNoDecision) return PairFlip();
      const double step = value - x;
      const double distance = std::hypot(step / scanned.sd, flip.distance / solved.sd);
      return PairFlip{{tried[0], step}, flip, distance, flip.decision, flip.exact};
    };
    const Reach reach = scanned.within.with(x);
    const double target = std::clamp(x + alone.distance, reach.low, reach.high);
    PairFlip start;
    Vector values{x};
    if (alone.decision != kNoDecision) {
      const Flip stays{y + solved.origin, 0, kMissing, alone.decision, true};
      const double distance = std::abs(alone.distance / scanned.sd);
      start = {alone, stays, distance, alone.decision, alone.exact};
      values.push_back(target);
    }
    add_values_of_scan(along, reach, values);
    PairFlip best = nearest_of(at, values, start, target, is_smooth(along));
    if (!tries_each(along, reach)) best.exact = false;
    return best;
  }

  static double step_of_counts(const Reach& reach) {
    return std::max(1.0, std::ceil((std::floor(reach.high) - lowest_count(reach)) / kMostCounts));
  }

  static double lowest_count(const Reach& reach) { return std::max(0.0, std::ceil(reach.low)); }

  // Whether each value that matters is among those that are tried.
  static bool tries_each(const Marginal& marginal, const Reach& reach) {
    if (std::holds_alternative<Counts>(marginal)) return step_of_counts(reach) == 1;
    return !is_smooth(marginal);
  }

  // Adds the other values of a number that are tried, and sorts all.
  static void add_values_of_scan(const Marginal& marginal, const Reach& reach, Vector& values) {
    if (const auto* atoms = std::get_if<Atoms>(&marginal)) {
      for (double value : values_of(*atoms)) values.push_back(value);
    } else if (const auto* steps = std::get_if<Steps>(&marginal)) {
      // A bin is entered at its lower end, or just below its upper end.
      for (double edge : edges_of(*steps)) {
        values.push_back(edge);
        values.push_back(std::nextafter(edge, kNegativeInfinity));
      }
    } else if (is_discrete(marginal)) {
      const double step = step_of_counts(reach);
      for (double value = lowest_count(reach); value <= reach.high;
           value = std::max(value + step, next_count(value))) {
        values.push_back(value);
      }
    } else {
      for (double j = 0; j <= kIntervals; ++j) {
        values.push_back(reach.low + (reach.high - reach.low) * (j / kIntervals));
      }
    }
    const auto outside = [&](double value) { return !reach.holds(value); };
    values.erase(std::remove_if(values.begin(), values.end(), outside), values.end());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  // `best`: the pair to begin with, if it is found; `start`: its value of the scanned number, one
  // of `values`.
  template <class At>
  static PairFlip nearest_of(const At& at, const Vector& values, PairFlip best, double start,
                             bool smooth) {
    std::size_t place = 0;
    if (best.found()) {
      place = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), start) -
                                       values.begin());
    }
    for (std::size_t j = 0; j < values.size(); ++j) {
      const PairFlip pair = at(values[j]);
      if (!(pair.distance < best.distance)) continue;
      best = pair;
      place = j;
    }
    if (!smooth || !best.found()) return best;
    const auto distance = [&](double value) {
      const PairFlip pair = at(value);
      if (pair.distance < best.distance) best = pair;
      return pair.distance;
    };
    const double low = values[place > 0 ? place - 1 : 0];
    const double high = values[std::min(place + 1, values.size() - 1)];
    golden_section(distance, low, values[place], high, kSections);
    return best;
  }

  const FlipCases& cases_;
};

}  // namespace bayesrisk

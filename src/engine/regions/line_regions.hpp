#pragma once

#include <engine/regions/regions.hpp>
#include <engine/regions/sign_changes.hpp>

namespace bayesrisk {

// The decisions along a line: the cheapest action at every point. Only the signs of differences are
// used, so the decision is right even in the tails.
template <class Term>
class RegionFinder {
 public:
  RegionFinder(const Components<Term>& classes, const Vector& log_prior, const Cost& cost)
      : classes_(classes),
        log_prior_(log_prior),
        cost_(cost),
        differences_(classes, log_prior, cost) {
    scale_ = std::numeric_limits<double>::infinity();
    for (const auto& components : classes) {
      for (const auto& component : components) {
        const Term term = Term::of(component, 1, 0);
        if (!(term.spread() > 0)) continue;
        scale_ = std::min(scale_, term.spread());
        widest_ = std::max(widest_, term.spread());
        anywhere_ = term.middle();
      }
    }
  }

  Regions find() {
    // At most one action is possible.
    const IntVector& actions = differences_.actions();
    if (actions.size() < 2) return {{}, {actions.empty() ? 0 : actions[0]}, {}};
    for (const Contest& contest : contests_of<Term>(classes_, log_prior_, cost_, actions)) {
      for (std::size_t b = 1; b < contest.actions.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
          compare(contest.actions[a], contest.actions[b], contest.interval);
        }
      }
    }
    std::sort(crossings_.begin(), crossings_.end(),
              [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
    return join();
  }

 private:
  // A point at which two actions cost the same and the cheaper one changes.
  struct Crossing {
    double x;
    int first, second;
    bool exact;

    bool separates(int a, int b) const {
      return (first == a && second == b) || (first == b && second == a);
    }
  };

  static constexpr double kSame = 1e-12;

  const Difference<Term>& lead(int first, int second) {
    const auto [found, is_new] = leads_.try_emplace({first, second});
    if (is_new) found->second = differences_.of(first, second);
    return found->second;
  }

  // The crossings of two actions within (low, high].
  void compare(int first, int second, const Interval& within) {
    const Difference<Term>& difference = lead(first, second);
    const auto positive = [](const Term& term) { return term.sign > 0; };
    const auto count = std::count_if(difference.begin(), difference.end(), positive);
    if (count == 0 || count == static_cast<std::ptrdiff_t>(difference.size())) return;
    const bool exact = Term::kClosedForm && difference.size() == 2;
    Vector roots;
    if constexpr (Term::kClosedForm) {
      if (exact) roots = crossings_of_two(difference[0], difference[1]);
    }
    if (!exact) roots = SignChanges<Term>(difference).find(within);
    for (double x : roots) {
      if (within.low < x && x <= within.high) crossings_.push_back({x, first, second, exact});
    }
  }

  int cheapest(double x) {
    const IntVector& actions = differences_.actions();
    int best = actions[0];
    for (int action : actions) {
      if (action == best) continue;
      const Difference<Term>& by = lead(best, action);
      if (!by.empty() && is_positive(by, x)) best = action;
    }
    return best;
  }

  // Crossings that differ only by rounding are the same crossing.
  std::size_t same_place(std::size_t from) const {
    std::size_t to = from + 1;
    while (to < crossings_.size() && crossings_[to].x - crossings_[to - 1].x <=
                                         kSame * (std::abs(crossings_[to].x) + scale_)) {
      ++to;
    }
    return to;
  }

  Regions join() {
    Regions regions;
    if (crossings_.empty()) return {{}, {cheapest(anywhere_)}, {}};
    const double first = crossings_[0].x;
    const double before = std::max(Term::kLow, first - std::max(widest_, std::abs(first)));
    regions.decision.push_back(cheapest(before));
    for (std::size_t from = 0; from < crossings_.size();) {
      const std::size_t to = same_place(from);
      const double last = crossings_[to - 1].x;
      const double beyond = to < crossings_.size() ? last + 0.5 * (crossings_[to].x - last)
                                                   : last + std::max(widest_, std::abs(last));
      add(regions, from, to, cheapest(beyond));
      from = to;
    }
    return regions;
  }

  void add(Regions& regions, std::size_t from, std::size_t to, int decision) const {
    const int before = regions.decision.back();
    if (before == decision) return;
    std::size_t at = from;
    while (at < to && !crossings_[at].separates(before, decision)) ++at;
    const Crossing& cut = crossings_[at < to ? at : from];
    regions.cut.push_back(cut.x);
    regions.exact.push_back(cut.exact);
    regions.decision.push_back(decision);
  }

  const Components<Term>& classes_;
  const Vector& log_prior_;
  const Cost& cost_;
  CostDifferences<Term> differences_;
  std::map<std::pair<int, int>, Difference<Term>> leads_;
  double scale_, widest_ = 0, anywhere_ = 0;
  std::vector<Crossing> crossings_;
};

}  // namespace bayesrisk

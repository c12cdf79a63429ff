#pragma once

#include <bayesrisk/risk/sign_changes.hpp>

namespace bayesrisk {

// What is decided along a line: the cheapest action everywhere on it, by signs of
// differences alone, so that in the farthest tail the right action still wins.
class RegionFinder {
 public:
  RegionFinder(const Line& line, const Vector& log_prior, const Cost& cost)
      : differences_(line, log_prior, cost) {
    scale_ = std::numeric_limits<double>::infinity();
    for (const auto& terms : line.classes) {
      for (const NormalTerm& term : terms) {
        if (!(term.sd > 0)) continue;
        scale_ = std::min(scale_, term.sd);
        widest_ = std::max(widest_, term.sd);
        anywhere_ = term.mean;
      }
    }
  }

  Regions find() {
    // Nothing to choose from: every action is ruled out, or one is left.
    const IntVector& actions = differences_.actions();
    if (actions.size() < 2) return {{}, {actions.empty() ? 0 : actions[0]}, {}};
    for (std::size_t b = 1; b < actions.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) compare(actions[a], actions[b]);
    }
    std::sort(crossings_.begin(), crossings_.end(),
              [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
    return join();
  }

 private:
  // Where two actions cost the same, the first cheaper on one side.
  struct Crossing {
    double x;
    int first, second;
    bool exact;

    bool separates(int a, int b) const {
      return (first == a && second == b) || (first == b && second == a);
    }
  };

  static constexpr double kSame = 1e-12;

  // The pairs (a, b), a before b, in the order in which they were compared.
  const Difference& lead(std::size_t a, std::size_t b) const { return leads_[b * (b - 1) / 2 + a]; }

  void compare(int first, int second) {
    leads_.push_back(differences_.of(first, second));
    const Difference& difference = leads_.back();
    const auto positive = [](const SignedTerm& term) { return term.sign > 0; };
    const auto count = std::count_if(difference.begin(), difference.end(), positive);
    if (count == 0 || count == static_cast<std::ptrdiff_t>(difference.size())) return;
    const bool exact = difference.size() == 2;
    const Vector roots =
        exact ? crossings_of_two(difference[0], difference[1]) : SignChanges(difference).find();
    for (double x : roots) crossings_.push_back({x, first, second, exact});
  }

  int cheapest(double x) const {
    const IntVector& actions = differences_.actions();
    std::size_t best = 0;
    for (std::size_t i = 1; i < actions.size(); ++i) {
      if (!lead(best, i).empty() && is_positive(lead(best, i), x)) best = i;
    }
    return actions[best];
  }

  // Crossings that rounding alone keeps apart are one place: nothing is between them.
  std::size_t same_place(std::size_t from) const {
    std::size_t to = from + 1;
    while (to < crossings_.size() && crossings_[to].x - crossings_[to - 1].x <=
                                         kSame * (std::abs(crossings_[to].x) + scale_)) {
      ++to;
    }
    return to;
  }

  Regions join() const {
    Regions regions;
    if (crossings_.empty()) return {{}, {cheapest(anywhere_)}, {}};
    const double first = crossings_[0].x;
    regions.decision.push_back(cheapest(first - std::max(widest_, std::abs(first))));
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

  CostDifferences differences_;
  std::vector<Difference> leads_;
  double scale_, widest_ = 0, anywhere_ = 0;
  std::vector<Crossing> crossings_;
};

// log_prior: per class, not necessarily normalised; -Inf: a class that is impossible.
inline Regions find_regions(const Line& line, const Vector& log_prior, const Cost& cost) {
  return RegionFinder(line, log_prior, cost).find();
}

}  // namespace bayesrisk

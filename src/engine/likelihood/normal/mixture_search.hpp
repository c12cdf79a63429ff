#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace bayesrisk {

// The search for a mixture. The likelihood has many local optima, so there are many starts. Each of
// them runs a little, and the best few go on. A criterion selects the number of components.

struct MixtureOptions {
  static constexpr int kMostComponents = 1000;

  IntVector components{1};  // the candidates for the number of components
  bool bic = true;          // BIC selects among the candidates, or else AIC
  double starts = 1;
  double seed = 0;
  double borrow = 0;              // cases that each component borrows from the class
  double min_variance_share = 0;  // of the variance of the class: the least of a component

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("components", self.components);
    visit("bic", self.bic);
    visit("starts", self.starts);
    visit("seed", self.seed);
    visit("borrow", self.borrow);
    visit("min_variance_share", self.min_variance_share);
  }
  template <class Plan>
  void check(const Plan&, int) const {
    require(!components.empty(), "components: none");
    for (int count : components) {
      require(count >= 1 && count <= kMostComponents, "components: wrong number");
    }
    require(starts >= 1, "starts: none");
    require(seed >= 0 && seed <= 0x1p53, "seed: wrong number");
    require(borrow >= 0 && std::isfinite(borrow), "borrow: wrong number");
    require(min_variance_share >= 0 && min_variance_share < 1, "min_variance_share: not a share");
  }
  // Each start of each candidate has its own random numbers.
  CounterRandom random(int count, int start) const {
    return CounterRandom(static_cast<std::uint64_t>(seed),
                         static_cast<std::uint64_t>(start) * kMostComponents + count);
  }
};

struct MixtureSearch {
  static constexpr int kShortRun = 50, kLongRun = 3000, kFinalists = 5, kLloyd = 20;
  static constexpr double kGain = 1e-10;    // of the log likelihood per case: no further step
  static constexpr double kNarrow = 0.003;  // the smallest variance of a start

  // A position, drawn by its share.
  static Index draw(const Eigen::ArrayXd& share, CounterRandom& random);

  // Steps until the log likelihood hardly grows. step(terms) returns the next terms and sets the
  // log likelihood of `terms`. No terms if a component has no spread or no case: the likelihood has
  // no bound there.
  template <class Terms, class Step, class Spike>
  static Terms climb(Terms terms, int steps, double least_gain, Step&& step, const Spike& spike) {
    double before = kNegativeInfinity;
    for (int i = 0;; ++i) {
      Terms next = step(terms);
      if (i == steps || terms.log_likelihood - before < least_gain) return terms;
      if (spike(next)) return Terms();
      before = terms.log_likelihood;
      terms = std::move(next);
    }
  }

  // The best terms of all starts; none if every start was given up. first(start) begins a start,
  // brief(terms) runs a little, and finish(terms) runs to the end. A fifth of the starts run to the
  // end, or a few if there are few.
  template <class Terms, class First, class Brief, class Finish>
  static Terms best_of_starts(int starts, const std::function<void()>& check, const First& first,
                              const Brief& brief, const Finish& finish) {
    std::vector<Terms> tried;
    for (int start = 0; start < starts; ++start) {
      check();
      Terms terms = first(start);
      if (terms.count() > 0) terms = brief(std::move(terms));
      if (terms.count() > 0) tried.push_back(std::move(terms));
    }
    const auto better = [](const Terms& a, const Terms& b) {
      return a.log_likelihood > b.log_likelihood;
    };
    std::stable_sort(tried.begin(), tried.end(), better);
    Terms best;
    int finished = 0;
    const int finalists = std::max(kFinalists, starts / 5);
    for (std::size_t i = 0; i < tried.size() && finished < finalists; ++i) {
      check();
      Terms terms = finish(std::move(tried[i]));
      finished += terms.count() > 0;
      if (better(terms, best)) best = std::move(terms);
    }
    return best;
  }

  // The candidate with the best criterion. A class never has more components than different cases.
  // parameters(count): the free parameters of a class.
  template <class Parameters, class Fit>
  static auto best_candidate(const MixtureOptions& options, Index cases, double weight,
                             const Parameters& parameters, const Fit& fit) {
    decltype(fit(1)) best;
    double lowest = kInfinity;
    IntVector tried;
    for (int candidate : options.components) {
      const int count = static_cast<int>(std::min<Index>(candidate, cases));
      if (std::find(tried.begin(), tried.end(), count) != tried.end()) continue;
      tried.push_back(count);
      auto terms = fit(count);
      if (terms.count() == 0) continue;
      const double penalty = options.bic ? std::max(0.0, std::log(weight)) : 2;
      const double criterion = parameters(count) * penalty - 2 * terms.log_likelihood;
      if (criterion < lowest) {
        lowest = criterion;
        best = std::move(terms);
      }
    }
    return best;
  }
};

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/mixture_fitter.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// Finds the mixture of each group: the candidate with the best criterion.
class MixtureEstimator {
 public:
  MixtureEstimator(const Mixture::Statistics& statistics, const Mixture::Options& options,
                   const Classes& classes, int feature, Diagnostics& diagnostics)
      : statistics_(statistics),
        options_(options),
        classes_(classes),
        spread_(statistics.moments, 0, false),
        feature_(feature),
        diagnostics_(diagnostics) {}

  Mixture::Parameters estimate() {
    if (classes_.borrow && spread_.one_value()) {
      p_.left_out.set(0, 1);
      diagnostics_.add(Problem::left_out, kAll, feature_, 0);
    }
    for (int g = 0; g < classes_.count(); ++g) {
      if (classes_.has_rows(g)) {
        add_group(g);
      } else {
        add_normal(kNaN, kNaN);
      }
    }
    return p_;
  }

 private:
  void add_group(int g) {
    const Moments& moments = statistics_.moments;
    const double weight = moments.weight(g, 0);
    const double variance = moments.scatter(g, 0) / weight;
    if (p_.left_out[0]) return add_normal(mean_of(spread_.mean()), 1);
    if (!(weight > 0)) return add_empty(g);
    const TwoPart mean{moments.mean(g, 0), moments.mean_low(g, 0)};
    if (std::isinf(variance) || std::isinf(weight)) {
      return add_problem(Problem::overflow, g, weight);
    }
    if (!has_spread(variance)) return add_constant(g, mean_of(mean), weight);
    // Computed from the sorted points, so that the order of rows does not affect the rounding.
    Points points = statistics_.points[g];
    const double first = points(0, 0);
    points.col(0).array() -= first;
    const double middle = points.col(0).dot(points.col(1)) / points.col(1).sum();
    points.col(0).array() -= middle;
    const double sd = std::sqrt(points.col(0).cwiseAbs2().dot(points.col(1)) / points.col(1).sum());
    points.col(0) /= sd;
    const MixtureTerms best = select(points, g, weight);
    if (best.count() == 0) return add_problem(Mixture::spike, g, weight);
    std::vector<int> order(best.count());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return best.mean[a] < best.mean[b]; });
    p_.components.push_back(best.count());
    for (int t : order) {
      p_.log_weight.push_back(std::log(best.share[t]));
      p_.mean.push_back(first + (middle + sd * best.mean[t]));
      p_.sd.push_back(sd * std::sqrt(best.variance[t]));
    }
  }

  // Candidates that need no borrowed case come first.
  MixtureTerms select(const Points& points, int g, double weight) const {
    const MixtureFitter fitter(points, options_, classes_);
    MixtureTerms best = best_of(fitter, points.rows(), weight, options_.borrow);
    if (best.count() == 0 && classes_.borrow) {
      best = best_of(fitter, points.rows(), weight, std::max(1.0, options_.borrow));
      if (best.count() > 0) diagnostics_.add(Problem::borrowed, g, feature_, weight);
    }
    return best;
  }

  MixtureTerms best_of(const MixtureFitter& fitter, Index values, double weight,
                       double borrow) const {
    return MixtureSearch::best_candidate(
        options_, values, weight, [](int count) { return 3.0 * count - 1; },
        [&](int count) { return fitter.fit(count, borrow); });
  }

  void add_empty(int g) {
    if (!classes_.borrow || !has_spread(spread_.pooled())) {
      return add_problem(classes_.borrow ? Problem::apart : Problem::empty, g, 0);
    }
    diagnostics_.add(Problem::borrowed, g, feature_, 0);
    add_normal(mean_of(spread_.mean()), std::sqrt(spread_.pooled()));
  }

  // A class without spread borrows one case from the pooled variance.
  void add_constant(int g, double mean, double weight) {
    const double variance = classes_.borrow ? spread_.borrowed(g, 1) : 0;
    if (!has_spread(variance)) {
      return add_problem(classes_.borrow ? Problem::apart : Problem::constant, g, weight);
    }
    diagnostics_.add(Problem::borrowed, g, feature_, weight);
    add_normal(mean, std::sqrt(variance));
  }

  void add_problem(ProblemName problem, int g, double count) {
    diagnostics_.add(problem, problem == Problem::apart ? kAll : g, feature_, count);
    add_normal(kNaN, kNaN);
  }

  void add_normal(double mean, double sd) {
    p_.components.push_back(1);
    p_.log_weight.push_back(0);
    p_.mean.push_back(mean);
    p_.sd.push_back(sd);
  }

  static double mean_of(const TwoPart& mean) { return mean.high + mean.low; }

  const Mixture::Statistics& statistics_;
  const Mixture::Options& options_;
  const Classes& classes_;
  Spread spread_;
  int feature_;
  Diagnostics& diagnostics_;
  Mixture::Parameters p_;
};

inline Mixture::Parameters Mixture::estimate(const Plan& plan, const Statistics& statistics,
                                             const Options& options, const Classes& classes,
                                             Diagnostics& diagnostics) {
  return MixtureEstimator(statistics, options, classes, plan.features[0], diagnostics).estimate();
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/likelihood/moment_collector.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// Single numeric features, each normal given the class: one bank for all.
struct Gaussian {
  static constexpr const char* name = "gaussian";

  using Plan = SingleFeatures<Gaussian>;

  struct Options {
    IntVector unbiased;         // per feature: divide by weight - 1, not by weight
    Vector min_variance;        // per feature: a lower bound of the variance
    Vector min_variance_share;  // per feature: the same, as a share of the pooled variance
    Vector borrow;  // per feature: cases that every class borrows from the pooled variance

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("min_variance", self.min_variance);
      visit("min_variance_share", self.min_variance_share);
      visit("borrow", self.borrow);
    }
    void check(const Plan& plan, int) const {
      const auto members = static_cast<std::size_t>(plan.members());
      require(unbiased.size() == members, "unbiased: wrong length");
      require(min_variance.size() == members, "min_variance: wrong length");
      require(min_variance_share.size() == members && not_negative(min_variance_share),
              "min_variance_share: wrong length or negative");
      require(borrow.size() == members && not_negative(borrow), "borrow: wrong length or negative");
    }
  };

  struct Parameters {
    Matrix mean, mean_low, sd;
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("sd", self.sd);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      require_tables(*this, groups, plan.members());
      left_out.check(plan.members());
    }
    bool sound(int g) const {
      return mean.row(g).allFinite() && mean_low.row(g).allFinite() && sd.row(g).allFinite() &&
             (sd.row(g).array() > 0).all();
    }
  };

  struct Statistics : SingleFeatureStatistics<Statistics> {
    Moments moments;

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : moments(groups, plan.members()) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      Moments::fields(self.moments, visit);
    }
    void check(const Plan& plan, int groups) const {
      require_tables(*this, groups, plan.members());
      require(not_negative(moments.weight) && not_negative(moments.scatter), "moments: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      MomentCollector(frame, plan.features, chunk, moments, diagnostics).collect();
    }
    void merge(const Plan&, const Statistics& other) { moments.merge(other.moments); }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < statistics.moments.weight.rows(); ++g) {
        const double weight = statistics.moments.weight(g, j);
        if (weight <= 0 || parameters.left_out[j]) continue;
        const double sd = parameters.sd(g, j);
        total -= weight * (std::log(sd) + kHalfLogTwoPi) +
                 0.5 * statistics.moments.scatter(g, j) / (sd * sd);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes) {
    return 2.0 * classes * (plan.members() - parameters.left_out.count());
  }

  // The two parts of the mean are added after the origin is subtracted, so that no digit is lost.
  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member), p.sd(k, member)}};
  }

  class Scorer;
  class Drawer;
};

// Estimates one feature in all classes.
class GaussianEstimator {
 public:
  GaussianEstimator(const Gaussian::Statistics& statistics, const Gaussian::Options& options,
                    const Classes& classes, int member, int feature, Diagnostics& diagnostics)
      : moments_(statistics.moments),
        classes_(classes),
        j_(member),
        feature_(feature),
        spread_(statistics.moments, member, options.unbiased[member]),
        borrow_(options.borrow[member]),
        least_(options.min_variance[member]),
        bound_(least_),
        diagnostics_(diagnostics) {
    const double share = options.min_variance_share[member];
    if (share > 0) bound_ = std::max(bound_, share * spread_.pooled());
  }

  void estimate(Gaussian::Parameters& p) {
    const bool leaves_out = classes_.borrow && spread_.one_value() && !has_spread(least_);
    if (leaves_out) {
      p.left_out.set(j_, p.mean.cols());
      diagnostics_.add(Problem::left_out, kAll, feature_, 0);
    }
    for (int g = 0; g < classes_.count(); ++g) {
      if (!classes_.has_rows(g)) continue;
      const bool own_mean = moments_.weight(g, j_) > 0 || !classes_.borrow;
      p.mean(g, j_) = own_mean ? moments_.mean(g, j_) : spread_.mean().high;
      p.mean_low(g, j_) = own_mean ? moments_.mean_low(g, j_) : spread_.mean().low;
      p.sd(g, j_) = leaves_out ? 1.0 : std::sqrt(variance(g));
    }
  }

 private:
  // A class without spread needs no borrowing if its variance has a lower bound (`min_variance`).
  double variance(int g) {
    const double weight = moments_.weight(g, j_), divisor = spread_.divisor(g);
    const bool counted = borrow_ > 0 ? weight > 0 : divisor > 0;
    double value = kNaN;
    if (counted) {
      value = borrow_ > 0 ? spread_.borrowed(g, borrow_) : moments_.scatter(g, j_) / divisor;
    }
    const double bounded = std::max(value, least_);
    const bool exists = counted && (has_spread(bounded) || std::isnan(bounded));
    if (!exists && classes_.borrow) {
      diagnostics_.add(Problem::borrowed, g, feature_, weight);
      value = spread_.borrowed(g, borrow_ > 0 ? borrow_ : 1);
    } else if (!counted) {
      diagnostics_.add(weight > 0 ? Problem::too_light : Problem::empty, g, feature_, weight);
      return kNaN;
    }
    value = std::max(value, bound_);
    if (!std::isfinite(value) || !std::isfinite(moments_.mean(g, j_))) {
      diagnostics_.add(Problem::overflow, g, feature_, weight);
    } else if (!has_spread(value)) {
      const bool of_all = classes_.borrow;
      diagnostics_.add(of_all ? Problem::apart : Problem::constant, of_all ? kAll : g, feature_,
                       weight);
    }
    return value;
  }

  const Moments& moments_;
  const Classes& classes_;
  int j_, feature_;
  Spread spread_;
  double borrow_, least_, bound_;
  Diagnostics& diagnostics_;
};

inline Gaussian::Parameters Gaussian::estimate(const Plan& plan, const Statistics& statistics,
                                               const Options& options, const Classes& classes,
                                               Diagnostics& diagnostics) {
  const int members = plan.members();
  const Matrix open = Matrix::Constant(classes.count(), members, kNaN);
  Parameters p{open, open, open, {}};
  for (int j = 0; j < members; ++j) {
    GaussianEstimator(statistics, options, classes, j, plan.features[j], diagnostics).estimate(p);
  }
  return p;
}

class Gaussian::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      const double sd = parameters_.left_out[j] ? 0 : parameters_.sd(k, j);
      const double away = parameters_.mean_low(k, j) + sd * normal_quantile(u[j]);
      to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

}  // namespace bayesrisk

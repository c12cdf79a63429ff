#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/normal/moment_collector.hpp>
#include <engine/likelihood/posterior/pooling.hpp>
#include <engine/marginal/normals.hpp>

#include <optional>

namespace bayesrisk {

// Single numeric features, each normal given the class: one bank for all.
struct Gaussian : SingleMembers, NoTable, NoTerms {
  static constexpr const char* name = "gaussian";

  using Plan = SingleFeatures<Gaussian>;

  struct Options {
    IntVector unbiased;         // per feature: divide by weight - 1, not by weight
    Vector min_variance;        // per feature: a lower bound of the variance
    Vector min_variance_share;  // per feature: the same, as a share of the pooled variance
    Vector borrow;     // per feature: cases that every class borrows from the pooled variance
    IntVector pooled;  // per feature: one variance for all classes

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("min_variance", self.min_variance);
      visit("min_variance_share", self.min_variance_share);
      visit("borrow", self.borrow);
      visit("pooled", self.pooled);
    }
    void check(const Plan& plan, int) const;
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
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options& options,
                                const Parameters& parameters, int classes);

  // The two parts of the mean are added after the origin is subtracted, so that no digit is lost.
  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member), p.sd(k, member)}};
  }

  static constexpr ByMarginals overlap{};
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = true;
  static bool pools(const Plan&) { return true; }
  static Statistics with_cases(const Plan& plan, const Statistics& statistics,
                               const Merged<Gaussian>& merged, const Options& options,
                               const Vector& cases);
  static Options options_with_cases(Options options, const Vector& cases);
  class GroupPrior;
  static NormalView normals(const Plan& plan, const Parameters& p) {
    return {&plan.features, &p.mean, &p.mean_low, &p.left_out, &p.sd};
  }
  static const Moments& moments(const Statistics& statistics) { return statistics.moments; }
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);
  static Options unbiased(Options options);
  static std::unique_ptr<BankScorer> predictive(const Plan& plan, const Parameters& centre,
                                                const Hyperparameters& hyperparameters, Index rows);

  class Scorer;
  class Drawer;
};

// Estimates one feature in all classes.
class GaussianEstimator {
 public:
  GaussianEstimator(const Gaussian::Statistics& statistics, const Gaussian::Options& options,
                    const Classes& classes, int member, int feature, Diagnostics& diagnostics);

  void estimate(Gaussian::Parameters& p);

 private:
  // A class without spread needs no borrowing if its variance has a lower bound (`min_variance`).
  double variance(int g);
  double pooled_variance(int g);
  double checked(double value, int g);

  const Moments& moments_;
  const Classes& classes_;
  int j_, feature_;
  Spread spread_;
  double borrow_, least_, bound_;
  bool pooled_;
  Diagnostics& diagnostics_;
};

// Classes that share a variance share its prior, whose degrees of freedom are those of all classes.
class Gaussian::GroupPrior {
 public:
  GroupPrior(const Plan& plan, const Merged<Gaussian>& merged, const Options& options, int block,
             double cases);
  double log_marginal(const Statistics& statistics);

 private:
  struct OfClass {
    Index group;
    double mean, mean_low, sd, log_sd;
  };

  int block_;
  double cases_, freedom_ = 0;
  bool shared_;
  std::vector<OfClass> classes_;
  std::optional<NormalMarginal> marginal_;  // if there are classes
};

class Gaussian::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

}  // namespace bayesrisk

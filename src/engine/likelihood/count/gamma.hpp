#pragma once

#include <engine/core/root.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/marginal/gammas.hpp>

namespace bayesrisk {

// Single positive numbers, each with a gamma distribution given the class: one bank for all.
struct Gamma : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "gamma";
  static constexpr ProblemName not_positive{"not_positive"};  // a number that is 0 or less
  static constexpr ProblemName underflow{"underflow"};        // so small that the rate is infinite
  using Plan = SingleFeatures<Gamma>;
  using Options = NoOptions<Gamma>;

  struct Parameters {
    Matrix shape, rate;
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("shape", self.shape);
      visit("rate", self.rate);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      require_tables(*this, groups, plan.members());
      left_out.check(plan.members());
    }
    GammaLaw law(int g, Index j) const { return {shape(g, j), rate(g, j)}; }
    bool sound(int g) const;
  };

  // The statistics are weight, mean and deviance. The deviance is the sum of weight (x / mean - 1 -
  // log(x / mean)), which equals the sum of weight log(mean / x). The mean is stored as two
  // numbers, and every term of the deviance is positive, so nothing cancels at a large offset.
  struct Statistics : SingleFeatureStatistics<Statistics> {
    Matrix weight, mean, mean_low, deviance;

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(Matrix::Zero(groups, plan.members())),
          mean(weight),
          mean_low(weight),
          deviance(weight) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("deviance", self.deviance);
    }
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);

    void merge(const Plan&, const Statistics& other);

    // The new mean is computed by a small step from the mean of the heavier part. The deviance of
    // each part from it is the part's own deviance plus the deviance of the part's mean from it.
    void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                  double part_deviance);
  };

  // The shape k at which log k - digamma(k) equals the mean deviance s. It lies between 1 / (2 s)
  // and 1 / s. The log of log k - digamma(k) is nearly a linear function of log k.
  static double shape_of(double s);

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters& p, int groups) {
    return 2.0 * groups * (plan.members() - p.left_out.count());
  }

  using Marginal = Gammas;
  static Gammas::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                  double origin) {
    return {p.law(k, member), origin};
  }

  static constexpr ByMarginals overlap{};
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = true;

  class Scorer;
  class Drawer;
};

// A class whose numbers are all equal borrows one case from the pooled deviance.
class GammaEstimator {
 public:
  GammaEstimator(const Gamma::Statistics& statistics, const Classes& classes, int member,
                 int feature, Diagnostics& diagnostics);

  void estimate(Gamma::Parameters& p);

 private:
  // A smaller deviance is only rounding: all values are the same.
  static bool is_constant(double deviance) { return deviance < 0x1p-112; }

  // The mean deviance of a class; NaN, and reported, if there is none.
  double deviance_of(int g);

  const Gamma::Statistics& statistics_;
  const Classes& classes_;
  int j_, feature_;
  Diagnostics& diagnostics_;
  double pooled_ = 0;
  MeanOfClasses mean_;
};

// The positive numbers of a slice of rows, group by group.
class GammaSlice {
 public:
  explicit GammaSlice(int slots) : weight_(slots), sum_(slots), centre_(slots), deviance_(slots) {}

  // Computes the mean of each group, and then the deviations from it. Returns whether there are
  // numbers that are not positive and finite.
  bool read(const double* x, const int* group, const double* weights, int rows);

  // The deviations from the rounded mean do not sum to 0. Their mean is the low part of the mean.
  void add_to(Gamma::Statistics& statistics, int g, int j) const;

 private:
  static bool is_taken(double x) { return x > 0 && x < kInfinity; }
  Vector weight_, sum_, centre_, deviance_;
};

void report_not_positive(const double* x, const int* group, int rows, int groups, int feature,
                         Diagnostics& diagnostics);

}  // namespace bayesrisk

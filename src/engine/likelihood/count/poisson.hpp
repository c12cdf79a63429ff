#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/count/count_reader.hpp>
#include <engine/likelihood/posterior/pooling.hpp>
#include <engine/marginal/counts.hpp>

namespace bayesrisk {

// Single counts, each Poisson given the class: one bank for all.
struct Poisson : SingleMembers, NotNormal, NoTable, NoTerms {
  static constexpr const char* name = "poisson";

  using Plan = SingleFeatures<Poisson>;

  struct Options {
    Vector pseudo_count, pseudo_exposure;  // per feature; empty: nothing is added

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
      visit("pseudo_exposure", self.pseudo_exposure);
    }
    void check(const Plan& plan, int) const;
  };

  struct Parameters {
    Matrix rate;
    LeftOut left_out{};  // without any value: the same rate in every class

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("rate", self.rate);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      left_out.check(plan.members());
      require_tables(*this, groups, plan.members());
    }
    bool sound(int g) const {
      return not_negative(rate.row(g)) && (rate.row(g).array() <= kMostCount).all();
    }
  };

  struct Statistics : SingleFeatureStatistics<Statistics> {
    Matrix weight, sum, log_factorial;  // weighted sums of the counts and of their log factorials

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(Matrix::Zero(groups, plan.members())), sum(weight), log_factorial(weight) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("sum", self.sum);
      visit("log_factorial", self.log_factorial);
    }
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other);
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes) {
    return static_cast<double>(classes) * (plan.members() - parameters.left_out.count());
  }

  // Counts are not moved to an origin, because they would not remain whole numbers.
  using Marginal = Counts;
  static Counts::OfClass marginal(const Plan&, const Parameters& p, int k, int member, double) {
    return {p.rate(k, member)};
  }

  static constexpr ByMarginals overlap{};
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = false;
  static bool pools(const Plan&) { return true; }
  static Statistics with_cases(const Plan& plan, const Statistics& statistics,
                               const Merged<Poisson>& merged, const Options& options,
                               const Vector& cases);
  static Options options_with_cases(const Options& options, const Vector&) { return options; }
  class GroupPrior;
  static constexpr Unsupported unbiased{"the estimate has no divisor"};
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);
  static std::unique_ptr<BankScorer> predictive(const Plan& plan, const Parameters& centre,
                                                const Hyperparameters& hyperparameters, Index rows);

  class Scorer;
  class Drawer;

 private:
  static double added(const Vector& pseudo, int j) { return pseudo.empty() ? 0 : pseudo[j]; }
};

class Poisson::GroupPrior {
 public:
  GroupPrior(const Plan&, const Merged<Poisson>& merged, const Options& options, int block,
             double cases)
      : block_(block), exposure_(cases + added(options.pseudo_exposure, block)) {
    for (Index g = 0; g < merged.parameters.rate.rows(); ++g) {
      shape_.push_back(cases * merged.parameters.rate(g, block) +
                       added(options.pseudo_count, block));
    }
  }

  double log_marginal(const Statistics& statistics) const {
    double sum = 0;
    for (std::size_t g = 0; g < shape_.size(); ++g) {
      const auto row = static_cast<Index>(g);
      sum += log_rate_marginal(statistics.sum(row, block_), statistics.weight(row, block_),
                               shape_[g], exposure_);
    }
    return sum;
  }

 private:
  int block_;
  double exposure_;
  Vector shape_;
};

// Rates up to kTable use a table of cumulative probabilities; larger rates use an expansion about
// the normal quantile, whose distribution function is accurate to 1e-8 (Giles 2016, Algorithm 955).
class Poisson::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), rate_(parameters.rate) {
    for (Index i = 0; i < rate_.size(); ++i) tables_.emplace_back(rate_.data()[i]);
  }

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  static constexpr double kTable = 1e4;

  // Ten standard deviations to either side leave out less than 1e-16.
  struct Table {
    double first = 0;
    Vector cumulative;

    explicit Table(double rate);
    double quantile(double u) const {
      return first + index_of_weight(cumulative.data(), static_cast<int>(cumulative.size()), u);
    }
  };

  static double far_quantile(double rate, double u);

  const Plan& plan_;
  const Matrix& rate_;
  std::vector<Table> tables_;
};

}  // namespace bayesrisk

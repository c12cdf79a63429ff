#pragma once

#include <engine/core/count_tails.hpp>
#include <engine/core/root.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/contract/points.hpp>
#include <engine/likelihood/count/count_scorer.hpp>
#include <engine/likelihood/count/poisson.hpp>

namespace bayesrisk {

// One count, negative binomial given the class. The variance is mean + mean^2 / size. With an
// infinite size it is a Poisson distribution.
struct NegativeBinomial : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "negative_binomial";

  using Plan = SingleFeatures<NegativeBinomial, true>;
  using Options = NoOptions<NegativeBinomial>;

  struct Parameters {
    Matrix size, mean;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("size", self.size);
      visit("mean", self.mean);
    }
    void check(const Plan&, int groups) const { require_tables(*this, groups, 1); }
    CountLaw law(int g) const { return CountLaw(mean(g, 0), size(g, 0)); }
    bool sound(int g) const { return law(g).sound(); }
  };

  struct Statistics : SingleFeatureStatistics<Statistics> {
    std::vector<Points> points;  // per group: its different counts, and the weight of each

    Statistics() = default;
    Statistics(const Plan&, int groups) : points(groups, Points(0, 2)) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
    }
    void check(const Plan&, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other);
  };

  // The derivative of the log likelihood by the size is gain - loss, both sums of positive terms.
  // Returns log(gain / loss).
  static double log_gain(const Points& points, double mean, double size);

  // The most likely size: the only zero of log_gain(), if the variance exceeds the mean, and
  // infinite otherwise (Levin and Reeds 1977, Annals of Statistics 5, 79-87).
  static double size_of(const Points& points, double mean, double variance);

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan&, const Options&, const Parameters&, int classes) {
    return 2.0 * classes;
  }

  using Marginal = Counts;
  static CountLaw marginal(const Plan&, const Parameters& p, int k, int, double) {
    return p.law(k);
  }

  static constexpr ByMarginals overlap{};
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = false;

  class Scorer;
  class Drawer;
};

struct NegativeBinomialLaws {
  std::vector<CountLaw> of_class;

  explicit NegativeBinomialLaws(const NegativeBinomial::Parameters& parameters);
  int classes() const { return static_cast<int>(of_class.size()); }
  double reach(int k, int) const { return of_class[k].mean + 8 * of_class[k].sd(); }
  double log_probability(int k, int, double x, const LogPoisson& poisson) const {
    return of_class[k].log_probability(x, poisson);
  }
};

class NegativeBinomial::Scorer : public CountScorer<NegativeBinomialLaws> {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : CountScorer(plan.features, NegativeBinomialLaws(parameters), rows) {}
};

// Draws from a table of the counts that are not negligible. If there are more than kMost of these
// counts, a search finds the quantile.
class NegativeBinomial::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters);

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    to.number(plan_.features[0], row) = classes_[static_cast<std::size_t>(k)].quantile(*u);
  }

 private:
  struct OfClass {
    static constexpr double kMost = 1e5;

    CountTails tails;
    double first = 0;
    Vector cumulative;

    explicit OfClass(const CountLaw& law);

    void fill();

    double quantile(double u) const {
      if (cumulative.empty()) return search(u);
      return first + index_of_weight(cumulative.data(), static_cast<int>(cumulative.size()), u);
    }

    // The least n with P(X <= n) > u, by halving.
    double search(double u) const;
  };

  const Plan& plan_;
  std::vector<OfClass> classes_;
};

}  // namespace bayesrisk

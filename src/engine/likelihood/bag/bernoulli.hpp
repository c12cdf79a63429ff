#pragma once

#include <engine/likelihood/bag/bag_reader.hpp>
#include <engine/likelihood/bag/bag_scorer.hpp>

#include <optional>

namespace bayesrisk {

// The presence of terms, independent given the class. Terms that are absent count, too.
struct Bernoulli : BagOfTerms, MeansOfPosterior {
  static constexpr const char* name = "bernoulli";

  using Plan = BagPlan<Bernoulli>;

  struct Options {
    double laplace = 1;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
    }
    void check(const Plan&, int) const {
      require(std::isfinite(laplace) && laplace >= 0, "laplace: negative");
    }
  };

  struct Parameters {
    Matrix log_present, log_absent;  // class x term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_present", self.log_present);
      visit("log_absent", self.log_absent);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const {
      return (log_present.row(g).array() <= 0).all() && (log_absent.row(g).array() <= 0).all() &&
             (log_present.row(g).array().max(log_absent.row(g).array()) > -1).all();
    }
    // As if terms that no row of a class lacks might be absent.
    void require_none() {
      log_absent = (log_absent.array() == kNegativeInfinity).select(0, log_absent);
    }
  };

  struct Statistics : BagStatistics<Statistics> {
    Vector weight;   // of the rows
    Matrix present;  // weight of the rows with the term

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(groups, 0.0), present(Matrix::Zero(groups, plan.terms())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("present", self.present);
    }
    void check(const Plan& plan, int groups) const { require_bag(*this, groups, plan.terms()); }
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics) {
      add_weights(part, weight);
      BagReader(plan, part, diagnostics).add_sums(Presence(), BagNumbers::finite, present);
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < weight.size(); ++g) weight[g] += other.weight[g];
      present += other.present;
    }
    // Sums of weights in another order may differ in the last digits, so a small rest is none.
    double absent(int g, int t) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics&);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return static_cast<double>(classes) * plan.terms();
  }

  // A case without a term that no row of a class lacks is impossible in this class, but the other
  // terms of the case are not.
  static void prepare_for_terms(Parameters& p) { p.require_none(); }
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);

  class Scorer;
  using Drawer = BagDrawer<Bernoulli>;
};

// A term that no row of a class lacks is left out of the constant, which would be infinite.
struct BernoulliTerms {
  static constexpr int kParts = 1;
  static constexpr CellUse kUse = CellUse::presence;
  const Bernoulli::Parameters& of;
  Vector none;  // per class

  BernoulliTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters);
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int, double x) const { return x != 0 ? 1 : 0; }
  void write(int, int term, int classes, double* to) const;
  double constant(int k) const { return none[k]; }
};

// How many of the terms that no row of a class lacks are absent, as a negative number.
struct RequiredTerms {
  static constexpr int kParts = 1;
  static constexpr CellUse kUse = CellUse::presence;
  const Matrix& log_absent;
  Vector required;  // per class

  RequiredTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters);
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int, double x) const { return x != 0 ? 1 : 0; }
  void write(int, int term, int classes, double* to) const {
    for (int k = 0; k < classes; ++k) to[k] = is_required(term, k);
  }
  double constant(int k) const { return -required[k]; }

 private:
  bool is_required(Index term, Index k) const { return log_absent(k, term) == kNegativeInfinity; }
};

class Bernoulli::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : Scorer(plan, std::vector<const Parameters*>{&parameters}) {}
  Scorer(const Plan& plan, const std::vector<const Parameters*>& models);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  BagScorer<BernoulliTerms> scorer_;
  std::optional<BagScorer<RequiredTerms>> required_;
};

}  // namespace bayesrisk

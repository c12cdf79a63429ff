#pragma once

#include <engine/likelihood/bag/bag_reader.hpp>
#include <engine/likelihood/bag/bag_scorer.hpp>

namespace bayesrisk {

// Counts of terms, multinomial given the class and their total. The multinomial coefficient is the
// same in every class and is left out.
struct Multinomial : BagOfTerms, MeansOfPosterior, NoTerms {
  static constexpr const char* name = "multinomial";

  struct Plan : BagPlan<Multinomial> {
    bool fractions = false;  // numbers that are no counts are read, too

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      BagPlan<Multinomial>::fields(self, visit);
      visit("fractions", self.fractions);
    }
    BagNumbers numbers() const { return fractions ? BagNumbers::not_negative : BagNumbers::counts; }
  };

  struct Options {
    double laplace = 1;
    bool complement = false;  // weights of Rennie et al. (2003), from the other classes
    bool normalise = false;   // of these weights

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
      visit("complement", self.complement);
      visit("normalise", self.normalise);
    }
    void check(const Plan&, int) const {
      require(std::isfinite(laplace) && laplace >= 0, "laplace: negative");
    }
  };

  // One of the two; the other one has no rows.
  struct Parameters {
    Matrix log_probability, weight;  // class x term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
      visit("weight", self.weight);
    }
    bool is_weight() const { return weight.rows() > 0; }
    const Matrix& coefficient() const { return is_weight() ? weight : log_probability; }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const {
      const auto row = coefficient().row(g).array();
      return is_weight() ? row.isFinite().all() : (row <= 0).all();
    }
  };

  struct Statistics : BagStatistics<Statistics> {
    Vector weight;
    Matrix count;

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(groups, 0.0), count(Matrix::Zero(groups, plan.terms())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("count", self.count);
    }
    void check(const Plan& plan, int groups) const { require_bag(*this, groups, plan.terms()); }
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics) {
      add_weights(part, weight);
      BagReader(plan, part, diagnostics).add_sums(StoredNumber(), plan.numbers(), count);
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < weight.size(); ++g) weight[g] += other.weight[g];
      count += other.count;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);
  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);
  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return static_cast<double>(classes) * std::max(plan.terms() - 1, 0);
  }

  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);

  class Scorer;
  using Drawer = BagDrawer<Multinomial>;

 private:
  static Matrix complement_weights(const Matrix& count, const Options& options);
};

struct MultinomialTerms {
  static constexpr int kParts = 1;
  static constexpr CellUse kUse = CellUse::number;
  const Matrix& of_term;
  BagNumbers readable;

  MultinomialTerms(const Multinomial::Plan& plan, const Multinomial::Parameters& parameters)
      : of_term(parameters.coefficient()), readable(plan.numbers()) {}
  BagNumbers numbers() const { return readable; }
  double value(int, double x) const { return x; }
  void write(int, int term, int classes, double* to) const {
    std::copy_n(of_term.col(term).data(), classes, to);
  }
  double constant(int) const { return 0; }
};

class Multinomial::Scorer : public BagScorer<MultinomialTerms> {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : Scorer(plan, std::vector<const Parameters*>{&parameters}) {}
  Scorer(const Plan& plan, const std::vector<const Parameters*>& models)
      : BagScorer(plan, models), weights_(models.front()->is_weight()) {}

  // Weights are positive, so a score can be too large for a double. Such a row has no posterior.
  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  bool weights_;
};

}  // namespace bayesrisk

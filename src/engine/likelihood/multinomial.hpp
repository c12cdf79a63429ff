#pragma once

#include <engine/likelihood/bag_reader.hpp>
#include <engine/likelihood/bag_scorer.hpp>

namespace bayesrisk {

// Counts of terms, multinomial given the class and their total. The multinomial coefficient is the
// same in every class and is left out.
struct Multinomial {
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
    void check(const Plan& plan, int groups) const {
      require(has_shape(coefficient(), groups, plan.terms()) &&
                  (weight.rows() == 0 || log_probability.rows() == 0),
              "log_probability: wrong dimensions");
    }
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

  class Scorer;
  using Drawer = BagDrawer<Multinomial>;

 private:
  static Matrix complement_weights(const Matrix& count, const Options& options);
};

// (count + laplace) / (total + laplace * terms). A class without any count borrows those of all
// classes.
inline Multinomial::Parameters Multinomial::estimate(const Plan& plan, const Statistics& statistics,
                                                     const Options& options, const Classes& classes,
                                                     Diagnostics& diagnostics) {
  if (options.complement) {
    Parameters p{{}, complement_weights(statistics.count, options)};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g) || p.sound(g)) continue;
      diagnostics.add(Problem::overflow, g, plan.feature(), 0);
    }
    return p;
  }
  Parameters p{Matrix::Constant(classes.count(), plan.terms(), kNaN), {}};
  const Matrix pooled = statistics.count.colwise().sum();
  for (int g = 0; g < classes.count() && plan.terms() > 0; ++g) {
    if (!classes.has_rows(g)) continue;
    Matrix count = statistics.count.row(g).array() + options.laplace;
    if (!(count.sum() > 0) && classes.borrow && pooled.sum() > 0) {
      count = pooled;
      diagnostics.add(Problem::borrowed, g, plan.feature(), 0);
    }
    const double total = count.sum();
    if (!(total > 0)) diagnostics.add(Problem::empty, g, plan.feature(), 0);
    if (!std::isfinite(total)) diagnostics.add(Problem::overflow, g, plan.feature(), 0);
    p.log_probability.row(g) = (count / total).array().log().min(0.0);
  }
  return p;
}

// The log probabilities of the terms in all other classes, with a minus or normalised. Weights that
// are all 0, as that of a single term, stay 0.
inline Matrix Multinomial::complement_weights(const Matrix& count, const Options& options) {
  const Matrix all = count.colwise().sum();
  Matrix weight(count.rows(), count.cols());
  for (Index g = 0; g < count.rows(); ++g) {
    const Matrix others = (all - count.row(g)).cwiseMax(0.0).array() + options.laplace;
    const double sum = others.sum();
    const Matrix share = others / sum;
    Matrix logs = share.array().log();
    if (share.size() > 0 && share.minCoeff() < std::numeric_limits<double>::min()) {
      logs = others.array().log() - std::log(sum);  // such a share has lost digits
    }
    const double total = options.normalise ? logs.sum() : -1;
    weight.row(g) = logs / (total == 0 ? -1 : total);
  }
  return weight;
}

// Weights are no probabilities.
inline double Multinomial::log_likelihood(const Plan& plan, const Statistics& statistics,
                                          const Parameters& parameters) {
  if (parameters.is_weight()) return kNaN;
  double total = 0;
  for (int t = 0; t < plan.terms(); ++t) {
    for (Index g = 0; g < statistics.count.rows(); ++g) {
      const double count = statistics.count(g, t);
      if (count > 0) total += count * parameters.log_probability(g, t);
    }
  }
  return total;
}

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
  void add(const Frame& frame, int from, int to, Tile& tile) const {
    BagScorer::add(frame, from, to, tile);
    if (!weights_ || from >= to) return;
    for (int k = 0; k < tile.classes; ++k) {
      const double* score = tile.of_class(k);
      for (int r = 0; r < tile.rows; ++r) {
        if (score[r] == -kNegativeInfinity) tile.flag(r, kInfinite);
      }
    }
  }

 private:
  bool weights_;
};

}  // namespace bayesrisk

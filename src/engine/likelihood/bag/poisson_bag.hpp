#pragma once

#include <engine/likelihood/bag/bag_reader.hpp>
#include <engine/likelihood/bag/bag_scorer.hpp>
#include <engine/likelihood/count/poisson.hpp>

namespace bayesrisk {

// The log factorials of small counts are computed once. Those of other numbers than counts are 0.
class LogFactorials {
 public:
  LogFactorials() {
    for (int n = 0; n < kSmall; ++n) of_[n] = log_factorial(n);
  }
  double operator()(double x) const {
    if (x >= 0 && x < kSmall) return of_[static_cast<int>(x)];
    return x > 0 && std::isfinite(x) ? log_factorial(x) : 0;
  }

 private:
  static constexpr int kSmall = 32;
  double of_[kSmall];
};

// Counts of terms, each Poisson given the class, as the single features of Poisson: a cell that is
// not stored is the count 0.
struct PoissonBag : BagOfTerms, NoPosterior, NoTerms {
  static constexpr const char* name = "poisson_bag";

  using Plan = BagPlan<PoissonBag>;

  struct Options {
    double pseudo_count = 0, pseudo_exposure = 0;  // of each term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
      visit("pseudo_exposure", self.pseudo_exposure);
    }
    void check(const Plan&, int) const;
  };

  struct Parameters {
    Matrix rate;  // class x term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("rate", self.rate);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(rate, groups, plan.terms()), "rate: wrong dimensions");
    }
    bool sound(int g) const { return rate.row(g).allFinite() && not_negative(rate.row(g)); }
  };

  struct Statistics : BagStatistics<Statistics> {
    Vector weight;         // of the rows
    Vector log_factorial;  // the weighted sum of the log factorials of all counts
    Matrix sum;

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(groups, 0.0), log_factorial(weight), sum(Matrix::Zero(groups, plan.terms())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("log_factorial", self.log_factorial);
      visit("sum", self.sum);
    }
    void check(const Plan& plan, int groups) const { require_bag(*this, groups, plan.terms()); }
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other);
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return static_cast<double>(classes) * plan.terms();
  }

  class Scorer;
  using Drawer = BagDrawer<PoissonBag>;
};

struct PoissonTerms {
  static constexpr int kParts = 2;
  static constexpr CellUse kUse = CellUse::value;
  const Matrix& rate;
  Eigen::VectorXd total;  // of the rates of each class
  LogFactorials log_factorial{};

  PoissonTerms(const PoissonBag::Plan&, const PoissonBag::Parameters& parameters)
      : rate(parameters.rate), total(rate.rowwise().sum()) {}
  BagNumbers numbers() const { return BagNumbers::counts; }
  double value(int part, double x) const { return part == 0 ? x : -log_factorial(x); }
  void write(int part, int term, int classes, double* to) const {
    for (int k = 0; k < classes; ++k) to[k] = part == 0 ? std::log(rate(k, term)) : 1;
  }
  double constant(int k) const { return -total[k]; }
};

class PoissonBag::Scorer : public BagScorer<PoissonTerms> {
 public:
  using BagScorer::BagScorer;
};

}  // namespace bayesrisk

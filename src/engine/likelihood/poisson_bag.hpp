#pragma once

#include <engine/likelihood/bag_reader.hpp>
#include <engine/likelihood/bag_scorer.hpp>
#include <engine/likelihood/poisson.hpp>

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
struct PoissonBag {
  static constexpr const char* name = "poisson_bag";

  using Plan = BagPlan<PoissonBag>;

  struct Options {
    double pseudo_count = 0, pseudo_exposure = 0;  // of each term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
      visit("pseudo_exposure", self.pseudo_exposure);
    }
    void check(const Plan&, int) const {
      require(std::isfinite(pseudo_count) && pseudo_count >= 0 && std::isfinite(pseudo_exposure) &&
                  pseudo_exposure >= 0,
              "pseudo-counts: negative");
    }
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
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics) {
      add_weights(part, weight);
      const BagReader reader(plan, part, diagnostics);
      reader.add_sums(StoredNumber(), BagNumbers::counts, sum);
      const LogFactorials of;
      reader.each_cell([&](int g, int, double x, double w) { log_factorial[g] += w * of(x); });
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < weight.size(); ++g) {
        weight[g] += other.weight[g];
        log_factorial[g] += other.log_factorial[g];
      }
      sum += other.sum;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    Parameters p{Matrix::Constant(classes.count(), plan.terms(), kNaN)};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      const double exposure = statistics.weight[g] + options.pseudo_exposure;
      p.rate.row(g) = (statistics.sum.row(g).array() + options.pseudo_count) / exposure;
      if (!p.rate.row(g).allFinite()) {
        diagnostics.add(Problem::overflow, g, plan.feature(), statistics.weight[g]);
      }
    }
    return p;
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int g = 0; g < static_cast<int>(statistics.weight.size()); ++g) {
      if (!(statistics.weight[g] > 0)) continue;
      total -= statistics.log_factorial[g];
      for (int t = 0; t < plan.terms(); ++t) {
        const double rate = parameters.rate(g, t);
        total += times_log(statistics.sum(g, t), std::log(rate)) - statistics.weight[g] * rate;
      }
    }
    return total;
  }

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

#pragma once

#include <engine/likelihood/bag/bag_reader.hpp>
#include <engine/likelihood/bag/bag_scorer.hpp>
#include <engine/likelihood/normal/gaussian.hpp>

namespace bayesrisk {

// Numbers, each normal given the class, as the single features of Gaussian: a cell that is not
// stored is the number 0. Only the cells are read; the moments are then corrected for the zeros.
struct GaussianBag : BagOfTerms, NoPosterior, NoTerms {
  static constexpr const char* name = "gaussian_bag";

  using Plan = BagPlan<GaussianBag>;

  // Every term has these options: see Gaussian::Options.
  struct Options {
    bool unbiased = true;
    double min_variance = 0, min_variance_share = 0, borrow = 0;
    bool pooled = false;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("min_variance", self.min_variance);
      visit("min_variance_share", self.min_variance_share);
      visit("borrow", self.borrow);
      visit("pooled", self.pooled);
    }
    void check(const Plan&, int) const {
      require(min_variance_share >= 0 && borrow >= 0, "min_variance_share, borrow: negative");
    }
    Gaussian::Options of_terms(int terms) const;
  };

  struct Parameters {
    Matrix mean, sd;  // class x term
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("sd", self.sd);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const {
      return mean.row(g).allFinite() && sd.row(g).allFinite() && (sd.row(g).array() > 0).all();
    }
  };

  struct Statistics : BagStatistics<Statistics> {
    Vector total;   // weight of the rows
    Moments cells;  // of the numbers that are stored

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : total(groups, 0.0), cells(groups, plan.terms()) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("total", self.total);
      Moments::fields(self.cells, visit);
    }
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < total.size(); ++g) total[g] += other.total[g];
      cells.merge(other.cells);
    }
    // The moments of all numbers.
    Gaussian::Statistics with_zeros() const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options& options,
                                const Parameters& parameters, int classes) {
    const double each = classes + (options.pooled ? 1 : classes);
    return each * (plan.terms() - parameters.left_out.count());
  }

  class Scorer;
  using Drawer = BagDrawer<GaussianBag>;

 private:
  static Gaussian::Plan plan_of(int terms);
};

// The log density at x minus that at 0 is x mean / sd^2 - x^2 / (2 sd^2).
struct GaussianTerms {
  static constexpr int kParts = 2;
  static constexpr CellUse kUse = CellUse::value;
  const GaussianBag::Parameters& of;
  Vector none;  // per class: the log density if all numbers are 0

  GaussianTerms(const GaussianBag::Plan&, const GaussianBag::Parameters& parameters);
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int part, double x) const { return part == 0 ? x : x * x; }
  void write(int part, int term, int classes, double* to) const;
  double constant(int k) const { return none[k]; }

 private:
  // One logarithm for many factors.
  class LogProduct {
   public:
    void multiply(double x);
    double log() const { return sum_ + std::log(product_); }

   private:
    double sum_ = 0, product_ = 1;
  };
};

class GaussianBag::Scorer : public BagScorer<GaussianTerms> {
 public:
  using BagScorer::BagScorer;
};

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/bag_reader.hpp>
#include <engine/likelihood/bag_scorer.hpp>
#include <engine/likelihood/gaussian.hpp>

namespace bayesrisk {

// Numbers, each normal given the class, as the single features of Gaussian: a cell that is not
// stored is the number 0. Only the cells are read; the moments are then corrected for the zeros.
struct GaussianBag {
  static constexpr const char* name = "gaussian_bag";

  using Plan = BagPlan<GaussianBag>;

  // Of every term, see Gaussian::Options.
  struct Options {
    bool unbiased = true;
    double min_variance = 0, min_variance_share = 0, borrow = 0;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("min_variance", self.min_variance);
      visit("min_variance_share", self.min_variance_share);
      visit("borrow", self.borrow);
    }
    void check(const Plan&, int) const {
      require(min_variance_share >= 0 && borrow >= 0, "min_variance_share, borrow: negative");
    }
    Gaussian::Options of_terms(int terms) const {
      const auto count = static_cast<std::size_t>(terms);
      return {IntVector(count, unbiased), Vector(count, min_variance),
              Vector(count, min_variance_share), Vector(count, borrow)};
    }
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
    void check(const Plan& plan, int groups) const {
      require(has_shape(mean, groups, plan.terms()) && has_shape(sd, groups, plan.terms()),
              "mean, sd: wrong dimensions");
      left_out.check(plan.terms());
    }
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
    void check(const Plan& plan, int groups) const {
      require(static_cast<int>(total.size()) == groups && cells.consistent(groups, plan.terms()),
              "moments: wrong dimensions");
      require(not_negative(total) && not_negative(cells.weight) && not_negative(cells.scatter),
              "moments: negative");
    }
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics) {
      add_weights(part, total);
      const BagReader reader(plan, part, diagnostics);
      bool readable = true;
      reader.each_cell([&](int g, int t, double x, double w) {
        if (is_readable(x, BagNumbers::finite)) {
          cells.add(g, t, w, x, 0, 0);
        } else {
          readable = false;
        }
      });
      if (!readable) reader.report(BagNumbers::finite);
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < total.size(); ++g) total[g] += other.total[g];
      cells.merge(other.cells);
    }
    // The moments of all numbers.
    Gaussian::Statistics with_zeros() const {
      Gaussian::Statistics all;
      all.moments = cells;
      for (Index t = 0; t < cells.weight.cols(); ++t) {
        for (int g = 0; g < static_cast<int>(total.size()); ++g) {
          all.moments.add(g, static_cast<int>(t), total[g] - cells.weight(g, t), 0, 0, 0);
        }
      }
      return all;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    Diagnostics of_terms;
    const Gaussian::Parameters p =
        Gaussian::estimate(plan_of(plan.terms()), statistics.with_zeros(),
                           options.of_terms(plan.terms()), classes, of_terms);
    for (const Diagnostic& item : of_terms.items()) {
      diagnostics.add_term(item.problem, item.group, plan.feature(), item.count, item.feature);
    }
    return {p.mean + p.mean_low, p.sd, p.left_out};
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    return Gaussian::log_likelihood(
        plan_of(plan.terms()), statistics.with_zeros(),
        {parameters.mean, Matrix::Zero(parameters.mean.rows(), parameters.mean.cols()),
         parameters.sd, parameters.left_out});
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes) {
    return 2.0 * classes * (plan.terms() - parameters.left_out.count());
  }

  class Scorer;
  using Drawer = BagDrawer<GaussianBag>;

 private:
  static Gaussian::Plan plan_of(int terms) {
    Gaussian::Plan plan{IntVector(static_cast<std::size_t>(terms))};
    std::iota(plan.features.begin(), plan.features.end(), 0);
    return plan;
  }
};

// The log density at x minus that at 0 is x mean / sd^2 - x^2 / (2 sd^2).
struct GaussianTerms {
  static constexpr int kParts = 2;
  static constexpr CellUse kUse = CellUse::value;
  const GaussianBag::Parameters& of;
  Vector none;  // per class: the log density if all numbers are 0

  GaussianTerms(const GaussianBag::Plan&, const GaussianBag::Parameters& parameters)
      : of(parameters) {
    for (Index k = 0; k < of.mean.rows(); ++k) {
      double sum = 0;
      LogProduct product;
      for (Index t = 0; t < of.mean.cols(); ++t) {
        if (of.left_out[t]) continue;
        const double z = of.mean(k, t) / of.sd(k, t);
        sum -= 0.5 * z * z + kHalfLogTwoPi;
        product.multiply(of.sd(k, t));
      }
      none.push_back(sum - product.log());
    }
  }
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int part, double x) const { return part == 0 ? x : x * x; }
  void write(int part, int term, int classes, double* to) const {
    for (int k = 0; k < classes; ++k) {
      const double sd = of.sd(k, term);
      to[k] = of.left_out[term] ? 0 : part == 0 ? of.mean(k, term) / (sd * sd) : -0.5 / (sd * sd);
    }
  }
  double constant(int k) const { return none[k]; }

 private:
  // One logarithm for many factors.
  class LogProduct {
   public:
    void multiply(double x) {
      constexpr double kLow = 1e-100, kHigh = 1e100;
      if (product_ < kLow || product_ > kHigh || x < kLow || x > kHigh) {
        sum_ += std::log(product_);
        product_ = 1;
      }
      if (x < kLow || x > kHigh) {
        sum_ += std::log(x);
      } else {
        product_ *= x;
      }
    }
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

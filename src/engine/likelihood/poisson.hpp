#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/likelihood/count_reader.hpp>
#include <engine/marginal/counts.hpp>

namespace bayesrisk {

// Single counts, each Poisson given the class: one bank for all.
struct Poisson {
  static constexpr const char* name = "poisson";

  using Plan = SingleFeatures<Poisson>;

  struct Options {
    Vector pseudo_count, pseudo_exposure;  // per feature; empty: nothing is added

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
      visit("pseudo_exposure", self.pseudo_exposure);
    }
    void check(const Plan& plan, int) const {
      for (const Vector* added : {&pseudo_count, &pseudo_exposure}) {
        require(added->empty() || static_cast<int>(added->size()) == plan.members(),
                "pseudo-counts: wrong length");
        for (double x : *added) require(std::isfinite(x) && x >= 0, "pseudo-counts: negative");
      }
    }
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
    bool sound(int g) const { return rate.row(g).allFinite() && not_negative(rate.row(g)); }
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
    void check(const Plan& plan, int groups) const {
      require_tables(*this, groups, plan.members());
      require(not_negative(weight) && not_negative(sum) && not_negative(log_factorial),
              "counts: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other) {
      weight += other.weight;
      sum += other.sum;
      log_factorial += other.log_factorial;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    Parameters p{Matrix::Constant(classes.count(), plan.members(), kNaN)};
    for (int j = 0; j < plan.members(); ++j) {
      const double known = statistics.weight.col(j).sum();
      const double pooled = statistics.sum.col(j).sum() / known;
      if (classes.borrow && known + added(options.pseudo_exposure, j) == 0) {
        p.left_out.set(j, plan.members());
        p.rate.col(j).setOnes();
        diagnostics.add(Problem::left_out, kAll, plan.features[j], 0);
        continue;
      }
      for (int g = 0; g < classes.count(); ++g) {
        if (!classes.has_rows(g)) continue;
        const double weight = statistics.weight(g, j) + added(options.pseudo_exposure, j);
        p.rate(g, j) = (statistics.sum(g, j) + added(options.pseudo_count, j)) / weight;
        if (weight <= 0 && classes.borrow && std::isfinite(pooled)) {
          p.rate(g, j) = pooled;
          diagnostics.add(Problem::borrowed, g, plan.features[j], 0);
        } else if (weight <= 0) {
          diagnostics.add(Problem::empty, g, plan.features[j], 0);
        } else if (!std::isfinite(p.rate(g, j)) || !std::isfinite(statistics.log_factorial(g, j))) {
          diagnostics.add(Problem::overflow, g, plan.features[j], weight);
        }
      }
    }
    return p;
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < statistics.weight.rows(); ++g) {
        const double weight = statistics.weight(g, j), rate = parameters.rate(g, j);
        if (weight <= 0) continue;
        total += times_log(statistics.sum(g, j), std::log(rate)) - weight * rate -
                 statistics.log_factorial(g, j);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes) {
    return static_cast<double>(classes) * (plan.members() - parameters.left_out.count());
  }

  // Counts are not moved to an origin, because they would not remain whole numbers.
  using Marginal = Counts;
  static Counts::OfClass marginal(const Plan&, const Parameters& p, int k, int member, double) {
    return {p.rate(k, member)};
  }

  class Scorer;
  class Drawer;

 private:
  static double added(const Vector& pseudo, int j) { return pseudo.empty() ? 0 : pseudo[j]; }
};

inline void Poisson::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                         Diagnostics& diagnostics) {
  CountReader reader(frame, chunk, diagnostics);
  for (int j = 0; j < plan.members(); ++j) {
    reader.each(plan.features[j], [&](int g, double count, double w) {
      weight(g, j) += w;
      sum(g, j) += w * count;
      log_factorial(g, j) += w * bayesrisk::log_factorial(count);
    });
  }
}

// Rates up to kTable use a table of cumulative probabilities; larger rates use an expansion about
// the normal quantile, whose distribution function is accurate to 1e-8 (Giles 2016, Algorithm 955).
class Poisson::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), rate_(parameters.rate) {
    for (Index i = 0; i < rate_.size(); ++i) tables_.emplace_back(rate_.data()[i]);
  }

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      const Table& table = tables_[static_cast<std::size_t>(j * rate_.rows() + k)];
      to.number(plan_.features[j], row) =
          table.cumulative.empty() ? far_quantile(rate_(k, j), u[j]) : table.quantile(u[j]);
    }
  }

 private:
  static constexpr double kTable = 1e4;

  // Ten standard deviations to either side leave out less than 1e-16.
  struct Table {
    double first = 0;
    Vector cumulative;

    explicit Table(double rate) {
      if (!(rate <= kTable)) return;
      const double reach = 10 * std::sqrt(rate) + 30, log_rate = std::log(rate);
      first = std::max(0.0, std::floor(rate - reach));
      double sum = 0;
      for (double x = first; x <= rate + reach; ++x) {
        sum += std::exp(LogPoisson(x).at(rate, log_rate));
        cumulative.push_back(sum);
      }
    }
    double quantile(double u) const {
      return first + index_of_weight(cumulative.data(), static_cast<int>(cumulative.size()), u);
    }
  };

  static double far_quantile(double rate, double u) {
    const double z = normal_quantile(u), square = z * z, root = std::sqrt(rate);
    const double x = rate + root * z + (2 + square) / 6 - z * (2 + square) / (72 * root);
    return std::max(0.0, std::floor(x));
  }

  const Plan& plan_;
  const Matrix& rate_;
  std::vector<Table> tables_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/likelihood/count_reader.hpp>
#include <engine/marginal/counts.hpp>

namespace bayesrisk {

// Single counts, each Poisson given the class: one bank for all.
struct Poisson {
  static constexpr const char* name = "poisson";

  struct Plan {
    using Likelihood = Poisson;
    IntVector features;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
    }
    int members() const { return static_cast<int>(features.size()); }
    int blocks() const { return members(); }
    static constexpr bool reads_codes = false;
    void check() const {}
  };

  struct Options {
    template <class Self, class Visitor>
    static void fields(Self&, Visitor&) {}
    void check(const Plan&, int) const {}
  };

  struct Parameters {
    Matrix rate;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("rate", self.rate);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(rate, groups, plan.members()), "rate: wrong dimensions");
    }
    bool sound(int g) const { return rate.row(g).allFinite() && not_negative(rate.row(g)); }
  };

  struct Statistics {
    Matrix weight, sum, log_factorial;  // the last two: of the counts, weighted

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
      for (const Matrix* m : {&weight, &sum, &log_factorial}) {
        require(has_shape(*m, groups, plan.members()), "counts: wrong dimensions");
        require(not_negative(*m), "counts: negative");
      }
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other) {
      weight += other.weight;
      sum += other.sum;
      log_factorial += other.log_factorial;
    }

    Statistics of_groups(const Plan&, int first, int groups) const {
      Statistics part;
      part.weight = weight.middleRows(first, groups);
      part.sum = sum.middleRows(first, groups);
      part.log_factorial = log_factorial.middleRows(first, groups);
      return part;
    }

    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      Statistics result(target, mapping.groups);
      for (int j = 0; j < plan.members(); ++j) {
        const int to = mapping.member(plan.features[j], target.features);
        if (to < 0) continue;
        for (std::size_t g = 0; g < mapping.group.size(); ++g) {
          const int at = mapping.group[g];
          result.weight(at, to) = weight(g, j);
          result.sum(at, to) = sum(g, j);
          result.log_factorial(at, to) = log_factorial(g, j);
        }
      }
      return result;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Vector& class_weight, Diagnostics& diagnostics) {
    const int groups = static_cast<int>(class_weight.size());
    Parameters p{Matrix::Constant(groups, plan.members(), kNaN)};
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < groups; ++g) {
        if (class_weight[g] <= 0) continue;
        const double weight = statistics.weight(g, j);
        p.rate(g, j) = statistics.sum(g, j) / weight;
        if (weight <= 0) {
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
        const double sum = statistics.sum(g, j);
        if (statistics.weight(g, j) <= 0) continue;
        // The rates of all rows sum to the sum of their counts.
        total +=
            times_log(sum, std::log(parameters.rate(g, j))) - sum - statistics.log_factorial(g, j);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, int classes) {
    return static_cast<double>(classes) * plan.members();
  }

  // Counts are not moved to an origin: they would not stay whole numbers.
  using Marginal = Counts;
  static Counts::OfClass marginal(const Plan&, const Parameters& p, int k, int member, double) {
    return {p.rate(k, member)};
  }

  class Scorer;
  class Drawer;
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

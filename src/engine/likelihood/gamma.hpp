#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/root.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/mapping.hpp>
#include <engine/data/rows.hpp>
#include <engine/marginal/gammas.hpp>

namespace bayesrisk {

// Single positive numbers, each of a gamma distribution given the class: one bank for all.
struct Gamma {
  static constexpr const char* name = "gamma";

  struct Plan {
    using Likelihood = Gamma;
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
    Matrix shape, rate;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("shape", self.shape);
      visit("rate", self.rate);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(shape, groups, plan.members()), "shape: wrong dimensions");
      require(has_shape(rate, groups, plan.members()), "rate: wrong dimensions");
    }
    GammaLaw law(int g, Index j) const { return {shape(g, j), rate(g, j)}; }
    bool sound(int g) const {
      for (Index j = 0; j < shape.cols(); ++j) {
        if (!law(g, j).sound()) return false;
      }
      return true;
    }
  };

  // The statistics are weight, mean and deviance. The deviance is the sum of weight (x / mean - 1 -
  // log(x / mean)), which equals the sum of weight log(mean / x). The mean is in two parts, and
  // every part of the deviance is positive:
  // nothing cancels at a large offset.
  struct Statistics {
    Matrix weight, mean, mean_low, deviance;

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(Matrix::Zero(groups, plan.members())),
          mean(weight),
          mean_low(weight),
          deviance(weight) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("deviance", self.deviance);
    }
    void check(const Plan& plan, int groups) const {
      for (const Matrix* m : {&weight, &mean, &mean_low, &deviance}) {
        require(has_shape(*m, groups, plan.members()), "gamma: wrong dimensions");
      }
      require(not_negative(weight) && not_negative(mean) && not_negative(deviance),
              "gamma: negative");
      require(mean_low.allFinite(), "gamma: not finite");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);

    void merge(const Plan&, const Statistics& other) {
      for (int j = 0; j < weight.cols(); ++j) {
        for (int g = 0; g < weight.rows(); ++g) {
          add_part(g, j, other.weight(g, j), other.mean(g, j), other.mean_low(g, j),
                   other.deviance(g, j));
        }
      }
    }

    // Means are moved from the heavier side, so that the step is small; each part deviates from
    // the new mean by its own deviance and that of its mean.
    void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                  double part_deviance) {
      if (!(part_weight > 0)) return;
      const double before = weight(g, j), old = mean(g, j), old_low = mean_low(g, j);
      const double total = weight(g, j) = before + part_weight;
      const double delta = before > 0 ? (part_mean - old) + (part_low - old_low) : 0.0;
      const TwoPart moved = before >= part_weight
                                ? two_sum(old, old_low + delta * (part_weight / total))
                                : two_sum(part_mean, part_low - delta * (before / total));
      const auto moved_by = [&](double from, double low) {
        return relative_deviance(from, moved.high, (from - moved.high) + (low - moved.low));
      };
      double sum = deviance(g, j) + part_deviance + part_weight * moved_by(part_mean, part_low);
      if (before > 0) sum += before * moved_by(old, old_low);
      const bool finite = std::isfinite(moved.high) && std::isfinite(sum);
      mean(g, j) = finite ? moved.high : kInfinity;
      mean_low(g, j) = finite ? moved.low : 0;
      deviance(g, j) = finite ? sum : kInfinity;
    }

    static void report_others(const double* x, const int* group, int rows, int groups, int feature,
                              Diagnostics& diagnostics);

    Statistics of_groups(const Plan&, int first, int groups) const {
      Statistics part;
      part.weight = weight.middleRows(first, groups);
      part.mean = mean.middleRows(first, groups);
      part.mean_low = mean_low.middleRows(first, groups);
      part.deviance = deviance.middleRows(first, groups);
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
          result.mean(at, to) = mean(g, j);
          result.mean_low(at, to) = mean_low(g, j);
          result.deviance(at, to) = deviance(g, j);
        }
      }
      return result;
    }
  };

  // The shape k at which log k - digamma(k) is the mean deviance s. It lies between 1 / (2 s) and
  // 1 / s, and the log of the function is nearly a straight line in log k.
  static double shape_of(double s) {
    const double log_s = std::log(s);
    const auto excess = [&](double log_k) {
      return std::log(digamma_gap(std::exp(log_k))) - log_s;
    };
    return std::exp(find_root(excess, std::log(0.4) - log_s, std::log(1.1) - log_s));
  }

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Vector& class_weight, Diagnostics& diagnostics) {
    // Less is rounding of a number that is always the same.
    constexpr double kLeastDeviance = 0x1p-112;
    const int groups = static_cast<int>(class_weight.size());
    Parameters p{Matrix::Constant(groups, plan.members(), kNaN),
                 Matrix::Constant(groups, plan.members(), kNaN)};
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < groups; ++g) {
        if (class_weight[g] <= 0) continue;
        const double weight = statistics.weight(g, j), mean = statistics.mean(g, j);
        const double deviance = statistics.deviance(g, j) / weight;
        if (!(weight > 0)) {
          diagnostics.add(Problem::empty, g, plan.features[j], 0);
        } else if (deviance < kLeastDeviance) {
          diagnostics.add(Problem::constant, g, plan.features[j], weight);
        } else {
          p.shape(g, j) = std::isfinite(deviance) ? shape_of(deviance) : kNaN;
          p.rate(g, j) = p.shape(g, j) / mean;
          if (!p.law(g, j).sound()) {
            diagnostics.add(Problem::overflow, g, plan.features[j], weight);
          }
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
        const double weight = statistics.weight(g, j);
        if (weight <= 0) continue;
        const GammaLaw law = parameters.law(g, j);
        total +=
            weight * (law.peak - std::log(law.mean)) + (1 - law.shape) * statistics.deviance(g, j);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, int classes) {
    return 2.0 * classes * plan.members();
  }

  using Marginal = Gammas;
  static Gammas::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                  double origin) {
    return {p.law(k, member), origin};
  }

  class Scorer;
  class Drawer;
};

// The positive numbers of a slice of rows, group by group.
class GammaSlice {
 public:
  explicit GammaSlice(int slots) : weight_(slots), sum_(slots), centre_(slots), deviance_(slots) {}

  // The sums of each group first, and then what deviates from their mean. Whether there are other
  // numbers than positive ones.
  bool read(const double* x, const int* group, const double* weights, int rows) {
    std::fill(weight_.begin(), weight_.end(), 0.0);
    sum_ = deviance_ = weight_;
    bool others = false;
    for (int r = 0; r < rows; ++r) {
      const double w = weights ? weights[r] : 1.0;
      if (is_taken(x[r])) {
        weight_[group[r]] += w;
        sum_[group[r]] += w * x[r];
      } else {
        others = true;
      }
    }
    for (std::size_t g = 0; g < sum_.size(); ++g) centre_[g] = sum_[g] / weight_[g];
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (int r = 0; r < rows; ++r) {
      if (!is_taken(x[r])) continue;
      const int g = group[r];
      const double w = weights ? weights[r] : 1.0, away = x[r] - centre_[g];
      sum_[g] += w * away;
      deviance_[g] += w * relative_deviance(x[r], centre_[g], away);
    }
    return others;
  }

  // The rest of the mean is what the deviations from its first part are off by.
  void add_to(Gamma::Statistics& statistics, int g, int j) const {
    const double low = sum_[g] / weight_[g], u = low / centre_[g];
    const double deviance = deviance_[g] - weight_[g] * log_excess(u, 1 + u);
    statistics.add_part(g, j, weight_[g], centre_[g], low, deviance < 0 ? 0.0 : deviance);
  }

 private:
  static bool is_taken(double x) { return x > 0 && x < kInfinity; }

  Vector weight_, sum_, centre_, deviance_;
};

inline void Gamma::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                       Diagnostics& diagnostics) {
  const int size = slice_size(chunk.groups);
  GammaSlice sums(chunk.groups + 1);
  Vector buffer(size);
  for (int first = 0; first < chunk.rows; first += size) {
    const int rows = std::min(size, chunk.rows - first);
    const int* group = chunk.group + first;
    for (int j = 0; j < plan.members(); ++j) {
      chunk.check();
      const int feature = plan.features[j];
      const double* x =
          load_numbers(frame.columns[feature], chunk.begin + first, rows, rows, buffer.data());
      if (sums.read(x, group, chunk.weight ? chunk.weight + first : nullptr, rows)) {
        report_others(x, group, rows, chunk.groups, feature, diagnostics);
      }
      for (int g = 0; g < chunk.groups; ++g) sums.add_to(*this, g, j);
    }
  }
}

inline void Gamma::Statistics::report_others(const double* x, const int* group, int rows,
                                             int groups, int feature, Diagnostics& diagnostics) {
  for (int r = 0; r < rows; ++r) {
    if (group[r] == groups || std::isnan(x[r])) continue;
    if (std::isinf(x[r])) {
      diagnostics.add(Problem::infinite, kAll, feature, 1);
    } else if (x[r] <= 0) {
      diagnostics.add(Problem::not_positive, group[r], feature, 1);
    }
  }
}

}  // namespace bayesrisk

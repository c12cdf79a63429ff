#pragma once

#include <engine/core/root.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/marginal/gammas.hpp>

namespace bayesrisk {

// Single positive numbers, each with a gamma distribution given the class: one bank for all.
struct Gamma {
  static constexpr const char* name = "gamma";
  static constexpr ProblemName not_positive{"not_positive"};  // a number that is 0 or less
  static constexpr ProblemName underflow{"underflow"};        // so small that the rate is infinite
  using Plan = SingleFeatures<Gamma>;
  using Options = NoOptions<Gamma>;

  struct Parameters {
    Matrix shape, rate;
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("shape", self.shape);
      visit("rate", self.rate);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      require_tables(*this, groups, plan.members());
      left_out.check(plan.members());
    }
    GammaLaw law(int g, Index j) const { return {shape(g, j), rate(g, j)}; }
    bool sound(int g) const {
      bool all = true;
      for (Index j = 0; j < shape.cols(); ++j) all = all && law(g, j).sound();
      return all;
    }
  };

  // The statistics are weight, mean and deviance. The deviance is the sum of weight (x / mean - 1 -
  // log(x / mean)), which equals the sum of weight log(mean / x). The mean is stored as two
  // numbers, and every term of the deviance is positive, so nothing cancels at a large offset.
  struct Statistics : SingleFeatureStatistics<Statistics> {
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
      require_tables(*this, groups, plan.members());
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

    // The new mean is computed by a small step from the mean of the heavier part. The deviance of
    // each part from it is the part's own deviance plus the deviance of the part's mean from it.
    void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                  double part_deviance) {
      if (!(part_weight > 0)) return;
      const double before = weight(g, j);
      const TwoPart old{mean(g, j), mean_low(g, j)}, part{part_mean, part_low};
      const double delta = before > 0 ? difference(part, old) : 0.0;
      const TwoPart moved = merged_mean(before, old, part_weight, part, delta);
      const auto moved_by = [&](const TwoPart& from) {
        return relative_deviance(from.high, moved.high, difference(from, moved));
      };
      weight(g, j) = before + part_weight;
      double sum = deviance(g, j) + part_deviance + part_weight * moved_by(part);
      if (before > 0) sum += before * moved_by(old);
      const bool finite = std::isfinite(moved.high) && std::isfinite(sum);
      mean(g, j) = finite ? moved.high : kInfinity;
      mean_low(g, j) = finite ? moved.low : 0;
      deviance(g, j) = finite ? sum : kInfinity;
    }
  };

  // The shape k at which log k - digamma(k) equals the mean deviance s. It lies between 1 / (2 s)
  // and 1 / s. The log of log k - digamma(k) is nearly a linear function of log k.
  static double shape_of(double s) {
    if (!std::isfinite(s)) return kNaN;
    const double log_s = std::log(s);
    const auto excess = [&](double log_k) {
      return std::log(digamma_gap(std::exp(log_k))) - log_s;
    };
    return std::exp(find_root(excess, std::log(0.4) - log_s, std::log(1.1) - log_s));
  }

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < statistics.weight.rows(); ++g) {
        const double weight = statistics.weight(g, j);
        if (weight <= 0 || parameters.left_out[j]) continue;
        const GammaLaw law = parameters.law(g, j);
        total +=
            weight * (law.peak - std::log(law.mean)) + (1 - law.shape) * statistics.deviance(g, j);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters& p, int groups) {
    return 2.0 * groups * (plan.members() - p.left_out.count());
  }

  using Marginal = Gammas;
  static Gammas::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                  double origin) {
    return {p.law(k, member), origin};
  }

  class Scorer;
  class Drawer;
};

// A class whose numbers are all equal borrows one case from the pooled deviance.
class GammaEstimator {
 public:
  GammaEstimator(const Gamma::Statistics& statistics, const Classes& classes, int member,
                 int feature, Diagnostics& diagnostics)
      : statistics_(statistics),
        classes_(classes),
        j_(member),
        feature_(feature),
        diagnostics_(diagnostics) {
    for (int g = 0; g < classes.count(); ++g) {
      mean_.add(statistics.weight(g, j_), {statistics.mean(g, j_), statistics.mean_low(g, j_)});
      pooled_ += statistics.deviance(g, j_);
    }
    if (mean_.weight > 0) pooled_ /= mean_.weight;
  }

  void estimate(Gamma::Parameters& p) {
    const bool one_value = mean_.weight > 0 && mean_.equal && is_constant(pooled_);
    const bool leaves_out = classes_.borrow && one_value;
    if (leaves_out) {
      p.left_out.set(j_, p.shape.cols());
      diagnostics_.add(Problem::left_out, kAll, feature_, 0);
    }
    for (int g = 0; g < classes_.count(); ++g) {
      if (!classes_.has_rows(g)) continue;
      const double deviance = leaves_out ? 1 : deviance_of(g);
      if (std::isnan(deviance)) continue;
      const double mean = statistics_.weight(g, j_) > 0 ? statistics_.mean(g, j_) : mean_.mean.high;
      p.shape(g, j_) = leaves_out ? 1 : std::isfinite(deviance) ? Gamma::shape_of(deviance) : kNaN;
      p.rate(g, j_) = p.shape(g, j_) / mean;
      if (!p.law(g, j_).sound()) {
        const ProblemName problem = mean < 1 ? Gamma::underflow : Problem::overflow;
        diagnostics_.add(problem, g, feature_, statistics_.weight(g, j_));
      }
    }
  }

 private:
  // A smaller deviance is only rounding: all values are the same.
  static bool is_constant(double deviance) { return deviance < 0x1p-112; }

  // The mean deviance of a class; NaN, and reported, if there is none.
  double deviance_of(int g) {
    const double weight = statistics_.weight(g, j_), sum = statistics_.deviance(g, j_);
    const bool empty = !(weight > 0);
    if (!empty && !is_constant(sum / weight)) return sum / weight;
    if (!classes_.borrow) {
      diagnostics_.add(empty ? Problem::empty : Problem::constant, g, feature_, weight);
      return kNaN;
    }
    const double borrowed = (sum + pooled_) / (weight + 1);
    if (is_constant(borrowed)) {
      diagnostics_.add(Problem::apart, kAll, feature_, weight);
      return kNaN;
    }
    diagnostics_.add(Problem::borrowed, g, feature_, weight);
    return borrowed;
  }

  const Gamma::Statistics& statistics_;
  const Classes& classes_;
  int j_, feature_;
  Diagnostics& diagnostics_;
  double pooled_ = 0;
  MeanOfClasses mean_;
};

inline Gamma::Parameters Gamma::estimate(const Plan& plan, const Statistics& statistics,
                                         const Options&, const Classes& classes,
                                         Diagnostics& diagnostics) {
  const Matrix open = Matrix::Constant(classes.count(), plan.members(), kNaN);
  Parameters p{open, open, {}};
  for (int j = 0; j < plan.members(); ++j) {
    GammaEstimator(statistics, classes, j, plan.features[j], diagnostics).estimate(p);
  }
  return p;
}

// The positive numbers of a slice of rows, group by group.
class GammaSlice {
 public:
  explicit GammaSlice(int slots) : weight_(slots), sum_(slots), centre_(slots), deviance_(slots) {}

  // Computes the mean of each group, and then the deviations from it. Returns whether there are
  // numbers that are not positive and finite.
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

  // The deviations from the rounded mean do not sum to 0. Their mean is the low part of the mean.
  void add_to(Gamma::Statistics& statistics, int g, int j) const {
    const double low = sum_[g] / weight_[g], u = low / centre_[g];
    const double deviance = deviance_[g] - weight_[g] * log_excess(u, 1 + u);
    statistics.add_part(g, j, weight_[g], centre_[g], low, deviance < 0 ? 0.0 : deviance);
  }

 private:
  static bool is_taken(double x) { return x > 0 && x < kInfinity; }
  Vector weight_, sum_, centre_, deviance_;
};

inline void report_not_positive(const double* x, const int* group, int rows, int groups,
                                int feature, Diagnostics& diagnostics) {
  for (int r = 0; r < rows; ++r) {
    if (group[r] == groups || std::isnan(x[r])) continue;
    if (std::isinf(x[r])) {
      diagnostics.add(Problem::infinite, kAll, feature, 1);
    } else if (x[r] <= 0) {
      diagnostics.add(Gamma::not_positive, group[r], feature, 1);
    }
  }
}

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
        report_not_positive(x, group, rows, chunk.groups, feature, diagnostics);
      }
      for (int g = 0; g < chunk.groups; ++g) sums.add_to(*this, g, j);
    }
  }
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/count_tails.hpp>
#include <engine/core/root.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/likelihood/count_scorer.hpp>
#include <engine/likelihood/points.hpp>
#include <engine/likelihood/poisson.hpp>

namespace bayesrisk {

// One count, negative binomial given the class. The variance is mean + mean^2 / size. With an
// infinite size it is a Poisson distribution.
struct NegativeBinomial {
  static constexpr const char* name = "negative_binomial";

  using Plan = SingleFeatures<NegativeBinomial, true>;
  using Options = NoOptions<NegativeBinomial>;

  struct Parameters {
    Matrix size, mean;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("size", self.size);
      visit("mean", self.mean);
    }
    void check(const Plan&, int groups) const { require_tables(*this, groups, 1); }
    CountLaw law(int g) const { return CountLaw(mean(g, 0), size(g, 0)); }
    bool sound(int g) const { return law(g).sound(); }
  };

  struct Statistics : SingleFeatureStatistics<Statistics> {
    std::vector<Points> points;  // per group: its different counts, and the weight of each

    Statistics() = default;
    Statistics(const Plan&, int groups) : points(groups, Points(0, 2)) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
    }
    void check(const Plan&, int groups) const {
      check_weighted_points(points, groups);
      for (const Points& of_group : points) {
        for (Index i = 0; i < of_group.rows(); ++i) {
          require(is_count(of_group(i, 0)), "points: not counts");
        }
      }
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      std::vector<std::vector<ValueAndWeight>> seen(chunk.groups);
      CountReader(frame, chunk, diagnostics)
          .each(plan.features[0], [&](int g, double count, double weight) {
            seen[g].emplace_back(count + 0.0, weight);
          });
      points = sorted_points(seen);
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < points.size(); ++g) {
        points[g] = unite_points(points[g], other.points[g]);
      }
    }
  };

  // The derivative of the log likelihood by the size is gain - loss, both sums of positive terms.
  // Returns log(gain / loss).
  static double log_gain(const Points& points, double mean, double size) {
    double gain = 0, loss = 0;
    for (Index i = 0; i < points.rows(); ++i) {
      const double x = points(i, 0), weight = points(i, 1), whole = mean + size;
      gain += weight * digamma_gap_fall(size, x);
      loss += weight * log_excess((x - mean) / whole, (x + size) / whole);
    }
    return std::log(gain) - std::log(loss);
  }

  // The most likely size: the only zero of log_gain(), if the variance exceeds the mean, and
  // infinite otherwise (Levin and Reeds 1977, Annals of Statistics 5, 79-87).
  static double size_of(const Points& points, double mean, double variance) {
    constexpr double kFarthest =
        40;  // from the log of the estimate by moments; farther away all digits are lost
    if (!(variance > mean)) return CountLaw::kPoisson;
    const double start = 2 * std::log(mean) - std::log(variance - mean);
    const auto gain = [&](double log_size) { return log_gain(points, mean, std::exp(log_size)); };
    double step = 1, low = start, high = start;
    for (; !(gain(low) > 0) && low > start - 600; step *= 2) low -= step;
    for (step = 1; gain(high) > 0; step *= 2) {
      if (high > start + kFarthest) return CountLaw::kPoisson;
      high += step;
    }
    return std::exp(find_root(gain, low, high));
  }

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics) {
    const Matrix open = Matrix::Constant(classes.count(), 1, kNaN);
    Parameters p{open, open};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      const Points points =
          points_or_pooled(statistics.points, g, plan.features[0], classes, diagnostics);
      const auto value = points.col(0).array(), weight = points.col(1).array();
      const double total = weight.sum(), mean = (value * weight).sum() / total;
      const double variance = ((value - mean).square() * weight).sum() / total;
      p.mean(g, 0) = mean;
      if (!(total > 0)) continue;
      if (std::isfinite(variance)) p.size(g, 0) = size_of(points, mean, variance);
      if (!p.sound(g)) diagnostics.add(Problem::overflow, g, plan.features[0], total);
    }
    return p;
  }

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (std::size_t g = 0; g < statistics.points.size(); ++g) {
      const Points& points = statistics.points[g];
      const CountLaw law = parameters.law(static_cast<int>(g));
      for (Index i = 0; i < points.rows(); ++i) {
        total += times_log(points(i, 1), law.log_probability(points(i, 0)));
      }
    }
    return total;
  }

  static double parameter_count(const Plan&, const Options&, const Parameters&, int classes) {
    return 2.0 * classes;
  }

  using Marginal = Counts;
  static CountLaw marginal(const Plan&, const Parameters& p, int k, int, double) {
    return p.law(k);
  }

  class Scorer;
  class Drawer;
};

struct NegativeBinomialLaws {
  std::vector<CountLaw> of_class;

  explicit NegativeBinomialLaws(const NegativeBinomial::Parameters& parameters) {
    for (Index k = 0; k < parameters.size.rows(); ++k) {
      of_class.push_back(parameters.law(static_cast<int>(k)));
    }
  }
  int classes() const { return static_cast<int>(of_class.size()); }
  double reach(int k, int) const { return of_class[k].mean + 8 * of_class[k].sd(); }
  double log_probability(int k, int, double x, const LogPoisson& poisson) const {
    return of_class[k].log_probability(x, poisson);
  }
};

class NegativeBinomial::Scorer : public CountScorer<NegativeBinomialLaws> {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : CountScorer(plan.features, NegativeBinomialLaws(parameters), rows) {}
};

// Draws from a table of the counts that are not negligible. If there are more than kMost of these
// counts, a search finds the quantile.
class NegativeBinomial::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan) {
    for (Index k = 0; k < parameters.size.rows(); ++k) {
      classes_.emplace_back(parameters.law(static_cast<int>(k)));
    }
  }

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    to.number(plan_.features[0], row) = classes_[static_cast<std::size_t>(k)].quantile(*u);
  }

 private:
  struct OfClass {
    static constexpr double kMost = 1e5;

    CountTails tails;
    double first = 0;
    Vector cumulative;

    explicit OfClass(const CountLaw& law) : tails(law) {
      if (!law.sound() || law.mean == 0) {
        cumulative = {1};
      } else if (tails.width() <= kMost) {
        fill();
      }
    }

    void fill() {
      const double mode = tails.mode();
      tails.each_below(mode, 0, [&](double term) { cumulative.push_back(term); });
      first = mode - static_cast<double>(cumulative.size());
      std::reverse(cumulative.begin(), cumulative.end());
      cumulative.push_back(1);
      const double last = -kNegativeInfinity;
      tails.each_above(mode, last, [&](double term) { cumulative.push_back(term); });
      double sum = 0;
      for (double& term : cumulative) term = sum += term;
    }

    double quantile(double u) const {
      if (cumulative.empty()) return search(u);
      return first + index_of_weight(cumulative.data(), static_cast<int>(cumulative.size()), u);
    }

    // The least n with P(X <= n) > u, by halving.
    double search(double u) const {
      const auto beyond = [&](double n) {
        const Tails at = tails.tails(n + 1);
        return u < 0.5 ? at.lower > u : at.upper < 1 - u;
      };
      double low = -1, high = std::max(1.0, tails.mode());
      while (!beyond(high)) {
        low = high;
        high *= 2;
      }
      while (high - low > 1) {
        const double middle = std::floor(low + 0.5 * (high - low));
        if (!(low < middle && middle < high)) break;
        (beyond(middle) ? high : low) = middle;
      }
      return high;
    }
  };

  const Plan& plan_;
  std::vector<OfClass> classes_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/mixture_search.hpp>
#include <engine/likelihood/mixture_terms.hpp>
#include <engine/likelihood/values.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One numeric feature, in each class a finite sum of normals, known or fitted by maximum
// likelihood.
struct Mixture {
  static constexpr const char* name = "mixture";

  // A class in which every fit has a component without spread.
  static constexpr ProblemName spike{"spike"};

  using Plan = ValuesPlan<Mixture>;
  using Options = MixtureOptions;
  using Statistics = ValuesStatistics<Mixture>;

  // The terms of all classes stand side by side, class by class.
  struct Parameters : MixtureWeights {
    Vector mean, sd;
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      MixtureWeights::fields(self, visit);
      visit("mean", self.mean);
      visit("sd", self.sd);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan&, int groups) const {
      left_out.check(1);
      const std::size_t terms = check_weights(groups);
      require(mean.size() == terms, "mean: wrong length");
      require(sd.size() == terms, "sd: wrong length");
    }
    bool sound(int g) const {
      const int first = first_terms()[g];
      for (int t = first; t < first + components[g]; ++t) {
        if (!(log_weight[t] <= kLogOne && std::isfinite(mean[t]) && std::isfinite(sd[t]) &&
              sd[t] > 0)) {
          return false;
        }
      }
      return true;
    }
    // The log density of a number in a class.
    double log_density(int g, double x) const {
      const int first = first_terms()[g];
      double sum = kNegativeInfinity;
      for (int t = first; t < first + components[g]; ++t) {
        const double z = (x - mean[t]) / sd[t];
        sum = log_add(sum, log_weight[t] - std::log(sd[t]) - kHalfLogTwoPi - 0.5 * z * z);
      }
      return sum;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  // With a grid: of its nodes.
  static double log_likelihood(const Plan&, const Statistics& statistics, const Parameters& p) {
    double sum = 0;
    for (std::size_t g = 0; g < statistics.points.size() && !p.left_out[0]; ++g) {
      const Points& points = statistics.points[g];
      for (Index i = 0; i < points.rows(); ++i) {
        sum += times_log(points(i, 1), p.log_density(static_cast<int>(g), points(i, 0)));
      }
    }
    return sum;
  }
  // Of each class with rows: weights, means and variances; the weights sum to 1.
  static double parameter_count(const Plan&, const Options&, const Parameters& p, int) {
    if (p.left_out[0]) return 0;
    double count = 0;
    const IntVector first = p.first_terms();
    for (std::size_t g = 0; g < first.size(); ++g) {
      if (!std::isnan(p.sd[first[g]])) count += 3.0 * p.components[g] - 1;
    }
    return count;
  }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int, double origin) {
    Normals::OfClass terms;
    const int first = p.first_terms()[k];
    for (int t = first; t < first + p.components[k]; ++t) {
      terms.push_back({p.log_weight[t], p.mean[t] - origin, p.sd[t]});
    }
    return terms;
  }

  class Scorer;
  class Drawer;
};

class Mixture::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan),
        left_out_(parameters.left_out[0]),
        components_(parameters.components),
        first_(parameters.first_terms()),
        most_(*std::max_element(components_.begin(), components_.end())) {
    for (std::size_t t = 0; t < parameters.mean.size(); ++t) {
      terms_.push_back({parameters.log_weight[t] - std::log(parameters.sd[t]) - kHalfLogTwoPi,
                        parameters.mean[t], 1 / parameters.sd[t]});
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to || left_out_) return;
    tile.scratch.resize(static_cast<std::size_t>(most_ + 3) * tile.stride);
    const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
    for (int k = 0; k < tile.classes; ++k) add_class(x, k, tile);
  }

 private:
  struct Term {
    double constant, mean, inverse_sd;
  };

  // `negated` holds minus the log terms.
  void add_class(const double* x, int k, Tile& tile) const {
    const int count = components_[k], stride = tile.stride;
    double *sum = tile.scratch.data(), *scratch = sum + stride, *negated = scratch + 2 * stride;
    for (int t = 0; t < count; ++t) {
      const Term& term = terms_[static_cast<std::size_t>(first_[k] + t)];
      double* of_term = negated + t * stride;
      for (int r = 0; r < stride; ++r) {
        const double z = (x[r] - term.mean) * term.inverse_sd;
        of_term[r] = 0.5 * z * z - term.constant;
      }
    }
    write_log_sums(loops_, negated, count, stride, scratch, sum);
    double* out = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) out[r] += std::isfinite(x[r]) ? sum[r] : 0.0;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  bool left_out_;
  IntVector components_, first_;
  int most_;  // components of a class
  std::vector<Term> terms_;
};

// The first uniform number chooses the component; one component needs none.
class Mixture::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), choice_(parameters) {}

  int uniforms() const { return choice_.uniforms() + 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const int term = choice_.choose(k, u);
    const double sd = parameters_.left_out[0] ? 0 : parameters_.sd[term];
    to.number(plan_.features[0], row) =
        parameters_.mean[term] + sd * normal_quantile(u[choice_.uniforms()]);
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  ComponentChoice choice_;
};

}  // namespace bayesrisk

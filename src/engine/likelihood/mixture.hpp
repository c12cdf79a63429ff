#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/marginal/normals.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Single numeric features, each a finite sum of normals given the class: one bank for all. The sums
// are given, never estimated.
struct Mixture {
  static constexpr const char* name = "mixture";

  using Plan = SingleFeatures<Mixture>;
  using Options = NoOptions<Mixture>;

  // The terms stand side by side: first the terms of the first feature, class by class, then the
  // terms of the second feature, and so on.
  struct Parameters {
    IntMatrix components;  // groups x features: the number of terms
    Vector log_weight, mean, sd;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("components", self.components);
      visit("log_weight", self.log_weight);
      visit("mean", self.mean);
      visit("sd", self.sd);
    }
    void check(const Plan& plan, int groups) const {
      require(components.rows() == groups && components.cols() == plan.members(),
              "components: wrong dimensions");
      std::size_t terms = 0;
      for (Index i = 0; i < components.size(); ++i) {
        require(components.data()[i] >= 1, "components: none");
        terms += static_cast<std::size_t>(components.data()[i]);
      }
      require(log_weight.size() == terms, "log_weight: wrong length");
      require(mean.size() == terms, "mean: wrong length");
      require(sd.size() == terms, "sd: wrong length");
    }
    // Where the terms of each class and feature begin.
    IntMatrix first_terms() const {
      IntMatrix result(components.rows(), components.cols());
      int next = 0;
      for (Index i = 0; i < components.size(); ++i) {
        result.data()[i] = next;
        next += components.data()[i];
      }
      return result;
    }
    bool sound(int g) const {
      const IntMatrix first = first_terms();
      for (Index j = 0; j < components.cols(); ++j) {
        for (int t = first(g, j); t < first(g, j) + components(g, j); ++t) {
          if (!(log_weight[t] <= kLogOne && std::isfinite(mean[t]) && std::isfinite(sd[t]) &&
                sd[t] > 0)) {
            return false;
          }
        }
      }
      return true;
    }
  };

  struct Statistics {
    Statistics() = default;
    Statistics(const Plan&, int) {}

    template <class Self, class Visitor>
    static void fields(Self&, Visitor&) {}
    void check(const Plan&, int) const {}
    void collect(const Plan&, const Frame&, const Chunk&, Diagnostics&) {}
    void merge(const Plan&, const Statistics&) {}
    Statistics realign(const Plan&, const Plan&, const Mapping&) const { return {}; }
    Statistics of_groups(const Plan&, int, int) const { return {}; }
  };

  static Parameters estimate(const Plan&, const Statistics&, const Options&, const Classes&,
                             Diagnostics&) {
    throw InvalidState("a mixture is given, not estimated");
  }
  static double log_likelihood(const Plan&, const Statistics&, const Parameters&) { return kNaN; }
  static double parameter_count(const Plan&, const Options&, int) { return kNaN; }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    Normals::OfClass terms;
    const int first = p.first_terms()(k, member);
    for (int t = first; t < first + p.components(k, member); ++t) {
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
      : plan_(plan), components_(parameters.components), first_(parameters.first_terms()) {
    for (std::size_t t = 0; t < parameters.mean.size(); ++t) {
      terms_.push_back({parameters.log_weight[t] - std::log(parameters.sd[t]) - kHalfLogTwoPi,
                        parameters.mean[t], 1 / parameters.sd[t]});
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    const int most = from < to ? components_.middleCols(from, to - from).maxCoeff() : 0;
    tile.scratch.resize(static_cast<std::size_t>(most + 3) * tile.stride);
    for (int j = from; j < to; ++j) {
      const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
      for (int k = 0; k < tile.classes; ++k) add_class(x, k, j, tile);
    }
  }

 private:
  struct Term {
    double constant, mean, inverse_sd;
  };

  // Terms are summed relative to the largest one, which dominates in the tails. `negated` holds
  // minus the log terms.
  void add_class(const double* x, int k, int j, Tile& tile) const {
    const int count = components_(k, j), stride = tile.stride;
    double *least = tile.scratch.data(), *sum = least + stride, *share = sum + stride,
           *negated = share + stride;
    for (int t = 0; t < count; ++t) {
      const Term& term = terms_[static_cast<std::size_t>(first_(k, j) + t)];
      double* of_term = negated + t * stride;
      for (int r = 0; r < stride; ++r) {
        const double z = (x[r] - term.mean) * term.inverse_sd;
        of_term[r] = 0.5 * z * z - term.constant;
      }
    }
    loops_.find_least(negated, count, stride, stride, least);
    double* out = tile.of_class(k);
    if (count == 1) {
      for (int r = 0; r < tile.rows; ++r) out[r] -= std::isfinite(x[r]) ? least[r] : 0.0;
      return;
    }
    std::fill_n(sum, stride, 0.0);
    for (int t = 0; t < count; ++t) {
      loops_.add_exponentials(least, negated + t * stride, stride, share, sum);
    }
    for (int r = 0; r < tile.rows; ++r) {
      if (!std::isfinite(x[r])) continue;
      out[r] += std::isinf(least[r]) ? kNegativeInfinity : std::log(sum[r]) - least[r];
    }
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  IntMatrix components_, first_;
  std::vector<Term> terms_;
};

// The first uniform number chooses the component; a feature with one component needs none.
class Mixture::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), first_(parameters.first_terms()) {
    for (int j = 0; j < plan.members(); ++j) {
      needed_.push_back(parameters.components.col(j).maxCoeff() > 1 ? 2 : 1);
      uniforms_ += needed_.back();
    }
    for (Index i = 0; i < parameters.components.size(); ++i) {
      double sum = 0;
      for (int t = 0; t < parameters.components.data()[i]; ++t) {
        sum += std::exp(parameters.log_weight[cumulative_.size()]);
        cumulative_.push_back(sum);
      }
    }
  }

  int uniforms() const { return uniforms_; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      int term = first_(k, j);
      if (needed_[j] > 1) {
        term += index_of_weight(&cumulative_[term], parameters_.components(k, j), *u++);
      }
      to.number(plan_.features[j], row) =
          parameters_.mean[term] + parameters_.sd[term] * normal_quantile(*u++);
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  IntMatrix first_;
  IntVector needed_;
  int uniforms_ = 0;
  Vector cumulative_;
};

}  // namespace bayesrisk

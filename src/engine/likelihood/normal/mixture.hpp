#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/normal/mixture_search.hpp>
#include <engine/likelihood/normal/mixture_terms.hpp>
#include <engine/likelihood/normal/values.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One numeric feature, in each class a finite sum of normals, known or fitted by maximum
// likelihood.
struct Mixture : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms {
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
    void check(const Plan&, int groups) const;
    bool sound(int g) const;
    // The log density of a number in a class.
    double log_density(int g, double x) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  // With a grid: of its nodes.
  static double log_likelihood(const Plan&, const Statistics& statistics, const Parameters& p);
  // Counts weights, means and variances of each class with rows; the weights sum to 1.
  static double parameter_count(const Plan&, const Options&, const Parameters& p, int);

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int, double origin);

  static constexpr ByMarginals overlap{};
  static constexpr Unsupported tilt{"a sum of normals to a power is no sum of normals"};
  static constexpr bool kLendsSpread = false;

  class Scorer;
  class Drawer;
};

class Mixture::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  struct Term {
    double constant, mean, inverse_sd;
  };

  // `negated` holds minus the log terms.
  void add_class(const double* x, int k, Tile& tile) const;

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

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  ComponentChoice choice_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/normal/multivariate_mixture_scorer.hpp>
#include <engine/likelihood/normal/values.hpp>

namespace bayesrisk {

// One numeric feature, in each class a finite sum of normals, known or fitted by maximum
// likelihood: a block of one feature. Its statistics are those of a kernel, and its parameters
// have a number in the place of each matrix.
struct Mixture : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "mixture";

  using Block = MultivariateMixture;
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
    Block::Parameters of_block() const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  // With a grid: of its nodes.
  static double log_likelihood(const Plan&, const Statistics& statistics, const Parameters& p) {
    return Block::log_likelihood_of(statistics.points, p.of_block());
  }
  static double parameter_count(const Plan& plan, const Options&, const Parameters& p,
                                int classes) {
    return Block::parameter_count({{plan.features}}, {}, p.of_block(), classes);
  }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int, double origin) {
    return p.normals_of(k, [&](int t) { return NormalComponent{0, p.mean[t] - origin, p.sd[t]}; });
  }

  static constexpr ByMarginals overlap{};
  static constexpr Unsupported tilt = Block::tilt;
  static constexpr bool kLendsSpread = false;

  // The scorer or the drawer of the block.
  template <class Part>
  class OfBlock {
   public:
    OfBlock(const Plan& plan, const Parameters& p)
        : plan_{{plan.features}}, parameters_(p.of_block()), part_(plan_, parameters_) {}
    OfBlock(const OfBlock&) = delete;

    void add(const Frame& frame, int from, int to, Tile& tile) const {
      part_.add(frame, from, to, tile);
    }
    int uniforms() const { return part_.uniforms(); }
    void draw(int k, const double* u, Index row, DrawnRows& to) const { part_.draw(k, u, row, to); }

   private:
    Block::Plan plan_;
    Block::Parameters parameters_;
    Part part_;
  };
  using Scorer = OfBlock<Block::Scorer>;
  using Drawer = OfBlock<Block::Drawer>;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/risk/line_risk.hpp>
#include <engine/risk/method.hpp>
#include <engine/world/combinations.hpp>

namespace bayesrisk {

// A world of categorical features and at most one numeric feature (-1: none).
struct LineWorld {
  View view;
  Combinations combinations;
  int numeric = -1;
  double origin = 0;  // of the coordinates of the numeric feature

  LineWorld with_prior(const Vector& prior) const {
    return {view.with_prior(prior), combinations, numeric, origin};
  }

  // The marginal of the numeric feature in a model.
  Marginal marginal_of(const View& model) const {
    return bayesrisk::marginal_of(model, numeric, origin);
  }
};

// The decisions of a rule in each combination of a world.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual std::vector<Regions> regions(Index begin, Index count) const = 0;
};

// A model as a rule: it decides by its own prior and likelihoods. The cost is in the
// order of its classes.
class ModelRule : public Rule {
 public:
  ModelRule(const View& view, const LineWorld& world, const Cost& cost);

  std::vector<Regions> regions(Index begin, Index count) const override;

 private:
  const LineWorld& world_;
  const Cost& cost_;
  CombinationScorer combinations_;
  Marginal met_, believed_;
};

// A rule given by its regions in each combination.
class GivenRule : public Rule {
 public:
  explicit GivenRule(std::vector<Regions> regions) : regions_(std::move(regions)) {}

  std::vector<Regions> regions(Index begin, Index count) const override {
    return {regions_.begin() + begin, regions_.begin() + begin + count};
  }

 private:
  std::vector<Regions> regions_;
};

// Joint probabilities of truth (rows) and decision (columns). Combinations are summed in
// batches of a fixed size, in their order: the result does not depend on the threads.
Matrix decision_table(const LineWorld& world, const Rule& rule, int actions,
                      const Context& context);

// The same table with a bound of its errors.
RiskTable line_risk(const LineWorld& world, const Rule& rule, int actions, const Context& context);

// A world of at most one numeric feature.
class LineMethod : public RiskMethod {
 public:
  LineMethod(const LineWorld& world, const View& rule, const Cost& cost, const Context& context)
      : world_(world), rule_(rule), cost_(cost), context_(context) {}

  RiskTable risk(const Vector& world, const Vector& rule) const override;

 private:
  LineWorld world_;
  View rule_;
  const Cost& cost_;
  const Context& context_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/charge/line_risk.hpp>
#include <engine/core/context.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/world/combinations.hpp>

namespace bayesrisk {

// A world of categorical features and at most one numeric feature (-1: none).
struct LineWorld {
  View view;
  Combinations combinations;
  int numeric = -1;
  double origin = 0;  // of the coordinates of the numeric feature

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
  ModelRule(const View& view, const LineWorld& world, const Cost& cost)
      : world_(world), cost_(cost), combinations_(view, world.combinations) {
    if (world.numeric < 0) return;
    met_ = world.marginal_of(world.view);
    believed_ = world.marginal_of(view);
  }

  std::vector<Regions> regions(Index begin, Index count) const override {
    const Matrix log_joint = combinations_.log_joint(begin, count);
    std::vector<Regions> result;
    RowRule rule(cost_);
    for (Index i = 0; i < count; ++i) {
      const Eigen::VectorXd of_combination = log_joint.col(i);
      if (world_.numeric < 0) {
        result.push_back({{}, {rule.decide(of_combination)}, {}});
      } else {
        const Vector log_prior(of_combination.data(),
                               of_combination.data() + of_combination.size());
        result.push_back(regions_in(met_, believed_, log_prior, cost_));
      }
    }
    return result;
  }

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
inline Matrix decision_table(const LineWorld& world, const Rule& rule, int actions,
                             const Context& context) {
  constexpr Index kBatch = 256;
  const auto combinations = static_cast<Index>(world.combinations.count());
  const Index batches = (combinations + kBatch - 1) / kBatch;
  const CombinationScorer scorer(world.view, world.combinations);
  Marginal marginal = Normals{{world.view.prior.size(), Normals::unknown()}};
  if (world.numeric >= 0) marginal = world.marginal_of(world.view);
  std::vector<Matrix> parts(static_cast<std::size_t>(batches));
  context.run(batches, [&](Index batch) {
    const Index begin = batch * kBatch, count = std::min(kBatch, combinations - begin);
    const Matrix log_joint = scorer.log_joint(begin, count);
    const std::vector<Regions> regions = rule.regions(begin, count);
    Matrix& table = parts[static_cast<std::size_t>(batch)];
    table = Matrix::Zero(log_joint.rows(), actions);
    for (Index i = 0; i < count; ++i) {
      const Vector log_prior(log_joint.col(i).data(), log_joint.col(i).data() + log_joint.rows());
      add_probabilities(marginal, log_prior, regions[static_cast<std::size_t>(i)], table);
    }
  });
  Matrix total = Matrix::Zero(static_cast<Index>(world.view.prior.size()), actions);
  for (const Matrix& part : parts) total += part;
  return total;
}

// The Bayes risk of a world at several priors, one per row.
inline Vector bayes_risks(const LineWorld& world, const Matrix& priors, const Cost& cost,
                          const Context& context) {
  Vector risks;
  for (Index i = 0; i < priors.rows(); ++i) {
    Vector prior(static_cast<std::size_t>(priors.cols()));
    Eigen::Map<Eigen::RowVectorXd>(prior.data(), priors.cols()) = priors.row(i);
    const View& of = world.view;
    const LineWorld there{{of.plan, of.parameters, prior, of.feature, of.level},
                          world.combinations,
                          world.numeric,
                          world.origin};
    const ModelRule rule(there.view, there, cost);
    risks.push_back(cost_of_table(decision_table(there, rule, cost.actions(), context), cost));
  }
  return risks;
}

}  // namespace bayesrisk

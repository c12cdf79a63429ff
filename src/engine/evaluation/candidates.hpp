#pragma once

#include <engine/model/fit.hpp>
#include <engine/model/score.hpp>

namespace bayesrisk {

// One way to estimate a model from statistics that several candidates share.
struct Candidate {
  ModelPlan plan;  // its features are numbered as those of the shared plan
  IntVector bank;  // for each shared bank its position in this plan, -1: not used
  std::vector<AnyOptions> options;
  Vector prior;          // empty: the shares of the classes
  bool uniform = false;  // an equal share for each class that has rows
  bool borrow = false;   // see Estimator
  IntVector part_of{};   // per block its exponent, from 0; empty: nothing is tempered
  int parts = 0;
};

// A candidate's model of the rows outside a fold, or the reason why it does not exist.
struct FoldModel {
  Estimate estimate;
  Tempering tempering;
  std::unique_ptr<Scorer> scorer;  // none: the model does not exist
  IntVector empty;                 // classes without rows
  Diagnostics problems;
};

// Maps each group, feature and level to itself. A candidate uses a part of the shared statistics
// and numbers groups, features and levels in the same way.
inline Mapping identity_mapping(const ModelPlan& shared, int features) {
  Mapping mapping;
  mapping.groups = shared.groups;
  for (int g = 0; g < shared.groups; ++g) mapping.group.push_back(g);
  for (int j = 0; j < features; ++j) mapping.feature.push_back(j);
  mapping.level.resize(features);
  for (const AnyPlan& bank : shared.banks) {
    std::visit(
        [&](const auto& p) {
          if constexpr (has_levels<std::decay_t<decltype(p)>>) {
            for (int j = 0; j < p.members(); ++j) {
              IntVector& level = mapping.level[p.features[j]];
              level.resize(p.levels[j]);
              for (int l = 0; l < p.levels[j]; ++l) level[l] = l;
            }
          }
        },
        bank);
  }
  return mapping;
}

class CandidateEstimator {
 public:
  CandidateEstimator(const ModelPlan& shared, int features, const Context& context)
      : shared_(shared),
        identity_(identity_mapping(shared, features)),
        context_(context.within_task()) {}

  FoldModel estimate(const Candidate& candidate, const ModelStatistics& training) const {
    FoldModel model;
    const ModelStatistics own =
        realign(shared_, training, candidate.plan, identity_, candidate.bank);
    Vector prior = candidate.prior;
    if (candidate.uniform) prior.assign(shared_.groups, 1.0);
    bool lost_prior = false;
    for (int k = 0; k < shared_.groups; ++k) {
      if (own.classes.weight[k] > 0) continue;
      model.empty.push_back(k);
      if (candidate.uniform) prior[k] = 0;
      lost_prior = lost_prior || (!prior.empty() && prior[k] > 0);
    }
    const int present = shared_.groups - static_cast<int>(model.empty.size());
    if (present == 0 || lost_prior) return model;
    if (candidate.uniform) {
      for (double& p : prior) p /= present;
    }
    model.estimate = Estimator(candidate.plan, own, candidate.options, candidate.borrow, context_)
                         .estimate(prior, model.problems);
    return model;
  }

  // The model must not move from here on: its scorer refers to its parameters.
  static void make_scorer(const Candidate& candidate, Index rows, FoldModel& model) {
    if (model.estimate.prior.empty() || model.problems.stops()) return;
    model.scorer = std::make_unique<Scorer>(candidate.plan, model.estimate.banks,
                                            model.estimate.prior, rows, model.tempering);
  }

 private:
  const ModelPlan& shared_;
  Mapping identity_;
  Context context_;
};

}  // namespace bayesrisk

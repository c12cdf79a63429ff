#pragma once

#include <engine/model/parameter_posterior.hpp>
#include <engine/model/pooling.hpp>
#include <engine/model/score.hpp>

namespace bayesrisk {

// What a group that is cross-validated learns from: the statistics of all other groups, and how
// many cases of the model of all rows outside the fold it adds.
struct OtherGroups {
  ModelStatistics statistics;
  PooledCases cases;
};

// One way to estimate a model from statistics that several candidates share.
struct Candidate {
  ModelPlan plan;  // its features are numbered as those of the shared plan
  IntVector bank;  // for each shared bank its position in this plan, -1: not used
  std::vector<AnyOptions> options;
  Vector prior;             // empty: the shares of the classes
  bool uniform = false;     // an equal share for each class that has rows
  bool borrow = false;      // see Estimator
  bool predictive = false;  // its scores are those of the predictive distributions
  IntVector part_of{};      // per block its exponent, from 0; empty: nothing is tempered
  int parts = 0;
  std::shared_ptr<const OtherGroups> others{};  // null: nothing is pooled
};

// A candidate's model of the rows outside a fold, or the reason why it does not exist. Its scorer
// refers to its parameters.
struct FoldModel {
  Estimate estimate;
  Tempering tempering;
  std::unique_ptr<Scorer> scorer;  // none: the model does not exist
  IntVector empty;                 // classes without rows
  Diagnostics problems;
};

// A fold's models, one of each candidate. Folds may share models.
using ModelsOfFold = std::vector<std::shared_ptr<FoldModel>>;
using FoldModels = std::vector<ModelsOfFold>;

// Maps each group, feature and level to itself. A candidate uses a part of the shared statistics
// and numbers groups, features and levels in the same way.
Mapping identity_mapping(const ModelPlan& shared, int features);

class CandidateEstimator {
 public:
  CandidateEstimator(const ModelPlan& shared, int features, const Context& context)
      : shared_(shared),
        identity_(identity_mapping(shared, features)),
        context_(context.within_task()) {}

  // The models of all candidates, to score about `rows` rows. `exponents`: those of the candidates,
  // or null.
  ModelsOfFold models(const std::vector<Candidate>& candidates, const ModelStatistics& training,
                      Index rows, const std::vector<Tempering>* exponents = nullptr) const;

 private:
  // The statistics with the cases of the merged model.
  ModelStatistics pooled(const Candidate& candidate, const ModelStatistics& training,
                         Diagnostics& problems) const;

  // `training`: the statistics of the candidate; `options`: its own, or those of a pooled group.
  FoldModel estimate(const Candidate& candidate, const std::vector<AnyOptions>& options,
                     const ModelStatistics& training) const;

  void add_scorer(const Candidate& candidate, const std::vector<AnyOptions>& options,
                  const ModelStatistics& training, Index rows, FoldModel& model) const;

  const ModelPlan& shared_;
  Mapping identity_;
  Context context_;
};

}  // namespace bayesrisk

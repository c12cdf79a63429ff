#pragma once

#include <engine/model/fit.hpp>

namespace bayesrisk {

// How many cases of the merged model the groups add to their rows: in the counts of the classes,
// and in each block of each bank.
struct PooledCases {
  double classes = 0;
  std::vector<Vector> banks;
};

// Partial pooling: a group learns from the model of all groups. For a block without a given number
// of cases (NaN) it is the one under which the rows of the groups are most probable.
class Pooler {
 public:
  // `parts`: the statistics of each group.
  Pooler(const ModelPlan& plan, const std::vector<ModelStatistics>& parts,
         const std::vector<AnyOptions>& options, bool borrow, const Context& context);

  const ModelStatistics& statistics() const { return statistics_; }
  const Estimate& merged() const { return merged_; }
  const Diagnostics& problems() const { return problems_; }

  PooledCases choose(PooledCases cases) const;

 private:
  double most_probable_of_block(std::size_t b, int block) const;
  double log_marginal_of_classes(double cases) const;

  const ModelPlan& plan_;
  const std::vector<ModelStatistics>& parts_;
  const std::vector<AnyOptions>& options_;
  Context context_;
  ModelStatistics statistics_;  // of all groups
  Diagnostics problems_;        // of the estimate, which fills it
  Estimate merged_;
};

// The options of a group with the cases.
std::vector<AnyOptions> options_with_cases(const ModelPlan& plan,
                                           const std::vector<AnyOptions>& options,
                                           const PooledCases& cases);

// The classes of a group with the cases.
ClassStatistics with_cases(ClassStatistics own, const ClassStatistics& all, const Estimate& merged,
                           const PooledCases& cases);

// The statistics of a group with the cases. `statistics`: of all groups.
ModelStatistics with_cases(const ModelPlan& plan, const ModelStatistics& own,
                           const ModelStatistics& statistics, const Estimate& merged,
                           const std::vector<AnyOptions>& options, const PooledCases& cases);

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/data/mapping.hpp>
#include <engine/model/plan.hpp>

#include <numeric>

namespace bayesrisk {

// The weight and the number of rows of each class.
struct ClassStatistics {
  Vector weight, rows;

  explicit ClassStatistics(int groups = 0) : weight(groups, 0.0), rows(groups, 0.0) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("rows", self.rows);
  }
  Vector shares() const {
    Vector result = weight;
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (double& w : result) w /= total;
    return result;
  }
  ClassStatistics of_groups(int first, int count) const;
  void merge(const ClassStatistics& other);
};

struct ModelStatistics {
  ClassStatistics classes;
  std::vector<AnyStatistics> banks;

  ModelStatistics() = default;
  explicit ModelStatistics(const ModelPlan& plan) : classes(plan.groups) {
    for (const AnyPlan& bank : plan.banks) banks.push_back(bank->statistics(plan.groups));
  }

  void merge(const ModelPlan& plan, const ModelStatistics& other,
             const Context& context = Context());

  // The statistics of some of the groups.
  ModelStatistics of_groups(const ModelPlan& plan, int first, int count) const;
};

ModelStatistics realign(const ModelPlan& plan, const ModelStatistics& statistics,
                        const ModelPlan& target, const Mapping& mapping, const IntVector& bank);

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/model/plan.hpp>

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
  void merge(const ClassStatistics& other) {
    for (std::size_t g = 0; g < weight.size(); ++g) {
      weight[g] += other.weight[g];
      rows[g] += other.rows[g];
    }
  }
};

struct ModelStatistics {
  ClassStatistics classes;
  std::vector<AnyStatistics> banks;

  ModelStatistics() = default;
  explicit ModelStatistics(const ModelPlan& plan) : classes(plan.groups) {
    for (const AnyPlan& bank : plan.banks) {
      std::visit(
          [&](const auto& p) { banks.emplace_back(StatisticsOf<decltype(p)>(p, plan.groups)); },
          bank);
    }
  }

  void merge(const ModelPlan& plan, const ModelStatistics& other,
             const Context& context = Context()) {
    classes.merge(other.classes);
    for (std::size_t b = 0; b < banks.size(); ++b) {
      context.check();
      std::visit(
          [&](const auto& p) {
            using State = StatisticsOf<decltype(p)>;
            std::get<State>(banks[b]).merge(p, std::get<State>(other.banks[b]));
          },
          plan.banks[b]);
    }
  }

  // The statistics of some of the groups.
  ModelStatistics of_groups(const ModelPlan& plan, int first, int count) const {
    ModelStatistics part;
    part.classes = groups_of(classes, first, count);
    for (std::size_t b = 0; b < banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            using State = StatisticsOf<decltype(p)>;
            part.banks.emplace_back(std::get<State>(banks[b]).of_groups(p, first, count));
          },
          plan.banks[b]);
    }
    return part;
  }
};

inline ModelStatistics realign(const ModelPlan& plan, const ModelStatistics& statistics,
                               const ModelPlan& target, const Mapping& mapping,
                               const IntVector& bank) {
  ModelStatistics result(target);
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    result.classes.weight[mapping.group[g]] = statistics.classes.weight[g];
    result.classes.rows[mapping.group[g]] = statistics.classes.rows[g];
  }
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    std::visit(
        [&](const auto& p) {
          using Plan = std::decay_t<decltype(p)>;
          using State = StatisticsOf<Plan>;
          result.banks[bank[b]] = std::get<State>(statistics.banks[b])
                                      .realign(p, std::get<Plan>(target.banks[bank[b]]), mapping);
        },
        plan.banks[b]);
  }
  return result;
}

}  // namespace bayesrisk

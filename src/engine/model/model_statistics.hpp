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

// Multiplies the weight of every row by a factor; numbers of rows stay. The fields of statistics
// are sums over rows, but for means; a triangle has the root of the factor, and of points the
// weights stand in the last column.
class StatisticsScaler : public FieldEditor {
 public:
  explicit StatisticsScaler(double factor) : factor_(factor) {}

  void operator()(const char* name, Matrix& field) override;
  void operator()(const char* name, Vector& field) override;
  void operator()(const char* name, std::vector<Matrix>& field) override;
  // Cells and numbers of rows.
  void operator()(const char*, IntMatrix&) override {}
  void operator()(const char*, IntVector&) override {}
  void operator()(const char*, double&) override {}
  void operator()(const char*, bool&) override {}

 private:
  double factor_;
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

  void scale(double factor);

  // The statistics of some of the groups.
  ModelStatistics of_groups(const ModelPlan& plan, int first, int count) const;
};

ModelStatistics realign(const ModelPlan& plan, const ModelStatistics& statistics,
                        const ModelPlan& target, const Mapping& mapping, const IntVector& bank);

}  // namespace bayesrisk

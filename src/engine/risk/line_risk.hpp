#pragma once

#include <engine/marginal/marginal.hpp>
#include <engine/regions/regions.hpp>

namespace bayesrisk {

// Adds the probabilities of regions to the cells of a table (classes x actions). A region without a
// decision gets the first action, as in predict().
class DecisionColumn {
 public:
  DecisionColumn(Matrix& table, std::size_t group, const Regions& rule)
      : table_(table), group_(static_cast<Index>(group)), rule_(rule) {}

  double& operator[](std::size_t region) const {
    return table_(group_, std::max(0, rule_.decision[region]));
  }

 private:
  Matrix& table_;
  Index group_;
  const Regions& rule_;
};

// Adds exp(log_prior of the class) * P(action | class) to the table (classes x actions). A value on
// a cut belongs to the region on its right.
void add_probabilities(const Marginal& world, const Vector& log_prior, const Regions& rule,
                       Matrix& table);

}  // namespace bayesrisk

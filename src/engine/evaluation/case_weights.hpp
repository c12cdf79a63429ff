#pragma once

#include <engine/data/columns.hpp>

#include <algorithm>

namespace bayesrisk {

// The weights of assessed cases. A weight multiplies the case, and a prior divides the weight
// of each class by its share: the cases then stand for a population with this prior.
struct CaseWeights {
  Vector of;        // relative to the first weight above 0; empty: all cases count alike
  double unit = 1;  // that weight; counts are sums of the weights in `of`, times `unit`
  int absent = 0;   // a class, from 1, that has a prior and no case; 0: none
};

// `truth`: from 1, or missing; `weight`: null if all are 1; `prior`: empty if the classes keep
// their shares.
inline CaseWeights weigh_cases(const int* truth, Index rows, const double* weight,
                               const Vector& prior) {
  CaseWeights found;
  if (weight) {
    const double* first = std::find_if(weight, weight + rows, [](double w) { return w > 0; });
    if (first != weight + rows) found.unit = *first;
  }
  found.of.resize(static_cast<std::size_t>(rows));
  for (Index r = 0; r < rows; ++r) found.of[r] = weight ? weight[r] / found.unit : 1.0;
  Vector factor(prior.size(), 0.0);
  double total = 0;
  for (Index r = 0; r < rows && !prior.empty(); ++r) {
    if (truth[r] == kMissingInteger) continue;
    factor[truth[r] - 1] += found.of[r];
    total += found.of[r];
  }
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (prior[k] > 0 && factor[k] == 0 && !found.absent) found.absent = static_cast<int>(k) + 1;
    factor[k] = factor[k] > 0 ? prior[k] * total / factor[k] : 0.0;
  }
  bool alike = true;
  for (Index r = 0; r < rows; ++r) {
    if (truth[r] == kMissingInteger) continue;
    if (!prior.empty()) found.of[r] *= factor[truth[r] - 1];
    alike = alike && found.of[r] == 1;
  }
  if (alike) found.of.clear();
  return found;
}

}  // namespace bayesrisk

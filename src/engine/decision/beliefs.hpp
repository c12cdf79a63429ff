#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// What is believed about the rows of a tile: a column per class. A loss falls with the
// probability: minus the log joint of a model, where that is known, or else minus the
// probability itself. Only the loss tells an impossible class from one whose
// probability is too small for a double.
struct Beliefs {
  int classes, rows, stride;
  const double* weight;  // probabilities, in each row times a factor
  const double* scale;   // the sum of the weights; null: the weights are probabilities
  const double* loss;
  double impossible;  // the loss of a class that cannot be
  double floor;       // of the size of a loss, for the band of a tie

  const double* weight_of(int k) const { return weight + static_cast<Index>(k) * stride; }
  const double* loss_of(int k) const { return loss + static_cast<Index>(k) * stride; }
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The probabilities of the classes in the rows of a tile, a column per class. Classes are ranked by
// improbability: minus the log joint of a model, or minus a probability that a user gave. The log
// joint tells an impossible class from one whose probability is too small for a double.
struct Beliefs {
  int classes, rows, stride;
  const double* weight;  // probabilities times a factor for each row
  const double* scale;   // the sum of the weights; null: the weights are probabilities
  const double* improbability;
  double impossible;  // the improbability of an impossible class
  double floor;       // the least size of an improbability, for the tolerance of a tie

  const double* weight_of(int k) const { return weight + static_cast<Index>(k) * stride; }
  const double* improbability_of(int k) const {
    return improbability + static_cast<Index>(k) * stride;
  }
};

}  // namespace bayesrisk

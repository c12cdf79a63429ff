#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The probabilities of the classes in the rows of a tile, a column per class. The improbability of
// a class is minus the log joint of a model where that is known, and otherwise minus the
// probability. The log joint tells an impossible class from one whose
// probability is too small for a double.
struct Beliefs {
  int classes, rows, stride;
  const double* weight;  // probabilities, in each row times a factor
  const double* scale;   // the sum of the weights; null: the weights are probabilities
  const double* improbability;
  double impossible;  // the improbability of a class that cannot be
  double floor;       // of the size of an improbability, for the band of a tie

  const double* weight_of(int k) const { return weight + static_cast<Index>(k) * stride; }
  const double* improbability_of(int k) const {
    return improbability + static_cast<Index>(k) * stride;
  }
};

}  // namespace bayesrisk

#pragma once

#include <engine/model/score.hpp>

namespace bayesrisk {

// Fisher's discriminant coordinates of the Gaussian features: linear functions whose covariance in
// each class is the identity, ordered by the spread of the class means. They exist if all classes
// share the covariance. Other features have no part in them.
struct Discriminants {
  IntVector features;  // that have a coefficient, ascending
  IntVector
      unpooled;    // features whose covariance differs between classes; if any, all else is empty
  Matrix scaling;  // features x coordinates
  Vector centre, centre_low;  // the mean of the features is the sum of both
  Matrix mean;                // classes x coordinates; NaN for a class without parameters
  Vector between;             // the standard deviation of the class means along each coordinate
  int directions = 0;         // of the features that were searched
};

// Directions in which features, scaled to a standard deviation of 1 in each class, have one of at
// most `tolerance` are not searched. Coordinates along which the means are closer than that share
// of the first coordinate are left out.
Discriminants find_discriminants(const ModelPlan& plan,
                                 const std::vector<AnyParameters>& parameters, const Vector& prior,
                                 double tolerance);

// Writes the coordinates of rows, row x coordinate; `missing` where a feature with a coefficient is
// missing or infinite.
ScoreReport discriminant_scores(const Discriminants& found, const Frame& frame, double missing,
                                double* out, const Context& context);

}  // namespace bayesrisk

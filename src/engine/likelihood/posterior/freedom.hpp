#pragma once

#include <engine/core/diagnostics.hpp>

namespace bayesrisk {

// The degrees of freedom of the scatter of a class that borrows cases.
inline double freedom_of_class(double weight, double borrow) {
  return std::max(weight - 1, 0.0) + borrow;
}

inline void require_freedom(double freedom, double weight, int g, int feature,
                            Diagnostics& diagnostics) {
  if (!(freedom > 0 && weight > 0)) diagnostics.add(Problem::no_freedom, g, feature, weight);
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>

#include <numeric>

namespace bayesrisk {

// The classes of an estimate.
struct Classes {
  const Vector& weight;
  bool borrow = false;  // a class whose estimate does not exist borrows from the others
  Context context{};    // long estimates ask it whether they have to stop, or run tasks on it

  int count() const { return static_cast<int>(weight.size()); }
  bool has_rows(int g) const { return weight[g] > 0; }
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/types.hpp>

#include <variant>

namespace bayesrisk {

// weight * N(mean, sd^2).
struct NormalTerm {
  double log_weight, mean, sd;
};

// One numeric feature as each class has it: a sum of normals whose weights sum to 1.
struct Line {
  std::vector<std::vector<NormalTerm>> classes;
};

// One numeric feature whose density is constant between edges, in each class its own; a
// class without edges is nowhere. The bins are closed on the left, the last on both sides.
struct Steps {
  struct OfClass {
    Vector edges, log_probability;  // one edge more
  };
  std::vector<OfClass> classes;
};

// One count, in each class Poisson.
struct Counts {
  Vector rate;
};

// One numeric feature that has a few values, increasing; in each class its own.
struct Atoms {
  struct OfClass {
    Vector value, log_probability;
  };
  std::vector<OfClass> classes;
};

// One numeric feature as each class has it.
using Marginal = std::variant<Line, Steps, Counts, Atoms>;

}  // namespace bayesrisk

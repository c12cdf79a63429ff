#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// Logarithms of factors of odds: evenly spaced around the middle, `step` apart, and in growing
// steps far away. `width`: of the cell of each point.
struct OddsGrid {
  Vector log_ratio, width;

  OddsGrid(double middle, double step, Index half);

  static double largest_step(Index half);
};

// The distribution of the odds before a change, on a grid that follows it: n rows leave an
// uncertainty of 1 / sqrt(n), and on a fixed grid a true value between two points would look like
// many changes between them.
class OddsBefore {
 public:
  // The numbers belong to the owner: a point for no difference, which may have a probability of its
  // own, and the points of a grid.
  struct State {
    Index points;  // with the first one
    double *ratio, *probability, *step;
  };

  explicit OddsBefore(const State& state) : at_(state) {}

  // `log_density`: of the points of a grid. `side`: if not 0, factors on the other side of 1 count
  // as no difference.
  void start(const OddsGrid& grid, const Vector& log_density, double step, int side);

  // Moves the points to where the probability is now, if they are too far apart.
  void refine();

 private:
  void write(const OddsGrid& grid, const Vector& log_density, double mass);

  State at_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/decision/cost.hpp>
#include <engine/evaluation/prior_likelihood.hpp>

namespace bayesrisk {

// The last rows of a stream.
struct MonitorWindow {
  Matrix likelihood;  // of the classes, relative to the largest, rows x classes
  Vector evidence, weight;
  IntVector group;  // the class of each row, from 0; negative: not known
};

// The shares of the classes in a window, and the mean cost per row, expected under these shares, of
// the decisions by the shares of the model and by these shares. NaN: not known.
struct MonitorNow {
  Vector prior, lower, upper;
  double kept = kNaN, fresh = kNaN;
};

// `prior`: of the model; `cases`: its training rows by class, infinite: the density is known;
// `most`: the deviance at the ends of the intervals of known densities.
MonitorNow estimate_now(const MonitorWindow& window, const Vector& prior, const Vector& cases,
                        double most, const CaseCost& cost, const Context& context);

}  // namespace bayesrisk

#pragma once

#include <bayesrisk/risk/minimax.hpp>
#include <bayesrisk/risk/sampled_risks.hpp>

namespace bayesrisk {

// The minimax prior of the classes of a world that have a likelihood; what is asked of it
// is as exact as their risks are there.

// At most one numeric feature: exact.
inline Minimax find_minimax(const CellWorld& world, const IntVector& classes, const Cost& cost,
                            const Context& context) {
  const LineClassRisks risks(world, classes, cost, context);
  return MinimaxSearch(static_cast<Index>(classes.size()), risks, cost, {}).find();
}

// Two numeric features: by quadrature.
inline Minimax find_minimax(const PlaneWorld& world, const IntVector& classes, const Cost& cost,
                            const Context& context) {
  const PlaneClassRisks risks(world, classes, cost, 1e-10, context);
  return MinimaxSearch(static_cast<Index>(classes.size()), risks, cost, {1e-9, 1e-4}).find();
}

// Any features: on rows drawn from the classes.
inline Minimax find_minimax(const View& world, const IntVector& classes, const Cost& cost,
                            std::uint64_t seed, const Context& context) {
  const SampledClassRisks risks(world, classes, cost, seed, context);
  const auto count = static_cast<Index>(classes.size());
  Minimax found = MinimaxSearch(count, std::cref(risks), cost, {1e-8, 0.05}).find();
  found.accuracy = risks.standard_error(found.prior);
  return found;
}

}  // namespace bayesrisk

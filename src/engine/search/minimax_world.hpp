#pragma once

#include <engine/risk/sampled_risks.hpp>
#include <engine/search/minimax.hpp>

namespace bayesrisk {

// The minimax prior of the classes of a world that have a likelihood. Its tolerance follows the
// accuracy of the class risks.

// A class with an infinite cost keeps a positive prior. At a prior of 0 its cost would not count,
// and another rule would be the best.
Minimax search_minimax(const ClassRisks& risks, const IntVector& classes, const Cost& cost,
                       const MinimaxOptions& options);

// For at most one numeric feature: exact.
inline Minimax find_minimax(const LineWorld& world, const IntVector& classes, const Cost& cost,
                            const Context& context) {
  const LineClassRisks risks(world, classes, cost, context);
  return search_minimax(risks, classes, cost, {});
}

// For two classes with normal features: exact.
inline Minimax find_minimax(const View& world, const Combinations& combinations,
                            const IntVector& classes, const Cost& cost, const Context& context) {
  const RatioClassRisks risks(world, combinations, classes, cost, context);
  return search_minimax(std::cref(risks), classes, cost, {});
}

// For two numeric features: by quadrature.
inline Minimax find_minimax(const PlaneWorld& world, const IntVector& classes, const Cost& cost,
                            const Context& context) {
  const PlaneClassRisks risks(world, classes, cost, 1e-10, context);
  return search_minimax(risks, classes, cost, {1e-9, 1e-4});
}

// For any features: on rows drawn from the classes.
Minimax find_minimax(const View& world, const IntVector& classes, const Cost& cost,
                     std::uint64_t seed, const Context& context);

}  // namespace bayesrisk

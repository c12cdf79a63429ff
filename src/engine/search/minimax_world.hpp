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

// By a method that is exact, but for errors of the relative size `error`.
Minimax find_minimax(const RiskMethod& method, const IntVector& classes, const Cost& cost,
                     double error = 0);

// For any features: on rows drawn from the classes.
Minimax find_minimax(const View& world, const IntVector& classes, const Cost& cost,
                     std::uint64_t seed, const Context& context);

}  // namespace bayesrisk

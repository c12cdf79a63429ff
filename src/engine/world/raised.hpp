#pragma once

#include <engine/marginal/marginal.hpp>
#include <engine/marginal/plane.hpp>
#include <engine/model/scorer.hpp>

namespace bayesrisk {

// Densities to a power, as tempered rules use them. A normal to a power is a normal with another
// spread, times a constant. A density to the power 0 is the same in all classes.

NormalComponent raised(const NormalComponent& term, double power);

PlaneTerm raised(const PlaneTerm& term, double power);

// A sum of several normals to a power is no sum of normals.
template <class Term>
void raise(std::vector<Term>& terms, double power) {
  require(terms.size() == 1, "a sum of densities to a power");
  terms[0] = raised(terms[0], power);
}

void raise(Steps::OfClass& steps, double power);

void raise(Marginal& marginal, double power);

}  // namespace bayesrisk

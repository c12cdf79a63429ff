#pragma once

#include <engine/marginal/atoms.hpp>
#include <engine/marginal/counts.hpp>
#include <engine/marginal/gammas.hpp>
#include <engine/marginal/normals.hpp>
#include <engine/marginal/steps.hpp>

#include <variant>

namespace bayesrisk {

// The density of one numeric feature in each class: the only list of the kinds of densities.
// complete.hpp lists their parts.
using Marginal = std::variant<Normals, Counts, Steps, Atoms, Gammas>;

}  // namespace bayesrisk

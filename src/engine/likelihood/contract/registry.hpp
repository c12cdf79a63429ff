#pragma once

#include <engine/likelihood/contract/bank.hpp>

namespace bayesrisk {

// An empty plan of the likelihood with this name, to be filled.
AnyPlan empty_plan(const std::string& likelihood);

// The names of all likelihoods.
std::vector<std::string> likelihood_names();

}  // namespace bayesrisk

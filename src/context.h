#pragma once

// R's side of the engine's Context: threads that R can interrupt.

#include <engine/core/context.hpp>

namespace bind {

bayesrisk::Context make_context(int threads);

}  // namespace bind

#pragma once

// A world of two numeric features, as R passes it.

#include "world.h"

#include <engine/risk/plane_world.hpp>

namespace bind {

inline PlaneWorld plane_of_world(const World& world) {
  require(world.numeric.size() == 2, "not two numeric features");
  const int first = world.numeric[0], second = world.numeric[1];
  return {world.view,
          world.combinations,
          first,
          second,
          {origin_of(world.view, first), origin_of(world.view, second)}};
}

}  // namespace bind

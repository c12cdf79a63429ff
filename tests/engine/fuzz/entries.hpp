#pragma once

#include "boundaries.hpp"
#include "fit.hpp"
#include "states.hpp"

namespace fuzz {

// The first byte chooses the check.
inline void run(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  switch (bytes.below(3)) {
    case 0: return FitCheck(bytes).run();
    case 1: return StateCheck(bytes).run();
    default: return BoundaryCheck(bytes).run();
  }
}

}  // namespace fuzz

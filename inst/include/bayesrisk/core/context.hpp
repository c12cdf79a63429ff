#pragma once

#include <bayesrisk/core/types.hpp>

#include <functional>

namespace bayesrisk {

// What the engine needs from outside: someone who runs tasks. It may run them
// in any order and on any thread, and may throw from run() when interrupted.
struct Context {
  int threads = 1;
  std::function<void(Index tasks, const std::function<void(Index)>& task)> run =
      [](Index tasks, const std::function<void(Index)>& task) {
        for (Index i = 0; i < tasks; ++i) task(i);
      };
};

}  // namespace bayesrisk

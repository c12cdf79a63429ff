#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <functional>

namespace bayesrisk {

// The engine's interface to the caller, which runs tasks. The caller may run them
// in any order and on any thread, and may throw from run() when interrupted.
struct Context {
  int threads = 1;
  std::function<void(Index tasks, const std::function<void(Index)>& task)> run =
      [](Index tasks, const std::function<void(Index)>& task) {
        for (Index i = 0; i < tasks; ++i) task(i);
      };
  // Long loops call this on any thread; it throws when the work has to stop.
  std::function<void()> check = [] {};
  // If the work has several runs, announces the least number of remaining tasks.
  std::function<void(Index tasks)> expect = [](Index) {};

  // For the work within a task, which has no tasks of its own.
  Context within_task() const {
    Context inner;
    inner.check = check;
    return inner;
  }
};

constexpr Index kMostTaskRows = 16384;
constexpr Index kFewestTaskRows = 512;

// The length of a run, if there may be `runs` of them.
inline Index rows_of_run(Index rows, Index runs) {
  return std::max((rows + runs - 1) / runs, kFewestTaskRows);
}

// Merges the reports of part(first, last) over runs of `size` items, in their order. Runs do not
// depend on the number of threads, so sums do not depend on it either.
template <class Report, class Part>
Report merge_runs(Index items, Index size, const Context& context, Report total, const Part& part) {
  std::vector<Report> reports((items + size - 1) / size);
  context.run(static_cast<Index>(reports.size()),
              [&](Index i) { reports[i] = part(i * size, std::min(items, (i + 1) * size)); });
  for (const Report& report : reports) total.merge(report);
  return total;
}

// The same over rows. Runs are small: all threads have work, and interrupts are noticed. `run`: the
// rows of a run; 0: the usual number.
template <class Report, class Part>
Report merge_by_rows(Index rows, const Context& context, Report total, const Part& part,
                     Index run = 0) {
  const Index size = run > 0 ? run : std::clamp(rows / 32, kFewestTaskRows, kMostTaskRows);
  return merge_runs(rows, size, context, std::move(total), part);
}

}  // namespace bayesrisk

#pragma once

// R's side of the engine's Context: threads that R can interrupt.

#include <Rcpp.h>
#include <RcppThread.h>

#include <bayesrisk/core/context.hpp>

#include <memory>

namespace doors {

// A pool of its own for each call: none survives into a forked child.
inline bayesrisk::Context make_context(int threads) {
  bayesrisk::Context context;
  context.threads = std::max(1, threads);
  if (context.threads == 1) {
    context.run = [](bayesrisk::Index tasks, const std::function<void(bayesrisk::Index)>& task) {
      for (bayesrisk::Index i = 0; i < tasks; ++i) {
        Rcpp::checkUserInterrupt();
        task(i);
      }
    };
    return context;
  }
  auto pool = std::make_shared<std::unique_ptr<RcppThread::ThreadPool>>();
  context.run = [pool, threads](bayesrisk::Index tasks,
                                const std::function<void(bayesrisk::Index)>& task) {
    if (tasks == 1) return task(0);
    if (!*pool) *pool = std::make_unique<RcppThread::ThreadPool>(threads);
    for (bayesrisk::Index i = 0; i < tasks; ++i) {
      (*pool)->push([&task, i] { task(i); });
    }
    try {
      (*pool)->wait();
    } catch (const RcppThread::UserInterruptException&) {
      throw Rcpp::internal::InterruptedException();  // an interrupt, not an error
    }
  };
  return context;
}

}  // namespace doors

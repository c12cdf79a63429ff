#pragma once

// The progress of long work, shown by R/progress.R.

#include "rcpp.h"

#include <engine/core/types.hpp>

#include <atomic>
#include <chrono>

namespace doors {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;

  // Adds tasks that begin. There may be more tasks than expected.
  void start(bayesrisk::Index tasks) {
    const bayesrisk::Index known = std::min(tasks, expected_);
    expected_ -= known;
    total_ += tasks - known;
  }
  // At least this many tasks are still to come.
  void expect(bayesrisk::Index tasks) {
    total_ += std::max<bayesrisk::Index>(0, tasks - expected_);
    expected_ = std::max(expected_, tasks);
  }
  void count() { ++done_; }

  // Called on R's own thread. Shows nothing for two seconds, then five updates per second.
  void show(std::chrono::steady_clock::time_point now) {
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    // If there is more work than expected, the bar waits; it never goes back.
    const auto done = static_cast<double>(done_);
    share_ = std::max(share_, done / std::max(1.0, static_cast<double>(total_)));
    id_ = in_package("move_progress")(id_, share_);
  }

  // Clears the line at any end of the work, also after an error.
  ~Progress() {
    if (id_.isNULL()) return;
    try {
      in_package("end_progress")(id_);
    } catch (...) {
    }
  }

 private:
  static Rcpp::Function in_package(const char* name) {
    return Rcpp::Environment::namespace_env("bayesrisk")[name];
  }

  std::atomic<bayesrisk::Index> done_{0};
  bayesrisk::Index total_ = 0, expected_ = 0;
  double share_ = 0;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(2);
  Rcpp::RObject id_;
};

}  // namespace doors

#pragma once

// The progress of work that lasts, shown by R/progress.R.

#include <Rcpp.h>

#include <bayesrisk/core/types.hpp>

#include <atomic>
#include <chrono>

namespace doors {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;

  // Some tasks more, of those that are expected or beyond.
  void start(bayesrisk::Index tasks) {
    const bayesrisk::Index known = std::min(tasks, expected_);
    expected_ -= known;
    total_ += tasks - known;
  }
  void expect(bayesrisk::Index tasks) {
    expected_ += tasks;
    total_ += tasks;
  }
  void count() { ++done_; }

  // From R's own thread: not before two seconds have passed, then five times a second.
  void show(std::chrono::steady_clock::time_point now) {
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    id_ = in_package("move_progress")(id_, static_cast<double>(done_), static_cast<double>(total_));
  }

  // However the work ended, the line is cleared.
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
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(2);
  Rcpp::RObject id_;
};

}  // namespace doors

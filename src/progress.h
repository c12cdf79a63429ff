#pragma once

// The progress of long work, shown by R/progress.R.

#include "rcpp.h"

#include <engine/core/share.hpp>

#include <chrono>

namespace bind {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;

  // Called on R's own thread. Shows nothing for two seconds, then five updates per second.
  void show(std::chrono::steady_clock::time_point now, bayesrisk::Share& share) {
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    id_ = in_package("move_progress")(id_, share.reached());
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

  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(2);
  Rcpp::RObject id_;
};

}  // namespace bind

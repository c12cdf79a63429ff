#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <atomic>

namespace bayesrisk {

// The share of the work that is done. Only done() may be called on any thread.
class Share {
 public:
  // At least this many tasks are still to come.
  void expect(Index tasks) {
    total_ += std::max<Index>(0, tasks - expected_);
    expected_ = std::max(expected_, tasks);
  }
  // Adds tasks that begin. There may be more tasks than expected.
  void start(Index tasks) {
    const Index known = std::min(tasks, expected_);
    expected_ -= known;
    total_ += tasks - known;
  }
  void done() { ++done_; }

  // If there is more work than expected, the share waits; it never falls.
  double reached() {
    const auto done = static_cast<double>(done_);
    reached_ = std::max(reached_, done / std::max(1.0, static_cast<double>(total_)));
    return reached_;
  }

 private:
  std::atomic<Index> done_{0};
  Index total_ = 0, expected_ = 0;
  double reached_ = 0;
};

}  // namespace bayesrisk

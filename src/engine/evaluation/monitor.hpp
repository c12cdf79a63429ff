#pragma once

#include <engine/evaluation/change_processes.hpp>
#include <engine/evaluation/monitor_sample.hpp>

namespace bayesrisk {

// What a monitor keeps of a stream.
struct Monitor {
  Vector prior;            // of the model
  IntVector classes;       // whose shares are watched, from 0
  ChangeProcesses shares;  // two for each: of rows without and with a class
  WatchedFeatures features;
  Matrix mean;              // of the functions in the classes
  Matrix edge;              // the largest and the smallest of them, functions x 2
  ChangeProcesses changes;  // three for each function: larger, smaller, of rows with a class

  // `group`: the class of each row, from 0; negative: not known. `posterior`: rows x classes, NaN
  // for rows that say nothing. `before`: the number of rows that were read before.
  void add(const Frame& frame, const Matrix& posterior, const OtherFeatures& others,
           const IntVector& group, double before, const Context& context);

  void check(const IntVector& levels) const;  // of each feature, see WatchedFeatures

  // The owners of the processes: watched classes; watched features in their order, first without
  // and then with other features.
  IntVector share_owners() const;
  IntVector change_owners() const;

 private:
  void add_share(Index watched, const Matrix& posterior, const IntVector& group, double before);
  void add_feature(Index first, const Frame& frame, const OtherFeatures& others,
                   const IntVector& group, double before);
  void add_function(Index function, const Frame& frame, const Matrix& by_others,
                    const IntVector& group, double before);
};

// How many rows the estimates are from.
struct TrainingRows {
  Vector cases;      // of each class; infinite: its density is known
  bool known_prior;  // not estimated from them
  bool drawn;        // the sample was drawn from the model, so its means have errors of their own
};

// The share of `alpha` that each kind of process has is spread over the processes of the kind, and
// the alarm is that any of them reaches its limit (Bonferroni).
Monitor start_monitor(const MonitorSample& sample, const Vector& prior, const TrainingRows& rows,
                      double alpha);

}  // namespace bayesrisk

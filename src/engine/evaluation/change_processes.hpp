#pragma once

#include <engine/evaluation/change_process.hpp>

namespace bayesrisk {

// What is known of a mean before a stream begins.
struct MeanLaw {
  double centre;    // of the model
  double shift;     // the mean over training sets of the log odds, minus those of the centre
  double variance;  // of the log odds over training sets
  int side = 0;     // 1: only a larger mean is a change, -1: only a smaller one, 0: both are
};

// Processes side by side, a column each.
struct ChangeProcesses {
  Matrix ratio, fresh, changed, time;  // points x processes
  Matrix before, null;                 // see OddsBefore::State, with a point more
  Vector step;
  Vector log_scale, rows;
  Vector limit;       // the logarithm of the Bayes factor that is an alarm
  Vector last, peak;  // the logarithms of the factor: the last and the largest
  Vector first;       // the row of the alarm, 0: none

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("ratio", self.ratio);
    visit("fresh", self.fresh);
    visit("changed", self.changed);
    visit("time", self.time);
    visit("before", self.before);
    visit("null", self.null);
    visit("step", self.step);
    visit("log_scale", self.log_scale);
    visit("rows", self.rows);
    visit("limit", self.limit);
    visit("last", self.last);
    visit("peak", self.peak);
    visit("first", self.first);
  }

  ChangeProcesses() = default;
  // `half`: the points on each side of the centre.
  ChangeProcesses(Index half, Index count);

  Index count() const { return ratio.cols(); }
  void check(Index count) const;

  // `log_limit`: see `limit`.
  void start(Index process, const MeanLaw& law, double log_limit);

  // A row of a process: see ChangeProcess::add().
  void add(Index process, double row, double value, double centre);

  ChangeProcess process(Index i) { return ChangeProcess(process_state(i)); }

 private:
  ChangeProcess::State process_state(Index i);
};

// The process of each owner that went the farthest beyond its limit.
struct Strongest {
  IntVector process;  // of each owner
  Vector last, peak;  // the logarithm of the Bayes factor beyond the limit: the last, the largest
  Vector first;       // the row of the first alarm of any of them, 0: none
  Vector since, by;   // see ChangeProcess
};

// `owner`: of each process, in ascending order from 0.
Strongest strongest(ChangeProcesses& processes, const IntVector& owner);

}  // namespace bayesrisk

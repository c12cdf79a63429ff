#pragma once

#include "answers.hpp"
#include "problem.hpp"
#include "ranges.hpp"

#include <engine/model/statistics_collector.hpp>

namespace fuzz {

// Collected statistics pass the checks with which a binding reads statistics.
inline void check_statistics(const ModelPlan& plan, const ModelStatistics& statistics) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    plan.banks[b]->check(statistics.banks[b], plan.groups);
  }
}

inline void check_close(const ModelPlan& plan, const ModelStatistics& whole,
                        const ModelStatistics& merged) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    visit_plan(plan.banks[b], [&](const auto& p) {
      using Of = ExampleOf<std::decay_t<decltype(p)>>;
      using State = typename Of::Statistics;
      hold(Of::close(whole.banks[b].as<State>(), merged.banks[b].as<State>()),
           "parts that do not make the whole");
    });
  }
}

// Checks all steps from data to decisions.
class FitCheck {
 public:
  explicit FitCheck(Bytes& bytes) : problem_(decode_problem(bytes)), share_(bytes.byte()) {}

  void run() {
    const Index rows = problem_.data.frame.rows;
    check_ranges();
    Diagnostics found;
    const ModelStatistics whole = collect(0, rows, found);
    check_statistics(problem_.plan, whole);
    if (!found.empty()) return;  // the data are refused
    check_parts(whole);
    for (const bool borrow : {false, true}) check_model(whole, borrow);
  }

 private:
  void check_model(const ModelStatistics& whole, bool borrow) const {
    Diagnostics problems;
    const Estimate estimate =
        Estimator(problem_.plan, whole, problem_.options, borrow).estimate({}, problems);
    const Vector prior = check_estimate(whole, estimate, problems);
    if (prior.empty()) return;
    AnswerCheck(problem_.plan, estimate.banks, prior, problem_.fresh.frame, problem_.cost).run();
  }

  // The rows that count, from row `begin` on.
  Rows counted(Index begin) const {
    Rows rows;
    rows.group = problem_.group.data() + begin;
    rows.weight = problem_.weight.empty() ? nullptr : problem_.weight.data() + begin;
    rows.groups = problem_.plan.groups;
    return rows;
  }

  ModelStatistics collect(Index begin, Index count, Diagnostics& found) const {
    const Frame part = part_of(problem_.data.frame, begin, count);
    const Rows rows = counted(begin);
    return StatisticsCollector(problem_.plan, part, rows).collect(Context(), found);
  }

  void check_ranges() const {
    const Frame& data = problem_.data.frame;
    const IntVector levels = feature_levels(problem_.plan);
    for (std::size_t j = 0; j < levels.size(); ++j) {
      if (levels[j] == 0 && !data.columns[j].is_bag())
        check_range(data.columns[j], data.rows, counted(0));
    }
  }

  void check_parts(const ModelStatistics& whole) const {
    const Index rows = problem_.data.frame.rows, first = rows * share_ / 255;
    Diagnostics found;
    ModelStatistics merged = collect(0, first, found);
    merged.merge(problem_.plan, collect(first, rows - first, found));
    check_statistics(problem_.plan, merged);
    check_close(problem_.plan, whole, merged);
  }

  // The prior of the classes that can be chosen; empty if there is none. A class without an
  // estimate must have been reported.
  Vector check_estimate(const ModelStatistics& statistics, const Estimate& estimate,
                        const Diagnostics& problems) const {
    Vector prior = estimate.prior;
    double total = 0;
    for (int g = 0; g < problem_.plan.groups; ++g) {
      const auto k = static_cast<std::size_t>(g);
      bool sound = statistics.classes.weight[k] > 0 && std::isfinite(prior[k]);
      for (std::size_t b = 0; b < estimate.banks.size() && sound; ++b) {
        sound = problem_.plan.banks[b]->sound(estimate.banks[b], g);
        hold(sound || problems.stops(), "parameters that are none, and nobody says so");
      }
      total += prior[k] = sound ? prior[k] : 0;
    }
    if (!(total > 0)) return {};
    for (double& p : prior) p /= total;
    return prior;
  }

  Problem problem_;
  int share_;
};

}  // namespace fuzz

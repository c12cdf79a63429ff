#pragma once

#include "answers.hpp"
#include "damage.hpp"

#include <engine/evaluation/candidates.hpp>
#include <engine/model/checks.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/statistics_collector.hpp>

namespace fuzz {

// Uses objects that were damaged on their way, as the bindings would use them. Each use gives a
// sound answer or InvalidState.
class StateCheck {
 public:
  explicit StateCheck(Bytes& bytes) : bytes_(bytes), problem_(decode_problem(bytes)) {}

  void run() {
    try {
      damage(bytes_, problem_.plan.banks);
      check_plan(problem_.plan, problem_.features);
      require_codes(problem_.plan, problem_.data.frame);
      if (cells(problem_.plan) > kMostCells) return;
      if (bytes_.flag()) {
        work_with_statistics();
      } else {
        work_with_parameters();
      }
    } catch (const InvalidState&) {
    }
  }

 private:
  static constexpr double kMostCells = 1e4;

  // The size of the tables of a damaged plan. Too little memory for them is not a fault of the
  // checks.
  static double cells(const ModelPlan& plan) {
    double total = 0;
    for (const AnyPlan& bank : plan.banks) {
      total += std::accumulate(bank->levels().begin(), bank->levels().end(), 0.0);
    }
    return total * plan.groups;
  }

  template <class AnyState>
  void check(const std::vector<AnyState>& banks) const {
    require(banks.size() == problem_.plan.banks.size(), "wrong number of banks");
    for (std::size_t b = 0; b < banks.size(); ++b) {
      problem_.plan.banks[b]->check(banks[b], problem_.plan.groups);
    }
  }

  ModelStatistics statistics() {
    Rows rows;
    rows.group = problem_.group.data();
    rows.groups = problem_.plan.groups;
    Diagnostics found;
    ModelStatistics result =
        StatisticsCollector(problem_.plan, problem_.data.frame, rows).collect(Context(), found);
    damage(bytes_, result.classes);
    damage(bytes_, result.banks);
    check_classes(problem_.plan, result.classes);
    check(result.banks);
    return result;
  }

  void work_with_statistics() {
    ModelStatistics whole = statistics();
    if (bytes_.flag()) whole.merge(problem_.plan, statistics());
    if (bytes_.flag()) whole.of_groups(problem_.plan, 0, bytes_.below(problem_.plan.groups + 1));
    if (bytes_.flag()) move(whole);
    std::vector<AnyOptions> options = decode_options(bytes_, problem_.plan);
    damage(bytes_, options);
    check(options);
    Diagnostics problems;
    const Estimate estimate = Estimator(problem_.plan, whole, options).estimate({}, problems);
    answer(estimate.banks, estimate.prior);
  }

  // Moves statistics to other features, levels and classes.
  void move(const ModelStatistics& from) {
    Mapping mapping = identity_mapping(problem_.plan, problem_.features);
    ModelPlan target = problem_.plan;
    target.groups = 1 + bytes_.below(4);
    mapping.groups = target.groups;
    damage(bytes_, target.banks);
    IntVector bank;
    for (std::size_t b = 0; b < problem_.plan.banks.size(); ++b) {
      bank.push_back(bytes_.flag() ? static_cast<int>(b) : bytes_.below(4) - 1);
    }
    for (IntVector* places : {&mapping.group, &mapping.feature}) {
      for (int& place : *places) place = bytes_.flag() ? place : bytes_.below(6) - 1;
    }
    check_plan(target, problem_.features);
    check_mapping(mapping, problem_.plan.groups, problem_.features);
    check_moved_banks(problem_.plan, target, mapping, bank);
    if (cells(target) > kMostCells) return;
    realign(problem_.plan, from, target, mapping, bank);
  }

  void work_with_parameters() {
    std::vector<AnyParameters> banks = decode_parameters(bytes_, problem_.plan);
    damage(bytes_, banks);
    Vector prior = decode_prior(bytes_, problem_.plan.groups);
    answer(banks, prior);
  }

  void answer(const std::vector<AnyParameters>& banks, const Vector& prior) {
    check(banks);
    check_prior(prior);
    require_sound(problem_.plan, banks, prior);
    require_codes(problem_.plan, problem_.fresh.frame);
    AnswerCheck(problem_.plan, banks, prior, problem_.fresh.frame, problem_.cost).run();
    draw(banks, prior);
  }

  void draw(const std::vector<AnyParameters>& banks, const Vector& prior) {
    const Drawer drawer(problem_.plan, banks);
    DrawnRows rows(drawer.levels(), 3);
    Random random(0);
    draw_cases(
        drawer, prior, 3, [&] { return random.uniform() + 0x1p-54; }, rows);
  }

  Bytes& bytes_;
  Problem problem_;
};

}  // namespace fuzz

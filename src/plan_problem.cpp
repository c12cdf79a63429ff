#include "plan_problem.h"
#include "lists.h"

#include <engine/strategy/marginal_test.hpp>
#include <engine/strategy/panel_law.hpp>

namespace bind {

ProblemReader::ProblemReader(const Model& model, const Frame& frame, const Matrix& cost)
    : frame_(frame),
      view_(view_of(model.plan, model.parameters, model.prior,
                    static_cast<int>(frame.columns.size()))) {
  require(cost.rows() > 0 && cost.cols() == model.plan.groups, "cost: wrong dimensions");
  least_ = cost.colwise().minCoeff().transpose();
  for (Index k = 0; k < least_.size(); ++k) {
    if (!std::isfinite(least_[k])) least_[k] = 0;
  }
  problem_.cost.of = cost.rowwise() - least_.transpose();
  for (double prior : view_.prior) possible_.push_back(prior > 0);
}

TestProblem ProblemReader::read(const Rcpp::List& units, int most_steps) {
  problem_.most_steps = most_steps;
  for (R_xlen_t u = 0; u < units.size(); ++u) {
    const Rcpp::List states(units[u]);
    Unit unit;
    for (R_xlen_t s = 0; s < states.size(); ++s) {
      const Rcpp::List steps(states[s]);
      unit.steps.emplace_back();
      for (R_xlen_t i = 0; i < steps.size(); ++i) {
        unit.steps.back().push_back(read_step(steps[i], static_cast<int>(s), states.size()));
      }
    }
    require(!unit.steps.empty() && unit.steps.back().empty(), "units: no last state");
    problem_.units.push_back(std::move(unit));
  }
  problem_.numbers = numbers_;
  return std::move(problem_);
}

Step ProblemReader::read_step(SEXP list, int state, R_xlen_t states) {
  Step step;
  const auto whole = [&](const char* name) { return Rcpp::as<int>(element(list, name)); };
  read_field(element(list, "price"), step.price);
  read_field(element(list, "counts"), step.counts);
  read_field(element(list, "next"), step.next);
  step.test = whole("test") - 1;
  step.feature = whole("feature") - 1;
  const Index at = whole("row") - 1;
  const auto features = static_cast<int>(frame_.columns.size());
  require(step.feature >= 0 && step.feature < features, "units: no such feature");
  require(at >= 0 && at < frame_.rows, "units: no such row");
  require(step.price >= 0 && std::isfinite(step.price), "units: a price is no number");
  for (int next : step.next) require(next > state && next < states, "units: no such state");
  if (const int levels = levels_of(view_.plan, step.feature)) {
    add_levels(step, at, levels);
    return step;
  }
  require(step.next.size() == 1, "units: not one state after a number");
  IntVector members;
  read_field(element(list, "members"), members);
  if (members.size() < 2) {
    add_number(step, at);
  } else {
    add_panel(step, at, members);
  }
  return step;
}

void ProblemReader::add_levels(Step& step, Index row, int levels) const {
  require(static_cast<int>(step.next.size()) == levels, "units: not a state for each level");
  step.given =
      conditional_levels(view_, frame_, row, step.feature, levels).transpose().array().exp();
}

void ProblemReader::add_number(Step& step, Index row) {
  const double origin = origin_of(view_, step.feature);
  add(step,
      std::make_shared<MarginalTest>(conditional_marginal(view_, frame_, row, step.feature, origin),
                                     possible_),
      origin, nullptr);
}

void ProblemReader::add(Step& step, std::shared_ptr<const NumberTest> number, double origin,
                        std::shared_ptr<const RatioTest> ratio) {
  step.number = static_cast<int>(numbers_.size());
  numbers_.push_back(std::move(number));
  origins_.push_back(origin);
  ratios_.push_back(std::move(ratio));
}

// The law of a panel does not depend on the state of its unit, so it is found once.
void ProblemReader::add_panel(Step& step, Index row, const IntVector& members) {
  auto found = panels_.find(step.feature);
  if (found == panels_.end()) {
    found = panels_.emplace(step.feature, Panel{row, find_answers(row, members)}).first;
  }
  const Step& answers = found->second.answers;
  step.number = answers.number;
  step.draws = answers.draws;
  step.given = answers.given;
}

Step ProblemReader::find_answers(Index row, const IntVector& members) {
  constexpr std::uint64_t kSeed = 1;
  Step answers;
  IntVector features;
  const auto all = static_cast<int>(frame_.columns.size());
  for (int feature : members) {
    require(feature >= 1 && feature <= all, "units: no such feature");
    features.push_back(feature - 1);
  }
  const PanelLaw law(view_, frame_, row, features, possible_);
  if (!law.tells()) {
    answers.given = Matrix::Ones(static_cast<Index>(possible_.size()), 1);
  } else if (auto ratio = law.ratio()) {
    add(answers, ratio, 0, ratio);
  } else {
    answers.draws = static_cast<int>(problem_.draws.size());
    problem_.draws.push_back(law.draws(kSeed + problem_.draws.size()));
    answers.given = problem_.draws.back().given();
  }
  return answers;
}

// The log densities of the classes that are possible.
Eigen::VectorXd ProblemReader::of_possible(Eigen::VectorXd log_density) const {
  for (Index k = 0; k < log_density.size(); ++k) {
    if (!possible_[static_cast<std::size_t>(k)]) log_density[k] = kNegativeInfinity;
  }
  return log_density;
}

CaseAnswer ProblemReader::answer(const Frame& cases, Index row, const Step& step) const {
  if (const auto panel = panels_.find(step.feature); panel != panels_.end()) {
    return {of_possible(block_log_density(view_, cases, row, step.feature) -
                        block_log_density(view_, frame_, panel->second.row, step.feature)),
            0};
  }
  const Column& column = cases.columns[static_cast<std::size_t>(step.feature)];
  if (step.number == kAll) {
    const int level = level_of(column, column.integer[row]);
    require(level >= 0, "cases: an unknown level");
    return {step.given.col(level).array().log(), level};
  }
  double buffer = 0;
  const double x = *load_numbers(column, row, 1, 1, &buffer) - origin(step.number);
  return {numbers_[static_cast<std::size_t>(step.number)]->log_densities(x), 0};
}

}  // namespace bind

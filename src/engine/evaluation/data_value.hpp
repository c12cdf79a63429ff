#pragma once

#include <engine/decision/expected_cost.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/parameter_posterior.hpp>
#include <engine/model/score.hpp>
#include <engine/model/statistics_collector.hpp>

namespace bayesrisk {

// Parameters by which cases are decided; with hyperparameters, by predictive distributions.
struct DecidingModel {
  ModelParameters parameters;
  std::vector<Hyperparameters> hyperparameters{};
};

// A model that may be updated with new rows.
struct LearningModel {
  const ModelPlan& plan;
  const ModelStatistics& statistics;
  const std::vector<AnyOptions>& options;
  bool borrow;
  const Tempering& tempering;
  Vector prior;  // empty: the shares of the classes
  DecidingModel now;

  bool predictive() const { return !now.hyperparameters.empty(); }
};

// The expected saving per case by more labelled rows: a row per draw, a column per number of rows.
// `limit`: the saving if the model knew the parameters.
struct DataValue {
  Matrix saving;
  Vector limit;
};

// The expected value of sample information (Raiffa and Schlaifer 1961), by simulation. In each draw
// the parameters, new rows and cases come from the posterior. The model before and after the new
// rows decides the cases, whose expected costs are those under the drawn parameters.
class DataValueSimulation {
 public:
  // `sizes`: numbers of new rows, in ascending order. `group`: the class of the new rows; kAll: as
  // the prior has them.
  DataValueSimulation(const LearningModel& model, const ParameterPosterior& posterior,
                      const Cost& cost, const IntVector& sizes, int group, Index cases,
                      std::uint64_t seed)
      : model_(model),
        posterior_(posterior),
        cost_{cost, {}},
        expected_cost_(cost),
        sizes_(sizes),
        group_(group),
        cases_(cases),
        seed_(seed) {}

  DataValue run(Index draws, const Context& context) const {
    DataValue value{Matrix::Zero(draws, static_cast<Index>(sizes_.size())),
                    Vector(static_cast<std::size_t>(draws), 0.0)};
    context.run(draws, [&](Index d) {
      context.check();
      run_draw(d, value);
    });
    return value;
  }

 private:
  // Rows are drawn from the complement of the seed, so parameters do not use the same numbers.
  void run_draw(Index d, DataValue& value) const {
    const auto number = static_cast<std::uint64_t>(d);
    const ModelParameters truth = posterior_.draw(model_.plan, seed_, number);
    RandomLaws random(~seed_, number);
    const Drawer drawer(model_.plan, truth.banks);
    const auto uniform = [&] { return random.uniform(); };
    DrawnRows cases(drawer.levels(), cases_);
    draw_cases(drawer, truth.prior, cases_, uniform, cases);
    const Matrix expected = costs_under(truth, cases.frame());
    const double now = cost_of(model_.now, cases.frame(), expected);
    value.limit[static_cast<std::size_t>(d)] = gap(now, cost_of({truth}, cases.frame(), expected));
    Vector prior = truth.prior;
    if (group_ != kAll) {
      std::fill(prior.begin(), prior.end(), 0.0);
      prior[static_cast<std::size_t>(group_)] = 1;
    }
    ModelStatistics statistics = model_.statistics;
    int seen = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] > seen) add_rows(drawer, prior, sizes_[i] - seen, uniform, statistics);
      seen = sizes_[i];
      const double then = cost_of(estimate(statistics), cases.frame(), expected);
      value.saving(d, static_cast<Index>(i)) = gap(now, then);
    }
  }

  // Two infinite costs do not differ.
  static double gap(double now, double then) { return now == then ? 0 : now - then; }

  template <class Uniform>
  void add_rows(const Drawer& drawer, const Vector& prior, int rows, const Uniform& uniform,
                ModelStatistics& statistics) const {
    DrawnRows drawn(drawer.levels(), rows);
    IntVector group = draw_cases(drawer, prior, rows, uniform, drawn);
    for (int& g : group) ++g;
    Rows read;
    read.group = group.data();
    Diagnostics ignored;
    const Frame frame = drawn.frame();
    statistics.merge(model_.plan,
                     StatisticsCollector(model_.plan, frame, read).collect(Context(), ignored));
  }

  DecidingModel estimate(const ModelStatistics& statistics) const {
    Diagnostics ignored;
    // New rows of one class say nothing about the prior.
    Vector prior = group_ == kAll ? model_.prior : model_.now.parameters.prior;
    if (model_.predictive()) {
      if (prior.empty()) prior = statistics.classes.shares();
      ParameterPosterior found = parameter_posterior(model_.plan, statistics, model_.options, prior,
                                                     model_.borrow, ignored);
      return {std::move(found.centre), std::move(found.hyperparameters)};
    }
    Estimate found =
        Estimator(model_.plan, statistics, model_.options, model_.borrow).estimate(prior, ignored);
    return {{found.prior, std::move(found.banks)}};
  }

  // The expected cost of each action for each case, cases x actions.
  Matrix costs_under(const ModelParameters& truth, const Frame& frame) const {
    const Scorer scorer(model_.plan, truth.banks, truth.prior, frame.rows);
    Matrix joint(frame.rows, scorer.classes()), costs(frame.rows, cost_.fixed.actions());
    Request request;
    request.output = Output::log_joint;
    request.numbers = joint.data();
    score(scorer, frame, request, Context());
    Eigen::VectorXd of_row, posterior, expected;
    for (Index r = 0; r < frame.rows; ++r) {
      of_row = joint.row(r);
      posterior_of(of_row, posterior);
      expected_cost_.evaluate(posterior, of_row, expected);
      costs.row(r) = expected;
    }
    return costs;
  }

  // The mean cost of a model's decisions. Cases without a decision cost the most.
  double cost_of(const DecidingModel& model, const Frame& frame, const Matrix& expected) const {
    const Scorer scorer(model_.plan, model.parameters.banks, model.parameters.prior, frame.rows,
                        model_.tempering, model.hyperparameters);
    IntVector decision(static_cast<std::size_t>(frame.rows));
    Request request;
    request.output = Output::decision;
    request.cost = &cost_;
    request.decision.decision = decision.data();
    score(scorer, frame, request, Context());
    double total = 0;
    for (Index r = 0; r < frame.rows; ++r) {
      const int action = decision[static_cast<std::size_t>(r)];
      total += action == kMissingInteger ? expected.row(r).maxCoeff() : expected(r, action - 1);
    }
    return total / static_cast<double>(frame.rows);
  }

  const LearningModel& model_;
  const ParameterPosterior& posterior_;
  CaseCost cost_;
  ExpectedCost expected_cost_;
  const IntVector& sizes_;
  int group_;
  Index cases_;
  std::uint64_t seed_;
};

}  // namespace bayesrisk

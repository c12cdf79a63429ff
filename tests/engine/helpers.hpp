#pragma once

#include "engine.hpp"

#include <engine/core/diagnostics.hpp>
#include <engine/data/ranges.hpp>
#include <engine/decision/decide_posterior.hpp>
#include <engine/model/contributions.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/fit.hpp>
#include <engine/model/statistics_collector.hpp>
#include <engine/regions/action_pairs.hpp>
#include <engine/risk/bounds.hpp>
#include <engine/risk/decision_table.hpp>
#include <engine/risk/monte_carlo.hpp>
#include <engine/risk/plane_world.hpp>
#include <engine/risk/ratio_risk.hpp>
#include <engine/world/conditional_plane.hpp>

#include <Eigen/Dense>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace testing {

using namespace bayesrisk;

// Numbers with 113 binary digits, for reference values.
__extension__ typedef __float128 Quad;

// Runs tasks on real threads. A free thread takes the next task. After all threads have stopped,
// the first exception is thrown again.
inline Context threads(int count) {
  Context context;
  context.threads = count;
  context.run = [count](Index tasks, const std::function<void(Index)>& task) {
    std::atomic<Index> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    auto work = [&] {
      try {
        for (Index i = next++; i < tasks; i = next++) task(i);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
        next = tasks;
      }
    };
    std::vector<std::thread> pool;
    for (int t = 0; t < count; ++t) pool.emplace_back(work);
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
  };
  return context;
}

// Random numbers that are the same everywhere, unlike those of the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform() + 0x1p-54)) * std::cos(6.283185307179586 * uniform());
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }

 private:
  std::uint64_t state_;
};

inline Column reals(const Vector& values) {
  Column column;
  column.real = values.data();
  return column;
}

inline Column whole_numbers(const IntVector& values) {
  Column column;
  column.integer = values.data();
  return column;
}

// A factor as R stores it: codes from 1.
inline Column factor(const IntVector& values, int levels, const int* remap = nullptr) {
  Column column;
  column.integer = values.data();
  column.first_code = 1;
  column.stored_levels = levels;
  column.remap = remap;
  return column;
}

// A sparse matrix.
class Bag {
 public:
  // The cells of a dense matrix, in which NaN marks a cell that is stored as 0.
  explicit Bag(const Matrix& dense) {
    for (Index t = 0; t < dense.cols(); ++t) {
      for (Index r = 0; r < dense.rows(); ++r) {
        if (dense(r, t) == 0) continue;
        add(static_cast<int>(r), std::isnan(dense(r, t)) ? 0 : dense(r, t));
      }
      end_term();
    }
    finish(dense.rows());
  }
  Bag() = default;

  // Adds cells, term by term.
  void add(int row, double value) {
    row_.push_back(row);
    value_.push_back(value);
  }
  void end_term() { begin_.push_back(static_cast<int>(row_.size())); }
  void finish(Index rows) {
    by_term_ = {begin_.data(), row_.data(), value_.data(), static_cast<int>(begin_.size()) - 1,
                rows};
    by_term_.starts = check_cells(by_term_, static_cast<Index>(row_.size()));
  }

  Column column(const int* remap = nullptr) const {
    Column column;
    column.stored_levels = by_term_.terms;
    column.remap = remap;
    column.by_term = by_term_;
    return column;
  }

 private:
  IntVector begin_{0}, row_;
  Vector value_;
  CellsByTerm by_term_;
};

inline Frame frame_of(std::vector<Column> columns, std::size_t rows) {
  Frame frame;
  frame.rows = static_cast<Index>(rows);
  frame.columns = std::move(columns);
  return frame;
}

inline Frame frame_of(const std::vector<Vector>& columns) {
  std::vector<Column> views;
  for (const Vector& values : columns) views.push_back(reals(values));
  return frame_of(views, columns.at(0).size());
}

// A frame points to its columns, so they must not be temporaries.
Frame frame_of(std::vector<Vector>&& columns) = delete;
Frame frame_of(Vector&& column) = delete;
inline Frame frame_of(const Vector& column) { return frame_of({reals(column)}, column.size()); }

inline IntVector first_features(int count) {
  IntVector result(count);
  for (int j = 0; j < count; ++j) result[j] = j;
  return result;
}

inline ModelPlan gaussian_plan(int groups, int features) {
  return {groups, {Gaussian::Plan{first_features(features)}}};
}
inline ModelPlan block_plan(int groups, int features) {
  return {groups, {MultivariateGaussian::Plan{first_features(features)}}};
}
inline ModelPlan categorical_plan(int groups, const IntVector& levels) {
  return {groups, {Categorical::Plan{first_features(static_cast<int>(levels.size())), levels}}};
}
inline ModelPlan joint_plan(int groups, const IntVector& levels) {
  return {groups, {JointTable::Plan{first_features(static_cast<int>(levels.size())), levels}}};
}

// A model with known parameters.
struct Known {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;
  int features;
  View view() const { return view_of(plan, parameters, prior, features); }
};

inline Cost zero_one(int classes) {
  return {Matrix(Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes))};
}

inline Gaussian::Options gaussian_options(int features, bool unbiased = true, double minimum = 0) {
  return {IntVector(features, unbiased), Vector(features, minimum), Vector(features, 0.0),
          Vector(features, 0.0), IntVector(features, 0)};
}

inline ModelStatistics collect(const ModelPlan& plan, const Frame& frame, const IntVector& group,
                               Diagnostics& problems, const Vector& weight = {}, int count = 1) {
  Rows rows;
  rows.group = group.data();
  rows.weight = weight.empty() ? nullptr : weight.data();
  rows.groups = plan.groups;
  const Context context = count == 1 ? Context() : threads(count);
  return StatisticsCollector(plan, frame, rows).collect(context, problems);
}

inline ModelStatistics collect(const ModelPlan& plan, const Frame& frame, const IntVector& group,
                               const Vector& weight = {}, int count = 1) {
  Diagnostics problems;
  return collect(plan, frame, group, problems, weight, count);
}

struct Model {
  ModelPlan plan;
  ModelStatistics statistics;
  Estimate estimate;
  Diagnostics problems;
};

inline Model estimate(const ModelPlan& plan, const ModelStatistics& statistics,
                      const std::vector<AnyOptions>& options, const Vector& prior = {}) {
  Model model{plan, statistics, {}, {}};
  model.estimate = Estimator(plan, statistics, options).estimate(prior, model.problems);
  return model;
}

inline Model fit(const ModelPlan& plan, const Frame& frame, const IntVector& group,
                 const std::vector<AnyOptions>& options, const Vector& prior = {},
                 const Vector& weight = {}) {
  return estimate(plan, collect(plan, frame, group, weight), options, prior);
}

template <class L>
const typename L::Parameters& parameters(const Model& model, std::size_t bank = 0) {
  return model.estimate.banks[bank].template as<typename L::Parameters>();
}

template <class L>
const typename L::Statistics& statistics(const ModelStatistics& all, std::size_t bank = 0) {
  return all.banks[bank].template as<typename L::Statistics>();
}

inline bool found(const Diagnostics& problems, ProblemName problem, int group, int feature,
                  double count = -1) {
  for (const Diagnostic& item : problems.items()) {
    if (item.problem == problem && item.group == group && item.feature == feature &&
        (count < 0 || item.count == count)) {
      return true;
    }
  }
  return false;
}

// Scores a frame; numbers come back rows x columns (decision: the cost of each action).
inline Matrix score_numbers(const ModelPlan& plan, const std::vector<AnyParameters>& banks,
                            const Vector& prior, const Frame& frame, Output output,
                            const Cost* cost = nullptr, int count = 1,
                            ScoreReport* report = nullptr) {
  const Context context = count == 1 ? Context() : threads(count);
  const Scorer scorer(plan, banks, prior, frame.rows);
  Index columns = plan.groups;
  if (output == Output::decision) columns = cost->actions();
  if (output == Output::log_evidence) columns = 1;
  Matrix result = Matrix::Constant(frame.rows, columns, 12345.0);
  CaseCost costs;
  Request request;
  request.output = output;
  request.numbers = result.data();
  if (cost) costs.fixed = *cost;
  for (int a = 0; output == Output::decision && a < cost->actions(); ++a) {
    request.decision.cost_of.push_back(result.col(a).data());
  }
  request.cost = &costs;
  const ScoreReport said = score(scorer, frame, request, context);
  if (report) *report = said;
  return result;
}

inline Matrix score_numbers(const Model& model, const Frame& frame, Output output,
                            const Cost* cost = nullptr, int count = 1,
                            ScoreReport* report = nullptr) {
  return score_numbers(model.plan, model.estimate.banks, model.estimate.prior, frame, output, cost,
                       count, report);
}

inline IntVector score_choices(const ModelPlan& plan, const std::vector<AnyParameters>& banks,
                               const Vector& prior, const Frame& frame, Output output,
                               const Cost* cost = nullptr, int count = 1,
                               ScoreReport* report = nullptr) {
  const Context context = count == 1 ? Context() : threads(count);
  const Scorer scorer(plan, banks, prior, frame.rows);
  IntVector result(static_cast<std::size_t>(frame.rows), 12345);
  CaseCost costs;
  if (cost) costs.fixed = *cost;
  Request request;
  request.output = output;
  request.cost = &costs;
  request.choices = request.decision.decision = result.data();
  const ScoreReport said = score(scorer, frame, request, context);
  if (report) *report = said;
  return result;
}

inline IntVector score_choices(const Model& model, const Frame& frame, Output output,
                               const Cost* cost = nullptr, int count = 1,
                               ScoreReport* report = nullptr) {
  return score_choices(model.plan, model.estimate.banks, model.estimate.prior, frame, output, cost,
                       count, report);
}

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    if (!same_bits(x, y) && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

inline double relative_error(double value, double reference) {
  return std::abs(value - reference) / std::abs(reference);
}

// NIST's log relative error: the number of correct decimal digits, at most 15.
inline double digits(double value, double reference) {
  const double error =
      reference == 0 ? std::abs(value) : std::abs(value - reference) / std::abs(reference);
  return error == 0 ? 15.0 : std::min(15.0, std::max(0.0, -std::log10(error)));
}

inline RiskTable ratio_risk(const View& world, const Combinations& combinations, const View& rule,
                            const Cost& cost, const Context& context = Context()) {
  return RatioMethod(world, combinations, rule, cost, context).risk(world.prior, rule.prior);
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

inline Vector log_of(const Vector& values) {
  Vector result;
  for (double x : values) result.push_back(std::log(x));
  return result;
}

inline std::vector<simd::TileLoops> all_loops() { return {simd::kBaseline, simd::tile_loops()}; }

// Between -2 and 2.
inline Vector random_numbers(Random& random, std::size_t count) {
  Vector x(count);
  for (double& value : x) value = 4 * random.uniform() - 2;
  return x;
}

}  // namespace testing

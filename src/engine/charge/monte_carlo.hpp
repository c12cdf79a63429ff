#pragma once

#include <engine/charge/lattice.hpp>
#include <engine/core/context.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/model/draw.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

struct MonteCarloOptions {
  std::uint64_t seed = 1;
  double tolerance = 0;       // of the standard error of an expected cost
  Index most_rows = 1 << 20;  // in all, unless the minimum is larger
};

// The decisions of a rule on rows of a world, counted from 0. `log_joint` is the log joint of the
// world, rows x classes. Several threads call this at once.
class RowDecisions {
 public:
  virtual ~RowDecisions() = default;
  virtual void decide(const Frame& rows, const Matrix& log_joint, int* decisions) const = 0;
};

inline Matrix score_log_joint(const Scorer& scorer, const Frame& frame) {
  Matrix result(frame.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = result.data();
  score(scorer, frame, request, Context());
  return result;
}

inline void decide_rows(const Matrix& log_joint, const Cost& cost, int* decisions) {
  RowRule rule(cost);
  for (Index r = 0; r < log_joint.rows(); ++r) {
    decisions[r] = rule.decide(log_joint.row(r).transpose());
  }
}

// The Bayes rule of the world itself, which has the smallest risk.
class BayesDecisions : public RowDecisions {
 public:
  explicit BayesDecisions(const Cost& cost) : cost_(cost) {}

  void decide(const Frame&, const Matrix& log_joint, int* decisions) const override {
    decide_rows(log_joint, cost_, decisions);
  }

 private:
  const Cost& cost_;
};

// A model as a rule: it reads the features that it shares with the world.
class ModelDecisions : public RowDecisions {
 public:
  ModelDecisions(const View& view, const Cost& cost)
      : view_(view),
        cost_(cost),
        levels_(feature_levels(view.plan)),
        scorer_(view.plan, view.parameters, view.prior, MonteCarloOptions().most_rows,
                tempering_of(view)) {}

  void decide(const Frame& rows, const Matrix&, int* decisions) const override {
    const IntVector missing(static_cast<std::size_t>(rows.rows), kMissingInteger);
    Frame seen;
    seen.rows = rows.rows;
    for (int levels : levels_)
      seen.columns.push_back({nullptr, missing.data(), 0, levels, nullptr});
    for (std::size_t j = 0; j < view_.feature.size(); ++j) {
      if (view_.feature[j] < 0) continue;
      Column& column = seen.columns[static_cast<std::size_t>(view_.feature[j])];
      column = rows.columns[j];
      if (column.integer) column.remap = view_.level[j].data();
    }
    decide_rows(score_log_joint(scorer_, seen), cost_, decisions);
  }

 private:
  const View& view_;
  const Cost& cost_;
  IntVector levels_;
  Scorer scorer_;
};

struct MonteCarloRisk {
  std::vector<Matrix> table;  // of each rule: truth x decision
  Vector error;               // standard error of its expected cost
  Index rows = 0;
};

// Joint probabilities of truth and decision of several rules. All rules decide the same rows, which
// are drawn from each class of a world. A row counts for every class with its posterior
// probability, not only for the class that it was drawn from, because this reduces the variance.
// The rows of a class are points of `kShifts` independently shifted lattices. The scatter between
// lattices gives the standard error.
class MonteCarlo {
 public:
  // `weight`: costs, truth x decision, with 0 in place of infinite costs. The standard error is
  // that of the mean of these weights.
  MonteCarlo(const View& world, const std::vector<const RowDecisions*>& rules, const Matrix& weight,
             const MonteCarloOptions& options)
      : rules_(rules),
        weight_(weight),
        options_(options),
        prior_(world.prior),
        drawer_(world.plan, world.parameters),
        scorer_(world.plan, world.parameters, world.prior, options.most_rows) {
    for (std::size_t k = 0; k < prior_.size(); ++k) {
      if (prior_[k] > 0) classes_.push_back(static_cast<int>(k));
    }
    for (int s = 0; s < kShifts; ++s) {
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        lattices_.emplace_back(drawer_.uniforms(), options.seed, lattices_.size());
      }
    }
    sums_.assign(rules.size() * kShifts, Matrix::Zero(weight.rows(), weight.cols()));
  }

  MonteCarloRisk run(const Context& context) {
    const Index rows_per_point = kShifts * static_cast<Index>(classes_.size());
    Index points = kMostFirst;
    while (points > kFewestFirst && points * rows_per_point > options_.most_rows) points /= 2;
    const Index most = options_.most_rows / rows_per_point;
    Index expected = tasks(points);
    for (Index more = points; 2 * more <= most; more *= 2) expected += tasks(more);
    context.expect(expected);
    extend(0, points, context);
    while (largest_error(points) > options_.tolerance && 2 * points <= most) {
      extend(points, 2 * points, context);
      points *= 2;
    }
    MonteCarloRisk result;
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      Matrix table = Matrix::Zero(weight_.rows(), weight_.cols());
      for (int s = 0; s < kShifts; ++s) table += sums_[r * kShifts + s];
      result.table.push_back(table / static_cast<double>(points * kShifts));
      result.error.push_back(standard_error(r, points));
    }
    result.rows = points * rows_per_point;
    return result;
  }

 private:
  static constexpr int kShifts = 16;
  static constexpr Index kMostFirst = 1024, kFewestFirst = 64;  // points of the first round

  // Points of a task: few enough that the rows of many threads fit into memory.
  Index task_points(Index points) const {
    const Index width = drawer_.uniforms() + static_cast<Index>(prior_.size()) + 1;
    const Index fitting = (Index{1} << 21) / (width * static_cast<Index>(classes_.size()));
    Index size = 16;
    while (2 * size <= std::min<Index>({fitting, 4096, points})) size *= 2;
    return size;
  }

  Index tasks(Index points) const { return points / task_points(points) * kShifts; }

  // Adds the points [begin, end) of every lattice. Parts are merged in a fixed order.
  void extend(Index begin, Index end, const Context& context) {
    const Index size = task_points(end - begin), runs = (end - begin) / size;
    std::vector<std::vector<Matrix>> parts(static_cast<std::size_t>(runs * kShifts));
    context.run(runs * kShifts, [&](Index task) {
      parts[static_cast<std::size_t>(task)] =
          sum_points(static_cast<int>(task / runs), begin + task % runs * size, size);
    });
    for (std::size_t task = 0; task < parts.size(); ++task) {
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        sums_[r * kShifts + task / static_cast<std::size_t>(runs)] += parts[task][r];
      }
    }
  }

  std::vector<Matrix> sum_points(int shift, Index begin, Index count) const {
    const auto classes = static_cast<Index>(classes_.size());
    DrawnRows rows(drawer_.levels(), classes * count);
    Vector u(static_cast<std::size_t>(drawer_.uniforms()));
    for (Index c = 0; c < classes; ++c) {
      const ShiftedLattice& lattice = lattices_[static_cast<std::size_t>(shift * classes + c)];
      for (Index i = 0; i < count; ++i) {
        lattice.point(static_cast<std::uint64_t>(begin + i), u.data());
        drawer_.draw(classes_[static_cast<std::size_t>(c)], u.data(), c * count + i, rows);
      }
    }
    const Frame frame = rows.frame();
    Matrix belief = score_log_joint(scorer_, frame);
    std::vector<IntVector> decisions(rules_.size(), IntVector(frame.rows));
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      rules_[r]->decide(frame, belief, decisions[r].data());
    }
    belief.colwise() -= log_sum_of_rows(belief);
    belief = belief.array().exp();
    std::vector<Matrix> tables(rules_.size(), Matrix::Zero(weight_.rows(), weight_.cols()));
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      for (Index i = 0; i < frame.rows; ++i) {
        const double prior = prior_[classes_[static_cast<std::size_t>(i / count)]];
        tables[r].col(decisions[r][i]) += prior * belief.row(i).transpose();
      }
    }
    return tables;
  }

  double largest_error(Index points) const {
    double largest = 0;
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      largest = std::max(largest, standard_error(r, points));
    }
    return largest;
  }

  // An event with a probability below 1 / rows may never be drawn. Then it adds nothing to the
  // scatter. So the error is at least the range of the costs divided by the number of rows.
  double standard_error(std::size_t rule, Index points) const {
    Eigen::ArrayXd cost(kShifts);
    for (int s = 0; s < kShifts; ++s) {
      cost[s] = sums_[rule * kShifts + s].cwiseProduct(weight_).sum() / points;
    }
    const double scatter =
        std::sqrt((cost - cost.mean()).square().sum() / (kShifts - 1.0) / kShifts);
    const double unseen =
        (weight_.maxCoeff() - weight_.minCoeff()) / (points * kShifts * classes_.size());
    return std::max(scatter, unseen);
  }

  const std::vector<const RowDecisions*>& rules_;
  const Matrix& weight_;
  MonteCarloOptions options_;
  const Vector& prior_;
  Drawer drawer_;
  Scorer scorer_;
  IntVector classes_;
  std::vector<ShiftedLattice> lattices_;
  std::vector<Matrix> sums_;  // rule by rule, shift by shift
};

}  // namespace bayesrisk

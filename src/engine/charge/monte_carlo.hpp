#pragma once

#include <engine/charge/lattice.hpp>
#include <engine/charge/proposal.hpp>
#include <engine/core/context.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/model/draw.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

struct MonteCarloOptions {
  std::uint64_t seed = 1;
  double tolerance = 0;       // of the standard error of an expected cost
  Index most_rows = 1 << 20;  // in all, unless the minimum is larger
  // The tolerance relative to the cost, for the best rule.
  double relative = kInfinity;
};

// The decisions of a rule on rows of a world, counted from 0. `log_joint` is the log joint of the
// world, rows x classes. Several threads call this at once.
class RowDecisions {
 public:
  virtual ~RowDecisions() = default;
  virtual void decide(const Frame& rows, const Matrix& log_joint, int* decisions) const = 0;
  // Whether no rule costs less.
  virtual bool best() const { return false; }
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
  bool best() const override { return true; }

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
// are drawn from the densities of a proposal. A row counts for every class. The rows of a density
// are points of `kShifts` independently shifted lattices. The scatter between lattices gives the
// standard error. The probabilities of a class are divided by their sum, whose expected value is
// known: the prior. So a constant cost is exact.
class MonteCarlo {
 public:
  // The standard error is that of the expected cost, with 0 in place of infinite costs.
  MonteCarlo(const View& world, const std::vector<const RowDecisions*>& rules, const Cost& cost,
             const MonteCarloOptions& options, const Context& context)
      : rules_(rules),
        weight_(cost.of.array().isFinite().select(cost.of, 0.0).transpose()),
        options_(options),
        context_(context),
        prior_(world.prior),
        log_prior_(world.log_prior()),
        proposal_(world, cost, context),
        densities_(static_cast<Index>(proposal_.densities().size())),
        drawer_(proposal_.plan(), proposal_.parameters()),
        scorer_(proposal_.plan(), proposal_.parameters(), proposal_.prior(), options.most_rows) {
    for (Index n = 0; n < kShifts * densities_; ++n) {
      lattices_.emplace_back(drawer_.uniforms(), options.seed, static_cast<std::uint64_t>(n));
    }
    sums_.assign(rules.size() * kShifts, Matrix::Zero(weight_.rows(), weight_.cols()));
  }

  MonteCarloRisk run() {
    const Index rows_per_point = kShifts * densities_;
    Index points = kMostFirst;
    const Index first = std::min(options_.most_rows, kMostFirstRows);
    while (points > kFewestFirst && points * rows_per_point > first) points /= 2;
    const Index most = options_.most_rows / rows_per_point;
    Index expected = tasks(points);
    for (Index more = points; 2 * more <= most; more *= 2) expected += tasks(more);
    context_.expect(expected);
    extend(0, points);
    while (!is_close(points) && 2 * points <= most) {
      extend(points, 2 * points);
      points *= 2;
    }
    MonteCarloRisk result;
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const RuleRisk found = risk(r, points);
      result.table.push_back(found.table);
      result.error.push_back(found.error);
    }
    result.rows = points * rows_per_point;
    return result;
  }

 private:
  static constexpr int kShifts = 16;
  // Points of the first round.
  static constexpr Index kMostFirst = 1024, kFewestFirst = 64, kMostFirstRows = 1 << 18;

  static constexpr double kLeastUnit = std::numeric_limits<double>::min();

  struct RuleRisk {
    Matrix table;
    double cost, error;
  };

  // Points of a task: few enough that the rows of many threads fit into memory.
  Index task_points(Index points) const {
    const Index width = drawer_.uniforms() + proposal_.plan().groups + 1;
    const Index fitting = (Index{1} << 21) / (width * densities_);
    Index size = 16;
    while (2 * size <= std::min<Index>({fitting, 4096, points})) size *= 2;
    return size;
  }

  Index tasks(Index points) const { return points / task_points(points) * kShifts; }

  // Adds the points [begin, end) of every lattice. Parts are merged in a fixed order.
  void extend(Index begin, Index end) {
    const Index size = task_points(end - begin), runs = (end - begin) / size;
    std::vector<std::vector<Matrix>> parts(static_cast<std::size_t>(runs * kShifts));
    context_.run(runs * kShifts, [&](Index task) {
      parts[static_cast<std::size_t>(task)] =
          sum_points(task / runs, begin + task % runs * size, size);
    });
    for (std::size_t task = 0; task < parts.size(); ++task) {
      for (std::size_t r = 0; r < rules_.size(); ++r) {
        sums_[r * kShifts + task / static_cast<std::size_t>(runs)] += parts[task][r];
      }
    }
  }

  DrawnRows draw(Index shift, Index begin, Index count) const {
    DrawnRows rows(drawer_.levels(), densities_ * count);
    Vector u(static_cast<std::size_t>(drawer_.uniforms()));
    for (Index d = 0; d < densities_; ++d) {
      const ShiftedLattice& lattice = lattices_[static_cast<std::size_t>(shift * densities_ + d)];
      for (Index i = 0; i < count; ++i) {
        lattice.point(static_cast<std::uint64_t>(begin + i), u.data());
        drawer_.draw(proposal_.densities()[static_cast<std::size_t>(d)], u.data(), d * count + i,
                     rows);
      }
    }
    return rows;
  }

  std::vector<Matrix> sum_points(Index shift, Index begin, Index count) const {
    const DrawnRows rows = draw(shift, begin, count);
    const Frame frame = rows.frame();
    Matrix joint = score_log_joint(scorer_, frame);
    const Eigen::VectorXd log_total = log_sum_of_rows(joint);
    joint.conservativeResize(Eigen::NoChange, weight_.rows());
    for (Index k = 0; k < joint.cols(); ++k) {
      joint.col(k).array() += log_prior_[static_cast<std::size_t>(k)];
    }
    std::vector<IntVector> decisions(rules_.size(), IntVector(frame.rows));
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      rules_[r]->decide(frame, joint, decisions[r].data());
    }
    joint.colwise() -= log_total;
    joint = joint.array().exp();
    std::vector<Matrix> tables(rules_.size(), Matrix::Zero(weight_.rows(), weight_.cols()));
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      for (Index i = 0; i < frame.rows; ++i) {
        tables[r].col(decisions[r][i]) += joint.row(i).transpose();
      }
    }
    return tables;
  }

  bool is_close(Index points) const {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const RuleRisk found = risk(r, points);
      if (found.error > options_.tolerance) return false;
      if (rules_[r]->best() && found.error > options_.relative * std::abs(found.cost)) return false;
    }
    return true;
  }

  RuleRisk risk(std::size_t rule, Index points) const {
    Matrix table = Matrix::Zero(weight_.rows(), weight_.cols());
    for (int s = 0; s < kShifts; ++s) table += sums_[rule * kShifts + s];
    const Eigen::VectorXd found = table.rowwise().sum();
    Eigen::VectorXd scale(found.size());
    for (Index k = 0; k < scale.size(); ++k) {
      scale[k] = found[k] > 0 ? prior_[static_cast<std::size_t>(k)] / found[k] : 0;
    }
    table = scale.asDiagonal() * table;
    const Eigen::VectorXd of_class = table.cwiseProduct(weight_).rowwise().sum();
    // The sum of a class counts only as far as its cost differs from the mean.
    const Eigen::VectorXd mean = of_class.cwiseQuotient(table.rowwise().sum().cwiseMax(1e-300));
    // In units of the largest cost, so that no square overflows or underflows.
    const double unit = std::max(weight_.cwiseAbs().maxCoeff(), kLeastUnit);
    Eigen::ArrayXd cost(kShifts);
    for (int s = 0; s < kShifts; ++s) {
      const Matrix& sums = sums_[rule * kShifts + s];
      const Eigen::VectorXd rest =
          sums.cwiseProduct(weight_).rowwise().sum() - sums.rowwise().sum().cwiseProduct(mean);
      cost[s] = kShifts * (rest / unit).dot(scale);
    }
    const double scatter =
        unit * std::sqrt((cost - cost.mean()).square().sum() / (kShifts - 1.0) / kShifts);
    const double rows = static_cast<double>(points * kShifts * densities_);
    const double unseen = proposal_.unseen(rows, rules_[rule]->best());
    return {table, of_class.sum(), std::max(scatter, unseen)};
  }

  const std::vector<const RowDecisions*>& rules_;
  Matrix weight_;  // finite costs, truth x decision
  MonteCarloOptions options_;
  const Context& context_;
  const Vector& prior_;
  Vector log_prior_;
  Proposal proposal_;
  Index densities_;
  Drawer drawer_;
  Scorer scorer_;
  std::vector<ShiftedLattice> lattices_;
  std::vector<Matrix> sums_;  // rule by rule, shift by shift
};

}  // namespace bayesrisk

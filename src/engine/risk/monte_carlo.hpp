#pragma once

#include <engine/core/context.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/random.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/model/draw.hpp>
#include <engine/risk/proposal.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

// Points of the unit cube that fill it more evenly than random points: a Korobov lattice, shifted
// at random and folded (the tent, or baker's, transformation). Each point is uniformly distributed,
// so averages over independent shifts are unbiased.
//
// The first 2^m points form a lattice for every m, so the number of points can be doubled. The
// multiplier is that of Hickernell, Hong, L'Ecuyer and Lemieux (2000), Extensible lattice sequences
// for quasi-Monte Carlo quadrature, SIAM J. Sci. Comput. 22, 1117-1138. In small lattices the
// powers of the multiplier repeat. Therefore the coordinates after the first kLattice are random
// numbers.
class ShiftedLattice {
 public:
  ShiftedLattice(int dimension, std::uint64_t seed, std::uint64_t stream);

  void point(std::uint64_t i, double* u) const;

 private:
  static constexpr int kLattice = 32;
  static constexpr std::uint64_t kMultiplier = 17797;

  // The bits of i in reverse order.
  static std::uint64_t reversed(std::uint64_t i);

  int dimension_;
  std::uint64_t key_;
  std::vector<std::uint64_t> multiplier_, shift_;
};

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

Matrix score_log_joint(const Scorer& scorer, const Frame& frame);

void decide_rows(const Matrix& log_joint, const Cost& cost, int* decisions);

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
  ModelDecisions(const View& view, const Cost& cost);

  void decide(const Frame& rows, const Matrix&, int* decisions) const override;

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
             const MonteCarloOptions& options, const Context& context);

  MonteCarloRisk run();

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
  Index task_points(Index points) const;

  Index tasks(Index points) const { return points / task_points(points) * kShifts; }

  // Adds the points [begin, end) of every lattice. Parts are merged in a fixed order.
  void extend(Index begin, Index end);

  DrawnRows draw(Index shift, Index begin, Index count) const;

  std::vector<Matrix> sum_points(Index shift, Index begin, Index count) const;

  bool is_close(Index points) const;

  RuleRisk risk(std::size_t rule, Index points) const;

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

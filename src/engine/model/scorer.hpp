#pragma once

#include <engine/core/log_math.hpp>
#include <engine/data/tile.hpp>
#include <engine/model/tempering.hpp>
#include <engine/simd/columns.hpp>

namespace bayesrisk {

// A model prepared to score rows: its log prior, a scorer per bank, and the powers of its blocks.
// With few rows the lookup tables are skipped; the sums are the same. With hyperparameters, one for
// each bank, the scores are those of the predictive distributions.
class Scorer {
 public:
  Scorer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters, const Vector& prior,
         Index rows, const Tempering& tempering = {},
         const std::vector<Hyperparameters>& hyperparameters = {});

  const ModelPlan& plan() const { return plan_; }
  int classes() const { return plan_.groups; }
  const Vector& prior() const { return prior_; }
  const Vector& log_prior() const { return log_prior_; }

  // Adds the log likelihoods of the banks, or of the blocks to their powers, to a tile of zeros.
  void add_all(const Frame& frame, Tile& tile) const;

  // Adds the log likelihood of some members of a bank.
  void add_members(const Frame& frame, const BlockMembers& blocks, Tile& tile) const {
    if (const BagScores* scores = scores_of(frame, blocks)) return add_scores(*scores, tile);
    banks_[blocks.bank]->add(frame, blocks.from, blocks.to, tile);
  }

  // Adds neighbouring blocks of the same power.
  void add_blocks(const Frame& frame, const BlockMembers& blocks, Tile& tile) const;

  // A class of prior 0 is impossible, even where its likelihood is unknown.
  void add_prior(Tile& tile) const;

 private:
  // The scores of a bag that were computed before, or null.
  const BagScores* scores_of(const Frame& frame, const BlockMembers& blocks) const;

  static void add_scores(const BagScores& scores, Tile& tile);

  // Each row is read under every power, also under power 0, because it may be flagged.
  void add_tempered(const Frame& frame, Tile& tile) const;

  double power_of(const BlockMembers& blocks) const;

  // The belief about rows that miss every feature is the prior with its offsets.
  void temper(const Tempering& tempering);

  const ModelPlan& plan_;
  Vector prior_, log_prior_;
  std::vector<std::unique_ptr<BankScorer>> banks_;
  std::vector<std::pair<BlockMembers, double>> powers_;  // empty: nothing is tempered
};

}  // namespace bayesrisk

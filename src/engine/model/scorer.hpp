#pragma once

#include <engine/data/tile.hpp>
#include <engine/likelihood/predictive.hpp>
#include <engine/model/tempering.hpp>

namespace bayesrisk {

// A model prepared to score rows: its log prior, a scorer per bank, and the powers of its blocks.
// With few rows the lookup tables are skipped; the sums are the same. With hyperparameters, one for
// each bank, the scores are those of the predictive distributions.
class Scorer {
 public:
  Scorer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters, const Vector& prior,
         Index rows, const Tempering& tempering = {},
         const std::vector<Hyperparameters>& hyperparameters = {})
      : plan_(plan), prior_(prior) {
    for (double p : prior) log_prior_.push_back(std::log(p));
    if (!tempering.empty()) temper(tempering);
    for (std::size_t b = 0; b < plan.banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            using L = LikelihoodOf<decltype(p)>;
            const auto& own = std::get<typename L::Parameters>(parameters[b]);
            Bank<std::decay_t<decltype(p)>> bank;
            if (!has_predictive<L> || hyperparameters.empty()) {
              bank.plain = make<typename L::Scorer>(rows, p, own);
            } else if constexpr (has_predictive<L>) {
              bank.predictive =
                  make<typename Predictive<L>::Scorer>(rows, p, own, hyperparameters[b]);
            }
            banks_.emplace_back(std::move(bank));
          },
          plan.banks[b]);
    }
  }

  const ModelPlan& plan() const { return plan_; }
  int classes() const { return plan_.groups; }
  const Vector& prior() const { return prior_; }
  const Vector& log_prior() const { return log_prior_; }

  // Adds the log likelihoods of the banks, or of the blocks to their powers, to a tile of zeros.
  void add_all(const Frame& frame, Tile& tile) const {
    if (!powers_.empty()) return add_tempered(frame, tile);
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      const int members = std::visit([](const auto& p) { return p.members(); }, plan_.banks[b]);
      add_members(frame, {b, 0, members}, tile);
    }
  }

  // Adds the log likelihood of some members of a bank.
  void add_members(const Frame& frame, const BlockMembers& blocks, Tile& tile) const {
    if (const BagScores* scores = scores_of(frame, blocks)) return add_scores(*scores, tile);
    std::visit(
        [&](const auto& bank) {
          if (bank.plain) {
            bank.plain->add(frame, blocks.from, blocks.to, tile);
          } else {
            bank.predictive->add(frame, blocks.from, blocks.to, tile);
          }
        },
        banks_[blocks.bank]);
  }

  // Adds neighbouring blocks of the same power.
  void add_blocks(const Frame& frame, const BlockMembers& blocks, Tile& tile) const {
    if (powers_.empty()) return add_members(frame, blocks, tile);
    Tile::Sum sum(tile);
    add_members(frame, blocks, tile);
    sum.add(power_of(blocks));
    sum.write();
  }

  // A class of prior 0 is impossible, even where its likelihood is unknown.
  void add_prior(Tile& tile) const {
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      if (log_prior_[k] == kNegativeInfinity) {
        std::fill(out, out + tile.rows, kNegativeInfinity);
      } else {
        simd::add_constant(out, log_prior_[k], tile.stride);
      }
    }
  }

 private:
  // The scores of a bag that were computed before, or null.
  const BagScores* scores_of(const Frame& frame, const BlockMembers& blocks) const {
    return std::visit(
        [&](const auto& p) -> const BagScores* {
          if constexpr (reads_bag<std::decay_t<decltype(p)>>) {
            const BagScores& scores = frame.columns[static_cast<std::size_t>(p.feature())].scores;
            if (scores && blocks.from < blocks.to) return &scores;
          }
          return nullptr;
        },
        plan_.banks[blocks.bank]);
  }

  static void add_scores(const BagScores& scores, Tile& tile) {
    const Index* row = scores.row + tile.begin;
    for (int k = 0; k < tile.classes; ++k) {
      const double* of_class = scores.score + k * scores.stride;
      double* out = tile.of_class(k);
      for (int r = 0; r < tile.rows; ++r) out[r] += of_class[row[r] - scores.first];
    }
  }

  // Each row is read under every power, also under power 0, because it may be flagged.
  void add_tempered(const Frame& frame, Tile& tile) const {
    Tile::Sum sum(tile);
    for (const auto& [blocks, power] : powers_) {
      tile.clear();
      add_members(frame, blocks, tile);
      sum.add(power);
    }
    sum.write();
  }

  double power_of(const BlockMembers& blocks) const {
    for (const auto& [run, power] : powers_) {
      if (run.bank == blocks.bank && run.from <= blocks.from && blocks.to <= run.to) return power;
    }
    throw InvalidState("blocks of several powers");
  }

  // The belief about rows that miss every feature is the prior with its offsets.
  void temper(const Tempering& tempering) {
    powers_ = unite_blocks(blocks_of(plan_), tempering.power);
    const double most = *std::max_element(tempering.offset.begin(), tempering.offset.end());
    double total = 0;
    for (std::size_t k = 0; k < prior_.size(); ++k) {
      log_prior_[k] += tempering.offset[k];
      prior_[k] *= std::exp(tempering.offset[k] - most);
      total += prior_[k];
    }
    for (double& p : prior_) p /= total;
  }

  // A scorer that has lookup tables is told the number of rows.
  template <class BankScorer, class... State>
  static std::unique_ptr<BankScorer> make(Index rows, const State&... state) {
    if constexpr (std::is_constructible_v<BankScorer, const State&..., Index>) {
      return std::make_unique<BankScorer>(state..., rows);
    } else {
      return std::make_unique<BankScorer>(state...);
    }
  }

  // One of the two.
  template <class Plan>
  struct Bank {
    std::unique_ptr<typename LikelihoodOf<Plan>::Scorer> plain;
    std::unique_ptr<typename Predictive<LikelihoodOf<Plan>>::Scorer> predictive;
  };
  using AnyBank = MapVariant<Bank, AnyPlan>::type;

  const ModelPlan& plan_;
  Vector prior_, log_prior_;
  std::vector<AnyBank> banks_;
  std::vector<std::pair<BlockMembers, double>> powers_;  // empty: nothing is tempered
};

}  // namespace bayesrisk

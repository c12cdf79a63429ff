#pragma once

#include <engine/core/context.hpp>
#include <engine/core/quantile.hpp>
#include <engine/decision/decide.hpp>
#include <engine/model/parameter_posterior.hpp>
#include <engine/model/posterior.hpp>
#include <engine/model/scorer.hpp>

#include <cmath>
#include <memory>

namespace bayesrisk {

// How much the decisions of a model depend on the uncertainty about its parameters: by row, NaN or
// missing if the row has no decision.
struct Stability {
  Vector stays;         // the share of draws with the same decision
  IntVector runner_up;  // the action of most other draws, from 1
  Vector runner_up_share;
  Vector saving;        // expected: what knowing the parameters would save
  Matrix lower, upper;  // of the probabilities, rows x classes

  Stability(Index rows, int classes)
      : stays(static_cast<std::size_t>(rows), kNaN),
        runner_up(static_cast<std::size_t>(rows), kMissingInteger),
        runner_up_share(stays),
        saving(stays),
        lower(Matrix::Constant(rows, classes, kNaN)),
        upper(lower) {}
};

// A part of the banks of a model: the banks that have a posterior, or the others.
struct BankSelection {
  ModelPlan plan;
  std::vector<std::size_t> bank;
  Tempering tempering;

  BankSelection(const ModelPlan& whole, const Tempering& exponents,
                const std::vector<Hyperparameters>& hyperparameters, bool known) {
    plan.groups = whole.groups;
    std::size_t block = 0;
    for (std::size_t b = 0; b < whole.banks.size(); ++b) {
      const int blocks = whole.banks[b]->blocks();
      if (hyperparameters[b].known() == known) {
        plan.banks.push_back(whole.banks[b]);
        bank.push_back(b);
        for (int i = 0; i < blocks && !exponents.empty(); ++i) {
          tempering.power.push_back(exponents.power[block + static_cast<std::size_t>(i)]);
        }
      }
      block += static_cast<std::size_t>(blocks);
    }
    // The offsets of the classes count once.
    if (!exponents.empty()) {
      tempering.offset = known ? Vector(exponents.offset.size(), 0.0) : exponents.offset;
    }
  }

  std::vector<AnyParameters> select(const std::vector<AnyParameters>& parameters) const {
    std::vector<AnyParameters> part;
    for (std::size_t b : bank) part.push_back(parameters[b]);
    return part;
  }
};

// The costs of the rows from `first` on.
inline CaseCost part_of(const CaseCost& cost, Index first) {
  CaseCost part = cost;
  for (CaseCost::Entry& entry : part.varying) entry.value += first;
  return part;
}

class StabilityAnalysis {
 public:
  // `decided`: the decision of each row, from 1, or missing. The banks of a draw are those of
  // `drawn`.
  StabilityAnalysis(const BankSelection& known, const BankSelection& drawn,
                    const std::vector<AnyParameters>& known_banks,
                    const std::vector<ModelParameters>& draws, const Frame& frame,
                    const CaseCost& cost, const int* decided, double level)
      : known_(known),
        drawn_(drawn),
        known_banks_(known_banks),
        draws_(draws),
        frame_(frame),
        cost_(cost),
        decided_(decided),
        level_(level) {}

  Stability run(const Context& context) const {
    const int classes = known_.plan.groups;
    Stability result(frame_.rows, classes);
    const Index size = block_rows(classes);
    context.run((frame_.rows + size - 1) / size, [&](Index block) {
      const Index first = block * size;
      Block(*this, first, std::min(size, frame_.rows - first)).run(context, result);
    });
    return result;
  }

 private:
  // The probabilities of a block in all draws fit into 16 MB.
  Index block_rows(int classes) const {
    const auto numbers = static_cast<Index>(draws_.size()) * classes;
    return std::clamp<Index>((Index{1} << 21) / std::max<Index>(numbers, 1), 1,
                             Tile::fitting_rows(classes));
  }

  // Some rows, at most those of a tile.
  class Block {
   public:
    Block(const StabilityAnalysis& of, Index first, Index rows)
        : of_(of),
          first_(first),
          rows_(rows),
          frame_(part_of(of.frame_, first, rows)),
          cost_(part_of(of.cost_, first)),
          classes_(of.known_.plan.groups),
          actions_(of.cost_.fixed.actions()),
          draws_(static_cast<Index>(of.draws_.size())),
          tile_(classes_, static_cast<int>(frame_.columns.size())),
          decision_(static_cast<std::size_t>(rows)),
          expected_(rows, actions_),
          probability_(draws_, rows * classes_),
          share_(static_cast<std::size_t>(rows * classes_)),
          count_(Matrix::Zero(rows, actions_)),
          saving_(static_cast<std::size_t>(rows), 0.0),
          columns_(),
          posterior_(classes_, tile_.capacity) {
      columns_.decision = decision_.data();
      for (int a = 0; a < actions_; ++a) columns_.cost_of.push_back(expected_.col(a).data());
      decider_ = std::make_unique<Decider>(cost_, columns_, no_classes_, tile_.capacity);
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    void run(const Context& context, Stability& result) {
      score_known();
      for (Index d = 0; d < draws_; ++d) {
        context.check();
        add_draw(d);
      }
      for (Index r = 0; r < rows_; ++r) write(r, result);
    }

   private:
    void score_known() {
      const Vector even(static_cast<std::size_t>(classes_), 1.0 / classes_);
      const Scorer scorer(of_.known_.plan, of_.known_banks_, even, rows_, of_.known_.tempering);
      tile_.start(0, rows_);
      scorer.add_all(frame_, tile_);
      known_score_ = tile_.log_joint;
    }

    void add_draw(Index d) {
      const ModelParameters& drawn = of_.draws_[static_cast<std::size_t>(d)];
      const Scorer scorer(of_.drawn_.plan, drawn.banks, drawn.prior, rows_, of_.drawn_.tempering);
      tile_.start(0, rows_);
      scorer.add_all(frame_, tile_);
      for (std::size_t i = 0; i < known_score_.size(); ++i) tile_.log_joint[i] += known_score_[i];
      posterior_.negate_log_joints(tile_, scorer.log_prior());
      posterior_.evaluate(tile_);
      decider_->decide(posterior_.beliefs(tile_), nullptr, 0);
      posterior_.write_probabilities(share_.data(), rows_);
      for (int k = 0; k < classes_; ++k) {
        for (Index r = 0; r < rows_; ++r) probability_(d, r * classes_ + k) = share_[k * rows_ + r];
      }
      for (Index r = 0; r < rows_; ++r) count(r, posterior_.least()[r]);
    }

    // A row that is impossible in a draw has no decision there.
    void count(Index r, double least) {
      const int now = of_.decided_[first_ + r], then = decision_[static_cast<std::size_t>(r)];
      if (now == kMissingInteger || then == kMissingInteger || !std::isfinite(least)) return;
      count_(r, then - 1) += 1;
      const double more = expected_(r, now - 1) - expected_(r, then - 1);
      if (more > 0) saving_[static_cast<std::size_t>(r)] += more;
    }

    void write(Index r, Stability& result) {
      const double counted = count_.row(r).sum();
      const int now = of_.decided_[first_ + r];
      const auto at = static_cast<std::size_t>(first_ + r);
      for (int k = 0; k < classes_; ++k) write_interval(r, k, result);
      if (!(counted > 0)) return;
      result.stays[at] = count_(r, now - 1) / counted;
      result.saving[at] = saving_[static_cast<std::size_t>(r)] / counted;
      count_(r, now - 1) = 0;
      Index other;
      const double most = count_.row(r).maxCoeff(&other);
      result.runner_up_share[at] = most / counted;
      if (most > 0) result.runner_up[at] = static_cast<int>(other) + 1;
    }

    void write_interval(Index r, int k, Stability& result) {
      double* begin = probability_.col(r * classes_ + k).data();
      double* end = std::partition(begin, begin + draws_, [](double p) { return !std::isnan(p); });
      if (begin == end) return;
      result.lower(first_ + r, k) = quantile(begin, end, 0.5 * (1 - of_.level_));
      result.upper(first_ + r, k) = quantile(begin, end, 0.5 * (1 + of_.level_));
    }

    const StabilityAnalysis& of_;
    Index first_, rows_;
    Frame frame_;
    CaseCost cost_;
    int classes_, actions_;
    Index draws_;
    Tile tile_;
    LineVector known_score_;
    IntVector decision_;
    Matrix expected_;     // rows x actions
    Matrix probability_;  // draws x (rows x classes)
    Vector share_;        // of the classes, in one draw: rows x classes
    Matrix count_;        // rows x actions
    Vector saving_;
    DecisionColumns columns_;
    IntVector no_classes_;
    Posterior posterior_;
    std::unique_ptr<Decider> decider_;
  };

  const BankSelection &known_, &drawn_;
  const std::vector<AnyParameters>& known_banks_;
  const std::vector<ModelParameters>& draws_;
  const Frame& frame_;
  const CaseCost& cost_;
  const int* decided_;
  double level_;
};

// Draws the parameters once, and scores the rows under every draw.
inline Stability decision_stability(const ModelPlan& plan, const ParameterPosterior& posterior,
                                    const Tempering& tempering, const Frame& frame,
                                    const CaseCost& cost, const int* decided, int draws,
                                    std::uint64_t seed, double level, const Context& context) {
  const BankSelection known(plan, tempering, posterior.hyperparameters, true),
      drawn(plan, tempering, posterior.hyperparameters, false);
  const std::vector<AnyParameters> fixed = known.select(posterior.centre.banks);
  std::vector<ModelParameters> parameters(static_cast<std::size_t>(draws));
  for (std::size_t d = 0; d < parameters.size(); ++d) {
    context.check();
    const ModelParameters whole = posterior.draw(plan, seed, d);
    parameters[d] = {whole.prior, drawn.select(whole.banks)};
  }
  return StabilityAnalysis(known, drawn, fixed, parameters, frame, cost, decided, level)
      .run(context);
}

}  // namespace bayesrisk

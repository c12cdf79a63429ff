#pragma once

#include <engine/evaluation/folds.hpp>
#include <engine/evaluation/held_out_bags.hpp>
#include <engine/model/score.hpp>

namespace bayesrisk {

struct TemperedParts;

// The results for held-out rows and their destinations, for each candidate: decisions if there is a
// cost, the scores of the parts of the only candidate if there are parts, posterior probabilities
// otherwise.
struct HeldOut {
  const CaseCost* cost = nullptr;
  TemperedParts* parts = nullptr;
  Index rows = 0;  // the stride of `numbers`
  std::vector<int*> choices;
  std::vector<double*> numbers;
  double missing = kNaN;
};

// Scores rows by the models of their own folds. Windows of rows are processed in order. Within a
// window the rows are processed fold by fold. So the data are read once.
class HeldOutScorer {
 public:
  HeldOutScorer(const FoldedRows& rows, const FoldModels& models, const HeldOut& wanted)
      : rows_(rows), models_(models), wanted_(wanted), bags_(rows, models) {}

  // `window`: the rows of a window.
  void run(Index window, const Context& context) const {
    const Index rows = rows_.frame.rows;
    context.run((rows + window - 1) / window, [&](Index w) {
      score_window(w * window, std::min(rows, (w + 1) * window), context);
    });
  }

 private:
  void score_window(Index first, Index last, const Context& context) const {
    const int folds = static_cast<int>(models_.size());
    const RowsByPart by_fold(rows_.fold, first, last, folds);
    const HeldOutBags::Window bags(bags_, first, last, context);
    Gather gather(rows_.frame);
    for (int f = 0; f < folds; ++f) {
      if (by_fold.count(f) == 0) continue;
      Frame& held_out = gather.take(by_fold.of(f), by_fold.count(f));
      for (std::size_t c = 0; c < models_[f].size(); ++c) {
        if (!models_[f][c].scorer) continue;
        bags.lend(c, by_fold.of(f), held_out);
        score_rows(*models_[f][c].scorer, held_out, by_fold.of(f), c, context);
      }
    }
  }

  void score_rows(const Scorer& scorer, const Frame& held_out, const Index* rows,
                  std::size_t candidate, const Context& context) const {
    Request request;
    request.missing = wanted_.missing;
    IntVector choices;
    Vector numbers;
    CaseCost cost;
    std::vector<Vector> varying;
    const Index columns = scorer.classes();
    if (wanted_.cost) {
      cost = gather_cost(rows, held_out.rows, varying);
      choices.resize(held_out.rows);
      request.output = Output::decision;
      request.cost = &cost;
      request.decision.decision = choices.data();
    } else {
      numbers.resize(held_out.rows * columns);
      request.output = Output::prob;
      request.numbers = numbers.data();
    }
    ScoreTask(scorer, held_out, request).run(0, held_out.rows, context);
    for (Index i = 0; i < held_out.rows; ++i) {
      if (!choices.empty()) wanted_.choices[candidate][place(rows[i])] = choices[i];
      for (Index c = 0; !numbers.empty() && c < columns; ++c) {
        wanted_.numbers[candidate][c * wanted_.rows + place(rows[i])] =
            numbers[c * held_out.rows + i];
      }
    }
  }

  Index place(Index row) const { return rows_.place ? rows_.place[row] : row; }

  // The cost of some rows; `varying` keeps the costs that differ from row to row.
  CaseCost gather_cost(const Index* rows, Index count, std::vector<Vector>& varying) const {
    CaseCost cost{wanted_.cost->fixed, {}};
    for (const CaseCost::Entry& entry : wanted_.cost->varying) {
      Vector values(count);
      for (Index i = 0; i < count; ++i) values[i] = entry.value[place(rows[i])];
      varying.push_back(std::move(values));
      cost.varying.push_back({entry.action, entry.truth, varying.back().data()});
    }
    return cost;
  }

  const FoldedRows& rows_;
  const FoldModels& models_;
  const HeldOut& wanted_;
  const HeldOutBags bags_;
};

}  // namespace bayesrisk

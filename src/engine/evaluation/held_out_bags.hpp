#pragma once

#include <engine/data/gather.hpp>
#include <engine/evaluation/candidates.hpp>

namespace bayesrisk {

// Rows that are held out fold by fold.
struct FoldedRows {
  Frame frame;
  const int* group = nullptr;      // the class, from 1
  const double* weight = nullptr;  // null: every row counts once
  const int* fold = nullptr;       // from 1; missing: the row is left out
  const Index* place = nullptr;    // the position of the row's result; null: its own position
};

using FoldModels = std::vector<std::vector<FoldModel>>;  // fold x candidate

// Scores bags by the models of all folds in one reading of their cells, each row by the model of
// its own fold. Cells are stored by term, so the rows of a fold cannot be read alone.
class HeldOutBags {
  // The scorer of a bag by the models of all folds.
  struct Bag {
    std::size_t candidate;
    int feature, classes;
    std::function<void(const Frame&, Tile&)> add;
  };

 public:
  HeldOutBags(const FoldedRows& rows, const FoldModels& models) : frame_(rows.frame) {
    for (std::size_t c = 0; c < models[0].size(); ++c) add_candidate(models, c);
    if (bags_.empty()) return;
    model_.resize(static_cast<std::size_t>(frame_.rows), 0);
    for (Index r = 0; r < frame_.rows; ++r) {
      if (rows.fold[r] != kMissingInteger) {
        model_[r] = static_cast<unsigned short>(rows.fold[r] - 1);
      }
    }
    for (Column& column : frame_.columns) {
      if (column.is_bag()) column.model = model_.data();
    }
  }

  // The scores of the rows of a window.
  class Window {
   public:
    Window(const HeldOutBags& all, Index first, Index last, const Context& context)
        : all_(all), first_(first), rows_(last - first) {
      for (const Bag& bag : all.bags_) scores_.push_back(score(bag, context));
    }

    // Gives the scores to chosen rows of the window, which were gathered for a candidate.
    void lend(std::size_t candidate, const Index* rows, Frame& gathered) const {
      for (std::size_t b = 0; b < scores_.size(); ++b) {
        const Bag& bag = all_.bags_[b];
        if (bag.candidate != candidate) continue;
        gathered.columns[static_cast<std::size_t>(bag.feature)].scores = {scores_[b].data(), rows_,
                                                                          first_, rows};
      }
    }

   private:
    Vector score(const Bag& bag, const Context& context) const {
      Vector scores(static_cast<std::size_t>(rows_ * bag.classes));
      Tile tile(bag.classes, static_cast<int>(all_.frame_.columns.size()));
      for (Index begin = first_; begin < first_ + rows_; begin += tile.rows) {
        context.check();
        tile.start(begin, first_ + rows_);
        bag.add(all_.frame_, tile);
        for (int k = 0; k < bag.classes; ++k) {
          std::copy_n(tile.of_class(k), tile.rows, scores.data() + k * rows_ + (begin - first_));
        }
      }
      return scores;
    }

    const HeldOutBags& all_;
    Index first_, rows_;
    std::vector<Vector> scores_;
  };

  // The length of windows. With bags they are long, because each window reads every term, but each
  // thread has one, and the scores fit into the cache.
  static Index rows_of_window(const Frame& frame, int classes, const Context& context) {
    constexpr Index kFewest = 8192;
    const bool bags = std::any_of(frame.columns.begin(), frame.columns.end(),
                                  [](const Column& column) { return column.is_bag(); });
    if (!bags) return kFewest;
    const Index runs = std::max<Index>(std::max(context.threads, 1),
                                       frame.rows * classes / Tile::Ahead::kMost + 1);
    return std::max((frame.rows + runs - 1) / runs, kFewest);
  }

 private:
  void add_candidate(const FoldModels& models, std::size_t candidate) {
    std::vector<const FoldModel*> of_fold;
    const FoldModel* any = nullptr;
    for (const auto& of_candidates : models) {
      of_fold.push_back(&of_candidates[candidate]);
      if (of_fold.back()->scorer) any = of_fold.back();
    }
    if (any == nullptr) return;
    // Nobody asks for the scores of a fold without a model.
    for (const FoldModel*& model : of_fold) model = model->scorer ? model : any;
    const ModelPlan& plan = any->scorer->plan();
    for (std::size_t b = 0; b < plan.banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            if constexpr (reads_bag<std::decay_t<decltype(p)>>) {
              using L = LikelihoodOf<decltype(p)>;
              using Parameters = typename L::Parameters;
              std::vector<const Parameters*> parameters;
              for (const FoldModel* model : of_fold) {
                parameters.push_back(&std::get<Parameters>(model->estimate.banks[b]));
              }
              const auto scorer = std::make_shared<const typename L::Scorer>(p, parameters);
              bags_.push_back(
                  {candidate, p.feature(), plan.groups,
                   [scorer](const Frame& frame, Tile& tile) { scorer->add(frame, 0, 1, tile); }});
            }
          },
          plan.banks[b]);
    }
  }

  Frame frame_;
  std::vector<Bag> bags_;
  std::vector<unsigned short> model_;  // of each row
};

}  // namespace bayesrisk

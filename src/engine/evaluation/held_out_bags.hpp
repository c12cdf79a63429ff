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

// Scores bags by the models of all folds in one reading of their cells, each row by the model of
// its own fold. Cells are stored by term, so the rows of a fold cannot be read alone.
class HeldOutBags {
  // The scorer of a bag by the models of all folds.
  struct Bag {
    std::size_t candidate;
    int feature, classes;
    std::unique_ptr<BankScorer> scorer;
  };

 public:
  HeldOutBags(const FoldedRows& rows, const FoldModels& models);

  // The scores of the rows of a window.
  class Window {
   public:
    Window(const HeldOutBags& all, Index first, Index last, const Context& context)
        : all_(all), first_(first), rows_(last - first) {
      for (const Bag& bag : all.bags_) scores_.push_back(score(bag, context));
    }

    // Gives the scores to chosen rows of the window, which were gathered for a candidate.
    void lend(std::size_t candidate, const Index* rows, Frame& gathered) const;

   private:
    Vector score(const Bag& bag, const Context& context) const;

    const HeldOutBags& all_;
    Index first_, rows_;
    std::vector<Vector> scores_;
  };

  // The length of windows. With bags they are long, because each window reads every term, but each
  // thread has one, and the scores fit into the cache.
  static Index rows_of_window(const Frame& frame, int classes, const Context& context);

 private:
  void add_candidate(const FoldModels& models, std::size_t candidate);

  Frame frame_;
  std::vector<Bag> bags_;
  std::vector<unsigned short> model_;  // of each row
};

}  // namespace bayesrisk

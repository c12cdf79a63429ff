#pragma once

#include <engine/model/score.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The part of the log odds of class `favoured` against class `rival` that is due to a bag, term by
// term. A row without these classes (negative) is left out. Vectors have an element for each entry.
struct TermContributions {
  static constexpr int kOthers = -1;  // the sum of the terms that are not listed
  static constexpr int kEmpty = -2;   // what a case without any term has

  IntVector row, term;
  Vector count;  // of kOthers the number of these terms, of kEmpty 0
  Vector contribution;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("row", self.row);
    visit("term", self.term);
    visit("count", self.count);
    visit("contribution", self.contribution);
  }
  void add(Index of_row, int of_term, double how_many, double value) {
    row.push_back(static_cast<int>(of_row));
    term.push_back(of_term);
    count.push_back(how_many);
    contribution.push_back(value);
  }
};

// The scores of a block, row by row.
inline Vector block_scores(const Scorer& scorer, const BlockMembers& block, const Frame& frame,
                           const Context& context) {
  const Index classes = scorer.classes();
  Vector score(static_cast<std::size_t>(frame.rows * classes));
  Tile tile(scorer.classes(), static_cast<int>(frame.columns.size()));
  for (Index first = 0; first < frame.rows; first += tile.rows) {
    context.check();
    tile.start(first, frame.rows);
    scorer.add_blocks(frame, block, tile);
    for (int k = 0; k < tile.classes; ++k) {
      for (int r = 0; r < tile.rows; ++r) {
        score[static_cast<std::size_t>((first + r) * classes + k)] = tile.of_class(k)[r];
      }
    }
  }
  return score;
}

// The parameters by which single terms are scored.
inline std::vector<AnyParameters> parameters_of_terms(const ModelPlan& plan,
                                                      std::vector<AnyParameters> parameters) {
  for (std::size_t b = 0; b < parameters.size(); ++b) {
    plan.banks[b]->prepare_for_terms(parameters[b]);
  }
  return parameters;
}

// Scores each cell of a bag as a case of its own, and last a case without any cell.
class TermScores {
 public:
  // `scorer`: of parameters_of_terms().
  TermScores(const Scorer& scorer, const BlockMembers& block, int feature, const Column& column,
             const Context& context)
      : classes_(scorer.classes()), cells_(column.by_term.begin[column.by_term.terms]) {
    // Row c has cell c; the last row has none.
    IntVector row(static_cast<std::size_t>(cells_));
    std::iota(row.begin(), row.end(), 0);
    Frame frame{cells_ + 1, std::vector<Column>(static_cast<std::size_t>(feature) + 1, column)};
    CellsByTerm& single = frame.columns.back().by_term;
    single.row = row.data();
    single.rows = frame.rows;
    single.starts = nullptr;
    score_ = block_scores(scorer, block, frame, context);
  }

  // The score of a case without any cell.
  double empty(int k) const { return of(cells_, k); }

  // The score of a case gains this by the cell.
  double cell(Index c, int k) const { return of(c, k) - of(cells_, k); }

 private:
  double of(Index c, int k) const { return score_[static_cast<std::size_t>(c * classes_ + k)]; }

  int classes_;
  Index cells_;
  Vector score_;
};

// Lists the terms of one row after the other.
class TermRanking {
 public:
  // `total`: the block_scores() of the cases.
  TermRanking(const Column& column, int terms, const TermScores& scores, const Vector& total,
              int classes)
      : column_(column),
        cells_(column.by_term),
        terms_(terms),
        scores_(scores),
        total_(total),
        classes_(classes) {}

  // The `most` terms that contribute most, in this order, then the sum of the others and the
  // contribution of an empty case, unless it is 0.
  void add_row(Index row, int favoured, int rival, std::size_t most, TermContributions& to) const {
    auto found = terms_of(row, favoured, rival);
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return std::abs(a.contribution) > std::abs(b.contribution);
    });
    const std::size_t listed = std::min(most, found.size());
    double others = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& [term, count, contribution] = found[i];
      if (i < listed) to.add(row, term, count, contribution);
      if (i >= listed) others += contribution;
    }
    const auto left = static_cast<double>(found.size() - listed);
    if (left > 0) to.add(row, TermContributions::kOthers, left, others);
    const double empty = without_terms(row, favoured) - without_terms(row, rival);
    if (empty != 0) to.add(row, TermContributions::kEmpty, 0, empty);
  }

 private:
  struct Found {
    int term;
    double count, contribution;
  };

  // Calls use(cell, term, count) for each cell that counts.
  template <class Use>
  void each_cell(Index row, const Use& use) const {
    const auto at = static_cast<std::size_t>(row);
    for (Index i = cells_.begin[at]; i < cells_.begin[at + 1]; ++i) {
      const int term = column_.term(cells_.term[static_cast<std::size_t>(i)]);
      const int cell = cells_.cell[static_cast<std::size_t>(i)];
      const double count = column_.by_term.value[cell];
      if (term >= 0 && term < terms_ && count != 0) use(cell, term, count);
    }
  }

  std::vector<Found> terms_of(Index row, int favoured, int rival) const {
    std::vector<Found> found;
    each_cell(row, [&](int cell, int term, double count) {
      found.push_back({term, count, scores_.cell(cell, favoured) - scores_.cell(cell, rival)});
    });
    return found;
  }

  // The score that is not due to terms of the case. If none of them makes the class impossible, but
  // the class is, then an absent term does.
  double without_terms(Index row, int k) const {
    if (total_[static_cast<std::size_t>(row * classes_ + k)] == kNegativeInfinity) {
      bool possible = true;
      each_cell(row, [&](int cell, int, double) {
        possible &= scores_.cell(cell, k) > kNegativeInfinity;
      });
      if (possible) return kNegativeInfinity;
    }
    return scores_.empty(k);
  }

  const Column& column_;
  CellsByRow cells_;
  int terms_;
  const TermScores& scores_;
  const Vector& total_;
  int classes_;
};

// The bag `feature` is the block `block` and has so many `terms`. `scorer`: of the model;
// `of_terms`: of parameters_of_terms().
inline TermContributions term_contributions(const Scorer& scorer, const Scorer& of_terms,
                                            const BlockMembers& block, int feature, int terms,
                                            const Frame& frame, const IntVector& favoured,
                                            const IntVector& rival, std::size_t most,
                                            const Context& context) {
  const Column& column = frame.columns[static_cast<std::size_t>(feature)];
  const TermScores scores(of_terms, block, feature, column, context);
  const Vector total = block_scores(scorer, block, frame, context);
  const TermRanking ranking(column, terms, scores, total, scorer.classes());
  TermContributions result;
  for (Index r = 0; r < frame.rows; ++r) {
    const int k = favoured[static_cast<std::size_t>(r)], l = rival[static_cast<std::size_t>(r)];
    if (k >= 0 && l >= 0) ranking.add_row(r, k, l, most, result);
  }
  return result;
}

}  // namespace bayesrisk

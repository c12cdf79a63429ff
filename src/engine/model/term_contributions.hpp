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

// Scores each cell of a bag as a case of its own, and last a case without any cell.
class TermScores {
 public:
  TermScores(const Scorer& scorer, const BlockMembers& block, int feature, const Column& column,
             const Context& context)
      : classes_(scorer.classes()), cells_(column.by_term.begin[column.by_term.terms]) {
    // Row c has cell c; the last row has none.
    IntVector row(static_cast<std::size_t>(cells_));
    std::iota(row.begin(), row.end(), 0);
    const int features = feature + 1;
    Frame frame{cells_ + 1, std::vector<Column>(static_cast<std::size_t>(features), column)};
    CellsByTerm& single = frame.columns.back().by_term;
    single.row = row.data();
    single.rows = frame.rows;
    single.starts = nullptr;
    score_.resize(static_cast<std::size_t>(frame.rows * classes_));
    Tile tile(classes_, features);
    for (Index first = 0; first < frame.rows; first += tile.rows) {
      context.check();
      tile.start(first, frame.rows);
      scorer.add_blocks(frame, block, tile);
      for (int k = 0; k < classes_; ++k) {
        for (int r = 0; r < tile.rows; ++r) {
          score_[static_cast<std::size_t>((first + r) * classes_ + k)] = tile.of_class(k)[r];
        }
      }
    }
  }

  double empty(int favoured, int rival) const { return of(cells_, favoured) - of(cells_, rival); }

  // What the cell adds to the score of a case without it.
  double cell(Index c, int favoured, int rival) const {
    return (of(c, favoured) - of(cells_, favoured)) - (of(c, rival) - of(cells_, rival));
  }

 private:
  double of(Index c, int k) const { return score_[static_cast<std::size_t>(c * classes_ + k)]; }

  int classes_;
  Index cells_;
  Vector score_;
};

// Lists the terms of one row after the other.
class TermRanking {
 public:
  TermRanking(const Column& column, int terms, const TermScores& scores)
      : column_(column), cells_(column.by_term), terms_(terms), scores_(scores) {}

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
    const double empty = scores_.empty(favoured, rival);
    if (empty != 0) to.add(row, TermContributions::kEmpty, 0, empty);
  }

 private:
  struct Found {
    int term;
    double count, contribution;
  };

  std::vector<Found> terms_of(Index row, int favoured, int rival) const {
    std::vector<Found> found;
    const auto at = static_cast<std::size_t>(row);
    for (Index i = cells_.begin[at]; i < cells_.begin[at + 1]; ++i) {
      const int term = column_.term(cells_.term[static_cast<std::size_t>(i)]);
      const int cell = cells_.cell[static_cast<std::size_t>(i)];
      const double count = column_.by_term.value[cell];
      if (term < 0 || term >= terms_ || count == 0) continue;
      found.push_back({term, count, scores_.cell(cell, favoured, rival)});
    }
    return found;
  }

  const Column& column_;
  CellsByRow cells_;
  int terms_;
  const TermScores& scores_;
};

// Of the bag `feature` with so many `terms`, which is a block of its own.
inline TermContributions term_contributions(const Scorer& scorer, const BlockMembers& block,
                                            int feature, int terms, const Frame& frame,
                                            const IntVector& favoured, const IntVector& rival,
                                            std::size_t most, const Context& context) {
  const Column& column = frame.columns[static_cast<std::size_t>(feature)];
  const TermScores scores(scorer, block, feature, column, context);
  const TermRanking ranking(column, terms, scores);
  TermContributions result;
  for (Index r = 0; r < frame.rows; ++r) {
    const int k = favoured[static_cast<std::size_t>(r)], l = rival[static_cast<std::size_t>(r)];
    if (k >= 0 && l >= 0) ranking.add_row(r, k, l, most, result);
  }
  return result;
}

}  // namespace bayesrisk

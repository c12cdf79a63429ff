#pragma once

#include <engine/core/context.hpp>
#include <engine/data/tile.hpp>
#include <engine/decision/decide.hpp>

namespace bayesrisk {

// Limits of the distance between the sum of a row and 1. A row within the first limit is not
// changed. Other rows are divided by their sum: rows of 32-bit numbers are within the second limit,
// rows rounded for printing within the third.
constexpr double kSumsToOne = 1e-8, kSinglePrecision = 1e-5 + kSumsToOne,
                 kMostOff = 0.02 + kSumsToOne;

// Invalid rows: their number and the first one, from 0.
struct BadRows {
  static constexpr std::size_t kMostNamed = 5;
  Index count = 0;
  std::vector<Index> first;

  void add(Index row) {
    ++count;
    if (first.size() < kMostNamed) first.push_back(row);
  }
  void merge(const BadRows& other) {
    count += other.count;
    for (Index row : other.first) {
      if (first.size() < kMostNamed) first.push_back(row);
    }
  }
};

struct PosteriorReport {
  DecisionReport decision;
  Index impossible = 0;            // rows in which no class is left
  Index scaled = 0;                // rows that were divided by their sum
  double most_off = 0;             // the largest distance of their sums from 1
  BadRows negative, sum, rounded;  // `rounded`: off by more than 32-bit rounding

  void merge(const PosteriorReport& other) {
    decision.merge(other.decision);
    impossible += other.impossible;
    scaled += other.scaled;
    most_off = std::max(most_off, other.most_off);
    negative.merge(other.negative);
    sum.merge(other.sum);
    rounded.merge(other.rounded);
  }
};

// Checks class probabilities that were computed elsewhere, and decides by them.
class PosteriorTask {
 public:
  // `factor`: for each class, the ratio of the new prior to the old one; empty: the prior stays.
  PosteriorTask(const Frame& posterior, const Vector& factor, const CaseCost& cost,
                const DecisionColumns& out, const IntVector& class_of)
      : posterior_(posterior),
        factor_(factor),
        classes_(static_cast<int>(posterior.columns.size())),
        capacity_(std::min(kMostRows, Tile::fitting_rows(classes_))),
        weight_(static_cast<std::size_t>(classes_) * capacity_),
        improbability_(weight_.size()),
        sum_(capacity_),
        columns_(classes_),
        lost_(capacity_),
        decider_(cost, out, class_of, capacity_) {}

  PosteriorReport run(Index first, Index last) {
    for (Index begin = first; begin < last; begin += rows_) {
      rows_ = static_cast<int>(std::min<Index>(capacity_, last - begin));
      stride_ = Tile::padded(rows_);
      bool lost = !load(begin) && find_lost(begin);
      if (!factor_.empty()) lost |= shift();
      decider_.decide(beliefs(), lost ? lost_.data() : nullptr, begin);
    }
    report_.decision = decider_.report();
    return report_;
  }

 private:
  // Few enough for the columns of some classes and actions to fit the first-level cache.
  static constexpr int kMostRows = 256;

  double* weight(int k) { return weight_.data() + static_cast<std::size_t>(k) * stride_; }

  // Whether every row is a distribution.
  bool load(Index begin) {
    for (int k = 0; k < classes_; ++k) {
      columns_[k] = load_numbers(posterior_.columns[k], begin, rows_, stride_, weight(k));
    }
    std::fill(lost_.begin(), lost_.end(), false);
    scaled_ = false;
    return loops_.take_distributions(columns_.data(), classes_, stride_, stride_, kSumsToOne,
                                     weight(0), sum_.data());
  }

  // Marks rows without probabilities and reports invalid rows. Returns whether any row is lost.
  bool find_lost(Index begin) {
    bool any = false;
    for (int r = 0; r < rows_; ++r) {
      const double low = least(r);
      lost_[r] = std::isnan(low);
      any |= std::isnan(low);
      if (low < 0) {
        report_.negative.add(begin + r);
      } else if (!lost_[r]) {
        read_sum(begin, r);
      }
    }
    return any;
  }

  // The sum by which a row is divided: 1 if the row sums to 1.
  void read_sum(Index begin, int r) {
    const double off = std::abs(sum_[r] - 1);
    if (off <= kSumsToOne) {
      sum_[r] = 1;
    } else if (off <= kMostOff) {
      ++report_.scaled;
      scaled_ = true;
      report_.most_off = std::max(report_.most_off, off);
      if (off > kSinglePrecision) report_.rounded.add(begin + r);
    } else {
      report_.sum.add(begin + r);
    }
  }

  double least(int r) {
    double low = weight(0)[r];
    for (int k = 1; k < classes_ && !std::isnan(low); ++k) {
      const double p = weight(k)[r];
      if (!(p >= low)) low = p;
    }
    return low;
  }

  // A change of the prior multiplies the probability of a class by the same factor in every row.
  // Returns whether all classes of a row are impossible now.
  bool shift() {
    const Index before = report_.impossible;
    std::fill_n(sum_.begin(), stride_, 0.0);
    for (int k = 0; k < classes_; ++k) {
      simd::scale(weight(k), factor_[k], stride_);
      simd::add(weight(k), stride_, sum_.data());
    }
    for (int r = 0; r < rows_; ++r) {
      if (lost_[r] || sum_[r] > 0) continue;
      lost_[r] = true;
      ++report_.impossible;
    }
    return report_.impossible > before;
  }

  // Only the class rule compares improbabilities. All other rules use only whether an improbability
  // is 0.
  Beliefs beliefs() {
    const double* improbability = weight_.data();
    if (decider_.class_rule()) {
      std::copy_n(improbability, static_cast<std::size_t>(classes_) * stride_,
                  improbability_.data());
      simd::negate(improbability_.data(), classes_ * stride_);
      improbability = improbability_.data();
    }
    const double* scale = factor_.empty() && !scaled_ ? nullptr : sum_.data();
    return {classes_, rows_, stride_, weight_.data(), scale, improbability, 0.0, 0.0};
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Frame& posterior_;
  const Vector& factor_;
  int classes_, capacity_, rows_ = 0, stride_ = 0;
  Vector weight_, improbability_, sum_;
  std::vector<const double*> columns_;
  std::vector<char> lost_;
  bool scaled_ = false;  // whether a row of the tile is divided by its sum
  Decider decider_;
  PosteriorReport report_;
};

inline PosteriorReport decide_posterior(const Frame& posterior, const Vector& factor,
                                        const CaseCost& cost, const DecisionColumns& out,
                                        const IntVector& class_of, const Context& context) {
  return merge_by_rows(posterior.rows, context, PosteriorReport(), [&](Index first, Index last) {
    return PosteriorTask(posterior, factor, cost, out, class_of).run(first, last);
  });
}

}  // namespace bayesrisk

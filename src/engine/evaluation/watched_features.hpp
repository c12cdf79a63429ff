#pragma once

#include <engine/data/columns.hpp>
#include <engine/model/plan.hpp>

namespace bayesrisk {

// Some rows, with their classes, from which WatchedFeatures learn what values are usual.
struct UsualValues {
  std::vector<Vector> value;  // numbers or levels of each feature
  IntVector group;

  void add(const Frame& frame, const IntVector& levels, const IntVector& of_row);
};

// Functions of single features with values in [0, 1], whose means say whether the distributions of
// a feature in the classes are still those of training. Of a number its rank in its class, and the
// distance of the rank from the middle: if the class is not known, the mean of the ranks in the
// classes by their probabilities given this number, and in functions of their own by their
// probabilities given all other features. Of levels, whether the feature has the level; with other
// features, whether it has it more often than they say, on a scale from 0 to 1. The functions need
// not be exact: their means are found by simulation.
class WatchedFeatures {
 public:
  enum Kind { kRank, kSpread, kLevel };

  // Of each function; the level of a kLevel, from 0; others: whether it uses other features.
  // Functions that do come last.
  IntVector feature, kind, level, others;
  Matrix quantile;  // of each feature in each class, quantiles x (class x feature)
  Matrix rate;      // of the levels of each function in the classes, functions x classes
  Vector share;     // of the classes

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("feature", self.feature);
    visit("kind", self.kind);
    visit("level", self.level);
    visit("others", self.others);
    visit("quantile", self.quantile);
    visit("rate", self.rate);
    visit("share", self.share);
  }

  WatchedFeatures() = default;
  // Bags are not watched. `others`: whether features have others outside of their blocks.
  WatchedFeatures(const ModelPlan& plan, const UsualValues& usual, bool others);

  Index count() const { return static_cast<Index>(feature.size()); }
  // Whether a function is the first of its feature, among those with or without other features.
  bool is_first(Index function) const;
  // `levels`: of each feature; 0: a number, negative: a bag.
  void check(const IntVector& levels, Index classes) const;

  // The value of a function in a row of class k; negative: not known. `by_others`: the
  // probabilities of the classes in the row given the other features, with a distance between them.
  // NaN if the feature has no value or they are not known.
  double value(Index function, const Frame& frame, Index row, int k, const double* by_others,
               Index distance) const;

 private:
  static constexpr int kQuantiles = 17;
  static constexpr std::size_t kMostLevels = 10;

  void add(int of_feature, Kind of_kind, int of_level = 0);
  void add_number(int of_feature, const UsualValues& usual);
  void add_levels(int of_feature, int levels, const Vector& value);

  void add_functions_by_others(const UsualValues& usual);

  double rank(int of_feature, double x) const;
  double rank_by(int of_feature, double x, const double* probability, Index distance) const;

  // The rank of a number in a class, and the logarithm of its density there.
  struct Place {
    double rank, log_density;
  };
  Place place(int of_feature, int k, double x) const;

  // Whether the quantiles of a class are known.
  bool is_placed(int of_feature, std::size_t k) const {
    return share[k] > 0 && !std::isnan(*quantiles_of(of_feature, static_cast<int>(k)));
  }
  const double* quantiles_of(int of_feature, int k) const {
    return quantile.col(of_feature * static_cast<Index>(share.size()) + k).data();
  }
};

}  // namespace bayesrisk

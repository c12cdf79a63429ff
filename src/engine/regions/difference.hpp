#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/marginal/normals.hpp>

#include <algorithm>
#include <map>

namespace bayesrisk {

// The expected cost of one action minus that of another along a line, not normalised: a sum of
// terms sign * exp(log_at(x)). Here the terms are normals; other files have other kinds of terms.
// The parts of a kind of term:
//   Ratio                     the log of the ratio of the sizes of two terms, convex or concave:
//                             at(x), slope_at(x), bends() (whether it is not linear), and
//                             vertex(low, high): the point at which its slope is 0, or any number
//                             if there is none between; called only if it bends
//   Component, component.log_weight, T::of(component, sign, log_weight), T::key(component)
//                             a part of a density; parts with the same key have the same shape
//   kLow                      the lowest coordinate
//   middle(), spread()        the approximate place and width of the term
//   outweighs(other, side)    whether the term is larger than another one far out on a side
//   kClosedForm               whether crossings_of_two() finds the points where two terms are equal
template <class Term>
using Difference = std::vector<Term>;

struct LogRatio;

// sign * exp(log_size - ((x - mean) / sd)^2 / 2).
struct SignedTerm {
  double sign, log_size, mean, sd;

  using Ratio = LogRatio;
  using Component = NormalComponent;
  static constexpr double kLow = kNegativeInfinity;
  static std::pair<double, double> key(const NormalComponent& term) { return {term.mean, term.sd}; }
  static SignedTerm of(const NormalComponent& term, double sign, double log_weight) {
    return {sign, log_weight - std::log(term.sd), term.mean, term.sd};
  }

  double log_at(double x) const {
    const double z = (x - mean) / sd;
    return log_size - 0.5 * z * z;
  }
  double middle() const { return mean; }
  double spread() const { return sd; }
  // Far from the means the wider normal is larger. Of equally wide normals the one with the mean
  // farther out is larger.
  bool outweighs(const SignedTerm& other, double side) const {
    return sd > other.sd || (sd == other.sd && side * mean > side * other.mean);
  }
  static constexpr bool kClosedForm = true;
};

// log(|term| / |reference|), a quadratic about the mean of the narrower term. In these coordinates
// no coefficient is larger than its summands, and nearly equal sds give an accurate curvature.
struct LogRatio {
  double centre, constant, slope, curvature;

  LogRatio(const SignedTerm& term, const SignedTerm& reference);

  double at(double x) const;

  double slope_at(double x) const;

  bool bends() const { return curvature != 0; }
  double vertex(double, double) const { return centre - 0.5 * slope / curvature; }

 private:
  double at_infinity(double side) const {
    const double leading = curvature != 0 ? curvature : side * slope;
    return leading == 0 ? constant : leading * std::numeric_limits<double>::infinity();
  }
};

// Whether the difference is positive at x. The difference is computed relative to its largest term,
// so its sign is known even if all terms underflow. In the tails only ratios can show which term is
// the largest.
template <class Term>
bool is_positive(const Difference<Term>& difference, double x) {
  const auto smaller = [x](const Term& a, const Term& b) { return a.log_at(x) < b.log_at(x); };
  auto largest = std::max_element(difference.begin(), difference.end(), smaller);
  double sum = 0;
  std::size_t changes = difference.size();
  for (auto term = difference.begin(); term != difference.end();) {
    const double log_ratio = typename Term::Ratio(*term, *largest).at(x);
    if (log_ratio > 1 && changes > 0) {
      largest = term;
      term = difference.begin();
      sum = 0;
      --changes;
    } else {
      sum += term->sign * std::exp(log_ratio);
      ++term;
    }
  }
  return sum > 0;
}

// The components of the density of each class.
template <class Term>
using Components = std::vector<std::vector<typename Term::Component>>;

// The differences of all pairs of actions. Components of the same shape are added first, so that
// they cancel exactly.
template <class Term>
class CostDifferences {
 public:
  CostDifferences(const Components<Term>& classes, const Vector& log_prior, const Cost& cost)
      : cost_(cost) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      if (!(log_prior[k] > kNegativeInfinity)) continue;
      possible_.push_back(static_cast<Index>(k));
      for (const Component& component : classes[k]) {
        if (!(component.log_weight > kNegativeInfinity)) continue;
        const auto found = shapes_.try_emplace(Term::key(component), Shape{component, {}}).first;
        found->second.parts.push_back({static_cast<Index>(k), log_prior[k] + component.log_weight});
      }
    }
    for (Index a = 0; a < cost.of.rows(); ++a) {
      if (is_finite(a)) actions_.push_back(static_cast<int>(a));
    }
  }

  // The actions whose cost is finite under every possible class, in order.
  const IntVector& actions() const { return actions_; }

  Difference<Term> of(int first, int second) const {
    Difference<Term> result;
    for (const auto& [key, shape] : shapes_) add(shape, first, second, result);
    return result;
  }

 private:
  using Component = typename Term::Component;
  struct Part {
    Index group;
    double log_weight;
  };
  struct Shape {
    Component component;
    std::vector<Part> parts;
  };

  bool is_finite(Index action) const {
    return std::all_of(possible_.begin(), possible_.end(),
                       [&](Index k) { return std::isfinite(cost_.of(action, k)); });
  }

  void add(const Shape& shape, int first, int second, Difference<Term>& to) const {
    const auto weighs = [&](const Part& part) {
      return cost_.of(first, part.group) - cost_.of(second, part.group);
    };
    double largest = kNegativeInfinity;
    for (const Part& part : shape.parts) {
      if (weighs(part) != 0) largest = std::max(largest, part.log_weight);
    }
    if (largest == kNegativeInfinity) return;
    double sum = 0, size = 0;
    for (const Part& part : shape.parts) {
      if (weighs(part) == 0) continue;  // it may be far larger than the parts that count
      const double share = weighs(part) * std::exp(part.log_weight - largest);
      sum += share;
      size += std::abs(share);
    }
    if (std::abs(sum) <= kTie * size) return;
    to.push_back(
        Term::of(shape.component, sum > 0 ? 1.0 : -1.0, largest + std::log(std::abs(sum))));
  }

  const Cost& cost_;
  std::vector<Index> possible_;
  std::map<decltype(Term::key(std::declval<Component>())), Shape> shapes_;
  IntVector actions_;
};

}  // namespace bayesrisk

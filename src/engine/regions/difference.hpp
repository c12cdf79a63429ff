#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/marginal/normals.hpp>

#include <algorithm>
#include <map>

namespace bayesrisk {

// sign * exp(log_size - ((x - mean) / sd)^2 / 2).
struct SignedTerm {
  double sign, log_size, mean, sd;

  double log_at(double x) const {
    const double z = (x - mean) / sd;
    return log_size - 0.5 * z * z;
  }
};

// Expected cost of one action minus that of another along a line, unnormalised.
using Difference = std::vector<SignedTerm>;

// log(|term| / |reference|): a quadratic, written around the mean of the narrower
// of the two. There no coefficient is larger than its summands, and nearly equal sds
// leave an exact curvature.
struct LogRatio {
  double centre, constant, slope, curvature;

  LogRatio(const SignedTerm& term, const SignedTerm& reference) {
    const bool narrower = term.sd <= reference.sd;
    const SignedTerm& narrow = narrower ? term : reference;
    const SignedTerm& wide = narrower ? reference : term;
    const double direction = narrower ? 1 : -1;
    const double distance = (narrow.mean - wide.mean) / wide.sd;
    const double ratio = narrow.sd / wide.sd;
    centre = narrow.mean;
    constant = term.log_size - reference.log_size + direction * 0.5 * distance * distance;
    slope = direction * distance / wide.sd;
    curvature =
        -direction * 0.5 * ((wide.sd - narrow.sd) / wide.sd) * (1 + ratio) / narrow.sd / narrow.sd;
  }

  double at(double x) const {
    const double y = x - centre;
    if (std::isinf(y)) return at_infinity(y > 0 ? 1 : -1);
    return constant + (slope + curvature * y) * y;
  }

  double slope_at(double x) const {
    const double y = x - centre;
    if (std::isinf(y) && curvature == 0) return slope;
    return slope + 2 * curvature * y;
  }

  double vertex() const { return centre - 0.5 * slope / curvature; }

 private:
  double at_infinity(double side) const {
    const double leading = curvature != 0 ? curvature : side * slope;
    return leading == 0 ? constant : leading * std::numeric_limits<double>::infinity();
  }
};

// Whether the difference is positive at x: computed relative to its largest term, so that the sign
// is known even where all terms underflow.
inline bool is_positive(const Difference& difference, double x) {
  const auto smaller = [x](const SignedTerm& a, const SignedTerm& b) {
    return a.log_at(x) < b.log_at(x);
  };
  const SignedTerm& largest = *std::max_element(difference.begin(), difference.end(), smaller);
  double sum = 0;
  for (const SignedTerm& term : difference) {
    sum += term.sign * std::exp(LogRatio(term, largest).at(x));
  }
  return sum > 0;
}

// The differences of all pairs of actions. Terms of equal mean and sd are added
// up first, so that they cancel exactly.
class CostDifferences {
 public:
  CostDifferences(const Normals& line, const Vector& log_prior, const Cost& cost) : cost_(cost) {
    std::map<std::pair<double, double>, std::vector<Part>> shapes;
    for (std::size_t k = 0; k < line.classes.size(); ++k) {
      if (!(log_prior[k] > kNegativeInfinity)) continue;
      possible_.push_back(static_cast<Index>(k));
      for (const NormalTerm& term : line.classes[k]) {
        if (!(term.log_weight > kNegativeInfinity)) continue;
        shapes[{term.mean, term.sd}].push_back(
            {static_cast<Index>(k), log_prior[k] + term.log_weight});
      }
    }
    shapes_.assign(shapes.begin(), shapes.end());
    for (Index a = 0; a < cost.of.rows(); ++a) {
      if (is_finite(a)) actions_.push_back(static_cast<int>(a));
    }
  }

  // Those whose cost is finite under every class that is possible, in order.
  const IntVector& actions() const { return actions_; }

  Difference of(int first, int second) const {
    Difference result;
    for (const auto& [shape, parts] : shapes_) {
      const SignedTerm term = combine(shape.first, shape.second, parts, first, second);
      if (term.sign != 0) result.push_back(term);
    }
    return result;
  }

 private:
  struct Part {
    Index group;
    double log_weight;
  };
  using Shape = std::pair<std::pair<double, double>, std::vector<Part>>;

  bool is_finite(Index action) const {
    return std::all_of(possible_.begin(), possible_.end(),
                       [&](Index k) { return std::isfinite(cost_.of(action, k)); });
  }

  SignedTerm combine(double mean, double sd, const std::vector<Part>& parts, int first,
                     int second) const {
    const auto weighs = [&](const Part& part) {
      return cost_.of(first, part.group) - cost_.of(second, part.group);
    };
    double largest = kNegativeInfinity;
    for (const Part& part : parts) {
      if (weighs(part) != 0) largest = std::max(largest, part.log_weight);
    }
    if (largest == kNegativeInfinity) return {0, 0, mean, sd};
    double sum = 0, size = 0;
    for (const Part& part : parts) {
      if (weighs(part) == 0) continue;  // it may be far larger than the parts that count
      const double share = weighs(part) * std::exp(part.log_weight - largest);
      sum += share;
      size += std::abs(share);
    }
    if (std::abs(sum) <= kTie * size) return {0, 0, mean, sd};
    return {sum > 0 ? 1.0 : -1.0, largest + std::log(std::abs(sum)) - std::log(sd), mean, sd};
  }

  const Cost& cost_;
  std::vector<Index> possible_;
  std::vector<Shape> shapes_;
  IntVector actions_;
};

}  // namespace bayesrisk

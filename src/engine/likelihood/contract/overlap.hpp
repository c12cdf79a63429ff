#pragma once

#include <engine/likelihood/contract/state.hpp>
#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// The overlap of two classes. Features and blocks are independent, so the integral of p^s q^(1 - s)
// is a product over features and blocks.
struct Overlap {
  std::vector<LogOverlap> parts{};
  std::vector<MomentPair> moments{};  // of each numeric feature

  double log_at(double s) const {
    double total = 0;
    for (const LogOverlap& part : parts) total += part(s);
    return total;
  }

  // Squared Mahalanobis distance of the means of the numeric features, under the
  // covariance p S1 + (1 - p) S2; NaN without one.
  double squared_distance(double p) const {
    if (moments.empty()) return kNaN;
    double total = 0;
    for (const MomentPair& pair : moments) {
      if (pair.distance == 0) continue;
      total += pair.distance * pair.distance / (p * pair.first + (1 - p) * pair.second);
    }
    return total;
  }
};

// The tilted density of a bank between two of its classes, proportional to p_i^(1 - s) p_j^s. It
// moves from p_i to p_j as s grows from 0 to 1. An exponential family contains it, as do tables.
class BankTilt {
 public:
  virtual ~BankTilt() = default;
  // The log of the integral of p_i^(1 - s) p_j^s.
  virtual double log_normaliser(double s) const = 0;
  // Writes the parameters of the tilted density as those of the class `row`.
  virtual void write(double s, AnyParameters& to, int row) const = 0;
};

// The tilt of a bank, or null if the densities between two classes are of another kind.
using AnyTilt = std::unique_ptr<BankTilt>;

// Gives the parameters of a bank room for more classes.
void resize_classes(AnyParameters& parameters, int classes);

}  // namespace bayesrisk

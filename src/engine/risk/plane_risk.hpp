#pragma once

#include <engine/core/quadrature.hpp>
#include <engine/regions/action_pairs.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/risk/line_risk.hpp>

namespace bayesrisk {

// Sections of the plane at a value of the first feature. A section holds the distribution of the
// second feature given the first, and the weight of each class at this value.
class PlaneSections {
 public:
  // The entries of impossible classes are not read.
  PlaneSections(const Plane& plane, const Vector& log_prior);

  void cut(double x);

  const Normals& line() const { return line_; }
  const Vector& log_weight() const { return log_weight_; }

  // Means of the first feature, and points some standard deviations away from them. The probability
  // beyond the outermost points is below the rounding error of 1.
  Vector landmarks() const;

 private:
  // The first feature is N(mean, sd^2). If it is z sd from its mean, the second feature is
  // N(mean_left + slope z, sd_left^2).
  struct Section {
    double log_size, mean, sd, mean_left, slope, sd_left;
  };

  static Section section_of(const PlaneTerm& term);

  Vector log_prior_;
  std::vector<std::vector<Section>> classes_;
  Normals line_;
  Vector log_weight_;
};

// The decisions on each section of a plane.
class PlaneRule {
 public:
  PlaneRule(const Plane& plane, const Vector& log_prior, const Cost& cost);

  int actions() const { return cost_.actions(); }

  Regions regions(double x) {
    sections_.cut(x);
    return find_regions(sections_.line(), sections_.log_weight(), cost_);
  }

  // The values of the first feature, between and at the marks, at which the sequence of actions
  // along a section changes. At these values boundaries meet, turn back, or are vertical.
  Vector changes(const Vector& marks);

 private:
  static constexpr int kLooks = 4;

  void bisect(double low, const double end, Vector& found);

  PlaneSections sections_;
  const Cost& cost_;
  Vector turns_;
};

struct PlaneRisk {
  Matrix table;      // joint probabilities of truth and decision
  double error = 0;  // an upper bound of the sum of the errors in the table
  int evaluations = 0;
};

// The first feature is integrated numerically, the second in closed form. `check`: see Context.
PlaneRisk plane_risk(const Plane& world, const Vector& log_prior, PlaneRule& rule, double tolerance,
                     int most_evaluations, const std::function<void()>& check);

}  // namespace bayesrisk

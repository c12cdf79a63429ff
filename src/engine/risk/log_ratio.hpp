#pragma once

#include <engine/core/context.hpp>
#include <engine/core/quotient.hpp>
#include <engine/core/spectrum.hpp>
#include <engine/risk/normal_parts.hpp>
#include <engine/risk/quadratic_law.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// A set of parts whose features are independent of all other features: the parts of a world in one
// class, and those of two classes of a rule. Its share of the log ratio is a quadratic form in
// independent N(0, 1) z, with the features as mean + U'z.
class NormalGroup {
 public:
  void add_met(const NormalPart& part) {
    for (int feature : part.features) place_.push_back(feature);
    met_.push_back(&part);
  }
  void add_believed(const NormalPart& first, const NormalPart& second) {
    believed_.push_back({&first, &second});
  }

  void add_to(QuadraticForm& form);

 private:
  // A part of the rule with U'U as its covariance: U'^-1 (x - mean) is centre + (columns U^-1)'z.
  // A part that the rule and the world share sees z itself; `same`: see place_in_world().
  struct Seen {
    Eigen::VectorXd centre;
    Matrix columns;
    Index same = -1;
  };

  Seen see(const NormalPart& part) const;

  // The position of the first z of the equal part of the world; -1 if the world has no equal part.
  Index place_in_world(const NormalPart& part) const;

  void add(const Seen& seen, const NormalPart& part, double weight);

  void add_linear(const Seen& seen, const NormalPart& part, const Eigen::VectorXd& along);

  // The numbers of a triangle have errors of their own.
  static double size_of_logs(const Matrix& triangle) {
    return (triangle.diagonal().array().abs().log().abs() + 1).sum();
  }

  IntVector place_;
  std::vector<const NormalPart*> met_;
  std::vector<std::pair<const NormalPart*, const NormalPart*>> believed_;
  Matrix square_;
  Eigen::VectorXd linear_;
  double square_size_ = 0, linear_size_ = 0;  // of the terms of these sums
  bool bends_ = false;
};

// The log ratio of the densities of two classes of a rule, second over first, is a quadratic form
// in each class of a world if both have normal features. Sets of features that no block connects
// are independent, so each of them has an eigenvalue problem of its own. Features of other kinds
// are left to the caller.
class RatioForms {
 public:
  RatioForms(const View& world, const View& rule, int first, int second);

  // The form in each class that has a prior.
  std::vector<QuadraticForm> in_classes(const Vector& prior, const Context& context) const;

 private:
  QuadraticForm form(const std::vector<NormalPart>& met) const;

  // Few features take no time, and their forms are more accurate if each is computed by itself.
  bool is_large() const;

  static std::vector<bool> seen_by(const View& rule);

  std::vector<bool> used(std::size_t features) const;

  // Parts that share features are in one group.
  std::vector<NormalGroup> groups(const std::vector<NormalPart>& met) const;

  std::size_t first_class_, second_class_, features_;
  std::vector<NormalPart> first_, second_;
  NormalParts world_;
};

}  // namespace bayesrisk

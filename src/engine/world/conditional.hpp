#pragma once

#include <engine/world/world.hpp>

namespace bayesrisk {

// The known numbers of a row among the members of a block of normals.
struct KnownMembers {
  IntVector member;
  Vector value;

  KnownMembers(const IntVector& features, const Frame& frame, Index row, int unknown);
};

// The distribution of some members of a normal given the known ones. The known columns of the
// triangle come first. Then the last columns hold the regression and the remaining
// covariance. `factor` is an upper triangle.
struct Conditional {
  Eigen::VectorXd mean;  // relative to an origin
  Matrix factor;
  double log_density = 0;  // of the known members, but for a constant

  Conditional() = default;
  Conditional(const NormalView& p, int k, const IntVector& members, const KnownMembers& known,
              const Eigen::VectorXd& origin);
};

// Some members of a block given the known ones, in a class: one term for each normal. A term gains
// weight if the known numbers are probable under it.
struct ConditionalTerm {
  double log_weight;
  Conditional given;
};

std::vector<ConditionalTerm> conditional_terms(const NormalView& block, int k,
                                               const IntVector& members, const KnownMembers& known,
                                               const Eigen::VectorXd& origin);

// Whether no other feature affects a feature given the class, so its density is marginal_of().
bool stands_alone(const View& view, int feature);

// A numeric feature given the known values of a row; only values of its own block affect it. The
// weights of the classes are the row's log joint with the feature missing.
Marginal conditional_marginal(const View& view, const Frame& frame, Index row, int feature,
                              double origin);

// log P(level | class, known values of a row), levels x classes, of a categorical feature with
// `levels` levels. The row is scored once for each level, by the block of this feature alone.
Matrix conditional_levels(const View& view, const Frame& frame, Index row, int feature, int levels);

}  // namespace bayesrisk

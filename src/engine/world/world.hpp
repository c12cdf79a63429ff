#pragma once

#include <engine/core/triangle.hpp>
#include <engine/marginal/complete.hpp>
#include <engine/marginal/marginal.hpp>
#include <engine/marginal/plane.hpp>
#include <engine/model/score.hpp>
#include <engine/model/scorer.hpp>

#include <array>
#include <numeric>

namespace bayesrisk {

// Densities to a power, as tempered rules use them. A normal to a power is a normal with another
// spread, times a constant. A density to the power 0 is the same in all classes.

NormalComponent raised(const NormalComponent& term, double power);

PlaneTerm raised(const PlaneTerm& term, double power);

// A sum of several normals to a power is no sum of normals.
template <class Term>
void raise(std::vector<Term>& terms, double power) {
  require(terms.size() == 1, "a sum of densities to a power");
  terms[0] = raised(terms[0], power);
}

void raise(Steps::OfClass& steps, double power);

void raise(Marginal& marginal, double power);

// A density to a power, divided by its integral, if this is a density in closed form: not for sums
// of normals, nor for counts. Returns whether it is. An integral that does not exist is an error.
bool to_power(Marginal& marginal, double power);

// A model that reads the features of a world; the world may come from another model. Features and
// levels are matched. Classes and costs keep the order of the model.
struct View {
  const ModelPlan& plan;
  const std::vector<AnyParameters>& parameters;
  const Vector& prior;
  // For each feature or level of the world, its position in the model; negative: none.
  IntVector feature;
  std::vector<IntVector> level;
  const Tempering* tempering = nullptr;  // of a rule; a world has its densities as they are

  Vector log_prior() const;

  // The prior is not copied.
  View with_prior(const Vector& other) const {
    return {plan, parameters, other, feature, level, tempering};
  }

  View untempered() const { return {plan, parameters, prior, feature, level}; }
};

inline Tempering tempering_of(const View& view) {
  return view.tempering ? *view.tempering : Tempering();
}

// A model that reads its own features.
View view_of(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
             const Vector& prior, int features);

struct Place {
  std::size_t bank;
  int member;
};

Place place_of(const ModelPlan& plan, int feature);

// The power of the block of a feature.
double power_at(const View& view, const Place& place);

// The density of one numeric feature of the world in a model, with all other features marginalised,
// to the power 1. If the model lacks the feature, all classes have the same density, which does not
// affect decisions.
Marginal density_of(const View& view, int feature, double origin);

// The same, to the power of its block.
Marginal marginal_of(const View& view, int feature, double origin);

Normals normals_of(const View& view, int feature, double origin);

// The origin of the coordinates of a feature, from the first possible class.
double origin_of(const View& world, int feature);

// Two features that are independent given the class.
Plane plane_of_normals(const Normals& x, const Normals& y);

// Two members of a normal.
PlaneTerm plane_term(const NormalView& p, const NormalView::Term& term,
                     const std::array<int, 2>& members, const Eigen::Vector2d& origin);

// Two numeric features. They are independent given the class unless they share a block, whose
// density is a sum of normals.
Plane plane_of(const View& view, int first, int second, const Eigen::Vector2d& origin);

}  // namespace bayesrisk

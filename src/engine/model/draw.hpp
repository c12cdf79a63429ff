#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/model/plan.hpp>

namespace bayesrisk {

// Draws rows given the class, from uniform numbers (of R's generator or a lattice), by the inverse
// transform.
class Drawer {
 public:
  Drawer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters);

  // Levels of each feature, 0 for a number; DrawnRows is constructed from them.
  const IntVector& levels() const { return levels_; }

  // The number of uniform numbers that a row needs.
  int uniforms() const { return uniforms_; }

  // Writes a row of class k from `uniforms()` numbers in (0, 1).
  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  IntVector levels_;
  int uniforms_ = 0;
  std::vector<std::unique_ptr<BankDrawer>> banks_;
};

// Draws a class for each row, then the row. `uniform` gives numbers in (0, 1), one after the other.
// Returns the classes.
template <class Uniform>
IntVector draw_cases(const Drawer& drawer, const Vector& prior, Index rows, Uniform uniform,
                     DrawnRows& to) {
  Vector below;  // the sum of the priors up to each class
  for (double p : prior) below.push_back((below.empty() ? 0.0 : below.back()) + p);
  IntVector group(static_cast<std::size_t>(rows));
  Vector u(static_cast<std::size_t>(drawer.uniforms()));
  for (Index r = 0; r < rows; ++r) {
    const int k = index_of_weight(below.data(), static_cast<int>(below.size()), uniform());
    for (double& number : u) number = uniform();
    drawer.draw(k, u.data(), r, to);
    group[static_cast<std::size_t>(r)] = k;
  }
  return group;
}

}  // namespace bayesrisk

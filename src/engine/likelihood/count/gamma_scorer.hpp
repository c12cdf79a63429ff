#pragma once

#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/count/gamma.hpp>

namespace bayesrisk {

// The log of each value is computed once. A number that is not positive is impossible under every
// class.
class Gamma::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  // The same as GammaLaw::log_density(), for many rows. Missing and infinite numbers add nothing.
  static void add_class(const GammaLaw& law, const double* x, const double* log_x, int rows,
                        double* sum);

  const Plan& plan_;
  LeftOut left_out_;
  std::vector<GammaLaw> laws_;  // class by class, of one feature after the other
};

class Gamma::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters);

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  std::vector<IncompleteGamma> standard_;  // of rate 1
};

}  // namespace bayesrisk

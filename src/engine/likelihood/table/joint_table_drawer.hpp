#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/table/joint_table.hpp>

#include <array>

namespace bayesrisk {

// Listed cells come first; the others share the remaining probability.
class JointTable::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters);

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const Codes codes = draw_cell(k, *u);
    for (int j = 0; j < plan_.members(); ++j) to.code(plan_.features[j], row) = codes[j];
  }

  using Codes = std::array<int, kMostMembers>;  // of a cell, from 0

  Codes draw_cell(int k, double u) const;

 private:
  // The cell at a share (from 0 to 1) of the sequence of cells that are not listed, ordered by key.
  Key nth_unlisted(double share) const;

  const Plan& plan_;
  const Parameters& parameters_;
  std::vector<Key> listed_;
  Key unlisted_ = 0;
  std::vector<Vector> cumulative_;
};

}  // namespace bayesrisk

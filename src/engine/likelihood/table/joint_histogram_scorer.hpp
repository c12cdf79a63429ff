#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/table/joint_histogram.hpp>
#include <engine/likelihood/table/joint_table_drawer.hpp>
#include <engine/likelihood/table/joint_table_scorer.hpp>

#include <utility>

namespace bayesrisk {

// The probability of a row is that of its cell in a joint table. Its density is the probability
// divided by the widths of the bins that are known.
class JointHistogram::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows);

  void add(const Frame& frame, int, int, Tile& tile) const;

 private:
  const Plan& plan_;
  JointTable::Plan table_;
  JointTable::Scorer cells_;
  std::vector<BinFinder> finders_;
  std::vector<Vector> log_width_;  // by member and bin
};

// One uniform number chooses the cell; the others choose the place in each of its bins.
class JointHistogram::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), cells_(plan, parameters) {}

  int uniforms() const { return 1 + plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  JointTable::Drawer cells_;
};

}  // namespace bayesrisk

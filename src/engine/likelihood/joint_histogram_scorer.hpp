#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/joint_histogram.hpp>
#include <engine/likelihood/joint_table_drawer.hpp>
#include <engine/likelihood/joint_table_scorer.hpp>

namespace bayesrisk {

// The probability of a row is that of its cell in a joint table. Its density is the probability
// divided by the widths of the bins that are known.
class JointHistogram::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : plan_(plan), table_(BinnedFrame::plan(plan.bins)), cells_(table_, parameters) {
    for (int j = 0; j < plan.members(); ++j) {
      const Bins bins = plan.of_member(j);
      finders_.emplace_back(bins, rows);
      Vector& log_width = log_width_.emplace_back();
      for (int b = 0; b < bins.count; ++b) log_width.push_back(std::log(bins.width(b)));
    }
  }

  void add(const Frame& frame, int, int, Tile& tile) const {
    BinnedFrame binned(plan_.members(), tile.rows);
    Vector log_volume(static_cast<std::size_t>(tile.stride), 0.0);  // infinite: outside
    for (int j = 0; j < plan_.members(); ++j) {
      const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
      int* code = binned.code(j);
      for (int r = 0; r < tile.rows; ++r) {
        if (!std::isfinite(x[r])) continue;
        const int bin = finders_[j].find(x[r]);
        if (bin >= 0) code[r] = bin;
        log_volume[r] += bin >= 0 ? log_width_[j][bin] : -kNegativeInfinity;
      }
    }
    const Index begin = std::exchange(tile.begin, 0);  // the bins are those of this tile
    cells_.add(binned.frame(plan_.bins), 0, plan_.members(), tile);
    tile.begin = begin;
    for (int k = 0; k < tile.classes; ++k) {
      double* sum = tile.of_class(k);
      for (int r = 0; r < tile.stride; ++r) sum[r] -= log_volume[r];
    }
  }

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
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), table_(plan.table()), cells_(table_, parameters) {}

  int uniforms() const { return 1 + plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const bool empty = table_.cells() == 0;  // no density
    const JointTable::Drawer::Codes codes =
        empty ? JointTable::Drawer::Codes{} : cells_.draw_cell(k, *u);
    for (int j = 0; j < plan_.members(); ++j) {
      to.number(plan_.features[j], row) =
          empty ? kNaN : number_in_bin(plan_.of_member(j), codes[j], u[j + 1]);
    }
  }

 private:
  const Plan& plan_;
  JointTable::Plan table_;
  JointTable::Drawer cells_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/triangle.hpp>

namespace bayesrisk {

// Weight, mean and the triangle of the scatter matrix of each group. Only rows in which all
// features of the block are known count.
struct Scatter {
  Matrix weight, rows;           // groups x 1
  Matrix mean, mean_low;         // groups x p
  std::vector<Matrix> triangle;  // per group p x p
  Vector missing;                // per feature: the number of rows in which it is missing
  double skipped = 0;            // the number of rows in which any feature is missing
  // While rows are collected: the lower triangles of the products about the means stand in the
  // place of the triangles.
  bool summed = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("rows", self.rows);
    visit("mean", self.mean);
    visit("mean_low", self.mean_low);
    visit("triangle", self.triangle);
    visit("missing", self.missing);
    visit("skipped", self.skipped);
  }

  Scatter() = default;
  Scatter(int groups, int p);

  // Forgets all rows, but keeps the memory.
  void clear();

  bool consistent(int groups, int p) const;

  void merge(const Scatter& other);

  // Rows with a missing feature are not counted by group, so their number is unknown for a part of
  // the groups.
  Scatter of_groups(int first, int count) const;

  // Sets a group to a group of other scatters of the same features.
  void copy_group(const Scatter& from, int group, int to);

  void copy_columns(const Scatter& other, const IntVector& from, const IntVector& group);

 private:
  void merge_group(const Scatter& other, int g);
};

// The dependences among the features of a block, within a class or within all classes (kAll).
Dependences find_dependences(const Scatter& scatter, int group);

}  // namespace bayesrisk

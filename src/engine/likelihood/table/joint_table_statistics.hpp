#pragma once

#include <engine/likelihood/table/joins.hpp>
#include <engine/likelihood/table/joint_table.hpp>
#include <engine/simd/cells.hpp>

#include <iterator>
#include <numeric>
#include <unordered_map>

namespace bayesrisk {

// Counts by cell while they are being collected; sorted by key at the end.
class CellCounts {
 public:
  CellCounts(const JointTable::Plan& plan, int groups) : plan_(plan), groups_(groups) {}

  // The counts of a cell, one per group.
  Vector& at(const int* codes);

  void store(JointTable::Statistics& statistics) const;

 private:
  struct Cell {
    IntVector codes;
    Vector count;
  };
  const JointTable::Plan& plan_;
  int groups_;
  std::unordered_map<JointTable::Key, Cell> cells_;
};

// A table of all cells, if there are few. Each feature has one additional slot, for codes without a
// level.
class AllCells {
 public:
  AllCells(const JointTable::Plan& plan, const Chunk& chunk)
      : plan_(plan), chunk_(chunk), slots_(chunk.groups + 1) {}

  bool few() const;

  void collect(const Frame& frame, Diagnostics& diagnostics);

  void store(JointTable::Statistics& statistics) const;

 private:
  static constexpr double kMost = 65536;

  IntVector codes_of(std::size_t place) const;

  // Counts the rows for each feature that they miss. Returns whether there is one.
  bool codes_missing(const IntVector& codes, double rows, Vector& missing) const;

  const JointTable::Plan& plan_;
  const Chunk& chunk_;
  int slots_;
  IntVector rows_;
  Vector weight_;
};

}  // namespace bayesrisk

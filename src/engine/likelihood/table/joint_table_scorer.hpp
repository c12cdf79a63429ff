#pragma once

#include <engine/data/slots.hpp>
#include <engine/likelihood/table/joint_table.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bayesrisk {

// If there are few cells, the scores of complete rows are read from a table of all cells. The
// scores of other rows are looked up.
class JointTable::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters);

  void add(const Frame& frame, int, int, Tile& tile) const;

 private:
  static constexpr double kMostCells = 65536;

  // The position of each cell in a table. The first row of the table adds nothing; it is for cells
  // with a missing feature. The second row is for cells that were not observed.
  void list_all(int cells);

  // Looks up the rows at position 0, in which a feature is missing.
  void look_up(const Frame& frame, Tile& tile, const int* place) const;

  // The table summed over the features that are missing in a pattern. Each remaining cell has a
  // part from observed cells and a part from cells that were not observed.
  struct Marginal {
    std::unordered_map<Key, int> place;
    Matrix seen;    // groups x remaining cells, log
    Vector unseen;  // per group, log
  };

  static constexpr std::size_t kRemembered = 1024;

  std::shared_ptr<const Marginal> of_pattern(Key observed) const;

  Marginal sum_out(Key observed) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  int classes_;
  IntVector place_;
  Vector table_;
  mutable std::map<Key, std::shared_ptr<const Marginal>> marginals_;
  mutable std::mutex mutex_;
};

}  // namespace bayesrisk

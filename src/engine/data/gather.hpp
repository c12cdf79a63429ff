#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// Copies chosen rows of a frame next to each other, so that they can be read as a frame.
class Gather {
 public:
  explicit Gather(const Frame& from);

  // Valid until the next call. Bags have no cells.
  Frame& take(const Index* rows, Index count);

  // The cells of bags, too, for which all cells are read. The rows must ascend.
  Frame& take_with_cells(const Index* rows, Index count);

 private:
  const Frame& from_;
  Frame to_;
  Index reals_ = 0, integers_ = 0;
  Vector real_;
  IntVector integer_;
  std::vector<std::unique_ptr<CellsOfRows>> cells_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// Copies chosen rows of a frame next to each other, so that they can be read as a frame.
class Gather {
 public:
  explicit Gather(const Frame& from) : from_(from), to_(from) {
    for (const Column& column : from.columns) {
      if (!column.is_bag()) (column.real ? reals_ : integers_) += 1;
    }
  }

  // Valid until the next call. Bags have no cells.
  Frame& take(const Index* rows, Index count) {
    real_.resize(static_cast<std::size_t>(reals_ * count));
    integer_.resize(static_cast<std::size_t>(integers_ * count));
    double* real = real_.data();
    int* integer = integer_.data();
    for (std::size_t j = 0; j < from_.columns.size(); ++j) {
      const Column& column = from_.columns[j];
      if (column.is_bag()) {
        to_.columns[j].by_term = {};
      } else if (column.real) {
        for (Index i = 0; i < count; ++i) real[i] = column.real[rows[i]];
        to_.columns[j].real = real;
        real += count;
      } else {
        for (Index i = 0; i < count; ++i) integer[i] = column.integer[rows[i]];
        to_.columns[j].integer = integer;
        integer += count;
      }
    }
    to_.rows = count;
    return to_;
  }

  // The cells of bags, too, for which all cells are read. The rows must ascend.
  Frame& take_with_cells(const Index* rows, Index count) {
    take(rows, count);
    cells_.clear();
    for (std::size_t j = 0; j < from_.columns.size(); ++j) {
      if (!from_.columns[j].by_term) continue;
      cells_.push_back(std::make_unique<CellsOfRows>(from_.columns[j].by_term, rows, count));
      to_.columns[j].by_term = cells_.back()->view();
    }
    return to_;
  }

 private:
  const Frame& from_;
  Frame to_;
  Index reals_ = 0, integers_ = 0;
  Vector real_;
  IntVector integer_;
  std::vector<std::unique_ptr<CellsOfRows>> cells_;
};

}  // namespace bayesrisk

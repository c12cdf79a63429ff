#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// A frame whose bags have their view by row, too.
class FrameByRow {
 public:
  explicit FrameByRow(const Frame& from) : frame_(from) {
    for (Column& column : frame_.columns) {
      if (!column.by_term || column.by_row) continue;
      turned_.push_back(std::make_unique<TurnedCells>(column.by_term));
      column.by_row = turned_.back()->view();
    }
  }

  const Frame& frame() const { return frame_; }

 private:
  Frame frame_;
  std::vector<std::unique_ptr<TurnedCells>> turned_;
};

// Copies chosen rows of a frame next to each other, so that they can be read as a frame. Bags must
// have their view by row.
class Gather {
 public:
  explicit Gather(const Frame& from) : from_(from), to_(from) {
    for (const Column& column : from.columns) {
      (column.is_bag() ? bags_ : column.real ? reals_ : integers_) += 1;
    }
  }

  // Valid until the next call.
  const Frame& take(const Index* rows, Index count) {
    real_.resize(static_cast<std::size_t>(reals_ * count));
    integer_.resize(static_cast<std::size_t>(integers_ * count));
    ends_.resize(static_cast<std::size_t>(2 * bags_ * count));
    double* real = real_.data();
    int* integer = integer_.data();
    Index* ends = ends_.data();
    for (std::size_t j = 0; j < from_.columns.size(); ++j) {
      const Column& column = from_.columns[j];
      if (column.is_bag()) {
        to_.columns[j].by_row = ends_of(column.by_row, rows, count, ends);
        to_.columns[j].by_term = {};
        ends += 2 * count;
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

 private:
  // The cells stay where they are.
  static CellsByRow ends_of(const CellsByRow& from, const Index* rows, Index count, Index* ends) {
    for (Index i = 0; i < count; ++i) {
      ends[i] = from.begin[rows[i]];
      ends[count + i] = from.end[rows[i]];
    }
    return {ends, ends + count, from.term, from.value};
  }

  const Frame& from_;
  Frame to_;
  Index reals_ = 0, integers_ = 0, bags_ = 0;
  Vector real_;
  IntVector integer_;
  std::vector<Index> ends_;
};

}  // namespace bayesrisk

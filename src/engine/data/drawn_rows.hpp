#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// Rows drawn from a model: a column for each feature. A feature with levels has codes from 0, any
// other feature has numbers.
class DrawnRows {
 public:
  // levels: per feature, 0 for a number.
  DrawnRows(const IntVector& levels, Index rows) : levels_(levels), rows_(rows) {
    const auto size = static_cast<std::size_t>(rows);
    for (int count : levels) {
      numbers_.emplace_back(count > 0 ? 0 : size);
      codes_.emplace_back(count > 0 ? size : 0);
    }
  }

  double& number(int feature, Index row) { return numbers_[feature][row]; }
  int& code(int feature, Index row) { return codes_[feature][row]; }

  // A view, valid while this object exists.
  Frame frame() const {
    Frame result;
    result.rows = rows_;
    for (std::size_t j = 0; j < levels_.size(); ++j) {
      Column column;
      if (levels_[j] > 0) {
        column.integer = codes_[j].data();
        column.stored_levels = levels_[j];
      } else {
        column.real = numbers_[j].data();
      }
      result.columns.push_back(column);
    }
    return result;
  }

 private:
  IntVector levels_;
  Index rows_;
  std::vector<Vector> numbers_;
  std::vector<IntVector> codes_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// Rows drawn from a model: a column for each feature. A feature with levels has codes from 0, any
// other feature has numbers.
class DrawnRows {
 public:
  // levels: per feature, 0 for a number.
  DrawnRows(const IntVector& levels, Index rows);

  double& number(int feature, Index row) { return numbers_[feature][row]; }
  int& code(int feature, Index row) { return codes_[feature][row]; }

  // A view, valid while this object exists.
  Frame frame() const;

 private:
  IntVector levels_;
  Index rows_;
  std::vector<Vector> numbers_;
  std::vector<IntVector> codes_;
};

}  // namespace bayesrisk

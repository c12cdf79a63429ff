#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/likelihood/normal/row_packer.hpp>
#include <engine/likelihood/normal/scatter.hpp>

namespace bayesrisk {

// Collects the products of one chunk, slice by slice. Rows are centred at the running mean of their
// group, and their products are summed.
class ScatterCollector {
 public:
  ScatterCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                   Scatter& scatter, Diagnostics& diagnostics);

  void collect();

 private:
  int p() const { return static_cast<int>(features_.size()); }

  // A group gets the mean of the slice in two cases: it has no mean yet, or its mean has so little
  // weight that products would cancel. The mean is computed in two steps, because the first row may
  // be far from it.
  void renew_means();

  // Adds the products about the mean, if they are wanted. They are the products about the centre,
  // corrected for the distance between mean and centre.
  void add_group(int g);

  // The products stand where the scatter has its triangle, padded to whole panels, because the
  // first write to the memory of a wide block takes long. If the number of features is no multiple
  // of kPanel, the memory is fresh in each chunk.
  Matrix& padded_product(int g);

  void add_outer(const Eigen::VectorXd& v, double factor, Matrix& product) const {
    loops_.add_outer(v.data(), factor, packed_.panels(), product.data());
  }

  void report_incomplete();

  const IntVector& features_;
  const Chunk& chunk_;
  const bool products_;  // few rows are decomposed themselves, see factor_products()
  Scatter& scatter_;
  Diagnostics& diagnostics_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  RowPacker packed_;
  Matrix mean_, low_;  // the running means, groups side by side: the centre of the next slice
  Matrix moved_;       // the running mean minus the centre of the slice
};

}  // namespace bayesrisk

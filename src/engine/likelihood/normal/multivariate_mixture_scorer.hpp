#pragma once

#include <engine/likelihood/normal/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/normal/multivariate_mixture.hpp>

namespace bayesrisk {

// Each term is scored as a class of a multivariate normal, so missing members are marginalised term
// by term. Then the terms of each class are summed.
class MultivariateMixture::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters);

  void add(const Frame& frame, int, int, Tile& tile) const;

 private:
  // One feature: a row without a number adds nothing, and no other row misses a member.
  void add_single(const double* x, Tile& tile) const;

  void add_class(int k, const std::vector<bool>& known, Tile& terms, Vector& scratch, int offset,
                 Tile& tile) const;

  // Other rows have the density 1; the sum of the weights would not be 1 in the last digit.
  std::vector<bool> rows_with_a_number(const Frame& frame, Tile& terms) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  IntVector first_;
  Block::Scorer normals_;
  int most_ = 0;  // components of a class
  // The terms of one feature.
  Vector inverse_sd_, constant_;
  std::vector<simd::TriangleOfClass> triangles_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/likelihood/normal/row_packer.hpp>
#include <engine/likelihood/normal/scatter.hpp>

namespace bayesrisk {

// A Cholesky factor of products whose condition is larger loses digits.
constexpr double kSafeCholesky = 1e3;

// The products of fewer rows would lose digits, too.
inline bool needs_products(double rows, Index features) {
  return rows > static_cast<double>(2 * features);
}

// Replaces the products of a group by their Cholesky factor. Returns false, with a triangle of
// zeros, if the products are so few or so badly conditioned that the factor would lose digits.
bool factor_products(Matrix& triangle, double rows);

// Factors the products of all groups. Returns the groups without a factor: their rows have to be
// decomposed instead.
IntVector factor_products(Scatter& scatter, const Context& context);

// The triangles of the rows of some groups in a chunk, about the means of all rows, by QR
// decompositions.
std::vector<Matrix> decompose_rows(const Frame& frame, const IntVector& features,
                                   const Chunk& chunk, const Scatter& scatter,
                                   const IntVector& groups);

}  // namespace bayesrisk

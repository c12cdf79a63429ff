#pragma once

#include <engine/core/line_vector.hpp>
#include <engine/core/types.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The lower triangle of QQ' for a quotient Q = rows U^-1, where U is an upper triangle. The rows
// are whole vectors.
inline Matrix products_of_quotient(const Matrix& rows, const Matrix& u) {
  const simd::TileLoops& loops = simd::tile_loops();
  const int count = static_cast<int>(rows.rows()), size = static_cast<int>(u.cols());
  const Eigen::VectorXd inverse = u.diagonal().cwiseInverse(), zeros = Eigen::VectorXd::Zero(size);
  Matrix quotient(size, count);
  LineVector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
  loops.divide_rows(rows.data(), size, u.data(), inverse.data(), zeros.data(), count,
                    scratch.data(), quotient.data());
  Matrix product = Matrix::Zero(count, count);
  loops.add_products({quotient.data(), size * simd::kPanel, size}, count / simd::kPanel,
                     product.data());
  return product;
}

}  // namespace bayesrisk

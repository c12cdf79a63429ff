#pragma once

#include <engine/core/types.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The lower triangle of QQ' for a quotient Q = rows U^-1, where U is an upper triangle.
inline Matrix products_of_quotient(const Matrix& rows, const Matrix& u) {
  const simd::TileLoops& loops = simd::tile_loops();
  const int size = static_cast<int>(u.cols());
  const int padded = (static_cast<int>(rows.rows()) + simd::kVectorWidth - 1) / simd::kVectorWidth *
                     simd::kVectorWidth;
  Matrix x = Matrix::Zero(padded, size);
  x.topRows(rows.rows()) = rows;
  const Eigen::VectorXd inverse = u.diagonal().cwiseInverse(), zeros = Eigen::VectorXd::Zero(size);
  Matrix quotient(size, padded);
  Vector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
  loops.divide_rows(x.data(), size, u.data(), inverse.data(), zeros.data(), padded, scratch.data(),
                    quotient.data());
  Matrix product = Matrix::Zero(padded, padded);
  loops.add_products({quotient.data(), size * simd::kPanel, size}, padded / simd::kPanel,
                     product.data());
  return product.topLeftCorner(rows.rows(), rows.rows());
}

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/likelihood/row_packer.hpp>
#include <engine/likelihood/scatter.hpp>

namespace bayesrisk {

// A Cholesky factor of products whose condition is larger loses digits.
constexpr double kSafeCholesky = 1e3;

// Replaces the products of a group by their Cholesky factor. Returns false, with a triangle of
// zeros, if the products are so few or so badly conditioned that the factor would lose digits.
inline bool factor_products(Matrix& triangle, double rows) {
  if (rows == 0) return true;
  if (rows > static_cast<double>(2 * triangle.cols())) {
    const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> llt(triangle);
    triangle.transposeInPlace();
    triangle.triangularView<Eigen::StrictlyLower>().setZero();
    if (llt.info() == Eigen::Success && is_conditioned(triangle, kSafeCholesky)) return true;
  }
  triangle.setZero();
  return false;
}

// Factors the products of all groups. Returns the groups without a factor: their rows have to be
// decomposed instead.
inline IntVector factor_products(Scatter& scatter, const Context& context) {
  const auto groups = static_cast<Index>(scatter.triangle.size());
  std::vector<char> safe(scatter.triangle.size());
  context.run(groups, [&](Index g) {
    context.check();
    const auto at = static_cast<std::size_t>(g);
    safe[at] = factor_products(scatter.triangle[at], scatter.rows(g, 0));
  });
  scatter.summed = false;
  IntVector unsafe;
  for (std::size_t g = 0; g < safe.size(); ++g) {
    if (!safe[g]) unsafe.push_back(static_cast<int>(g));
  }
  return unsafe;
}

// The triangles of the rows of some groups in a chunk, about the means of all rows, by QR
// decompositions.
inline std::vector<Matrix> decompose_rows(const Frame& frame, const IntVector& features,
                                          const Chunk& chunk, const Scatter& scatter,
                                          const IntVector& groups) {
  const auto p = static_cast<Index>(features.size());
  RowPacker packed(frame, features, chunk);
  Matrix mean = Matrix::Zero(packed.columns(), chunk.groups + 1), low = mean;
  mean.topLeftCorner(p, chunk.groups) = scatter.mean.transpose();
  low.topLeftCorner(p, chunk.groups) = scatter.mean_low.transpose();
  std::vector<Matrix> triangles(groups.size(), Matrix::Zero(p, p));
  for (int first = 0; first < chunk.rows; first += packed.capacity()) {
    chunk.check();
    packed.load(first, mean, low);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (packed.rows_of(groups[i]) == 0) continue;
      triangles[i] = triangle_of_rows(stack(triangles[i], packed.rows(groups[i])));
    }
  }
  return triangles;
}

}  // namespace bayesrisk

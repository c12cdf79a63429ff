#pragma once

#include <engine/likelihood/contract/overlap.hpp>

namespace bayesrisk {

// The means of the features of a block in one class, relative to an origin that all classes share,
// and the upper triangle of their covariance: triangle' * triangle.
struct BlockMoments {
  Eigen::VectorXd mean;
  Matrix triangle;
};

// A block splits into independent normals along the axes in which both covariances are diagonal.
void add_normals(const BlockMoments& first, const BlockMoments& second, Overlap& overlap);

// Only the moments along these axes.
void add_moments(const BlockMoments& first, const BlockMoments& second, Overlap& overlap);

}  // namespace bayesrisk

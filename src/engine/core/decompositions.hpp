#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// Eigen's decompositions. Each is compiled once: they are a tenth of the engine's code.

// The eigenvalues of a symmetric matrix, from the least one, and its eigenvectors.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Matrix vectors;
};
SymmetricEigen eigen_of_symmetric(const Matrix& s);

// The singular values, from the largest one, and a left singular vector for each.
struct LeftSingular {
  Matrix vectors;
  Eigen::VectorXd values;
};
LeftSingular left_singular(const Matrix& x);

// X with S X = B, for a symmetric semidefinite S.
Matrix solve_semidefinite(const Matrix& s, const Matrix& b);

}  // namespace bayesrisk

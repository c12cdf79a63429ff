#include <engine/core/decompositions.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace bayesrisk {

SymmetricEigen eigen_of_symmetric(const Matrix& s) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(s);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

LeftSingular left_singular(const Matrix& x) {
  const Eigen::JacobiSVD<Matrix> svd(x, Eigen::ComputeThinU);
  return {svd.matrixU(), svd.singularValues()};
}

Matrix solve_semidefinite(const Matrix& s, const Matrix& b) { return s.ldlt().solve(b); }

}  // namespace bayesrisk

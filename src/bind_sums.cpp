#include "model.h"

#include <engine/likelihood/moments.hpp>
#include <engine/likelihood/scatter_products.hpp>

using namespace bayesrisk;

// Statistics from sums that a database computed. Groups are in rows, features in columns. `shift`:
// what was subtracted; `scale`: a power of 2 for each feature, by which deviations were multiplied.

// [[Rcpp::export(rng = false)]]
Rcpp::List moments_of_sums_cpp(Eigen::MatrixXd weight, Eigen::MatrixXd shift, Eigen::MatrixXd sum,
                               Eigen::MatrixXd square, Eigen::VectorXd scale) {
  const Index groups = weight.rows(), features = weight.cols();
  require(has_shape(shift, groups, features) && has_shape(sum, groups, features) &&
              has_shape(square, groups, features) && scale.size() == features,
          "sums: wrong dimensions");
  Moments moments(static_cast<int>(groups), static_cast<int>(features));
  for (int j = 0; j < features; ++j) {
    for (int g = 0; g < groups; ++g) {
      moments.add(g, j, weight(g, j), shift(g, j), sum(g, j) / scale[j],
                  square(g, j) / scale[j] / scale[j]);
    }
  }
  return doors::to_list(moments);
}

// The state of a Gaussian block, without its counts of missing rows. `product`: a matrix for each
// group. The result has the coordinates of the groups (from 1) whose products must be summed again:
// list(scatter, poor, to, back).
// [[Rcpp::export(rng = false)]]
Rcpp::List scatter_of_products_cpp(Eigen::VectorXd rows, Eigen::VectorXd weight,
                                   Eigen::MatrixXd shift, Eigen::MatrixXd sum, Rcpp::List product,
                                   Eigen::VectorXd scale) {
  const Index groups = shift.rows(), p = shift.cols();
  require(rows.size() == groups && weight.size() == groups && product.size() == groups &&
              has_shape(sum, groups, p) && scale.size() == p,
          "products: wrong dimensions");
  Scatter scatter(static_cast<int>(groups), static_cast<int>(p));
  std::vector<Matrix> to, back;
  IntVector poor;
  for (int g = 0; g < groups; ++g) {
    const ProductSums sums{rows[g],
                           weight[g],
                           shift.row(g).transpose(),
                           scale,
                           sum.row(g).transpose(),
                           Rcpp::as<Matrix>(product[g])};
    require(has_shape(sums.product, p, p), "products: wrong dimensions");
    if (store_products(sums, g, scatter)) continue;
    const Whitening whitening = whitening_of(sums.scatter());
    poor.push_back(g + 1);
    to.push_back(whitening.to);
    back.push_back(whitening.back);
  }
  return Rcpp::List::create(Rcpp::_["scatter"] = doors::to_list(scatter), Rcpp::_["poor"] = poor,
                            Rcpp::_["to"] = doors::wrap_field(to),
                            Rcpp::_["back"] = doors::wrap_field(back));
}

// The triangle of one group from sums in the coordinates of scatter_of_products_cpp().
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd whitened_triangle_cpp(double weight, Eigen::VectorXd sum, Eigen::MatrixXd product,
                                      Eigen::MatrixXd back, Eigen::VectorXd scale) {
  const Index p = sum.size();
  require(weight > 0 && has_shape(product, p, p) && has_shape(back, p, p) && scale.size() == p,
          "products: wrong dimensions");
  const ProductSums sums{0, weight, sum, scale, sum, product};
  return unscaled_triangle(whitened_triangle(sums.scatter(), back), scale);
}

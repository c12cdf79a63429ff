#include <engine/core/triangle.hpp>
#include <engine/likelihood/posterior/draws.hpp>

namespace bayesrisk {

void draw_distribution(Vector& log_probability, const Vector& copies, double weight,
                       RandomLaws& random) {
  if (!(weight > 0) || std::isnan(log_probability[0])) return;
  Eigen::VectorXd number(log_probability.size());
  for (std::size_t i = 0; i < log_probability.size(); ++i) {
    number[static_cast<Index>(i)] =
        copies[i] > 0 ? random.log_gamma(weight * copies[i] * std::exp(log_probability[i]))
                      : kNegativeInfinity;
  }
  const double total = log_sum(number);
  if (!std::isfinite(total)) return;
  for (std::size_t i = 0; i < log_probability.size(); ++i) {
    if (copies[i] > 0) {
      log_probability[i] = number[static_cast<Index>(i)] - total - std::log(copies[i]);
    }
  }
}

void draw_columns(Matrix& log_probability, Index g, Index from, Index to, double weight,
                  RandomLaws& random) {
  Vector levels;
  for (Index l = from; l < to; ++l) levels.push_back(log_probability(g, l));
  draw_distribution(levels, Vector(levels.size(), 1.0), weight, random);
  for (Index l = from; l < to; ++l) {
    log_probability(g, l) = levels[static_cast<std::size_t>(l - from)];
  }
}

Matrix draw_factor(const Matrix& factor, double freedom, RandomLaws& random) {
  const Index size = factor.rows();
  Matrix a = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    a(i, i) = std::sqrt(random.chi_squared(freedom - static_cast<double>(size - 1 - i)));
    for (Index j = i + 1; j < size; ++j) a(i, j) = random.normal();
  }
  return solve_triangle(a, std::sqrt(freedom) * factor);
}

}  // namespace bayesrisk

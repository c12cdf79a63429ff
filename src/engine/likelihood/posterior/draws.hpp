#pragma once

#include <engine/core/random_laws.hpp>

namespace bayesrisk {

// Draws of a posterior change parameters from its centre. Classes without rows keep their NaN.

// Replaces log probabilities by the logs of a draw of the Dirichlet distribution with these means,
// whose parameters sum to `weight`. `copies`: how many cells each number stands for.
void draw_distribution(Vector& log_probability, const Vector& copies, double weight,
                       RandomLaws& random);

// Draws the distribution of a class over the columns [from, to).
void draw_columns(Matrix& log_probability, Index g, Index from, Index to, double weight,
                  RandomLaws& random);

// The factor of a draw of the inverse Wishart distribution with `freedom` degrees of freedom, where
// `factor` is that of the scatter divided by them. The Wishart matrix is A A', A an upper triangle
// (Bartlett's decomposition, in reverse order), so the result is an upper triangle, too.
Matrix draw_factor(const Matrix& factor, double freedom, RandomLaws& random);

}  // namespace bayesrisk

#pragma once

#include <engine/core/random_laws.hpp>
#include <engine/likelihood/hyperparameters.hpp>

namespace bayesrisk {

// Each overload changes the parameters of a bank from the centre of their posterior to a draw. The
// last one is for likelihoods without a posterior. Classes without rows keep their NaN.

// sigma^2 = scatter / chi^2, and the mean is normal around its centre.
inline void draw_parameters(const Gaussian::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Gaussian::Parameters& p) {
  for (int j = 0; j < plan.members(); ++j) {
    for (Index g = 0; g < p.mean.rows(); ++g) {
      const double freedom = hyperparameters.freedom(g, j), weight = hyperparameters.weight(g, j);
      if (!(weight > 0) || std::isnan(p.sd(g, j))) continue;
      p.sd(g, j) *= std::sqrt(freedom / random.chi_squared(freedom));
      p.mean_low(g, j) += p.sd(g, j) * random.normal() / std::sqrt(weight);
    }
  }
}

// The factor of a draw of the inverse Wishart distribution with `freedom` degrees of freedom, where
// `factor` is that of the scatter divided by them. The Wishart matrix is A A', A an upper triangle
// (Bartlett's decomposition, in reverse order), so the result is an upper triangle, too.
inline Matrix draw_factor(const Matrix& factor, double freedom, RandomLaws& random) {
  const Index size = factor.rows();
  Matrix a = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    a(i, i) = std::sqrt(random.chi_squared(freedom - static_cast<double>(size - 1 - i)));
    for (Index j = i + 1; j < size; ++j) a(i, j) = random.normal();
  }
  return a.triangularView<Eigen::Upper>().solve(std::sqrt(freedom) * factor);
}

inline Matrix kept_part(const Matrix& factor, const IntVector& kept) {
  const auto size = static_cast<Index>(kept.size());
  Matrix part(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) part(i, j) = factor(kept[i], kept[j]);
  }
  return part;
}

inline void draw_parameters(const MultivariateGaussian::Plan&,
                            const Hyperparameters& hyperparameters, RandomLaws& random,
                            MultivariateGaussian::Parameters& p) {
  const IntVector kept = p.kept();
  if (kept.empty()) return;
  const auto classes = p.mean.rows();
  std::vector<Matrix> drawn;
  for (std::size_t f = 0; f < p.factor.size(); ++f) {
    const Matrix part = kept_part(p.factor[f], kept);
    drawn.push_back(part);
    // A shared factor has the degrees of freedom of any class.
    const double freedom = hyperparameters.freedom(static_cast<Index>(f), 0);
    if (!part.hasNaN()) drawn.back() = draw_factor(part, freedom, random);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < kept.size(); ++j) {
        p.factor[f](kept[i], kept[j]) = drawn.back()(static_cast<Index>(i), static_cast<Index>(j));
      }
    }
  }
  for (Index g = 0; g < classes; ++g) {
    const double weight = hyperparameters.weight(g, 0);
    if (!(weight > 0)) continue;
    Eigen::VectorXd z(kept.size());
    for (Index i = 0; i < z.size(); ++i) z[i] = random.normal();
    const Matrix& u = drawn[drawn.size() == 1 ? 0 : static_cast<std::size_t>(g)];
    const Eigen::VectorXd away = u.transpose() * z / std::sqrt(weight);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      p.mean_low(g, kept[i]) += away[static_cast<Index>(i)];
    }
  }
}

// Replaces log probabilities by the logs of a draw of the Dirichlet distribution with these means,
// whose parameters sum to `weight`. `copies`: how many cells each number stands for.
inline void draw_distribution(Vector& log_probability, const Vector& copies, double weight,
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

// Draws the distribution of a class over the columns [from, to).
inline void draw_columns(Matrix& log_probability, Index g, Index from, Index to, double weight,
                         RandomLaws& random) {
  Vector levels;
  for (Index l = from; l < to; ++l) levels.push_back(log_probability(g, l));
  draw_distribution(levels, Vector(levels.size(), 1.0), weight, random);
  for (Index l = from; l < to; ++l) {
    log_probability(g, l) = levels[static_cast<std::size_t>(l - from)];
  }
}

inline void draw_parameters(const Categorical::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Categorical::Parameters& p) {
  const IntVector offset = plan.offsets();
  for (int j = 0; j < plan.members(); ++j) {
    for (Index g = 0; g < p.log_probability.rows() && !p.left_out[j]; ++g) {
      draw_columns(p.log_probability, g, offset[j], offset[j + 1], hyperparameters.weight(g, j),
                   random);
    }
  }
}

inline void draw_parameters(const Histogram::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Histogram::Parameters& p) {
  for (int g = 0; g < static_cast<int>(p.log_probability.rows()); ++g) {
    const int bins = plan.of_group(g).count;
    if (bins > 0) draw_columns(p.log_probability, g, 0, bins, hyperparameters.weight(g, 0), random);
  }
}

// The cells that are not listed share what is left of the draw.
inline void draw_parameters(const JointTable::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, JointTable::Parameters& p) {
  const Index cells = p.cells.rows();
  for (std::size_t g = 0; g < p.log_unseen.size(); ++g) {
    const auto row = static_cast<Index>(g);
    Vector logs, copies(static_cast<std::size_t>(cells), 1.0);
    for (Index c = 0; c < cells; ++c) logs.push_back(p.log_probability(row, c));
    logs.push_back(p.log_unseen[g]);
    copies.push_back(plan.cells() - static_cast<double>(cells));
    draw_distribution(logs, copies, hyperparameters.weight(row, 0), random);
    for (Index c = 0; c < cells; ++c) {
      p.log_probability(row, c) = logs[static_cast<std::size_t>(c)];
    }
    p.log_unseen[g] = logs.back();
  }
}

inline void draw_parameters(const JointHistogram::Plan& plan,
                            const Hyperparameters& hyperparameters, RandomLaws& random,
                            JointHistogram::Parameters& p) {
  draw_parameters(plan.table(), hyperparameters, random, static_cast<JointTable::Parameters&>(p));
}

inline void draw_parameters(const Poisson::Plan&, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Poisson::Parameters& p) {
  for (Index i = 0; i < p.rate.size(); ++i) {
    const double weight = hyperparameters.weight.data()[i];
    double& rate = p.rate.data()[i];
    if (weight > 0 && rate > 0) rate = std::exp(random.log_gamma(rate * weight)) / weight;
  }
}

inline void draw_parameters(const Multinomial::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Multinomial::Parameters& p) {
  if (hyperparameters.known() || plan.terms() == 0) return;
  for (Index g = 0; g < p.log_probability.rows(); ++g) {
    draw_columns(p.log_probability, g, 0, plan.terms(), hyperparameters.weight(g, 0), random);
  }
}

// Each term is present or absent, independently of the others.
inline void draw_parameters(const Bernoulli::Plan& plan, const Hyperparameters& hyperparameters,
                            RandomLaws& random, Bernoulli::Parameters& p) {
  for (int t = 0; t < plan.terms(); ++t) {
    for (Index g = 0; g < p.log_present.rows() && !hyperparameters.known(); ++g) {
      Vector both{p.log_present(g, t), p.log_absent(g, t)};
      draw_distribution(both, {1, 1}, hyperparameters.weight(g, 0), random);
      p.log_present(g, t) = both[0];
      p.log_absent(g, t) = both[1];
    }
  }
}

template <class Plan, class Parameters>
void draw_parameters(const Plan&, const Hyperparameters&, RandomLaws&, Parameters&) {}

}  // namespace bayesrisk

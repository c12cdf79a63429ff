#pragma once

#include <engine/core/counts.hpp>
#include <engine/core/gamma_functions.hpp>
#include <engine/likelihood/hyperparameters.hpp>
#include <engine/likelihood/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/poisson_scorer.hpp>

#include <memory>

namespace bayesrisk {

// Scorers of predictive distributions: the parameters are integrated out over their posterior.

// Single numbers: Student t distributions.
class StudentScorer {
 public:
  StudentScorer(const Gaussian::Plan& plan, const Gaussian::Parameters& centre,
                const Hyperparameters& hyperparameters)
      : plan_(plan), centre_(centre), freedom_(hyperparameters.freedom) {
    scale_ = centre.sd.array() * (1 + hyperparameters.weight.array().inverse()).sqrt();
    constant_.resize(scale_.rows(), scale_.cols());
    for (Index i = 0; i < scale_.size(); ++i) {
      const double scale = scale_.data()[i];
      constant_.data()[i] = log_student_peak(freedom_.data()[i], 1) - std::log(scale);
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    for (int j = from; j < to; ++j) {
      const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
      if (centre_.left_out[j]) continue;
      for (int k = 0; k < tile.classes; ++k) {
        double* out = tile.of_class(k);
        for (int r = 0; r < tile.rows; ++r) {
          if (std::isfinite(x[r])) out[r] += log_density(x[r], k, j);
        }
      }
    }
  }

 private:
  double log_density(double x, int k, int j) const {
    const double u = ((x - centre_.mean(k, j)) - centre_.mean_low(k, j)) / scale_(k, j);
    const double freedom = freedom_(k, j);
    const double log_ratio = std::abs(u) < 1e100 ? std::log1p(u * u / freedom)
                                                 : 2 * std::log(std::abs(u)) - std::log(freedom);
    return constant_(k, j) - 0.5 * (freedom + 1) * log_ratio;
  }

  const Gaussian::Plan& plan_;
  const Gaussian::Parameters& centre_;
  Matrix freedom_, scale_, constant_;
};

// A block: a multivariate t distribution in each class.
class MultivariateStudentScorer {
 public:
  MultivariateStudentScorer(const MultivariateGaussian::Plan& plan,
                            const MultivariateGaussian::Parameters& centre,
                            const Hyperparameters& hyperparameters)
      : scaled_(centre) {
    const auto size = static_cast<double>(centre.kept().size());
    Vector freedom;
    scaled_.factor.clear();
    for (int g = 0; g < static_cast<int>(centre.mean.rows()); ++g) {
      const double of_scatter = hyperparameters.freedom(g, 0);
      freedom.push_back(of_scatter - size + 1);
      scaled_.factor.push_back(
          centre.factor_of(g) *
          std::sqrt(of_scatter / freedom.back() * (1 + 1 / hyperparameters.weight(g, 0))));
    }
    scorer_ = std::make_unique<MultivariateGaussian::Scorer>(plan, scaled_, freedom);
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    scorer_->add(frame, from, to, tile);
  }

 private:
  MultivariateGaussian::Parameters scaled_;
  std::unique_ptr<MultivariateGaussian::Scorer> scorer_;
};

// Counts: negative binomial distributions.
struct PredictiveCountLaws {
  Index count;
  std::vector<CountLaw> law;  // features x classes

  PredictiveCountLaws(const Poisson::Parameters& centre, const Hyperparameters& hyperparameters)
      : count(centre.rate.rows()) {
    for (Index i = 0; i < centre.rate.size(); ++i) {
      law.emplace_back(centre.rate.data()[i], hyperparameters.freedom.data()[i]);
    }
  }
  const CountLaw& of(int k, int j) const { return law[static_cast<std::size_t>(j * count + k)]; }
  int classes() const { return static_cast<int>(count); }
  double reach(int k, int j) const { return of(k, j).mean + 8 * of(k, j).sd(); }
  double log_probability(int k, int j, double x, const LogPoisson& poisson) const {
    return of(k, j).log_probability(x, poisson);
  }
};

class PredictiveCountScorer : public CountScorer<PredictiveCountLaws> {
 public:
  PredictiveCountScorer(const Poisson::Plan& plan, const Poisson::Parameters& centre,
                        const Hyperparameters& hyperparameters, Index rows)
      : CountScorer(plan.features, PredictiveCountLaws(centre, hyperparameters), rows) {}
};

// The scorer of the predictive distribution of a likelihood. Tables and likelihoods without a
// posterior have that of their estimates: the probability of a level is the mean of its posterior.
template <class L>
struct Predictive {
  using Scorer = typename L::Scorer;
};
template <>
struct Predictive<Gaussian> {
  using Scorer = StudentScorer;
};
template <>
struct Predictive<MultivariateGaussian> {
  using Scorer = MultivariateStudentScorer;
};
template <>
struct Predictive<Poisson> {
  using Scorer = PredictiveCountScorer;
};
template <class L>
constexpr bool has_predictive = !std::is_same_v<typename Predictive<L>::Scorer, typename L::Scorer>;

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/bernoulli.hpp>
#include <engine/likelihood/categorical.hpp>
#include <engine/likelihood/categorical_scorer.hpp>
#include <engine/likelihood/categorical_statistics.hpp>
#include <engine/likelihood/complete.hpp>
#include <engine/likelihood/empirical.hpp>
#include <engine/likelihood/gamma.hpp>
#include <engine/likelihood/gamma_scorer.hpp>
#include <engine/likelihood/gaussian.hpp>
#include <engine/likelihood/gaussian_bag.hpp>
#include <engine/likelihood/gaussian_scorer.hpp>
#include <engine/likelihood/histogram.hpp>
#include <engine/likelihood/histogram_scorer.hpp>
#include <engine/likelihood/joint_histogram.hpp>
#include <engine/likelihood/joint_histogram_scorer.hpp>
#include <engine/likelihood/joint_table.hpp>
#include <engine/likelihood/joint_table_drawer.hpp>
#include <engine/likelihood/joint_table_scorer.hpp>
#include <engine/likelihood/joint_table_statistics.hpp>
#include <engine/likelihood/kernel.hpp>
#include <engine/likelihood/kernel_scorer.hpp>
#include <engine/likelihood/mixture.hpp>
#include <engine/likelihood/mixture_estimator.hpp>
#include <engine/likelihood/multinomial.hpp>
#include <engine/likelihood/multivariate_gaussian.hpp>
#include <engine/likelihood/multivariate_gaussian_estimator.hpp>
#include <engine/likelihood/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/multivariate_mixture.hpp>
#include <engine/likelihood/multivariate_mixture_estimator.hpp>
#include <engine/likelihood/multivariate_mixture_scorer.hpp>
#include <engine/likelihood/negative_binomial.hpp>
#include <engine/likelihood/poisson.hpp>
#include <engine/likelihood/poisson_bag.hpp>
#include <engine/likelihood/poisson_scorer.hpp>

#include <variant>

namespace bayesrisk {

// The only list of likelihoods. complete.hpp lists the parts of a likelihood.
using AnyPlan = std::variant<Gaussian::Plan, MultivariateGaussian::Plan, Categorical::Plan,
                             JointTable::Plan, Poisson::Plan, Histogram::Plan, Empirical::Plan,
                             Kernel::Plan, Gamma::Plan, NegativeBinomial::Plan, Mixture::Plan,
                             MultivariateMixture::Plan, JointHistogram::Plan, Multinomial::Plan,
                             Bernoulli::Plan, PoissonBag::Plan, GaussianBag::Plan>;

template <class... Plan>
constexpr bool all_complete(const std::variant<Plan...>*) {
  return (CompleteLikelihood<typename Plan::Likelihood>::value && ...);
}
static_assert(all_complete(static_cast<const AnyPlan*>(nullptr)));

template <class Plan>
using LikelihoodOf = typename std::decay_t<Plan>::Likelihood;

// The other states of a bank follow the type of its plan.
template <template <class> class State, class Variant>
struct MapVariant;

template <template <class> class State, class... Plan>
struct MapVariant<State, std::variant<Plan...>> {
  using type = std::variant<State<Plan>...>;
};

template <class Plan>
using OptionsOf = typename LikelihoodOf<Plan>::Options;
template <class Plan>
using StatisticsOf = typename LikelihoodOf<Plan>::Statistics;
template <class Plan>
using ParametersOf = typename LikelihoodOf<Plan>::Parameters;

using AnyOptions = MapVariant<OptionsOf, AnyPlan>::type;
using AnyStatistics = MapVariant<StatisticsOf, AnyPlan>::type;
using AnyParameters = MapVariant<ParametersOf, AnyPlan>::type;

// The scatter of a block of numbers; null for other statistics.
inline const Scatter* scatter_of(const AnyStatistics& statistics) {
  return std::visit(
      [](const auto& of) -> const Scatter* {
        if constexpr (std::is_base_of_v<MultivariateGaussian::Statistics,
                                        std::decay_t<decltype(of)>>) {
          return &of.scatter;
        } else {
          return nullptr;
        }
      },
      statistics);
}

// The kinds of density that the likelihoods have, each once.
template <class Kinds, class... Plan>
struct MarginalsOf {
  using type = Kinds;
};

template <class... Kind, class Plan, class... Rest>
struct MarginalsOf<std::variant<Kind...>, Plan, Rest...> {
  static constexpr auto with_own() {
    if constexpr (has_levels<Plan>) {
      return MarginalsOf<std::variant<Kind...>, Rest...>();
    } else {
      using Own = typename LikelihoodOf<Plan>::Marginal;
      using Longer = std::conditional_t<(std::is_same_v<Kind, Own> || ...), std::variant<Kind...>,
                                        std::variant<Kind..., Own>>;
      return MarginalsOf<Longer, Rest...>();
    }
  }
  using type = typename decltype(with_own())::type;
};

template <class... Plan>
MarginalsOf<std::variant<>, Plan...> marginals_of(const std::variant<Plan...>*);

// The density of one numeric feature in each class.
using Marginal = decltype(marginals_of(static_cast<const AnyPlan*>(nullptr)))::type;

}  // namespace bayesrisk

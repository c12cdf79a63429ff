#pragma once

#include <engine/likelihood/categorical.hpp>
#include <engine/likelihood/categorical_scorer.hpp>
#include <engine/likelihood/categorical_statistics.hpp>
#include <engine/likelihood/complete.hpp>
#include <engine/likelihood/empirical.hpp>
#include <engine/likelihood/gamma.hpp>
#include <engine/likelihood/gamma_scorer.hpp>
#include <engine/likelihood/gaussian.hpp>
#include <engine/likelihood/gaussian_scorer.hpp>
#include <engine/likelihood/histogram.hpp>
#include <engine/likelihood/histogram_scorer.hpp>
#include <engine/likelihood/joint_table.hpp>
#include <engine/likelihood/joint_table_drawer.hpp>
#include <engine/likelihood/joint_table_scorer.hpp>
#include <engine/likelihood/joint_table_statistics.hpp>
#include <engine/likelihood/kernel.hpp>
#include <engine/likelihood/kernel_scorer.hpp>
#include <engine/likelihood/mixture.hpp>
#include <engine/likelihood/multivariate_gaussian.hpp>
#include <engine/likelihood/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/negative_binomial.hpp>
#include <engine/likelihood/poisson.hpp>
#include <engine/likelihood/poisson_scorer.hpp>

#include <variant>

namespace bayesrisk {

// The only list of likelihoods. complete.hpp says what each of them brings.
using AnyPlan = std::variant<Gaussian::Plan, Categorical::Plan, MultivariateGaussian::Plan,
                             JointTable::Plan, Mixture::Plan, Poisson::Plan, Histogram::Plan,
                             Empirical::Plan, Kernel::Plan, Gamma::Plan, NegativeBinomial::Plan>;

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

}  // namespace bayesrisk

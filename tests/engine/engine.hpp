#pragma once

// All likelihoods, with what scores and draws them.

#include <engine/likelihood/bag/bernoulli.hpp>
#include <engine/likelihood/bag/gaussian_bag.hpp>
#include <engine/likelihood/bag/multinomial.hpp>
#include <engine/likelihood/bag/poisson_bag.hpp>
#include <engine/likelihood/contract/registry.hpp>
#include <engine/likelihood/count/gamma.hpp>
#include <engine/likelihood/count/gamma_scorer.hpp>
#include <engine/likelihood/count/negative_binomial.hpp>
#include <engine/likelihood/count/poisson.hpp>
#include <engine/likelihood/count/poisson_scorer.hpp>
#include <engine/likelihood/normal/gaussian.hpp>
#include <engine/likelihood/normal/gaussian_scorer.hpp>
#include <engine/likelihood/normal/mixture.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_estimator.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/normal/multivariate_mixture.hpp>
#include <engine/likelihood/normal/multivariate_mixture_estimator.hpp>
#include <engine/likelihood/normal/multivariate_mixture_scorer.hpp>
#include <engine/likelihood/points/empirical.hpp>
#include <engine/likelihood/points/kernel.hpp>
#include <engine/likelihood/points/kernel_scorer.hpp>
#include <engine/likelihood/table/categorical.hpp>
#include <engine/likelihood/table/categorical_scorer.hpp>
#include <engine/likelihood/table/categorical_statistics.hpp>
#include <engine/likelihood/table/histogram.hpp>
#include <engine/likelihood/table/histogram_scorer.hpp>
#include <engine/likelihood/table/joint_histogram.hpp>
#include <engine/likelihood/table/joint_histogram_scorer.hpp>
#include <engine/likelihood/table/joint_table.hpp>
#include <engine/likelihood/table/joint_table_drawer.hpp>
#include <engine/likelihood/table/joint_table_scorer.hpp>
#include <engine/likelihood/table/joint_table_statistics.hpp>

#pragma once

#include <engine/evaluation/other_features.hpp>
#include <engine/evaluation/prior_rows.hpp>
#include <engine/evaluation/watched_features.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/parameter_posterior.hpp>

#include <functional>

namespace bayesrisk {

// The relative likelihoods of the classes in rows: see PriorPiece.
struct RowLikelihoods {
  Matrix likelihood;
  Vector evidence, weight;
  PriorReport report;

  RowLikelihoods(const Scorer& scorer, const Vector& factors, const Frame& frame,
                 const Context& context);

  // Rows x classes; NaN for rows that say nothing about their class.
  Matrix posterior(const Vector& prior) const;
};

// Rows that stand for the training distribution, with their classes, from 0, part by part.
struct SampleParts {
  using Visit = std::function<void(const Frame&, const IntVector&)>;

  Index parts, rows;  // rows: of each part
  std::function<void(Index part, const Visit& visit)> read;
};

// Rows drawn from a model; from a draw of its parameters in each part, if they have a posterior, so
// that the rows together have the predictive distribution: estimates that follow chance in few
// training rows are seen to.
SampleParts drawn_parts(const ModelPlan& plan, const ModelParameters& model,
                        const ParameterPosterior* posterior, int features, std::uint64_t seed);

// The means and variances of functions of a row in each class, functions x classes.
struct ClassMoments {
  Matrix count, sum, squares;

  ClassMoments() = default;
  ClassMoments(Index functions, Index classes)
      : count(Matrix::Zero(functions, classes)), sum(count), squares(count) {}

  void add(Index function, int k, double value) {
    ++count(function, k);
    sum(function, k) += value;
    squares(function, k) += value * value;
  }

  double mean(Index function, Index k) const {
    return sum(function, k) / std::max(count(function, k), 1.0);
  }
  // The variance of the values of a class.
  double variance(Index function, Index k) const;
};

// What rows of the training distribution say of the functions of features and of the posterior.
struct MonitorSample {
  WatchedFeatures features;
  ClassMoments without, with;  // of the functions of features, without and with the class known
  Vector rows;                 // of each class
  Matrix posterior;            // by the model, rows x classes
  IntVector group;             // the class of each row of the posterior

  MonitorSample(const Scorer& scorer, const Vector& factors, const SampleParts& parts,
                const Context& context);

 private:
  void add_functions(const OtherFeatures& others, const Frame& frame, const IntVector& of_row);
};

}  // namespace bayesrisk

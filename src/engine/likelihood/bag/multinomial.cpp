#include <engine/likelihood/bag/multinomial.hpp>
#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>

namespace bayesrisk {

// Complement weights are no probabilities.
Hyperparameters Multinomial::hyperparameters(const Plan& plan, const Statistics& statistics,
                                             const Options& options, const Parameters&,
                                             const Classes&, Diagnostics&) {
  if (options.complement) return {};
  return {statistics.count.rowwise().sum().array() + options.laplace * plan.terms(), {}};
}

void Multinomial::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                  RandomLaws& random, Parameters& p) {
  if (hyperparameters.known() || plan.terms() == 0) return;
  for (Index g = 0; g < p.log_probability.rows(); ++g) {
    draw_columns(p.log_probability, g, 0, plan.terms(), hyperparameters.weight(g, 0), random);
  }
}

void Multinomial::Parameters::check(const Plan& plan, int groups) const {
  require(has_shape(coefficient(), groups, plan.terms()) &&
              (weight.rows() == 0 || log_probability.rows() == 0),
          "log_probability: wrong dimensions");
}

// (count + laplace) / (total + laplace * terms). A class without any count borrows those of all
// classes.
Multinomial::Parameters Multinomial::estimate(const Plan& plan, const Statistics& statistics,
                                              const Options& options, const Classes& classes,
                                              Diagnostics& diagnostics) {
  if (options.complement) {
    Parameters p{{}, complement_weights(statistics.count, options)};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g) || p.sound(g)) continue;
      diagnostics.add(Problem::overflow, g, plan.feature(), 0);
    }
    return p;
  }
  Parameters p{Matrix::Constant(classes.count(), plan.terms(), kNaN), {}};
  const Matrix pooled = statistics.count.colwise().sum();
  for (int g = 0; g < classes.count() && plan.terms() > 0; ++g) {
    if (!classes.has_rows(g)) continue;
    Matrix count = statistics.count.row(g).array() + options.laplace;
    if (!(count.sum() > 0) && classes.borrow && pooled.sum() > 0) {
      count = pooled;
      diagnostics.add(Problem::borrowed, g, plan.feature(), 0);
    }
    const double total = count.sum();
    if (!(total > 0)) diagnostics.add(Problem::empty, g, plan.feature(), 0);
    if (!std::isfinite(total)) diagnostics.add(Problem::overflow, g, plan.feature(), 0);
    p.log_probability.row(g) = (count / total).array().log().min(0.0);
  }
  return p;
}

// The log probabilities of the terms in all other classes, with a minus or normalised. Weights that
// are all 0, as that of a single term, stay 0.
Matrix Multinomial::complement_weights(const Matrix& count, const Options& options) {
  const Matrix all = count.colwise().sum();
  Matrix weight(count.rows(), count.cols());
  for (Index g = 0; g < count.rows(); ++g) {
    const Matrix others = (all - count.row(g)).cwiseMax(0.0).array() + options.laplace;
    const double sum = others.sum();
    const Matrix share = others / sum;
    Matrix logs = share.array().log();
    if (share.size() > 0 && share.minCoeff() < std::numeric_limits<double>::min()) {
      logs = others.array().log() - std::log(sum);  // such a share has lost digits
    }
    const double total = options.normalise ? logs.sum() : -1;
    weight.row(g) = logs / (total == 0 ? -1 : total);
  }
  return weight;
}

// Weights are no probabilities.
double Multinomial::log_likelihood(const Plan& plan, const Statistics& statistics,
                                   const Parameters& parameters) {
  if (parameters.is_weight()) return kNaN;
  double total = 0;
  for (int t = 0; t < plan.terms(); ++t) {
    for (Index g = 0; g < statistics.count.rows(); ++g) {
      const double count = statistics.count(g, t);
      if (count > 0) total += count * parameters.log_probability(g, t);
    }
  }
  return total;
}

void Multinomial::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  BagScorer::add(frame, from, to, tile);
  if (!weights_ || from >= to) return;
  for (int k = 0; k < tile.classes; ++k) {
    const double* score = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) {
      if (score[r] == -kNegativeInfinity) tile.flag(r, kInfinite);
    }
  }
}

BAYESRISK_LIKELIHOOD(Multinomial)

}  // namespace bayesrisk

#include <engine/evaluation/prior_training.hpp>

namespace bayesrisk {

namespace {

IntVector places_of(const IntVector& open) {
  IntVector places;
  for (std::size_t k = 0; k < open.size(); ++k) {
    if (open[k]) places.push_back(static_cast<int>(k));
  }
  return places;
}

}  // namespace

Matrix TrainingError::covariance(const Eigen::VectorXd& prior) const {
  return draws_ > 1 ? over_draws(prior) : bound(prior);
}

Matrix TrainingError::over_draws(const Eigen::VectorXd& prior) const {
  const Index classes = prior.size();
  Matrix gradient = Matrix::Zero(classes, draws_);
  context_.run(draws_, [&](Index draw) {
    context_.check();
    for (const SampledRows& sample : samples_) {
      add_gradients(sample, sample.others + draw * classes * sample.rows, prior,
                    gradient.col(draw));
    }
  });
  gradient /= std::max(total(), 1e-300);
  gradient.colwise() -= gradient.rowwise().mean().eval();
  return gradient * gradient.transpose() / (draws_ - 1.0);
}

Matrix TrainingError::bound(const Eigen::VectorXd& prior) const {
  const Index classes = prior.size();
  Matrix sum = Matrix::Zero(classes, classes), of_class = sum;
  Eigen::VectorXd slope(classes);
  for (const SampledRows& sample : samples_) {
    for (Index r = 0; r < sample.rows; ++r) {
      if (!(sample.evidence[r] > 0)) continue;
      for (Index k = 0; k < classes; ++k) slope[k] = sample.together[k * sample.rows + r];
      slope /= prior.dot(slope);
      const Eigen::VectorXd posterior = prior.cwiseProduct(slope);
      double learned = 0;
      for (Index k = 0; k < classes; ++k) {
        if (prior[k] > 0) learned += posterior[k] * prior[k] / cases_[static_cast<std::size_t>(k)];
      }
      sum += sample.evidence[r] * learned * slope * slope.transpose();
      of_class += sample.evidence[r] * slope * posterior.transpose();
    }
  }
  const double weight = std::max(total(), 1e-300);
  sum /= weight;
  of_class /= weight;
  for (Index k = 0; k < classes; ++k) {
    if (!(prior[k] > 0)) continue;
    sum -= of_class.col(k) * of_class.col(k).transpose() / cases_[static_cast<std::size_t>(k)];
  }
  return sum;
}

void TrainingError::add_gradients(const SampledRows& sample, const double* likelihood,
                                  const Eigen::VectorXd& prior,
                                  Eigen::Ref<Eigen::VectorXd> sum) const {
  Eigen::VectorXd slope(prior.size());
  for (Index r = 0; r < sample.rows; ++r) {
    if (!(sample.evidence[r] > 0)) continue;
    for (Index k = 0; k < prior.size(); ++k) slope[k] = likelihood[k * sample.rows + r];
    const double mixture = prior.dot(slope);
    if (mixture > 0) sum += sample.evidence[r] / mixture * slope;
  }
}

double TrainingError::total() const {
  double sum = 0;
  for (const SampledRows& sample : samples_) {
    for (Index r = 0; r < sample.rows; ++r) sum += sample.evidence[r];
  }
  return sum;
}

Matrix cluster_covariance(const std::vector<PriorPiece>& pieces, int clusters,
                          const Eigen::VectorXd& prior, const Matrix& information, double total) {
  const Index classes = prior.size();
  if (clusters < 2) return Matrix::Zero(classes, classes);
  Matrix gradient = Matrix::Zero(classes, clusters);
  Eigen::VectorXd slope(classes);
  for (const PriorPiece& piece : pieces) {
    for (Index r = 0; r < piece.rows; ++r) {
      if (!(piece.evidence[r] > 0)) continue;
      for (Index k = 0; k < classes; ++k) slope[k] = piece.likelihood[k * piece.rows + r];
      const double mixture = prior.dot(slope);
      if (mixture > 0) gradient.col(piece.cluster[r] - 1) += piece.evidence[r] / mixture * slope;
    }
  }
  gradient.colwise() -= gradient.rowwise().mean().eval();
  const double unbiased = clusters / (clusters - 1.0);
  return (unbiased * gradient * gradient.transpose() - information) / (total * total);
}

Vector variance_growth(const PriorFit& fit, const Matrix& added, double total,
                       const IntVector& open) {
  Vector growth(open.size(), 1.0);
  Curvature curvature(fit.curvature->information());
  for (int k : places_of(open)) {
    IntVector free = open;
    for (std::size_t j = 0; j < free.size(); ++j) free[j] = free[j] && fit.prior[j] > 0;
    free[static_cast<std::size_t>(k)] = 1;
    const IntVector places = places_of(free);
    if (places.size() < 2) continue;
    const auto at = std::find(places.begin(), places.end(), k) - places.begin();
    const auto size = static_cast<Index>(places.size());
    const Eigen::VectorXd along = curvature.solve(places, Eigen::VectorXd::Unit(size, at), 0);
    Eigen::VectorXd of_all = Eigen::VectorXd::Zero(added.rows());
    for (Index i = 0; i < size; ++i) of_all[places[i]] = along[i];
    const double more = total * total * of_all.dot(added * of_all);
    if (along[at] > 0) growth[static_cast<std::size_t>(k)] += more / along[at];
  }
  return growth;
}

double deviance_share(const LogLikelihood& at, const Matrix& added, double total,
                      const IntVector& open) {
  const IntVector places = places_of(open);
  if (places.size() < 2 || !at.gradient.allFinite()) return 1;
  const auto statistic = [&](const Matrix& variance) {
    Eigen::VectorXd slope(static_cast<Index>(places.size()));
    for (Index i = 0; i < slope.size(); ++i) slope[i] = at.gradient[places[i]] - total;
    return slope.dot(Curvature(variance).solve(places, slope, 0));
  };
  const double without = statistic(at.information);
  const double with = statistic(at.information + total * total * added);
  return without > 0 && with > 0 ? with / without : 1.0;
}

}  // namespace bayesrisk

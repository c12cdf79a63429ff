#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/gaussian.hpp>
#include <engine/likelihood/normal/mixture.hpp>
#include <engine/likelihood/normal/multivariate_mixture_estimator.hpp>

namespace bayesrisk {

void Mixture::Parameters::check(const Plan&, int groups) const {
  left_out.check(1);
  const std::size_t terms = check_weights(groups);
  require(mean.size() == terms, "mean: wrong length");
  require(sd.size() == terms, "sd: wrong length");
}

bool Mixture::Parameters::sound(int g) const {
  const Normals::OfClass terms = normals_of(g, [&](int t) {
    return NormalComponent{0, mean[t], sd[t]};
  });
  return std::all_of(terms.begin(), terms.end(), [](const NormalComponent& term) {
    return term.log_weight <= kLogOne && std::isfinite(term.mean) && std::isfinite(term.sd) &&
           term.sd > 0;
  });
}

MultivariateMixture::Parameters Mixture::Parameters::of_block() const {
  Block::Parameters p;
  static_cast<MixtureWeights&>(p) = *this;
  p.normals.mean = Eigen::Map<const Eigen::VectorXd>(mean.data(), static_cast<Index>(mean.size()));
  p.normals.mean_low = Matrix::Zero(p.normals.mean.rows(), 1);
  for (double s : sd) p.normals.factor.push_back(Matrix::Constant(1, 1, s));
  p.normals.left_out = left_out;
  return p;
}

Mixture::Parameters Mixture::estimate(const Plan& plan, const Statistics& statistics,
                                      const Options& options, const Classes& classes,
                                      Diagnostics& diagnostics) {
  Gaussian::Statistics moments;
  moments.moments = statistics.moments;
  Diagnostics found;
  const Gaussian::Parameters normal =
      Gaussian::estimate({plan.features}, moments, {{0}, {0}, {0}, {0}, {0}}, classes, found);
  MultivariateGaussian::Parameters of_block{normal.mean, normal.mean_low, {}, normal.left_out};
  for (int g = 0; g < classes.count(); ++g) of_block.factor.push_back(normal.sd.row(g));
  const Block::Parameters fitted = MixtureEstimator(of_block, found, statistics.points,
                                                    plan.features[0], options, classes, diagnostics)
                                       .estimate();
  Parameters p;
  static_cast<MixtureWeights&>(p) = fitted;
  p.left_out = fitted.normals.left_out;
  for (Index t = 0; t < fitted.normals.mean.rows(); ++t) {
    p.mean.push_back(fitted.normals.mean(t, 0) + fitted.normals.mean_low(t, 0));
    p.sd.push_back(fitted.normals.factor_of(static_cast<int>(t))(0, 0));
  }
  return p;
}

BAYESRISK_LIKELIHOOD(Mixture)

}  // namespace bayesrisk

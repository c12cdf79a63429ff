#include <engine/likelihood/normal/gaussian.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>

namespace bayesrisk {

// Cases of the merged model are rows whose mean and variance are those of the model, so they are
// merged with the rows of a group.

Gaussian::Statistics Gaussian::with_cases(const Plan& plan, const Statistics& statistics,
                                          const Merged<Gaussian>& merged, const Options& options,
                                          const Vector& cases) {
  const Parameters& p = merged.parameters;
  Statistics result = statistics;
  Moments added(static_cast<int>(p.mean.rows()), plan.members());
  for (int j = 0; j < plan.members(); ++j) {
    if (cases[j] == kInfinity) result.copy_member(merged.statistics, j);
    if (cases[j] == kInfinity || p.left_out[j]) continue;
    for (Index g = 0; g < p.mean.rows(); ++g) {
      if (std::isnan(p.mean(g, j))) continue;
      added.weight(g, j) = cases[j];
      added.mean(g, j) = p.mean(g, j);
      added.mean_low(g, j) = p.mean_low(g, j);
      added.scatter(g, j) = cases[j] * p.sd(g, j) * p.sd(g, j);
    }
  }
  result.moments.merge(added);
  for (Index i = 0; i < added.weight.size(); ++i) {
    const double m = added.weight.data()[i];
    const bool unbiased = options.unbiased[static_cast<std::size_t>(i / p.mean.rows())] != 0;
    const double own = statistics.moments.weight.data()[i];
    if (m > 0) result.moments.weight.data()[i] = weight_with_cases(own, unbiased, m);
  }
  return result;
}

Gaussian::Options Gaussian::options_with_cases(Options options, const Vector& cases) {
  for (std::size_t j = 0; j < cases.size(); ++j) {
    if (is_part_of_cases(cases[j])) options.borrow[j] = 0;
  }
  return options;
}

Gaussian::GroupPrior::GroupPrior(const Plan&, const Merged<Gaussian>& merged,
                                 const Options& options, int block, double cases)
    : block_(block), cases_(cases), shared_(options.pooled[block] != 0) {
  const Parameters& p = merged.parameters;
  if (p.left_out[block]) return;
  // A class without spread borrows the variance, so it says nothing about cases.
  const Matrix& scatter = merged.statistics.moments.scatter;
  for (Index g = 0; g < p.mean.rows(); ++g) {
    const double sd = p.sd(g, block);
    if (!std::isnan(sd) && (shared_ || scatter(g, block) > 0))
      classes_.push_back({g, p.mean(g, block), p.mean_low(g, block), sd, std::log(sd)});
  }
  freedom_ = shared_ ? cases * static_cast<double>(classes_.size()) : cases;
  if (!classes_.empty()) marginal_.emplace(cases, freedom_, 1);
}

double Gaussian::GroupPrior::log_marginal(const Statistics& statistics) {
  const Moments& own = statistics.moments;
  double result = 0, rows = 0, relative = 0;  // the scatter, in variances of the merged model
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    const OfClass& of = classes_[k];
    const double n = own.weight(of.group, block_);
    if (n > 0) {
      const double away =
          (own.mean(of.group, block_) - of.mean) + (own.mean_low(of.group, block_) - of.mean_low);
      const double scatter =
          own.scatter(of.group, block_) + n * cases_ / (n + cases_) * away * away;
      rows += n;
      relative += scatter / (of.sd * of.sd);
      result += marginal_->of_mean(n);
    }
    if (rows > 0 && (!shared_ || k + 1 == classes_.size())) {
      result += marginal_->of_scatter(rows, of.log_sd, 0.5 * std::log1p(relative / freedom_));
      rows = relative = 0;
    }
  }
  return result;
}

namespace {

// The covariance of the merged model without the features that it leaves out.
Matrix factor_of_cases(const MultivariateGaussian::Parameters& p, int g) {
  Matrix factor = p.factor_of(g);
  for (Index j = 0; j < factor.cols(); ++j) {
    if (p.left_out[static_cast<int>(j)]) factor(j, j) = 0;
  }
  return factor;
}

}  // namespace

MultivariateGaussian::Statistics MultivariateGaussian::with_cases(
    const Plan& plan, const Statistics& statistics, const Merged<MultivariateGaussian>& merged,
    const Options& options, const Vector& cases) {
  const Parameters& p = merged.parameters;
  const double m = cases[0];
  const auto groups = static_cast<int>(p.mean.rows());
  Statistics result = statistics;
  Scatter added(groups, plan.size());
  for (int g = 0; g < groups; ++g) {
    if (p.mean.row(g).hasNaN()) continue;
    added.weight(g, 0) = m;
    added.mean.row(g) = p.mean.row(g);
    added.mean_low.row(g) = p.mean_low.row(g);
    added.triangle[g] = std::sqrt(m) * factor_of_cases(p, g);
  }
  result.scatter.merge(added);
  for (int g = 0; g < groups; ++g) {
    if (!(added.weight(g, 0) > 0)) continue;
    result.scatter.weight(g, 0) =
        weight_with_cases(statistics.scatter.weight(g, 0), options.unbiased, m);
    // The rank of the covariance is that of the rows behind it.
    result.scatter.rows(g, 0) = merged.statistics.scatter.rows.sum();
  }
  return result;
}

// One covariance for all classes stays one.
MultivariateGaussian::Options MultivariateGaussian::options_with_cases(Options options,
                                                                       const Vector& cases) {
  if (!is_part_of_cases(cases[0])) return options;
  options.pooled = options.pooled || options.shrinkage == 1;
  options.shrinkage = options.identity = options.borrow = 0;
  options.automatic = false;
  return options;
}

MultivariateGaussian::GroupPrior::GroupPrior(const Plan&,
                                             const Merged<MultivariateGaussian>& merged,
                                             const Options&, int, double cases)
    : p_(merged.parameters), size_(static_cast<int>(p_.kept().size())), cases_(cases) {
  if (size_ == 0) return;
  // A class without spread borrows the covariance, so it says nothing about cases.
  const Scatter& all = merged.statistics.scatter;
  for (int g = 0; g < static_cast<int>(p_.mean.rows()); ++g) {
    const auto diagonal = all.triangle[static_cast<std::size_t>(g)].diagonal().cwiseAbs();
    const bool spreads = (diagonal.array() > 0).count() >= size_ || is_shared();
    if (!p_.mean.row(g).hasNaN() && spreads) classes_.push_back(g);
  }
  freedom_ = is_shared() ? cases * static_cast<double>(classes_.size()) : cases;
  for (int g : classes_) log_scale_.push_back(half_log_determinant(p_.factor_of(g)));
  if (!classes_.empty()) marginal_.emplace(cases, freedom_, size_);
}

double MultivariateGaussian::GroupPrior::log_marginal(const Statistics& statistics) {
  const Scatter& own = statistics.scatter;
  double result = 0, rows = 0;
  Matrix scatter = Matrix::Zero(p_.mean.cols(), p_.mean.cols());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    const int g = classes_[k];
    const double n = own.weight(g, 0);
    if (n > 0) {
      const Eigen::RowVectorXd away =
          (own.mean.row(g) - p_.mean.row(g)) + (own.mean_low.row(g) - p_.mean_low.row(g));
      scatter = merge_triangles(std::move(scatter), own.triangle[static_cast<std::size_t>(g)],
                                std::sqrt(n * cases_ / (n + cases_)) * away);
      rows += n;
      result += marginal_->of_mean(n);
    }
    if (rows > 0 && (!is_shared() || k + 1 == classes_.size())) {
      const Matrix scale = std::sqrt(freedom_) * p_.factor_of(g);
      const double log_ratio =
          half_log_determinant(merge_triangles(scale, scatter)) - half_log_determinant(scale);
      result += marginal_->of_scatter(rows, log_scale_[k], log_ratio);
      rows = 0;
      scatter.setZero();
    }
  }
  return result;
}

}  // namespace bayesrisk

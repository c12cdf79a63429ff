#include <engine/likelihood/normal/covariance_estimator.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_estimator.hpp>

namespace bayesrisk {

namespace {

// The squared norm of U'U. That of UU' is the same, and U of few rows has few of these.
double squared_norm_of_covariance(const Matrix& u) {
  Index rows = u.rows();
  while (rows > 0 && u.row(rows - 1).isZero(0)) --rows;
  return (u.topRows(rows) * u.topRows(rows).transpose()).squaredNorm();
}

// The oracle approximating shrinkage of Chen, Wiesel, Eldar and Hero (2010), in the form of
// scikit-learn. It does not depend on the unit of the covariance, so not on its divisor either.
double approximating_shrinkage(const Matrix& factor, double cases) {
  const double trace_root = factor.colwise().stableNorm().stableNorm();
  const auto p = static_cast<double>(factor.cols());
  if (!(trace_root > 0)) return 1;
  const double square = squared_norm_of_covariance(factor / trace_root) / (p * p);
  const double mean = 1 / p, excess = square - mean * mean / p;
  if (!(excess > 0)) return 1;
  return std::min(1.0, (square + mean * mean) / ((cases + 1) * excess));
}

}  // namespace

CovarianceEstimator::CovarianceEstimator(const Scatter& scatter, const IntVector& features,
                                         const Likelihood::Options& options, const Classes& classes,
                                         Diagnostics& diagnostics)
    : scatter_(scatter),
      features_(features),
      options_(options),
      classes_(classes),
      diagnostics_(diagnostics) {}

std::vector<CovarianceEstimator::Covariance> CovarianceEstimator::find() {
  const bool one = options_.pooled || options_.shrinkage == 1;
  if (one || options_.shrinkage > 0) {
    shared_ = pooled(false);
    if (shared_.size() == 0) {
      diagnostics_.add(Problem::too_light, kAll, kAll, scatter_.weight.sum());
    }
  }
  if (one) {
    if (shared_.size() == 0) return {unknown()};
    const Covariance covariance = towards_identity(std::move(shared_), all_cases());
    check(covariance, kAll, scatter_.rows.sum(), diagnostics_);
    return {covariance};
  }
  if (options_.borrow > 0) lend();
  return of_classes();
}

std::vector<CovarianceEstimator::Covariance> CovarianceEstimator::of_classes() {
  constexpr Index kWide = 128;
  const auto groups = static_cast<std::size_t>(scatter_.weight.rows());
  std::vector<Covariance> result(groups);
  std::vector<Diagnostics> problems(groups);
  const Context context = size() < kWide ? classes_.context.within_task() : classes_.context;
  context.run(static_cast<Index>(groups), [&](Index g) {
    const auto at = static_cast<std::size_t>(g);
    result[at] =
        has_estimate(static_cast<int>(g)) ? estimate(static_cast<int>(g), problems[at]) : unknown();
  });
  for (std::size_t g = 0; g < groups; ++g) {
    if (problems[g].stops() && classes_.borrow && result[g].factor.allFinite()) {
      result[g] = borrowed(static_cast<int>(g), problems[g]);
    }
    diagnostics_.merge(problems[g]);
  }
  return result;
}

bool CovarianceEstimator::has_estimate(int g) const {
  const bool empty = scatter_.weight(g, 0) <= 0;
  if (!classes_.has_rows(g) || (empty && !classes_.borrow)) return false;
  return options_.shrinkage == 0 || shared_.size() > 0;
}

CovarianceEstimator::Covariance CovarianceEstimator::borrowed(int g, Diagnostics& problems) {
  diagnostics_.add(Problem::borrowed, g, kAll, scatter_.weight(g, 0));
  problems = Diagnostics();
  if (lent_.size() == 0) lend();
  if (!lent_checked_) {
    check_lent(problems);
    can_lend_ = !problems.stops();
  }
  lent_checked_ = true;
  if (!can_lend_) return unknown();
  const double cases = options_.borrow > 0 ? options_.borrow : static_cast<double>(size());
  return shrunk(with_borrowed(g, cases), g, cases);
}

CovarianceEstimator::Covariance CovarianceEstimator::estimate(int g, Diagnostics& problems) const {
  const double rows = scatter_.rows(g, 0), weight = scatter_.weight(g, 0);
  Covariance own{Matrix::Zero(size(), size())};
  if (options_.borrow > 0 && weight > 0) {
    own = shrunk(with_borrowed(g, options_.borrow), g, options_.borrow);
  } else if (divisor(g) <= 0) {
    problems.add(Problem::too_light, g, kAll, weight);
  } else if (needs_full_rank() && rows <= static_cast<double>(size())) {
    problems.add(Problem::too_small, g, kAll, rows);
  } else {
    own = shrunk(scatter_.triangle[g] / std::sqrt(divisor(g)), g, 0);
  }
  if (!problems.stops()) {
    check(own, g, rows, problems);
  } else if (rows > 1) {
    add_constants(scatter_.triangle[g], g, rows, problems);
  }
  return own;
}

// Between the covariance of the class and the pooled one, the cases are between theirs, too.
CovarianceEstimator::Covariance CovarianceEstimator::shrunk(Matrix own, int g,
                                                            double borrowed) const {
  const double share = options_.shrinkage, all = all_cases();
  const double cases = std::min(scatter_.weight(g, 0) + borrowed, all);
  if (share == 0) return towards_identity(std::move(own), cases);
  return towards_identity(merge_triangles(std::sqrt(1 - share) * own, std::sqrt(share) * shared_),
                          (1 - share) * cases + share * all);
}

CovarianceEstimator::Covariance CovarianceEstimator::towards_identity(Matrix factor,
                                                                      double cases) const {
  const double g = options_.automatic ? approximating_shrinkage(factor, cases) : options_.identity;
  if (g == 0) return {std::move(factor), g};
  const double norm = factor.colwise().stableNorm().stableNorm();
  const double sd = std::sqrt(g / static_cast<double>(size())) * norm;
  return {merge_triangles(std::sqrt(1 - g) * factor, Matrix::Identity(size(), size()) * sd), g};
}

Matrix CovarianceEstimator::pooled(bool positive_only) const {
  double weight = 0;
  Matrix sum;
  for (int g = 0; g < scatter_.weight.rows(); ++g) {
    if (scatter_.weight(g, 0) <= 0 || (positive_only && divisor(g) <= 0)) continue;
    weight += divisor(g);
    sum = sum.size() > 0 ? merge_triangles(std::move(sum), scatter_.triangle[g])
                         : scatter_.triangle[g];
  }
  return weight > 0 ? Matrix(sum / std::sqrt(weight)) : Matrix();
}

void CovarianceEstimator::check_lent(Diagnostics& problems) const {
  Diagnostics found;
  check(towards_identity(lent_, all_cases()), kAll, scatter_.rows.sum(), found);
  for (const Diagnostic& item : found.items()) {
    const bool constant = item.problem == Problem::constant;
    problems.add(constant ? Problem::apart : item.problem, kAll, item.feature, item.count);
  }
}

bool CovarianceEstimator::add_constants(const Matrix& factor, int g, double rows,
                                        Diagnostics& problems) const {
  bool found = false;
  for (Index j = 0; j < size(); ++j) {
    if (has_spread(factor.col(j).squaredNorm())) continue;
    problems.add(Problem::constant, g, features_[static_cast<std::size_t>(j)], rows);
    found = true;
  }
  return found;
}

void CovarianceEstimator::check(const Covariance& covariance, int g, double rows,
                                Diagnostics& problems) const {
  const Matrix& factor = covariance.factor;
  if (!factor.allFinite()) {
    problems.add(Problem::overflow, g, kAll, rows);
  } else if (!add_constants(factor, g, rows, problems)) {
    // No eigenvalue is less than identity / p of the trace, so such a covariance is regular.
    constexpr double kSafeIdentity = 1e4 * kRankTolerance * kRankTolerance;
    if (covariance.identity > kSafeIdentity * static_cast<double>(size())) return;
    const auto rank = rank_of_triangle(factor);
    if (rank < size()) problems.add(Problem::singular, g, kAll, static_cast<double>(rank));
  }
}

Matrix whole_factor(const Matrix& factor, const IntVector& kept, Index size) {
  Matrix whole = Matrix::Identity(size, size);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      whole(kept[i], kept[j]) = factor(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return whole;
}

MultivariateGaussian::Parameters BlockEstimator::estimate(const Likelihood::Options& options) {
  set_means();
  const IntVector kept = p_.kept();
  const int size = static_cast<int>(kept.size());
  if (size == plan_.size()) {
    take(scatter_, plan_.features, options);
    return std::move(p_);
  }
  if (size == 0) {
    p_.factor = {Matrix::Identity(plan_.size(), plan_.size())};
    if (options.automatic) p_.identity = {kNaN};
    return std::move(p_);
  }
  Scatter part(classes_.count(), size);
  IntVector group(classes_.weight.size()), features;
  std::iota(group.begin(), group.end(), 0);
  part.copy_columns(scatter_, kept, group);
  for (int j : kept) features.push_back(plan_.features[j]);
  take(part, features, options);
  for (Matrix& u : p_.factor) u = whole_factor(u, kept, plan_.size());
  return std::move(p_);
}

void BlockEstimator::take(const Scatter& scatter, const IntVector& features,
                          const Likelihood::Options& options) {
  CovarianceEstimator estimator(scatter, features, options, classes_, diagnostics_);
  for (CovarianceEstimator::Covariance& covariance : estimator.find()) {
    p_.factor.push_back(std::move(covariance.factor));
    if (options.automatic) p_.identity.push_back(covariance.identity);
  }
}

void BlockEstimator::add_feature(int j) {
  MeanOfClasses mean;
  bool spreads = false;
  for (int g = 0; g < classes_.count(); ++g) {
    mean.add(scatter_.weight(g, 0), {scatter_.mean(g, j), scatter_.mean_low(g, j)});
    const double square = scatter_.triangle[g].col(j).squaredNorm();
    spreads = spreads || has_spread(square) || std::isnan(square);  // NaN: it overflowed
  }
  mean_.push_back(mean);
  const bool leaves_out = classes_.borrow && mean.weight > 0 && mean.equal && !spreads;
  if (!leaves_out) return;
  p_.left_out.set(j, plan_.size());
  diagnostics_.add(Problem::left_out, kAll, plan_.features[j], 0);
}

void BlockEstimator::set_means() {
  p_.mean = scatter_.mean;
  p_.mean_low = scatter_.mean_low;
  for (int g = 0; g < classes_.count(); ++g) {
    if (classes_.has_rows(g) && scatter_.weight(g, 0) > 0) continue;
    const bool borrows = classes_.has_rows(g) && classes_.borrow && mean_[0].weight > 0;
    for (int j = 0; j < plan_.size(); ++j) {
      p_.mean(g, j) = borrows ? mean_[j].mean.high : kNaN;
      p_.mean_low(g, j) = borrows ? mean_[j].mean.low : kNaN;
    }
    if (classes_.has_rows(g) && !borrows) diagnostics_.add(Problem::empty, g, kAll, 0);
  }
}

MultivariateGaussian::Parameters MultivariateGaussian::estimate(const Plan& plan,
                                                                const Statistics& statistics,
                                                                const Options& options,
                                                                const Classes& classes,
                                                                Diagnostics& diagnostics) {
  if (!plan.em) {
    return BlockEstimator(plan, statistics.scatter, classes, diagnostics).estimate(options);
  }
  const bool one = options.pooled || options.shrinkage == 1;
  const Scatter expected = EmScatter(statistics, classes, diagnostics).find(one);
  return BlockEstimator(plan, expected, classes, diagnostics).estimate(options);
}

// The trace of S^-1 R'R, where S = U'U, is the squared norm of R U^-1.
double MultivariateGaussian::log_likelihood(const Plan& plan, const Statistics& statistics,
                                            const Parameters& parameters) {
  if (plan.em) return em_log_likelihood(statistics, parameters);
  const auto kept = static_cast<double>(parameters.kept().size());
  double total = 0;
  for (int g = 0; g < statistics.scatter.weight.rows(); ++g) {
    const double weight = statistics.scatter.weight(g, 0);
    if (weight <= 0) continue;
    const Matrix& u = parameters.factor_of(g);
    total -= weight * (kept * kHalfLogTwoPi + half_log_determinant(u)) +
             0.5 * squared_norm_of_ratio(statistics.scatter.triangle[g], u);
    // The mean of a pooled group is not that of its rows.
    const Eigen::RowVectorXd away =
        (statistics.scatter.mean.row(g) - parameters.mean.row(g)) +
        (statistics.scatter.mean_low.row(g) - parameters.mean_low.row(g));
    if (!away.isZero(0)) {
      total -= 0.5 * weight * solve_transposed(u, away.transpose()).squaredNorm();
    }
  }
  return total;
}

}  // namespace bayesrisk

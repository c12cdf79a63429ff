#include <engine/core/spectrum.hpp>
#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/block_moments.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_estimator.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/posterior/freedom.hpp>

namespace bayesrisk {

namespace {

// With x = mean + U'z in the first class, z is N(0, I) there and T z + c is N(0, I) in the other. A
// spectrum takes far less time than the axes of an Overlap, and there are many pairs of classes.
class MultivariateGaussianTilt : public TiltOf<MultivariateGaussian> {
 public:
  MultivariateGaussianTilt(const MultivariateGaussian::Parameters& p, int i, int j)
      : TiltOf(p, i, j), pooled_(p.factor.size() == 1) {
    const Eigen::VectorXd apart = (p.mean.row(i) - p.mean.row(j)).transpose() +
                                  (p.mean_low.row(i) - p.mean_low.row(j)).transpose();
    const auto lower = p.factor_of(j).transpose().triangularView<Eigen::Lower>();
    centre_ = lower.solve(apart);
    if (pooled_) return;
    turn_ = solve_transposed(p.factor_of(j), p.factor_of(i).transpose());
    spectrum_ = spectrum_of(turn_.transpose() * turn_, turn_.transpose() * centre_);
    log_ratio_ = half_log_determinant(p.factor_of(i)) - half_log_determinant(p.factor_of(j));
  }

  double log_normaliser(double s) const override {
    const double square = centre_.squaredNorm();
    if (pooled_) return -0.5 * s * (1 - s) * square;
    const Eigen::ArrayXd q = 1 - s + s * spectrum_.value.array();
    const double moved = (spectrum_.part.array().square() / q).sum();
    return s * log_ratio_ - 0.5 * q.log().sum() - 0.5 * s * (square - s * moved);
  }

  void write(double s, AnyParameters& to, int row) const override {
    MultivariateGaussian::Parameters& tilted = own(to);
    const Matrix& u = p_.factor_of(i_);
    Eigen::VectorXd z = -s * centre_;
    if (!pooled_) {
      const Index size = u.rows();
      const Matrix r = triangle_of_rows(
          stack(std::sqrt(1 - s) * Matrix::Identity(size, size), std::sqrt(s) * turn_));
      const auto lower = r.transpose().triangularView<Eigen::Lower>();
      z = r.triangularView<Eigen::Upper>().solve(lower.solve(turn_.transpose() * z));
      tilted.factor[static_cast<std::size_t>(row)] = triangle_of_rows(solve_transposed(r, u));
    }
    tilted.mean.row(row) = p_.mean.row(i_);
    tilted.mean_low.row(row) = p_.mean_low.row(i_) + (u.transpose() * z).transpose();
  }

 private:
  bool pooled_;
  double log_ratio_ = 0;
  Eigen::VectorXd centre_;
  Matrix turn_;
  Spectrum spectrum_;
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

Matrix kept_part(const Matrix& factor, const IntVector& kept) {
  const auto size = static_cast<Index>(kept.size());
  Matrix part(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) part(i, j) = factor(kept[i], kept[j]);
  }
  return part;
}

}  // namespace

void MultivariateGaussian::overlap(const Plan&, const Parameters& p, int one, int other,
                                   Overlap& overlap) {
  const Eigen::VectorXd between =
      (p.mean.row(other) - p.mean.row(one)) + (p.mean_low.row(other) - p.mean_low.row(one));
  add_normals({Eigen::VectorXd::Zero(between.size()), p.factor_of(one)},
              {between, p.factor_of(other)}, overlap);
}

std::unique_ptr<BankTilt> MultivariateGaussian::tilt(const Plan&, const Parameters& p, int i,
                                                     int j) {
  return std::make_unique<MultivariateGaussianTilt>(p, i, j);
}

MultivariateGaussian::Options MultivariateGaussian::unbiased(Options options) {
  options.unbiased = true;
  return options;
}

// Shrinkage by g, also towards the identity, counts as the cases that, borrowed, would give the
// same covariance.
Hyperparameters MultivariateGaussian::hyperparameters(const Plan&, const Statistics& statistics,
                                                      const Options& options,
                                                      const Parameters& parameters,
                                                      const Classes& classes,
                                                      Diagnostics& diagnostics) {
  const Matrix& weight = statistics.scatter.weight;
  const auto size = static_cast<double>(parameters.kept().size());
  const bool pooled = parameters.factor.size() == 1;
  double all = 0;
  for (Index g = 0; g < weight.rows(); ++g) all += weight(g, 0) > 0 ? weight(g, 0) - 1 : 0;
  Hyperparameters hyperparameters{weight, weight};
  for (int g = 0; g < classes.count(); ++g) {
    const double own =
        freedom_of_class(weight(g, 0), options.borrow) / (1 - (pooled ? 0 : options.shrinkage));
    const double identity = parameters.identity.empty()
                                ? options.identity
                                : parameters.identity[pooled ? 0 : static_cast<std::size_t>(g)];
    hyperparameters.freedom(g, 0) = (pooled ? all : own) / (1 - identity);
    if (!classes.has_rows(g) || size == 0) continue;
    require_freedom(hyperparameters.freedom(g, 0) - size + 1, weight(g, 0), g, kAll, diagnostics);
  }
  if (size == 0) hyperparameters.weight.setZero();
  return hyperparameters;
}

void MultivariateGaussian::draw_parameters(const Plan&, const Hyperparameters& hyperparameters,
                                           RandomLaws& random, Parameters& p) {
  const IntVector kept = p.kept();
  if (kept.empty()) return;
  const auto classes = p.mean.rows();
  std::vector<Matrix> drawn;
  for (std::size_t f = 0; f < p.factor.size(); ++f) {
    const Matrix part = kept_part(p.factor[f], kept);
    drawn.push_back(part);
    // A shared factor has the degrees of freedom of any class.
    const double freedom = hyperparameters.freedom(static_cast<Index>(f), 0);
    if (!part.hasNaN()) drawn.back() = draw_factor(part, freedom, random);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < kept.size(); ++j) {
        p.factor[f](kept[i], kept[j]) = drawn.back()(static_cast<Index>(i), static_cast<Index>(j));
      }
    }
  }
  for (Index g = 0; g < classes; ++g) {
    const double weight = hyperparameters.weight(g, 0);
    if (!(weight > 0)) continue;
    Eigen::VectorXd z(kept.size());
    for (Index i = 0; i < z.size(); ++i) z[i] = random.normal();
    const Matrix& u = drawn[drawn.size() == 1 ? 0 : static_cast<std::size_t>(g)];
    const Eigen::VectorXd away = u.transpose() * z / std::sqrt(weight);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      p.mean_low(g, kept[i]) += away[static_cast<Index>(i)];
    }
  }
}

std::unique_ptr<BankScorer> MultivariateGaussian::predictive(const Plan& plan,
                                                             const Parameters& centre,
                                                             const Hyperparameters& hyperparameters,
                                                             Index rows) {
  return hold_scorer<MultivariateStudentScorer>(rows, plan, centre, hyperparameters);
}

void MultivariateGaussian::Options::check(const Plan&, int) const {
  require(shrinkage >= 0 && shrinkage <= 1, "shrinkage: not in [0, 1]");
  require(identity >= 0 && identity <= 1, "identity: not in [0, 1]");
  require(borrow >= 0, "borrow: negative");
}

void MultivariateGaussian::Parameters::check(const Plan& plan, int groups) const {
  require(has_shape(mean, groups, plan.size()), "mean: wrong dimensions");
  require(has_shape(mean_low, groups, plan.size()), "mean_low: wrong dimensions");
  left_out.check(plan.size());
  require(factor.size() == 1 || static_cast<int>(factor.size()) == groups, "factor: wrong length");
  for (const Matrix& u : factor) {
    require(has_shape(u, plan.size(), plan.size()), "factor: wrong dimensions");
  }
  require(identity.empty() || identity.size() == factor.size(), "identity: wrong length");
}

bool MultivariateGaussian::Parameters::sound(int g) const {
  const Matrix& u = factor_of(g);
  return mean.row(g).allFinite() && mean_low.row(g).allFinite() && u.allFinite() &&
         (u.diagonal().array() != 0).all();
}

IntVector MultivariateGaussian::Parameters::kept() const {
  IntVector members;
  for (int j = 0; j < mean.cols(); ++j) {
    if (!left_out[j]) members.push_back(j);
  }
  return members;
}

void MultivariateGaussian::Statistics::check(const Plan& plan, int groups) const {
  require(scatter.consistent(groups, plan.size()), "scatter: wrong dimensions");
  require(not_negative(scatter.weight) && not_negative(scatter.rows), "scatter: negative");
  require(not_negative(scatter.missing) && scatter.skipped >= 0, "missing: negative");
  check_rows(RowKind::incomplete, incomplete, plan.em ? groups : 0, plan.size());
}

void MultivariateGaussian::Statistics::collect(const Plan& plan, const Frame& frame,
                                               const Chunk& chunk, Diagnostics& diagnostics) {
  ScatterCollector(frame, plan.features, chunk, scatter, diagnostics).collect();
  if (!plan.em || scatter.skipped == 0) return;
  incomplete = collect_rows(RowKind::incomplete, plan.features, frame, chunk);
  scatter.skipped = count_unknown(plan.features, frame, chunk);
}

void MultivariateGaussian::Statistics::merge(const Plan&, const Statistics& other) {
  scatter.merge(other.scatter);
  for (std::size_t g = 0; g < incomplete.size(); ++g) {
    incomplete[g] = unite_rows(incomplete[g], other.incomplete[g]);
  }
}

MultivariateGaussian::Statistics MultivariateGaussian::Statistics::of_groups(const Plan&, int first,
                                                                             int count) const {
  Statistics part;
  part.scatter = scatter.of_groups(first, count);
  if (!incomplete.empty()) {
    part.incomplete.assign(incomplete.begin() + first, incomplete.begin() + first + count);
  }
  return part;
}

MultivariateGaussian::Statistics MultivariateGaussian::Statistics::realign(
    const Plan& plan, const Plan& target, const Mapping& mapping) const {
  require(plan.em == target.em, "mapping: another bank");
  Statistics result(target, mapping.groups);
  IntVector from(target.size());
  const IntVector to = mapping.members(plan.features, target.features);
  for (int j = 0; j < plan.size(); ++j) {
    if (to[j] >= 0) from[to[j]] = j;
  }
  result.scatter.copy_columns(scatter, from, mapping.group);
  for (std::size_t g = 0; g < incomplete.size(); ++g) {
    result.add_known(move_columns(incomplete[g], to, target.size()), mapping.group[g]);
  }
  return result;
}

void MultivariateGaussian::Statistics::add_known(const RowPoints& rows, int group) {
  const Index size = rows.cols() - 1;
  Index known = rows.rows();
  while (known > 0 && rows.row(known - 1).head(size).array().isNaN().all()) {
    scatter.skipped += rows(--known, size);
  }
  incomplete[group] = rows.topRows(known);
}

double MultivariateGaussian::parameter_count(const Plan& plan, const Options& options,
                                             const Parameters& parameters, int classes) {
  const double p = plan.size() - parameters.left_out.count();
  const double covariances = options.pooled || options.shrinkage == 1 ? 1 : classes;
  const double each = options.identity == 1 && p > 0 ? 1 : p * (p + 1) / 2;
  return classes * p + covariances * each;
}

void MultivariateGaussian::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  const Matrix& factor = parameters_.factor_of(k);
  Eigen::VectorXd z(plan_.size());
  for (int j = 0; j < plan_.size(); ++j) {
    z[j] = normal_quantile(u[j]);
    if (parameters_.left_out[j]) z[j] = 0;
    const double away = parameters_.mean_low(k, j) + factor.col(j).head(j + 1).dot(z.head(j + 1));
    to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
  }
}

BAYESRISK_LIKELIHOOD(MultivariateGaussian)

}  // namespace bayesrisk

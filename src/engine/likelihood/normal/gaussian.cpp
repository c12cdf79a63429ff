#include <engine/core/gamma_functions.hpp>
#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/gaussian.hpp>
#include <engine/likelihood/normal/gaussian_scorer.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/posterior/freedom.hpp>

namespace bayesrisk {

namespace {

// The variance of the first class is the unit: the tilted precision is q in it.
class GaussianTilt : public OverlapTilt<Gaussian> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    Gaussian::Parameters& tilted = own(to);
    for (Index m = 0; m < p_.mean.cols(); ++m) {
      const double ratio = p_.sd(i_, m) / p_.sd(j_, m), square = ratio * ratio;
      const double q = 1 - s + s * square;
      tilted.mean(row, m) = p_.mean(i_, m);
      tilted.mean_low(row, m) = p_.mean_low(i_, m) - s * square / q * apart(m);
      tilted.sd(row, m) = p_.sd(i_, m) / std::sqrt(q);
    }
  }

 private:
  double apart(Index m) const {
    return (p_.mean(i_, m) - p_.mean(j_, m)) + (p_.mean_low(i_, m) - p_.mean_low(j_, m));
  }
};

// Single numbers: Student t distributions.
class StudentScorer {
 public:
  StudentScorer(const Gaussian::Plan& plan, const Gaussian::Parameters& centre,
                const Hyperparameters& hyperparameters)
      : plan_(plan), centre_(centre), freedom_(hyperparameters.freedom) {
    scale_ = centre.sd.array() * (1 + hyperparameters.weight.array().inverse()).sqrt();
    constant_.resize(scale_.rows(), scale_.cols());
    for (Index i = 0; i < scale_.size(); ++i) {
      const double scale = scale_.data()[i];
      constant_.data()[i] = log_student_peak(freedom_.data()[i], 1) - std::log(scale);
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    for (int j = from; j < to; ++j) {
      const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
      if (centre_.left_out[j]) continue;
      for (int k = 0; k < tile.classes; ++k) {
        double* out = tile.of_class(k);
        for (int r = 0; r < tile.rows; ++r) {
          if (std::isfinite(x[r])) out[r] += log_density(x[r], k, j);
        }
      }
    }
  }

 private:
  double log_density(double x, int k, int j) const {
    const double u = ((x - centre_.mean(k, j)) - centre_.mean_low(k, j)) / scale_(k, j);
    const double freedom = freedom_(k, j);
    const double log_ratio = std::abs(u) < 1e100 ? std::log1p(u * u / freedom)
                                                 : 2 * std::log(std::abs(u)) - std::log(freedom);
    return constant_(k, j) - 0.5 * (freedom + 1) * log_ratio;
  }

  const Gaussian::Plan& plan_;
  const Gaussian::Parameters& centre_;
  Matrix freedom_, scale_, constant_;
};

}  // namespace

std::unique_ptr<BankTilt> Gaussian::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<GaussianTilt>(plan, p, i, j);
}

Gaussian::Options Gaussian::unbiased(Options options) {
  std::fill(options.unbiased.begin(), options.unbiased.end(), 1);
  return options;
}

Hyperparameters Gaussian::hyperparameters(const Plan& plan, const Statistics& statistics,
                                          const Options& options, const Parameters& parameters,
                                          const Classes& classes, Diagnostics& diagnostics) {
  Hyperparameters hyperparameters{statistics.moments.weight, statistics.moments.weight,
                                  options.pooled};
  for (int j = 0; j < plan.members(); ++j) {
    double all = 0;
    for (int g = 0; g < classes.count(); ++g) {
      const double weight = statistics.moments.weight(g, j);
      all += weight > 0 ? weight - 1 : 0;
    }
    for (int g = 0; g < classes.count(); ++g) {
      double& weight = hyperparameters.weight(g, j);
      if (parameters.left_out[j]) weight = 0;
      hyperparameters.freedom(g, j) =
          options.pooled[j] ? all : freedom_of_class(weight, options.borrow[j]);
      if (!classes.has_rows(g) || parameters.left_out[j]) continue;
      require_freedom(hyperparameters.freedom(g, j), weight, g, plan.features[j], diagnostics);
    }
  }
  return hyperparameters;
}

// sigma^2 = scatter / chi^2, and the mean is normal around its centre. Classes that share a
// variance share its draw.
void Gaussian::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                               RandomLaws& random, Parameters& p) {
  for (int j = 0; j < plan.members(); ++j) {
    double scale = 0;
    for (Index g = 0; g < p.mean.rows(); ++g) {
      const double freedom = hyperparameters.freedom(g, j), weight = hyperparameters.weight(g, j);
      if (!(weight > 0) || std::isnan(p.sd(g, j))) continue;
      const bool drawn = scale > 0 && hyperparameters.is_shared(j);
      if (!drawn) scale = std::sqrt(freedom / random.chi_squared(freedom));
      p.sd(g, j) *= scale;
      p.mean_low(g, j) += p.sd(g, j) * random.normal() / std::sqrt(weight);
    }
  }
}

std::unique_ptr<BankScorer> Gaussian::predictive(const Plan& plan, const Parameters& centre,
                                                 const Hyperparameters& hyperparameters,
                                                 Index rows) {
  return hold_scorer<StudentScorer>(rows, plan, centre, hyperparameters);
}

void Gaussian::Options::check(const Plan& plan, int) const {
  const auto members = static_cast<std::size_t>(plan.members());
  require(unbiased.size() == members, "unbiased: wrong length");
  require(min_variance.size() == members, "min_variance: wrong length");
  require(min_variance_share.size() == members && not_negative(min_variance_share),
          "min_variance_share: wrong length or negative");
  require(borrow.size() == members && not_negative(borrow), "borrow: wrong length or negative");
  require(pooled.size() == members, "pooled: wrong length");
}

double Gaussian::parameter_count(const Plan& plan, const Options& options,
                                 const Parameters& parameters, int classes) {
  double count = 0;
  for (int j = 0; j < plan.members(); ++j) {
    if (!parameters.left_out[j]) count += classes + (options.pooled[j] ? 1 : classes);
  }
  return count;
}

double Gaussian::log_likelihood(const Plan& plan, const Statistics& statistics,
                                const Parameters& parameters) {
  double total = 0;
  for (int j = 0; j < plan.members(); ++j) {
    for (int g = 0; g < statistics.moments.weight.rows(); ++g) {
      const double weight = statistics.moments.weight(g, j);
      if (weight <= 0 || parameters.left_out[j]) continue;
      const double sd = parameters.sd(g, j);
      // The mean of a pooled group is not that of its rows.
      const double away = (statistics.moments.mean(g, j) - parameters.mean(g, j)) +
                          (statistics.moments.mean_low(g, j) - parameters.mean_low(g, j));
      total -= weight * (std::log(sd) + kHalfLogTwoPi) +
               0.5 * (statistics.moments.scatter(g, j) + weight * away * away) / (sd * sd);
    }
  }
  return total;
}

GaussianEstimator::GaussianEstimator(const Gaussian::Statistics& statistics,
                                     const Gaussian::Options& options, const Classes& classes,
                                     int member, int feature, Diagnostics& diagnostics)
    : moments_(statistics.moments),
      classes_(classes),
      j_(member),
      feature_(feature),
      spread_(statistics.moments, member, options.unbiased[member]),
      borrow_(options.borrow[member]),
      least_(options.min_variance[member]),
      bound_(least_),
      pooled_(options.pooled[member] != 0),
      diagnostics_(diagnostics) {
  const double share = options.min_variance_share[member];
  if (share > 0) bound_ = std::max(bound_, share * spread_.pooled());
}

void GaussianEstimator::estimate(Gaussian::Parameters& p) {
  const bool leaves_out = classes_.borrow && spread_.one_value() && !has_spread(least_);
  if (leaves_out) {
    p.left_out.set(j_, p.mean.cols());
    diagnostics_.add(Problem::left_out, kAll, feature_, 0);
  }
  for (int g = 0; g < classes_.count(); ++g) {
    if (!classes_.has_rows(g)) continue;
    const bool own_mean = moments_.weight(g, j_) > 0 || !classes_.borrow;
    p.mean(g, j_) = own_mean ? moments_.mean(g, j_) : spread_.mean().high;
    p.mean_low(g, j_) = own_mean ? moments_.mean_low(g, j_) : spread_.mean().low;
    p.sd(g, j_) = leaves_out ? 1.0 : std::sqrt(pooled_ ? pooled_variance(g) : variance(g));
  }
}

double GaussianEstimator::variance(int g) {
  const double weight = moments_.weight(g, j_), divisor = spread_.divisor(g);
  const bool counted = borrow_ > 0 ? weight > 0 : divisor > 0;
  double value = kNaN;
  if (counted) {
    value = borrow_ > 0 ? spread_.borrowed(g, borrow_) : moments_.scatter(g, j_) / divisor;
  }
  const double bounded = std::max(value, least_);
  const bool exists = counted && (has_spread(bounded) || std::isnan(bounded));
  if (!exists && classes_.borrow) {
    diagnostics_.add(Problem::borrowed, g, feature_, weight);
    value = spread_.borrowed(g, borrow_ > 0 ? borrow_ : 1);
  } else if (!counted) {
    diagnostics_.add(weight > 0 ? Problem::too_light : Problem::empty, g, feature_, weight);
    return kNaN;
  }
  return checked(value, g);
}

// A class without a value of the feature borrows the mean only.
double GaussianEstimator::pooled_variance(int g) {
  const double weight = moments_.weight(g, j_), value = spread_.shared();
  if (weight == 0 && !classes_.borrow) {
    diagnostics_.add(Problem::empty, g, feature_, weight);
  } else if (std::isnan(value)) {
    diagnostics_.add(Problem::too_light, g, feature_, weight);
  } else {
    if (weight == 0) diagnostics_.add(Problem::borrowed, g, feature_, weight);
    return checked(value, g);
  }
  return kNaN;
}

// The variance with its lower bound. Reports why it does not exist.
double GaussianEstimator::checked(double value, int g) {
  const double weight = moments_.weight(g, j_);
  value = std::max(value, bound_);
  if (!std::isfinite(value) || !std::isfinite(moments_.mean(g, j_))) {
    diagnostics_.add(Problem::overflow, g, feature_, weight);
  } else if (!has_spread(value)) {
    const bool of_all = classes_.borrow;
    diagnostics_.add(of_all ? Problem::apart : Problem::constant, of_all ? kAll : g, feature_,
                     weight);
  }
  return value;
}

Gaussian::Parameters Gaussian::estimate(const Plan& plan, const Statistics& statistics,
                                        const Options& options, const Classes& classes,
                                        Diagnostics& diagnostics) {
  const int members = plan.members();
  const Matrix open = Matrix::Constant(classes.count(), members, kNaN);
  Parameters p{open, open, open, {}};
  for (int j = 0; j < members; ++j) {
    GaussianEstimator(statistics, options, classes, j, plan.features[j], diagnostics).estimate(p);
  }
  return p;
}

void Gaussian::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  for (int j = 0; j < plan_.members(); ++j) {
    const double sd = parameters_.left_out[j] ? 0 : parameters_.sd(k, j);
    const double away = parameters_.mean_low(k, j) + sd * normal_quantile(u[j]);
    to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
  }
}

Gaussian::Scorer::Scorer(const Plan& plan, const Parameters& parameters)
    : plan_(plan),
      parameters_(parameters),
      inverse_sd_(parameters.sd.cwiseInverse()),
      scaled_low_(parameters.mean_low.cwiseProduct(inverse_sd_)) {
  constant_ = -(parameters.sd.array().log() + kHalfLogTwoPi).matrix();
  for (int j = 0; j < plan.members(); ++j) {
    if (!parameters.left_out[j]) continue;
    for (Matrix* zero : {&inverse_sd_, &scaled_low_, &constant_}) zero->col(j).setZero();
  }
  const int classes = static_cast<int>(parameters.mean.rows());
  while (sound_ + 1 < classes && !parameters.sound(sound_)) ++sound_;
}

void Gaussian::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  tile.scratch.resize(2 * size_of(tile));
  add_squares(frame, from, to, tile, false);
  // A number that is not finite makes the sum non-finite. A square that overflows does so, too.
  const bool known = !loops_.all_finite(squares_of(sound_, tile), tile.stride);
  if (known) add_squares(frame, from, to, tile, true);
  for (int k = 0; k < tile.classes; ++k) {
    const double* square = squares_of(k, tile);
    if (known) {
      loops_.add_known_half_squares(square, square + size_of(tile), tile.stride, tile.of_class(k));
    } else {
      double constant = 0;
      for (int j = from; j < to; ++j) constant += constant_(k, j);
      loops_.add_half_squares(square, constant, tile.stride, tile.of_class(k));
    }
  }
}

void Gaussian::Scorer::add_squares(const Frame& frame, int from, int to, Tile& tile,
                                   bool known) const {
  if (known || from == to) set_zero(tile.scratch.data(), tile.scratch.size());
  for (int j = from; j < to; j += kTogether) {
    const int count = std::min(to - j, kTogether);
    const double* x[kTogether];
    for (int c = 0; c < count; ++c) {
      x[c] = load_numbers(frame.columns[plan_.features[j + c]], tile.begin, tile.rows, tile.stride,
                          tile.buffer(c));
    }
    if (!known) {
      loops_.add_standardized_squares(x, count, tile.classes, tile.stride, tile.stride,
                                      of(parameters_.mean, j), of(scaled_low_, j),
                                      of(inverse_sd_, j), j == from, squares_of(0, tile));
    }
    for (int c = 0; c < count && known; ++c) add_known(x[c], j + c, tile);
  }
}

void Gaussian::Scorer::add_known(const double* x, int j, Tile& tile) const {
  loops_.add_known_squares(x, tile.classes, tile.stride, tile.stride, of(parameters_.mean, j),
                           of(scaled_low_, j), of(inverse_sd_, j), of(constant_, j),
                           squares_of(0, tile), squares_of(0, tile) + size_of(tile));
  if (!simd::any_infinite(x, tile.stride)) return;
  for (int r = 0; r < tile.rows; ++r) {
    if (std::isinf(x[r])) tile.flag(r, kInfinite);
  }
}

BAYESRISK_LIKELIHOOD(Gaussian)

}  // namespace bayesrisk

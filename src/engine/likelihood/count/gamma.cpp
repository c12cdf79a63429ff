#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/count/gamma.hpp>
#include <engine/likelihood/count/gamma_scorer.hpp>

namespace bayesrisk {

namespace {

class GammaTilt : public OverlapTilt<Gamma> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    own(to).shape.row(row) = (1 - s) * p_.shape.row(i_) + s * p_.shape.row(j_);
    own(to).rate.row(row) = (1 - s) * p_.rate.row(i_) + s * p_.rate.row(j_);
  }
};

}  // namespace

std::unique_ptr<BankTilt> Gamma::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<GammaTilt>(plan, p, i, j);
}

bool Gamma::Parameters::sound(int g) const {
  bool all = true;
  for (Index j = 0; j < shape.cols(); ++j) all = all && law(g, j).sound();
  return all;
}

void Gamma::Statistics::check(const Plan& plan, int groups) const {
  require_tables(*this, groups, plan.members());
  require(not_negative(weight) && not_negative(mean) && not_negative(deviance), "gamma: negative");
  require(mean_low.allFinite(), "gamma: not finite");
}

void Gamma::Statistics::merge(const Plan&, const Statistics& other) {
  for (int j = 0; j < weight.cols(); ++j) {
    for (int g = 0; g < weight.rows(); ++g) {
      add_part(g, j, other.weight(g, j), other.mean(g, j), other.mean_low(g, j),
               other.deviance(g, j));
    }
  }
}

void Gamma::Statistics::add_part(int g, int j, double part_weight, double part_mean,
                                 double part_low, double part_deviance) {
  if (!(part_weight > 0)) return;
  const double before = weight(g, j);
  const DoubleDouble old{mean(g, j), mean_low(g, j)}, part{part_mean, part_low};
  const double delta = before > 0 ? difference(part, old) : 0.0;
  const DoubleDouble moved = merged_mean(before, old, part_weight, part, delta);
  const auto moved_by = [&](const DoubleDouble& from) {
    return relative_deviance(from.high, moved.high, difference(from, moved));
  };
  weight(g, j) = before + part_weight;
  double sum = deviance(g, j) + part_deviance + part_weight * moved_by(part);
  if (before > 0) sum += before * moved_by(old);
  const bool finite = std::isfinite(moved.high) && std::isfinite(sum);
  mean(g, j) = finite ? moved.high : kInfinity;
  mean_low(g, j) = finite ? moved.low : 0;
  deviance(g, j) = finite ? sum : kInfinity;
}

double Gamma::shape_of(double s) {
  if (!std::isfinite(s)) return kNaN;
  const double log_s = std::log(s);
  const auto excess = [&](double log_k) { return std::log(digamma_gap(std::exp(log_k))) - log_s; };
  return std::exp(find_root(excess, std::log(0.4) - log_s, std::log(1.1) - log_s));
}

double Gamma::log_likelihood(const Plan& plan, const Statistics& statistics,
                             const Parameters& parameters) {
  double total = 0;
  for (int j = 0; j < plan.members(); ++j) {
    for (int g = 0; g < statistics.weight.rows(); ++g) {
      const double weight = statistics.weight(g, j);
      if (weight <= 0 || parameters.left_out[j]) continue;
      const GammaLaw law = parameters.law(g, j);
      total +=
          weight * (law.peak - std::log(law.mean)) + (1 - law.shape) * statistics.deviance(g, j);
    }
  }
  return total;
}

GammaEstimator::GammaEstimator(const Gamma::Statistics& statistics, const Classes& classes,
                               int member, int feature, Diagnostics& diagnostics)
    : statistics_(statistics),
      classes_(classes),
      j_(member),
      feature_(feature),
      diagnostics_(diagnostics) {
  for (int g = 0; g < classes.count(); ++g) {
    mean_.add(statistics.weight(g, j_), {statistics.mean(g, j_), statistics.mean_low(g, j_)});
    pooled_ += statistics.deviance(g, j_);
  }
  if (mean_.weight > 0) pooled_ /= mean_.weight;
}

void GammaEstimator::estimate(Gamma::Parameters& p) {
  const bool one_value = mean_.weight > 0 && mean_.equal && is_constant(pooled_);
  const bool leaves_out = classes_.borrow && one_value;
  if (leaves_out) {
    p.left_out.set(j_, p.shape.cols());
    diagnostics_.add(Problem::left_out, kAll, feature_, 0);
  }
  for (int g = 0; g < classes_.count(); ++g) {
    if (!classes_.has_rows(g)) continue;
    const double deviance = leaves_out ? 1 : deviance_of(g);
    if (std::isnan(deviance)) continue;
    const double mean = statistics_.weight(g, j_) > 0 ? statistics_.mean(g, j_) : mean_.mean.high;
    p.shape(g, j_) = leaves_out ? 1 : std::isfinite(deviance) ? Gamma::shape_of(deviance) : kNaN;
    p.rate(g, j_) = p.shape(g, j_) / mean;
    if (!p.law(g, j_).sound()) {
      const ProblemName problem = mean < 1 ? Gamma::underflow : Problem::overflow;
      diagnostics_.add(problem, g, feature_, statistics_.weight(g, j_));
    }
  }
}

double GammaEstimator::deviance_of(int g) {
  const double weight = statistics_.weight(g, j_), sum = statistics_.deviance(g, j_);
  const bool empty = !(weight > 0);
  if (!empty && !is_constant(sum / weight)) return sum / weight;
  if (!classes_.borrow) {
    diagnostics_.add(empty ? Problem::empty : Problem::constant, g, feature_, weight);
    return kNaN;
  }
  const double borrowed = (sum + pooled_) / (weight + 1);
  if (is_constant(borrowed)) {
    diagnostics_.add(Problem::apart, kAll, feature_, weight);
    return kNaN;
  }
  diagnostics_.add(Problem::borrowed, g, feature_, weight);
  return borrowed;
}

Gamma::Parameters Gamma::estimate(const Plan& plan, const Statistics& statistics, const Options&,
                                  const Classes& classes, Diagnostics& diagnostics) {
  const Matrix open = Matrix::Constant(classes.count(), plan.members(), kNaN);
  Parameters p{open, open, {}};
  for (int j = 0; j < plan.members(); ++j) {
    GammaEstimator(statistics, classes, j, plan.features[j], diagnostics).estimate(p);
  }
  return p;
}

bool GammaSlice::read(const double* x, const int* group, const double* weights, int rows) {
  std::fill(weight_.begin(), weight_.end(), 0.0);
  sum_ = deviance_ = weight_;
  bool others = false;
  for (int r = 0; r < rows; ++r) {
    const double w = weights ? weights[r] : 1.0;
    if (is_taken(x[r])) {
      weight_[group[r]] += w;
      sum_[group[r]] += w * x[r];
    } else {
      others = true;
    }
  }
  for (std::size_t g = 0; g < sum_.size(); ++g) centre_[g] = sum_[g] / weight_[g];
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int r = 0; r < rows; ++r) {
    if (!is_taken(x[r])) continue;
    const int g = group[r];
    const double w = weights ? weights[r] : 1.0, away = x[r] - centre_[g];
    sum_[g] += w * away;
    deviance_[g] += w * relative_deviance(x[r], centre_[g], away);
  }
  return others;
}

void GammaSlice::add_to(Gamma::Statistics& statistics, int g, int j) const {
  const double low = sum_[g] / weight_[g], u = low / centre_[g];
  const double deviance = deviance_[g] - weight_[g] * log_excess(u, 1 + u);
  statistics.add_part(g, j, weight_[g], centre_[g], low, deviance < 0 ? 0.0 : deviance);
}

void report_not_positive(const double* x, const int* group, int rows, int groups, int feature,
                         Diagnostics& diagnostics) {
  for (int r = 0; r < rows; ++r) {
    if (group[r] == groups || std::isnan(x[r])) continue;
    if (std::isinf(x[r])) {
      diagnostics.add(Problem::infinite, kAll, feature, 1);
    } else if (x[r] <= 0) {
      diagnostics.add(Gamma::not_positive, group[r], feature, 1);
    }
  }
}

void Gamma::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                Diagnostics& diagnostics) {
  const int size = slice_size(chunk.groups);
  GammaSlice sums(chunk.groups + 1);
  Vector buffer(size);
  for (int first = 0; first < chunk.rows; first += size) {
    const int rows = std::min(size, chunk.rows - first);
    const int* group = chunk.group + first;
    for (int j = 0; j < plan.members(); ++j) {
      chunk.check();
      const int feature = plan.features[j];
      const double* x =
          load_numbers(frame.columns[feature], chunk.begin + first, rows, rows, buffer.data());
      if (sums.read(x, group, chunk.weight ? chunk.weight + first : nullptr, rows)) {
        report_not_positive(x, group, rows, chunk.groups, feature, diagnostics);
      }
      for (int g = 0; g < chunk.groups; ++g) sums.add_to(*this, g, j);
    }
  }
}

Gamma::Scorer::Scorer(const Plan& plan, const Parameters& parameters)
    : plan_(plan), left_out_(parameters.left_out) {
  for (Index j = 0; j < parameters.shape.cols(); ++j) {
    for (Index k = 0; k < parameters.shape.rows(); ++k) {
      laws_.push_back(parameters.law(static_cast<int>(k), j));
    }
  }
}

void Gamma::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  tile.scratch.resize(static_cast<std::size_t>(tile.stride));
  for (int j = from; j < to; ++j) {
    if (left_out_[j]) continue;
    const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
    // The padding behind the last row is 0, which is impossible under every class.
    if (tile.rows < tile.stride) {
      std::fill(tile.buffer() + tile.rows, tile.buffer() + tile.stride, kNaN);
    }
    for (int r = 0; r < tile.stride; ++r) tile.scratch[r] = x[r] > 0 ? std::log(x[r]) : kNaN;
    for (int k = 0; k < tile.classes; ++k) {
      add_class(laws_[static_cast<std::size_t>(j) * tile.classes + k], x, tile.scratch.data(),
                tile.stride, tile.of_class(k));
    }
  }
}

void Gamma::Scorer::add_class(const GammaLaw& law, const double* x, const double* log_x, int rows,
                              double* sum) {
  using simd::lanes;
  using simd::Lanes;
  const double inverse = 1 / law.mean, log_mean = std::log(law.mean);
  for (int r = 0; r < rows; r += 2) {
    const Lanes value = *lanes(x + r), log_value = *lanes(log_x + r);
    const Lanes u = ((value - law.mean) - law.mean_low) * inverse;
    const Lanes v = u / (2.0 + u), w = v * v;
    Lanes series = Lanes{} + 1 / 17.0;
    for (double divisor : {15, 13, 11, 9, 7, 5, 3}) series = series * w + 1 / divisor;
    const Lanes near = u * v - 2.0 * v * w * series, far = u - (log_value - log_mean);
    const auto is_near = (u < 0.2) & (u > -0.2);
    const Lanes deviance = is_near ? near : far;
    const Lanes log_density = (law.peak - log_value) - law.shape * deviance;
    const Lanes impossible = Lanes{} + kNegativeInfinity;
    const auto is_refused = (value <= 0.0) & (value > impossible);
    const auto is_positive = (value > 0.0) & (value < -impossible);
    const Lanes other = is_refused ? impossible : Lanes{};
    *lanes(sum + r) += is_positive ? log_density : other;
  }
}

Gamma::Drawer::Drawer(const Plan& plan, const Parameters& parameters)
    : plan_(plan), parameters_(parameters) {
  for (Index i = 0; i < parameters.shape.size(); ++i) {
    standard_.emplace_back(parameters.shape.data()[i]);
  }
}

void Gamma::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  for (int j = 0; j < plan_.members(); ++j) {
    const auto place = static_cast<std::size_t>(j * parameters_.shape.rows() + k);
    const double x = standard_[place].quantile({u[j], 1 - u[j]}) / parameters_.rate(k, j);
    to.number(plan_.features[j], row) = parameters_.left_out[j]
                                            ? parameters_.law(k, j).mean
                                            : std::max(x, std::numeric_limits<double>::min());
  }
}

BAYESRISK_LIKELIHOOD(Gamma)

}  // namespace bayesrisk

#include <engine/evaluation/monitor.hpp>

#include <numeric>

namespace bayesrisk {

namespace {

// Alarms by shares of classes are wanted most. Rows with a class need less evidence.
constexpr double kWeight[] = {0.5, 0.2, 0.15, 0.15};

// Variances of means of few rows are estimates: that of Student's t.
double inverse(double rows) {
  if (std::isinf(rows)) return 0;
  return (rows > 4 ? (rows - 1) / (rows - 3) : 3) / std::max(rows, 1.0);
}

// A mean of functions of rows is at most as uncertain as the mean over the training rows, however
// the densities were estimated.
class Starter {
 public:
  Starter(const MonitorSample& sample, const Vector& prior, const TrainingRows& rows)
      : sample_(sample), prior_(prior), weight_(rows.drawn ? prior : sample.rows) {
    double all = 0;
    const double total = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    for (double& weight : weight_) weight /= total;
    for (std::size_t k = 0; k < prior.size(); ++k) {
      all += rows.cases[k];
      // The sample's own error; without rows nothing is known.
      const double own = rows.drawn ? 1 / std::max(sample.rows[k], 1.0) : 0;
      inverse_.push_back(inverse(rows.cases[k]) + own);
      if (prior[k] > 0) open_.push_back(static_cast<int>(k));
    }
    of_prior_ = rows.known_prior ? 0 : inverse(all);
    for (Index r = 0; r < sample.posterior.rows(); ++r) {
      if (!std::isnan(sample.posterior(r, 0))) informed_.push_back(r);
    }
  }

  Monitor start(double alpha) const {
    Monitor monitor;
    monitor.prior = prior_;
    // The second of two shares says what the first one says, and one class has no share.
    if (open_.size() == 2) monitor.classes = {open_[0]};
    if (open_.size() > 2) monitor.classes = open_;
    monitor.features = sample_.features;
    const Index classes = monitor.classes.size(), functions = sample_.features.count();
    double total = 0;
    const double present[] = {!informed_.empty() && classes > 0 ? 1.0 : 0.0,
                              classes > 0 ? 1.0 : 0.0, functions > 0 ? 1.0 : 0.0,
                              functions > 0 ? 1.0 : 0.0};
    for (int kind = 0; kind < 4; ++kind) total += kWeight[kind] * present[kind];
    const auto limit = [&](int kind, Index count) {
      return std::log(static_cast<double>(count) * total / (kWeight[kind] * alpha));
    };
    monitor.shares = ChangeProcesses(kHalfOfShares, 2 * classes);
    for (Index i = 0; i < classes; ++i) {
      const int k = monitor.classes[static_cast<std::size_t>(i)];
      monitor.shares.start(2 * i, by_features(k), limit(0, classes));
      monitor.shares.start(2 * i + 1, by_classes(k), limit(1, classes));
    }
    Index with_class = 0;
    for (int others : sample_.features.others) with_class += others == 0;
    start_functions(monitor, limit(2, 2 * functions), limit(3, with_class));
    return monitor;
  }

 private:
  static constexpr Index kHalfOfShares = 32, kHalfOfFunctions = 16;

  // The share at which the likelihood of the sample is largest.
  double apparent_share(int k) const {
    const double share = prior_[static_cast<std::size_t>(k)], spread = share * (1 - share);
    double low = 0, high = 1;
    for (int step = 0; step < 40; ++step) {
      const double middle = (low + high) / 2;
      double slope = 0;
      for (Index r : informed_) {
        const double bet = (sample_.posterior(r, k) - share) / spread;
        slope += bet / (1 + bet * (middle - share));
      }
      (slope > 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  // From the error of the mean posterior that of the log odds: the slope of the mean is the
  // variance of the posterior.
  MeanLaw by_features(int k) const {
    const double share = prior_[static_cast<std::size_t>(k)], spread = share * (1 - share);
    ClassMoments moments(1, static_cast<Index>(prior_.size()));
    double variance = 0;
    for (Index r : informed_) {
      const double p = sample_.posterior(r, k);
      moments.add(0, sample_.group[static_cast<std::size_t>(r)], p);
      variance += (p - share) * (p - share);
    }
    variance /= std::max(static_cast<double>(informed_.size()), 1.0);
    double mean = 0, error = 0, between = 0;
    for (int j : open_) mean += weight(j) * moments.mean(0, j);
    for (int j : open_) {
      const double away = moments.mean(0, j) - mean;
      error += weight(j) * weight(j) * moments.variance(0, j) * of_class(j);
      between += weight(j) * away * away;
    }
    const double slope = std::max(variance, 1e-9 * spread);
    return {share, log_odds(apparent_share(k)) - log_odds(share),
            (error + between * of_prior_) / (slope * slope)};
  }

  MeanLaw by_classes(int k) const {
    const double share = prior_[static_cast<std::size_t>(k)];
    return {share, log_odds(weight(k)) - log_odds(share),
            of_prior_ / (weight(k) * (1 - weight(k)))};
  }

  void start_functions(Monitor& monitor, double limit, double limit_with_class) const {
    const Index functions = sample_.features.count();
    monitor.mean = Matrix::Constant(functions, static_cast<Index>(prior_.size()), kNaN);
    monitor.edge = Matrix::Constant(functions, 2, 0.5);
    monitor.changes = ChangeProcesses(kHalfOfFunctions, 3 * functions);
    for (Index f = 0; f < functions; ++f) {
      // A class without a value in the sample says nothing of its rows.
      for (int k : open_) {
        const bool known = sample_.with.count(f, k) > 0;
        monitor.mean(f, k) = known ? inside(sample_.with.mean(f, k)) : kNaN;
      }
      for (int side = 0; side < 2; ++side) {
        const MeanLaw law = edge_law(f, side == 0 ? 1 : -1);
        monitor.edge(f, side) = law.centre;
        monitor.changes.start(3 * f + side, law, limit);
      }
      monitor.changes.start(3 * f + 2, class_law(f), limit_with_class);
    }
  }

  // Whatever the shares of the classes are, a mean lies between those of the classes.
  MeanLaw edge_law(Index f, int side) const {
    MeanLaw law{side > 0 ? 0.0 : 1.0, 0, 0, side};
    double most = -kInfinity;
    for (int k : open_) {
      if (!(sample_.without.count(f, k) > 0)) continue;
      const double mean = sample_.without.mean(f, k), variance = variance_of(sample_.without, f, k);
      const double reach = side * mean + std::sqrt(variance * of_class(k));
      if (reach <= most) continue;
      most = reach;
      law.centre = inside(mean);
      law.variance = of_class(k) / variance;
    }
    return law;
  }

  // Rows are compared with the mean of their class.
  MeanLaw class_law(Index f) const {
    double mean = 0, variance = 0, error = 0;
    for (int k : open_) {
      if (!(sample_.with.count(f, k) > 0)) continue;
      const double of_values = variance_of(sample_.with, f, k);
      mean += weight(k) * sample_.with.mean(f, k);
      variance += weight(k) * of_values;
      error += weight(k) * weight(k) * of_values * of_class(k);
    }
    // Functions of the other features have no rows with a class.
    return {inside(mean), 0, variance > 0 ? error / (variance * variance) : 1};
  }

  static double variance_of(const ClassMoments& moments, Index f, int k) {
    const double mean = inside(moments.mean(f, k));
    return std::max(moments.variance(f, k), 1e-3 * mean * (1 - mean));
  }

  static double inside(double mean) { return std::clamp(mean, 1e-6, 1 - 1e-6); }
  static double log_odds(double mean) { return std::log(inside(mean)) - std::log1p(-inside(mean)); }

  double weight(int k) const { return weight_[static_cast<std::size_t>(k)]; }
  double of_class(int k) const { return inverse_[static_cast<std::size_t>(k)]; }

  const MonitorSample& sample_;
  const Vector& prior_;
  Vector weight_;   // the shares of the classes in the training distribution
  Vector inverse_;  // of the rows of each class
  double of_prior_ = 0;
  IntVector open_;
  std::vector<Index> informed_;
};

}  // namespace

Monitor start_monitor(const MonitorSample& sample, const Vector& prior, const TrainingRows& rows,
                      double alpha) {
  return Starter(sample, prior, rows).start(alpha);
}

}  // namespace bayesrisk

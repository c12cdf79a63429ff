#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/count/count_reader.hpp>
#include <engine/likelihood/count/poisson.hpp>
#include <engine/likelihood/count/poisson_scorer.hpp>
#include <engine/likelihood/posterior/draws.hpp>

namespace bayesrisk {

namespace {

class PoissonTilt : public OverlapTilt<Poisson> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    for (Index m = 0; m < p_.rate.cols(); ++m) {
      own(to).rate(row, m) = std::pow(p_.rate(i_, m), 1 - s) * std::pow(p_.rate(j_, m), s);
    }
  }
};

// Counts: negative binomial distributions.
struct PredictiveCountLaws {
  Index count;
  std::vector<CountLaw> law;  // features x classes

  PredictiveCountLaws(const Poisson::Parameters& centre, const Hyperparameters& hyperparameters)
      : count(centre.rate.rows()) {
    for (Index i = 0; i < centre.rate.size(); ++i) {
      law.emplace_back(centre.rate.data()[i], hyperparameters.freedom.data()[i]);
    }
  }
  const CountLaw& of(int k, int j) const { return law[static_cast<std::size_t>(j * count + k)]; }
  int classes() const { return static_cast<int>(count); }
  double reach(int k, int j) const { return of(k, j).mean + 8 * of(k, j).sd(); }
  double log_probability(int k, int j, double x, const LogPoisson& poisson) const {
    return of(k, j).log_probability(x, poisson);
  }
};

class PredictiveCountScorer : public CountScorer<PredictiveCountLaws> {
 public:
  PredictiveCountScorer(const Poisson::Plan& plan, const Poisson::Parameters& centre,
                        const Hyperparameters& hyperparameters, Index rows)
      : CountScorer(plan.features, PredictiveCountLaws(centre, hyperparameters), rows) {}
};

}  // namespace

std::unique_ptr<BankTilt> Poisson::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<PoissonTilt>(plan, p, i, j);
}

// Without smoothing new counts are Poisson at the estimated rate.
Hyperparameters Poisson::hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics&) {
  Hyperparameters hyperparameters{statistics.weight,
                                  Matrix::Constant(classes.count(), plan.members(), kInfinity)};
  for (int j = 0; j < plan.members(); ++j) {
    const double count = options.pseudo_count.empty() ? 0 : options.pseudo_count[j];
    const double exposure = options.pseudo_exposure.empty() ? 0 : options.pseudo_exposure[j];
    hyperparameters.weight.col(j).array() += exposure;
    if (parameters.left_out[j]) hyperparameters.weight.col(j).setZero();
    for (int g = 0; g < classes.count(); ++g) {
      const double size = parameters.rate(g, j) * hyperparameters.weight(g, j);
      if (count + exposure > 0 && size > 0) hyperparameters.freedom(g, j) = size;
    }
  }
  return hyperparameters;
}

void Poisson::draw_parameters(const Plan&, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p) {
  for (Index i = 0; i < p.rate.size(); ++i) {
    const double weight = hyperparameters.weight.data()[i];
    double& rate = p.rate.data()[i];
    if (weight > 0 && rate > 0) rate = std::exp(random.log_gamma(rate * weight)) / weight;
  }
}

std::unique_ptr<BankScorer> Poisson::predictive(const Plan& plan, const Parameters& centre,
                                                const Hyperparameters& hyperparameters,
                                                Index rows) {
  return hold_scorer<PredictiveCountScorer>(rows, plan, centre, hyperparameters);
}

void Poisson::Options::check(const Plan& plan, int) const {
  for (const Vector* added : {&pseudo_count, &pseudo_exposure}) {
    require(added->empty() || static_cast<int>(added->size()) == plan.members(),
            "pseudo-counts: wrong length");
    for (double x : *added) require(std::isfinite(x) && x >= 0, "pseudo-counts: negative");
  }
}

void Poisson::Statistics::check(const Plan& plan, int groups) const {
  require_tables(*this, groups, plan.members());
  require(not_negative(weight) && not_negative(sum) && not_negative(log_factorial),
          "counts: negative");
}

void Poisson::Statistics::merge(const Plan&, const Statistics& other) {
  weight += other.weight;
  sum += other.sum;
  log_factorial += other.log_factorial;
}

Poisson::Statistics Poisson::with_cases(const Plan& plan, const Statistics& statistics,
                                        const Merged<Poisson>& merged, const Options&,
                                        const Vector& cases) {
  Statistics result = statistics;
  for (int j = 0; j < plan.members(); ++j) {
    if (merged.parameters.left_out[j]) continue;
    if (cases[j] == kInfinity) {
      result.copy_member(merged.statistics, j);
      continue;
    }
    for (Index g = 0; g < result.sum.rows(); ++g) {
      const double rate = merged.parameters.rate(g, j);
      if (std::isnan(rate)) continue;
      result.weight(g, j) += cases[j];
      result.sum(g, j) += cases[j] * rate;
    }
  }
  return result;
}

Poisson::Parameters Poisson::estimate(const Plan& plan, const Statistics& statistics,
                                      const Options& options, const Classes& classes,
                                      Diagnostics& diagnostics) {
  Parameters p{Matrix::Constant(classes.count(), plan.members(), kNaN)};
  for (int j = 0; j < plan.members(); ++j) {
    const double known = statistics.weight.col(j).sum();
    const double pooled = statistics.sum.col(j).sum() / known;
    if (classes.borrow && known + added(options.pseudo_exposure, j) == 0) {
      p.left_out.set(j, plan.members());
      p.rate.col(j).setOnes();
      diagnostics.add(Problem::left_out, kAll, plan.features[j], 0);
      continue;
    }
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      const double weight = statistics.weight(g, j) + added(options.pseudo_exposure, j);
      p.rate(g, j) = (statistics.sum(g, j) + added(options.pseudo_count, j)) / weight;
      if (weight <= 0 && classes.borrow && std::isfinite(pooled)) {
        p.rate(g, j) = pooled;
        diagnostics.add(Problem::borrowed, g, plan.features[j], 0);
      } else if (weight <= 0) {
        diagnostics.add(Problem::empty, g, plan.features[j], 0);
      } else if (!std::isfinite(p.rate(g, j)) || !std::isfinite(statistics.log_factorial(g, j))) {
        diagnostics.add(Problem::overflow, g, plan.features[j], weight);
      } else if (p.rate(g, j) > kMostCount) {
        diagnostics.add(kTooMany, g, plan.features[j], weight);
      }
    }
  }
  return p;
}

double Poisson::log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
  double total = 0;
  for (int j = 0; j < plan.members(); ++j) {
    for (int g = 0; g < statistics.weight.rows(); ++g) {
      const double weight = statistics.weight(g, j), rate = parameters.rate(g, j);
      if (weight <= 0) continue;
      total += times_log(statistics.sum(g, j), std::log(rate)) - weight * rate -
               statistics.log_factorial(g, j);
    }
  }
  return total;
}

void Poisson::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                  Diagnostics& diagnostics) {
  CountReader reader(frame, chunk, diagnostics);
  for (int j = 0; j < plan.members(); ++j) {
    reader.each(plan.features[j], [&](int g, double count, double w) {
      weight(g, j) += w;
      sum(g, j) += w * count;
      log_factorial(g, j) += w * bayesrisk::log_factorial(count);
    });
  }
}

void Poisson::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  for (int j = 0; j < plan_.members(); ++j) {
    const Table& table = tables_[static_cast<std::size_t>(j * rate_.rows() + k)];
    to.number(plan_.features[j], row) =
        table.cumulative.empty() ? far_quantile(rate_(k, j), u[j]) : table.quantile(u[j]);
  }
}

Poisson::Drawer::Table::Table(double rate) {
  if (!(rate <= kTable)) return;
  const double reach = 10 * std::sqrt(rate) + 30, log_rate = std::log(rate);
  first = std::max(0.0, std::floor(rate - reach));
  double sum = 0;
  for (double x = first; x <= rate + reach; ++x) {
    sum += std::exp(LogPoisson(x).at(rate, log_rate));
    cumulative.push_back(sum);
  }
}

double Poisson::Drawer::far_quantile(double rate, double u) {
  const double z = normal_quantile(u), square = z * z, root = std::sqrt(rate);
  const double x = rate + root * z + (2 + square) / 6 - z * (2 + square) / (72 * root);
  return std::max(0.0, std::floor(x));
}

CountReader::CountReader(const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics)
    : frame_(frame),
      chunk_(chunk),
      diagnostics_(diagnostics),
      // With fewer rows than cells the table is skipped: it would cost more than it saves.
      small_(std::min(256, chunk.rows / (chunk.groups + 1))),
      buffer_(chunk.rows),
      cell_(chunk.rows) {}

BAYESRISK_LIKELIHOOD(Poisson)

}  // namespace bayesrisk

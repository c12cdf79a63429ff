#include <engine/likelihood/bag/bernoulli.hpp>
#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>

namespace bayesrisk {

Hyperparameters Bernoulli::hyperparameters(const Plan&, const Statistics& statistics,
                                           const Options& options, const Parameters&,
                                           const Classes& classes, Diagnostics&) {
  Hyperparameters hyperparameters{Matrix::Constant(classes.count(), 1, 2 * options.laplace), {}};
  for (int g = 0; g < classes.count(); ++g) hyperparameters.weight(g, 0) += statistics.weight[g];
  return hyperparameters;
}

// Each term is present or absent, independently of the others.
void Bernoulli::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                RandomLaws& random, Parameters& p) {
  for (int t = 0; t < plan.terms(); ++t) {
    for (Index g = 0; g < p.log_present.rows() && !hyperparameters.known(); ++g) {
      Vector both{p.log_present(g, t), p.log_absent(g, t)};
      draw_distribution(both, {1, 1}, hyperparameters.weight(g, 0), random);
      p.log_present(g, t) = both[0];
      p.log_absent(g, t) = both[1];
    }
  }
}

void Bernoulli::Parameters::check(const Plan& plan, int groups) const {
  require(
      has_shape(log_present, groups, plan.terms()) && has_shape(log_absent, groups, plan.terms()),
      "log_present, log_absent: wrong dimensions");
}

double Bernoulli::Statistics::absent(int g, int t) const {
  constexpr double kRounding = 1e-12;
  const double rest = weight[g] - present(g, t);
  return rest < kRounding * weight[g] ? 0 : rest;
}

Bernoulli::Parameters Bernoulli::estimate(const Plan& plan, const Statistics& statistics,
                                          const Options& options, const Classes& classes,
                                          Diagnostics&) {
  const Matrix open = Matrix::Constant(classes.count(), plan.terms(), kNaN);
  Parameters p{open, open};
  for (int t = 0; t < plan.terms(); ++t) {
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      // All halved, because the doubled number may overflow.
      const double total = statistics.weight[g] / 2 + options.laplace;
      const double present = (statistics.present(g, t) + options.laplace) / 2;
      const double absent = (statistics.absent(g, t) + options.laplace) / 2;
      p.log_present(g, t) = std::min(std::log(present / total), 0.0);
      p.log_absent(g, t) = std::log(absent / total);
    }
  }
  return p;
}

double Bernoulli::log_likelihood(const Plan& plan, const Statistics& statistics,
                                 const Parameters& parameters) {
  double total = 0;
  for (int t = 0; t < plan.terms(); ++t) {
    for (int g = 0; g < static_cast<int>(statistics.weight.size()); ++g) {
      total += times_log(statistics.present(g, t), parameters.log_present(g, t)) +
               times_log(statistics.absent(g, t), parameters.log_absent(g, t));
    }
  }
  return total;
}

BernoulliTerms::BernoulliTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters)
    : of(parameters), none(static_cast<std::size_t>(parameters.log_absent.rows()), 0.0) {
  for (Index t = 0; t < of.log_absent.cols(); ++t) {
    for (std::size_t k = 0; k < none.size(); ++k) {
      const double absent = of.log_absent(static_cast<Index>(k), t);
      if (absent != kNegativeInfinity) none[k] += absent;
    }
  }
}

void BernoulliTerms::write(int, int term, int classes, double* to) const {
  const double *present = of.log_present.col(term).data(), *absent = of.log_absent.col(term).data();
  for (int k = 0; k < classes; ++k) {
    to[k] = present[k] - (absent[k] == kNegativeInfinity ? 0 : absent[k]);
  }
}

RequiredTerms::RequiredTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters)
    : log_absent(parameters.log_absent), required(static_cast<std::size_t>(log_absent.rows())) {
  for (Index t = 0; t < log_absent.cols(); ++t) {
    for (Index k = 0; k < log_absent.rows(); ++k) required[k] += is_required(t, k);
  }
}

Bernoulli::Scorer::Scorer(const Plan& plan, const std::vector<const Parameters*>& models)
    : scorer_(plan, models) {
  const auto requires_terms = [](const Parameters* p) {
    return (p->log_absent.array() == kNegativeInfinity).any();
  };
  if (std::any_of(models.begin(), models.end(), requires_terms)) required_.emplace(plan, models);
}

void Bernoulli::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  scorer_.add(frame, from, to, tile);
  if (!required_ || from >= to) return;
  LineVector score(tile.log_joint.size(), 0.0);
  const auto unknown = tile.unknown;
  score.swap(tile.log_joint);
  required_->add(frame, from, to, tile);
  score.swap(tile.log_joint);
  tile.unknown = unknown;
  for (int k = 0; k < tile.classes; ++k) {
    double* out = tile.of_class(k);
    const double* missing = score.data() + (out - tile.log_joint.data());
    for (int r = 0; r < tile.rows; ++r) {
      if (missing[r] < -0.5) out[r] = kNegativeInfinity;
    }
  }
}

BAYESRISK_LIKELIHOOD(Bernoulli)

}  // namespace bayesrisk

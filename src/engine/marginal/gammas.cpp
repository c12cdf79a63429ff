#include <engine/marginal/atoms.hpp>
#include <engine/marginal/counts.hpp>
#include <engine/marginal/gammas.hpp>
#include <engine/marginal/steps.hpp>

namespace bayesrisk {

double log_density(const Normals::OfClass& terms, double x) {
  const auto log_term = [x](const NormalComponent& term) {
    const double z = (x - term.mean) / term.sd;
    return term.log_weight - 0.5 * z * z - std::log(term.sd);
  };
  double largest = kNegativeInfinity, sum = 0;
  for (const NormalComponent& term : terms) largest = std::max(largest, log_term(term));
  if (largest == kNegativeInfinity) return largest;
  for (const NormalComponent& term : terms) {
    const double below = log_term(term) - largest;
    if (below > -50) sum += std::exp(below);
  }
  return largest + std::log(sum) - kHalfLogTwoPi;
}

MeanAndSd moments_of(const Normals::OfClass& terms) {
  if (terms.size() == 1) return {terms[0].mean, terms[0].sd};
  double mean = 0, variance = 0;
  for (const NormalComponent& term : terms) mean += std::exp(term.log_weight) * term.mean;
  for (const NormalComponent& term : terms) {
    const double off = term.mean - mean;
    variance += std::exp(term.log_weight) * (term.sd * term.sd + off * off);
  }
  return {mean, std::sqrt(variance)};
}

void add_points(const Normals::OfClass& terms, int each, Vector& x) {
  constexpr double kBody = 4, kFarthest = 38;
  for (const NormalComponent& term : spread_out(terms)) {
    for (int i = 0; i <= each; ++i) x.push_back(term.mean + kBody * (2.0 * i / each - 1) * term.sd);
    for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
      x.push_back(term.mean + z * term.sd);
      x.push_back(term.mean - z * term.sd);
    }
  }
}

LogOverlap log_overlap(const Normals::OfClass& first, const Normals::OfClass& second) {
  if (first.size() == 1 && second.size() == 1) {
    const NormalPair pair{(second[0].mean - first[0].mean) / first[0].sd,
                          second[0].sd / first[0].sd};
    return [pair](double s) { return pair.log_at(s); };
  }
  const MixturePair pair{first, second};
  return [pair](double s) { return pair.log_at(s); };
}

double log_density(const Steps::OfClass& steps, double x) {
  const Bins bins{steps.edges.data(), static_cast<int>(steps.log_probability.size())};
  const int bin = bins.find(x);
  if (bin < 0) return kNegativeInfinity;
  return steps.log_probability[static_cast<std::size_t>(bin)] - std::log(bins.width(bin));
}

MeanAndSd moments_of(const Steps::OfClass& steps) {
  double mean = 0, variance = 0;
  const auto each = [&](const auto& add) {
    for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
      const double width = steps.edges[b + 1] - steps.edges[b];
      add(std::exp(steps.log_probability[b]), steps.edges[b] + 0.5 * width, width);
    }
  };
  each([&](double share, double middle, double) { mean += share * middle; });
  each([&](double share, double middle, double width) {
    variance += share * (width * width / 12 + (middle - mean) * (middle - mean));
  });
  return {mean, std::sqrt(variance)};
}

LogOverlap log_overlap(const Steps::OfClass& first, const Steps::OfClass& second) {
  const Vector edges = edges_of(Steps{{first, second}});
  std::vector<EventPair> bins;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    bins.push_back({log_density_after(first, edges[i]), log_density_after(second, edges[i]),
                    std::log(edges[i + 1] - edges[i])});
  }
  return log_overlap(std::move(bins));
}

void add_points(const Steps::OfClass& steps, int each, Vector& x) {
  const Vector& edges = steps.edges;
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    const double width = edges[b + 1] - edges[b];
    for (int i = 0; i < each; ++i) x.push_back(edges[b] + (i + 0.5) / each * width);
  }
}

LogOverlap log_overlap(const CountLaw& first, const CountLaw& second) {
  const double p = first.mean, q = second.mean;
  if (p == 0 || q == 0) {
    return [none = first.log_probability(0), other = second.log_probability(0)](double s) {
      return s * none + (1 - s) * other;
    };
  }
  if (!first.is_poisson() || !second.is_poisson()) return log_overlap(common_counts(first, second));
  return [p, q](double s) {
    const double step = std::log(p) - std::log(q);
    return q * (std::expm1(s * step) - s * std::expm1(step));
  };
}

void add_points(const CountLaw& law, int each, Vector& x) {
  const double reach = 10 * law.sd() + 40, first = std::max(0.0, std::floor(law.mean - reach));
  if (law.is_poisson()) {
    const double step = std::ceil((law.mean + reach - first) / each);
    for (double at = first; at <= law.mean + reach; at = std::max(at + step, next_count(at))) {
      x.push_back(at);
    }
    return;
  }
  const double last = law.mean + CountTails(law).width();
  const double growth = last - first > each ? 20.0 / each : 0;
  for (double at = first; at <= last;) {
    x.push_back(at);
    at = std::max(at + std::floor((at - first) * growth), next_count(at));
  }
}

double log_density(const Atoms::OfClass& atoms, double x) {
  const auto found = std::lower_bound(atoms.value.begin(), atoms.value.end(), x);
  if (found == atoms.value.end() || *found != x) return kNegativeInfinity;
  return atoms.log_probability[static_cast<std::size_t>(found - atoms.value.begin())];
}

MeanAndSd moments_of(const Atoms::OfClass& atoms) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    mean += std::exp(atoms.log_probability[i]) * atoms.value[i];
  }
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    const double off = atoms.value[i] - mean;
    variance += std::exp(atoms.log_probability[i]) * off * off;
  }
  return {mean, std::sqrt(variance)};
}

LogOverlap log_overlap(const Atoms::OfClass& first, const Atoms::OfClass& second) {
  std::vector<EventPair> values;
  for (double x : values_of(Atoms{{first, second}})) {
    values.push_back({log_density(first, x), log_density(second, x)});
  }
  return log_overlap(std::move(values));
}

GammaLaw::GammaLaw(double of_shape, double of_rate)
    : shape(of_shape),
      rate(of_rate),
      mean(of_shape / of_rate),
      mean_low(std::fma(-mean, of_rate, of_shape) / of_rate),
      peak(sound() ? log_gamma_peak(of_shape) : kNaN) {}

double GammaLaw::log_density(double x) const {
  if (!(x > 0)) return kNegativeInfinity;
  const double deviance = relative_deviance(x, mean, (x - mean) - mean_low);
  return (peak - std::log(x)) - shape * deviance;
}

bool GammaTerm::outweighs(const GammaTerm& other, double side) const {
  const double own[] = {law.rate, law.shape}, its[] = {other.law.rate, other.law.shape};
  if (side < 0) return own[1] < its[1] || (own[1] == its[1] && own[0] > its[0]);
  return own[0] < its[0] || (own[0] == its[0] && own[1] > its[1]);
}

GammaRatio::GammaRatio(const GammaTerm& term, const GammaTerm& reference) {
  const bool narrower = term.law.shape >= reference.law.shape;
  const GammaTerm& narrow = narrower ? term : reference;
  const GammaTerm& wide = narrower ? reference : term;
  const GammaLaw &own = narrow.law, &other = wide.law;
  const double direction = narrower ? 1 : -1;
  const double away = (own.mean - other.mean) + (own.mean_low - other.mean_low);
  centre = narrow.log_mean;
  apart_ = !(std::abs(term.log_mean - reference.log_mean) < 1);
  constant = term.log_size - reference.log_size +
             direction * finite(other.shape * relative_deviance(own.mean, other.mean, away));
  slope = direction * finite(other.shape * (away / other.mean));
  bend = direction * finite(own.shape * ((own.rate - other.rate) / own.rate));
  tilt = direction * (own.shape - other.shape);
  limit_ = term.left_limit() - reference.left_limit();
}

double GammaRatio::at(double t) const {
  const double y = t - centre;
  if (std::isinf(y)) return at_infinity(y > 0 ? 1 : -1);
  if (apart_) return limit_ + tilt * t - times(bend, std::exp(y));
  if (std::abs(y) < 1) return constant + slope * y - bend * exp_excess(y);
  return constant + tilt * y - times(bend, std::expm1(y));
}

double GammaRatio::slope_at(double t) const {
  const double y = t - centre;
  if (!apart_ && std::abs(y) < 1) return slope - bend * std::expm1(y);
  return tilt - times(bend, std::exp(y));
}

double GammaRatio::at_infinity(double side) const {
  if (side > 0 && bend != 0) return -bend * kInfinity;
  if (tilt != 0) return side * tilt * kInfinity;
  if (apart_) return limit_;
  return side > 0 ? constant : constant + bend;
}

Gammas::Line::Line(const Gammas& gammas, const Vector& log_prior) : classes(log_prior.size()) {
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity)) continue;
    const OfClass& law = gammas.classes[k];
    origin_ = law.origin;
    if (unit_ == 0) unit_ = law.mean;
    const double ratio = law.mean / unit_;
    const bool ordinary = ratio > 0.5 && ratio < 2;
    const double log_mean =
        ordinary ? std::log1p((law.mean - unit_) / unit_) : std::log(law.mean) - std::log(unit_);
    classes[k] = {{0, law, log_mean + law.mean_low / law.mean}};
  }
}

LogOverlap log_overlap(const GammaLaw& first, const GammaLaw& second) {
  return [first, second](double s) {
    const double shape = s * first.shape + (1 - s) * second.shape;
    const double rate = s * first.rate + (1 - s) * second.rate, mean = shape / rate;
    const auto loss = [mean](const GammaLaw& law) {
      const double away = (mean - law.mean) - law.mean_low;
      return law.shape * relative_deviance(mean, law.mean, away) - law.peak;
    };
    return -(s * loss(first) + (1 - s) * loss(second) + log_gamma_peak(shape));
  };
}

void add_points(const Gammas::OfClass& law, int each, Vector& x) {
  constexpr double kBody = 4, kFarthest = 37;
  const IncompleteGamma standard(law.shape);
  const auto add = [&](double z) {
    const Tails tails{0.5 * std::erfc(-z * kSqrtHalf), 0.5 * std::erfc(z * kSqrtHalf)};
    const double at = standard.quantile(tails) / law.rate;
    if (at > 0 && at < kInfinity) x.push_back(at - law.origin);
  };
  for (int i = 0; i <= each; ++i) add(kBody * (2.0 * i / each - 1));
  for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
    add(z);
    add(-z);
  }
}

LogOverlap log_overlap(std::vector<EventPair> events) {
  return [events = std::move(events)](double s) {
    double sum = kNegativeInfinity;
    for (const EventPair& event : events) {
      if (event.log_first == kNegativeInfinity || event.log_second == kNegativeInfinity) continue;
      sum = log_add(sum, s * event.log_first + (1 - s) * event.log_second + event.log_count);
    }
    return sum;
  };
}

}  // namespace bayesrisk

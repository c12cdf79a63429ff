#include <engine/regions/count_terms.hpp>
#include <engine/regions/difference.hpp>
#include <engine/regions/marginal_regions.hpp>

namespace bayesrisk {

int PointRule::decide_at(const Marginal& marginal, double x) {
  return std::visit([&](const auto& of) { return decide_at(of, x); }, marginal);
}

void add_region(Regions& regions, double from, int decision, bool exact) {
  if (!regions.decision.empty()) {
    if (regions.decision.back() == decision) return;
    regions.cut.push_back(from);
    regions.exact.push_back(exact);
  }
  regions.decision.push_back(decision);
}

Regions extended_regions(const Steps& steps, const Vector& log_prior, const Cost& cost) {
  PointRule rule(log_prior, cost);
  Regions regions{edges_of(steps), {kNoDecision}, {}};
  for (double edge : regions.cut) {
    regions.decision.push_back(
        rule.decide([&](std::size_t k) { return log_density_after(steps.classes[k], edge); }));
  }
  return regions;
}

Regions find_regions(const Normals& line, const Vector& log_prior, const Cost& cost) {
  return RegionFinder<SignedTerm>(line.classes, log_prior, cost).find();
}

Regions find_regions(const Steps& steps, const Vector& log_prior, const Cost& cost) {
  const Regions each = extended_regions(steps, log_prior, cost);
  Regions regions;
  add_region(regions, kNegativeInfinity, kNoDecision, true);
  for (std::size_t i = 0; i < each.cut.size(); ++i) {
    add_region(regions, each.cut[i], each.decision[i + 1], true);
  }
  return regions;
}

Regions regions_by_normals(const Counts& counts, const Vector& log_prior, const Cost& cost) {
  Normals line;
  line.classes.resize(log_prior.size(), {{0, 0, 1}});
  Vector weight(log_prior.size(), kNegativeInfinity);
  double first = 0;
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    const double rate = counts.classes[k].mean;
    if (!(log_prior[k] > kNegativeInfinity && rate > 0)) continue;
    if (first == 0) first = rate;
    const double excess = rate - first, ratio = rate / first;
    const double mean =
        ratio > 0.5 && ratio < 2 ? std::log1p(excess / first) : std::log(rate) - std::log(first);
    line.classes[k][0].mean = mean;
    weight[k] = log_prior[k] - excess + 0.5 * mean * mean;
  }
  return find_regions(line, weight, cost);
}

Regions extended_regions(const Counts& counts, const Vector& log_prior, const Cost& cost) {
  bool any = false, all_poisson = true;
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity && counts.classes[k].mean > 0)) continue;
    any = true;
    all_poisson = all_poisson && counts.classes[k].is_poisson();
  }
  if (!any) return {{}, {kNoDecision}, {}};
  return all_poisson ? regions_by_normals(counts, log_prior, cost)
                     : regions_by_terms(counts, log_prior, cost);
}

Regions find_regions(const Counts& counts, const Vector& log_prior, const Cost& cost) {
  const Regions extended = extended_regions(counts, log_prior, cost);
  PointRule rule(log_prior, cost);
  Regions regions = on_counts(extended, [&](double x) { return rule.decide_at(counts, x); });
  for (std::size_t i = 0; i < regions.cut.size(); ++i) {
    const double below = regions.cut[i] - 0.5;
    const auto from = std::lower_bound(extended.cut.begin(), extended.cut.end(), below);
    for (auto j = static_cast<std::size_t>(from - extended.cut.begin());
         j < extended.cut.size() && extended.cut[j] <= below + 1; ++j) {
      if (extended.decision[j] != regions.decision[i]) continue;
      if (extended.decision[j + 1] != regions.decision[i + 1]) continue;
      regions.cut[i] = extended.cut[j];
      regions.exact[i] = extended.exact[j];
    }
  }
  return regions;
}

Regions find_regions(const Atoms& atoms, const Vector& log_prior, const Cost& cost) {
  PointRule rule(log_prior, cost);
  Regions regions;
  add_region(regions, kNegativeInfinity, kNoDecision, true);
  const Vector values = values_of(atoms);
  for (std::size_t i = 0; i < values.size(); ++i) {
    add_region(regions, values[i], rule.decide_at(atoms, values[i]), true);
    const double end = std::nextafter(values[i], kInfinity);
    const double next = i + 1 < values.size() ? values[i + 1] : kInfinity;
    if (end < next) add_region(regions, end, kNoDecision, true);
  }
  return regions;
}

template Regions find_regions(const Marginal& marginal, const Vector& log_prior, const Cost& cost);

Regions extended_regions(const Marginal& marginal, const Vector& log_prior, const Cost& cost) {
  return std::visit([&](const auto& of) { return extended_regions(of, log_prior, cost); },
                    marginal);
}

bool is_discrete(const Marginal& marginal) {
  return std::visit([](const auto& of) { return of.kStep > 0; }, marginal);
}

Regions regions_in(const Marginal& world, const Marginal& rule, const Vector& log_prior,
                   const Cost& cost) {
  if (!is_discrete(world)) {
    if (is_discrete(rule)) return {{}, {kNoDecision}, {}};
    return find_regions(rule, log_prior, cost);
  }
  PointRule point(log_prior, cost);
  const auto decide = [&](double x) { return point.decide_at(rule, x); };
  if (const auto* atoms = std::get_if<Atoms>(&world)) {
    Regions regions;
    for (double x : values_of(*atoms)) add_region(regions, x, decide(x), true);
    return regions;
  }
  return on_counts(extended_regions(rule, log_prior, cost), decide);
}

bool CountTerm::outweighs(const CountTerm& other, double) const {
  const double own = law.mean / law.size, its = other.law.mean / other.law.size;
  if (own != its) return own > its;
  return law.is_poisson() ? law.mean > other.law.mean : law.size > other.law.size;
}

double CountRatio::at(double x) const {
  if (std::isinf(x)) return at_infinity();
  return (term_.log_size - reference_.log_size) +
         (term_.law.log_kernel(x) - reference_.law.log_kernel(x));
}

double CountRatio::slope_at(double x) const {
  if (std::isinf(x)) return log_growth(term_.law) - log_growth(reference_.law);
  const CountLaw &one = term_.law, &other = reference_.law;
  if (one.is_poisson() || other.is_poisson()) return one.slope(x) - other.slope(x);
  // The slopes may be nearly equal, so the differences of their parts are computed.
  return (log_growth(one) - log_growth(other)) +
         std::log1p((one.size - other.size) / (x + other.size)) -
         (digamma_gap(x + one.size) - digamma_gap(x + other.size));
}

double CountRatio::vertex(double low, double high) const {
  const auto slope = [&](double log_x) { return slope_at(std::expm1(log_x)); };
  const double first = std::log1p(low), last = std::min(std::log1p(high), kFarthest);
  if (!(first < last) || (slope(first) > 0) == (slope(last) > 0)) return kNaN;
  return std::expm1(find_root(slope, first, last));
}

double CountRatio::at_infinity() const {
  const bool same = term_.law.mean == reference_.law.mean && !bends();
  if (same) return term_.log_size - reference_.log_size;
  return term_.outweighs(reference_, 1) ? kInfinity : kNegativeInfinity;
}

Regions regions_by_terms(const Counts& counts, const Vector& log_prior, const Cost& cost) {
  Components<CountTerm> classes(log_prior.size());
  Vector weight(log_prior.size(), kNegativeInfinity);
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity && counts.classes[k].mean > 0)) continue;
    weight[k] = log_prior[k];
    classes[k] = {{0, counts.classes[k]}};
  }
  return RegionFinder<CountTerm>(classes, weight, cost).find();
}

LogRatio::LogRatio(const SignedTerm& term, const SignedTerm& reference) {
  const bool narrower = term.sd <= reference.sd;
  const SignedTerm& narrow = narrower ? term : reference;
  const SignedTerm& wide = narrower ? reference : term;
  const double direction = narrower ? 1 : -1;
  const double distance = (narrow.mean - wide.mean) / wide.sd;
  const double ratio = narrow.sd / wide.sd;
  centre = narrow.mean;
  constant = term.log_size - reference.log_size + direction * 0.5 * distance * distance;
  slope = direction * distance / wide.sd;
  curvature =
      -direction * 0.5 * ((wide.sd - narrow.sd) / wide.sd) * (1 + ratio) / narrow.sd / narrow.sd;
}

double LogRatio::at(double x) const {
  const double y = x - centre;
  if (std::isinf(y)) return at_infinity(y > 0 ? 1 : -1);
  return constant + (slope + curvature * y) * y;
}

double LogRatio::slope_at(double x) const {
  const double y = x - centre;
  if (std::isinf(y) && curvature == 0) return slope;
  return slope + 2 * curvature * y;
}

}  // namespace bayesrisk

#pragma once

#include <engine/decision/row_rule.hpp>
#include <engine/likelihood/registry.hpp>
#include <engine/regions/count_terms.hpp>
#include <engine/regions/line_regions.hpp>
#include <engine/regions/regions.hpp>

namespace bayesrisk {

// The decision of predict() at one value; kNoDecision where every class is impossible.
class PointRule {
 public:
  PointRule(const Vector& log_prior, const Cost& cost)
      : log_prior_(log_prior), rule_(cost), log_joint_(static_cast<Index>(log_prior.size())) {}

  // log_density(k) is called only for classes of positive prior.
  template <class LogDensity>
  int decide(const LogDensity& log_density) {
    for (std::size_t k = 0; k < log_prior_.size(); ++k) {
      const bool possible = log_prior_[k] > kNegativeInfinity;
      log_joint_[static_cast<Index>(k)] =
          possible ? log_prior_[k] + log_density(k) : kNegativeInfinity;
    }
    return log_joint_.maxCoeff() == kNegativeInfinity ? kNoDecision : rule_.decide(log_joint_);
  }

  int decide_at(const Marginal& marginal, double x) {
    return std::visit([&](const auto& of) { return decide_at(of, x); }, marginal);
  }

  template <class Feature>
  int decide_at(const Feature& feature, double x) {
    return decide([&](std::size_t k) { return log_density(feature.classes[k], x); });
  }

 private:
  const Vector& log_prior_;
  RowRule rule_;
  Eigen::VectorXd log_joint_;
};

// Adds a region on the right. Neighbours with the same decision are one region.
inline void add_region(Regions& regions, double from, int decision, bool exact) {
  if (!regions.decision.empty()) {
    if (regions.decision.back() == decision) return;
    regions.cut.push_back(from);
    regions.exact.push_back(exact);
  }
  regions.decision.push_back(decision);
}

// The regions of a kind of density that has a Line. There is no decision below the line.
template <class M, class Line = typename M::Line>
Regions find_regions(const M& marginal, const Vector& log_prior, const Cost& cost) {
  const Line line(marginal, log_prior);
  const auto is_possible = [](const auto& pieces) { return !pieces.empty(); };
  if (std::none_of(line.classes.begin(), line.classes.end(), is_possible)) {
    return {{}, {kNoDecision}, {}};
  }
  const Regions along = RegionFinder<typename Line::Term>(line.classes, log_prior, cost).find();
  Regions regions{{line.low()}, {kNoDecision, along.decision[0]}, {true}};
  for (std::size_t i = 0; i < along.cut.size(); ++i) {
    const double cut = line.at(along.cut[i]);
    if (!(cut < kInfinity)) break;
    // Different cuts close to the end may round to the same number.
    if (cut <= regions.cut.back()) {
      regions.cut.pop_back();
      regions.exact.pop_back();
      regions.decision.pop_back();
    }
    add_region(regions, cut, along.decision[i + 1], along.exact[i]);
  }
  return regions;
}

// extended_regions() gives regions of the whole line, also outside the values of a feature. For
// counts, the formula of the density is used at all numbers, not only at whole ones. For bins,
// every edge begins a region. on_counts() makes regions of counts from the extended regions.

// The last bin of a class includes its upper end. So the decision at this end may differ from the
// decisions on both sides. Therefore a region begins at each edge, even if its neighbours have the
// same decision.
inline Regions extended_regions(const Steps& steps, const Vector& log_prior, const Cost& cost) {
  PointRule rule(log_prior, cost);
  Regions regions{edges_of(steps), {kNoDecision}, {}};
  for (double edge : regions.cut) {
    regions.decision.push_back(
        rule.decide([&](std::size_t k) { return log_density_after(steps.classes[k], edge); }));
  }
  return regions;
}

inline Regions find_regions(const Steps& steps, const Vector& log_prior, const Cost& cost) {
  const Regions each = extended_regions(steps, log_prior, cost);
  Regions regions;
  add_region(regions, kNegativeInfinity, kNoDecision, true);
  for (std::size_t i = 0; i < each.cut.size(); ++i) {
    add_region(regions, each.cut[i], each.decision[i + 1], true);
  }
  return regions;
}

// A common factor of all classes changes no decision. Therefore rate^x may be multiplied by
// exp(-x^2 / 2). The product is a multiple of a normal density with mean log(rate). All rates are
// divided by the first one. A class of rate 0 is left out, because it is possible only at 0.
inline Regions regions_by_normals(const Counts& counts, const Vector& log_prior, const Cost& cost) {
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

inline Regions extended_regions(const Counts& counts, const Vector& log_prior, const Cost& cost) {
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

// Regions of counts, with cuts halfway between two counts. The decision at 0 and at the counts
// beside each cut comes from decide(count), because two actions may be tied there.
template <class Decide>
Regions on_counts(const Regions& regions, const Decide& decide) {
  Regions result;
  double next = 0;
  const auto add = [&](double last, int decision) {
    if (last < next) return;
    add_region(result, next - 0.5, decision, true);
    // Beyond 2^53 last + 1 may round to last.
    next = std::max(last + 1, std::nextafter(last, kInfinity));
  };
  add(0, decide(0));
  for (std::size_t i = 0; i < regions.cut.size(); ++i) {
    const double below = std::floor(regions.cut[i]);
    add(below - 1, regions.decision[i]);
    if (below >= next) add(below, decide(below));
    if (below + 1 >= next) add(below + 1, decide(below + 1));
  }
  add(kInfinity, regions.decision.back());
  return result;
}

// The extended regions that contain a count. A cut halfway between two counts is replaced by the
// extended cut beside it, if that separates the same two decisions.
inline Regions find_regions(const Counts& counts, const Vector& log_prior, const Cost& cost) {
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

// Each value is a region of its own, which ends at the next double.
inline Regions find_regions(const Atoms& atoms, const Vector& log_prior, const Cost& cost) {
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

// This is a template, because a function of `Marginal` would convert a kind without find_regions()
// to a Marginal and then call itself again and again.
template <class... M>
Regions find_regions(const std::variant<M...>& marginal, const Vector& log_prior,
                     const Cost& cost) {
  return std::visit([&](const auto& of) { return find_regions(of, log_prior, cost); }, marginal);
}

// For sums of normals and for single values the extended regions are the regions.
template <class M>
Regions extended_regions(const M& marginal, const Vector& log_prior, const Cost& cost) {
  return find_regions(marginal, log_prior, cost);
}

inline Regions extended_regions(const Marginal& marginal, const Vector& log_prior,
                                const Cost& cost) {
  return std::visit([&](const auto& of) { return extended_regions(of, log_prior, cost); },
                    marginal);
}

inline bool is_discrete(const Marginal& marginal) {
  return std::visit([](const auto& of) { return of.kStep > 0; }, marginal);
}

// The decisions of a rule for the values of a feature in a world. Each single value is decided as
// in predict(). A discrete rule decides nothing about a feature with a density.
inline Regions regions_in(const Marginal& world, const Marginal& rule, const Vector& log_prior,
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

}  // namespace bayesrisk

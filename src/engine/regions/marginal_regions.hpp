#pragma once

#include <engine/decision/row_rule.hpp>
#include <engine/marginal/marginal.hpp>
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

  int decide_at(const Marginal& marginal, double x);

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
void add_region(Regions& regions, double from, int decision, bool exact);

// log_prior: per class, not necessarily normalised; -Inf: a class that is impossible.
Regions find_regions(const Normals& line, const Vector& log_prior, const Cost& cost);

// The regions of a kind of density that has a Line. There is no decision below the line.
template <class M, class Line = typename M::Line>
Regions find_regions(const M& marginal, const Vector& log_prior, const Cost& cost) {
  const Line line(marginal, log_prior);
  const auto is_possible = [](const auto& components) { return !components.empty(); };
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
Regions extended_regions(const Steps& steps, const Vector& log_prior, const Cost& cost);

Regions find_regions(const Steps& steps, const Vector& log_prior, const Cost& cost);

// A common factor of all classes changes no decision. Therefore rate^x may be multiplied by
// exp(-x^2 / 2). The product is a multiple of a normal density with mean log(rate). All rates are
// divided by the first one. A class of rate 0 is left out, because it is possible only at 0.
Regions regions_by_normals(const Counts& counts, const Vector& log_prior, const Cost& cost);

Regions extended_regions(const Counts& counts, const Vector& log_prior, const Cost& cost);

// Regions of counts, with cuts halfway between two counts. The decision at 0 and at the counts
// beside each cut comes from decide(count), because two actions may be tied there.
template <class Decide>
Regions on_counts(const Regions& regions, const Decide& decide) {
  Regions result;
  double next = 0;
  const auto add = [&](double last, int decision) {
    if (last < next) return;
    add_region(result, next - 0.5, decision, true);
    next = next_count(last);
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
Regions find_regions(const Counts& counts, const Vector& log_prior, const Cost& cost);

// Each value is a region of its own, which ends at the next double.
Regions find_regions(const Atoms& atoms, const Vector& log_prior, const Cost& cost);

// This is a template, because a function of `Marginal` would convert a kind without find_regions()
// to a Marginal and then call itself again and again.
template <class... M>
Regions find_regions(const std::variant<M...>& marginal, const Vector& log_prior,
                     const Cost& cost) {
  return std::visit([&](const auto& of) { return find_regions(of, log_prior, cost); }, marginal);
}
extern template Regions find_regions(const Marginal& marginal, const Vector& log_prior,
                                     const Cost& cost);

// For sums of normals and for single values the extended regions are the regions.
template <class M>
Regions extended_regions(const M& marginal, const Vector& log_prior, const Cost& cost) {
  return find_regions(marginal, log_prior, cost);
}

Regions extended_regions(const Marginal& marginal, const Vector& log_prior, const Cost& cost);

bool is_discrete(const Marginal& marginal);

// The decisions of a rule for the values of a feature in a world. Each single value is decided as
// in predict(). A discrete rule decides nothing about a feature with a density.
Regions regions_in(const Marginal& world, const Marginal& rule, const Vector& log_prior,
                   const Cost& cost);

}  // namespace bayesrisk

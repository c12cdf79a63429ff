#pragma once

#include <engine/core/triangle.hpp>
#include <engine/marginal/marginal.hpp>
#include <engine/marginal/plane.hpp>
#include <engine/model/score.hpp>

#include <numeric>

namespace bayesrisk {

// A model as it looks on the features of a world, which may be those of another
// model. Features and levels are matched, classes and costs keep the model's order.
struct View {
  const ModelPlan& plan;
  const std::vector<AnyParameters>& parameters;
  const Vector& prior;
  IntVector feature;             // the world's feature -> the model's, -1: it has none
  std::vector<IntVector> level;  // the world's level -> the model's, negative: unknown

  Vector log_prior() const {
    Vector result;
    for (double p : prior) result.push_back(std::log(p));
    return result;
  }
};

// A model as it is.
inline View view_of(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
                    const Vector& prior, int features) {
  View view{plan, parameters, prior, IntVector(static_cast<std::size_t>(features)), {}};
  std::iota(view.feature.begin(), view.feature.end(), 0);
  view.level.resize(static_cast<std::size_t>(features));
  for (const AnyPlan& bank : plan.banks) {
    std::visit(
        [&](const auto& p) {
          if constexpr (std::decay_t<decltype(p)>::reads_codes) {
            for (std::size_t j = 0; j < p.features.size(); ++j) {
              IntVector& level = view.level[static_cast<std::size_t>(p.features[j])];
              level.resize(static_cast<std::size_t>(p.levels[j]));
              std::iota(level.begin(), level.end(), 0);
            }
          }
        },
        bank);
  }
  return view;
}

struct Place {
  std::size_t bank;
  int member;
};

inline Place place_of(const ModelPlan& plan, int feature) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const IntVector& features =
        std::visit([](const auto& p) -> const IntVector& { return p.features; }, plan.banks[b]);
    const auto found = std::find(features.begin(), features.end(), feature);
    if (found != features.end()) return {b, static_cast<int>(found - features.begin())};
  }
  // Never of a sound plan.
  throw InvalidState("a feature without a bank");
}

// The normals that a member of a bank is made of in class k, seen from an origin: the
// parts of a mean are put together there, where no digit is lost.
inline std::vector<NormalTerm> normal_terms(const Gaussian::Parameters& p, int k, int member,
                                            double origin) {
  return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member), p.sd(k, member)}};
}
inline std::vector<NormalTerm> normal_terms(const MultivariateGaussian::Parameters& p, int k,
                                            int member, double origin) {
  return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member),
           p.factor_of(k).col(member).stableNorm()}};
}
inline std::vector<NormalTerm> normal_terms(const Mixture::Parameters& p, int k, int member,
                                            double origin) {
  std::vector<NormalTerm> terms;
  const int first = p.first_terms()(k, member);
  for (int t = first; t < first + p.components(k, member); ++t) {
    terms.push_back({p.log_weight[t], p.mean[t] - origin, p.sd[t]});
  }
  return terms;
}
inline std::vector<NormalTerm> normal_terms(const Kernel::Parameters& p, int k, int,
                                            double origin) {
  std::vector<NormalTerm> terms;
  for (Index i = 0; i < p.points[k].rows(); ++i) {
    terms.push_back({p.points[k](i, 1), p.points[k](i, 0) - origin, p.bandwidth[k]});
  }
  return terms;
}
// Never asked of others.
template <class Parameters>
std::vector<NormalTerm> normal_terms(const Parameters&, int, int, double) {
  throw InvalidState("a feature that is no sum of normals");
}

// One numeric feature of the world as a model has it, the others marginalised. A
// model that lacks it has the same density for all classes: it decides nothing.
inline Line line_of(const View& view, int feature, double origin) {
  Line line;
  line.classes.resize(view.prior.size(), {{0, 0, 1}});
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return line;
  const Place place = place_of(view.plan, own);
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    line.classes[k] = std::visit(
        [&](const auto& p) { return normal_terms(p, static_cast<int>(k), place.member, origin); },
        view.parameters[place.bank]);
  }
  return line;
}

inline Steps steps_of(const Histogram::Plan& plan, const Histogram::Parameters& p,
                      const Vector& prior, double origin) {
  Steps steps;
  steps.classes.resize(prior.size());
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (prior[k] == 0) continue;
    const Bins bins = plan.of_group(static_cast<int>(k));
    Steps::OfClass& of_class = steps.classes[k];
    for (int e = 0; e < Histogram::Plan::edges_of(bins.count); ++e) {
      of_class.edges.push_back(bins.edges[e] - origin);
    }
    for (int b = 0; b < bins.count; ++b) {
      of_class.log_probability.push_back(p.log_probability(static_cast<Index>(k), b));
    }
  }
  return steps;
}

inline Counts counts_of(const Poisson::Parameters& p, int member) {
  const auto rate = p.rate.col(member);
  return {Vector(rate.data(), rate.data() + rate.size())};
}

inline Atoms atoms_of(const Empirical::Parameters& p, const Vector& prior) {
  Atoms atoms;
  atoms.classes.resize(prior.size());
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (prior[k] == 0) continue;
    const auto column = [&](Index j) {
      const auto of = p.points[k].col(j);
      return Vector(of.data(), of.data() + of.size());
    };
    atoms.classes[k] = {column(0), column(1)};
  }
  return atoms;
}

// One numeric feature of the world, whatever its likelihood; see line_of(). Counts and
// single values are not moved to the origin: they would not be the same there.
inline Marginal marginal_of(const View& view, int feature, double origin) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return line_of(view, feature, origin);
  const Place place = place_of(view.plan, own);
  const AnyParameters& parameters = view.parameters[place.bank];
  if (const auto* bins = std::get_if<Histogram::Plan>(&view.plan.banks[place.bank])) {
    return steps_of(*bins, std::get<Histogram::Parameters>(parameters), view.prior, origin);
  }
  if (const auto* counts = std::get_if<Poisson::Parameters>(&parameters)) {
    return counts_of(*counts, place.member);
  }
  if (const auto* values = std::get_if<Empirical::Parameters>(&parameters)) {
    return atoms_of(*values, view.prior);
  }
  return line_of(view, feature, origin);
}

// A mean of a sum of normals: coordinates relative to it keep the digits of data that
// stand at a large offset. Others stand where they are.
inline double origin_of(const View& world, int feature) {
  const Marginal marginal = marginal_of(world, feature, 0);
  const auto* line = std::get_if<Line>(&marginal);
  if (!line) return 0;
  for (std::size_t k = 0; k < world.prior.size(); ++k) {
    if (world.prior[k] > 0) return line->classes[k][0].mean;
  }
  return 0;
}

// Two features that are independent given the class.
inline Plane plane_of_lines(const Line& x, const Line& y) {
  Plane plane;
  plane.classes.resize(x.classes.size());
  for (std::size_t k = 0; k < x.classes.size(); ++k) {
    for (const NormalTerm& a : x.classes[k]) {
      for (const NormalTerm& b : y.classes[k]) {
        const Eigen::Matrix2d factor = Eigen::Vector2d(a.sd, b.sd).asDiagonal();
        plane.classes[k].push_back(
            {a.log_weight + b.log_weight, Eigen::Vector2d(a.mean, b.mean), factor});
      }
    }
  }
  return plane;
}

// Two numeric features: jointly normal where they share a block, otherwise
// independent given the class.
inline Plane plane_of(const View& view, int first, int second, const Eigen::Vector2d& origin) {
  Plane plane = plane_of_lines(line_of(view, first, origin[0]), line_of(view, second, origin[1]));
  const int i = view.feature[static_cast<std::size_t>(first)];
  const int j = view.feature[static_cast<std::size_t>(second)];
  if (i < 0 || j < 0) return plane;
  const Place at = place_of(view.plan, i), beside = place_of(view.plan, j);
  const auto* block = std::get_if<MultivariateGaussian::Parameters>(&view.parameters[at.bank]);
  if (!block || at.bank != beside.bank) return plane;
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    const Matrix& u = block->factor_of(static_cast<int>(k));
    Matrix columns(u.rows(), 2);
    columns << u.col(at.member), u.col(beside.member);
    plane.classes[k][0].factor = triangle_of_rows(columns);
  }
  return plane;
}

}  // namespace bayesrisk

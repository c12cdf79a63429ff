#pragma once

#include <engine/core/triangle.hpp>
#include <engine/model/score.hpp>
#include <engine/world/normal_block.hpp>
#include <engine/world/raised.hpp>

#include <array>
#include <numeric>

namespace bayesrisk {

// A model that reads the features of a world; the world may come from another model. Features and
// levels are matched. Classes and costs keep the order of the model.
struct View {
  const ModelPlan& plan;
  const std::vector<AnyParameters>& parameters;
  const Vector& prior;
  // For each feature or level of the world, its position in the model; negative: none.
  IntVector feature;
  std::vector<IntVector> level;
  const Tempering* tempering = nullptr;  // of a rule; a world has its densities as they are

  Vector log_prior() const {
    Vector result;
    for (double p : prior) result.push_back(std::log(p));
    return result;
  }
};

inline Tempering tempering_of(const View& view) {
  return view.tempering ? *view.tempering : Tempering();
}

// A model that reads its own features.
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
  // A checked plan has a bank for each feature.
  throw InvalidState("a feature without a bank");
}

// The power of the block of a feature.
inline double power_at(const View& view, const Place& place) {
  if (!view.tempering || view.tempering->power.empty()) return 1;
  const std::vector<BlockMembers> blocks = blocks_of(view.plan);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool inside = blocks[i].from <= place.member && place.member < blocks[i].to;
    if (blocks[i].bank == place.bank && inside) return view.tempering->power[i];
  }
  throw InvalidState("a feature without a block");
}

// The density of one numeric feature of the world in a model, with all other features marginalised,
// to the power 1. If the model lacks the feature, all classes have the same density, which does not
// affect decisions.
inline Marginal density_of(const View& view, int feature, double origin) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return Normals{{view.prior.size(), Normals::unknown()}};
  const Place place = place_of(view.plan, own);
  return std::visit(
      [&](const auto& plan) -> Marginal {
        using Likelihood = LikelihoodOf<decltype(plan)>;
        if constexpr (has_levels<std::decay_t<decltype(plan)>>) {
          throw InvalidState("a feature that is not numeric");
        } else {
          const auto& parameters =
              std::get<typename Likelihood::Parameters>(view.parameters[place.bank]);
          typename Likelihood::Marginal result;
          for (std::size_t k = 0; k < view.prior.size(); ++k) {
            result.classes.push_back(
                view.prior[k] == 0 ? result.unknown()
                                   : Likelihood::marginal(plan, parameters, static_cast<int>(k),
                                                          place.member, origin));
          }
          return result;
        }
      },
      view.plan.banks[place.bank]);
}

// The same, to the power of its block.
inline Marginal marginal_of(const View& view, int feature, double origin) {
  Marginal marginal = density_of(view, feature, origin);
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (view.tempering && own >= 0) raise(marginal, power_at(view, place_of(view.plan, own)));
  return marginal;
}

inline Normals normals_of(const View& view, int feature, double origin) {
  const Marginal marginal = density_of(view, feature, origin);
  const auto* normals = std::get_if<Normals>(&marginal);
  require(normals != nullptr, "a feature that is no sum of normals");
  return *normals;
}

// The origin of the coordinates of a feature, from the first possible class.
inline double origin_of(const View& world, int feature) {
  const auto found =
      std::find_if(world.prior.begin(), world.prior.end(), [](double p) { return p > 0; });
  if (found == world.prior.end()) return 0;
  const auto k = static_cast<std::size_t>(found - world.prior.begin());
  return std::visit([k](const auto& of) { return origin_of(of.classes[k]); },
                    marginal_of(world, feature, 0));
}

// Two features that are independent given the class.
inline Plane plane_of_normals(const Normals& x, const Normals& y) {
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

// Two members of a normal.
inline PlaneTerm plane_term(const MultivariateGaussian::Parameters& p,
                            const NormalBlock::Term& term, const std::array<int, 2>& members,
                            const Eigen::Vector2d& origin) {
  const Matrix& u = p.factor_of(term.at);
  Matrix columns(u.rows(), 2);
  Eigen::Vector2d mean;
  for (int i = 0; i < 2; ++i) {
    columns.col(i) = u.col(members[i]);
    mean[i] = (p.mean(term.at, members[i]) - origin[i]) + p.mean_low(term.at, members[i]);
  }
  return {term.log_weight, mean, triangle_of_rows(columns)};
}

// Two numeric features. They are independent given the class unless they share a block, whose
// density is a sum of normals.
inline Plane plane_of(const View& view, int first, int second, const Eigen::Vector2d& origin) {
  const auto line = [&](int feature, double from) {
    return std::get<Normals>(marginal_of(view, feature, from));
  };
  Plane plane = plane_of_normals(line(first, origin[0]), line(second, origin[1]));
  const int i = view.feature[static_cast<std::size_t>(first)];
  const int j = view.feature[static_cast<std::size_t>(second)];
  if (i < 0 || j < 0) return plane;
  const Place at = place_of(view.plan, i), beside = place_of(view.plan, j);
  const NormalBlock block = normal_block(view.plan.banks[at.bank], view.parameters[at.bank]);
  if (!block.normals || at.bank != beside.bank) return plane;
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    plane.classes[k].clear();
    for (const auto& term : block.terms_of(static_cast<int>(k))) {
      plane.classes[k].push_back(
          plane_term(*block.normals, term, {at.member, beside.member}, origin));
    }
    if (view.tempering) raise(plane.classes[k], power_at(view, at));
  }
  return plane;
}

}  // namespace bayesrisk

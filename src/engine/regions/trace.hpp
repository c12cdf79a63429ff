#pragma once

#include <engine/decision/ranking.hpp>
#include <engine/regions/action_pairs.hpp>

namespace bayesrisk {

struct Window {
  Eigen::Vector2d low, high;

  bool holds(const Eigen::Vector2d& z) const {
    // Rounding may push a point of the frame out of it.
    const Eigen::Vector2d room = 1e-9 * (high - low);
    return ((z - low + room).array() >= 0).all() && ((high + room - z).array() >= 0).all();
  }
};

// Whether a point at which two actions cost the same is one at which nothing is cheaper.
class Contenders {
 public:
  Contenders(const Plane& plane, const Vector& log_prior, const Cost& cost)
      : plane_(plane), log_prior_(log_prior), cost_(cost), expected_(cost) {}

  bool win(const ActionPair& pair, const Eigen::Vector2d& z) const {
    const auto classes = static_cast<Index>(log_prior_.size());
    Eigen::VectorXd log_joint = Eigen::VectorXd::Constant(classes, kNegativeInfinity);
    Eigen::VectorXd posterior, expected;
    for (Index k = 0; k < classes; ++k) {
      const double log_prior = log_prior_[static_cast<std::size_t>(k)];
      if (log_prior == kNegativeInfinity) continue;
      for (const PlaneTerm& term : plane_.classes[static_cast<std::size_t>(k)]) {
        log_joint[k] = log_add(log_joint[k], log_prior + log_density(term, z));
      }
    }
    posterior_of(log_joint, posterior);
    expected_.evaluate(posterior, log_joint, expected);
    const double contested = std::min(expected[pair.first], expected[pair.second]);
    const double band =
        kSame * cost_.of.array().isFinite().select(cost_.of, 0.0).cwiseAbs().maxCoeff();
    return expected.minCoeff() >= contested - band;
  }

 private:
  static constexpr double kSame = 1e-9;

  static double log_density(const PlaneTerm& term, const Eigen::Vector2d& z) {
    const Eigen::Vector2d u =
        term.factor.transpose().triangularView<Eigen::Lower>().solve(z - term.mean);
    return term.log_weight - 0.5 * u.squaredNorm() -
           std::log(std::abs(term.factor.diagonal().prod()));
  }

  const Plane& plane_;
  const Vector& log_prior_;
  const Cost& cost_;
  ExpectedCost expected_;
};

using Polyline = std::vector<Eigen::Vector2d>;

// The part of a boundary that is seen in a window and decides there, as lines from
// point to point: points are where it meets `size` upright and `size` level lines.
class BoundaryTracer {
 public:
  BoundaryTracer(const ActionPair& pair, const Contenders& contenders, const Window& window)
      : pair_(pair), contenders_(contenders), window_(window), boundary_(*pair.boundary()) {}

  std::vector<Polyline> trace(int size) {
    std::vector<Place> places = meetings(size);
    const bool closed =
        boundary_.kind() == ConicKind::ellipse || boundary_.kind() == ConicKind::circle;
    // It may be smaller than what is between two upright lines.
    for (int i = 0; closed && i < 100; ++i)
      keep(boundary_.point({0, kTurn * (0.01 * i - 0.5)}), places);
    std::sort(places.begin(), places.end());
    if (closed && !places.empty()) places.push_back({0, places[0].along + kTurn});
    for (std::size_t i = 1; i < places.size(); ++i) add(places[i - 1], places[i]);
    end();
    return std::move(lines_);
  }

 private:
  using Place = Boundary::Place;

  static constexpr double kTurn = 6.28318530717958647693;

  void keep(const Eigen::Vector2d& z, std::vector<Place>& places) const {
    if (window_.holds(z)) places.push_back(boundary_.place(z));
  }

  std::vector<Place> meetings(int size) const {
    std::vector<Place> places;
    const Conic& upright = boundary_.conic();
    const Conic level = transposed(upright);
    for (int i = 0; i < size; ++i) {
      const double share = i / (size - 1.0);
      const Eigen::Vector2d at = (1 - share) * window_.low + share * window_.high;
      for (double y : y_where_zero(upright, at[0])) keep({at[0], y}, places);
      for (double x : y_where_zero(level, at[1])) keep({x, at[1]}, places);
    }
    return places;
  }

  bool wins(const Place& place) const { return contenders_.win(pair_, boundary_.point(place)); }

  void add(const Place& from, const Place& to) {
    const double middle = 0.5 * (from.along + to.along);
    if (from.branch != to.branch || !window_.holds(boundary_.point({from.branch, middle}))) {
      return end();
    }
    const bool begins = wins(from), goes_on = wins(to);
    if (!begins && !goes_on) return end();
    if (line_.empty()) line_.push_back(boundary_.point(begins ? from : last_winning(to, from)));
    line_.push_back(boundary_.point(goes_on ? to : last_winning(from, to)));
    if (!goes_on) end();
  }

  Place last_winning(Place winning, const Place& losing) const {
    double beyond = losing.along;
    for (int i = 0; i < 40; ++i) {
      const Place middle{winning.branch, 0.5 * (winning.along + beyond)};
      (wins(middle) ? winning.along : beyond) = middle.along;
    }
    return winning;
  }

  void end() {
    if (line_.size() > 1) lines_.push_back(std::move(line_));
    line_.clear();
  }

  const ActionPair& pair_;
  const Contenders& contenders_;
  Window window_;
  Boundary boundary_;
  Polyline line_;
  std::vector<Polyline> lines_;
};

}  // namespace bayesrisk

#include <engine/core/decompositions.hpp>
#include <engine/regions/action_pairs.hpp>
#include <engine/regions/conic.hpp>

namespace bayesrisk {

Vector real_roots(double a, double b, double c) {
  if (a == 0) return b == 0 ? Vector() : Vector{-c / b};
  const double discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return {};
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  Vector roots{q / a, q == 0 ? 0.0 : c / q};
  if (!std::isfinite(roots[0])) roots.erase(roots.begin());  // a is almost 0
  std::sort(roots.begin(), roots.end());
  return roots;
}

Vector x_of_turns(const Conic& f) {
  if (f.yy == 0 && f.xy == 0 && f.y == 0) return real_roots(f.xx, f.x, f.constant);
  return real_roots(f.xy * f.xy - 4 * f.xx * f.yy, 2 * f.xy * f.y - 4 * f.yy * f.x,
                    f.y * f.y - 4 * f.yy * f.constant);
}

Conic moved(const Conic& f, const Eigen::Vector2d& by) {
  const double x = sum_of(f.x, 2 * f.xx * by[0], f.xy * by[1]);
  const double y = sum_of(f.y, 2 * f.yy * by[1], f.xy * by[0]);
  return {f.xx, f.xy, f.yy, x, y, f.at(by)};
}

const char* to_string(ConicKind kind) {
  switch (kind) {
    case ConicKind::none: return "none";
    case ConicKind::everywhere: return "everywhere";
    case ConicKind::line: return "line";
    case ConicKind::crossing_lines: return "crossing lines";
    case ConicKind::parallel_lines: return "parallel lines";
    case ConicKind::circle: return "circle";
    case ConicKind::ellipse: return "ellipse";
    case ConicKind::parabola: return "parabola";
    case ConicKind::hyperbola: return "hyperbola";
  }
  return "unknown";  // for compilers that do not see that the list is complete
}

Boundary::Boundary(const PlaneTerm& first, const PlaneTerm& second) : mean_(first.mean) {
  const auto whiten = first.factor.transpose().triangularView<Eigen::Lower>();
  const Eigen::Matrix2d spread = whiten.solve(second.factor.transpose().eval());
  const LeftSingular axes = left_singular(spread);
  to_u_ = axes.vectors.transpose() * whiten.solve(Eigen::Matrix2d::Identity().eval());
  const Eigen::Vector2d distance = to_u_ * (second.mean - first.mean);
  const double log_weight = 2 * (second.log_weight - first.log_weight);
  rest_ = log_weight;
  rest_size_ = 1 + std::abs(log_weight);
  for (int i = 0; i < 2; ++i) add_axis(i, distance, axes.values[i]);
  kind_ = classify();
  conic_ = difference(first, second);
  if (kind_ == ConicKind::ellipse && is_circle()) kind_ = ConicKind::circle;
}

std::vector<StraightLine> Boundary::lines() const {
  switch (kind_) {
    case ConicKind::line: return {line(slope_, rest_)};
    case ConicKind::crossing_lines: {
      const double other = std::sqrt(std::abs(square_[1] / square_[0]));
      return {line_through(center_, {1, other}), line_through(center_, {1, -other})};
    }
    case ConicKind::parallel_lines: {
      const int i = curved_axis();
      const double half = std::sqrt(-rest_ / square_[i]);
      const Eigen::Vector2d normal = Eigen::Vector2d::Unit(i);
      return {line(normal, -center_[i] - half), line(normal, -center_[i] + half)};
    }
    default: return {};
  }
}

void Boundary::add_axis(int i, const Eigen::Vector2d& distance, double sd) {
  const double log_sd = 2 * std::log(sd), variance = sd * sd, d = distance[i];
  rest_ -= log_sd;
  rest_size_ += std::abs(log_sd);
  double part;
  if (std::abs(variance - 1) > kNothing * (variance + 1)) {
    square_[i] = (variance - 1) / variance;
    center_[i] = -d / (variance - 1);
    part = d * d / (variance - 1);
  } else {
    slope_[i] = std::abs(d) > kNothing * (1 + distance.norm()) ? 2 * d : 0.0;
    part = d * d;
  }
  rest_ -= part;
  rest_size_ += std::abs(part);
}

ConicKind Boundary::classify() {
  if (std::abs(rest_) <= kNothing * rest_size_) rest_ = 0;
  const double product = square_[0] * square_[1];
  if (product < 0) return rest_ == 0 ? ConicKind::crossing_lines : ConicKind::hyperbola;
  if (product > 0) return rest_ * square_[0] < 0 ? ConicKind::ellipse : ConicKind::none;
  const bool curved = square_[0] != 0 || square_[1] != 0, sloped = slope_.squaredNorm() > 0;
  if (curved && sloped) return ConicKind::parabola;
  if (sloped) return ConicKind::line;
  if (!curved) return rest_ == 0 ? ConicKind::everywhere : ConicKind::none;
  return rest_ * square_[curved_axis()] < 0 ? ConicKind::parallel_lines : ConicKind::none;
}

StraightLine Boundary::line(const Eigen::Vector2d& slope, double constant) const {
  Eigen::Vector2d normal;
  for (int j : {0, 1}) {
    normal[j] = sum_of(to_u_(0, j) * slope[0], to_u_(1, j) * slope[1], 0);
  }
  const double length = normal.norm();
  return moved(StraightLine{normal / length, constant / length}, -mean_);
}

Conic Boundary::difference(const PlaneTerm& first, const PlaneTerm& second) {
  Vector parts[2];
  const PlaneTerm* terms[2] = {&first, &second};
  for (int t = 0; t < 2; ++t) {
    const Eigen::Matrix2d w = terms[t]->factor.transpose().triangularView<Eigen::Lower>().solve(
        Eigen::Matrix2d::Identity().eval());
    const Eigen::Matrix2d a = w.transpose() * w;
    const Eigen::Vector2d b = -2 * a * terms[t]->mean;
    const double log_size = std::log(std::abs(terms[t]->factor.diagonal().prod()));
    parts[t] = {
        a(0, 0), 2 * a(0, 1),
        a(1, 1), b[0],
        b[1],    (w * terms[t]->mean).squaredNorm() + 2 * (log_size - terms[t]->log_weight)};
  }
  double d[6];
  for (int i = 0; i < 6; ++i) {
    const double size = std::abs(parts[0][i]) + std::abs(parts[1][i]);
    d[i] = parts[0][i] - parts[1][i];
    if (std::abs(d[i]) <= 1e-14 * size) d[i] = 0;
  }
  return {d[0], d[1], d[2], d[3], d[4], d[5]};
}

ActionPair compare_actions(const Plane& plane, const Vector& log_prior, const Cost& cost, int first,
                           int second) {
  std::vector<PlaneTerm> sides[2];
  bool infinite[2] = {false, false};
  for (std::size_t k = 0; k < plane.classes.size(); ++k) {
    if (log_prior[k] == kNegativeInfinity) continue;
    const double costs[2] = {cost.of(first, static_cast<Index>(k)),
                             cost.of(second, static_cast<Index>(k))};
    for (int i : {0, 1}) infinite[i] = infinite[i] || std::isinf(costs[i]);
    const double saved = costs[1] - costs[0];
    if (!(std::abs(saved) > 0) || std::isinf(saved)) continue;
    for (PlaneTerm term : plane.classes[k]) {
      term.log_weight += log_prior[k] + std::log(std::abs(saved));
      sides[saved > 0 ? 0 : 1].push_back(term);
    }
  }
  using Contest = ActionPair::Contest;
  if (infinite[0] || infinite[1]) {
    return {first, second, infinite[0] && infinite[1] ? Contest::tied : Contest::settled, {}};
  }
  if (sides[0].empty() && sides[1].empty()) return {first, second, Contest::tied, {}};
  if (sides[0].empty() || sides[1].empty()) return {first, second, Contest::settled, {}};
  if (sides[0].size() > 1 || sides[1].size() > 1) return {first, second, Contest::contour, {}};
  return {first, second, Contest::conic, {sides[0][0], sides[1][0]}};
}

std::vector<ActionPair> compare_actions(const Plane& plane, const Vector& log_prior,
                                        const Cost& cost) {
  std::vector<ActionPair> pairs;
  for (int a = 0; a < cost.actions(); ++a) {
    for (int b = a + 1; b < cost.actions(); ++b) {
      pairs.push_back(compare_actions(plane, log_prior, cost, a, b));
    }
  }
  return pairs;
}

Eigen::Vector2d reported_origin(const Plane& plane, const Vector& log_prior,
                                const Eigen::Vector2d& origin) {
  constexpr double kFar = 1e4;
  Eigen::Vector2d spread = Eigen::Vector2d::Zero();
  for (std::size_t k = 0; k < plane.classes.size(); ++k) {
    if (log_prior[k] == kNegativeInfinity) continue;
    for (const PlaneTerm& term : plane.classes[k]) {
      spread = spread.cwiseMax(term.factor.colwise().norm().transpose());
    }
  }
  return (origin.cwiseAbs().array() > kFar * spread.array()).select(origin, 0.0);
}

}  // namespace bayesrisk

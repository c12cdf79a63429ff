#pragma once

#include <engine/core/log_math.hpp>
#include <engine/marginal/plane.hpp>

namespace bayesrisk {

// xx x^2 + xy x y + yy y^2 + x x + y y + constant.
struct Conic {
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0, constant = 0;

  double at(const Eigen::Vector2d& z) const {
    return (xx * z[0] + xy * z[1] + x) * z[0] + (yy * z[1] + y) * z[1] + constant;
  }
};

// The real roots of a t^2 + b t + c, in ascending order; none if a and b are 0.
inline Vector real_roots(double a, double b, double c) {
  if (a == 0) return b == 0 ? Vector() : Vector{-c / b};
  const double discriminant = b * b - 4 * a * c;
  if (!(discriminant >= 0)) return {};
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  Vector roots{q / a, q == 0 ? 0.0 : c / q};
  if (!std::isfinite(roots[0])) roots.erase(roots.begin());  // a is almost 0
  std::sort(roots.begin(), roots.end());
  return roots;
}

// The values of x at which the number of zeros of f(x, .) changes.
inline Vector x_of_turns(const Conic& f) {
  if (f.yy == 0 && f.xy == 0 && f.y == 0) return real_roots(f.xx, f.x, f.constant);
  return real_roots(f.xy * f.xy - 4 * f.xx * f.yy, 2 * f.xy * f.y - 4 * f.yy * f.x,
                    f.y * f.y - 4 * f.yy * f.constant);
}

// a + b + c, or 0 if the sum is only rounding error.
inline double sum_of(double a, double b, double c) {
  const double total = a + b + c, size = std::abs(a) + std::abs(b) + std::abs(c);
  return std::abs(total) <= 1e-14 * size ? 0.0 : total;
}

// The conic whose value at z is f(z + by).
inline Conic moved(const Conic& f, const Eigen::Vector2d& by) {
  const double x = sum_of(f.x, 2 * f.xx * by[0], f.xy * by[1]);
  const double y = sum_of(f.y, 2 * f.yy * by[1], f.xy * by[0]);
  return {f.xx, f.xy, f.yy, x, y, f.at(by)};
}

// normal . z + constant = 0, the normal of length 1.
struct StraightLine {
  Eigen::Vector2d normal;
  double constant;
};

inline StraightLine moved(const StraightLine& line, const Eigen::Vector2d& by) {
  return {line.normal, sum_of(line.constant, line.normal[0] * by[0], line.normal[1] * by[1])};
}

enum class ConicKind {
  none,        // no zeros, or a point or a line at which the sign does not change
  everywhere,  // zero everywhere
  line,
  crossing_lines,
  parallel_lines,
  circle,
  ellipse,
  parabola,
  hyperbola
};

inline const char* to_string(ConicKind kind) {
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

// The points where two weighted normals are equal: the zeros of
//   f = -2 log(weight1 N1) + 2 log(weight2 N2),
// which is negative where the first is larger. The kind of the curve is determined in coordinates
// u. In these coordinates the first normal has covariance I and the second a diagonal covariance,
// so neither the units of the features nor their correlation matter. f is the sum of a constant,
// `rest`, and of a term for each axis:
//   square (u - center)^2   or, if both normals have the same spread there,   slope u.
// A part counts as 0 if it is below 1e-10 of its summands.
class Boundary {
 public:
  Boundary(const PlaneTerm& first, const PlaneTerm& second) : mean_(first.mean) {
    const auto whiten = first.factor.transpose().triangularView<Eigen::Lower>();
    const Eigen::Matrix2d spread = whiten.solve(second.factor.transpose().eval());
    const Eigen::JacobiSVD<Eigen::Matrix2d> axes(spread, Eigen::ComputeFullU);
    to_u_ = axes.matrixU().transpose() * whiten.solve(Eigen::Matrix2d::Identity().eval());
    const Eigen::Vector2d distance = to_u_ * (second.mean - first.mean);
    const double log_weight = 2 * (second.log_weight - first.log_weight);
    rest_ = log_weight;
    rest_size_ = 1 + std::abs(log_weight);
    for (int i = 0; i < 2; ++i) add_axis(i, distance, axes.singularValues()[i]);
    kind_ = classify();
    conic_ = difference(first, second);
    if (kind_ == ConicKind::ellipse && is_circle()) kind_ = ConicKind::circle;
  }

  ConicKind kind() const { return kind_; }
  const Conic& conic() const { return conic_; }

  // The straight lines of which the boundary consists; none if it is curved.
  std::vector<StraightLine> lines() const {
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

 private:
  static constexpr double kNothing = 1e-10;

  // Adds (u_i)^2 - (u_i - distance)^2 / sd^2 - 2 log sd to f.
  void add_axis(int i, const Eigen::Vector2d& distance, double sd) {
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

  ConicKind classify() {
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

  int curved_axis() const { return square_[0] != 0 ? 0 : 1; }

  StraightLine line(const Eigen::Vector2d& slope, double constant) const {
    Eigen::Vector2d normal;
    for (int j : {0, 1}) {
      normal[j] = sum_of(to_u_(0, j) * slope[0], to_u_(1, j) * slope[1], 0);
    }
    const double length = normal.norm();
    return moved(StraightLine{normal / length, constant / length}, -mean_);
  }
  StraightLine line_through(const Eigen::Vector2d& u, const Eigen::Vector2d& slope) const {
    return line(slope, -slope.dot(u));
  }

  // f in the coordinates of the features.
  static Conic difference(const PlaneTerm& first, const PlaneTerm& second) {
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

  bool is_circle() const {
    const double size = std::abs(conic_.xx) + std::abs(conic_.yy);
    return std::abs(conic_.xx - conic_.yy) + std::abs(conic_.xy) <= kNothing * size;
  }

  Eigen::Vector2d mean_;
  Eigen::Matrix2d to_u_;
  Eigen::Vector2d square_ = Eigen::Vector2d::Zero(), center_ = Eigen::Vector2d::Zero(),
                  slope_ = Eigen::Vector2d::Zero();
  double rest_, rest_size_;
  ConicKind kind_;
  Conic conic_;
};

}  // namespace bayesrisk

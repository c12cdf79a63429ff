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
Vector real_roots(double a, double b, double c);

// The values of x at which the number of zeros of f(x, .) changes.
Vector x_of_turns(const Conic& f);

// a + b + c, or 0 if the sum is only rounding error.
inline double sum_of(double a, double b, double c) {
  const double total = a + b + c, size = std::abs(a) + std::abs(b) + std::abs(c);
  return std::abs(total) <= 1e-14 * size ? 0.0 : total;
}

// The conic whose value at z is f(z + by).
Conic moved(const Conic& f, const Eigen::Vector2d& by);

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

const char* to_string(ConicKind kind);

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
  Boundary(const PlaneTerm& first, const PlaneTerm& second);

  ConicKind kind() const { return kind_; }
  const Conic& conic() const { return conic_; }

  // The straight lines of which the boundary consists; none if it is curved.
  std::vector<StraightLine> lines() const;

 private:
  static constexpr double kNothing = 1e-10;

  // Adds (u_i)^2 - (u_i - distance)^2 / sd^2 - 2 log sd to f.
  void add_axis(int i, const Eigen::Vector2d& distance, double sd);

  ConicKind classify();

  int curved_axis() const { return square_[0] != 0 ? 0 : 1; }

  StraightLine line(const Eigen::Vector2d& slope, double constant) const;
  StraightLine line_through(const Eigen::Vector2d& u, const Eigen::Vector2d& slope) const {
    return line(slope, -slope.dot(u));
  }

  // f in the coordinates of the features.
  static Conic difference(const PlaneTerm& first, const PlaneTerm& second);

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

#include <engine/core/log_math.hpp>
#include <engine/evaluation/odds_before.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bayesrisk {

namespace {

// The distance of the outermost points.
constexpr double kReach = 8;

constexpr double kLeast = 1e-280;

// The points are at the middle plus step * sinh(i * growth) / growth.
double growth_of(double step, double half) {
  double low = 1e-9, high = 2;
  for (int i = 0; i < 100; ++i) {
    const double growth = (low + high) / 2;
    (step / growth * std::sinh(half * growth) < kReach ? low : high) = growth;
  }
  return low;
}

// The parabola through three points.
double parabola(const double* x, const double* y, double at) {
  const double a = (at - x[0]) / (x[1] - x[0]), left = y[0] + a * (y[1] - y[0]);
  const double b = (at - x[1]) / (x[2] - x[1]), right = y[1] + b * (y[2] - y[1]);
  return left + (at - x[0]) / (x[2] - x[0]) * (right - left);
}

}  // namespace

double OddsGrid::largest_step(Index half) { return kReach / static_cast<double>(half); }

OddsGrid::OddsGrid(double middle, double step, Index half) {
  const double growth = growth_of(step, static_cast<double>(half));
  for (Index i = -half; i <= half; ++i) {
    const double place = static_cast<double>(i) * growth;
    log_ratio.push_back(middle + step / growth * std::sinh(place));
    width.push_back(step * std::cosh(place));
  }
}

void OddsBefore::start(const OddsGrid& grid, const Vector& log_density, double step, int side) {
  *at_.step = step;
  at_.ratio[0] = 1;
  at_.probability[0] = 0;
  write(grid, log_density, 1);
  for (Index i = 1; i < at_.points && side != 0; ++i) {
    if ((at_.ratio[i] - 1) * side > 0) continue;
    at_.probability[0] += at_.probability[i];
    at_.probability[i] = 0;
  }
}

void OddsBefore::write(const OddsGrid& grid, const Vector& log_density, double mass) {
  const double most = *std::max_element(log_density.begin(), log_density.end());
  double total = 0;
  for (std::size_t i = 0; i < log_density.size(); ++i) {
    at_.ratio[i + 1] = std::exp(grid.log_ratio[i]);
    at_.probability[i + 1] = grid.width[i] * std::exp(log_density[i] - most);
    total += at_.probability[i + 1];
  }
  for (Index i = 1; i < at_.points; ++i) at_.probability[i] *= mass / total;
}

void OddsBefore::refine() {
  // The points of probability 0 are on the wrong side.
  Vector x, mass;
  for (Index i = 1; i < at_.points; ++i) {
    if (!(at_.probability[i] > 0)) continue;
    x.push_back(std::log(at_.ratio[i]));
    mass.push_back(at_.probability[i]);
  }
  const std::size_t count = x.size();
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  if (count < 3 || !(total > 0)) return;
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < count; ++i) mean += mass[i] / total * x[i];
  for (std::size_t i = 0; i < count; ++i) square += mass[i] / total * (x[i] - mean) * (x[i] - mean);
  const double sd = std::sqrt(square);
  if (!(sd < *at_.step)) return;
  const double step = std::max(sd, *at_.step) / 2;
  Vector y;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t low = i > 0 ? i - 1 : 0, high = std::min(i + 1, count - 1);
    y.push_back(std::log(mass[i]) - std::log((x[high] - x[low]) / static_cast<double>(high - low)));
  }
  const OddsGrid grid(mean, step, (at_.points - 2) / 2);
  const bool one_side = at_.probability[0] > 0, larger = x[0] > 0;
  Vector log_density;
  for (double at : grid.log_ratio) {
    const auto next = std::lower_bound(x.begin(), x.end(), at) - x.begin();
    const Index from = std::clamp<Index>(next - 1, 0, static_cast<Index>(count) - 3);
    const bool wrong = one_side && (larger ? at <= 0 : at >= 0);
    log_density.push_back(wrong ? kNegativeInfinity : parabola(&x[from], &y[from], at));
  }
  *at_.step = step;
  write(grid, log_density, total);
}

}  // namespace bayesrisk

#pragma once

#include <engine/charge/line_risk.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// Values of a feature at which a rule of unknown make is looked at, in increasing order,
// and the largest probability between two neighbours: what may be missed there.
struct RuleGrid {
  Vector x;
  double gap = 0;
  double step = 0;  // between values that are met; infinite: there are none but those of x
};

// In the range where a class has its mass equally many of each normal and evenly along
// it, and a few in the tails as far as a double tells them from 0.
inline void add_points(const std::vector<NormalTerm>& terms, int each, RuleGrid& grid) {
  constexpr double kBody = 4, kFarthest = 38;
  for (const NormalTerm& term : terms) {
    for (int i = 0; i <= each; ++i) {
      grid.x.push_back(term.mean + kBody * (2.0 * i / each - 1) * term.sd);
    }
    for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
      grid.x.push_back(term.mean + z * term.sd);
      grid.x.push_back(term.mean - z * term.sd);
    }
  }
}

// Evenly along each bin.
inline void add_points(const Steps::OfClass& steps, int each, RuleGrid& grid) {
  const Vector& edges = steps.edges;
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    const double width = edges[b + 1] - edges[b];
    for (int i = 0; i < each; ++i) grid.x.push_back(edges[b] + (i + 0.5) / each * width);
  }
}

// All counts that a class has, unless there are too many.
inline void add_points(double rate, int each, RuleGrid& grid) {
  const double reach = 10 * std::sqrt(rate) + 40, first = std::max(0.0, std::floor(rate - reach));
  const double step = std::ceil((rate + reach - first) / each);
  for (double x = first; x <= rate + reach; x += step) grid.x.push_back(x);
}

inline void add_points(const Atoms::OfClass& atoms, int, RuleGrid& grid) {
  grid.x.insert(grid.x.end(), atoms.value.begin(), atoms.value.end());
}

inline std::size_t parts_of(const std::vector<NormalTerm>& terms) { return terms.size(); }
inline std::size_t parts_of(const Steps::OfClass& steps) { return steps.log_probability.size(); }
inline std::size_t parts_of(const Atoms::OfClass&) { return 1; }
inline std::size_t parts_of(double) { return 1; }

inline double step_of(const Marginal& world) {
  if (std::holds_alternative<Counts>(world)) return 1;
  return std::holds_alternative<Atoms>(world) ? kInfinity : 0;
}

// Of the values between two points of the grid, not of the points themselves.
inline double largest_gap(const Marginal& world, const Vector& log_prior, const RuleGrid& grid) {
  Regions gaps;
  for (double x : grid.x) {
    gaps.cut.push_back(x);
    if (grid.step > 0) gaps.cut.push_back(std::nextafter(x, kInfinity));
  }
  gaps.decision.resize(gaps.cut.size() + 1);
  std::iota(gaps.decision.begin(), gaps.decision.end(), 0);
  Matrix table =
      Matrix::Zero(static_cast<Index>(log_prior.size()), static_cast<Index>(gaps.decision.size()));
  add_probabilities(world, log_prior, gaps, table);
  const Eigen::RowVectorXd probability = table.colwise().sum();
  double largest = 0;
  const Index every = grid.step > 0 ? 2 : 1;
  for (Index i = 0; i < probability.size(); i += every) largest = std::max(largest, probability[i]);
  return largest;
}

// About `points` in all.
inline RuleGrid rule_grid(const Marginal& world, const Vector& log_prior, int points) {
  RuleGrid grid;
  grid.step = step_of(world);
  std::visit(
      [&](const auto& of) {
        const auto& classes = classes_of(of);
        std::size_t parts = 0;
        for (const auto& of_class : classes) parts += parts_of(of_class);
        const auto most = static_cast<std::size_t>(points);
        const auto each = static_cast<int>(std::max(std::size_t{16}, most / parts));
        for (std::size_t k = 0; k < classes.size(); ++k) {
          if (log_prior[k] > kNegativeInfinity) add_points(classes[k], each, grid);
        }
      },
      world);
  std::sort(grid.x.begin(), grid.x.end());
  grid.x.erase(std::unique(grid.x.begin(), grid.x.end()), grid.x.end());
  grid.gap = largest_gap(world, log_prior, grid);
  return grid;
}

}  // namespace bayesrisk

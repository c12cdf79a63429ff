#pragma once

#include <bayesrisk/likelihood/registry.hpp>
#include <bayesrisk/model/fit.hpp>

namespace bayesrisk {

// A normal feature of two classes, in units in which the first is N(0, 1).
struct NormalPair {
  double distance, sd;
};

// Events that have the same two probabilities: how many, as a log.
struct EventPair {
  double log_first, log_second, log_count = 0;
};

// How two classes overlap: the integral of p^s q^(1 - s), p the density of the
// first class. It is a product over independent parts.
struct Overlap {
  std::vector<NormalPair> normals;
  std::vector<std::vector<EventPair>> tables;
  bool known = true;  // false with a likelihood that has no closed form

  // For s from 0 to 1; at the ends the limit, which counts only what is
  // possible in both classes.
  double log_at(double s) const {
    double total = 0;
    for (const NormalPair& pair : normals) {
      const double spread = s * (pair.sd - 1) * (pair.sd + 1);
      total += s * std::log(pair.sd) - 0.5 * std::log1p(spread) -
               0.5 * s * (1 - s) * pair.distance * pair.distance / (1 + spread);
    }
    for (const std::vector<EventPair>& table : tables) {
      double sum = kNegativeInfinity;
      for (const EventPair& event : table) {
        if (event.log_first == kNegativeInfinity || event.log_second == kNegativeInfinity) continue;
        sum = log_add(sum, s * event.log_first + (1 - s) * event.log_second + event.log_count);
      }
      total += sum;
    }
    return total;
  }

  // Squared Mahalanobis distance of the means of the numeric features, under the
  // covariance p S1 + (1 - p) S2; NaN without one.
  double squared_distance(double p) const {
    if (normals.empty()) return kNaN;
    double total = 0;
    for (const NormalPair& pair : normals) {
      total += pair.distance * pair.distance / (p + (1 - p) * pair.sd * pair.sd);
    }
    return total;
  }
};

// Collects the overlap of a model's two classes, bank by bank.
struct OverlapCollector {
  Overlap& overlap;

  void operator()(const Gaussian::Plan&, const Gaussian::Parameters& p) {
    for (Index j = 0; j < p.mean.cols(); ++j) {
      const double between = (p.mean(1, j) - p.mean(0, j)) + (p.mean_low(1, j) - p.mean_low(0, j));
      overlap.normals.push_back({between / p.sd(0, j), p.sd(1, j) / p.sd(0, j)});
    }
  }

  // In the axes in which both covariances are diagonal a block falls into parts.
  void operator()(const MultivariateGaussian::Plan&, const MultivariateGaussian::Parameters& p) {
    const auto whiten = p.factor_of(0).transpose().triangularView<Eigen::Lower>();
    const Eigen::VectorXd between =
        (p.mean.row(1) - p.mean.row(0)) + (p.mean_low.row(1) - p.mean_low.row(0));
    const Matrix second = whiten.solve(p.factor_of(1).transpose());
    const Eigen::JacobiSVD<Matrix> axes(second, Eigen::ComputeFullU);
    const Eigen::VectorXd distance = axes.matrixU().transpose() * whiten.solve(between);
    for (Index j = 0; j < distance.size(); ++j) {
      overlap.normals.push_back({distance[j], axes.singularValues()[j]});
    }
  }

  void operator()(const Categorical::Plan& plan, const Categorical::Parameters& p) {
    Index column = 0;
    for (int count : plan.levels) {
      std::vector<EventPair> table;
      for (int level = 0; level < count; ++level, ++column) {
        table.push_back({p.log_probability(0, column), p.log_probability(1, column)});
      }
      overlap.tables.push_back(std::move(table));
    }
  }

  void operator()(const JointTable::Plan& plan, const JointTable::Parameters& p) {
    std::vector<EventPair> table;
    for (Index c = 0; c < p.cells.rows(); ++c) {
      table.push_back({p.log_probability(0, c), p.log_probability(1, c)});
    }
    const double unseen = plan.cells() - static_cast<double>(p.cells.rows());
    if (unseen > 0) table.push_back({p.log_unseen[0], p.log_unseen[1], std::log(unseen)});
    overlap.tables.push_back(std::move(table));
  }

  template <class Plan, class Parameters>
  void operator()(const Plan&, const Parameters&) {
    overlap.known = false;
  }
};

inline Overlap compare_classes(const ModelPlan& plan, const std::vector<AnyParameters>& banks) {
  require(plan.groups == 2, "bounds: not two classes");
  Overlap overlap;
  OverlapCollector collector{overlap};
  for (std::size_t b = 0; b < banks.size(); ++b) {
    std::visit(
        [&](const auto& of) { collector(of, std::get<ParametersOf<decltype(of)>>(banks[b])); },
        plan.banks[b]);
  }
  return overlap;
}

// What the error of the best rule lies between; NaN where it is not known.
struct RiskBounds {
  double bhattacharyya = kNaN, chernoff = kNaN, exponent = kNaN, mahalanobis = kNaN, lower = kNaN;
};

// Where a convex function of [0, 1] is least: 1/2 if nothing is less.
template <class Function>
double least_on_unit_interval(const Function& f) {
  constexpr double kGolden = 0.61803398874989484820;
  double low = 0, high = 1, left = 1 - kGolden, right = kGolden;
  double at_left = f(left), at_right = f(right);
  for (int i = 0; i < 60; ++i) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = f(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = f(right);
    }
  }
  double best = 0.5;
  for (double s : {0.0, 1.0, 0.5 * (low + high)}) {
    const double least = f(best), rounding = 1e-15 * std::max(1.0, std::abs(least));
    if (f(s) < least - rounding) best = s;
  }
  return best;
}

inline RiskBounds bound_risk(const Overlap& overlap, double first, double second) {
  RiskBounds bounds;
  if (!overlap.known) return bounds;
  const double product = first * second;
  bounds.mahalanobis = 2 * product / (1 + product * overlap.squared_distance(first));
  const auto log_chernoff = [&](double s) {
    return s * std::log(first) + (1 - s) * std::log(second) + overlap.log_at(s);
  };
  bounds.bhattacharyya = std::exp(log_chernoff(0.5));
  bounds.exponent = least_on_unit_interval(log_chernoff);
  bounds.chernoff = std::exp(log_chernoff(bounds.exponent));
  const double overlapping = 4 * bounds.bhattacharyya * bounds.bhattacharyya;
  bounds.lower = 0.5 * overlapping / (1 + std::sqrt(std::max(0.0, 1 - overlapping)));
  return bounds;
}

}  // namespace bayesrisk

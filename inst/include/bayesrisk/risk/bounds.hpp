#pragma once

#include <bayesrisk/risk/quadrature.hpp>
#include <bayesrisk/risk/world.hpp>

namespace bayesrisk {

// A normal feature of two classes, in units in which the first is N(0, 1).
struct NormalPair {
  double distance, sd;
};

// A feature of two classes, in each a sum of normals.
struct MixturePair {
  std::vector<NormalTerm> first, second;

  // As if both were normal.
  NormalPair moments() const {
    const auto [mean, sd] = moments_of(first);
    const auto [other_mean, other_sd] = moments_of(second);
    return {(other_mean - mean) / sd, other_sd / sd};
  }

  // Relative to the largest value met on the way, so that what is small keeps its digits.
  double log_at(double s) const {
    const auto log_value = [&](double x) {
      return s * log_density(first, x) + (1 - s) * log_density(second, x);
    };
    const Vector breaks = landmarks(s);
    double largest = kNegativeInfinity;
    for (double x : breaks) largest = std::max(largest, log_value(x));
    const auto add = [&](double x, Eigen::ArrayXd& value) {
      value[0] += std::exp(log_value(x) - largest);
    };
    Quadrature quadrature(add, 1);
    const double width = breaks.back() - breaks.front();
    return largest + std::log(quadrature.integrate(breaks, 1e-13 * width, 100000).value[0]);
  }

 private:
  // The integrand is at most a sum over pairs of terms, each a normal of its own.
  // Of terms that are close to each other one does for all, and so does one of landmarks.
  Vector landmarks(double s) const {
    Vector result;
    double narrowest = -kNegativeInfinity;
    for (const NormalTerm& f : spread_out(first)) {
      for (const NormalTerm& g : spread_out(second)) {
        const double a = s / (f.sd * f.sd), b = (1 - s) / (g.sd * g.sd);
        const double mean = f.mean + b / (a + b) * (g.mean - f.mean), sd = 1 / std::sqrt(a + b);
        narrowest = std::min(narrowest, sd);
        for (double z : {-9.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 9.0}) {
          result.push_back(mean + z * sd);
        }
      }
    }
    std::sort(result.begin(), result.end());
    const double near = 0.5 * narrowest, last = result.back();
    result.erase(keep_apart(result.begin(), result.end(),
                            [near](double x, double y) { return y - x < near; }),
                 result.end());
    if (result.back() < last) result.push_back(last);
    return result;
  }

  static std::vector<NormalTerm> spread_out(std::vector<NormalTerm> terms) {
    std::sort(terms.begin(), terms.end(), [](const NormalTerm& a, const NormalTerm& b) {
      return a.sd < b.sd || (a.sd == b.sd && a.mean < b.mean);
    });
    terms.erase(keep_apart(terms.begin(), terms.end(),
                           [](const NormalTerm& a, const NormalTerm& b) {
                             return a.sd == b.sd && b.mean - a.mean < 0.5 * a.sd;
                           }),
                terms.end());
    return terms;
  }

  // Moves those that are not close to the one kept before to the front. Returns their end.
  template <class Iterator, class Close>
  static Iterator keep_apart(Iterator begin, Iterator end, const Close& close) {
    Iterator kept = begin;
    for (Iterator next = begin + 1; next < end; ++next) {
      if (!close(*kept, *next)) *++kept = *next;
    }
    return kept + 1;
  }

  static double log_density(const std::vector<NormalTerm>& terms, double x) {
    const auto log_term = [x](const NormalTerm& term) {
      const double z = (x - term.mean) / term.sd;
      return term.log_weight - 0.5 * z * z - std::log(term.sd);
    };
    double largest = kNegativeInfinity, sum = 0;
    for (const NormalTerm& term : terms) largest = std::max(largest, log_term(term));
    if (largest == kNegativeInfinity) return largest;
    for (const NormalTerm& term : terms) sum += std::exp(log_term(term) - largest);
    return largest + std::log(sum) - kHalfLogTwoPi;
  }

  static std::pair<double, double> moments_of(const std::vector<NormalTerm>& terms) {
    double mean = 0, variance = 0;
    for (const NormalTerm& term : terms) mean += std::exp(term.log_weight) * term.mean;
    for (const NormalTerm& term : terms) {
      const double off = term.mean - mean;
      variance += std::exp(term.log_weight) * (term.sd * term.sd + off * off);
    }
    return {mean, std::sqrt(variance)};
  }
};

// Events that have the same two probabilities: how many, as a log.
struct EventPair {
  double log_first, log_second, log_count = 0;
};

// How two classes overlap: the integral of p^s q^(1 - s), p the density of the
// first class. It is a product over independent parts.
struct Overlap {
  std::vector<NormalPair> normals;
  std::vector<MixturePair> mixtures;
  std::vector<std::vector<EventPair>> tables;
  bool known = true;  // false with a likelihood whose integral is not known here

  // For s from 0 to 1; at the ends the limit, which counts only what is
  // possible in both classes.
  double log_at(double s) const {
    double total = 0;
    for (const NormalPair& pair : normals) {
      const double spread = s * (pair.sd - 1) * (pair.sd + 1);
      total += s * std::log(pair.sd) - 0.5 * std::log1p(spread) -
               0.5 * s * (1 - s) * pair.distance * pair.distance / (1 + spread);
    }
    for (const MixturePair& pair : mixtures) total += pair.log_at(s);
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
    std::vector<NormalPair> pairs = normals;
    for (const MixturePair& pair : mixtures) pairs.push_back(pair.moments());
    if (pairs.empty()) return kNaN;
    double total = 0;
    for (const NormalPair& pair : pairs) {
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

  void operator()(const Mixture::Plan& plan, const Mixture::Parameters& p) {
    for (int j = 0; j < plan.members(); ++j) add_normals(p, j);
  }

  void operator()(const Kernel::Plan&, const Kernel::Parameters& p) { add_normals(p, 0); }

  template <class Parameters>
  void add_normals(const Parameters& p, int member) {
    const double origin = normal_terms(p, 0, member, 0)[0].mean;
    overlap.mixtures.push_back(
        {normal_terms(p, 0, member, origin), normal_terms(p, 1, member, origin)});
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

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("bhattacharyya", self.bhattacharyya);
    visit("chernoff", self.chernoff);
    visit("exponent", self.exponent);
    visit("mahalanobis", self.mahalanobis);
    visit("lower", self.lower);
  }
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

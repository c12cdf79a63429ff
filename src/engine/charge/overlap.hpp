#pragma once

#include <engine/charge/quadrature.hpp>
#include <engine/marginal/density.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

// A normal feature of two classes, in units in which the first is N(0, 1).
struct NormalPair {
  double distance, sd;
};

// How far the means of a numeric feature of two classes are apart, and its variances.
struct MomentPair {
  double distance, first, second;
};

// In units of the first sd.
inline MomentPair compare_moments(const MeanAndSd& first, const MeanAndSd& second) {
  const double ratio = second.sd / first.sd;
  return {(second.mean - first.mean) / first.sd, 1, ratio * ratio};
}

// A feature of two classes, in each a sum of normals.
struct MixturePair {
  std::vector<NormalTerm> first, second;

  MomentPair moments() const { return compare_moments(moments_of(first), moments_of(second)); }

  // Relative to the largest value met on the way, so that what is small keeps its digits. Over
  // thousands of terms it would take minutes: NaN.
  double log_at(double s) const {
    if (std::max(first.size(), second.size()) > kMostTerms) return kNaN;
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
  static constexpr std::size_t kMostTerms = 1000;

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
    const double near = 0.5 * narrowest;
    result.erase(keep_apart(result.begin(), result.end(),
                            [near](double x, double y) { return y - x < near; }),
                 result.end());
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

  static MeanAndSd moments_of(const std::vector<NormalTerm>& terms) {
    double mean = 0, variance = 0;
    for (const NormalTerm& term : terms) mean += std::exp(term.log_weight) * term.mean;
    for (const NormalTerm& term : terms) {
      const double off = term.mean - mean;
      variance += std::exp(term.log_weight) * (term.sd * term.sd + off * off);
    }
    return {mean, std::sqrt(variance)};
  }
};

// A count of two classes, by its rates.
struct RatePair {
  double first, second;

  // -s first - (1 - s) second + first^s second^(1 - s), in steps from the second rate.
  double log_at(double s) const {
    if (first == 0 || second == 0) return -(s * first + (1 - s) * second);
    const double step = std::log(first) - std::log(second);
    return second * (std::expm1(s * step) - s * std::expm1(step));
  }
};

// Events that have the same two probabilities: how many, as a log. Of densities: over how
// wide a range.
struct EventPair {
  double log_first, log_second, log_count = 0;
};

// Two densities that are constant between edges.
inline std::vector<EventPair> common_steps(const Steps& pair) {
  const Steps::OfClass &first = pair.classes[0], &second = pair.classes[1];
  const Vector edges = edges_of(pair);
  std::vector<EventPair> steps;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    steps.push_back({log_density_after(first, edges[i]), log_density_after(second, edges[i]),
                     std::log(edges[i + 1] - edges[i])});
  }
  return steps;
}

inline std::vector<EventPair> common_atoms(const Atoms& pair) {
  std::vector<EventPair> atoms;
  for (double x : values_of(pair)) {
    atoms.push_back({log_density(pair.classes[0], x), log_density(pair.classes[1], x)});
  }
  return atoms;
}

// How two classes overlap: the integral of p^s q^(1 - s), p the density of the
// first class. It is a product over independent parts.
struct Overlap {
  std::vector<NormalPair> normals;
  std::vector<MixturePair> mixtures;
  std::vector<std::vector<EventPair>> tables;
  std::vector<RatePair> counts{};
  std::vector<MomentPair> moments{};  // of each numeric feature

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
    for (const RatePair& pair : counts) total += pair.log_at(s);
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
    if (moments.empty()) return kNaN;
    double total = 0;
    for (const MomentPair& pair : moments) {
      if (pair.distance == 0) continue;
      total += pair.distance * pair.distance / (p * pair.first + (1 - p) * pair.second);
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
      add_normal({between / p.sd(0, j), p.sd(1, j) / p.sd(0, j)});
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
      add_normal({distance[j], axes.singularValues()[j]});
    }
  }

  void operator()(const Mixture::Plan& plan, const Mixture::Parameters& p) {
    for (int j = 0; j < plan.members(); ++j) add_normals(p, j);
  }

  void operator()(const Kernel::Plan&, const Kernel::Parameters& p) { add_normals(p, 0); }

  void operator()(const Poisson::Plan& plan, const Poisson::Parameters& p) {
    for (int j = 0; j < plan.members(); ++j) {
      const double first = p.rate(0, j), second = p.rate(1, j);
      overlap.counts.push_back({first, second});
      overlap.moments.push_back({second - first, first, second});
    }
  }

  void operator()(const Empirical::Plan&, const Empirical::Parameters& p) {
    const Atoms atoms = atoms_of(p, {0.5, 0.5});
    overlap.tables.push_back(common_atoms(atoms));
    const MeanAndSd first = moments_of(atoms.classes[0]), second = moments_of(atoms.classes[1]);
    overlap.moments.push_back(
        {second.mean - first.mean, first.sd * first.sd, second.sd * second.sd});
  }

  void operator()(const Histogram::Plan& plan, const Histogram::Parameters& p) {
    const Steps steps = steps_of(plan, p, {0.5, 0.5}, 0);
    overlap.tables.push_back(common_steps(steps));
    overlap.moments.push_back(
        compare_moments(moments_of(steps.classes[0]), moments_of(steps.classes[1])));
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

 private:
  void add_normal(const NormalPair& pair) {
    overlap.normals.push_back(pair);
    overlap.moments.push_back({pair.distance, 1, pair.sd * pair.sd});
  }

  template <class Parameters>
  void add_normals(const Parameters& p, int member) {
    const double origin = normal_terms(p, 0, member, 0)[0].mean;
    overlap.mixtures.push_back(
        {normal_terms(p, 0, member, origin), normal_terms(p, 1, member, origin)});
    overlap.moments.push_back(overlap.mixtures.back().moments());
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

}  // namespace bayesrisk

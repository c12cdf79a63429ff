#pragma once

#include <engine/charge/log_ratio.hpp>
#include <engine/charge/quadratic_law.hpp>
#include <engine/core/context.hpp>
#include <engine/decision/row_rule.hpp>
#include <engine/regions/regions.hpp>
#include <engine/world/combinations.hpp>

namespace bayesrisk {

// The actions of a rule along the log odds of two classes, second over first.
inline Regions odds_regions(const Cost& cost, int first, int second) {
  const auto of = [&](int action, double odds) {
    return cost.of(action, first) / (1 + std::exp(odds)) +
           cost.of(action, second) / (1 + std::exp(-odds));
  };
  IntVector possible;
  for (int a = 0; a < cost.actions(); ++a) {
    if (std::isfinite(of(a, 0))) possible.push_back(a);
  }
  if (possible.empty()) return {{}, {0}, {}};
  Vector crossing;
  for (int a : possible) {
    for (int b : possible) {
      const double more = cost.of(a, first) - cost.of(b, first);
      const double less = cost.of(b, second) - cost.of(a, second);
      if (more > 0 && less > 0) crossing.push_back(std::log(more) - std::log(less));
    }
  }
  std::sort(crossing.begin(), crossing.end());
  Regions regions;
  for (std::size_t i = 0; i <= crossing.size(); ++i) {
    const double low = i > 0 ? crossing[i - 1] : crossing.empty() ? -1 : crossing[0] - 2;
    const double high = i < crossing.size() ? crossing[i] : low + 2;
    const int best = *std::min_element(possible.begin(), possible.end(), [&](int a, int b) {
      return of(a, low + 0.5 * (high - low)) < of(b, low + 0.5 * (high - low));
    });
    if (!regions.decision.empty()) {
      if (regions.decision.back() == best) continue;
      regions.cut.push_back(low);
    }
    regions.decision.push_back(best);
  }
  return regions;
}

// Joint probabilities of truth and decision, and bounds of their errors.
struct RatioRisk {
  Matrix table, error;
};

// The risk of a rule that compares two classes by normal features and features with levels. It
// decides by a quadratic form in each combination of levels, so its table is exact.
class RatioRule {
 public:
  // `rule` may see no number. Then it may compare any number of classes.
  RatioRule(const View& world, const View& rule, const Context& context) : context_(context) {
    const std::vector<std::size_t> possible = classes_of(rule.prior);
    if (reads_numbers(rule)) {
      require(possible.size() <= 2, "more than two classes");
      if (possible.size() == 2) {
        first_ = static_cast<int>(possible[0]);
        second_ = static_cast<int>(possible[1]);
      }
    }
    if (second_ < 0) {
      law_.assign(world.prior.size(), QuadraticLaw({}));
      return;
    }
    const RatioForms ratio(world, rule, first_, second_);
    for (QuadraticForm& form : ratio.in_classes(world.prior, context)) {
      law_.emplace_back(std::move(form));
    }
  }

  // The log joints are those of combinations, classes x combinations.
  RatioRisk risk(const Matrix& world, const Matrix& rule, const Cost& cost) const {
    Regions odds;
    if (second_ >= 0) odds = odds_regions(cost, first_, second_);
    constexpr Index kBatch = 16;
    const Index combinations = world.cols(), batches = (combinations + kBatch - 1) / kBatch;
    const RatioRisk none{Matrix::Zero(world.rows(), cost.actions()),
                         Matrix::Zero(world.rows(), cost.actions())};
    std::vector<RatioRisk> parts(static_cast<std::size_t>(batches), none);
    context_.run(batches, [&](Index batch) {
      const Index end = std::min(combinations, (batch + 1) * kBatch);
      for (Index i = batch * kBatch; i < end; ++i) {
        context_.check();
        add(world.col(i), regions(odds, rule.col(i), cost), parts[static_cast<std::size_t>(batch)]);
      }
    });
    RatioRisk total = none;
    for (const RatioRisk& part : parts) {
      total.table += part.table;
      total.error += part.error;
    }
    return total;
  }

 private:
  static std::vector<std::size_t> classes_of(const Vector& prior) {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < prior.size(); ++k) {
      if (prior[k] > 0) result.push_back(k);
    }
    return result;
  }

  static bool reads_numbers(const View& rule) {
    const IntVector levels = feature_levels(rule.plan);
    return std::any_of(rule.feature.begin(), rule.feature.end(), [&](int own) {
      return own >= 0 && levels[static_cast<std::size_t>(own)] == 0;
    });
  }

  // Along the log ratio, in a combination of levels.
  Regions regions(const Regions& odds, const Eigen::VectorXd& log_joint, const Cost& cost) const {
    const auto open = [&](int k) { return k >= 0 && log_joint[k] > kNegativeInfinity; };
    if (!open(first_) || !open(second_)) return {{}, {RowRule(cost).decide(log_joint)}, {}};
    Regions result = odds;
    for (double& cut : result.cut) cut += log_joint[first_] - log_joint[second_];
    return result;
  }

  void add(const Eigen::VectorXd& log_joint, const Regions& rule, RatioRisk& to) const {
    for (Index k = 0; k < log_joint.size(); ++k) {
      if (!(log_joint[k] > kNegativeInfinity)) continue;
      const double weight = std::exp(log_joint[k]);
      law_[static_cast<std::size_t>(k)].regions(
          rule.cut, [&](std::size_t region, double probability, double error) {
            to.table(k, rule.decision[region]) += weight * probability;
            to.error(k, rule.decision[region]) += weight * error;
          });
    }
  }

  const Context& context_;
  int first_ = -1, second_ = -1;
  std::vector<QuadraticLaw> law_;
};

// The log joints of all combinations of levels of a world.
inline Matrix combination_joints(const View& view, const Combinations& combinations) {
  return CombinationScorer(view, combinations)
      .log_joint(0, static_cast<Index>(combinations.count()));
}

// The Bayes risk at several priors, one per row. `world` has a positive prior for their classes.
inline Vector bayes_risks(const View& world, const Combinations& combinations, const Matrix& priors,
                          const Cost& cost, const Context& context) {
  const RatioRule rule(world, world, context);
  Vector risks;
  for (Index i = 0; i < priors.rows(); ++i) {
    Vector prior(static_cast<std::size_t>(priors.cols()));
    Eigen::Map<Eigen::RowVectorXd>(prior.data(), priors.cols()) = priors.row(i);
    const View there{world.plan, world.parameters, prior, world.feature, world.level};
    const Matrix joint = combination_joints(there, combinations);
    risks.push_back(cost_of_table(rule.risk(joint, joint, cost).table, cost));
  }
  return risks;
}

inline RatioRisk ratio_risk(const View& world, const Combinations& combinations, const View& rule,
                            const Cost& cost, const Context& context) {
  return RatioRule(world, rule, context)
      .risk(combination_joints(world, combinations), combination_joints(rule, combinations), cost);
}

}  // namespace bayesrisk

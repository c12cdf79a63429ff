#include <engine/evaluation/risk_control.hpp>

#include <engine/core/binomial.hpp>
#include <engine/core/log_math.hpp>

#include <algorithm>

namespace bayesrisk {

namespace {

// n times the divergence of two Bernoulli distributions.
double divergence(double n, double a, double b) {
  const double inner = a > 0 ? a * std::log(a / b) : 0.0;
  return n * (inner + (1 - a) * std::log((1 - a) / (1 - b)));
}

// The largest whole number in [low, high] for which `holds`, which holds up to some number; low - 1
// if it holds for none.
template <class Holds>
double last_that(const Holds& holds, double low, double high) {
  --low;
  while (low < high) {
    const double middle = std::ceil(low + (high - low) / 2);
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

double Promise::p_value(double cases, double sum) const {
  if (cases == 0 || !std::isfinite(sum)) return 1;
  const double alpha = bound / most, units = sum / most;
  if (all_or_none) return binomial_at_most(cases, alpha, std::round(units));
  const double mean = std::min(units / cases, alpha);
  const double hoeffding = std::exp(-divergence(cases, mean, alpha));
  // Sums that rounding has put above a whole number.
  const double whole = std::ceil(units * (1 - 1e-12));
  const double bentkus = std::exp(1.0) * binomial_at_most(cases, alpha, whole);
  return std::min({1.0, hoeffding, bentkus});
}

double Promise::most_errors(double cases) const {
  const auto rejects = [&](double errors) { return p_value(cases, errors * most) <= delta; };
  return last_that(rejects, 0, std::floor(cases * bound / most));
}

double Promise::fewest_cases(double errors, double cases) const {
  const auto fails = [&](double n) { return p_value(n, errors * most) > delta; };
  return last_that(fails, 1, cases) + 1;
}

namespace {

// A number of cases, and the errors among them with which the test still rejects.
struct Size {
  double cases, errors;
};

// The sizes that are tested: at most fifty, of about j / 50 of the cases, each as small as its
// number of errors allows, and all cases. A size between two of them needs as few errors as the
// smaller one, with more chances of an error.
std::vector<Size> sizes_of(double cases, const Promise& promise) {
  constexpr int kSteps = 50;
  std::vector<Size> sizes;
  for (int j = 1; j <= kSteps; ++j) {
    const double wanted = std::ceil(j * cases / kSteps);
    const double errors = promise.most_errors(wanted);
    if (errors < 0) continue;
    const double fewest = promise.fewest_cases(errors, wanted);
    if (sizes.empty() || fewest > sizes.back().cases) sizes.push_back({fewest, errors});
  }
  if (!sizes.empty() && sizes.back().cases < cases) {
    sizes.push_back({cases, promise.most_errors(cases)});
  }
  return sizes;
}

// The size that most probably passes, if the mean cost rises in a line with the share of the cases
// that are decided, to the bound if all are. It depends on no case.
std::size_t start_of(const std::vector<Size>& sizes, double cases, const Promise& promise) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double mean = promise.bound / promise.most * (sizes[i].cases / cases);
    const double passes = binomial_at_most(sizes[i].cases, mean, sizes[i].errors);
    if (passes > most) {
      most = passes;
      best = i;
    }
  }
  return best;
}

// The cases in the order of their scores, with sums of their costs.
class DecidedCases {
 public:
  explicit DecidedCases(std::vector<ScoredCost> cases) {
    std::sort(cases.begin(), cases.end(),
              [](const ScoredCost& a, const ScoredCost& b) { return a.score < b.score; });
    double sum = 0;
    for (const ScoredCost& one : cases) {
      scores_.push_back(one.score);
      sums_.push_back(sum += one.cost);
    }
  }
  const Vector& scores() const { return scores_; }

  ControlPoint at(double threshold, const Promise& promise) const {
    const auto n = std::upper_bound(scores_.begin(), scores_.end(), threshold) - scores_.begin();
    const auto decided = static_cast<double>(n);
    const double sum = n > 0 ? sums_[static_cast<std::size_t>(n) - 1] : 0.0;
    return {threshold, decided, sum / decided, promise.p_value(decided, sum)};
  }

 private:
  Vector scores_, sums_;
};

// The scores below which the shares of the sizes lie; equal ones once, with the first size.
Vector quantiles(const Vector& sorted, const std::vector<Size>& sizes, double cases,
                 std::size_t& start) {
  Vector thresholds;
  const auto count = static_cast<double>(sorted.size());
  std::size_t from = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double place = std::ceil(sizes[i].cases / cases * count * (1 - 1e-12));
    const double threshold = sorted[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
    if (thresholds.empty() || threshold > thresholds.back()) thresholds.push_back(threshold);
    if (i == start) from = thresholds.size() - 1;
  }
  start = from;
  return thresholds;
}

}  // namespace

ControlledRule control_risk(std::vector<ScoredCost> cases, const Promise& promise,
                            const Vector& grid, Vector other) {
  const auto count = static_cast<double>(cases.size());
  const DecidedCases decided(std::move(cases));
  Vector thresholds(grid);
  std::size_t start = 0;
  if (grid.empty() && count > 0) {
    const std::vector<Size> sizes = sizes_of(count, promise);
    start = start_of(sizes, count, promise);
    other.erase(std::remove_if(other.begin(), other.end(), [](double x) { return std::isnan(x); }),
                other.end());
    std::sort(other.begin(), other.end());
    thresholds = quantiles(other.empty() ? decided.scores() : other, sizes, count, start);
  }
  constexpr double kMany = 1e15;
  ControlledRule rule{-kInfinity, promise.fewest_cases(0, kMany)};
  bool passing = true;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    ControlPoint point = decided.at(thresholds[i], promise);
    point.tested = i >= start && passing;
    point.passed = point.tested && point.p_value <= promise.delta;
    if (point.tested) passing = point.passed;
    if (point.passed) rule.threshold = point.threshold;
    rule.points.push_back(point);
  }
  return rule;
}

}  // namespace bayesrisk

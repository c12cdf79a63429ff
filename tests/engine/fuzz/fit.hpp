#pragma once

#include "answers.hpp"
#include "problem.hpp"
#include "ranges.hpp"

namespace fuzz {

// Whether two states of parts and the whole say the same; what overflowed is not compared.
inline bool close(double a, double b, double size = 0) {
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  return std::abs(a - b) <= 1e-8 * std::max({std::abs(a), std::abs(b), size});
}

inline bool close(const Matrix& a, const Matrix& b, double size = 0) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    if (!close(a.data()[i], b.data()[i], size)) return false;
  }
  return true;
}

// A mean is as exact as the spread about it and its own size let it be.
inline bool close(const Moments& a, const Moments& b) {
  if (!close(a.weight, b.weight)) return false;
  for (Index i = 0; i < a.weight.size(); ++i) {
    const double weight = a.weight.data()[i], mean = a.mean.data()[i];
    const double scatter = a.scatter.data()[i], size = std::abs(mean) + std::sqrt(scatter / weight);
    if (weight == 0 || !std::isfinite(size) || !std::isfinite(b.scatter.data()[i])) continue;
    if (!close(mean, b.mean.data()[i], size)) return false;
    if (!close(scatter, b.scatter.data()[i], weight * 1e-24 * mean * mean + 1e-290)) return false;
  }
  return true;
}

inline bool close(const Scatter& a, const Scatter& b) {
  if (!close(a.weight, b.weight) || !close(a.rows, b.rows)) return false;
  for (std::size_t g = 0; g < a.triangle.size(); ++g) {
    const Matrix &r = a.triangle[g], &s = b.triangle[g];
    if (!r.allFinite() || !s.allFinite()) continue;
    const double size =
        std::max(r.cwiseAbs().maxCoeff(), a.mean.row(static_cast<Index>(g)).cwiseAbs().maxCoeff());
    if (size > 1e150 || size < 1e-150) continue;
    if (!close(Matrix(r.transpose() * r), Matrix(s.transpose() * s), size * size)) return false;
  }
  return true;
}

inline bool close(const Gaussian::Statistics& a, const Gaussian::Statistics& b) {
  return close(a.moments, b.moments);
}
inline bool close(const MultivariateGaussian::Statistics& a,
                  const MultivariateGaussian::Statistics& b) {
  return close(a.scatter, b.scatter);
}
inline bool close(const Categorical::Statistics& a, const Categorical::Statistics& b) {
  return close(a.count, b.count);
}
inline bool close(const Histogram::Statistics& a, const Histogram::Statistics& b) {
  return close(a.count, b.count);
}
inline bool close(const JointTable::Statistics& a, const JointTable::Statistics& b) {
  return a.cells == b.cells && a.missing == b.missing && a.skipped == b.skipped &&
         close(a.count, b.count);
}
inline bool close(const Poisson::Statistics& a, const Poisson::Statistics& b) {
  return close(a.weight, b.weight) && close(a.sum, b.sum) &&
         close(a.log_factorial, b.log_factorial);
}
// A deviance is as exact as the mean is.
inline bool close(const Gamma::Statistics& a, const Gamma::Statistics& b) {
  if (!close(a.weight, b.weight) || !close(a.mean, b.mean)) return false;
  for (Index i = 0; i < a.weight.size(); ++i) {
    const double room = 1e-24 * a.weight.data()[i];
    if (!close(a.deviance.data()[i], b.deviance.data()[i], room)) return false;
  }
  return true;
}
inline bool close(const std::vector<Points>& a, const std::vector<Points>& b) {
  for (std::size_t g = 0; g < a.size(); ++g) {
    if (!close(a[g], b[g])) return false;
  }
  return true;
}
inline bool close(const Empirical::Statistics& a, const Empirical::Statistics& b) {
  return close(a.points, b.points);
}
inline bool close(const Kernel::Statistics& a, const Kernel::Statistics& b) {
  return a.step == b.step && close(a.points, b.points) && close(a.moments, b.moments);
}
inline bool close(const NegativeBinomial::Statistics& a, const NegativeBinomial::Statistics& b) {
  return close(a.points, b.points);
}
inline bool close(const Mixture::Statistics&, const Mixture::Statistics&) { return true; }

// What was collected is what a door would read again.
inline void check_statistics(const ModelPlan& plan, const ModelStatistics& statistics) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    std::visit(
        [&](const auto& p) {
          std::get<StatisticsOf<decltype(p)>>(statistics.banks[b]).check(p, plan.groups);
        },
        plan.banks[b]);
  }
}

inline void check_close(const ModelPlan& plan, const ModelStatistics& whole,
                        const ModelStatistics& merged) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    std::visit(
        [&](const auto& p) {
          using State = StatisticsOf<decltype(p)>;
          hold(close(std::get<State>(whole.banks[b]), std::get<State>(merged.banks[b])),
               "parts that do not make the whole");
        },
        plan.banks[b]);
  }
}

// From data to decisions.
class FitCheck {
 public:
  explicit FitCheck(Bytes& bytes) : problem_(decode_problem(bytes)), share_(bytes.byte()) {}

  void run() {
    const Index rows = problem_.data.frame.rows;
    check_ranges();
    Diagnostics found;
    const ModelStatistics whole = collect(0, rows, found);
    check_statistics(problem_.plan, whole);
    if (!found.empty()) return;  // the data are refused
    check_parts(whole);
    Diagnostics problems;
    const Estimate estimate =
        Estimator(problem_.plan, whole, problem_.options).estimate({}, problems);
    const Vector prior = check_estimate(whole, estimate, problems);
    if (prior.empty()) return;
    AnswerCheck(problem_.plan, estimate.banks, prior, problem_.fresh.frame, problem_.cost).run();
  }

 private:
  // Those that count, from a row on.
  Rows counted(Index begin) const {
    Rows rows;
    rows.group = problem_.group.data() + begin;
    rows.weight = problem_.weight.empty() ? nullptr : problem_.weight.data() + begin;
    rows.groups = problem_.plan.groups;
    return rows;
  }

  ModelStatistics collect(Index begin, Index count, Diagnostics& found) const {
    const Frame part = part_of(problem_.data.frame, begin, count);
    const Rows rows = counted(begin);
    return StatisticsCollector(problem_.plan, part, rows).collect(Context(), found);
  }

  void check_ranges() const {
    const Frame& data = problem_.data.frame;
    const IntVector levels = feature_levels(problem_.plan);
    for (std::size_t j = 0; j < levels.size(); ++j) {
      if (levels[j] == 0) check_range(data.columns[j], data.rows, counted(0));
    }
  }

  void check_parts(const ModelStatistics& whole) const {
    const Index rows = problem_.data.frame.rows, first = rows * share_ / 255;
    Diagnostics found;
    ModelStatistics merged = collect(0, first, found);
    merged.merge(problem_.plan, collect(first, rows - first, found));
    check_statistics(problem_.plan, merged);
    check_close(problem_.plan, whole, merged);
  }

  // The prior of the classes that can be chosen, empty if there is none. What cannot be
  // estimated has been reported.
  Vector check_estimate(const ModelStatistics& statistics, const Estimate& estimate,
                        const Diagnostics& problems) const {
    Vector prior = estimate.prior;
    double total = 0;
    for (int g = 0; g < problem_.plan.groups; ++g) {
      const auto k = static_cast<std::size_t>(g);
      bool sound = statistics.classes.weight[k] > 0 && std::isfinite(prior[k]);
      for (std::size_t b = 0; b < estimate.banks.size() && sound; ++b) {
        sound = std::visit([g](const auto& p) { return p.sound(g); }, estimate.banks[b]);
        hold(sound || !problems.empty(), "parameters that are none, and nobody says so");
      }
      total += prior[k] = sound ? prior[k] : 0;
    }
    if (!(total > 0)) return {};
    for (double& p : prior) p /= total;
    return prior;
  }

  Problem problem_;
  int share_;
};

}  // namespace fuzz

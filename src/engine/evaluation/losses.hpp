#pragma once

#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/decision/cost.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace bayesrisk {

// Cases with their true classes.
struct Cases {
  Index rows = 0;
  const int* truth = nullptr;      // class, from 1; missing: the case does not count
  const double* weight = nullptr;  // null: every case counts once
  const int* cluster = nullptr;    // from 1; null: each case is independent of the others
  bool fixed = false;              // whether the shares of the classes are known, not estimated

  double weight_of(Index r) const { return weight ? weight[r] : 1.0; }
};

// Sums of the weights of cases, and of their squares.
struct Weights {
  double sum = 0, squares = 0;

  void add(double weight) {
    sum += weight;
    squares += weight * weight;
  }
  // The number of cases of equal weight whose mean varies as much. It is exact for equal weights.
  double effective() const { return sum > 0 ? sum * sum / squares : 0.0; }
};

// Sums of each cluster. The variance of a total is that of the sums of the clusters.
class ClusterSums {
 public:
  explicit ClusterSums(const Cases& cases) : cluster_(cases.cluster) {
    for (Index r = 0; r < cases.rows && cluster_; ++r) {
      sum_.resize(std::max(sum_.size(), static_cast<std::size_t>(cluster_[r])), 0.0);
    }
    seen_.assign(sum_.size(), 0);
  }
  void add(Index r, double value) {
    sum_[cluster_[r] - 1] += value;
    seen_[cluster_[r] - 1] = 1;
  }
  double clusters() const { return static_cast<double>(std::count(seen_.begin(), seen_.end(), 1)); }
  double variance() const { return covariance(*this); }
  // With sums over other cases of the same clusters.
  double covariance(const ClusterSums& other) const {
    const double n = std::max(clusters(), other.clusters());
    const double products = std::inner_product(sum_.begin(), sum_.end(), other.sum_.begin(), 0.0);
    return n > 1 ? products * n / (n - 1) : kNaN;
  }

 private:
  const int* cluster_;
  Vector sum_;
  std::vector<char> seen_;
};

// A cost looked up case by case. Actions and classes count from 0.
class CostTable {
 public:
  explicit CostTable(const CaseCost& cost)
      : fixed_(cost.fixed.of), varying_(static_cast<std::size_t>(fixed_.size()), nullptr) {
    for (const CaseCost::Entry& entry : cost.varying) {
      varying_[static_cast<std::size_t>(entry.truth * fixed_.rows() + entry.action)] = entry.value;
    }
  }
  int actions() const { return static_cast<int>(fixed_.rows()); }
  int classes() const { return static_cast<int>(fixed_.cols()); }

  double of(int action, int truth, Index row) const {
    const Index entry = truth * fixed_.rows() + action;
    const double* varying = varying_[static_cast<std::size_t>(entry)];
    return varying ? varying[row] : fixed_.data()[entry];
  }
  // Whether a cost differs by case.
  bool varies(int action, int truth) const {
    return varying_[static_cast<std::size_t>(truth * fixed_.rows() + action)] != nullptr;
  }
  bool varies() const {
    return std::any_of(varying_.begin(), varying_.end(), [](const double* v) { return v; });
  }
  // The cost of the cheapest action for this truth; NaN if a cost is unknown.
  double least(int truth, Index row) const {
    double smallest = of(0, truth, row);
    for (int a = 1; a < actions(); ++a) {
      const double cost = of(a, truth, row);
      if (std::isnan(cost) || cost < smallest) smallest = cost;
    }
    return smallest;
  }
  // Whether the cost of any action under any truth is unknown.
  bool has_gap(Index row) const {
    for (int k = 0; k < classes(); ++k) {
      if (std::isnan(least(k, row))) return true;
    }
    return false;
  }

 private:
  Matrix fixed_;
  std::vector<const double*> varying_;
};

// The cost of each decision (from 1); NaN where a case does not count or has no decision.
inline Vector realised_losses(const Cases& cases, const CostTable& cost, const int* decision) {
  Vector loss(cases.rows);
  for (Index r = 0; r < cases.rows; ++r) {
    const bool known = decision[r] != kMissingInteger && cases.truth[r] != kMissingInteger;
    loss[r] = known ? cost.of(decision[r] - 1, cases.truth[r] - 1, r) : kNaN;
  }
  return loss;
}

// The finite costs of all cases: the least one, the greatest one, and the greatest difference
// between two actions in a case.
struct CostLimits {
  double least = std::numeric_limits<double>::infinity(), greatest = -least, spread = 0;
};

inline CostLimits possible_costs(const Cases& cases, const CostTable& cost) {
  CostLimits all;
  const Index rows = cost.varies() ? cases.rows : std::min<Index>(cases.rows, 1);
  for (Index r = 0; r < rows; ++r) {
    if (cost.varies() && cases.truth[r] == kMissingInteger) continue;
    for (int k = 0; k < cost.classes(); ++k) {
      CostLimits own;
      for (int a = 0; a < cost.actions(); ++a) {
        const double value = cost.of(a, k, r);
        if (!std::isfinite(value)) continue;
        own.least = std::min(own.least, value);
        own.greatest = std::max(own.greatest, value);
      }
      all.least = std::min(all.least, own.least);
      all.greatest = std::max(all.greatest, own.greatest);
      all.spread = std::max(all.spread, own.greatest - own.least);
    }
  }
  return all;
}

// Whether an action (from 0) decides for another class than the true one (from 1).
// class_of: the class that each action decides for, from 1, or 0 for none.
inline bool is_wrong(const IntVector& class_of, int action, int truth) {
  return class_of[action] > 0 && class_of[action] != truth;
}

// Whether each decision is wrong, 1 or 0; NaN where the case does not count.
inline Vector wrong_decisions(const Cases& cases, const IntVector& class_of, const int* decision,
                              const Vector& loss) {
  Vector wrong(loss);
  for (Index r = 0; r < cases.rows; ++r) {
    if (!std::isnan(loss[r])) wrong[r] = is_wrong(class_of, decision[r] - 1, cases.truth[r]);
  }
  return wrong;
}

// A weighted mean and its standard error.
struct MeanError {
  double weight = 0, mean = kNaN, standard_error = kNaN;
};

// A unit in which squares neither overflow nor underflow. It is a power of two, so that no digit is
// lost.
inline double power_of_two_near(const Vector& values) {
  double largest = 0;
  for (double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

// Values that are NaN are left out. The error is that of the effective number of cases. Where the
// shares of the classes are known, only the means of the classes have errors. Cases of a cluster
// err together.
class MeanEstimator {
 public:
  MeanEstimator(const Cases& cases, const Vector& values)
      : cases_(cases), values_(values), unit_(power_of_two_near(values)) {}

  MeanError run() {
    double sum = 0;
    for_known([&](Index r, Stratum& stratum) {
      const double part = cases_.weight_of(r) * (values_[r] / unit_);
      stratum.weights.add(cases_.weight_of(r));
      stratum.sum += part;
      weight_ += cases_.weight_of(r);
      sum += part;
    });
    if (weight_ <= 0) return {};
    const double error = std::sqrt(cases_.cluster ? variance_of_clusters() : variance());
    return {weight_, sum / weight_ * unit_, error * unit_};
  }

 private:
  struct Stratum {
    Weights weights;
    double sum = 0, scatter = 0;

    double mean() const { return sum / weights.sum; }
  };

  template <class Each>
  void for_known(Each each) {
    for (Index r = 0; r < cases_.rows; ++r) {
      if (std::isnan(values_[r]) || cases_.weight_of(r) <= 0) continue;
      const std::size_t k = cases_.fixed ? static_cast<std::size_t>(cases_.truth[r] - 1) : 0;
      if (k >= strata_.size()) strata_.resize(k + 1);
      each(r, strata_[k]);
    }
  }

  double variance() {
    for_known([&](Index r, Stratum& stratum) {
      const double deviation = values_[r] / unit_ - stratum.mean();
      stratum.scatter += cases_.weight_of(r) * deviation * deviation;
    });
    double sum = 0;
    for (const Stratum& stratum : strata_) {
      if (stratum.weights.sum == 0) continue;
      const double share = stratum.weights.sum / weight_, n = stratum.weights.effective();
      if (!(n > 1)) return kNaN;
      sum += share * share * (stratum.scatter / (n - 1) / stratum.weights.sum);
    }
    return sum;
  }

  double variance_of_clusters() {
    ClusterSums sums(cases_);
    for_known([&](Index r, Stratum& stratum) {
      sums.add(r, cases_.weight_of(r) * (values_[r] / unit_ - stratum.mean()) / weight_);
    });
    return sums.variance();
  }

  const Cases& cases_;
  const Vector& values_;
  double unit_, weight_ = 0;
  std::vector<Stratum> strata_;
};

inline MeanError mean_and_error(const Cases& cases, const Vector& values) {
  return MeanEstimator(cases, values).run();
}

}  // namespace bayesrisk

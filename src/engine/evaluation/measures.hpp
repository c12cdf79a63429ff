#pragma once

#include <engine/evaluation/bootstrap.hpp>
#include <engine/evaluation/losses.hpp>
#include <engine/evaluation/separation.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// A measure with its bootstrap interval; NaN if it is undefined.
struct Measure {
  double value = kNaN, lower = kNaN, upper = kNaN;
};

// Measures of all classes together, then of each class against the others.
struct Measures {
  Measure accuracy, balanced, kappa, matthews, auc, ks;
  std::vector<Measure> sensitivity, specificity, precision, f1, auc_of, ks_of;  // per class
  std::vector<std::vector<CutPoint>> curves;                                    // per class
  Vector constant;  // the mean cost of each action if all cases had it
};

// The places of the sums over cases from which the measures are computed. A replicate has the sums
// of its cases. The area under a curve is also a mean of DeLong's placement values. The placement
// value of a case of the class is the share of the other cases that have a smaller score.
class MeasureLayout {
 public:
  MeasureLayout(int classes, int actions) : classes_(classes), actions_(actions) {}

  Index size() const { return 7 * static_cast<Index>(classes_) + actions_; }
  Index truth(int k) const { return k; }                  // cases of the class
  Index right(int k) const { return classes_ + k; }       // decided for it
  Index above(int k) const { return 2 * classes_ + k; }   // placement values of its cases
  Index below(int k) const { return 3 * classes_ + k; }   // placement values of the other cases
  Index hits(int k) const { return 4 * classes_ + k; }    // cases of the class above the cut
  Index alarms(int k) const { return 5 * classes_ + k; }  // other cases above the cut
  Index pairs(int k) const { return 6 * classes_ + k; }   // placement values against each class
  Index action(int a) const { return 7 * classes_ + a; }  // cases with the action

 private:
  int classes_, actions_;
};

class Measurer {
 public:
  static constexpr int kReplicates = 2000;
  static constexpr int kCurvePoints = 500;

  // `cases`: a case without a truth does not count. `posterior`: null if there are only decisions.
  Measurer(const Cases& cases, const CostTable& cost, const int* decision,
           const IntVector& class_of, const PosteriorScores* posterior)
      : cases_(cases),
        cost_(cost),
        decision_(decision),
        class_of_(class_of),
        posterior_(posterior),
        at_(cost.classes(), cost.actions()),
        decided_by_(cost.classes(), -1) {
    for (int a = 0; a < cost.actions(); ++a) {
      if (class_of_[a] > 0) decided_by_[class_of_[a] - 1] = a;
    }
  }

  Measures run(std::uint64_t seed, const Context& context) {
    place_units(seed);
    count();
    if (posterior_) place(context);
    const Vector whole = total();
    const Matrix replicates = bootstrap_sums(units_, kReplicates, seed, context);
    estimate(whole, replicates);
    price_constants();
    return std::move(result_);
  }

 private:
  int classes() const { return cost_.classes(); }

  // Each case that counts belongs to a unit of the bootstrap.
  void place_units(std::uint64_t seed) {
    Index counted = 0;
    unit_of_.assign(static_cast<std::size_t>(cases_.rows), kMissingInteger);
    for (Index r = 0; r < cases_.rows; ++r) counted += cases_.truth[r] != kMissingInteger;
    UnitDraw unit(counted, seed);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (cases_.truth[r] != kMissingInteger) unit_of_[r] = unit.next();
    }
    units_ = Matrix::Zero(at_.size(), unit.units());
  }

  void count() {
    for (Index r = 0; r < cases_.rows; ++r) {
      if (unit_of_[r] == kMissingInteger) continue;
      const int a = decision_[r] - 1, truth = cases_.truth[r] - 1;
      units_(at_.truth(truth), unit_of_[r]) += 1;
      units_(at_.action(a), unit_of_[r]) += 1;
      units_(at_.right(truth), unit_of_[r]) += class_of_[a] == truth + 1;
    }
  }

  void place(const Context& context) {
    int occurring = 0;
    for (int k = 0; k < classes(); ++k) occurring += posterior_->cases_of(k) > 0;
    const double pairs = occurring * (occurring - 1.0);
    separable_ = occurring > 1;
    direction_.assign(classes(), 1.0);
    result_.curves.resize(classes());
    for (int k = 0; k < classes(); ++k) {
      if (!separable_ || posterior_->cases_of(k) == 0) continue;
      Separation found = separate(
          *posterior_, k, kCurvePoints, context,
          [&](Index i, double below) { units_(at_.pairs(k), unit_at(i)) += below / pairs; });
      for (Index i = 0; i < posterior_->cases(); ++i) add_placed(found, k, i, pairs);
      direction_[k] = found.direction;
      result_.curves[k] = std::move(found.curve);
    }
  }

  void add_placed(const Separation& found, int k, Index i, double pairs) {
    const bool own = posterior_->truth(i) == k;
    const Index unit = unit_at(i);
    units_(own ? at_.above(k) : at_.below(k), unit) += found.placed[i];
    if (!own) {
      // The class of the case and class k form a pair of classes.
      units_(at_.pairs(posterior_->truth(i)), unit) += found.placed[i] / pairs;
    }
    if (posterior_->score(i, k) >= found.cut) units_(own ? at_.hits(k) : at_.alarms(k), unit) += 1;
  }

  Index unit_at(Index i) const { return unit_of_[posterior_->row(i)]; }

  Vector total() const {
    Vector sum(at_.size(), 0.0);
    for (Index u = 0; u < units_.cols(); ++u) {
      for (Index j = 0; j < units_.rows(); ++j) sum[j] += units_(j, u);
    }
    return sum;
  }

  // f: the measure as a function of the sums.
  template <class Of>
  Measure with_interval(const Vector& whole, const Matrix& replicates, Of f) const {
    Measure result{f(whole.data())};
    if (std::isnan(result.value)) return result;
    Vector values;
    for (Index b = 0; b < replicates.cols(); ++b) {
      const double value = f(replicates.data() + b * replicates.rows());
      if (!std::isnan(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    result.lower = quantile(values, 0.025);
    result.upper = quantile(values, 0.975);
    return result;
  }

  void estimate(const Vector& whole, const Matrix& replicates) {
    const auto with = [&](auto f) { return with_interval(whole, replicates, f); };
    if (any_class()) {
      result_.accuracy = with([&](const double* s) { return right(s) / cases(s); });
      result_.balanced = with([&](const double* s) { return balanced(s); });
      result_.kappa = with([&](const double* s) { return kappa(s); });
      result_.matthews = with([&](const double* s) { return matthews(s); });
    }
    if (separable_) result_.auc = with([&](const double* s) { return area(s, whole); });
    for (int k = 0; k < classes(); ++k) estimate_class(k, whole, with);
    if (classes() == 2) result_.ks = result_.ks_of[1];
  }

  template <class With>
  void estimate_class(int k, const Vector& whole, With with) {
    const auto decided = [&, k](auto f) {
      return any_class() ? with([&](const double* s) { return f(s); }) : Measure();
    };
    result_.sensitivity.push_back(
        decided([&](const double* s) { return s[at_.right(k)] / s[at_.truth(k)]; }));
    result_.specificity.push_back(decided([&](const double* s) {
      const double others = cases(s) - s[at_.truth(k)];
      return 1 - (taken(s, k) - s[at_.right(k)]) / others;
    }));
    result_.precision.push_back(
        decided([&](const double* s) { return s[at_.right(k)] / taken(s, k); }));
    result_.f1.push_back(decided(
        [&](const double* s) { return 2 * s[at_.right(k)] / (s[at_.truth(k)] + taken(s, k)); }));
    const bool placed = separable_ && !result_.curves[k].empty();
    result_.auc_of.push_back(placed ? with([&](const double* s) { return area_of(s, k, whole); })
                                    : Measure());
    result_.ks_of.push_back(placed ? with([&](const double* s) { return distance(s, k); })
                                   : Measure());
  }

  bool any_class() const {
    return std::any_of(class_of_.begin(), class_of_.end(), [](int k) { return k > 0; });
  }

  // The measures as functions of the sums s.
  double cases(const double* s) const { return sum_over(s, at_.truth(0), classes()); }
  double right(const double* s) const { return sum_over(s, at_.right(0), classes()); }
  double taken(const double* s, int k) const {
    return decided_by_[k] < 0 ? 0.0 : s[at_.action(decided_by_[k])];
  }
  static double sum_over(const double* s, Index from, int count) {
    return std::accumulate(s + from, s + from + count, 0.0);
  }

  // The mean sensitivity of the classes that occur.
  double balanced(const double* s) const {
    double sum = 0, occurring = 0;
    for (int k = 0; k < classes(); ++k) {
      if (s[at_.truth(k)] == 0) continue;
      sum += s[at_.right(k)] / s[at_.truth(k)];
      ++occurring;
    }
    return sum / occurring;
  }

  // The expected number of correct decisions by chance, times the number of cases.
  double by_chance(const double* s) const {
    double sum = 0;
    for (int k = 0; k < classes(); ++k) sum += s[at_.truth(k)] * taken(s, k);
    return sum;
  }
  double kappa(const double* s) const {
    const double n = cases(s), chance = by_chance(s);
    return (right(s) * n - chance) / (n * n - chance);
  }
  // Gorodkin's correlation of many classes. An action that is no class has its own column.
  double matthews(const double* s) const {
    const double n = cases(s);
    double truths = n * n, actions = n * n;
    for (int k = 0; k < classes(); ++k) truths -= s[at_.truth(k)] * s[at_.truth(k)];
    for (int a = 0; a < cost_.actions(); ++a) actions -= s[at_.action(a)] * s[at_.action(a)];
    return (right(s) * n - by_chance(s)) / (std::sqrt(truths) * std::sqrt(actions));
  }

  // The area is the mean placement value of the cases of the class. The mean placement value of the
  // other cases is the same number. In a replicate both means change, and the area changes by the
  // sum of these two changes.
  double area_of(const double* s, int k, const Vector& whole) const {
    const auto placed = [&](const double* t) {
      return t[at_.above(k)] / t[at_.truth(k)] + t[at_.below(k)] / (cases(t) - t[at_.truth(k)]);
    };
    const double all = placed(whole.data());
    return std::clamp(0.5 * all + (placed(s) - all), 0.0, 1.0);
  }

  // Hand and Till's mean over pairs of classes.
  double area(const double* s, const Vector& whole) const {
    double all = 0, moved = 0;
    for (int k = 0; k < classes(); ++k) {
      if (whole[at_.truth(k)] == 0) continue;
      const double mean = whole[at_.pairs(k)] / whole[at_.truth(k)];
      all += mean;
      moved += s[at_.pairs(k)] / s[at_.truth(k)] - mean;
    }
    return std::clamp(0.5 * all + moved, 0.0, 1.0);
  }

  // Kolmogorov and Smirnov's distance, at the cut that is best for all cases.
  double distance(const double* s, int k) const {
    const double others = cases(s) - s[at_.truth(k)];
    return direction_[k] * (s[at_.hits(k)] / s[at_.truth(k)] - s[at_.alarms(k)] / others);
  }

  void price_constants() {
    result_.constant.assign(cost_.actions(), 0.0);
    double counted = 0;
    for (Index r = 0; r < cases_.rows; ++r) {
      if (unit_of_[r] == kMissingInteger) continue;
      ++counted;
      for (int a = 0; a < cost_.actions(); ++a) {
        result_.constant[a] += cost_.of(a, cases_.truth[r] - 1, r);
      }
    }
    for (double& cost : result_.constant) cost /= counted;
  }

  const Cases& cases_;
  const CostTable& cost_;
  const int* decision_;
  const IntVector& class_of_;
  const PosteriorScores* posterior_;
  MeasureLayout at_;
  IntVector decided_by_;    // the action of each class, or -1
  IntVector unit_of_;       // of each row, from 0; missing: it does not count
  Matrix units_;            // a column of sums per unit
  Vector direction_;        // the sign of the distance of each class
  bool separable_ = false;  // whether there are scores of cases of two classes
  Measures result_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/evaluation/decision_draws.hpp>
#include <engine/evaluation/separation.hpp>

#include <algorithm>

namespace bayesrisk {

// A measure; NaN if it is undefined. Functions of the table have an interval from draws. Shares
// have the effective number of the cases that they are shares of.
struct Measure {
  double value = kNaN;
  Range interval;
  double number = kNaN;
};

// The area under a curve, its standard error, and the effective numbers of the cases of the class
// and of the others.
struct Area {
  double value = kNaN, error = kNaN;
  double own = kNaN, others = kNaN;
};

// Measures of all classes together, then of each class against the others.
struct Measures {
  Measure accuracy, balanced, kappa, matthews, kappa_linear, kappa_quadratic;
  Area auc;
  std::vector<Measure> sensitivity, specificity, precision, npv, f1;  // per class
  // Of the sensitivity and the share of the others that are decided for the class; 0 without
  // clusters.
  Vector correlation;  // per class
  std::vector<Area> auc_of;
  Vector average_precision;  // per class
  // Kolmogorov and Smirnov's distance at the cut that is best for all cases, and the shares of the
  // class and of the others above this cut.
  std::vector<Measure> ks_of, hits, alarms;
  std::vector<std::vector<CutPoint>> curves;  // per class
  Vector constant;                            // the mean cost of each action if all cases had it
};

class Measurer {
 public:
  static constexpr int kCurvePoints = 500;

  // `cases`: a case without a truth does not count. `posterior`: null if there are only decisions.
  // `rank`: the place of each class in their order; empty: they have none.
  Measurer(const Cases& cases, const CostTable& cost, const int* decision,
           const IntVector& class_of, const PosteriorScores* posterior, const IntVector& rank = {})
      : cases_(cases),
        cost_(cost),
        decision_(decision),
        class_of_(class_of),
        posterior_(posterior),
        at_(cost.classes(), cost.actions()),
        reading_{IntVector(cost.classes(), -1), class_distances(class_of, rank)},
        of_truth_(cost.classes()),
        of_action_(cost.actions()) {
    for (int a = 0; a < cost.actions(); ++a) {
      if (class_of_[a] > 0) reading_.own[class_of_[a] - 1] = a;
    }
  }

  Measures run(const IntervalPlan& plan, const Context& context) {
    count();
    if (any_class()) {
      TableDraws drawn;
      if (plan.by != Resampling::none) drawn = draw(plan, context);
      estimate(drawn.sums, plan);
    } else {
      result_.sensitivity.resize(classes());
      result_.specificity = result_.precision = result_.npv = result_.f1 = result_.sensitivity;
      result_.correlation.assign(classes(), 0.0);
    }
    separate_classes(context);
    price_constants();
    return std::move(result_);
  }

 private:
  int classes() const { return cost_.classes(); }
  bool counts(Index r) const { return cases_.truth[r] != kMissingInteger; }
  void count() {
    sums_.assign(static_cast<std::size_t>(at_.size()), 0.0);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      const int a = decision_[r] - 1, truth = cases_.truth[r] - 1;
      const double weight = cases_.weight_of(r);
      sums_[at_.truth(truth)] += weight;
      sums_[at_.column(a)] += weight;
      sums_[at_.right(truth)] += class_of_[a] == truth + 1 ? weight : 0.0;
      if (reading_.is_ordered()) {
        const double apart = reading_.apart(a, truth);
        sums_[at_.apart(0)] += weight * apart;
        sums_[at_.apart(1)] += weight * apart * apart;
      }
      of_truth_[truth].add(weight);
      of_action_[a].add(weight);
      all_.add(weight);
    }
  }

  TableDraws draw(const IntervalPlan& plan, const Context& context) const {
    const ImaginedCosts imagined(cases_, cost_);
    return draw_decisions(cases_, cost_, decision_, imagined, plan, reading_, context);
  }

  // f: the measure as a function of the sums. `draws`: the sums of drawn tables.
  template <class Of>
  Measure with_interval(const Matrix& draws, const IntervalPlan& plan, Of f) const {
    Measure result{f(sums_.data()), {}, kNaN};
    Vector values;
    for (Index b = 0; b < draws.cols() && draws.rows() > 0; ++b) {
      values.push_back(f(draws.data() + b * draws.rows()));
    }
    result.interval = range_of(std::move(values), plan, result.value);
    return result;
  }

  void estimate(const Matrix& draws, const IntervalPlan& plan) {
    const TableMeasures of(at_, reading_);
    const auto with = [&](auto f) { return with_interval(draws, plan, f); };
    result_.accuracy = with([&](const double* s) { return of.accuracy(s); });
    result_.balanced = with([&](const double* s) { return of.balanced(s, of_truth_); });
    result_.kappa = with([&](const double* s) { return of.kappa(s); });
    result_.matthews = with([&](const double* s) { return of.matthews(s); });
    if (reading_.is_ordered()) {
      result_.kappa_linear = with([&](const double* s) { return of.weighted_kappa(s, 0); });
      result_.kappa_quadratic = with([&](const double* s) { return of.weighted_kappa(s, 1); });
    }
    set_number(
        result_.accuracy, all_, [](Index) { return true; }, [&](Index r) { return is_right(r); });
    result_.correlation.assign(classes(), 0.0);
    for (int k = 0; k < classes(); ++k) estimate_class(k, of, with);
  }

  template <class With>
  void estimate_class(int k, const TableMeasures& of, With with) {
    const auto add = [&](std::vector<Measure>& to, auto measure) {
      to.push_back(with([&](const double* s) { return (of.*measure)(s, k); }));
    };
    add(result_.sensitivity, &TableMeasures::sensitivity);
    add(result_.specificity, &TableMeasures::specificity);
    add(result_.precision, &TableMeasures::precision);
    add(result_.npv, &TableMeasures::negative_value);
    add(result_.f1, &TableMeasures::f1);
    const auto own = [&, k](Index r) { return cases_.truth[r] == k + 1; };
    const auto other = [&, k](Index r) { return cases_.truth[r] != k + 1; };
    const auto decided = [&, k](Index r) { return decision_[r] - 1 == reading_.own[k]; };
    const auto left = [&](Index r) { return !decided(r); };
    const Weights taken = reading_.own[k] < 0 ? Weights{} : of_action_[reading_.own[k]];
    set_number(result_.sensitivity[k], of_truth_[k], own, decided);
    set_number(result_.specificity[k], others_of(of_truth_[k]), other, left);
    set_number(result_.precision[k], taken, decided, own);
    set_number(result_.npv[k], others_of(taken), left, other);
    result_.correlation[k] = correlate(result_.sensitivity[k], result_.specificity[k], k);
  }

  // Clusters may hold cases of the class and others: in a difficult one both are often wrong.
  double correlate(const Measure& sensitivity, const Measure& specificity, int k) const {
    const auto variance = [](const Measure& m) { return m.value * (1 - m.value) / m.number; };
    const double spread = std::sqrt(variance(sensitivity) * variance(specificity));
    if (!cases_.cluster || !(spread > 0)) return 0;
    ClusterSums own(cases_), others(cases_);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      const bool positive = cases_.truth[r] == k + 1;
      const double mean = positive ? sensitivity.value : 1 - specificity.value;
      const bool decided = decision_[r] - 1 == reading_.own[k];
      (positive ? own : others).add(r, cases_.weight_of(r) * (decided - mean));
    }
    const Weights& weights = of_truth_[k];
    const double together = own.covariance(others) / (weights.sum * others_of(weights).sum);
    return std::max(-1.0, std::min(1.0, together / spread));
  }

  // The weights of all other cases.
  Weights others_of(const Weights& some) const {
    return {all_.sum - some.sum, all_.squares - some.squares};
  }

  // The effective number of the cases that a measure is a share of. The share of clustered cases
  // varies as a share of fewer cases; a share of 0 or 1 is worth one case for each cluster.
  template <class In, class Hit>
  void set_number(Measure& share, const Weights& weights, In in, Hit hit) const {
    if (std::isnan(share.value)) return;
    share.number = weights.effective();
    if (!cases_.cluster) return;
    ClusterSums sums(cases_);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (counts(r) && in(r)) sums.add(r, cases_.weight_of(r) * (hit(r) - share.value));
    }
    const double spread = share.value * (1 - share.value) * weights.sum * weights.sum;
    const double number = spread > 0 ? spread / sums.variance() : sums.clusters();
    share.number = std::isnan(number) ? kNaN : std::min(share.number, number);
  }

  bool any_class() const {
    return std::any_of(class_of_.begin(), class_of_.end(), [](int k) { return k > 0; });
  }
  bool is_right(Index r) const { return class_of_[decision_[r] - 1] == cases_.truth[r]; }

  void separate_classes(const Context& context) {
    result_.auc_of.resize(classes());
    result_.ks_of.resize(classes());
    result_.hits = result_.alarms = result_.ks_of;
    result_.average_precision.assign(classes(), kNaN);
    int occurring = 0;
    for (int k = 0; k < classes() && posterior_; ++k) occurring += posterior_->cases_of(k) > 0;
    if (occurring < 2) return;
    const double pairs = occurring * (occurring - 1.0);
    Vector of_pairs(posterior_->cases(), 0.0);
    result_.curves.resize(classes());
    for (int k = 0; k < classes(); ++k) {
      if (posterior_->cases_of(k) == 0) continue;
      Separation found = separate(*posterior_, k, kCurvePoints, context,
                                  [&](Index i, double below) { of_pairs[i] += below / pairs; });
      for (Index i = 0; i < posterior_->cases(); ++i) {
        // The class of the case and class k form a pair of classes.
        if (posterior_->truth(i) != k) of_pairs[i] += found.placed[i] / pairs;
      }
      result_.auc_of[k] = area(k, found.placed);
      result_.average_precision[k] = found.average_precision;
      measure_distance(k, found);
      result_.curves[k] = std::move(found.curve);
    }
    result_.auc = mean_area(of_pairs);
  }

  // The area is the mean placement value of the cases of the class, and of the other cases. Its
  // variance is the sum of those of both means (DeLong).
  Area area(int k, const Vector& placed) const {
    Weights own, others;
    double sum = 0;
    for (Index i = 0; i < posterior_->cases(); ++i) {
      const double weight = posterior_->weight(i);
      (posterior_->truth(i) == k ? own : others).add(weight);
      sum += posterior_->truth(i) == k ? weight * placed[i] : 0.0;
    }
    const double value = sum / own.sum;
    const double variance = variance_of([&](Index i) {
      const Weights& all = posterior_->truth(i) == k ? own : others;
      return Influence{posterior_->truth(i) == k, all, placed[i] - value};
    });
    const auto number = [&](const Weights& weights, bool positive) {
      return limit(weights, [&](Index i) { return (posterior_->truth(i) == k) == positive; });
    };
    return {value, std::sqrt(variance), number(own, true), number(others, false)};
  }

  // The effective number of some cases, at most the number of their clusters.
  template <class In>
  double limit(const Weights& weights, In in) const {
    if (!cases_.cluster) return weights.effective();
    ClusterSums clusters(cases_);
    for (Index i = 0; i < posterior_->cases(); ++i) {
      if (in(i)) clusters.add(posterior_->row(i), 0);
    }
    return std::min(weights.effective(), clusters.clusters());
  }

  // Hand and Till's mean over pairs of classes. A case of a class changes it by its placement
  // values in the pairs of this class.
  Area mean_area(const Vector& of_pairs) const {
    std::vector<Weights> weights(classes());
    Vector mean(classes(), 0.0);
    for (Index i = 0; i < posterior_->cases(); ++i) {
      weights[posterior_->truth(i)].add(posterior_->weight(i));
      mean[posterior_->truth(i)] += posterior_->weight(i) * of_pairs[i];
    }
    Area found{0, kNaN, kNaN, kNaN};
    double all = 0;
    for (int k = 0; k < classes(); ++k) {
      if (weights[k].sum == 0) continue;
      mean[k] /= weights[k].sum;
      found.value += 0.5 * mean[k];
      // The smallest class limits what is known of the mean.
      const double number = limit(weights[k], [&](Index i) { return posterior_->truth(i) == k; });
      found.own = std::isnan(found.own) ? number : std::min(found.own, number);
      all += number;
    }
    found.others = all - found.own;
    found.error = std::sqrt(variance_of([&](Index i) {
      const int k = posterior_->truth(i);
      return Influence{k, weights[k], of_pairs[i] - mean[k]};
    }));
    return found;
  }

  // How far a case is from the mean of its group.
  struct Influence {
    int group;
    Weights all;
    double deviation;
  };

  // The variance of the sum of the means of groups of cases.
  template <class Of>
  double variance_of(Of of) const {
    double sum = 0;
    ClusterSums clusters(cases_);
    for (Index i = 0; i < posterior_->cases(); ++i) {
      const Influence found = of(i);
      const double part = posterior_->weight(i) * found.deviation / found.all.sum;
      if (cases_.cluster) {
        clusters.add(posterior_->row(i), part);
      } else {
        const double n = found.all.effective();
        sum += part * found.deviation / (n > 1 ? n - 1 : kNaN);
      }
    }
    return cases_.cluster ? clusters.variance() : sum;
  }

  void measure_distance(int k, const Separation& found) {
    Weights own, others;
    IntVector index(cases_.rows, -1);
    double hits = 0, alarms = 0;
    for (Index i = 0; i < posterior_->cases(); ++i) {
      const bool positive = posterior_->truth(i) == k;
      const double weight = posterior_->weight(i);
      index[posterior_->row(i)] = posterior_->score(i, k) >= found.cut;
      (positive ? own : others).add(weight);
      (positive ? hits : alarms) += index[posterior_->row(i)] ? weight : 0.0;
    }
    const auto above = [&](Index r) { return index[r] == 1; };
    result_.hits[k].value = hits / own.sum;
    result_.alarms[k].value = alarms / others.sum;
    result_.ks_of[k].value = found.direction * (result_.hits[k].value - result_.alarms[k].value);
    set_number(
        result_.hits[k], own, [&](Index r) { return index[r] >= 0 && cases_.truth[r] == k + 1; },
        above);
    set_number(
        result_.alarms[k], others,
        [&](Index r) { return index[r] >= 0 && cases_.truth[r] != k + 1; }, above);
  }

  void price_constants() {
    result_.constant.assign(cost_.actions(), 0.0);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      for (int a = 0; a < cost_.actions(); ++a) {
        result_.constant[a] += cases_.weight_of(r) * cost_.of(a, cases_.truth[r] - 1, r);
      }
    }
    for (double& cost : result_.constant) cost /= all_.sum;
  }

  const Cases& cases_;
  const CostTable& cost_;
  const int* decision_;
  const IntVector& class_of_;
  const PosteriorScores* posterior_;
  TableLayout at_;
  TableReading reading_;
  Vector sums_;  // see TableLayout
  std::vector<Weights> of_truth_, of_action_;
  Weights all_;
  Measures result_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/random.hpp>
#include <engine/likelihood/mixture.hpp>

#include <algorithm>

namespace bayesrisk {

// The components of a mixture, in standard units of the class: mean 0, variance 1.
struct MixtureTerms {
  Eigen::ArrayXd share, mean, variance;
  double log_likelihood = kNegativeInfinity;  // minus infinity: a spike, or not computed

  explicit MixtureTerms(int count = 0) : share(count), mean(count), variance(count) {}
  int count() const { return static_cast<int>(share.size()); }
};

// Fits mixtures to the values of one class, in standard units, by expectation-maximisation
// (Dempster, Laird and Rubin 1977). Starts are drawn by k-means++ (Arthur and Vassilvitskii 2007).
class MixtureFitter {
 public:
  MixtureFitter(const Points& points, const Mixture::Options& options, const Classes& classes)
      : value_(points.col(0)),
        weight_(points.col(1)),
        total_(weight_.sum()),
        options_(options),
        classes_(classes) {}

  // The best of all starts. Each of them runs a little, and the best few go on. Each component
  // borrows `borrow` cases of variance 1. If that is 0, the likelihood has no bound at a spike, so
  // a run that comes near a spike is given up.
  MixtureTerms fit(int count, double borrow) const {
    std::vector<MixtureTerms> tried;
    const int starts = count == 1 ? 1 : static_cast<int>(options_.starts);
    for (int start = 0; start < starts; ++start) {
      classes_.check();
      MixtureTerms terms = first_terms(count, start);
      if (terms.count() > 0) terms = run(std::move(terms), borrow, kShortRun);
      if (terms.count() > 0) tried.push_back(std::move(terms));
    }
    const auto better = [](const MixtureTerms& a, const MixtureTerms& b) {
      return a.log_likelihood > b.log_likelihood;
    };
    std::stable_sort(tried.begin(), tried.end(), better);
    MixtureTerms best;
    int finished = 0;
    for (std::size_t i = 0; i < tried.size() && finished < kFinalists; ++i) {
      classes_.check();
      MixtureTerms terms = run(std::move(tried[i]), borrow, kLongRun);
      finished += terms.count() > 0;
      if (better(terms, best)) best = std::move(terms);
    }
    return best;
  }

 private:
  static constexpr int kShortRun = 50, kLongRun = 3000, kFinalists = 5, kLloyd = 20, kBlock = 512;
  static constexpr double kGain = 1e-10;    // of the log likelihood per case: no further step
  static constexpr double kNarrow = 0.003;  // the smallest variance of a start

  Eigen::ArrayXd quantiles(int count) const {
    Eigen::ArrayXd result(count);
    double below = 0;
    Index i = 0;
    for (int t = 0; t < count; ++t) {
      while (i + 1 < value_.size() && below + weight_[i] < total_ * (t + 0.5) / count) {
        below += weight_[i++];
      }
      result[t] = value_[i];
    }
    return result;
  }

  // The first start divides the values at their quantiles, the second at centres of k-means++. The
  // others have equal shares, the values of random cases as means, and random variances.
  MixtureTerms first_terms(int count, int start) const {
    CounterRandom random(static_cast<std::uint64_t>(options_.seed),
                         static_cast<std::uint64_t>(start) * Mixture::kMostComponents + count);
    if (start < 2) {
      MixtureTerms terms = clusters(start == 0 ? quantiles(count) : centres(count, random));
      if (terms.count() == 0) return terms;
      terms.variance = terms.variance.max(std::max(options_.min_variance_share, kNarrow));
      return terms;
    }
    MixtureTerms terms(count);
    terms.share.setConstant(1.0 / count);
    for (int t = 0; t < count; ++t) {
      terms.mean[t] = value_[draw(weight_, random)];
      terms.variance[t] = std::exp(std::log(kNarrow) * random.uniform());
    }
    return terms;
  }

  static Index draw(const Eigen::ArrayXd& share, CounterRandom& random) {
    double left = random.uniform() * share.sum();
    Index i = 0;
    while (i + 1 < share.size() && left >= share[i]) left -= share[i++];
    return i;
  }

  // Each centre is a value, drawn with its squared distance from the nearest centre before.
  Eigen::ArrayXd centres(int count, CounterRandom& random) const {
    Eigen::ArrayXd result(count), share = weight_, distance;
    for (int t = 0; t < count; ++t) {
      result[t] = value_[draw(share, random)];
      const Eigen::ArrayXd own = (value_ - result[t]).square();
      distance = t == 0 ? own : Eigen::ArrayXd(distance.min(own));
      share = weight_ * distance;
    }
    std::sort(result.data(), result.data() + count);
    return result;
  }

  // The values nearest to each centre, after some steps of k-means. Nothing if a centre has none.
  MixtureTerms clusters(Eigen::ArrayXd centre) const {
    const Index count = centre.size();
    Eigen::ArrayXd own, sum, square;
    for (int step = 0; step < kLloyd; ++step) {
      own = sum = square = Eigen::ArrayXd::Zero(count);
      Index t = 0;
      for (Index i = 0; i < value_.size(); ++i) {
        while (t + 1 < count && value_[i] > (centre[t] + centre[t + 1]) / 2) ++t;
        own[t] += weight_[i];
        sum[t] += weight_[i] * value_[i];
        square[t] += weight_[i] * value_[i] * value_[i];
      }
      if (!(own > 0).all()) return MixtureTerms();
      const Eigen::ArrayXd moved = sum / own;
      if ((moved == centre).all()) break;
      centre = moved;
    }
    MixtureTerms terms(static_cast<int>(count));
    terms.share = own / total_;
    terms.mean = sum / own;
    terms.variance = (square / own - terms.mean.square()).max(0);
    return terms;
  }

  MixtureTerms run(MixtureTerms terms, double borrow, int steps) const {
    const double least = borrow > 0 ? 0 : options_.min_variance_share;
    double before = kNegativeInfinity;
    for (int i = 0;; ++i) {
      MixtureTerms next = step(terms, borrow);
      if (i == steps || terms.log_likelihood - before < kGain * total_) return terms;
      const bool spike = !(next.variance > least).all() || !(next.share > 0).all();
      if (spike) return MixtureTerms();
      before = terms.log_likelihood;
      terms = std::move(next);
    }
  }

  // The next terms; also sets the log likelihood of `terms`. Deviations are from the old means.
  MixtureTerms step(MixtureTerms& terms, double borrow) const {
    const int count = terms.count();
    const Eigen::ArrayXd constant = terms.share.log() - 0.5 * terms.variance.log();
    const Eigen::ArrayXd precision = terms.variance.inverse();
    Eigen::ArrayXd own = Eigen::ArrayXd::Zero(count), first = own, second = own;
    Eigen::ArrayXXd share(kBlock, count), deviation(kBlock, count);
    double sum = 0;
    for (Index begin = 0; begin < value_.size(); begin += kBlock) {
      if (begin > 0 && begin % (64 * kBlock) == 0) classes_.check();
      const Index rows = std::min<Index>(kBlock, value_.size() - begin);
      const auto x = value_.segment(begin, rows), w = weight_.segment(begin, rows);
      for (int t = 0; t < count; ++t) {
        deviation.col(t).head(rows) = x - terms.mean[t];
        share.col(t).head(rows) =
            constant[t] - 0.5 * precision[t] * deviation.col(t).head(rows).square();
      }
      const Eigen::ArrayXd largest = share.topRows(rows).rowwise().maxCoeff();
      for (int t = 0; t < count; ++t) {
        share.col(t).head(rows) = (share.col(t).head(rows) - largest).exp();
      }
      const Eigen::ArrayXd density = share.topRows(rows).rowwise().sum();
      sum += (w * (largest + density.log() - kHalfLogTwoPi)).sum();
      const Eigen::ArrayXd scale = w / density;
      for (int t = 0; t < count; ++t) {
        const Eigen::ArrayXd part = share.col(t).head(rows) * scale;
        own[t] += part.sum();
        first[t] += (part * deviation.col(t).head(rows)).sum();
        second[t] += (part * deviation.col(t).head(rows).square()).sum();
      }
    }
    // A step raises the sum of the log likelihood and of the log density of the borrowed cases.
    terms.log_likelihood = sum - 0.5 * borrow * (terms.variance.log() + precision).sum();
    MixtureTerms next(count);
    const Eigen::ArrayXd offset = first / own;
    next.share = own / total_;
    next.mean = terms.mean + offset;
    next.variance = (second - own * offset.square() + borrow) / (own + borrow);
    return next;
  }

  Eigen::ArrayXd value_, weight_;
  double total_;
  const Mixture::Options& options_;
  const Classes& classes_;
};

}  // namespace bayesrisk

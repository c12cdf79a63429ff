#pragma once

#include <engine/likelihood/mixture.hpp>

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
    const double least = borrow > 0 ? 0 : options_.min_variance_share;
    const auto spike = [&](const MixtureTerms& next) {
      return !(next.variance > least).all() || !(next.share > 0).all();
    };
    const auto run = [&](int steps) {
      return [&, steps](MixtureTerms terms) {
        return Search::climb(
            std::move(terms), steps, Search::kGain * total_,
            [&](MixtureTerms& at) { return step(at, borrow); }, spike);
      };
    };
    return Search::best_of_starts<MixtureTerms>(
        count == 1 ? 1 : static_cast<int>(options_.starts), classes_.context.check,
        [&](int start) { return first_terms(count, start); }, run(Search::kShortRun),
        run(Search::kLongRun));
  }

 private:
  using Search = MixtureSearch;
  static constexpr int kBlock = 512;

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
    CounterRandom random = options_.random(count, start);
    if (start < 2) {
      MixtureTerms terms = clusters(start == 0 ? quantiles(count) : centres(count, random));
      if (terms.count() == 0) return terms;
      terms.variance = terms.variance.max(std::max(options_.min_variance_share, Search::kNarrow));
      return terms;
    }
    MixtureTerms terms(count);
    terms.share.setConstant(1.0 / count);
    for (int t = 0; t < count; ++t) {
      terms.mean[t] = value_[Search::draw(weight_, random)];
      terms.variance[t] = std::exp(std::log(Search::kNarrow) * random.uniform());
    }
    return terms;
  }

  // Each centre is a value, drawn with its squared distance from the nearest centre before.
  Eigen::ArrayXd centres(int count, CounterRandom& random) const {
    Eigen::ArrayXd result(count), share = weight_, distance;
    for (int t = 0; t < count; ++t) {
      result[t] = value_[Search::draw(share, random)];
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
    for (int step = 0; step < Search::kLloyd; ++step) {
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

  // The next terms; also sets the log likelihood of `terms`. Deviations are from the old means.
  MixtureTerms step(MixtureTerms& terms, double borrow) const {
    const int count = terms.count();
    const Eigen::ArrayXd constant = terms.share.log() - 0.5 * terms.variance.log();
    const Eigen::ArrayXd precision = terms.variance.inverse();
    Eigen::ArrayXd own = Eigen::ArrayXd::Zero(count), first = own, second = own;
    Eigen::ArrayXXd share(kBlock, count), deviation(kBlock, count);
    double sum = 0;
    for (Index begin = 0; begin < value_.size(); begin += kBlock) {
      if (begin > 0 && begin % (64 * kBlock) == 0) classes_.context.check();
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

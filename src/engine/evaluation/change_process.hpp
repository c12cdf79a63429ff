#pragma once

#include <engine/evaluation/odds_before.hpp>

#include <cmath>
#include <numeric>

namespace bayesrisk {

// The evidence that a mean of values in [0, 1], such as the share of a class, has changed at some
// row, against the hypothesis that it has not: the Bayes factor after each row. If the odds of the
// mean `centre` are multiplied by r, the mean is m = centre r / (1 - centre + centre r), and the
// density of a row of value v is multiplied by 1 + (v - centre) (m - centre) / (centre (1 -
// centre)), which is the likelihood ratio if the values are 0 and 1, or posteriors. The odds before
// a change are not known exactly, since they were estimated: `null` is its distribution given the
// training rows, and later given the rows read, too. After a change it has the distribution
// `fresh`. With h_n the probability of a change just before row n, L_n the density of row n, and
// D_n its mean over `null`,
//   changed_n = (changed_{n-1} + h_n fresh) L_n / D_n
// sums over all rows at which the change may have been (Shiryaev 1963), so no rows are kept.
//
// Why the factor exceeds 1 / alpha in at most a share alpha of the streams, at any row: let m* be
// the mean at which the expected logarithm of the density is largest. It need not be that of the
// model. The density under any m divided by that under m* has a mean of at most 1, whatever the
// distribution of the rows (the first-order condition of a concave maximum). So every product of
// such ratios over rows, and every mixture of these products over means and rows of change, is a
// supermartingale that begins at 1, and by Ville's inequality exceeds 1 / alpha with probability
// alpha at most. m* depends on the training rows. If `null` is its distribution over training sets,
// D is the density of a stream under the mean over training sets, and the factor is a martingale
// under it.
class ChangeProcess {
 public:
  // The numbers of a process belong to its owner.
  struct State {
    Index size;
    const double *ratio, *fresh;  // factors of the odds after a change
    double* changed;
    double* time;  // as `changed`, times the row of the change
    OddsBefore::State null;
    double* log_scale;  // of `changed` and `time`
    double* rows;
  };

  explicit ChangeProcess(const State& state) : at_(state) {}

  // A row by its number in the stream, its value and the mean of the model. Returns the logarithm
  // of the Bayes factor, with the changes that are still to come.
  double add(double row, double value, double centre) {
    const double scale = 1 / add_to_null(value, centre);
    const double entering = later(*at_.rows) - later(*at_.rows + 1);
    const double enters = entering * std::exp(-*at_.log_scale);
    ++*at_.rows;
    double total = 0;
    for (Index i = 0; i < at_.size; ++i) {
      const double factor = scale * density(at_.ratio[i], value, centre);
      const double fresh = enters * at_.fresh[i];
      at_.changed[i] = (at_.changed[i] + fresh) * factor;
      at_.time[i] = (at_.time[i] + fresh * row) * factor;
      total += at_.changed[i];
    }
    const double log_factor =
        *at_.log_scale + std::log(total + later(*at_.rows) * std::exp(-*at_.log_scale));
    if (total > kLarge) rescale(total);
    return log_factor;
  }

  // Given that there was a change: the means of its row and of the logarithm of the ratio.
  double changed_at() const { return sum(at_.time) / sum(at_.changed); }
  double changed_by() const {
    double total = 0;
    for (Index i = 0; i < at_.size; ++i) total += at_.changed[i] * std::log(at_.ratio[i]);
    return total / sum(at_.changed);
  }

  // The probability of a change after so many rows. Half of the changes are before the first row,
  // since models meet other rows from the first day on; the others are spread so thinly that a
  // change after any number of rows is found.
  static double later(double rows) {
    return rows > 0 ? 0.5 * std::log(kHalfTime) / std::log(kHalfTime + rows - 1) : 1.0;
  }

 private:
  static constexpr double kHalfTime = 10, kLarge = 1e100, kLeast = 1e-280, kRefined = 32;

  double sum(const double* x) const { return std::accumulate(x, x + at_.size, 0.0); }

  static double density(double ratio, double value, double centre) {
    const double more = ratio - 1;
    return std::max(1 + (value - centre) * more / (1 + centre * more), 0.0);
  }

  // The mean density of a row. Probabilities of 0 stay, others never become 0.
  double add_to_null(double value, double centre) {
    const OddsBefore::State& null = at_.null;
    double mean = 0;
    for (Index i = 0; i < null.points; ++i) {
      mean += null.probability[i] * density(null.ratio[i], value, centre);
    }
    mean = std::max(mean, kLeast);
    for (Index i = 0; i < null.points; ++i) {
      const double now = null.probability[i] / mean * density(null.ratio[i], value, centre);
      null.probability[i] = null.probability[i] > 0 ? std::max(now, kLeast) : 0.0;
    }
    if (std::fmod(*at_.rows + 1, kRefined) == 0) OddsBefore(null).refine();
    return mean;
  }

  void rescale(double total) {
    for (Index i = 0; i < at_.size; ++i) {
      at_.changed[i] /= total;
      at_.time[i] /= total;
    }
    *at_.log_scale += std::log(total);
  }

  State at_;
};

}  // namespace bayesrisk

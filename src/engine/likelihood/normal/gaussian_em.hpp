#pragma once

#include <engine/likelihood/normal/gaussian_em_step.hpp>
#include <engine/likelihood/normal/moments.hpp>

namespace bayesrisk {

// Climbs to a maximum of the likelihood of rows with missing numbers. Two steps of
// expectation-maximisation show where they lead, and a jump goes there (SQUAREM: Varadhan and
// Roland 2008). A jump that would lower the likelihood is not made, so the likelihood never falls.
class EmClimb {
 public:
  static constexpr int kMostCycles = 1000;
  // The distance to the maximum at which a climb ends, in standard errors of complete rows.
  static constexpr double kTolerance = 1e-9;
  // Below this share of a standard deviation rounding hides whether a spread shrinks to 0.
  static constexpr double kLeastSpread = 3e-9;

  EmClimb(EmRows& rows, const Context& context) : rows_(rows), step_(rows, context) {
    constexpr Index kUsualSteps = 20;
    context.expect(kUsualSteps * step_.tasks());
  }

  // The state at the end, which does not exist if numbers overflowed, and is singular if the
  // likelihood has no maximum.
  EmState climb(EmState at);

  bool is_singular(const EmState& state) const {
    return state.factor.allFinite() && rank_of_triangle(state.factor, kLeastSpread) < rows_.size();
  }

  bool unfinished() const { return unfinished_; }
  // The log likelihoods of the states on the way.
  const Vector& path() const { return path_; }

  // The complete rows, if they suffice; otherwise the moments of the known numbers of each member.
  EmState start() const;

 private:
  // A climb also ends where rounding hides the way: its steps do not become shorter, and the log
  // likelihood grows by no more than its rounding error, which grows with the condition.
  bool ends(double first, double second, const EmState& at);

  static double length(const EmMove& move) { return move.numbers().norm(); }

  // A jump stays near: if the likelihood has no bound, far away are covariances that are singular.
  EmMove jump(const EmMove& first, const EmMove& second);

  EmRows& rows_;
  EmStep step_;
  double jump_ = 1, longest_ = 4;
  double shortest_ = kInfinity;
  std::size_t shortest_at_ = 0;
  Vector path_;
  bool unfinished_ = false;
};

// The scatter that complete rows would have at the maximum: the weight of all rows with a known
// member, the estimated mean, and the triangle of the weight times the estimated covariance. If the
// covariance becomes singular, the likelihood has no maximum, and the iteration ends anywhere. Then
// the scatter is that of the complete rows.
class EmScatter {
 public:
  using Likelihood = MultivariateGaussian;

  EmScatter(const Likelihood::Statistics& statistics, const Classes& classes,
            Diagnostics& diagnostics)
      : statistics_(statistics),
        classes_(classes),
        diagnostics_(diagnostics),
        scatter_(statistics.scatter) {}

  // `pooled`: the groups share a covariance.
  Scatter find(bool pooled);

  // Whether a group has a value of each member; otherwise it counts as empty.
  static bool is_known(const Likelihood::Statistics& statistics, int g);

 private:
  void add(const IntVector& groups, int name);

  // Whether the values of a member in a group differ. If not, its mean becomes their value.
  bool varies(int g, int j);

  void add_weights(const IntVector& groups);

  void write(int g, const IntVector& members, const EmRows& rows, const EmState& state, Index k);

  static constexpr double kLeastSquare = std::numeric_limits<double>::min();

  const Likelihood::Statistics& statistics_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  Scatter scatter_;
};

// The log likelihood of the complete and the incomplete rows.
double em_log_likelihood(const MultivariateGaussian::Statistics& statistics,
                         const MultivariateGaussian::Parameters& parameters);

}  // namespace bayesrisk

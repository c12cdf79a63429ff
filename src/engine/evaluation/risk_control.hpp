#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// With probability 1 - delta, the mean cost of the cases that a rule decides is at most `bound`.
// Each finite cost is between 0 and `most`, or, if `all_or_none`, one of the two.
struct Promise {
  double bound = 0, most = 1, delta = 0.05;
  bool all_or_none = false;

  // Of the hypothesis that the mean cost is above the bound, where `cases` costs have this sum:
  // the binomial test, or Hoeffding's and Bentkus' inequalities (Bates et al. 2021).
  double p_value(double cases, double sum) const;
  // The largest number of costs `most` among `cases` with which the test rejects; -1: none.
  double most_errors(double cases) const;
  // The fewest cases that do so with this number.
  double fewest_cases(double errors, double cases) const;
};

// A case of the sample: the rule decides it if its score is at most a threshold.
struct ScoredCost {
  double score, cost;
};

// What a threshold decides of the sample.
struct ControlPoint {
  double threshold, decided, mean, p_value;
  bool tested = false, passed = false;
};

struct ControlledRule {
  double threshold = 0;  // negative infinity: the rule decides no case
  double fewest = 0;     // with fewer decided cases no threshold passes
  std::vector<ControlPoint> points{};
};

// Tests thresholds in increasing order until one fails: fixed-sequence testing (Angelopoulos et al.
// 2021, "Learn then test"). The thresholds are `grid`, or, if it is empty, quantiles of the scores
// `other`, or, if these are empty, of the scores of the cases.
ControlledRule control_risk(std::vector<ScoredCost> cases, const Promise& promise,
                            const Vector& grid, Vector other);

}  // namespace bayesrisk

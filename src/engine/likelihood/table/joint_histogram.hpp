#pragma once

#include <engine/likelihood/contract/bin_sets.hpp>
#include <engine/likelihood/table/joint_table_statistics.hpp>
#include <engine/marginal/steps.hpp>

namespace bayesrisk {

// Numeric features with a joint histogram given the class: one block, uniform within each cell. A
// feature is a feature of a joint table, whose code is the bin of the number.
struct JointHistogram : JointTable {
  static constexpr const char* name = "joint_histogram";

  // The levels of a feature are its bins.
  struct Plan : JointTable::Plan {
    using Likelihood = JointHistogram;
    Vector edges;  // side by side

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("bins", self.levels);
      visit("edges", self.edges);
    }
    static constexpr bool reads_codes = false;
    void check() const;
    Bins of_member(int j) const { return set_of_bins(levels, edges, j); }
  };

  struct Options : JointTable::Options {
    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.pseudo_count);
    }
    void check(const Plan&, int) const { require(pseudo_count >= 0, "laplace: negative"); }
  };

  struct Statistics : JointTable::Statistics {
    using JointTable::Statistics::Statistics;
    Statistics() = default;
    explicit Statistics(JointTable::Statistics table) : JointTable::Statistics(std::move(table)) {}

    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    // The target has the same bins, and possibly more on either side.
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    return JointTable::estimate(plan, statistics, options, classes, diagnostics);
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options& options, const Parameters& p,
                                int classes) {
    return JointTable::parameter_count(plan, options, p, classes);
  }

  using Marginal = Steps;
  static Steps::OfClass marginal(const Plan& plan, const Parameters& p, int k, int member,
                                 double origin) {
    return matching(plan, p, k, member, IntVector(plan.levels.size(), kMissing), origin);
  }

  // The bins of a row; kMissing for the member itself and for a missing number.
  static IntVector known_members(const Plan& plan, const Frame& frame, Index row, int member);
  // The density of a member given the bins of others; `known` has kMissing for an unknown bin. If
  // the known bins are impossible, the density without them.
  static Steps::OfClass conditional(const Plan& plan, const Parameters& p, int k, int member,
                                    const IntVector& known, double origin);

  static void overlap(const Plan& plan, const Parameters& p, int one, int other, Overlap& overlap);
  static constexpr Unsupported scatter{"its statistics are counts"};
  static constexpr Unsupported table{"its cells have widths"};

  class Scorer;
  class Drawer;

 private:
  // The probability of each bin of a member together with the known bins.
  static Steps::OfClass matching(const Plan& plan, const Parameters& p, int k, int member,
                                 const IntVector& known, double origin);
};

// Reads the bins of the members as codes of a joint table of its own, whose features are counted
// from 0.
class BinnedFrame {
 public:
  BinnedFrame(int members, int rows)
      : rows_(rows), codes_(static_cast<std::size_t>(members) * rows, kMissingInteger) {
    for (int j = 0; j < members; ++j) frame_.columns.push_back({nullptr, code(j), 0, 0, nullptr});
    frame_.rows = rows;
  }

  // The codes of a member, a row each; they begin as missing.
  int* code(int member) { return codes_.data() + static_cast<std::size_t>(member) * rows_; }

  const Frame& frame(const IntVector& bins) {
    for (std::size_t j = 0; j < bins.size(); ++j) frame_.columns[j].stored_levels = bins[j];
    return frame_;
  }

  static JointTable::Plan plan(const IntVector& bins);

 private:
  int rows_;
  IntVector codes_;
  Frame frame_;
};

}  // namespace bayesrisk

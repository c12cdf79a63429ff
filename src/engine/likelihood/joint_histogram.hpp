#pragma once

#include <engine/likelihood/bin_sets.hpp>
#include <engine/likelihood/joint_table_statistics.hpp>
#include <engine/marginal/steps.hpp>

namespace bayesrisk {

// Numeric features with a joint histogram given the class: one block, uniform within each cell. A
// feature is a feature of a joint table, whose code is the bin of the number.
struct JointHistogram {
  static constexpr const char* name = "joint_histogram";

  struct Plan {
    using Likelihood = JointHistogram;
    IntVector features;
    IntVector bins;  // the number of bins of each feature
    Vector edges;    // side by side

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("bins", self.bins);
      visit("edges", self.edges);
    }
    int members() const { return static_cast<int>(features.size()); }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = false;
    void check() const {
      require(bins.size() == features.size(), "bins: wrong length");
      check_bin_sets(bins, edges);
      table().check_size();
    }
    Bins of_member(int j) const { return set_of_bins(bins, edges, j); }
    JointTable::Plan table() const { return {features, bins}; }
  };

  struct Options {
    double laplace = 0;  // per cell

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
    }
    void check(const Plan&, int) const { require(laplace >= 0, "laplace: negative"); }
  };

  struct Parameters : JointTable::Parameters {
    void check(const Plan& plan, int groups) const {
      JointTable::Parameters::check(plan.table(), groups);
    }
  };

  struct Statistics : JointTable::Statistics {
    Statistics() = default;
    Statistics(const Plan& plan, int groups) : JointTable::Statistics(plan.table(), groups) {}
    explicit Statistics(JointTable::Statistics table) : JointTable::Statistics(std::move(table)) {}

    void check(const Plan& plan, int groups) const {
      JointTable::Statistics::check(plan.table(), groups);
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan& plan, const Statistics& other) {
      JointTable::Statistics::merge(plan.table(), other);
    }
    Statistics of_groups(const Plan& plan, int first, int groups) const {
      return Statistics(JointTable::Statistics::of_groups(plan.table(), first, groups));
    }
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    return {
        JointTable::estimate(plan.table(), statistics, {options.laplace}, classes, diagnostics)};
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = JointTable::log_likelihood(plan.table(), statistics, parameters);
    for (int j = 0; j < plan.members(); ++j) {
      const Bins bins = plan.of_member(j);
      for (Index c = 0; c < statistics.cells.rows(); ++c) {
        total -= statistics.count.col(c).sum() * std::log(bins.width(statistics.cells(c, j) - 1));
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options& options, const Parameters& p,
                                int classes) {
    return JointTable::parameter_count(plan.table(), {options.laplace}, p, classes);
  }

  using Marginal = Steps;
  static Steps::OfClass marginal(const Plan& plan, const Parameters& p, int k, int member,
                                 double origin) {
    return matching(plan, p, k, member, IntVector(plan.bins.size(), kMissing), origin);
  }

  // The density of a member given the bins of others; `known` has kMissing for an unknown bin. If
  // the known bins are impossible, the density without them.
  static Steps::OfClass conditional(const Plan& plan, const Parameters& p, int k, int member,
                                    const IntVector& known, double origin) {
    Steps::OfClass steps = matching(plan, p, k, member, known, origin);
    double total = kNegativeInfinity;
    for (double log_probability : steps.log_probability) total = log_add(total, log_probability);
    if (total == kNegativeInfinity) return marginal(plan, p, k, member, origin);
    for (double& log_probability : steps.log_probability) log_probability -= total;
    return steps;
  }

  class Scorer;
  class Drawer;

 private:
  // The probability of each bin of a member together with the known bins.
  static Steps::OfClass matching(const Plan& plan, const Parameters& p, int k, int member,
                                 const IntVector& known, double origin);
};

inline Steps::OfClass JointHistogram::matching(const Plan& plan, const Parameters& p, int k,
                                               int member, const IntVector& known, double origin) {
  const Bins bins = plan.of_member(member);
  Steps::OfClass steps;
  for (int e = 0; e < count_edges(bins.count); ++e) steps.edges.push_back(bins.edges[e] - origin);
  Vector listed(bins.count, 0.0);
  steps.log_probability.assign(bins.count, kNegativeInfinity);
  double cells = 1;  // that match, of each bin
  for (int j = 0; j < plan.members(); ++j) {
    if (j != member && known[j] < 0) cells *= plan.bins[j];
  }
  for (Index c = 0; c < p.cells.rows(); ++c) {
    bool matches = true;
    for (int j = 0; j < plan.members(); ++j) {
      matches = matches && (j == member || known[j] < 0 || p.cells(c, j) - 1 == known[j]);
    }
    if (!matches) continue;
    const int bin = p.cells(c, member) - 1;
    ++listed[bin];
    double& sum = steps.log_probability[bin];
    sum = log_add(sum, p.log_probability(k, c));
  }
  for (int b = 0; b < bins.count; ++b) {
    if (listed[b] == cells) continue;
    double& sum = steps.log_probability[b];
    sum = log_add(sum, p.log_unseen[k] + std::log(cells - listed[b]));
  }
  return steps;
}

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

  static JointTable::Plan plan(const IntVector& bins) {
    JointTable::Plan plan{bins, bins};
    std::iota(plan.features.begin(), plan.features.end(), 0);
    return plan;
  }

 private:
  int rows_;
  IntVector codes_;
  Frame frame_;
};

inline void JointHistogram::Statistics::collect(const Plan& plan, const Frame& frame,
                                                const Chunk& chunk, Diagnostics& diagnostics) {
  BinnedFrame binned(plan.members(), chunk.rows);
  Vector buffer(chunk.rows);
  for (int j = 0; j < plan.members(); ++j) {
    const int feature = plan.features[j];
    const double* x =
        load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
    const BinFinder bins(plan.of_member(j), chunk.rows);
    int* code = binned.code(j);
    for (int r = 0; r < chunk.rows; ++r) {
      if (chunk.group[r] == chunk.groups || std::isnan(x[r])) continue;
      const int bin = bins.find(x[r]);
      if (bin >= 0) {
        code[r] = bin;
      } else {
        const bool infinite = std::isinf(x[r]);
        diagnostics.add(infinite ? Problem::infinite : Problem::outside,
                        infinite ? kAll : chunk.group[r], feature, 1);
      }
    }
  }
  Chunk own = chunk;
  own.begin = 0;
  JointTable::Statistics::collect(BinnedFrame::plan(plan.bins), binned.frame(plan.bins), own,
                                  diagnostics);
}

// The target has the same bins, and possibly more on either side.
inline JointHistogram::Statistics JointHistogram::Statistics::realign(
    const Plan& plan, const Plan& target, const Mapping& mapping) const {
  Mapping of_bins = mapping;
  const IntVector to = mapping.members(plan.features, target.features);
  for (int j = 0; j < plan.members(); ++j) {
    if (to[j] < 0 || plan.bins[j] == 0) continue;
    IntVector& bin = of_bins.level[plan.features[j]];
    bin.resize(plan.bins[j]);
    std::iota(bin.begin(), bin.end(), place_of_bins(plan.of_member(j), target.of_member(to[j])));
  }
  return Statistics(JointTable::Statistics::realign(plan.table(), target.table(), of_bins));
}

}  // namespace bayesrisk

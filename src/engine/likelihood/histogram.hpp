#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/likelihood/bin_sets.hpp>
#include <engine/likelihood/cell_weights.hpp>
#include <engine/marginal/steps.hpp>

namespace bayesrisk {

// One numeric feature, uniform within each bin given the class. All classes share the bins, or each
// class has its own.
struct Histogram {
  static constexpr const char* name = "histogram";

  struct Plan {
    using Likelihood = Histogram;
    IntVector features;  // one
    IntVector bins;      // the number of bins: one for all classes, or one per class
    Vector edges;        // side by side

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("bins", self.bins);
      visit("edges", self.edges);
    }
    int members() const { return 1; }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = false;
    void check() const {
      require(features.size() == 1, "a histogram of several features");
      check_bin_sets(bins, edges);
    }

    bool by_class() const { return bins.size() > 1; }
    // Groups may be the classes of one fold after the other.
    Bins of_group(int g) const {
      return set_of_bins(bins, edges, g % static_cast<int>(bins.size()));
    }
    void check_groups(int groups) const {
      require(groups % static_cast<int>(bins.size()) == 0, "bins: wrong number of classes");
    }
    int most_bins() const { return *std::max_element(bins.begin(), bins.end()); }
  };

  struct Options {
    double laplace = 0;  // per bin

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
    }
    void check(const Plan& plan, int groups) const { plan.check_groups(groups); }
  };

  struct Parameters {
    Matrix log_probability;  // groups x bins; -Inf for a bin that a class lacks

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
    }
    void check(const Plan& plan, int groups) const {
      plan.check_groups(groups);
      require(has_shape(log_probability, groups, plan.most_bins()),
              "log_probability: wrong dimensions");
    }
    bool sound(int g) const { return (log_probability.row(g).array() <= kLogOne).all(); }
  };

  struct Statistics {
    Matrix count;  // groups x bins

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : count(Matrix::Zero(groups, plan.most_bins())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("count", self.count);
    }
    void check(const Plan& plan, int groups) const {
      plan.check_groups(groups);
      require(has_shape(count, groups, plan.most_bins()), "count: wrong dimensions");
      require(not_negative(count), "count: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other) { count += other.count; }
    Statistics of_groups(const Plan&, int first, int groups) const {
      return groups_of(*this, first, groups);
    }
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    Parameters p{Matrix::Constant(classes.count(), plan.most_bins(), kNaN)};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      const int bins = plan.of_group(g).count;
      Eigen::RowVectorXd count = statistics.count.row(g);
      double total = count.sum() + options.laplace * bins;
      if (!(total > 0) && classes.borrow && !plan.by_class() && statistics.count.sum() > 0) {
        count = statistics.count.colwise().sum();
        total = count.sum();
        diagnostics.add(Problem::borrowed, g, plan.features[0], 0);
      }
      if (!(total > 0)) diagnostics.add(Problem::empty, g, plan.features[0], 0);
      if (std::isinf(total)) diagnostics.add(Problem::overflow, g, plan.features[0], total);
      p.log_probability.row(g).setConstant(kNegativeInfinity);
      for (int b = 0; b < bins; ++b) {
        p.log_probability(g, b) = std::log((count[b] + options.laplace) / total);
      }
    }
    return p;
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int g = 0; g < statistics.count.rows(); ++g) {
      const Bins bins = plan.of_group(g);
      for (int b = 0; b < bins.count; ++b) {
        total += times_log(statistics.count(g, b),
                           parameters.log_probability(g, b) - std::log(bins.width(b)));
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    double count = 0;
    for (int bins : plan.bins) count += bins - 1;
    return plan.by_class() ? count : count * classes;
  }

  using Marginal = Steps;
  static Steps::OfClass marginal(const Plan& plan, const Parameters& p, int k, int, double origin) {
    const Bins bins = plan.of_group(k);
    Steps::OfClass steps;
    for (int e = 0; e < count_edges(bins.count); ++e) {
      steps.edges.push_back(bins.edges[e] - origin);
    }
    for (int b = 0; b < bins.count; ++b) steps.log_probability.push_back(p.log_probability(k, b));
    return steps;
  }

  class Scorer;
  class Drawer;
};

inline void Histogram::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                           Diagnostics& diagnostics) {
  const int feature = plan.features[0];
  Vector buffer(chunk.rows);
  const double* x =
      load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
  std::vector<BinFinder> bins;
  const int sets = static_cast<int>(plan.bins.size());  // groups of several folds share them
  for (int set = 0; set < sets; ++set) bins.emplace_back(plan.of_group(set), chunk.rows);
  const int slots = chunk.groups + 1, none = plan.most_bins();
  IntVector cell(chunk.rows);
  for (int r = 0; r < chunk.rows; ++r) {
    const int g = chunk.group[r];
    int bin = none;
    if (g < chunk.groups && !std::isnan(x[r])) {
      bin = bins[g % sets].find(x[r]);
      if (bin < 0) {
        const bool infinite = std::isinf(x[r]);
        diagnostics.add(infinite ? Problem::infinite : Problem::outside, infinite ? kAll : g,
                        feature, 1);
        bin = none;
      }
    }
    cell[r] = bin * slots + g;
  }
  const Vector weight = weigh_cells(cell, chunk, (none + 1) * slots);
  for (int bin = 0; bin < none; ++bin) {
    for (int g = 0; g < chunk.groups; ++g) count(g, bin) += weight[bin * slots + g];
  }
}

// The target has the same bins, and possibly more on either side.
inline Histogram::Statistics Histogram::Statistics::realign(const Plan& plan, const Plan& target,
                                                            const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    const Bins from = plan.of_group(static_cast<int>(g)), to = target.of_group(mapping.group[g]);
    if (from.count == 0) continue;
    result.count.row(mapping.group[g]).segment(place_of_bins(from, to), from.count) =
        count.row(static_cast<Index>(g)).head(from.count);
  }
  return result;
}

// One uniform number chooses the bin; its remainder chooses the place in the bin.
class Histogram::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), cumulative_(parameters.log_probability.array().exp().transpose()) {
    for (Index k = 0; k < cumulative_.cols(); ++k) {
      for (Index b = 1; b < cumulative_.rows(); ++b) cumulative_(b, k) += cumulative_(b - 1, k);
    }
  }

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const Bins bins = plan_.of_group(k);
    if (bins.count == 0) {  // the class has no density
      to.number(plan_.features[0], row) = kNaN;
      return;
    }
    const double* cumulative = cumulative_.col(k).data();
    const int bin = index_of_weight(cumulative, bins.count, *u);
    const double below = bin > 0 ? cumulative[bin - 1] : 0.0;
    const double share = (*u * cumulative[bins.count - 1] - below) / (cumulative[bin] - below);
    to.number(plan_.features[0], row) = number_in_bin(bins, bin, share);
  }

 private:
  const Plan& plan_;
  Matrix cumulative_;  // bins x groups
};

}  // namespace bayesrisk

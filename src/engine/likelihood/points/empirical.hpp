#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/core/ranks.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/contract/points.hpp>
#include <engine/marginal/atoms.hpp>

namespace bayesrisk {

// One numeric feature: each value has its relative frequency in the class.
struct Empirical : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "empirical";

  using Plan = SingleFeatures<Empirical, true>;
  using Options = NoOptions<Empirical>;

  struct Parameters {
    std::vector<Points> points;  // per group: value, log probability

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
    }
    void check(const Plan&, int groups) const { check_shared_points(points, groups); }
    bool sound(int g) const { return has_log_shares(points[g]); }
  };

  struct Statistics : SingleFeatureStatistics<Statistics> {
    std::vector<Points> points;  // per group

    Statistics() = default;
    Statistics(const Plan&, int groups) : points(groups, Points(0, 2)) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
    }
    void check(const Plan&, int groups) const { check_weighted_points(points, groups); }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      points = collect_points(plan.features[0], frame, chunk, diagnostics);
    }
    void merge(const Plan&, const Statistics& other);
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters);

  // The number of values grows with the data, so models cannot be compared by a parameter count.
  static double parameter_count(const Plan&, const Options&, const Parameters&, int) {
    return kNaN;
  }

  // Exact values are not moved to an origin: rounding could make two of them one.
  using Marginal = Atoms;
  static Atoms::OfClass marginal(const Plan&, const Parameters& p, int k, int, double);

  static constexpr ByMarginals overlap{};
  static constexpr Unsupported tilt{"two classes may share no value"};
  static constexpr bool kLendsSpread = false;

  class Scorer;
  class Drawer;
};

// A value that does not occur in a class is impossible in this class.
class Empirical::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : plan_(plan), parameters_(parameters) {
    for (const Points& points : parameters.points)
      values_.emplace_back(points.data(), points.rows(), rows);
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  // NaN for a class without rows.
  double log_probability(int k, double x) const;

  const Plan& plan_;
  const Parameters& parameters_;
  std::vector<Ranks> values_;  // of each class
};

class Empirical::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), choices_(parameters.points) {}

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    to.number(plan_.features[0], row) = parameters_.points[k](choices_.choose(k, *u), 0);
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  PointChoices choices_;
};

}  // namespace bayesrisk

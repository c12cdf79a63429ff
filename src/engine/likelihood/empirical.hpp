#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/core/ranks.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/likelihood/points.hpp>
#include <engine/marginal/atoms.hpp>

namespace bayesrisk {

// One numeric feature: each value has its relative frequency in the class.
struct Empirical {
  static constexpr const char* name = "empirical";

  using Plan = SingleFeatures<Empirical, true>;
  using Options = NoOptions<Empirical>;

  struct Parameters {
    std::vector<Points> points;  // per group: value, log probability

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
    }
    void check(const Plan&, int groups) const { check_points(points, groups); }
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
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < points.size(); ++g) {
        points[g] = unite_points(points[g], other.points[g]);
      }
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options&,
                             const Classes& classes, Diagnostics& diagnostics) {
    Parameters p{std::vector<Points>(classes.weight.size(), Points(0, 2))};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      const Points points =
          points_or_pooled(statistics.points, g, plan.features[0], classes, diagnostics);
      const double weight = points.col(1).sum();
      if (std::isinf(weight)) diagnostics.add(Problem::overflow, g, plan.features[0], weight);
      p.points[g] = with_log_shares(points);
    }
    return p;
  }

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (std::size_t g = 0; g < statistics.points.size(); ++g) {
      for (Index i = 0; i < statistics.points[g].rows(); ++i) {
        total += times_log(statistics.points[g](i, 1), parameters.points[g](i, 1));
      }
    }
    return total;
  }

  // The number of values grows with the data, so models cannot be compared by a parameter count.
  static double parameter_count(const Plan&, const Options&, const Parameters&, int) {
    return kNaN;
  }

  // Exact values are not moved to an origin: rounding could make two of them one.
  using Marginal = Atoms;
  static Atoms::OfClass marginal(const Plan&, const Parameters& p, int k, int, double) {
    const auto column = [&](Index j) {
      const auto of = p.points[k].col(j);
      return Vector(of.data(), of.data() + of.size());
    };
    return {column(0), column(1)};
  }

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

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to) return;
    const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
    for (int r = 0; r < tile.rows; ++r) {
      if (!std::isfinite(x[r])) continue;
      for (int k = 0; k < tile.classes; ++k) tile.of_class(k)[r] += log_probability(k, x[r]);
    }
  }

 private:
  // NaN for a class without rows.
  double log_probability(int k, double x) const {
    const Points& points = parameters_.points[k];
    if (points.rows() == 0) return kNaN;
    const Index place = values_[k].up_to(x) - 1;
    return place >= 0 && points(place, 0) == x ? points(place, 1) : kNegativeInfinity;
  }

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

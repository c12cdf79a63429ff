#pragma once

#include <engine/likelihood/contract/row_points.hpp>
#include <engine/likelihood/normal/mixture_terms.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>

namespace bayesrisk {

// Numeric features whose joint density given the class is a finite sum of multivariate normals: one
// block. The statistics of a class are its complete rows, beside those of a multivariate normal.
struct MultivariateMixture : NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "multivariate_mixture";

  // A class in which every fit has a component without spread in some direction.
  static constexpr ProblemName spike{"spike"};

  using Block = MultivariateGaussian;

  struct Plan : Block::Plan {
    using Likelihood = MultivariateMixture;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
    }
  };

  struct Options : MixtureOptions {};

  // Each term is a multivariate normal, in the place of a class. The terms of all classes stand
  // side by side, class by class.
  struct Parameters : MixtureWeights {
    Block::Parameters normals;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      MixtureWeights::fields(self, visit);
      Block::Parameters::density_fields(self.normals, visit);
    }
    void check(const Plan& plan, int groups) const {
      normals.check(plan, static_cast<int>(check_weights(groups)));
    }
    bool sound(int g) const;
  };

  struct Statistics : Block::Statistics {
    std::vector<RowPoints> points;  // per group

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : Block::Statistics(plan, groups), points(groups, RowPoints(0, plan.size() + 1)) {}

    void clear() {
      Block::Statistics::clear();
      for (RowPoints& rows : points) rows.resize(0, rows.cols());
    }

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
      Scatter::fields(self.scatter, visit);
    }
    void check(const Plan& plan, int groups) const {
      Block::Statistics::check(plan, groups);
      check_rows(RowKind::complete, points, groups, plan.size());
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      Block::Statistics::collect(plan, frame, chunk, diagnostics);
      points = collect_rows(RowKind::complete, plan.features, frame, chunk);
    }
    void merge(const Plan& plan, const Statistics& other);
    Statistics of_groups(const Plan&, int first, int count) const;
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan&, const Statistics& statistics, const Parameters& p) {
    return log_likelihood_of(statistics.points, p);
  }
  static double log_likelihood_of(const std::vector<RowPoints>& points, const Parameters& p);

  // Counts weights, means and covariances of each class with rows; the weights sum to 1.
  static double parameter_count(const Plan& plan, const Options&, const Parameters& p, int);
  static double parameters_of_class(double components, double size) {
    if (size == 0) return 0;
    return components - 1 + components * (size + size * (size + 1) / 2);
  }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan& plan, const Parameters& p, int k, int member,
                                   double origin);

  static void overlap(const Plan& plan, const Parameters& p, int one, int other, Overlap& overlap);
  static constexpr Unsupported tilt{"a sum of normals to a power is no sum of normals"};
  static constexpr bool kLendsSpread = false;
  static constexpr Unsupported conditional{"its members are known by their normals"};
  static constexpr Unsupported table{"its features are numbers"};
  static constexpr Unsupported moments{"its statistics are a scatter"};
  static NormalView normals(const Plan& plan, const Parameters& p);
  static Scatter& scatter(Statistics& statistics) { return statistics.scatter; }
  static int fewest_missing(const Plan&) { return 1; }

  class Scorer;
  class Drawer;
};

class MultivariateMixture::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : normals_(plan, parameters.normals), choice_(parameters) {}

  int uniforms() const { return choice_.uniforms() + normals_.uniforms(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    normals_.draw(choice_.choose(k, u), u + choice_.uniforms(), row, to);
  }

 private:
  Block::Drawer normals_;
  ComponentChoice choice_;
};

}  // namespace bayesrisk

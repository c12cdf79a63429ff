#pragma once

#include <engine/core/triangle.hpp>
#include <engine/data/columns.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>
#include <engine/likelihood/normal/projected_rows.hpp>

#include <map>
#include <mutex>
#include <numeric>

namespace bayesrisk {

class MultivariateGaussian::Scorer {
 public:
  // `freedom`: of each class, for multivariate t distributions; empty: they are normal.
  Scorer(const Plan& plan, const Parameters& parameters, Vector freedom = {})
      : plan_(plan),
        parameters_(parameters),
        density_{std::move(freedom)},
        complete_(marginal(parameters.kept())) {}

  void add(const Frame& frame, int, int, Tile& tile) const;

 private:
  // The distribution of some of the features: the triangle of their columns.
  struct Marginal {
    IntVector members;
    std::vector<Matrix> factor;  // one for all classes if it is pooled
    std::vector<Vector> inverse_diagonal;
    Matrix mean, low;  // classes in columns
    Vector constant;
    std::vector<Vector> apart;  // see find_near(); empty: the class is solved

    std::vector<simd::TriangleOfClass> classes() const;
  };

  static constexpr std::size_t kRemembered = 1024;
  static constexpr double kNear = 100;  // standard deviations: z loses two digits at most

  Marginal marginal(const IntVector& members) const;

  // For classes that share a factor, U'(z of one - z of the other) is the difference of their
  // means. So z of one class is solved, and z of each class near it is computed from this
  // difference.
  static void find_near(Marginal& marginal);

  // One marginal per pattern of missing values, stored as long as there are few patterns.
  const Marginal* remembered(const IntVector& members) const;

  // Finds the columns of the tile. Columns that cannot be read in place are copied into `buffer`.
  // Returns whether all numbers that count are finite.
  bool read(const Frame& frame, const Tile& tile, Matrix& buffer,
            std::vector<const double*>& x) const;

  void flag_infinite(const std::vector<const double*>& x, Tile& tile) const;

  // Adds the rows that can be projected, and returns the others. All patterns of few members are
  // remembered.
  IntVector project(const std::vector<const double*>& x, Tile& tile) const;

  // The rows of each pattern; a pattern is the list of the observed members.
  std::map<IntVector, IntVector> patterns(const std::vector<const double*>& x,
                                          const IntVector& among) const;

  static std::vector<const double*> columns_of(const Marginal& marginal,
                                               std::vector<const double*> x);

  void add_whole(const std::vector<const double*>& x, Tile& tile) const;

  void add_rows(const Marginal& marginal, const std::vector<const double*>& x,
                const IntVector& rows, Tile& tile) const;

  // |z|^2 of every row and class, where U'z = x - mean.
  LineVector solve(const Marginal& marginal, const std::vector<const double*>& x, int classes,
                   int rows) const;

  double constant(const Marginal& marginal, int k) const {
    return marginal.constant[marginal.constant.size() == 1 ? 0 : k];
  }

  // A NaN from Inf - Inf means that the row is so far out that the density is 0. A class without
  // rows has no density.
  double log_density(const Marginal& marginal, int k, double square) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  BlockDensity density_;
  Marginal complete_;
  mutable MissingSpans spans_;
  mutable std::once_flag spans_found_;
  mutable std::map<IntVector, Marginal> marginals_;
  mutable std::mutex mutex_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/likelihood/multivariate_gaussian_scorer.hpp>
#include <engine/likelihood/multivariate_mixture.hpp>

namespace bayesrisk {

// Each term is scored as a class of a multivariate normal, so missing members are marginalised term
// by term. Then the terms of each class are summed.
class MultivariateMixture::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan),
        parameters_(parameters),
        first_(parameters.first_terms()),
        normals_(plan, parameters.normals) {}

  void add(const Frame& frame, int, int, Tile& tile) const {
    Tile terms(static_cast<int>(parameters_.log_weight.size()),
               static_cast<int>(frame.columns.size()));
    Vector scratch(static_cast<std::size_t>(3) * terms.capacity);
    const Index end = tile.begin + tile.rows;
    for (Index begin = tile.begin; begin < end; begin += terms.rows) {
      terms.start(begin, end);
      normals_.add(frame, 0, plan_.size(), terms);
      const std::vector<bool> known = rows_with_a_number(frame, terms);
      const auto offset = static_cast<int>(begin - tile.begin);
      for (int r = 0; r < terms.rows; ++r) {
        if (terms.flagged(r, kInfinite)) tile.flag(offset + r, kInfinite);
      }
      for (int k = 0; k < tile.classes; ++k) add_class(k, known, terms, scratch, offset, tile);
    }
  }

 private:
  void add_class(int k, const std::vector<bool>& known, Tile& terms, Vector& scratch, int offset,
                 Tile& tile) const {
    const int count = parameters_.components[k], stride = terms.stride;
    for (int t = first_[k]; t < first_[k] + count; ++t) {
      double* x = terms.of_class(t);
      for (int r = 0; r < stride; ++r) x[r] = -(x[r] + parameters_.log_weight[t]);
    }
    double* sum = scratch.data();
    write_log_sums(loops_, terms.of_class(first_[k]), count, stride, sum + stride, sum);
    double* out = tile.of_class(k) + offset;
    for (int r = 0; r < terms.rows; ++r) {
      if (known[static_cast<std::size_t>(r)]) out[r] += sum[r];
    }
  }

  // Other rows have the density 1; the sum of the weights would not be 1 in the last digit.
  std::vector<bool> rows_with_a_number(const Frame& frame, Tile& terms) const {
    std::vector<bool> known(static_cast<std::size_t>(terms.rows), false);
    for (int j : parameters_.normals.kept()) {
      const double* x = load_numbers(frame.columns[plan_.features[j]], terms.begin, terms.rows,
                                     terms.stride, terms.buffer());
      for (int r = 0; r < terms.rows; ++r) {
        if (std::isfinite(x[r])) known[static_cast<std::size_t>(r)] = true;
      }
    }
    return known;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  IntVector first_;
  Block::Scorer normals_;
};

// The rows are read as a frame of the features in order.
inline double MultivariateMixture::log_likelihood(const Plan& plan, const Statistics& statistics,
                                                  const Parameters& parameters) {
  Plan in_order = plan;
  std::iota(in_order.features.begin(), in_order.features.end(), 0);
  const Scorer scorer(in_order, parameters);
  Tile tile(static_cast<int>(parameters.components.size()), plan.size());
  double sum = 0;
  for (std::size_t g = 0; g < statistics.points.size(); ++g) {
    const RowPoints& points = statistics.points[g];
    Frame frame;
    frame.rows = points.rows();
    frame.columns.resize(static_cast<std::size_t>(plan.size()));
    for (int j = 0; j < plan.size(); ++j) frame.columns[j].real = points.col(j).data();
    for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
      tile.start(begin, frame.rows);
      scorer.add(frame, 0, plan.size(), tile);
      const double* log_density = tile.of_class(static_cast<int>(g));
      for (int r = 0; r < tile.rows; ++r) {
        sum += times_log(points(begin + r, plan.size()), log_density[r]);
      }
    }
  }
  return sum;
}

}  // namespace bayesrisk

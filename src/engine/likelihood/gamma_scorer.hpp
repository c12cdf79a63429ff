#pragma once

#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/gamma.hpp>

namespace bayesrisk {

// The log of each value is computed once. A number that is not positive is impossible under every
// class.
class Gamma::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), left_out_(parameters.left_out) {
    for (Index j = 0; j < parameters.shape.cols(); ++j) {
      for (Index k = 0; k < parameters.shape.rows(); ++k) {
        laws_.push_back(parameters.law(static_cast<int>(k), j));
      }
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    tile.scratch.resize(static_cast<std::size_t>(tile.stride));
    for (int j = from; j < to; ++j) {
      if (left_out_[j]) continue;
      const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
      // The padding behind the last row is 0, which is impossible under every class.
      if (tile.rows < tile.stride) {
        std::fill(tile.buffer() + tile.rows, tile.buffer() + tile.stride, kNaN);
      }
      for (int r = 0; r < tile.stride; ++r) tile.scratch[r] = x[r] > 0 ? std::log(x[r]) : kNaN;
      for (int k = 0; k < tile.classes; ++k) {
        add_class(laws_[static_cast<std::size_t>(j) * tile.classes + k], x, tile.scratch.data(),
                  tile.stride, tile.of_class(k));
      }
    }
  }

 private:
  // The same as GammaLaw::log_density(), for many rows. Missing and infinite numbers add nothing.
  static void add_class(const GammaLaw& law, const double* x, const double* log_x, int rows,
                        double* sum) {
    using simd::lanes;
    using simd::Lanes;
    const double inverse = 1 / law.mean, log_mean = std::log(law.mean);
    for (int r = 0; r < rows; r += 2) {
      const Lanes value = *lanes(x + r), log_value = *lanes(log_x + r);
      const Lanes u = ((value - law.mean) - law.mean_low) * inverse;
      const Lanes v = u / (2.0 + u), w = v * v;
      Lanes series = Lanes{} + 1 / 17.0;
      for (double divisor : {15, 13, 11, 9, 7, 5, 3}) series = series * w + 1 / divisor;
      const Lanes near = u * v - 2.0 * v * w * series, far = u - (log_value - log_mean);
      const auto is_near = (u < 0.2) & (u > -0.2);
      const Lanes deviance = is_near ? near : far;
      const Lanes log_density = (law.peak - log_value) - law.shape * deviance;
      const Lanes impossible = Lanes{} + kNegativeInfinity;
      const auto is_refused = (value <= 0.0) & (value > impossible);
      const auto is_positive = (value > 0.0) & (value < -impossible);
      const Lanes other = is_refused ? impossible : Lanes{};
      *lanes(sum + r) += is_positive ? log_density : other;
    }
  }

  const Plan& plan_;
  LeftOut left_out_;
  std::vector<GammaLaw> laws_;  // class by class, of one feature after the other
};

class Gamma::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {
    for (Index i = 0; i < parameters.shape.size(); ++i) {
      standard_.emplace_back(parameters.shape.data()[i]);
    }
  }

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      const auto place = static_cast<std::size_t>(j * parameters_.shape.rows() + k);
      const double x = standard_[place].quantile({u[j], 1 - u[j]}) / parameters_.rate(k, j);
      to.number(plan_.features[j], row) = parameters_.left_out[j]
                                              ? parameters_.law(k, j).mean
                                              : std::max(x, std::numeric_limits<double>::min());
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  std::vector<IncompleteGamma> standard_;  // of rate 1
};

}  // namespace bayesrisk

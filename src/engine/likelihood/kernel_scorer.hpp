#pragma once

#include <engine/likelihood/kernel_table.hpp>

namespace bayesrisk {

class Kernel::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : plan_(plan), left_out_(parameters.left_out[0]) {
    if (left_out_) return;
    double low = kInfinity, high = kNegativeInfinity;
    for (const Points& points : parameters.points) {
      if (points.rows() == 0) continue;
      low = std::min(low, points(0, 0));
      high = std::max(high, points(points.rows() - 1, 0));
    }
    for (std::size_t k = 0; k < parameters.points.size(); ++k) {
      tables_.emplace_back(parameters.points[k], parameters.bandwidth[k], parameters.step[k], low,
                           high, rows);
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to || left_out_) return;
    const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      for (int r = 0; r < tile.rows; ++r) {
        if (std::isfinite(x[r])) out[r] += tables_[k].log_density(x[r]);
      }
    }
  }

 private:
  const Plan& plan_;
  bool left_out_;
  std::vector<KernelTable> tables_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/likelihood/joint_table.hpp>

#include <array>

namespace bayesrisk {

// Listed cells come first; the others share the remaining probability.
class JointTable::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {
    const Index cells = parameters.cells.rows();
    IntVector codes(plan.members());
    for (Index c = 0; c < cells; ++c) {
      for (int j = 0; j < plan.members(); ++j) codes[j] = parameters.cells(c, j) - 1;
      listed_.push_back(plan.key(codes.data(), plan.whole()));
    }
    std::sort(listed_.begin(), listed_.end());
    unlisted_ = static_cast<Key>(plan.cells()) - static_cast<Key>(cells);
    for (Index k = 0; k < parameters.log_probability.rows(); ++k) {
      Vector sum{0};
      for (Index c = 0; c < cells; ++c) {
        sum.push_back(sum.back() + std::exp(parameters.log_probability(k, c)));
      }
      const double each = unlisted_ > 0 ? std::exp(parameters.log_unseen[k]) : 0;
      sum.push_back(sum.back() + each * static_cast<double>(unlisted_));
      sum.erase(sum.begin());
      cumulative_.push_back(sum);
    }
  }

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const Codes codes = draw_cell(k, *u);
    for (int j = 0; j < plan_.members(); ++j) to.code(plan_.features[j], row) = codes[j];
  }

  using Codes = std::array<int, kMostMembers>;  // of a cell, from 0

  Codes draw_cell(int k, double u) const {
    Codes codes{};
    const Vector& sum = cumulative_[k];
    const auto cells = static_cast<int>(sum.size()) - 1;
    const int cell = index_of_weight(sum.data(), cells + 1, u);
    if (cell < cells) {
      for (int j = 0; j < plan_.members(); ++j) codes[j] = parameters_.cells(cell, j) - 1;
      return codes;
    }
    const double below = cells > 0 ? sum[cells - 1] : 0;
    const double share = (u * sum[cells] - below) / (sum[cells] - below);
    Key key = nth_unlisted(share);
    for (int j = plan_.members() - 1; j >= 0; --j) {
      const auto levels = static_cast<Key>(plan_.levels[j]);
      codes[j] = static_cast<int>(key % levels);
      key /= levels;
    }
    return codes;
  }

 private:
  // The cell at a share (from 0 to 1) of the sequence of cells that are not listed, ordered by key.
  Key nth_unlisted(double share) const {
    const double place = std::max(0.0, share) * static_cast<double>(unlisted_);
    const Key n = std::min(static_cast<Key>(place), unlisted_ - 1);
    std::size_t low = 0, high = listed_.size();  // listed cells before the n-th
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (listed_[middle] - middle > n) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return n + low;
  }

  const Plan& plan_;
  const Parameters& parameters_;
  std::vector<Key> listed_;
  Key unlisted_ = 0;
  std::vector<Vector> cumulative_;
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/missing_span.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cstdint>
#include <utility>

namespace bayesrisk {

// A multivariate normal, or t with the degrees of freedom of each class, at a squared distance.
struct BlockDensity {
  Vector freedom;  // empty: normal

  double constant(std::size_t k, Index size, double half_log_determinant) const {
    const double peak = freedom.empty() ? -static_cast<double>(size) * kHalfLogTwoPi
                                        : log_student_peak(freedom[k], static_cast<double>(size));
    return peak - half_log_determinant;
  }
  double log_density(int k, Index size, double constant, double square) const {
    if (freedom.empty()) return constant - 0.5 * square;
    const double sum = freedom[k] + static_cast<double>(size);
    return constant - 0.5 * sum * std::log1p(square / freedom[k]);
  }
};

// The missing members, in order, of each row of a tile that misses at most `most`.
class MissingOfRows {
 public:
  MissingOfRows(const std::vector<const double*>& x, const Tile& tile, int most)
      : count_(static_cast<std::size_t>(tile.rows), 0), start_(count_.size(), 0) {
    IntVector incomplete;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (simd::tile_loops().all_finite(x[j], tile.stride)) continue;
      incomplete.push_back(static_cast<int>(j));
      for (int r = 0; r < tile.rows; ++r) count_[r] += std::isfinite(x[j][r]) ? 0 : 1;
    }
    int total = 0;
    for (int r = 0; r < tile.rows; ++r) {
      start_[r] = total;
      if (count_[r] > most) continue;
      total += count_[r];
      any_ = true;
    }
    IntVector next = start_;
    members_.resize(total);
    for (int j : incomplete) {
      for (int r = 0; r < tile.rows; ++r) {
        if (count_[r] <= most && !std::isfinite(x[j][r])) members_[next[r]++] = j;
      }
    }
  }

  const int* begin(int row) const { return members_.data() + start_[row]; }
  const int* end(int row) const { return begin(row) + count_[row]; }
  int count(int row) const { return count_[row]; }
  bool any() const { return any_; }
  bool equal(int a, int b) const { return std::equal(begin(a), end(a), begin(b), end(b)); }

  // By the first missing members, so that rows with equal ones are neighbours.
  void sort(IntVector& rows) const {
    std::vector<std::pair<std::uint64_t, int>> keys;
    for (int r : rows) keys.emplace_back(key(r), r);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].second;
  }

 private:
  // Three members, and a hash of the others.
  std::uint64_t key(int row) const {
    constexpr std::uint64_t kLast = 0xffff;
    std::uint64_t key = 0, rest = 0;
    int shift = 48;
    for (const int* j = begin(row); j < end(row); ++j) {
      const std::uint64_t code = (static_cast<std::uint64_t>(*j) + 1) & kLast;
      if (shift > 0) {
        key |= code << shift;
        shift -= 16;
      } else {
        rest = 31 * rest + code;
      }
    }
    return key | (rest & kLast);
  }

  IntVector count_, start_, members_;
  bool any_ = false;  // whether any row misses at most `most` members
};

// Scores the rows of a tile, some of which have missing members, strip by strip.
class ProjectedRows {
 public:
  ProjectedRows(const MissingSpans& spans, const BlockDensity& density,
                std::vector<simd::TriangleOfClass> triangles, const std::vector<const double*>& x,
                MissingOfRows missing, Tile& tile)
      : spans_(spans),
        density_(density),
        triangles_(std::move(triangles)),
        x_(x),
        tile_(tile),
        missing_(std::move(missing)),
        place_(x.size(), -1),
        strip_(x.size() * simd::kStripRows),
        scratch_(x.size() * simd::kSolveScratch),
        square_(triangles_.size() * simd::kStripRows),
        pull_(square_.size() * x.size()),
        value_(triangles_.size()),
        constant_(triangles_.size()),
        factor_(spans.of_factor.size()) {
    for (int k = 0; k < classes(); ++k) triangles_[k].across = spans.of_class(k).across.data();
    for (int j = 0; j < size(); ++j) columns_.push_back(strip_.data() + j * simd::kStripRows);
    for (int r = 0; r < tile.rows; ++r) {
      const int count = missing_.count(r);
      const bool projects = count <= spans.most() && spans.project(missing_.begin(r), count);
      (projects ? rows_ : left_).push_back(r);
    }
    missing_.sort(rows_);
  }

  // Returns the rows that are left out.
  IntVector add() {
    for (std::size_t first = 0; first < rows_.size(); first += simd::kStripRows) {
      const int* rows = rows_.data() + first;
      const int count =
          static_cast<int>(std::min<std::size_t>(simd::kStripRows, rows_.size() - first));
      solve(rows, count);
      for (int at = 0; at < count; ++at) {
        if (!find_values(rows[at], at)) {
          left_.push_back(rows[at]);
          continue;
        }
        for (int k = 0; k < classes(); ++k) tile_.of_class(k)[rows[at]] += value_[k];
      }
    }
    return left_;
  }

 private:
  int size() const { return static_cast<int>(x_.size()); }
  int classes() const { return tile_.classes; }

  void solve(const int* rows, int count) {
    for (int j : in_strip_) place_[j] = -1;
    in_strip_.clear();
    for (int at = 0; at < count; ++at) {
      for (const int* j = missing_.begin(rows[at]); j < missing_.end(rows[at]); ++j) {
        if (place_[*j] >= 0) continue;
        place_[*j] = static_cast<int>(in_strip_.size());
        in_strip_.push_back(*j);
      }
    }
    for (int j = 0; j < size(); ++j) {
      double* to = strip_.data() + j * simd::kStripRows;
      for (int at = 0; at < count; ++at) to[at] = x_[j][rows[at]];
    }
    loops_.solve_known(columns_.data(), size(), triangles_.data(), classes(),
                       {in_strip_.data(), static_cast<int>(in_strip_.size())}, Tile::padded(count),
                       scratch_.data(), square_.data(), pull_.data());
  }

  bool find_values(int row, int at) {
    const int count = missing_.count(row);
    if (row_ < 0 || !missing_.equal(row, row_)) set_pattern(row);
    for (int k = 0; k < classes(); ++k) {
      double square = square_[k * simd::kStripRows + at];
      if (count > 0) square -= explained(k, row, at);
      if (square < 0) square = 0;  // by rounding
      // A square may have overflowed.
      if (!std::isfinite(square) && spans_.of_class(k).exists()) return false;
      value_[k] = density_.log_density(k, size() - count, constant_[k], square);
    }
    return true;
  }

  void set_pattern(int row) {
    row_ = row;
    const int count = missing_.count(row);
    for (std::size_t f = 0; f < factor_.size(); ++f) {
      factor_[f].set(spans_.of_factor[f], missing_.begin(row), count);
    }
    for (int k = 0; k < classes(); ++k) {
      constant_[k] = density_.constant(k, size() - count, factor_of(k).half_log_determinant());
    }
  }

  double explained(int k, int row, int at) {
    const double* pull = pull_.data() + k * in_strip_.size() * simd::kStripRows + at;
    g_.clear();
    for (const int* j = missing_.begin(row); j < missing_.end(row); ++j) {
      g_.push_back(pull[place_[*j] * simd::kStripRows]);
    }
    return factor_of(k).square(g_.data());
  }

  const MissingFactor& factor_of(int k) const { return factor_[factor_.size() == 1 ? 0 : k]; }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const MissingSpans& spans_;
  const BlockDensity& density_;
  std::vector<simd::TriangleOfClass> triangles_;
  const std::vector<const double*>& x_;
  Tile& tile_;
  MissingOfRows missing_;
  IntVector rows_, left_;
  IntVector place_, in_strip_;  // the members that are missing in any row of the strip
  LineVector strip_, scratch_, square_, pull_;
  std::vector<const double*> columns_;
  int row_ = -1;  // the row whose members the factors are without
  Vector value_, constant_, g_;
  std::vector<MissingFactor> factor_;
};

}  // namespace bayesrisk

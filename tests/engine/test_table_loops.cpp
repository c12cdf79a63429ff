#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_table_kernels {

namespace {

// Codes from 1, some of them missing or none of the levels.
IntVector random_codes(Random& random, int rows, int levels) {
  const int odd[] = {
      kMissingInteger, kMissingInteger + 1, -1, 0, levels + 1, std::numeric_limits<int>::max()};
  IntVector codes(rows);
  for (int& code : codes) code = random.below(8) ? 1 + random.below(levels) : odd[random.below(6)];
  return codes;
}

// The level of the model, or -1.
int plain_level(const Column& column, int code, int levels) {
  const int level = level_of(column, code);
  return level >= 0 && level < levels ? level : -1;
}

struct Codes {
  std::vector<IntVector> remap;
  std::vector<IntVector> codes;
  Frame frame;
};

// Features of these levels; every third one is stored in the reverse order, with a level more.
Codes make_codes(const IntVector& levels, int rows, int seed) {
  Random random(seed);
  Codes data;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    const int stored = levels[j] + (j % 3 == 2);
    data.codes.push_back(random_codes(random, rows, stored));
    data.remap.emplace_back();
    for (int l = 0; l < stored; ++l)
      data.remap[j].push_back(l == levels[j] ? kUnknown : levels[j] - 1 - l);
  }
  std::vector<Column> columns;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    columns.push_back(j % 3 == 2 ? factor(data.codes[j], levels[j] + 1, data.remap[j].data())
                                 : factor(data.codes[j], levels[j]));
  }
  data.frame = frame_of(columns, static_cast<std::size_t>(rows));
  return data;
}

const IntVector kLevels{3, 2, 1, 300, 8, 8, 2, 2, 2, 2, 5, 40, 3, 3, 9, 2};

}  // namespace

TEST_SUITE_BEGIN("table loops");

TEST_CASE("slots against levels one by one: any number of rows, damaged codes, remaps") {
  Random random(61);
  for (int levels : {1, 2, 300}) {
    IntVector remap;
    for (int l = 0; l <= levels; ++l) remap.push_back(l == 0 ? kUnknown : (l * 7) % levels);
    remap.push_back(levels);  // points outside the model
    for (int rows = 0; rows < 40; ++rows) {
      const IntVector codes = random_codes(random, rows, levels + 2);
      for (const simd::TileLoops& loops : all_loops()) {
        for (const Column& column :
             {factor(codes, levels), factor(codes, levels + 1),
              factor(codes, std::max(0, levels - 1)), factor(codes, levels + 2, remap.data()),
              factor(codes, 0, remap.data())}) {
          IntVector cell(static_cast<std::size_t>(rows) + 1, 5);
          const bool strange = add_slots(loops, column, 0, rows, levels, 3, cell.data());
          bool expected = false;
          for (int r = 0; r < rows; ++r) {
            const int level = plain_level(column, codes[r], levels);
            CHECK(cell[r] == 5 + 3 * (level < 0 ? levels : level));
            expected = expected || (level < 0 && codes[r] != kMissingInteger);
          }
          CHECK(strange == expected);
          CHECK(cell[rows] == 5);
        }
      }
    }
  }
}

TEST_CASE("rows of tables are summed in the order of the columns, -Inf stays") {
  Random random(62);
  const int cells = 6;
  for (int classes = 1; classes <= 21; ++classes) {
    const int width = simd::padded_classes(classes);
    for (int columns : {1, 2, 8}) {
      Vector table(static_cast<std::size_t>(columns) * cells * width);
      for (double& x : table) x = random.below(9) ? -random.uniform() : kNegativeInfinity;
      std::vector<const double*> tables;
      for (int c = 0; c < columns; ++c) tables.push_back(table.data() + c * cells * width);
      for (int rows : {8, 16, 24}) {
        const int stride = rows + 8, cell_stride = rows + 1;
        IntVector cell(static_cast<std::size_t>(columns) * cell_stride);
        for (int& at : cell) at = random.below(cells) * width;
        for (const simd::TileLoops& loops : all_loops()) {
          Vector sum(static_cast<std::size_t>(classes) * stride, 1.0);
          loops.add_table_rows(tables.data(), cell.data(), columns, cell_stride, classes, stride,
                               rows, sum.data());
          for (int k = 0; k < classes; ++k) {
            for (int r = 0; r < stride; ++r) {
              double expected = 0;
              for (int c = 0; c < columns && r < rows; ++c)
                expected += tables[c][cell[c * cell_stride + r] + k];
              CHECK(sum[k * stride + r] == 1 + expected);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("levels counted together are those counted one by one") {
  for (int rows : {0, 1, 7, 1000, 5000, 70001}) {
    const Codes data = make_codes(kLevels, rows, 63);
    const ModelPlan plan = categorical_plan(3, kLevels);
    Random random(64);
    IntVector group(rows);
    Vector weight(rows);
    for (int& g : group) g = random.below(30) ? 1 + random.below(3) : random.below(6) - 1;
    for (double& w : weight) w = random.below(4) / 4.0;
    for (bool sorted : {false, true}) {
      if (sorted) std::sort(group.begin(), group.end());
      for (const Vector& used : {Vector(), weight}) {
        Matrix expected = Matrix::Zero(3, plan.banks[0].as<Categorical::Plan>().offsets().back());
        Vector malformed(kLevels.size(), 0.0);
        int offset = 0;
        for (std::size_t j = 0; j < kLevels.size(); ++j) {
          for (int r = 0; r < rows; ++r) {
            const double w = used.empty() ? 1 : used[r];
            if (group[r] < 1 || group[r] > 3 || w == 0) continue;
            const int stored = level_of(data.frame.columns[j], data.codes[j][r]);
            if (stored >= 0) expected(group[r] - 1, offset + stored) += w;
            malformed[j] += stored == kMalformed;
          }
          offset += kLevels[j];
        }
        Diagnostics problems;
        const ModelStatistics all = collect(plan, data.frame, group, problems, used);
        CHECK(statistics<Categorical>(all).count == expected);
        for (std::size_t j = 0; j < kLevels.size(); ++j) {
          if (malformed[j] > 0)
            CHECK(found(problems, Problem::malformed, kAll, static_cast<int>(j), malformed[j]));
        }
        CHECK(statistics<Categorical>(collect(plan, data.frame, group, used, 3)).count == expected);
      }
    }
  }
}

TEST_CASE("scores of levels added up one by one, whatever the rows beside") {
  for (int classes : {1, 2, 3, 10, 50}) {
    const int rows = 1100;
    const Codes data = make_codes(kLevels, rows, 65);
    const ModelPlan plan = categorical_plan(classes, kLevels);
    Random random(66);
    const int width = plan.banks[0].as<Categorical::Plan>().offsets().back();
    Matrix log_probability(classes, width);
    for (Index i = 0; i < log_probability.size(); ++i)
      log_probability.data()[i] = random.below(40) ? std::log(random.uniform()) : kNegativeInfinity;
    const std::vector<AnyParameters> known{Categorical::Parameters{log_probability}};
    const Vector prior(classes, 1.0 / classes);
    ScoreReport report;
    const Matrix scores =
        score_numbers(plan, known, prior, data.frame, Output::log_likelihood, nullptr, 1, &report);
    std::vector<Index> unknown(kLevels.size(), 0), malformed(kLevels.size(), 0);
    Matrix expected = Matrix::Zero(rows, classes);
    for (int r = 0; r < rows; ++r) {
      for (std::size_t j = 0, offset = 0; j < kLevels.size(); offset += kLevels[j++]) {
        const int level = level_of(data.frame.columns[j], data.codes[j][r]);
        unknown[j] += level == kUnknown;
        malformed[j] += level == kMalformed;
        if (level < 0) continue;
        expected.row(r) += log_probability.col(static_cast<Index>(offset) + level).transpose();
      }
    }
    CHECK(report.unknown_by_feature == unknown);
    CHECK(report.malformed_by_feature == malformed);
    for (Index i = 0; i < scores.size(); ++i) {
      const double x = expected.data()[i];
      CHECK((scores.data()[i] == x || std::abs(scores.data()[i] - x) <= 1e-13 * std::abs(x)));
    }
    for (int first : {1, 13, 1099}) {
      const Matrix part =
          score_numbers(plan, known, prior, part_of(data.frame, first, 1), Output::log_likelihood);
      CHECK(same_bits(part, scores.row(first)));
    }
  }
}

TEST_SUITE_END();

}  // namespace test_table_kernels

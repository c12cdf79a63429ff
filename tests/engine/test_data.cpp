#include "helpers.hpp"

#include <engine/data/complete_rows.hpp>
#include <engine/data/distinct.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_data {

TEST_SUITE_BEGIN("data");

TEST_CASE("integers are numbers, except the missing one") {
  const IntVector values{1, kMissingInteger, -3, std::numeric_limits<int>::max()};
  double buffer[8];
  const double* x = load_numbers(whole_numbers(values), 0, 4, 8, buffer);
  CHECK(x[0] == 1);
  CHECK(std::isnan(x[1]));
  CHECK(x[2] == -3);
  CHECK(x[3] == 2147483647.0);
  for (int r = 4; r < 8; ++r) CHECK(x[r] == 0);
}

TEST_CASE("complete rows have a level in every column") {
  const int na = kMissingInteger;
  // Codes from 1; the second column has a level that the model does not know.
  const IntVector first{1, na, 2, 1, 2}, second{1, 2, 3, na, 1}, remap{0, 1, kUnknown};
  Frame frame;
  frame.rows = 5;
  frame.columns = {Column{nullptr, first.data(), 1, 2, nullptr},
                   Column{nullptr, second.data(), 1, 3, remap.data()}};
  const IntVector group{1, 2, 1, na, 2};
  const CompleteRows found = complete_rows(frame, group.data());
  CHECK(found.group == IntVector{1, na, na, na, 2});
  CHECK(found.missing == Vector{1, 1});  // the fourth row does not count
  CHECK(found.used == 2);
  CHECK(found.left == 2);
  frame.columns.clear();
  CHECK(complete_rows(frame, group.data()).used == 4);
}

TEST_CASE("reals are read in place, or padded with zeros") {
  const Vector values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  double buffer[8];
  CHECK(load_numbers(reals(values), 2, 8, 8, buffer) == values.data() + 2);
  std::fill(buffer, buffer + 8, -1.0);
  const double* x = load_numbers(reals(values), 5, 5, 8, buffer);
  CHECK(x == buffer);
  CHECK(x[0] == 6);
  CHECK(x[4] == 10);
  CHECK((x[5] == 0 && x[6] == 0 && x[7] == 0));
}

TEST_CASE("codes: missing, malformed, unknown") {
  const int lowest = std::numeric_limits<int>::min() + 1, most = std::numeric_limits<int>::max();
  const IntVector values{1, 2, 3, 0, 4, -5, kMissingInteger, lowest, most};
  const IntVector levels{0,          1,        2,          kMalformed, kMalformed,
                         kMalformed, kMissing, kMalformed, kMalformed};
  const int remap[] = {2, kUnknown, 0};
  const IntVector remapped{2, kUnknown, 0, kMalformed};
  for (int i = 0; i < 9; ++i) {
    CHECK(level_of(factor(values, 3), values[i]) == levels[i]);
    if (i < 4) CHECK(level_of(factor(values, 3, remap), values[i]) == remapped[i]);
  }
  Column far = factor(values, 3);
  far.first_code = std::numeric_limits<int>::min() + 1;
  CHECK(level_of(far, most) == kMalformed);
  CHECK(level_of(far, lowest) == 0);
  far.first_code = most;
  CHECK(level_of(far, lowest) == kMalformed);
}

TEST_CASE("groups: missing or without weight is left out, out of range is counted") {
  const ModelPlan plan = gaussian_plan(2, 1);
  const Vector x{1, 2, 4, 8, 16, 32, 64, 128};
  const IntVector group{1, 2, kMissingInteger, 3, 0, -7, 1, 2};
  const Vector weight{1, 2, 1, 1, 1, 1, 3, 0};
  Diagnostics problems;
  const ModelStatistics all = collect(plan, frame_of(x), group, problems);
  CHECK(all.classes.rows == Vector{2, 2});
  CHECK(found(problems, Problem::malformed, kAll, kAll, 3));
  const ModelStatistics weighted = collect(plan, frame_of(x), group, problems, weight);
  CHECK(weighted.classes.weight == Vector{4, 2});
  CHECK(weighted.classes.rows == Vector{2, 1});
  const Moments& moments = statistics<Gaussian>(weighted).moments;
  CHECK(moments.mean(0, 0) == doctest::Approx(193 / 4.0).epsilon(1e-15));
  CHECK(moments.mean(1, 0) == 2);
}

TEST_CASE("rows are counted right in every remainder of a vector") {
  Random random(3);
  for (int rows = 0; rows < 12; ++rows) {
    IntVector group(rows);
    std::vector<int> expected(4, 0);
    for (int& g : group) ++expected[g = random.below(4)];
    CHECK(count_groups(rows, 3, [&](int r) { return group[r]; }) == expected);
  }
}

TEST_CASE("different items are numbered in the order in which they come") {
  const std::vector<char> memory(100000);
  Random random(6);
  for (int different : {0, 1, 31, 32, 33, 5000}) {
    for (std::size_t apart : {1u, 16u}) {
      std::vector<const void*> items{nullptr};
      for (int i = 0; i < 3 * different; ++i) {
        items.push_back(&memory[apart * static_cast<std::size_t>(random.below(different))]);
      }
      IntVector code(items.size());
      const auto count = static_cast<Index>(items.size());
      const Distinct distinct(items.data(), count, nullptr, code.data());
      std::vector<const void*> found;
      for (std::size_t i = 0; i < items.size(); ++i) {
        auto at = std::find(found.begin(), found.end(), items[i]);
        if (items[i] != nullptr && at == found.end()) at = found.insert(at, items[i]);
        const int place = static_cast<int>(at - found.begin());
        CHECK(code[i] == (items[i] == nullptr ? kMissingInteger : place + 1));
      }
      CHECK(distinct.items() == found);
    }
  }
}

TEST_SUITE_END();

}  // namespace test_data

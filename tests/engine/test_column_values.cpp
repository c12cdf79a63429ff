#include "helpers.hpp"

#include <engine/evaluation/column_values.hpp>
#include <engine/evaluation/held_out_losses.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_column_values {

namespace {

// Two groups; the third row does not count, and the fourth has no number.
struct Numbers {
  Vector x{1, 3, 2, kNaN, 3, 1, 1, 4};
  IntVector group{1, 2, kMissingInteger, 1, 2, 1, 1, 2};
  Frame frame = frame_of(x);

  Rows rows(const double* weight = nullptr) const { return {group.data(), weight, 2}; }
  ColumnValues find(int most, const double* weight = nullptr) const {
    return find_values(frame.columns[0], frame.rows, rows(weight), 2, most);
  }
};

}  // namespace

TEST_SUITE_BEGIN("column values");

TEST_CASE("the different numbers of the rows that count, up to a limit") {
  const Numbers numbers;
  CHECK(numbers.find(3).value == Vector{1, 3, 4});
  CHECK(numbers.find(3).few);
  CHECK(numbers.find(3).whole);
  CHECK_FALSE(numbers.find(2).few);
  CHECK(std::isnan(numbers.find(2).gain));
  const ColumnSupport support = find_support(numbers.frame.columns[0], 8, numbers.rows());
  CHECK(support.lowest == 1);
  CHECK(support.whole);
  CHECK(support.positive);
  const Vector zeros{0, 1, 3, 0, kNaN, 0, 0, 0};
  CHECK_FALSE(find_support(frame_of(zeros).columns[0], 8, numbers.rows()).positive);
  const Vector half{.5, 1};
  const IntVector one{1, 1};
  const Frame frame = frame_of(half);
  CHECK_FALSE(find_support(frame.columns[0], 2, {one.data(), nullptr, 1}).whole);
}

TEST_CASE("numbers of nines beyond all others stand for missing values") {
  CHECK(find_missing_code({-999, 1, 2, 3}) == -999);
  CHECK(find_missing_code({-9, -9, 0, 5}) == -9);
  CHECK(std::isnan(find_missing_code({-9, 0, 5})));
  CHECK(std::isnan(find_missing_code({-9, -9, 0, 9})));
  CHECK(std::isnan(find_missing_code({-998, 1, 2})));
  CHECK(find_missing_code({20, 45, 99, 99}) == 99);
  CHECK(std::isnan(find_missing_code({20, 45, 99})));
  CHECK(std::isnan(find_missing_code({1, 2, 9, 9})));
  CHECK(std::isnan(find_missing_code({-999, -999, 5})));
  CHECK(std::isnan(find_missing_code({7})));
}

TEST_CASE("whole numbers that are all different, and those that count the rows") {
  const Vector run{1, 2, kNaN, 4, 5, 6}, years{4, 5, 6, 7, 8, 9};
  const Vector mixed{4, 9, 5, 7, 8, 6}, half{1, 2, 3, 4, 5, 5.5};
  const IntVector group{1, 1, 1, 1, 1, 1};
  const auto marks = [&](const Vector& x, Index most) {
    const Frame frame = frame_of(x);
    return find_marks(frame.columns[0], 6, {group.data(), nullptr, 1}, most);
  };
  CHECK(marks(run, 10).different == 5);
  CHECK(marks(run, 10).rows);
  CHECK(marks({0, 1, 2, 3, 4, 5}, 10).rows);
  CHECK_FALSE(marks(years, 10).rows);
  CHECK(marks(run, 2).different == 2);
  CHECK(marks(mixed, 10).different == 6);
  CHECK_FALSE(marks(mixed, 10).rows);
  CHECK(marks(half, 10).different == 0);
  CHECK_FALSE(marks({kNaN, kNaN, kNaN, kNaN, kNaN, kNaN}, 10).rows);
}

TEST_CASE("a weight counts as that many rows, and a weight of 0 as none") {
  const Numbers numbers;
  const Vector twice(8, 2.0), none{1, 1, 1, 1, 1, 1, 1, 0};
  const Vector x{1, 3, 3, 1, 1, 4, 1, 3, 3, 1, 1, 4};
  const IntVector group{1, 2, 2, 1, 1, 2, 1, 2, 2, 1, 1, 2};
  const Frame frame = frame_of(x);
  const ColumnValues doubled =
      find_values(frame.columns[0], frame.rows, {group.data(), nullptr, 2}, 2, 9);
  CHECK(numbers.find(9, twice.data()).gain == doctest::Approx(doubled.gain));
  CHECK(numbers.find(9, none.data()).value == Vector{1, 3});
}

TEST_CASE("the evidence of normals is a product of predictive densities") {
  // Student's t with 1 and 2 degrees of freedom, from the prior and after the first number.
  Eigen::VectorXd x(2), count = Eigen::VectorXd::Ones(2);
  x << 1, 2;
  const auto log_t = [](double z, double freedom, double scale) {
    return std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) -
           0.5 * std::log(freedom * 3.14159265358979323846) - std::log(scale) -
           (freedom + 1) / 2 * std::log(1 + z * z / (scale * scale * freedom));
  };
  const double mean = 0.5, variance = 2, first = log_t(1 - mean, 1, std::sqrt(2 * variance));
  const double scatter = variance + 0.5 * (1 - mean) * (1 - mean), own = (mean + 1) / 2;
  const double second = log_t(2 - own, 2, std::sqrt(scatter / 2 * 1.5));
  CHECK(log_evidence_of_normal(x, count, mean, variance) == doctest::Approx(first + second));
}

TEST_CASE("losses of held-out rows are compared with those of the first candidate") {
  // Rows x classes.
  const std::vector<Vector> score{{-1, -2, -3, -1, -9, -9}, {-1, -1, -1, -1, -9, -9}};
  const IntVector group{1, 1, 1};
  const auto found = compare_losses(score, 3, group.data(), nullptr);
  CHECK(found[0].loss == doctest::Approx(2));
  CHECK(found[0].gain == 0);
  CHECK(found[1].gain == doctest::Approx(1));
  CHECK(found[1].standard_error == doctest::Approx(std::sqrt(2.0 / 3 / 3)));
  const Vector even(3, 7.0), last{0, 0, 1};
  CHECK(compare_losses(score, 3, group.data(), even.data())[1].standard_error ==
        doctest::Approx(found[1].standard_error));
  CHECK(compare_losses(score, 3, group.data(), last.data())[1].gain == doctest::Approx(2));
  const IntVector apart{1, kMissingInteger, 2};
  CHECK(compare_losses(score, 3, apart.data(), nullptr)[0].loss == doctest::Approx(5));
}

TEST_SUITE_END();

}  // namespace test_column_values

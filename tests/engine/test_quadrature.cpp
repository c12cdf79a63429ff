#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_quadrature {

namespace {

template <class Function>
Integral integrate(const Function& f, const Vector& breaks, double tolerance, int most = 100000) {
  const auto one = [&](double x, Eigen::ArrayXd& value) { value[0] += f(x); };
  return Quadrature(one, 1).integrate(breaks, tolerance, most);
}

}  // namespace

TEST_SUITE_BEGIN("quadrature");

TEST_CASE("polynomials are exact at the first look") {
  // In the inner coordinate x^9 has degree 29, within Kronrod's 31.
  for (int power = 0; power <= 9; ++power) {
    const Integral found = integrate([&](double x) { return std::pow(x, power); }, {0, 2}, 1);
    CHECK(found.evaluations == 21);
    CHECK(digits(found.value[0], std::pow(2.0, power + 1) / (power + 1)) > 14);
  }
}

TEST_CASE("the error holds, and is as small as asked for") {
  struct Case {
    double (*f)(double);
    Vector breaks;
    double exact;
  };
  const double pi = 3.14159265358979323846;
  const std::vector<Case> cases{
      {[](double x) { return std::exp(-0.5 * x * x); }, {-9, 0, 9}, std::sqrt(2 * pi)},
      {[](double x) { return std::sqrt(x); }, {0, 1}, 2.0 / 3},
      {[](double x) { return std::sqrt(1 - x * x); }, {-1, 1}, pi / 2},
      {[](double x) { return std::abs(x - 0.3); }, {0, 1}, 0.29},
      {[](double x) { return std::sqrt(std::max(0.0, x - 0.7)); }, {0, 1}, std::pow(.3, 1.5) / 1.5},
      {[](double x) { return 1 / (1e-4 + x * x); }, {-1, 1}, 200 * std::atan(100.0)},
      {[](double x) { return std::cos(40 * x); }, {0, 1}, std::sin(40.0) / 40}};
  for (const Case& c : cases) {
    for (double tolerance : {1e-4, 1e-8, 1e-11}) {
      const Integral found = integrate(c.f, c.breaks, tolerance);
      CHECK(found.error <= tolerance + 1e-14 + 1e-14 * std::abs(c.exact));
      CHECK(std::abs(found.value[0] - c.exact) <= found.error);
      CHECK(found.evaluations < 5000);
    }
  }
}

TEST_CASE("a square root at a break costs no more than a polynomial") {
  CHECK(integrate([](double x) { return std::sqrt(1 - x); }, {0, 1}, 1e-12).evaluations == 21);
  CHECK(
      integrate([](double x) { return std::sqrt(std::abs(1 - x)); }, {0, 1.01}, 1e-8).evaluations >
      200);
}

TEST_CASE("several integrands share points, and their errors add") {
  const auto two = [](double x, Eigen::ArrayXd& value) {
    value[0] += std::exp(x);
    value[1] += std::abs(x - 0.3);
  };
  const Integral both = Quadrature(two, 2).integrate({0, 1}, 1e-10, 10000);
  CHECK(both.evaluations > 200);
  CHECK(both.error <= 1.01e-10);
  CHECK(std::abs(both.value[1] - .29) < 1e-10);
  CHECK(digits(both.value[0], std::exp(1.0) - 1) > 14);
}

TEST_CASE("it ends where the evaluations do, and says how far it got") {
  const auto root = [](double x) { return std::sqrt(std::abs(x - 1.0 / 3)); };
  const Integral found = integrate(root, {0, 1}, 0, 500);
  CHECK(found.evaluations < 550);
  CHECK(found.error > 0);
  CHECK(std::abs(found.value[0] - (std::pow(1 / 3.0, 1.5) + std::pow(2 / 3.0, 1.5)) / 1.5) <=
        found.error);
  CHECK(integrate(root, {1, 1}, 0, 500).value[0] == 0);
  CHECK(integrate(root, {}, 0, 500).evaluations == 0);
}

TEST_SUITE_END();

}  // namespace test_quadrature

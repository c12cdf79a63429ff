#include "helpers.hpp"

#include <engine/likelihood/contract/log_coefficient.hpp>
#include <engine/model/term_contributions.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_terms {

namespace {

// Three cases of four stored terms; the last stored term is none of the model's.
struct Bag {
  IntVector begin{0, 2, 4, 5, 6}, row{0, 2, 0, 1, 0, 1}, remap{0, 1, 2, -2};
  Vector value{2, 1, 1, 3, 4, 5};

  CellsByTerm cells() const { return {begin.data(), row.data(), value.data(), 4, 3}; }
  Frame frame() const {
    Column column;
    column.stored_levels = 4;
    column.remap = remap.data();
    column.by_term = cells();
    return {3, {column}};
  }
};

template <class Likelihood>
ModelPlan plan_of_words() {
  ModelPlan plan;
  plan.groups = 2;
  typename Likelihood::Plan bank;
  bank.features = {0};
  bank.levels = {3};
  plan.banks.emplace_back(bank);
  return plan;
}

Multinomial::Parameters some_words() {
  Matrix p(2, 3);
  p << .5, .3, .2, .1, .6, .3;
  return {p.array().log(), {}};
}

TermContributions ask(std::size_t most, const Tempering& tempering, const IntVector& favoured) {
  const Bag bag;
  const ModelPlan plan = plan_of_words<Multinomial>();
  const std::vector<AnyParameters> parameters{some_words()};
  const Scorer scorer(plan, parameters, {.5, .5}, 3, tempering);
  return term_contributions(scorer, scorer, blocks_of(plan)[0], 0, 3, bag.frame(), favoured,
                            {1, 1, 1}, most, Context());
}

}  // namespace

TEST_CASE("the terms of a case are its counts times the differences of coefficients") {
  const TermContributions found = ask(10, {}, {0, 0, 0});
  CHECK(found.row == IntVector{0, 0, 0, 1, 2});
  CHECK(found.term == IntVector{0, 2, 1, 1, 0});
  CHECK(found.count == Vector{2, 4, 1, 3, 1});
  const Vector expected{2 * std::log(5), 4 * std::log(2.0 / 3), std::log(.5), 3 * std::log(.5),
                        std::log(5)};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(found.contribution[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("terms that are not listed share an entry, rows without classes have none") {
  const TermContributions found = ask(1, {}, {0, -1, 0});
  CHECK(found.row == IntVector{0, 0, 2});
  CHECK(found.term == IntVector{0, TermContributions::kOthers, 0});
  CHECK(found.count == Vector{2, 2, 1});
  CHECK(found.contribution[1] ==
        doctest::Approx(4 * std::log(2.0 / 3) + std::log(.5)).epsilon(1e-12));
}

TEST_CASE("contributions have the power of their block") {
  const TermContributions plain = ask(10, {}, {0, 0, 0}), half = ask(10, {{.5}, {0, 1}}, {0, 0, 0});
  for (std::size_t i = 0; i < plain.term.size(); ++i) {
    CHECK(half.contribution[i] == doctest::Approx(.5 * plain.contribution[i]).epsilon(1e-12));
  }
}

// The last case has no term that the model knows; every row of the first class has the first term.
TEST_CASE("terms that no row of a class lacks add log 1, their absence makes it impossible") {
  const Bag bag;
  const ModelPlan plan = plan_of_words<Bernoulli>();
  Matrix p(2, 3);
  p << 1, .5, .2, .5, .5, .4;
  const std::vector<AnyParameters> parameters{
      Bernoulli::Parameters{p.array().log(), (1 - p.array()).log()}};
  const auto of_terms = parameters_of_terms(plan, parameters);
  const Scorer scorer(plan, parameters, {.5, .5}, 3), single(plan, of_terms, {.5, .5}, 3);
  const TermContributions found = term_contributions(
      scorer, single, blocks_of(plan)[0], 0, 3, bag.frame(), {0, 0, 0}, {1, 1, 1}, 10, Context());
  // Case 0 has the terms 0, 1 and 2, case 1 has 1, case 2 has 0.
  CHECK(found.row == IntVector{0, 0, 0, 0, 1, 1, 2, 2});
  CHECK(found.term == IntVector{2, 0, 1, TermContributions::kEmpty, 1, TermContributions::kEmpty, 0,
                                TermContributions::kEmpty});
  const double empty = std::log(.8) - std::log(.5 * .6);
  const Vector expected{
      std::log(.2 / .8) - std::log(.4 / .6), 0, 0, empty, 0, kNegativeInfinity, 0, empty};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isinf(expected[i])) {
      CHECK(found.contribution[i] == expected[i]);
    } else {
      CHECK(std::abs(found.contribution[i] - expected[i]) < 1e-15);
    }
  }
}

TEST_CASE("log multinomial coefficients, and numbers that are no counts") {
  Bag bag;
  Vector found(3);
  CHECK(log_coefficients(bag.cells(), found.data()));
  CHECK(found[0] == doctest::Approx(std::log(105)).epsilon(1e-14));  // 7! / (2! 1! 4!)
  CHECK(found[1] == doctest::Approx(std::log(56)).epsilon(1e-14));   // 8! / (3! 5!)
  CHECK(found[2] == 0);
  for (double wrong : {-1.0, .5, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity()}) {
    bag.value[3] = wrong;
    CHECK_FALSE(log_coefficients(bag.cells(), found.data()));
  }
}

}  // namespace test_terms

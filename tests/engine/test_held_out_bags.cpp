// Cross-validation of bags against models that are collected anew for each fold.

#include "helpers.hpp"

#include <engine/evaluation/cross_validation.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_held_out_bags {

namespace {

// Documents of three classes beside a number. The last term is only in the first fold, some zeros
// are stored, and one row has no fold.
struct Documents {
  Index rows;
  Bag bag;
  Vector x, weight;
  IntVector group, fold;
  Frame frame;

  Documents(int rows, int terms, int folds, std::uint64_t seed = 1) : rows(rows) {
    Random random(seed);
    for (int r = 0; r < rows; ++r) {
      group.push_back(1 + random.below(3));
      fold.push_back(1 + random.below(folds));
      weight.push_back(0.25 * (1 + random.below(5)));
      x.push_back(random.normal() + group.back());
    }
    fold[7] = kMissingInteger;
    for (int t = 0; t < terms; ++t) {
      for (int r = 0; r < rows; ++r) {
        if (random.below(3) > 0 || (t == terms - 1 && fold[r] != 1)) continue;
        bag.add(r, random.below(4) * (1 + (t + group[r]) % 3));
      }
      bag.end_term();
    }
    bag.finish(rows);
    frame = frame_of({reals(x), bag.column()}, static_cast<std::size_t>(rows));
  }

  FoldedRows folded(bool weighted) const {
    return {frame, group.data(), weighted ? weight.data() : nullptr, fold.data(), nullptr};
  }
};

template <class L>
Candidate candidate_of(int terms, const typename L::Options& options) {
  typename L::Plan plan;
  plan.features = {1};
  plan.levels = {terms};
  Candidate candidate;
  candidate.plan = {3, {plan, Gaussian::Plan{{0}}}};
  candidate.bank = {0, 1};
  candidate.options = {options, gaussian_options(1)};
  return candidate;
}

std::vector<Candidate> candidates_of(int terms) {
  return {candidate_of<Multinomial>(terms, {}),
          candidate_of<Multinomial>(terms, {0.5, true, true}),
          candidate_of<Multinomial>(terms, {0}),
          candidate_of<Bernoulli>(terms, {}),
          candidate_of<Bernoulli>(terms, {0}),
          candidate_of<PoissonBag>(terms, {0.5, 1}),
          candidate_of<GaussianBag>(terms, {true, 0.5})};
}

Matrix held_out(const Documents& data, int folds, const Candidate& candidate, bool weighted,
                int thread_count = 1) {
  Matrix posterior = Matrix::Constant(data.rows, 3, kNaN);
  HeldOut wanted;
  wanted.rows = data.rows;
  wanted.numbers = {posterior.data()};
  Diagnostics problems;
  const Context context = thread_count == 1 ? Context() : threads(thread_count);
  CrossValidation(candidate.plan, {candidate}, wanted, context)
      .run(data.folded(weighted), folds, problems);
  CHECK(problems.empty());
  return posterior;
}

// The definition: a model of the other rows, collected anew.
Matrix refit(const Documents& data, int folds, const Candidate& candidate, bool weighted) {
  Matrix result = Matrix::Constant(data.rows, 3, kNaN);
  for (int f = 1; f <= folds; ++f) {
    IntVector group(data.group);
    for (Index r = 0; r < data.rows; ++r) {
      if (data.fold[r] == f || data.fold[r] == kMissingInteger) group[r] = kMissingInteger;
    }
    const Model model = fit(candidate.plan, data.frame, group, candidate.options, candidate.prior,
                            weighted ? data.weight : Vector());
    const Matrix all = score_numbers(model, data.frame, Output::prob);
    for (Index r = 0; r < data.rows; ++r) {
      if (data.fold[r] == f) result.row(r) = all.row(r);
    }
  }
  return result;
}

bool near(const Matrix& a, const Matrix& b) {
  return (a.array().isNaN() == b.array().isNaN()).all() &&
         a.array().isNaN().select(0.0, (a - b).array()).abs().maxCoeff() <= 1e-12;
}

}  // namespace

TEST_SUITE_BEGIN("held-out bags");

TEST_CASE("held-out posteriors are those of models collected anew, for every kind of bag") {
  constexpr int kTerms = 9;
  for (const auto& [rows, folds] : {std::pair(300, 4), std::pair(250, 120)}) {
    const Documents data(rows, kTerms, folds);
    for (const Candidate& candidate : candidates_of(kTerms)) {
      for (bool weighted : {false, true}) {
        INFO(folds, " folds, bank ", candidate.plan.banks[0]->name(), ", weighted ", weighted);
        const Matrix expected = refit(data, folds, candidate, weighted);
        CHECK(near(held_out(data, folds, candidate, weighted), expected));
      }
    }
  }
}

TEST_CASE("windows of rows and threads change no bit, and no candidate another one") {
  constexpr int kTerms = 5;
  const Documents data(20000, kTerms, 6);
  const std::vector<Candidate> candidates = candidates_of(kTerms);
  for (const Candidate& candidate : candidates) {
    CHECK(same_bits(held_out(data, 6, candidate, true, 3), held_out(data, 6, candidate, true)));
  }
  std::vector<Matrix> together(2, Matrix::Constant(data.rows, 3, kNaN));
  HeldOut wanted;
  wanted.rows = data.rows;
  wanted.numbers = {together[0].data(), together[1].data()};
  ModelPlan shared = candidates[0].plan;
  shared.banks.push_back(candidates[3].plan.banks[0]);
  std::vector<Candidate> both{candidates[0], candidates[3]};
  both[0].bank = {0, 1, -1};
  both[1].bank = {-1, 1, 0};
  Diagnostics problems;
  CrossValidation(shared, both, wanted, Context()).run(data.folded(true), 6, problems);
  CHECK(same_bits(together[0], held_out(data, 6, candidates[0], true)));
  CHECK(same_bits(together[1], held_out(data, 6, candidates[3], true)));
}

TEST_CASE("a fold without a model leaves the other folds alone") {
  Documents data(300, 6, 4);
  for (Index r = 0; r < data.rows; ++r) {
    if (data.group[r] == 3 && data.fold[r] != kMissingInteger) data.fold[r] = 2;
  }
  Candidate candidate = candidate_of<Bernoulli>(6, {});
  candidate.prior = {0.5, 0.25, 0.25};
  const Matrix found = held_out(data, 4, candidate, false);
  const Matrix expected = refit(data, 4, candidate, false);
  for (Index r = 0; r < data.rows; ++r) {
    const bool scored = data.fold[r] != kMissingInteger && data.fold[r] != 2;
    CHECK(found.row(r).allFinite() == scored);
    if (scored) CHECK((found.row(r) - expected.row(r)).cwiseAbs().maxCoeff() <= 1e-12);
  }
}

TEST_SUITE_END();

}  // namespace test_held_out_bags

#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_model {

namespace {

// Two single numbers, two single categories, a numeric and a categorical block;
// values missing in all of them.
struct Mixed {
  int n, classes;
  std::vector<Vector> real{4};
  std::vector<IntVector> code{4};
  IntVector group;
  ModelPlan plan;

  Mixed(int rows, int k, int seed) : n(rows), classes(k) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      group.push_back(1 + (i < 8 * k ? i % k : random.below(k)));
      for (Vector& x : real)
        x.push_back(random.below(19) ? random.normal() * (1 + group[i] % 3) + group[i] : kNaN);
      for (IntVector& c : code)
        c.push_back(random.below(19) ? 1 + random.below(3) : kMissingInteger);
    }
    plan = {k,
            {Gaussian::Plan{{0, 1}}, Categorical::Plan{{4, 5}, {3, 3}},
             MultivariateGaussian::Plan{{2, 3}}, JointTable::Plan{{6, 7}, {3, 3}}}};
  }
  Frame frame() const {
    std::vector<Column> columns;
    for (const Vector& x : real) columns.push_back(reals(x));
    for (const IntVector& c : code) columns.push_back(factor(c, 3));
    return frame_of(columns, static_cast<std::size_t>(n));
  }
  Model model() const {
    MultivariateGaussian::Options block;
    block.shrinkage = 0.5;
    return fit(plan, frame(), group,
               {gaussian_options(2, true, 1e-3), Categorical::Options{Vector(6, 1.0)}, block,
                JointTable::Options{0.5}});
  }
};

const Output kNumbers[] = {Output::prob,           Output::log_prob,     Output::log_joint,
                           Output::log_likelihood, Output::log_evidence, Output::decision};

}  // namespace

TEST_SUITE_BEGIN("model");

TEST_CASE("a row alone is the row in its batch, bit for bit, at every edge of a tile") {
  const Mixed data(16384 + 1, 3, 61);
  const Model model = data.model();
  REQUIRE(model.problems.empty());
  Cost cost;
  cost.of.resize(2, 3);
  cost.of << 0, 3, 1, 2, 0, std::numeric_limits<double>::infinity();
  for (Output output : kNumbers) {
    const Matrix whole = score_numbers(model, data.frame(), output, &cost);
    for (Index rows : {1, 7, 8, 9, 511, 512, 513}) {
      const Matrix batch = score_numbers(model, part_of(data.frame(), 3, rows), output, &cost);
      CHECK(same_bits(batch, whole.middleRows(3, rows)));
    }
    for (Index i : {Index{0}, Index{6}, Index{7}, Index{8}, Index{511}, Index{512}, Index{16383},
                    Index{16384}}) {
      CHECK(same_bits(score_numbers(model, part_of(data.frame(), i, 1), output, &cost),
                      whole.row(i)));
    }
    for (int count : {2, 3})
      CHECK(same_bits(whole, score_numbers(model, data.frame(), output, &cost, count)));
  }
  for (Output output : {Output::class_, Output::decision}) {
    const IntVector whole = score_choices(model, data.frame(), output, &cost);
    CHECK(whole == score_choices(model, data.frame(), output, &cost, 2));
    for (Index i = 500; i < 530; ++i)
      CHECK(score_choices(model, part_of(data.frame(), i, 1), output, &cost)[0] ==
            whole[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("many classes: tiles of eight rows, every size of the last one") {
  const Mixed data(700, 60, 62);
  const Model model = data.model();
  REQUIRE(model.problems.empty());
  const Matrix whole = score_numbers(model, data.frame(), Output::log_joint);
  for (Index rows = 1; rows <= 40; ++rows)
    CHECK(same_bits(score_numbers(model, part_of(data.frame(), 100, rows), Output::log_joint),
                    whole.middleRows(100, rows)));
}

TEST_CASE("the outputs agree with each other") {
  const Mixed data(600, 3, 63);
  const Model model = data.model();
  const Frame frame = data.frame();
  const Matrix likelihood = score_numbers(model, frame, Output::log_likelihood);
  const Matrix joint = score_numbers(model, frame, Output::log_joint);
  const Matrix prob = score_numbers(model, frame, Output::prob);
  const Matrix log_prob = score_numbers(model, frame, Output::log_prob);
  const Matrix evidence = score_numbers(model, frame, Output::log_evidence);
  const IntVector choice = score_choices(model, frame, Output::class_);
  for (Index i = 0; i < 600; ++i) {
    double sum = kNegativeInfinity;
    Index best;
    joint.row(i).maxCoeff(&best);
    CHECK(choice[static_cast<std::size_t>(i)] == best + 1);
    for (Index k = 0; k < 3; ++k) {
      CHECK(joint(i, k) == likelihood(i, k) + std::log(model.estimate.prior[k]));
      sum = log_add(sum, joint(i, k));
    }
    CHECK(evidence(i, 0) == doctest::Approx(sum).epsilon(1e-14));
    CHECK(prob.row(i).sum() == doctest::Approx(1).epsilon(1e-15));
    for (Index k = 0; k < 3; ++k) {
      CHECK(std::abs(log_prob(i, k) - (joint(i, k) - sum)) <= 1e-12);
      CHECK(prob(i, k) == doctest::Approx(std::exp(log_prob(i, k))).epsilon(1e-13));
    }
  }
}

TEST_CASE("statistics of all banks: threads bit for bit, the order of parts within 1e-12") {
  const Mixed data(2 * static_cast<int>(kChunkRows) + 1234, 3, 64);
  const Frame frame = data.frame();
  const ModelStatistics whole = collect(data.plan, frame, data.group);
  const Model one = estimate(data.plan, whole,
                             {gaussian_options(2), Categorical::Options{Vector(6)},
                              MultivariateGaussian::Options{}, JointTable::Options{}});
  for (int count : {2, 3, 8}) {
    const ModelStatistics other = collect(data.plan, frame, data.group, {}, count);
    CHECK(same_bits(statistics<Gaussian>(whole, 0).moments.scatter,
                    statistics<Gaussian>(other, 0).moments.scatter));
    CHECK(statistics<Categorical>(whole, 1).count == statistics<Categorical>(other, 1).count);
    CHECK(same_bits(statistics<MultivariateGaussian>(whole, 2).scatter.triangle[1],
                    statistics<MultivariateGaussian>(other, 2).scatter.triangle[1]));
    CHECK(statistics<JointTable>(whole, 3).count == statistics<JointTable>(other, 3).count);
  }
  ModelStatistics parts(data.plan);
  for (Index begin : {Index{100000}, Index{0}, Index{99999}}) {
    const Index end = begin == 0 ? 99999 : begin == 99999 ? 100000 : frame.rows;
    parts.merge(data.plan, collect(data.plan, part_of(frame, begin, end - begin),
                                   IntVector(data.group.begin() + begin, data.group.end())));
  }
  CHECK(parts.classes.rows == whole.classes.rows);
  const Model two = estimate(data.plan, parts,
                             {gaussian_options(2), Categorical::Options{Vector(6)},
                              MultivariateGaussian::Options{}, JointTable::Options{}});
  CHECK(largest_difference(parameters<Gaussian>(one, 0).sd, parameters<Gaussian>(two, 0).sd) <=
        1e-12);
  CHECK(two.estimate.log_likelihood == doctest::Approx(one.estimate.log_likelihood).epsilon(1e-12));
}

TEST_CASE("contributions add up to the log joint") {
  const Mixed data(1100, 3, 65);
  const Model model = data.model();
  const Frame frame = data.frame();
  const Scorer scorer(model.plan, model.estimate.banks, model.estimate.prior, frame.rows);
  const Index columns = 7;  // the prior, four single features, two blocks
  Vector out(static_cast<std::size_t>(frame.rows * columns * 3), 12345.0);
  contributions(model.plan, scorer, frame, kNaN, out.data(), {});
  const Matrix joint = score_numbers(model, frame, Output::log_joint);
  for (Index k = 0; k < 3; ++k) {
    for (Index i = 0; i < frame.rows; ++i) {
      double sum = 0;
      for (Index b = 0; b < columns; ++b)
        sum += out[static_cast<std::size_t>((k * columns + b) * frame.rows + i)];
      CHECK(sum == doctest::Approx(joint(i, k)).epsilon(1e-13));
    }
  }
}

TEST_CASE("an infinite value takes the contributions of all blocks, before it and behind") {
  const Vector x{-1, 0, 1, 9, 10, 12}, y{3, 5, 4, 1, 1.5, 7};
  const std::vector<Vector> both{x, y};
  const Model model =
      fit(gaussian_plan(2, 2), frame_of(both), {1, 1, 1, 2, 2, 2}, {gaussian_options(2)});
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::vector<Vector>& at :
       {std::vector<Vector>{{inf}, {1}}, std::vector<Vector>{{1}, {inf}}}) {
    const Frame frame = frame_of(at);
    const Scorer scorer(model.plan, model.estimate.banks, model.estimate.prior, 1);
    Vector out(6);
    CHECK(contributions(model.plan, scorer, frame, kNaN, out.data(), {}).infinite == 1);
    CHECK(std::isnan(out[1]));
    CHECK(std::isnan(out[2]));
  }
}

TEST_CASE("what is written where there is no answer is the caller's choice") {
  const double inf = std::numeric_limits<double>::infinity();
  const Vector x{-1, 0, 1, 9, 10, 11}, at{inf, 0};
  const Model model =
      fit(gaussian_plan(2, 1), frame_of(x), {1, 1, 1, 2, 2, 2}, {gaussian_options(1)});
  const Scorer scorer(model.plan, model.estimate.banks, model.estimate.prior, 2);
  for (Output output :
       {Output::prob, Output::log_prob, Output::log_joint, Output::log_likelihood}) {
    Vector out(4);
    Request request;
    request.output = output;
    request.numbers = out.data();
    request.missing = -77;
    score(scorer, frame_of(at), request, Context());
    CHECK((out[0] == -77 && out[2] == -77));
    CHECK((out[1] != -77 && out[3] != -77));
  }
}

TEST_CASE("a class of prior 0 is out, exactly, whatever its likelihood says") {
  const Vector x{-1, 0, 1, 9, 10, 11}, at{10, 0, kNaN};
  const IntVector group{1, 1, 1, 3, 3, 3};
  Model model = fit(gaussian_plan(3, 1), frame_of(x), group, {gaussian_options(1)});
  CHECK(model.problems.empty());
  CHECK(model.estimate.prior == Vector{0.5, 0, 0.5});
  CHECK(model.estimate.parameter_count == 1 + 4);
  Matrix p = score_numbers(model, frame_of(at), Output::prob);
  CHECK(p.col(1).cwiseAbs().maxCoeff() == 0);
  CHECK(p(2, 0) == 0.5);
  CHECK(score_numbers(model, frame_of(at), Output::log_prob)(0, 1) == kNegativeInfinity);
  model.estimate.prior = {1, 0, 0};
  p = score_numbers(model, frame_of(at), Output::prob);
  for (int i = 0; i < 3; ++i) CHECK((p(i, 0) == 1 && p(i, 1) == 0 && p(i, 2) == 0));
  CHECK(score_choices(model, frame_of(at), Output::class_) == IntVector{1, 1, 1});
  CHECK(score_numbers(model, frame_of(at), Output::log_prob)(0, 2) == kNegativeInfinity);
}

TEST_CASE("one class; no features; no rows") {
  const Vector x{1, 2, 4};
  const Model one = fit(gaussian_plan(1, 1), frame_of(x), {1, 1, 1}, {gaussian_options(1)});
  const Vector at{0, 1e3, kNaN};
  CHECK(score_numbers(one, frame_of(at), Output::prob) == Matrix::Ones(3, 1));
  CHECK(score_numbers(one, frame_of(at), Output::log_prob) == Matrix::Zero(3, 1));
  const ModelPlan prior_only{2, {}};
  const Model empty = fit(prior_only, frame_of({}, 4), {1, 2, 2, 2}, {});
  const Matrix shares = score_numbers(empty, frame_of({}, 2), Output::prob);
  CHECK((shares(0, 0) == .25 && shares(0, 1) == .75 && shares(1, 1) == .75));
  CHECK(empty.estimate.log_likelihood ==
        doctest::Approx(std::log(.25) + 3 * std::log(.75)).epsilon(1e-15));
  const Mixed data(100, 2, 66);
  const Model model = data.model();
  const Frame nothing = part_of(data.frame(), 0, 0);
  for (Output output : kNumbers) {
    if (output != Output::decision) CHECK(score_numbers(model, nothing, output).rows() == 0);
  }
  CHECK(score_choices(model, nothing, Output::class_).empty());
  const ModelStatistics none = collect(data.plan, nothing, data.group);
  CHECK(none.classes.rows == Vector{0, 0});
  ModelStatistics all = collect(data.plan, data.frame(), data.group);
  const Matrix before = statistics<Gaussian>(all, 0).moments.scatter;
  all.merge(data.plan, none);
  CHECK(same_bits(before, statistics<Gaussian>(all, 0).moments.scatter));
}

TEST_CASE("5000 classes of two rows") {
  const int classes = 5000;
  Vector x;
  IntVector group;
  for (int i = 0; i < 2 * classes; ++i) {
    group.push_back(1 + i % classes);
    x.push_back(10.0 * (i % classes) + (i < classes ? -1 : 1));
  }
  const Model model = fit(gaussian_plan(classes, 1), frame_of(x), group, {gaussian_options(1)});
  REQUIRE(model.problems.empty());
  const Vector at{0, 10, 25003, 49990, 49990, 49990, 49990, 49990, 49985, kNaN, 3};
  const Matrix p = score_numbers(model, frame_of(at), Output::prob);
  CHECK((p.rowwise().sum().array() - 1).abs().maxCoeff() <= 1e-12);
  const IntVector choice = score_choices(model, frame_of(at), Output::class_);
  CHECK(choice[1] == 2);
  CHECK(choice[2] == 2501);
  CHECK(choice[8] == 4999);  // half way: the first
  CHECK(choice[9] == 1);
}

TEST_CASE("damaged parameters are an error") {
  const Gaussian::Plan plan{{0, 1}};
  const Gaussian::Parameters p{Matrix(2, 2), Matrix(2, 2), Matrix(2, 1)};
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  const Categorical::Parameters c{Matrix(2, 4)};
  CHECK_THROWS_AS(c.check(Categorical::Plan{{0, 1}, {3, 2}}, 2), InvalidState);
  MultivariateGaussian::Parameters m{Matrix(2, 2), Matrix(2, 2), {Matrix(2, 2)}};
  CHECK_NOTHROW(m.check(MultivariateGaussian::Plan{{0, 1}}, 2));
  m.factor.resize(3, Matrix(2, 2));
  CHECK_THROWS_AS(m.check(MultivariateGaussian::Plan{{0, 1}}, 2), InvalidState);
  MultivariateGaussian::Options options;
  options.shrinkage = 1.5;
  CHECK_THROWS_AS(options.check(MultivariateGaussian::Plan{{0, 1}}, 2), InvalidState);
}

TEST_SUITE_END();

}  // namespace test_model

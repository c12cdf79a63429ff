// Bags against dense sums that are written down as the formulas read.

#include "helpers.hpp"

#include <engine/data/gather.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_bag {

namespace {

constexpr double kStored = std::numeric_limits<double>::quiet_NaN();  // a stored 0

// Documents of three groups, some rows without a group, some stored zeros.
struct Documents {
  int rows, terms;
  Matrix dense;
  Bag bag;
  IntVector group;
  Vector weight;

  Documents(int rows, int terms, std::uint64_t seed = 1) : rows(rows), terms(terms) {
    Random random(seed);
    Matrix stored = Matrix::Zero(rows, terms);
    for (int t = 0; t < terms; ++t) {
      for (int r = 0; r < rows; ++r) {
        const int kind = random.below(2 + t);
        if (kind == 0) stored(r, t) = 1 + random.below(4);
        if (kind == 1 && random.below(10) == 0) stored(r, t) = kStored;
      }
    }
    bag = Bag(stored);
    dense = stored.array().isNaN().select(0.0, stored);
    for (int r = 0; r < rows; ++r) {
      group.push_back(r % 11 == 5 ? kMissingInteger : 1 + random.below(3));
      weight.push_back(0.5 * random.below(5));
    }
  }

  Frame frame() const { return frame_of({bag.column()}, static_cast<std::size_t>(rows)); }

  // The weight of a row in a group; 0 elsewhere.
  double weight_in(int r, int g, bool weighted) const {
    if (group[static_cast<std::size_t>(r)] != g + 1) return 0;
    return weighted ? weight[static_cast<std::size_t>(r)] : 1;
  }
};

template <class L>
ModelPlan plan_of(int terms, int groups = 3) {
  typename L::Plan plan;
  plan.features = {0};
  plan.levels = {terms};
  return {groups, {plan}};
}

// sum(g, t) of the weights times value(x).
template <class Value>
Matrix dense_sums(const Documents& data, bool weighted, const Value& value) {
  Matrix sum = Matrix::Zero(3, data.terms);
  for (int r = 0; r < data.rows; ++r) {
    for (int g = 0; g < 3; ++g) {
      for (int t = 0; t < data.terms; ++t) {
        sum(g, t) += data.weight_in(r, g, weighted) * value(data.dense(r, t));
      }
    }
  }
  return sum;
}

double log_factorial_of(double x) { return std::lgamma(x + 1); }

// The log likelihood of x, a term, given the parameters of a class.
double log_term(const Multinomial::Parameters& p, int g, int t, double x) {
  return x == 0 ? 0 : x * p.coefficient()(g, t);
}
double log_term(const Bernoulli::Parameters& p, int g, int t, double x) {
  return x != 0 ? p.log_present(g, t) : p.log_absent(g, t);
}
double log_term(const PoissonBag::Parameters& p, int g, int t, double x) {
  return (x == 0 ? 0 : x * std::log(p.rate(g, t)) - log_factorial_of(x)) - p.rate(g, t);
}
double log_term(const GaussianBag::Parameters& p, int g, int t, double x) {
  const double z = (x - p.mean(g, t)) / p.sd(g, t);
  return -0.5 * z * z - std::log(p.sd(g, t)) - kHalfLogTwoPi;
}

template <class L>
Matrix dense_scores(const Documents& data, const typename L::Parameters& p) {
  Matrix score = Matrix::Zero(data.rows, 3);
  for (int r = 0; r < data.rows; ++r) {
    for (int g = 0; g < 3; ++g) {
      for (int t = 0; t < data.terms; ++t) score(r, g) += log_term(p, g, t, data.dense(r, t));
    }
  }
  return score;
}

// Equal infinities, or numbers that differ by little.
bool near(const Matrix& a, const Matrix& b, double room = 1e-11) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    if (x != y && !(std::abs(x - y) <= room * (1 + std::abs(y)))) return false;
  }
  return true;
}

Matrix scores(const Model& model, const Frame& frame, ScoreReport* report = nullptr) {
  return score_numbers(model, frame, Output::log_likelihood, nullptr, 1, report);
}

// Scores of all rows, by threads, and of each row alone.
template <class L>
void check_scores(const Documents& data, const Model& model) {
  const Matrix all = scores(model, data.frame());
  CHECK(near(all, dense_scores<L>(data, parameters<L>(model))));
  const Frame frame = data.frame();
  CHECK(same_bits(score_numbers(model, frame, Output::log_likelihood, nullptr, 3), all));
  for (Index r : {Index{0}, Index{7}, frame.rows - 1}) {
    CHECK(same_bits(scores(model, part_of(frame, r, 1)), Matrix(all.row(r))));
  }
}

template <class L>
void check_parts(const Documents& data, const ModelPlan& plan) {
  const Frame frame = data.frame();
  for (const Vector& weight : {Vector(), data.weight}) {
    const ModelStatistics whole = collect(plan, frame, data.group, weight);
    const Index half = frame.rows / 3;
    const auto part = [&](Index begin, Index rows) {
      const IntVector group(data.group.begin() + begin, data.group.begin() + begin + rows);
      Vector own;
      if (!weight.empty()) own.assign(weight.begin() + begin, weight.begin() + begin + rows);
      return collect(plan, part_of(frame, begin, rows), group, own);
    };
    ModelStatistics merged = part(0, half);
    merged.merge(plan, part(half, frame.rows - half));
    typename L::Statistics other = statistics<L>(merged);
    pair_fields(statistics<L>(whole), other, [&](const auto& x, const auto& y) {
      for (Index i = 0; i < static_cast<Index>(x.size()); ++i) {
        CHECK(std::abs(x.data()[i] - y.data()[i]) <= 1e-11 * (1 + x.data()[i]));
      }
    });
  }
}

}  // namespace

TEST_SUITE_BEGIN("bag");

TEST_CASE("multinomial: shares of counts, smoothed; words given the class") {
  for (int terms : {1, 3, 9}) {
    const Documents data(700, terms);
    const ModelPlan plan = plan_of<Multinomial>(terms);
    for (bool weighted : {false, true}) {
      const Model model = fit(plan, data.frame(), data.group, {Multinomial::Options{0.5}}, {},
                              weighted ? data.weight : Vector());
      const Matrix count = dense_sums(data, weighted, [](double x) { return x; });
      CHECK(near(statistics<Multinomial>(model.statistics).count, count));
      Matrix expected = count.array() + 0.5;
      for (int g = 0; g < 3; ++g) expected.row(g) /= expected.row(g).sum();
      CHECK(near(parameters<Multinomial>(model).log_probability, expected.array().log()));
      check_scores<Multinomial>(data, model);
    }
    check_parts<Multinomial>(data, plan);
  }
}

TEST_CASE("complement: shares in the other classes, normalised or not") {
  const Documents data(300, 6);
  const Matrix count = dense_sums(data, false, [](double x) { return x; });
  for (bool normalise : {false, true}) {
    const Model model = fit(plan_of<Multinomial>(6), data.frame(), data.group,
                            {Multinomial::Options{1, true, normalise}});
    Matrix expected(3, 6);
    for (int g = 0; g < 3; ++g) {
      Matrix others = (count.colwise().sum() - count.row(g)).array() + 1;
      others = (others / others.sum()).array().log();
      expected.row(g) = normalise ? Matrix(others / others.sum()) : Matrix(-others);
    }
    CHECK(near(parameters<Multinomial>(model).weight, expected));
    check_scores<Multinomial>(data, model);
  }
}

TEST_CASE("a complement without smoothing says that a weight is infinite") {
  const Bag bag((Matrix(2, 2) << 1, 0, 1, 1).finished());
  const Model model = fit(plan_of<Multinomial>(2, 2), frame_of({bag.column()}, 2), {1, 2},
                          {Multinomial::Options{0, true}});
  CHECK(found(model.problems, Problem::overflow, 1, 0));
}

TEST_CASE("bernoulli: presence, smoothed; absent terms count") {
  for (int terms : {1, 5}) {
    const Documents data(600, terms);
    const ModelPlan plan = plan_of<Bernoulli>(terms);
    const Model model = fit(plan, data.frame(), data.group, {Bernoulli::Options{1}});
    const Matrix present = dense_sums(data, false, [](double x) { return x != 0 ? 1.0 : 0.0; });
    const Matrix rows = dense_sums(data, false, [](double) { return 1.0; });
    const Matrix share = (present.array() + 1) / (rows.array() + 2);
    CHECK(near(parameters<Bernoulli>(model).log_present, share.array().log()));
    CHECK(near(parameters<Bernoulli>(model).log_absent, (1 - share.array()).log()));
    check_scores<Bernoulli>(data, model);
    check_parts<Bernoulli>(data, plan);
  }
}

TEST_CASE("poisson and gaussian bags: cells that are not stored are zeros") {
  const Documents data(500, 5);
  const ModelPlan poisson = plan_of<PoissonBag>(5), gaussian = plan_of<GaussianBag>(5);
  const Matrix rows = dense_sums(data, false, [](double) { return 1.0; });
  const Matrix sum = dense_sums(data, false, [](double x) { return x; });
  const Matrix mean = sum.cwiseQuotient(rows);
  const Model counts = fit(poisson, data.frame(), data.group, {PoissonBag::Options{0.5, 2}});
  CHECK(near(parameters<PoissonBag>(counts).rate, (sum.array() + 0.5) / (rows.array() + 2)));
  check_scores<PoissonBag>(data, counts);
  check_parts<PoissonBag>(data, poisson);
  const Model numbers = fit(gaussian, data.frame(), data.group, {GaussianBag::Options{false}});
  CHECK(near(parameters<GaussianBag>(numbers).mean, mean));
  const Matrix square = dense_sums(data, false, [](double x) { return x * x; });
  const Matrix sd = (square.cwiseQuotient(rows) - mean.cwiseAbs2()).cwiseSqrt();
  CHECK(near(parameters<GaussianBag>(numbers).sd, sd));
  check_scores<GaussianBag>(data, numbers);
  check_parts<GaussianBag>(data, gaussian);
}

TEST_CASE("more classes than a vector holds, and rows of several runs and tiles") {
  const Documents data(3000, 40);
  for (int classes : {1, 2, 4, 5, 20, 23}) {
    INFO(classes);
    Random random(5);
    Matrix logs(classes, 40);
    for (Index i = 0; i < logs.size(); ++i) logs.data()[i] = std::log(random.uniform());
    const ModelPlan plan = plan_of<Multinomial>(40, classes);
    const Vector prior(static_cast<std::size_t>(classes), 1.0 / classes);
    const std::vector<AnyParameters> banks{Multinomial::Parameters{logs, {}}};
    const Matrix expected = data.dense * logs.transpose();
    for (int count : {1, 2}) {
      CHECK(near(
          score_numbers(plan, banks, prior, data.frame(), Output::log_likelihood, nullptr, count),
          expected));
    }
    IntVector group;
    for (int r = 0; r < data.rows; ++r) group.push_back(1 + r % classes);
    Matrix count = Matrix::Zero(classes, 40);
    for (int r = 0; r < data.rows; ++r) count.row(r % classes) += data.dense.row(r);
    CHECK(statistics<Multinomial>(collect(plan, data.frame(), group)).count == count);
  }
}

TEST_CASE(
    "without smoothing a word that a class lacks is impossible, and one it needs is required") {
  const Matrix dense = (Matrix(4, 3) << 1, 0, 2, 1, 0, 0, 1, 1, 0, 1, 2, kStored).finished();
  const Bag bag(dense), fresh((Matrix(3, 3) << 1, 0, 1, 0, 1, 0, kStored, kStored, 0).finished());
  const Frame seen = frame_of({bag.column()}, 4), asked = frame_of({fresh.column()}, 3);
  const Model words =
      fit(plan_of<Multinomial>(3, 2), seen, {1, 1, 2, 2}, {Multinomial::Options{0}});
  Matrix expected(3, 2);
  expected << 2 * std::log(0.5), kNegativeInfinity, kNegativeInfinity, std::log(0.6), 0, 0;
  CHECK(near(scores(words, asked), expected));
  const Model present = fit(plan_of<Bernoulli>(3, 2), seen, {1, 1, 2, 2}, {Bernoulli::Options{0}});
  expected.setConstant(kNegativeInfinity);
  expected(0, 0) = std::log(0.5);
  CHECK(near(scores(present, asked), expected));
}

TEST_CASE("terms are matched, and unknown ones are counted and left out") {
  const Documents data(200, 4);
  const Model model =
      fit(plan_of<Multinomial>(4), data.frame(), data.group, {Multinomial::Options{}});
  const IntVector remap{2, kUnknown, 0, 7};
  Matrix moved = Matrix::Zero(200, 4);
  moved.col(2) = data.dense.col(0);
  moved.col(0) = data.dense.col(2);
  const Matrix expected = moved * parameters<Multinomial>(model).log_probability.transpose();
  const Frame matched = frame_of({data.bag.column(remap.data())}, 200);
  ScoreReport report;
  CHECK(near(scores(model, matched, &report), expected));
  CHECK(report.unknown_by_feature[0] >= (data.dense.col(1).array() != 0).count());
  Matrix count = Matrix::Zero(3, 4);
  for (int r = 0; r < 200; ++r) {
    for (int g = 0; g < 3; ++g) count.row(g) += data.weight_in(r, g, false) * moved.row(r);
  }
  const ModelStatistics all = collect(model.plan, matched, data.group);
  CHECK(statistics<Multinomial>(all).count == count);
}

TEST_CASE("statistics move to terms that are reordered and united") {
  const Documents data(100, 3);
  const ModelPlan plan = plan_of<Multinomial>(3), target = plan_of<Multinomial>(5, 4);
  const ModelStatistics from = collect(plan, data.frame(), data.group);
  const Mapping mapping{4, {2, 0, 3}, {0}, {{4, 1, 0}}};
  const Matrix& count = statistics<Multinomial>(from).count;
  const ModelStatistics all = realign(plan, from, target, mapping, {0});
  const Matrix& moved = statistics<Multinomial>(all).count;
  CHECK(moved.sum() == count.sum());
  for (int g = 0; g < 3; ++g) {
    for (int t = 0; t < 3; ++t) CHECK(moved(mapping.group[g], mapping.level[0][t]) == count(g, t));
  }
}

TEST_CASE("chosen rows are gathered with their cells") {
  const Documents data(90, 5);
  const Model model =
      fit(plan_of<Multinomial>(5), data.frame(), data.group, {Multinomial::Options{}});
  const Matrix all = scores(model, data.frame());
  for (Index first : {Index{0}, Index{20}}) {
    const Frame frame = part_of(data.frame(), first, 90 - first);
    Gather gather(frame);
    const std::vector<Index> rows{3, 4, 40, 69};
    const Matrix some = scores(model, gather.take_with_cells(rows.data(), 4));
    for (Index i = 0; i < 4; ++i) {
      CHECK(same_bits(Matrix(some.row(i)), Matrix(all.row(first + rows[i]))));
    }
  }
}

TEST_CASE("numbers that a bag cannot hold are counted, and none is added") {
  const double wrong[] = {0.5, -1, kInfinity, -kInfinity, 1e300, 9007199254740993.0};
  for (double x : wrong) {
    INFO(x);
    Bag bag;
    for (int r = 0; r < 20; ++r) bag.add(r, r == 13 ? x : 2);
    bag.end_term();
    bag.finish(20);
    const bool is_wrong = !is_readable(x, BagNumbers::counts);
    CHECK(is_wrong == (x == 0.5 || x < 0 || std::isinf(x)));
    Diagnostics problems;
    const ModelStatistics all = collect(plan_of<Multinomial>(1, 1), frame_of({bag.column()}, 20),
                                        IntVector(20, 1), problems);
    CHECK(statistics<Multinomial>(all).count(0, 0) == 38 + (is_wrong ? 0 : x));
    const auto& problem = std::isinf(x) ? BagProblem::not_finite : BagProblem::no_term_count;
    CHECK(found(problems, problem, kAll, 0, 1) == is_wrong);
  }
}

// A matrix of several parts and runs.
class LargeBag {
 public:
  static constexpr int kRows = 5000, kTerms = 80;

  LargeBag() {
    Random random(7);
    for (int t = 0; t < kTerms; ++t) {
      begin_.push_back(static_cast<int>(row_.size()));
      for (int r = 0; r < kRows; ++r) {
        if (random.below(2 + t / 4) > 0 && t > 0) continue;
        row_.push_back(r);
        value_.push_back(1 + random.below(3));
      }
    }
    begin_.push_back(static_cast<int>(row_.size()));
  }

  Frame frame(Index runs, const Context& context = Context()) const {
    Column column;
    column.stored_levels = kTerms;
    column.by_term = {begin_.data(), row_.data(), value_.data(), kTerms, kRows};
    column.by_term.starts =
        check_cells(column.by_term, static_cast<Index>(row_.size()), context, runs);
    return frame_of({column}, kRows);
  }

  Matrix dense() const {
    Matrix result = Matrix::Zero(kRows, kTerms);
    for (int t = 0; t < kTerms; ++t) {
      for (int c = begin_[t]; c < begin_[t + 1]; ++c) result(row_[c], t) = value_[c];
    }
    return result;
  }

  IntVector begin_, row_;
  Vector value_;
};

template <class L>
void check_large(const LargeBag& bag, const typename L::Options& options) {
  IntVector group;
  Vector weight;
  Random random(2);
  for (int r = 0; r < bag.kRows; ++r) {
    group.push_back(r % 13 == 2 ? kMissingInteger : 1 + random.below(3));
    weight.push_back(random.uniform());
  }
  const ModelPlan plan = plan_of<L>(bag.kTerms);
  const Frame frame = bag.frame(1);
  for (const Vector& own : {Vector(), weight}) {
    const ModelStatistics one = collect(plan, frame, group, own);
    for (int count : {2, 3}) {
      const ModelStatistics other =
          collect(plan, bag.frame(count, threads(count)), group, own, count);
      typename L::Statistics same = statistics<L>(other);
      pair_fields(statistics<L>(one), same, [](const auto& x, const auto& y) { CHECK(x == y); });
    }
  }
  const Model model = fit(plan, frame, group, {options});
  const Matrix all = scores(model, frame);
  for (Index runs : {Index{0}, Index{2}, Index{7}}) {
    for (int count : {1, 2, 3}) {
      CHECK(same_bits(score_numbers(model, bag.frame(runs), Output::log_likelihood, nullptr, count),
                      all));
    }
    CHECK(same_bits(scores(model, part_of(bag.frame(runs), 4321, 500)),
                    Matrix(all.middleRows(4321, 500))));
  }
}

TEST_CASE("large bags: the same with any number of threads and runs") {
  const LargeBag bag;
  REQUIRE(bag.row_.size() > 2 * static_cast<std::size_t>(kCellsOfPart) / 3);
  REQUIRE(cut_terms(bag.frame(1).columns[0].by_term, 1000).size() > 20);
  check_large<Multinomial>(bag, {});
  check_large<Bernoulli>(bag, {});
  check_large<PoissonBag>(bag, {1, 1});
  check_large<GaussianBag>(bag, {});
  IntVector group;
  for (int r = 0; r < bag.kRows; ++r) group.push_back(1 + r % 3);
  Matrix count = Matrix::Zero(3, bag.kTerms);
  const Matrix dense = bag.dense();
  for (int r = 0; r < bag.kRows; ++r) count.row(r % 3) += dense.row(r);
  const ModelStatistics all = collect(plan_of<Multinomial>(bag.kTerms), bag.frame(1), group);
  CHECK(statistics<Multinomial>(all).count == count);
}

TEST_CASE("in large bags, too, numbers that are no counts are counted by fit and score") {
  LargeBag bag;
  const IntVector group(bag.kRows, 1);
  const ModelPlan plan = plan_of<Multinomial>(bag.kTerms, 1);
  const Model model = fit(plan, bag.frame(1), group, {Multinomial::Options{}});
  const std::size_t cells = bag.value_.size();
  for (std::size_t c : {std::size_t{0}, cells / 7, cells / 2, cells - 1}) {
    bag.value_[c] = 0.5;
    ScoreReport report;
    scores(model, bag.frame(1), &report);
    CHECK(report.malformed_by_feature[0] == 1);
    bag.value_[c] = 1;
  }
  for (std::size_t c : {std::size_t{0}, cells / 2, cells - 1}) bag.value_[c] = 0.5;
  Diagnostics problems;
  collect(plan, bag.frame(1), group, problems, {}, 2);
  CHECK(found(problems, BagProblem::no_term_count, kAll, 0, 3));
}

TEST_CASE("damaged matrices are refused") {
  const IntVector begin{0, 2, 3}, row{0, 2, 1};
  const Vector value{1, 1, 1};
  const auto check = [&](const IntVector& p, const IntVector& i, Index rows) {
    check_cells({p.data(), i.data(), value.data(), static_cast<int>(p.size()) - 1, rows},
                static_cast<Index>(i.size()));
  };
  CHECK_NOTHROW(check(begin, row, 3));
  CHECK_NOTHROW(check({0}, {}, 0));
  CHECK_THROWS_AS(check(begin, row, 2), InvalidState);
  CHECK_THROWS_AS(check({1, 2, 3}, row, 3), InvalidState);
  CHECK_THROWS_AS(check({0, 2, 4}, row, 3), InvalidState);
  CHECK_THROWS_AS(check({0, 4, 3}, row, 3), InvalidState);
  CHECK_THROWS_AS(check({0, -1, 3}, row, 3), InvalidState);
  CHECK_THROWS_AS(check(begin, {2, 0, 1}, 3), InvalidState);
  CHECK_THROWS_AS(check(begin, {1, 1, 1}, 3), InvalidState);
  CHECK_THROWS_AS(check(begin, {-1, 2, 1}, 3), InvalidState);
  CHECK_THROWS_AS(check(begin, {0, 2, -1}, 3), InvalidState);
  CHECK_THROWS_AS(check(begin, {0, 2, kMissingInteger}, 3), InvalidState);
}

TEST_CASE("a descent within a term is found at every place") {
  constexpr int kRows = 40;
  IntVector row(kRows);
  std::iota(row.begin(), row.end(), 0);
  const IntVector begin{0, kRows};
  const Vector value(kRows, 1);
  for (int c = 1; c < kRows; ++c) {
    IntVector damaged = row;
    damaged[c] = damaged[c - 1];
    CHECK_THROWS_AS(check_cells({begin.data(), damaged.data(), value.data(), 1, kRows}, kRows),
                    InvalidState);
  }
}

TEST_CASE("loops over cells agree with plain ones, on every processor") {
  Random random(3);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int count = 0; count < 20; ++count) {
      Vector x;
      IntVector rows;
      for (int i = 0; i < count; ++i) {
        x.push_back(random.below(5));
        rows.push_back(random.below(3));
      }
      int descents = 0;
      for (int i = 1; i < count; ++i) descents += rows[i - 1] >= rows[i];
      CHECK(loops.count_descents(rows.data(), count) == descents);
      const simd::NumberRange counts = range_of(BagNumbers::counts), few{0, 4, 0};
      CHECK(loops.all_inside(x.data(), count, counts));
      CHECK(loops.all_inside(x.data(), count, few));
      for (int i = 0; i < count; ++i) {
        for (double other : {0.5, -1.0, kNaN, kInfinity, 0x1p52}) {
          Vector damaged = x;
          damaged[i] = other;
          CHECK(!loops.all_inside(damaged.data(), count, counts));
        }
        for (double other : {-0.5, 4.5, kNaN}) {
          Vector damaged = x;
          damaged[i] = other;
          CHECK(!loops.all_inside(damaged.data(), count, few));
        }
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_bag

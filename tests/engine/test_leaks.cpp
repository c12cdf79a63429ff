// Failed allocations and interrupts, at every possible point. All memory is freed, no other
// exception is thrown, and a second try gives the result.

#include "allocations.hpp"
#include "likelihoods.hpp"

#include <engine/regions/marginal_regions.hpp>
#include <engine/search/sweep.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_leaks {

using allocations::Fuse;
using allocations::live;
using allocations::memory;
using allocations::Spared;

namespace {

struct Interrupted {};

Fuse patience;

void look() {
  if (patience.fails()) throw Interrupted();
}

Context impatient(int count) {
  Context context = count == 1 ? Context() : threads(count);
  context.check = look;
  context.run = [count, run = context.run](Index tasks, const std::function<void(Index)>& task) {
    const Spared starting(count > 1);
    run(tasks, [&](Index i) {
      look();
      task(i);
    });
  };
  return context;
}

// Two columns of numbers that every likelihood can read, and two columns of codes. The numbers of
// the second class are larger.
struct Data {
  Vector x, y;
  IntVector a, b, group;
  std::vector<Column> numbers, codes;
  Bag bag;

  explicit Data(int rows) {
    Random random(17);
    for (int r = 0; r < rows; ++r) {
      const int g = r % 2;
      group.push_back(g + 1);
      x.push_back(1 + random.below(200 + 40 * g));
      y.push_back(1 + random.below(200) + std::floor(0.5 * x.back()));
      a.push_back(1 + random.below(2));
      b.push_back(1 + random.below(2 + g));
    }
    numbers = {reals(x), reals(y)};
    codes = {factor(a, 2), factor(b, 3)};
    for (int t = 0; t < BagExample<Multinomial>::kTerms; ++t) {
      for (int r = 0; r < rows; ++r) {
        if (random.below(3) == 0) bag.add(r, 1 + random.below(3 + r % 2));
      }
      bag.end_term();
    }
    bag.finish(rows);
  }
};

struct Kind {
  std::string name;
  ExampleModel model;
};

// A model of each likelihood, and one of all.
std::vector<Kind> every_kind() {
  std::vector<Kind> kinds{{"all", ExampleModel::of_all(2)}};
  visit_examples([&](auto of) {
    const ExampleBank bank(of, 0);
    kinds.push_back({bank.name, {}});
    kinds.back().model.plan.groups = 2;
    kinds.back().model.add(bank);
  });
  return kinds;
}

struct Answer {
  Matrix probability, contribution, slope;
  IntVector decision, given;
  std::vector<Regions> regions;

  bool operator==(const Answer& other) const {
    return same_bits(probability, other.probability) && same_bits(slope, other.slope) &&
           same_bits(contribution, other.contribution) && decision == other.decision &&
           given == other.given &&
           std::equal(regions.begin(), regions.end(), other.regions.begin(), other.regions.end(),
                      [](const Regions& a, const Regions& b) {
                        return a.cut == b.cut && a.decision == b.decision;
                      });
  }
};

// All steps from data to decisions, and the other questions about a model.
class Work {
 public:
  Work(const Kind& kind, const Data& data, int count)
      : plan_(kind.model.plan),
        options_(kind.model.options),
        frame_(frame_of(kind.model.columns(data.numbers, data.codes, data.bag.column()),
                        data.x.size())),
        group_(data.group),
        context_(impatient(count)) {
    cost_.fixed = Cost{Matrix(3, 2)};
    cost_.fixed.of << 0, 3, 1, 0, 0.4, 0.5;
  }

  Answer run() const {
    const Index rows = frame_.rows, half = rows / 2;
    ModelStatistics all = collect(0, half);
    all.merge(plan_, collect(half, rows - half), context_);
    Diagnostics problems;
    const Estimate estimate = Estimator(plan_, all, options_).estimate({}, problems);
    Answer answer;
    score_rows(estimate, answer);
    decide_rows(answer);
    sweep_prior(estimate, answer);
    find_cuts(estimate, answer);
    return answer;
  }

 private:
  ModelStatistics collect(Index begin, Index count) const {
    const Frame part = part_of(frame_, begin, count);
    const Rows rows{group_.data() + begin, nullptr, plan_.groups};
    Diagnostics problems;
    return StatisticsCollector(plan_, part, rows).collect(context_, problems);
  }

  void score_rows(const Estimate& estimate, Answer& answer) const {
    const Index rows = frame_.rows;
    const Scorer scorer(plan_, estimate.banks, estimate.prior, rows);
    answer.probability = Matrix::Zero(rows, 2);
    Request request;
    request.output = Output::prob;
    request.numbers = answer.probability.data();
    score(scorer, frame_, request, context_);
    answer.decision.resize(static_cast<std::size_t>(rows));
    request.output = Output::decision;
    request.cost = &cost_;
    request.decision.decision = answer.decision.data();
    score(scorer, frame_, request, context_);
    const auto blocks = static_cast<Index>(blocks_of(plan_).size());
    answer.contribution = Matrix::Zero(rows, 2 * (1 + blocks));
    contributions(plan_, scorer, frame_, kNaN, answer.contribution.data(), context_);
  }

  void decide_rows(Answer& answer) const {
    Frame posterior;
    posterior.rows = answer.probability.rows();
    for (Index k = 0; k < 2; ++k) {
      posterior.columns.emplace_back().real = answer.probability.col(k).data();
    }
    answer.given.resize(static_cast<std::size_t>(posterior.rows));
    DecisionColumns out;
    out.decision = answer.given.data();
    decide_posterior(posterior, {}, cost_, out, {}, context_);
  }

  void sweep_prior(const Estimate& estimate, Answer& answer) const {
    const Index rows = std::min<Index>(answer.probability.rows(), 20);
    const Matrix joint = answer.probability.topRows(rows).array().log();
    answer.slope = CasesSweep(joint, cost_, {kAll, 0}, estimate.prior[0]).run(0, 1, context_).slope;
  }

  void find_cuts(const Estimate& estimate, Answer& answer) const {
    const View view =
        view_of(plan_, estimate.banks, estimate.prior, static_cast<int>(frame_.columns.size()));
    const IntVector levels = feature_levels(plan_);
    for (int j = 0; j < static_cast<int>(levels.size()); ++j) {
      if (levels[j] > 0 || frame_.columns[static_cast<std::size_t>(j)].is_bag()) continue;
      answer.regions.push_back(
          find_regions(marginal_of(view, j, origin_of(view, j)), view.log_prior(), cost_.fixed));
    }
  }

  ModelPlan plan_;
  std::vector<AnyOptions> options_;
  Frame frame_;
  const IntVector& group_;
  Context context_;
  CaseCost cost_;
};

enum class End { done, no_memory, interrupted };

// Returns whether the result is correct.
using Try = std::function<bool()>;

// Any other exception passes on to the test, which fails.
End attempt(const Try& work) {
  struct Calm {
    ~Calm() {
      memory.put_out();
      patience.put_out();
    }
  };
  try {
    const Calm afterwards;
    if (!work()) throw std::logic_error("another answer");
  } catch (const std::bad_alloc&) {
    return End::no_memory;
  } catch (const Interrupted&) {
    return End::interrupted;
  }
  return End::done;
}

// Lets each of the first `all` operations fail, one per run, and then some of the later ones, until
// a run has no failure. Returns the number of failures.
int fail_everywhere(Fuse& fuse, bool stays, int all, const Try& work) {
  const End failed = &fuse == &memory ? End::no_memory : End::interrupted;
  REQUIRE(attempt(work) == End::done);
  int failures = 0;
  for (std::int64_t n = 0;; n += n < all ? 1 : 1 + n / 16) {
    const std::int64_t before = live;
    fuse.set(n, stays);
    const End end = attempt(work);
    const std::int64_t after = live;
    INFO(n);
    CHECK(after == before);
    if (!fuse.burnt()) break;
    // Without memory sorting uses an algorithm that needs less, so the work may succeed.
    CHECK((end == failed || (end == End::done && &fuse == &memory)));
    failures += end == failed;
  }
  CHECK(attempt(work) == End::done);
  return failures;
}

int fail_kind(Fuse& fuse, bool stays, const Kind& kind, int count) {
  INFO(kind.name << ", threads: " << count << ", for good: " << stays);
  const Data data(600);  // two tasks
  const Work work(kind, data, count);
  const Answer expected = work.run();
  return fail_everywhere(fuse, stays, 150, [&] { return work.run() == expected; });
}

}  // namespace

TEST_SUITE_BEGIN("leaks");

TEST_CASE("what is not given back is noticed") {
  const std::int64_t before = live;
  void* lost = ::operator new(1);
  CHECK(live == before + 1);
  ::operator delete(lost);
  CHECK(live == before);
  memory.set(0, false);
  CHECK_THROWS_AS(lost = ::operator new(1), std::bad_alloc);
  CHECK(live == before);
  memory.put_out();
}

TEST_CASE("memory that ends anywhere") {
  for (const Kind& kind : every_kind()) {
    for (int count : {1, 2}) {
      for (bool stays : {false, true}) CHECK(fail_kind(memory, stays, kind, count) > 150);
    }
  }
}

TEST_CASE("an interrupt anywhere") {
  for (const Kind& kind : every_kind()) {
    for (int count : {1, 2}) {
      for (bool stays : {false, true}) CHECK(fail_kind(patience, stays, kind, count) > 10);
    }
  }
}

TEST_CASE("among several chunks of rows") {
  const Data data(2 * static_cast<int>(kChunkRows) + 5);
  const ModelPlan plan = gaussian_plan(2, 2);
  const Frame frame = frame_of(data.numbers, data.x.size());
  const Rows rows{data.group.data(), nullptr, 2};
  const Context context = impatient(2);
  const auto means = [&] {
    Diagnostics problems;
    const ModelStatistics all = StatisticsCollector(plan, frame, rows).collect(context, problems);
    return statistics<Gaussian>(all).moments.mean;
  };
  const Matrix expected = means();
  const Try work = [&] { return same_bits(means(), expected); };
  CHECK(fail_everywhere(memory, false, 0, work) > 10);
  CHECK(fail_everywhere(patience, false, 0, work) > 2);
}

TEST_SUITE_END();

}  // namespace test_leaks

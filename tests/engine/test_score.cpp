#include "helpers.hpp"

#include <engine/evaluation/prior_sample.hpp>
#include <engine/model/contributions.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_score {

namespace {

// Every likelihood, with tables of few and of many cells. Some values are missing or malformed,
// outside of all bins, impossible in every class, or no counts.
struct Everything {
  const IntVector levels{2, 3, 3, 2, 40, 300, 3, 2}, rates{1, 6, 60, 400};
  std::vector<Vector> real;
  std::vector<IntVector> code;
  IntVector group;
  Model model;

  Everything(int rows, int classes, int seed) : real(14), code(levels.size()) {
    Random random(seed);
    for (int i = 0; i < rows; ++i) {
      const int k = i < 2 * classes ? i % classes : random.below(classes);
      group.push_back(1 + k);
      for (std::size_t j = 0; j < real.size(); ++j) {
        real[j].push_back(j < 10 ? number(random, k) : count(random, rates[j - 10] + k));
      }
      for (std::size_t j = 0; j < code.size(); ++j) {
        code[j].push_back(random.below(19) ? 1 + random.below(levels[j]) : kMissingInteger);
        if (random.below(97) == 0) code[j].back() = levels[j] + 7;
      }
    }
    model = fit_all(classes);
  }

  static double number(Random& random, int k) {
    if (random.below(19) == 0) return kNaN;
    return std::clamp(std::round(8 * random.normal()) / 8 + k % 5, -5.0, 12.0);
  }
  static double count(Random& random, int rate) {
    if (random.below(19) == 0) return kNaN;
    return std::max(0.0, std::round(rate + std::sqrt(rate) * random.normal()));
  }

  Frame frame() const {
    std::vector<Column> columns;
    for (const Vector& x : real) columns.push_back(reals(x));
    for (std::size_t j = 0; j < code.size(); ++j) columns.push_back(factor(code[j], levels[j]));
    return frame_of(columns, group.size());
  }

  Model fit_all(int classes) const {
    Vector edges{-5, -2, 0, 0.5, 1, 3, 12}, own;
    for (int k = 0; k < classes; ++k) own.insert(own.end(), {-5.0, 0.0, k + 1.0, 20.0});
    const ModelPlan plan{
        classes,
        {Gaussian::Plan{{0, 1}}, MultivariateGaussian::Plan{{2, 3, 4}},
         Poisson::Plan{{10, 11, 12, 13}}, Histogram::Plan{{5}, {6}, edges},
         Histogram::Plan{{6}, IntVector(classes, 3), own}, Empirical::Plan{{7}},
         Kernel::Plan{{8}, 1e3}, Categorical::Plan{{14, 15, 16, 17, 18, 19}, {2, 3, 3, 2, 40, 300}},
         JointTable::Plan{{20, 21}, {3, 2}}}};
    Model result = fit(plan, frame(), group,
                       {gaussian_options(2), MultivariateGaussian::Options{}, Poisson::Options{},
                        Histogram::Options{1}, Histogram::Options{1}, Empirical::Options{},
                        Kernel::Options{Vector(classes, 0.5), 0},
                        Categorical::Options{Vector(350, 1.0)}, JointTable::Options{1}});
    Mixture::Parameters humps;
    humps.components.assign(classes, 2);
    for (int k = 0; k < classes; ++k) {
      humps.log_weight.insert(humps.log_weight.end(), {std::log(.7), std::log(.3)});
      humps.mean.insert(humps.mean.end(), {k - 1.0, k + 2.0});
      humps.sd.insert(humps.sd.end(), {.9, .8});
    }
    result.plan.banks.push_back(Mixture::Plan{{9}});
    result.estimate.banks.push_back(humps);
    return result;
  }
};

// Likelihoods relative to the largest of the row; 1 in rows that have none.
Matrix relative(Matrix log_likelihood) {
  for (Index r = 0; r < log_likelihood.rows(); ++r) {
    const double most = log_likelihood.row(r).maxCoeff();
    const bool lost = log_likelihood.row(r).hasNaN() || most == kNegativeInfinity;
    for (Index k = 0; k < log_likelihood.cols(); ++k) {
      log_likelihood(r, k) = lost ? 1.0 : std::exp(log_likelihood(r, k) - most);
    }
  }
  return log_likelihood;
}

Vector all_contributions(const Model& model, const Frame& frame, Index columns) {
  const Scorer scorer(model.plan, model.estimate.banks, model.estimate.prior, frame.rows);
  Vector out(static_cast<std::size_t>(frame.rows * columns * scorer.classes()));
  contributions(model.plan, scorer, frame, kNaN, out.data(), {});
  return out;
}

}  // namespace

TEST_SUITE_BEGIN("score");

TEST_CASE("every likelihood: a row alone, among few and among many, bit for bit") {
  for (int classes : {2, 3, 11}) {
    Everything data(1200, classes, 71);
    REQUIRE(data.model.problems.empty());
    data.real[10][3] = data.real[13][5] = 1.5;
    data.real[11][4] = -1;
    data.real[12][6] = 1e9;
    data.real[5][7] = 99;
    data.real[0][8] = std::numeric_limits<double>::infinity();
    data.real[13][9] = std::numeric_limits<double>::infinity();
    const Frame frame = data.frame();
    for (Output output : {Output::log_likelihood, Output::prob}) {
      const Matrix whole = score_numbers(data.model, frame, output);
      for (Index rows : {1, 2, 5, 9, 20, 30, 60, 100, 255, 256, 257, 300, 302, 700}) {
        for (Index first : {0, 3, 5, 400}) {
          const Matrix part = score_numbers(data.model, part_of(frame, first, rows), output);
          CHECK(same_bits(part, whole.middleRows(first, rows)));
        }
      }
      for (Index i = 0; i < frame.rows; i += 1 + i / 40) {
        const Matrix alone = score_numbers(data.model, part_of(frame, i, 1), output);
        CHECK(same_bits(alone, whole.row(i)));
      }
    }
  }
}

TEST_CASE("each block of a row alone, and what is said of it, are those among many") {
  const Everything data(800, 3, 72);
  const Frame frame = data.frame();
  const Index blocks = static_cast<Index>(blocks_of(data.model.plan).size()) + 1;
  const Vector whole = all_contributions(data.model, frame, blocks);
  ScoreReport said, sum(static_cast<int>(frame.columns.size()));
  score_numbers(data.model, frame, Output::prob, nullptr, 1, &said);
  for (Index i = 0; i < frame.rows; ++i) {
    const Frame one = part_of(frame, i, 1);
    const Vector alone = all_contributions(data.model, one, blocks);
    for (Index c = 0; c < 3 * blocks; ++c) {
      CHECK(same_bits(alone[static_cast<std::size_t>(c)],
                      whole[static_cast<std::size_t>(c * frame.rows + i)]));
    }
    ScoreReport of_one;
    score_numbers(data.model, one, Output::prob, nullptr, 1, &of_one);
    sum.merge(of_one);
  }
  CHECK(sum.malformed_by_feature == said.malformed_by_feature);
  CHECK(sum.impossible == said.impossible);
  CHECK(said.malformed_by_feature[18] > 0);
}

TEST_CASE("a feature of a sample is read as if all others were missing") {
  const Everything data(1000, 3, 73);
  const Frame frame = data.frame();
  const Vector factors(3, 0.0), no_numbers(1000, kNaN);
  const IntVector no_integers(1000, kMissingInteger);
  const Scorer scorer(data.model.plan, data.model.estimate.banks, data.model.estimate.prior, 1000);
  const IntVector features = first_features(22);
  Vector likelihood(3000), informed(1000), weight(1000);
  const PriorColumns all{likelihood.data(), informed.data(), weight.data()};
  read_prior_rows(scorer, frame, factors, all, Context());
  for (Index most : {300, 1000}) {
    PriorSample sample;
    sample.rows = sample_size(1000, most);
    REQUIRE(sample.rows == (most == 300 ? 256 : 1000));
    Vector together(sample.rows * 3), alone(sample.rows * 66), evidence(sample.rows);
    sample.together = together.data();
    sample.others = alone.data();
    sample.evidence = evidence.data();
    std::vector<PriorSampler::Density> densities;
    for (int feature : features) {
      densities.push_back(LoneFeature(data.model.plan, scorer, feature));
    }
    PriorSampler(densities, factors).read(frame, all, sample, threads(2));
    // A run of the smaller sample begins every 250 rows.
    const auto row_of = [&](Index i) { return most == 300 ? i / 64 * 250 + i % 64 : i; };
    const auto difference = [&](const double* found, const Frame& of) {
      const Matrix wanted = relative(score_numbers(data.model, of, Output::log_likelihood));
      double largest = 0;
      for (Index i = 0; i < sample.rows; ++i) {
        for (int k = 0; k < 3; ++k) {
          largest = std::max(largest, std::abs(found[k * sample.rows + i] - wanted(row_of(i), k)));
        }
      }
      return largest;
    };
    CHECK(difference(together.data(), frame) < 1e-12);
    for (int feature : features) {
      Frame masked = frame;
      for (int other : features) {
        Column& column = masked.columns[static_cast<std::size_t>(other)];
        if (other == feature) continue;
        if (column.real) column.real = no_numbers.data();
        if (column.integer) column.integer = no_integers.data();
      }
      CHECK(difference(alone.data() + feature * 3 * sample.rows, masked) < 1e-12);
    }
  }
}

TEST_SUITE_END();

}  // namespace test_score

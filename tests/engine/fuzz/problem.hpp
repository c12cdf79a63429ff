#pragma once

#include "bytes.hpp"

#include <deque>

namespace fuzz {

// A frame and what it looks at.
struct Table {
  Frame frame;
  std::deque<Vector> numbers;
  std::deque<IntVector> integers;
};

// Training data, a plan for them and new data, as the doors would let them in: numbers are any,
// codes too, costs are no NaN and not -Inf.
struct Problem {
  ModelPlan plan;
  int features = 0;
  Table data, fresh;
  IntVector group;
  Vector weight;
  std::vector<AnyOptions> options;
  Cost cost;
};

// Banks, one after the other, until each feature stands in one.
class PlanDecoder {
 public:
  PlanDecoder(Bytes& bytes, int groups, int features) : bytes_(bytes), features_(features) {
    plan_.groups = groups;
  }

  ModelPlan decode(bool with_mixtures) {
    while (next_ < features_) {
      const int kind = bytes_.below(with_mixtures ? 11 : 10);
      switch (kind) {
        case 0: plan_.banks.push_back(Gaussian::Plan{several()}); break;
        case 1: plan_.banks.push_back(MultivariateGaussian::Plan{several()}); break;
        case 2: add_codes<Categorical>(); break;
        case 3: add_codes<JointTable>(); break;
        case 4: plan_.banks.push_back(Poisson::Plan{several()}); break;
        case 5: add_bins(); break;
        case 6: plan_.banks.push_back(Empirical::Plan{one()}); break;
        case 7: plan_.banks.push_back(Kernel::Plan{one(), bytes_.flag() ? 64 : 1e6}); break;
        case 8: plan_.banks.push_back(Gamma::Plan{several()}); break;
        case 9: plan_.banks.push_back(NegativeBinomial::Plan{one()}); break;
        default: plan_.banks.push_back(Mixture::Plan{several()});
      }
    }
    return plan_;
  }

 private:
  IntVector one() { return {next_++}; }

  IntVector several() {
    IntVector features = one();
    for (int more = bytes_.below(3); more > 0 && next_ < features_; --more) {
      features.push_back(next_++);
    }
    return features;
  }

  template <class Likelihood>
  void add_codes() {
    const IntVector features = several();
    IntVector levels;
    for (std::size_t j = 0; j < features.size(); ++j) levels.push_back(1 + bytes_.below(4));
    plan_.banks.push_back(typename Likelihood::Plan{features, levels});
  }

  void add_bins() {
    Histogram::Plan plan{one(), {}, {}};
    for (int set = bytes_.flag() ? plan_.groups : 1; set > 0; --set) {
      Vector edges;
      for (int e = bytes_.below(6); e >= 0; --e) edges.push_back(bytes_.finite());
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      if (edges.size() == 1) edges.clear();
      plan.bins.push_back(std::max(0, static_cast<int>(edges.size()) - 1));
      plan.edges.insert(plan.edges.end(), edges.begin(), edges.end());
    }
    plan_.banks.push_back(plan);
  }

  Bytes& bytes_;
  int features_, next_ = 0;
  ModelPlan plan_;
};

// Columns that a plan may read: those of codes are integers.
class TableDecoder {
 public:
  TableDecoder(Bytes& bytes, const ModelPlan& plan, int features, int rows)
      : bytes_(bytes), rows_(static_cast<std::size_t>(rows)), levels_(feature_levels(plan)) {
    levels_.resize(static_cast<std::size_t>(features), 0);
  }

  void decode(Table& to) {
    to.frame.rows = static_cast<Index>(rows_);
    for (int levels : levels_) {
      if (levels > 0) {
        to.frame.columns.push_back(codes(levels, to));
      } else if (bytes_.below(4) == 3) {
        IntVector& values = to.integers.emplace_back();
        for (std::size_t r = 0; r < rows_; ++r) values.push_back(bytes_.integer());
        to.frame.columns.push_back(whole_numbers(values));
      } else {
        to.frame.columns.push_back(reals(to.numbers.emplace_back(numbers())));
      }
    }
  }

 private:
  // Each is chosen, or they are spread at random: so many that grids are needed.
  Vector numbers() {
    Vector values;
    const int kind = bytes_.below(4);
    Random random(static_cast<std::uint64_t>(kind));
    const double from = kind == 3 ? bytes_.finite() : 0, step = kind == 3 ? bytes_.finite() : 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      values.push_back(kind == 3 ? from + step * random.uniform() : bytes_.number());
    }
    return values;
  }

  Column codes(int levels, Table& to) {
    const int first = bytes_.flag() ? 1 : bytes_.below(3) - 1;
    const int stored = bytes_.flag() ? levels : bytes_.below(6);
    IntVector remap;
    for (int l = 0; l < stored; ++l) remap.push_back(bytes_.below(levels + 2) - 2);
    IntVector values;
    for (std::size_t r = 0; r < rows_; ++r) {
      const int kind = bytes_.byte();
      if (kind < 224) {
        values.push_back(first + kind % std::max(1, stored));
      } else {
        values.push_back(kind % 2 == 0 ? kMissingInteger : bytes_.integer());
      }
    }
    const bool remapped = stored != levels || bytes_.flag();
    Column column = factor(to.integers.emplace_back(values), stored);
    column.first_code = first;
    if (remapped) column.remap = to.integers.emplace_back(remap).data();
    return column;
  }

  Bytes& bytes_;
  std::size_t rows_;
  IntVector levels_;
};

struct OptionsDecoder {
  Bytes& bytes;
  int groups;

  AnyOptions operator()(const Gaussian::Plan& plan) {
    Gaussian::Options options;
    for (int j = 0; j < plan.members(); ++j) {
      options.unbiased.push_back(!bytes.flag());
      options.min_variance.push_back(bytes.flag() ? bytes.not_negative() : 0);
    }
    return options;
  }
  AnyOptions operator()(const MultivariateGaussian::Plan&) {
    const int kind = bytes.below(4);
    return MultivariateGaussian::Options{!bytes.flag(), kind == 1,
                                         kind < 2 ? 0 : bytes.byte() / 255.0};
  }
  AnyOptions operator()(const Categorical::Plan& plan) {
    Categorical::Options options;
    const bool smooth = bytes.flag();
    for (int l = 0; l < plan.offsets().back(); ++l) {
      options.pseudo_count.push_back(smooth ? bytes.not_negative() : 0);
    }
    return options;
  }
  AnyOptions operator()(const JointTable::Plan&) {
    return JointTable::Options{bytes.flag() ? bytes.not_negative() : 0};
  }
  AnyOptions operator()(const Histogram::Plan&) {
    return Histogram::Options{bytes.flag() ? bytes.not_negative() : 0};
  }
  AnyOptions operator()(const Kernel::Plan&) {
    Kernel::Options options{{}, bytes.flag() ? bytes.positive() : 0.9};
    if (!bytes.flag()) return options;
    for (int g = 0; g < groups; ++g) options.bandwidth.push_back(bytes.positive());
    return options;
  }
  template <class Plan>
  AnyOptions operator()(const Plan&) {
    return OptionsOf<Plan>{};
  }
};

inline Cost decode_cost(Bytes& bytes, int classes) {
  if (!bytes.flag())
    return {Matrix(Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes))};
  Cost cost{Matrix(1 + bytes.below(4), classes)};
  for (Index i = 0; i < cost.of.size(); ++i) {
    const double x = bytes.number();
    cost.of.data()[i] = x > kNegativeInfinity ? x : 1;
  }
  return cost;
}

inline Problem decode_problem(Bytes& bytes) {
  Problem problem;
  const int groups = 1 + bytes.below(4);
  problem.features = 1 + bytes.below(5);
  problem.plan = PlanDecoder(bytes, groups, problem.features).decode(false);
  const int rows = bytes.below(8) == 7 ? 70 + bytes.byte() : bytes.below(24);
  const int kind = bytes.below(4);
  for (int r = 0; r < rows; ++r) {
    const bool any = kind == 3 && bytes.byte() > 240;
    problem.group.push_back(any ? bytes.integer() : 1 + (kind == 0 ? r : bytes.byte()) % groups);
  }
  if (bytes.flag()) {
    bytes.limit(1e6);  // one row may outweigh another, but not all digits of it
    for (int r = 0; r < rows; ++r) problem.weight.push_back(bytes.not_negative());
    bytes.limit(kInfinity);
  }
  TableDecoder(bytes, problem.plan, problem.features, rows).decode(problem.data);
  for (const AnyPlan& bank : problem.plan.banks) {
    problem.options.push_back(std::visit(OptionsDecoder{bytes, groups}, bank));
  }
  problem.cost = decode_cost(bytes, groups);
  TableDecoder(bytes, problem.plan, problem.features, bytes.below(12)).decode(problem.fresh);
  return problem;
}

}  // namespace fuzz

#pragma once

#include "../likelihoods.hpp"

#include <deque>

namespace fuzz {

// A frame and the vectors that it points to.
struct Table {
  Frame frame;
  std::deque<Vector> numbers;
  std::deque<IntVector> integers;
  std::deque<Bag> bags;
};

// Training data, a plan for them and new data, as the bindings would accept them. Numbers and codes
// have any value. Costs are neither NaN nor -Inf.
struct Problem {
  ModelPlan plan;
  int features = 0;
  Table data, fresh;
  IntVector group;
  Vector weight;
  std::vector<AnyOptions> options;
  Cost cost;
};

// Decodes banks until each feature is in a bank.
class PlanDecoder {
 public:
  PlanDecoder(Bytes& bytes, int groups, int features) : bytes_(bytes), features_(features) {
    plan_.groups = groups;
  }

  ModelPlan decode() {
    std::vector<std::function<void()>> kinds;
    visit_examples([&](auto of) { kinds.push_back([this, of] { add(of); }); });
    while (next_ < features_) kinds[bytes_.below(static_cast<int>(kinds.size()))]();
    return plan_;
  }

 private:
  template <class Of>
  void add(Of) {
    IntVector features{next_++};
    int more = Of::kSingle ? 0 : bytes_.below(3);
    for (; more > 0 && next_ < features_; --more) features.push_back(next_++);
    plan_.banks.push_back(Of::any_plan(bytes_, features, plan_.groups));
  }

  Bytes& bytes_;
  int features_, next_ = 0;
  ModelPlan plan_;
};

// Decodes columns that a plan may read. Columns of codes are integers.
class TableDecoder {
 public:
  TableDecoder(Bytes& bytes, const ModelPlan& plan, int features, int rows)
      : bytes_(bytes), rows_(static_cast<std::size_t>(rows)), levels_(feature_levels(plan)) {
    levels_.resize(static_cast<std::size_t>(features), 0);
    terms_ = bag_terms(plan, levels_.size());
  }

  void decode(Table& to) {
    to.frame.rows = static_cast<Index>(rows_);
    for (int levels : levels_) {
      const int terms = terms_[to.frame.columns.size()];
      if (terms > 0) {
        to.frame.columns.push_back(bag(terms, to));
      } else if (levels > 0) {
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
  // Either each number is decoded, or all are spread at random. Spread numbers have so many values
  // that kernels need grids.
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

  // Most cells are counts.
  Column bag(int terms, Table& to) {
    const int stored = bytes_.flag() ? terms : bytes_.below(6);
    IntVector remap;
    for (int t = 0; t < stored; ++t) remap.push_back(bytes_.below(terms + 2) - 1);
    Bag& cells = to.bags.emplace_back();
    const bool counts = bytes_.below(4) < 3;
    for (int t = 0; t < stored; ++t) {
      for (std::size_t r = 0; r < rows_; ++r) {
        const int kind = bytes_.below(8);
        if (kind > 3) cells.add(static_cast<int>(r), counts ? kind - 4 : bytes_.number());
      }
      cells.end_term();
    }
    cells.finish(static_cast<Index>(rows_));
    const int* moved =
        stored != terms || bytes_.flag() ? to.integers.emplace_back(remap).data() : nullptr;
    bytes_.flag();  // the stored inputs have it
    return cells.column(moved);
  }

  Bytes& bytes_;
  std::size_t rows_;
  IntVector levels_, terms_;
};

inline std::vector<AnyOptions> decode_options(Bytes& bytes, const ModelPlan& plan) {
  std::vector<AnyOptions> result;
  for (const AnyPlan& bank : plan.banks) {
    visit_plan(bank, [&](const auto& p) {
      result.push_back(ExampleOf<std::decay_t<decltype(p)>>::any_options(bytes, p, plan.groups));
    });
  }
  return result;
}

// Parameters of any size that a double can have.
inline std::vector<AnyParameters> decode_parameters(Bytes& bytes, const ModelPlan& plan) {
  std::vector<AnyParameters> result;
  for (const AnyPlan& bank : plan.banks) {
    visit_plan(bank, [&](const auto& p) {
      result.push_back(ExampleOf<std::decay_t<decltype(p)>>::any_parameters(bytes, p, plan.groups));
    });
  }
  return result;
}

// Some classes may have prior 0.
inline Vector decode_prior(Bytes& bytes, int classes) {
  Vector prior;
  double sum = 0;
  for (int k = 0; k < classes; ++k) sum += prior.emplace_back((1 + bytes.byte()) % 256);
  if (!(sum > 0)) return Vector(static_cast<std::size_t>(classes), 1.0 / classes);
  for (double& p : prior) p /= sum;
  return prior;
}

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
  problem.plan = PlanDecoder(bytes, groups, problem.features).decode();
  const int rows = bytes.below(8) == 7 ? 70 + bytes.byte() : bytes.below(24);
  const int kind = bytes.below(4);
  for (int r = 0; r < rows; ++r) {
    const bool any = kind == 3 && bytes.byte() > 240;
    problem.group.push_back(any ? bytes.integer() : 1 + (kind == 0 ? r : bytes.byte()) % groups);
  }
  if (bytes.flag()) {
    bytes.limit(1e6);  // no row makes all digits of another one vanish
    for (int r = 0; r < rows; ++r) problem.weight.push_back(bytes.not_negative());
    bytes.limit(kInfinity);
  }
  TableDecoder(bytes, problem.plan, problem.features, rows).decode(problem.data);
  problem.options = decode_options(bytes, problem.plan);
  problem.cost = decode_cost(bytes, groups);
  TableDecoder(bytes, problem.plan, problem.features, bytes.below(12)).decode(problem.fresh);
  return problem;
}

}  // namespace fuzz

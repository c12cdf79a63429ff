#pragma once

#include <engine/model/term_collector.hpp>

#include <memory>

namespace bayesrisk {

// The weight and the number of rows of each class.
struct ClassStatistics {
  Vector weight, rows;

  explicit ClassStatistics(int groups = 0) : weight(groups, 0.0), rows(groups, 0.0) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("rows", self.rows);
  }
  void merge(const ClassStatistics& other) {
    for (std::size_t g = 0; g < weight.size(); ++g) {
      weight[g] += other.weight[g];
      rows[g] += other.rows[g];
    }
  }
};

struct ModelStatistics {
  ClassStatistics classes;
  std::vector<AnyStatistics> banks;

  ModelStatistics() = default;
  explicit ModelStatistics(const ModelPlan& plan) : classes(plan.groups) {
    for (const AnyPlan& bank : plan.banks) {
      std::visit(
          [&](const auto& p) { banks.emplace_back(StatisticsOf<decltype(p)>(p, plan.groups)); },
          bank);
    }
  }

  void merge(const ModelPlan& plan, const ModelStatistics& other,
             const Context& context = Context()) {
    classes.merge(other.classes);
    for (std::size_t b = 0; b < banks.size(); ++b) {
      context.check();
      std::visit(
          [&](const auto& p) {
            using State = StatisticsOf<decltype(p)>;
            std::get<State>(banks[b]).merge(p, std::get<State>(other.banks[b]));
          },
          plan.banks[b]);
    }
  }

  // The statistics of some of the groups.
  ModelStatistics of_groups(const ModelPlan& plan, int first, int count) const {
    ModelStatistics part;
    part.classes = groups_of(classes, first, count);
    for (std::size_t b = 0; b < banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            using State = StatisticsOf<decltype(p)>;
            part.banks.emplace_back(std::get<State>(banks[b]).of_groups(p, first, count));
          },
          plan.banks[b]);
    }
    return part;
  }
};

class StatisticsCollector {
 public:
  StatisticsCollector(const ModelPlan& plan, const Frame& frame, const Rows& rows)
      : plan_(plan), frame_(frame), rows_(rows) {}

  static Index tasks(Index rows, int groups, bool bags) {
    return (rows + chunk_rows(groups, bags) - 1) / chunk_rows(groups, bags);
  }

  ModelStatistics collect(const Context& context, Diagnostics& diagnostics) {
    const auto by_term = [&](const AnyPlan& bank) { return is_by_term(bank); };
    if (std::none_of(plan_.banks.begin(), plan_.banks.end(), by_term)) {
      return collect_rows(context, diagnostics);
    }
    ModelPlan by_row{plan_.groups, {}};
    std::remove_copy_if(plan_.banks.begin(), plan_.banks.end(), std::back_inserter(by_row.banks),
                        by_term);
    ModelStatistics total =
        StatisticsCollector(by_row, frame_, rows_).collect_rows(context, diagnostics);
    add_bags(context, total, diagnostics);
    return total;
  }

 private:
  bool is_by_term(const AnyPlan& bank) const {
    return std::visit(
        [&](const auto& p) {
          if constexpr (reads_bag<std::decay_t<decltype(p)>>) {
            return static_cast<bool>(frame_.columns[static_cast<std::size_t>(p.feature())].by_term);
          }
          return false;
        },
        bank);
  }

  // Puts the banks that are stored by term between the others.
  void add_bags(const Context& context, ModelStatistics& total, Diagnostics& diagnostics) const {
    Chunk chunk;
    IntVector group, slice_rows;
    Diagnostics counted;
    start_chunk(0, frame_.rows, chunk, group, slice_rows, counted);
    chunk.context = &context;
    const TermCollector collector(frame_, chunk);
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      if (!is_by_term(plan_.banks[b])) continue;
      Diagnostics problems;
      std::visit(
          [&](const auto& p) {
            if constexpr (reads_bag<std::decay_t<decltype(p)>>) {
              total.banks.insert(total.banks.begin() + static_cast<Index>(b),
                                 collector.collect(p, context, problems));
            }
          },
          plan_.banks[b]);
      diagnostics.unite(problems);
    }
  }

  // Each thread gets a few chunks at a time, so that no thread waits long for the others. The
  // statistics of bags are large.
  ModelStatistics collect_rows(const Context& context, Diagnostics& diagnostics) {
    ModelStatistics total(plan_);
    const Index chunks = tasks(frame_.rows, plan_.groups, bags_);
    context.expect(chunks);
    for (Index done = 0; done < chunks;) {
      const Index threads = std::max(context.threads, 1);
      const Index wave = std::min(threads > 1 && !bags_ ? 4 * threads : threads, chunks - done);
      std::vector<ModelStatistics> parts(wave);
      std::vector<Diagnostics> problems(wave);
      context.run(wave, [&](Index i) { parts[i] = collect_chunk(done + i, context, problems[i]); });
      for (Index i = 0; i < wave; ++i) {
        if (done + i == 0) {
          total = std::move(parts[i]);
        } else {
          total.merge(plan_, parts[i], context);
        }
        diagnostics.merge(problems[i]);
      }
      done += wave;
    }
    return total;
  }

  ModelStatistics collect_chunk(Index index, const Context& context,
                                Diagnostics& diagnostics) const {
    ModelStatistics part(plan_);
    const Index most = chunk_rows(plan_.groups, bags_);
    Chunk chunk;
    IntVector group, slice_rows;
    start_chunk(index * most, std::min(most, frame_.rows - index * most), chunk, group, slice_rows,
                diagnostics);
    chunk.context = &context;
    count_classes(chunk, slice_rows, part.classes);
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      chunk.check();
      Diagnostics problems;
      std::visit(
          [&](const auto& p) {
            std::get<StatisticsOf<decltype(p)>>(part.banks[b]).collect(p, frame_, chunk, problems);
          },
          plan_.banks[b]);
      diagnostics.unite(problems);  // a feature may stand in several banks
    }
    return part;
  }

  void start_chunk(Index begin, Index rows, Chunk& chunk, IntVector& group, IntVector& slice_rows,
                   Diagnostics& diagnostics) const {
    chunk.groups = plan_.groups;
    chunk.begin = begin;
    chunk.rows = static_cast<int>(rows);
    chunk.weight = rows_.weight ? rows_.weight + begin : nullptr;
    group.resize(static_cast<std::size_t>(rows));
    read_groups(chunk, group, slice_rows, diagnostics);
    chunk.group = group.data();
    chunk.slice_rows = slice_rows.data();
  }

  // A row without a group or without weight goes to the last slot.
  void read_groups(const Chunk& chunk, IntVector& group, IntVector& slice_rows,
                   Diagnostics& diagnostics) const {
    const auto groups = static_cast<unsigned>(plan_.groups);
    double malformed = 0;
    const int slice = slice_size(plan_.groups);
    for (int first = 0; first < chunk.rows; first += slice) {
      const int size = std::min(slice, chunk.rows - first);
      const int* stored = rows_.group + chunk.begin + first;
      const double* weight = chunk.weight ? chunk.weight + first : nullptr;
      const IntVector rows = count_groups(size, plan_.groups, [&](int r) {
        const unsigned code = static_cast<unsigned>(stored[r]) - 1;
        const bool counts = code < groups && !(weight && weight[r] == 0);
        return group[first + r] = static_cast<int>(counts ? code : groups);
      });
      slice_rows.insert(slice_rows.end(), rows.begin(), rows.end());
      for (int r = 0; r < size && rows.back() > 0; ++r) {
        const bool known = static_cast<unsigned>(stored[r]) - 1 < groups;
        malformed += !known && stored[r] != kMissingInteger && !(weight && weight[r] == 0);
      }
    }
    if (malformed > 0) diagnostics.add(Problem::malformed, kAll, kAll, malformed);
  }

  static void count_classes(const Chunk& chunk, const IntVector& slice_rows,
                            ClassStatistics& classes) {
    const int slots = chunk.groups + 1;
    for (std::size_t i = 0; i < slice_rows.size(); ++i) {
      const int g = static_cast<int>(i) % slots;
      if (g < chunk.groups) classes.rows[g] += slice_rows[i];
    }
    classes.weight = classes.rows;
    if (!chunk.weight) return;
    Vector weight(slots, 0.0);
    for (int r = 0; r < chunk.rows; ++r) weight[chunk.group[r]] += chunk.weight[r];
    classes.weight.assign(weight.begin(), weight.end() - 1);
  }

  const ModelPlan& plan_;
  const Frame& frame_;
  const Rows& rows_;
  bool bags_ = has_bags(plan_);
};

inline ModelStatistics realign(const ModelPlan& plan, const ModelStatistics& statistics,
                               const ModelPlan& target, const Mapping& mapping,
                               const IntVector& bank) {
  ModelStatistics result(target);
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    result.classes.weight[mapping.group[g]] = statistics.classes.weight[g];
    result.classes.rows[mapping.group[g]] = statistics.classes.rows[g];
  }
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    std::visit(
        [&](const auto& p) {
          using Plan = std::decay_t<decltype(p)>;
          using State = StatisticsOf<Plan>;
          result.banks[bank[b]] = std::get<State>(statistics.banks[b])
                                      .realign(p, std::get<Plan>(target.banks[bank[b]]), mapping);
        },
        plan.banks[b]);
  }
  return result;
}

// An estimated model.
struct Estimate {
  Vector prior;
  std::vector<AnyParameters> banks;
  double log_likelihood = 0;  // of the rows at the estimates: the sum of log p(x, y)
  double parameter_count = 0;
};

class Estimator {
 public:
  // `borrow`: a class whose estimate does not exist borrows from the other classes.
  Estimator(const ModelPlan& plan, const ModelStatistics& statistics,
            const std::vector<AnyOptions>& options, bool borrow = false,
            const Context& context = Context())
      : plan_(plan),
        statistics_(statistics),
        options_(options),
        borrow_(borrow),
        check_(context.check) {}

  // An empty `prior` means the shares of the classes.
  Estimate estimate(const Vector& prior, Diagnostics& diagnostics) const {
    const Vector& weight = statistics_.classes.weight;
    Estimate result;
    double total = 0;
    int classes = 0;
    for (double w : weight) {
      total += w;
      classes += w > 0;
    }
    result.prior = prior;
    if (prior.empty()) {
      for (double w : weight) result.prior.push_back(w / total);
      result.parameter_count = classes - 1;
    }
    for (std::size_t g = 0; g < weight.size(); ++g) {
      result.log_likelihood += times_log(weight[g], std::log(result.prior[g]));
    }
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) add_bank(b, classes, result, diagnostics);
    return result;
  }

 private:
  void add_bank(std::size_t b, int classes, Estimate& result, Diagnostics& diagnostics) const {
    std::visit(
        [&](const auto& p) {
          using L = LikelihoodOf<decltype(p)>;
          const auto& statistics = std::get<typename L::Statistics>(statistics_.banks[b]);
          const auto& options = std::get<typename L::Options>(options_[b]);
          Diagnostics problems;
          auto parameters = L::estimate(p, statistics, options,
                                        {statistics_.classes.weight, borrow_, check_}, problems);
          if (!problems.stops()) {
            result.log_likelihood += L::log_likelihood(p, statistics, parameters);
          }
          result.parameter_count += L::parameter_count(p, options, parameters, classes);
          diagnostics.append(problems, static_cast<int>(b));
          result.banks.emplace_back(std::move(parameters));
        },
        plan_.banks[b]);
  }

  const ModelPlan& plan_;
  const ModelStatistics& statistics_;
  const std::vector<AnyOptions>& options_;
  bool borrow_;
  std::function<void()> check_;
};

}  // namespace bayesrisk

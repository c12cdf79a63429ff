#pragma once

#include <engine/model/model_statistics.hpp>
#include <engine/model/term_collector.hpp>

namespace bayesrisk {

class StatisticsCollector {
 public:
  StatisticsCollector(const ModelPlan& plan, const Frame& frame, const Rows& rows)
      : plan_(plan), frame_(frame), rows_(rows) {}

  static Index tasks(Index rows, int groups) {
    return (rows + chunk_rows(groups) - 1) / chunk_rows(groups);
  }

  ModelStatistics collect(const Context& context, Diagnostics& diagnostics) {
    if (std::none_of(plan_.banks.begin(), plan_.banks.end(), is_bag)) {
      return collect_rows(context, diagnostics);
    }
    ModelPlan others{plan_.groups, {}};
    std::remove_copy_if(plan_.banks.begin(), plan_.banks.end(), std::back_inserter(others.banks),
                        is_bag);
    ModelStatistics total =
        StatisticsCollector(others, frame_, rows_).collect_rows(context, diagnostics);
    add_bags(context, total, diagnostics);
    return total;
  }

 private:
  // Inserts the banks of bags at their places among the others. Problems of the groups were
  // reported when the other banks were collected.
  void add_bags(const Context& context, ModelStatistics& total, Diagnostics& diagnostics) const {
    Chunk chunk;
    IntVector group, slice_rows;
    Diagnostics reported;
    start_chunk(0, frame_.rows, chunk, group, slice_rows, reported);
    chunk.context = &context;
    const TermCollector collector(frame_, chunk);
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      if (!is_bag(plan_.banks[b])) continue;
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

  // Each thread gets a few chunks at a time, so that no thread waits long for the others.
  ModelStatistics collect_rows(const Context& context, Diagnostics& diagnostics) {
    ModelStatistics total(plan_);
    const Index chunks = tasks(frame_.rows, plan_.groups);
    context.expect(chunks);
    for (Index done = 0; done < chunks;) {
      const Index threads = std::max(context.threads, 1);
      const Index wave = std::min(threads > 1 ? 4 * threads : threads, chunks - done);
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
    const Index most = chunk_rows(plan_.groups);
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
            if constexpr (!reads_bag<std::decay_t<decltype(p)>>) {
              auto& own = std::get<StatisticsOf<decltype(p)>>(part.banks[b]);
              own.collect(p, frame_, chunk, problems);
            }
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
};

}  // namespace bayesrisk

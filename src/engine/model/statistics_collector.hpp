#pragma once

#include <engine/model/model_statistics.hpp>
#include <engine/model/term_collector.hpp>

#include <mutex>

namespace bayesrisk {

class StatisticsCollector {
 public:
  StatisticsCollector(const ModelPlan& plan, const Frame& frame, const Rows& rows)
      : plan_(plan), frame_(frame), rows_(rows) {}

  // The tasks of reading `rows` of `groups`: the chunks, and the factors of the blocks.
  static Index tasks(const ModelPlan& plan, Index rows, int groups) {
    const Index most = rows_of_chunk(plan, rows, groups);
    Index blocks = 0;
    for (const AnyPlan& bank : plan.banks) {
      blocks += std::visit([](const auto& p) { return is_block<decltype(p)>; }, bank);
    }
    return (rows + most - 1) / most + blocks * groups;
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
    ModelStatistics total;
    if (frame_.rows == 0) total = ModelStatistics(plan_);
    for_each_wave<ModelStatistics>(
        context,
        [&](const Chunk& chunk, const IntVector& slice_rows, Diagnostics& problems,
            ModelStatistics used) {
          return collect_chunk(chunk, slice_rows, problems, renewed(std::move(used)));
        },
        [&](Index index, ModelStatistics& part, const Diagnostics& problems) {
          if (index == 0) {
            total = std::move(part);
          } else {
            total.merge(plan_, part, context);
          }
          diagnostics.merge(problems);
        });
    factor_blocks(context, total);
    return total;
  }

  // part = read(chunk, slice_rows, problems, used) for some chunks at a time, on any thread, and
  // add(index, part, problems) in their order, one at a time. A part is added once all parts before
  // it are added. Then a later chunk gets it as `used`, because the first write to fresh memory
  // takes long for wide blocks. `used` is empty if no part is free.
  template <class Part, class Read, class Add>
  void for_each_wave(const Context& context, const Read& read, const Add& add) const {
    const Index most = rows_of_chunk(plan_, frame_.rows, plan_.groups);
    const Index chunks = (frame_.rows + most - 1) / most;
    context.expect(chunks);
    std::vector<Part> used;
    std::vector<Vector> memory;
    std::mutex mutex;
    for (Index done = 0; done < chunks;) {
      const Index threads = std::max(context.threads, 1);
      const Index wave = std::min(threads > 1 ? 4 * threads : threads, chunks - done);
      std::vector<Part> parts(wave);
      std::vector<Diagnostics> problems(wave);
      std::vector<char> complete(wave);
      Index next = 0;
      context.run(wave, [&](Index i) {
        Chunk chunk;
        IntVector group, slice_rows;
        const Index begin = (done + i) * most;
        start_chunk(begin, std::min(most, frame_.rows - begin), chunk, group, slice_rows,
                    problems[i]);
        chunk.context = &context;
        std::unique_lock<std::mutex> lock(mutex);
        Part part = take_last(used);
        Vector own = take_last(memory);
        lock.unlock();
        chunk.memory = &own;
        part = read(chunk, slice_rows, problems[i], std::move(part));
        lock.lock();
        memory.push_back(std::move(own));
        parts[i] = std::move(part);
        complete[i] = true;
        for (; next < wave && complete[next]; ++next) {
          add(done + next, parts[next], problems[next]);
          used.push_back(std::move(parts[next]));
        }
      });
      done += wave;
    }
  }

  template <class T>
  static T take_last(std::vector<T>& from) {
    T last;
    if (from.empty()) return last;
    last = std::move(from.back());
    from.pop_back();
    return last;
  }

  // Statistics of no rows, in the memory of others if there are any.
  ModelStatistics renewed(ModelStatistics used) const {
    if (used.banks.empty()) return ModelStatistics(plan_);
    used.classes = ClassStatistics(plan_.groups);
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            using State = StatisticsOf<decltype(p)>;
            auto& own = std::get<State>(used.banks[b]);
            if constexpr (std::is_same_v<State, MultivariateGaussian::Statistics>) {
              own.clear();
            } else {
              own = State(p, plan_.groups);
            }
          },
          plan_.banks[b]);
    }
    return used;
  }

  // A wide block takes long to read, so it has an even number of shorter chunks, which two threads
  // share equally. Chunks do not become so short that adding their products takes long.
  static Index rows_of_chunk(const ModelPlan& plan, Index rows, int groups) {
    constexpr Index kWide = 32, kNumbers = 1 << 21, kLeast = 5000, kRowsOfGroup = 256;
    const Index most = chunk_rows(groups);
    Index width = 0;
    for (const AnyPlan& bank : plan.banks) {
      std::visit(
          [&](const auto& p) {
            if constexpr (is_block<decltype(p)>) width = std::max<Index>(width, p.members());
          },
          bank);
    }
    const Index least = std::max(kLeast, kRowsOfGroup * groups);
    if (width < kWide || least >= most || rows < least) return most;
    const Index wanted = std::clamp(kNumbers / width, least, most);
    const Index pairs = (rows + 2 * wanted - 1) / (2 * wanted);
    const Index shared = (rows + 2 * pairs - 1) / (2 * pairs);
    return simd::whole_vectors(shared);
  }

  template <class P>
  static constexpr bool is_block =
      std::is_base_of_v<MultivariateGaussian::Statistics, StatisticsOf<P>>;

  // The products of blocks become triangles. Where products would lose digits, the rows are read
  // once more.
  void factor_blocks(const Context& context, ModelStatistics& total) const {
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            if constexpr (is_block<decltype(p)>) {
              Scatter& scatter = std::get<StatisticsOf<decltype(p)>>(total.banks[b]).scatter;
              const IntVector unsafe = factor_products(scatter, context);
              if (!unsafe.empty()) decompose(context, p.features, unsafe, scatter);
            }
          },
          plan_.banks[b]);
    }
  }

  void decompose(const Context& context, const IntVector& features, const IntVector& groups,
                 Scatter& scatter) const {
    for_each_wave<std::vector<Matrix>>(
        context,
        [&](const Chunk& chunk, const IntVector&, Diagnostics&, const std::vector<Matrix>&) {
          return decompose_rows(frame_, features, chunk, scatter, groups);
        },
        [&](Index, const std::vector<Matrix>& part, const Diagnostics&) {
          for (std::size_t i = 0; i < groups.size(); ++i) {
            context.check();
            Matrix& triangle = scatter.triangle[static_cast<std::size_t>(groups[i])];
            triangle = triangle_of_rows(stack(triangle, part[i]));
          }
        });
  }

  ModelStatistics collect_chunk(const Chunk& chunk, const IntVector& slice_rows,
                                Diagnostics& diagnostics, ModelStatistics part) const {
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

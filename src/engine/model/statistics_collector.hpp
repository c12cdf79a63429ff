#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/normal/scatter_factor.hpp>
#include <engine/model/model_statistics.hpp>

#include <mutex>

namespace bayesrisk {

class StatisticsCollector {
 public:
  StatisticsCollector(const ModelPlan& plan, const Frame& frame, const Rows& rows)
      : plan_(plan), frame_(frame), rows_(rows) {}

  // The tasks of reading `rows` of `groups`: the chunks, and the factors of the blocks.
  static Index tasks(const ModelPlan& plan, Index rows, int groups);

  ModelStatistics collect(const Context& context, Diagnostics& diagnostics);

 private:
  // Inserts the banks of bags at their places among the others. Problems of the groups were
  // reported when the other banks were collected.
  void add_bags(const Context& context, ModelStatistics& total, Diagnostics& diagnostics) const;

  // Each thread gets a few chunks at a time, so that no thread waits long for the others.
  ModelStatistics collect_rows(const Context& context, Diagnostics& diagnostics);

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
  ModelStatistics renewed(ModelStatistics used) const;

  // A wide block takes long to read, so it has an even number of shorter chunks, which two threads
  // share equally. Chunks do not become so short that adding their products takes long.
  static Index rows_of_chunk(const ModelPlan& plan, Index rows, int groups);

  // The products of blocks become triangles. Where products would lose digits, the rows are read
  // once more.
  void factor_blocks(const Context& context, ModelStatistics& total) const;

  void decompose(const Context& context, const IntVector& features, const IntVector& groups,
                 Scatter& scatter) const;

  ModelStatistics collect_chunk(const Chunk& chunk, const IntVector& slice_rows,
                                Diagnostics& diagnostics, ModelStatistics part) const;

  void start_chunk(Index begin, Index rows, Chunk& chunk, IntVector& group, IntVector& slice_rows,
                   Diagnostics& diagnostics) const;

  // A row without a group or without weight goes to the last slot.
  void read_groups(const Chunk& chunk, IntVector& group, IntVector& slice_rows,
                   Diagnostics& diagnostics) const;

  static void count_classes(const Chunk& chunk, const IntVector& slice_rows,
                            ClassStatistics& classes);

  const ModelPlan& plan_;
  const Frame& frame_;
  const Rows& rows_;
};

}  // namespace bayesrisk

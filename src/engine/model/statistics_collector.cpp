#include <engine/model/statistics_collector.hpp>

namespace bayesrisk {

Index StatisticsCollector::tasks(const ModelPlan& plan, Index rows, int groups) {
  const Index most = rows_of_chunk(plan, rows, groups);
  Index blocks = 0;
  for (const AnyPlan& bank : plan.banks) {
    blocks += bank->has_scatter();
  }
  return (rows + most - 1) / most + blocks * groups;
}

ModelStatistics StatisticsCollector::collect(const Context& context, Diagnostics& diagnostics) {
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

void StatisticsCollector::add_bags(const Context& context, ModelStatistics& total,
                                   Diagnostics& diagnostics) const {
  Chunk chunk;
  IntVector group, slice_rows;
  Diagnostics reported;
  start_chunk(0, frame_.rows, chunk, group, slice_rows, reported);
  chunk.context = &context;
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
    if (!is_bag(plan_.banks[b])) continue;
    Diagnostics problems;
    total.banks.insert(total.banks.begin() + static_cast<Index>(b),
                       plan_.banks[b]->collect_terms(frame_, chunk, context, problems));
    diagnostics.unite(problems);
  }
}

ModelStatistics StatisticsCollector::collect_rows(const Context& context,
                                                  Diagnostics& diagnostics) {
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

ModelStatistics StatisticsCollector::renewed(ModelStatistics used) const {
  if (used.banks.empty()) return ModelStatistics(plan_);
  used.classes = ClassStatistics(plan_.groups);
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
    plan_.banks[b]->renew(used.banks[b], plan_.groups);
  }
  return used;
}

Index StatisticsCollector::rows_of_chunk(const ModelPlan& plan, Index rows, int groups) {
  constexpr Index kWide = 32, kNumbers = 1 << 21, kLeast = 5000, kRowsOfGroup = 256;
  const Index most = chunk_rows(groups);
  Index width = 0;
  for (const AnyPlan& bank : plan.banks) {
    if (bank->has_scatter()) width = std::max<Index>(width, bank->members());
  }
  const Index least = std::max(kLeast, kRowsOfGroup * groups);
  if (width < kWide || least >= most || rows < least) return most;
  const Index wanted = std::clamp(kNumbers / width, least, most);
  const Index pairs = (rows + 2 * wanted - 1) / (2 * wanted);
  const Index shared = (rows + 2 * pairs - 1) / (2 * pairs);
  return simd::whole_vectors(shared);
}

void StatisticsCollector::factor_blocks(const Context& context, ModelStatistics& total) const {
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
    Scatter* scatter = plan_.banks[b]->scatter(total.banks[b]);
    if (!scatter) continue;
    const IntVector unsafe = factor_products(*scatter, context);
    if (!unsafe.empty()) decompose(context, plan_.banks[b]->features(), unsafe, *scatter);
  }
}

void StatisticsCollector::decompose(const Context& context, const IntVector& features,
                                    const IntVector& groups, Scatter& scatter) const {
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

ModelStatistics StatisticsCollector::collect_chunk(const Chunk& chunk, const IntVector& slice_rows,
                                                   Diagnostics& diagnostics,
                                                   ModelStatistics part) const {
  count_classes(chunk, slice_rows, part.classes);
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
    chunk.check();
    Diagnostics problems;
    plan_.banks[b]->collect(part.banks[b], frame_, chunk, problems);
    diagnostics.unite(problems);  // a feature may stand in several banks
  }
  return part;
}

void StatisticsCollector::start_chunk(Index begin, Index rows, Chunk& chunk, IntVector& group,
                                      IntVector& slice_rows, Diagnostics& diagnostics) const {
  chunk.groups = plan_.groups;
  chunk.begin = begin;
  chunk.rows = static_cast<int>(rows);
  chunk.weight = rows_.weight ? rows_.weight + begin : nullptr;
  group.resize(static_cast<std::size_t>(rows));
  read_groups(chunk, group, slice_rows, diagnostics);
  chunk.group = group.data();
  chunk.slice_rows = slice_rows.data();
}

void StatisticsCollector::read_groups(const Chunk& chunk, IntVector& group, IntVector& slice_rows,
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

void StatisticsCollector::count_classes(const Chunk& chunk, const IntVector& slice_rows,
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

}  // namespace bayesrisk

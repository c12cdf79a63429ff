#pragma once

#include <engine/core/context.hpp>
#include <engine/model/plan.hpp>

namespace bayesrisk {

// Collects the statistics of bags that are stored by term. Each task reads some terms in all rows,
// so the matrices of the tasks stand side by side and need no merging.
class TermCollector {
 public:
  // `rows`: all rows of the frame.
  TermCollector(const Frame& frame, const Chunk& rows) : frame_(frame), rows_(rows) {
    if (rows.groups < 256) group_byte_.assign(rows.group, rows.group + rows.rows);
  }

  template <class Plan>
  StatisticsOf<Plan> collect(const Plan& plan, const Context& context,
                             Diagnostics& diagnostics) const {
    using Statistics = StatisticsOf<Plan>;
    const Column& column = frame_.columns[static_cast<std::size_t>(plan.feature())];
    const CellsByTerm& cells = column.by_term;
    const unsigned char* group_byte = group_byte_.empty() ? nullptr : group_byte_.data();
    Statistics total(plan, rows_.groups);
    // Terms that are matched by name stand in any order.
    if (column.remap || cells.terms != plan.terms()) {
      total.collect(plan, {column, rows_, group_byte, true}, diagnostics);
      return total;
    }
    const IntVector cuts = cut_terms(cells, kCellsOfPart);
    const std::size_t parts = cuts.size() - 1;
    std::vector<Statistics> vectors(parts);
    std::vector<Diagnostics> problems(parts);
    context.run(static_cast<Index>(parts), [&](Index i) {
      const int first = cuts[i], terms = cuts[i + 1] - first;
      Column own = column;
      own.by_term.begin += first;
      own.by_term.terms = terms;
      own.by_term.starts = nullptr;
      Plan some = plan;
      some.levels = {terms};
      Statistics part(some, rows_.groups);
      part.collect(some, {own, rows_, group_byte, i == 0}, problems[i]);
      total.copy_terms(first, part);
      vectors[i].add_vectors(part);
    });
    for (std::size_t i = 0; i < parts; ++i) {
      total.add_vectors(vectors[i]);
      diagnostics.merge(problems[i]);
    }
    return total;
  }

 private:
  const Frame& frame_;
  const Chunk& rows_;
  std::vector<unsigned char> group_byte_;
};

}  // namespace bayesrisk

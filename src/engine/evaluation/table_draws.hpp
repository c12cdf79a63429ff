#pragma once

#include <engine/core/context.hpp>
#include <engine/core/random_laws.hpp>
#include <engine/evaluation/intervals.hpp>
#include <engine/evaluation/losses.hpp>
#include <engine/evaluation/table_measures.hpp>

#include <algorithm>
#include <functional>
#include <tuple>

namespace bayesrisk {

// An imagined case of a class: the cell that it falls into, and its cost.
struct ImaginedCase {
  int cell = -1;  // none: the class has no imagined case
  double cost = 0;
};

// Cases in the cells of a table. The rows are the classes, the columns are decisions.
struct TableCases {
  IntVector cell;  // per case, from 0; missing: it does not count
  Vector cost;     // per case
  int classes = 0, columns = 0;
  Vector stake;  // per class: how much the costs of its imagined cases differ
  // Draws an imagined case of a class.
  std::function<ImaginedCase(int truth, CounterRandom& random)> imagine;
};

// The drawn tables, a column per replicate.
struct TableDraws {
  Matrix sums;  // see TableLayout; no rows unless wanted
  Vector cost;  // the mean cost; NaN if a replicate lacks a class whose share is known
};

// Draws tables from a posterior. Within each class the weights of the cases in the cells are gamma
// numbers (the Bayesian bootstrap; cases that are alike are one gamma number), and an imagined
// case falls into a random cell. So a kind of error that did not occur has a positive probability.
// The imagined cases of K classes are two, shared out by what is at stake in each class, its weight
// times its stake; but a class has at least 1/K of a case and at most one. Each class has 1/K of a
// further case in the shares of the classes, unless these are known. Clusters are weighted as a
// whole.
class TableDrawer {
 public:
  static constexpr int kReplicates = 2000;
  static constexpr std::size_t kMostUnits = 10000;

  TableDrawer(const Cases& cases, const TableCases& table, const IntervalPlan& plan)
      : cases_(cases),
        table_(table),
        plan_(plan),
        of_class_(table.classes),
        scale_(table.classes, 1.0) {
    for (Index r = 0; r < cases_.rows; ++r) {
      if (counts(r)) of_class_[truth(r)].add(cases_.weight_of(r));
    }
    share_out();
    if (plan_.by == Resampling::bayes && are_alike()) {
      place_cells();
    } else {
      place_cases();
    }
  }

  TableDraws run(const TableReading& reading, const Context& context) const;

 private:
  // The cases of a unit in a cell.
  struct Entry {
    int unit, truth, cell;
    double weight, cost;

    std::tuple<int, int, int> place() const { return {unit, truth, cell}; }
  };

  class Replicate;

  bool counts(Index r) const {
    return cases_.truth[r] != kMissingInteger && table_.cell[r] != kMissingInteger &&
           cases_.weight_of(r) > 0;
  }
  int truth(Index r) const { return cases_.truth[r] - 1; }

  void share_out() {
    double all = 0;
    for (int k = 0; k < table_.classes; ++k) {
      imagined_.push_back((of_class_[k].sum + 1.0 / table_.classes) * table_.stake[k]);
      all += imagined_[k];
    }
    for (double& part : imagined_) {
      part = std::min(1.0, std::max(1.0 / table_.classes, all > 0 ? 2 * part / all : 0.0));
    }
  }

  // Whether all cases of a class have the same weight, and all cases in a cell the same cost.
  bool are_alike() const {
    if (cases_.cluster) return false;
    const Index cells = static_cast<Index>(table_.classes) * table_.columns;
    if (cells > cases_.rows + 10000) return false;
    Vector weight(table_.classes, kNaN), cost(static_cast<std::size_t>(cells), kNaN);
    const auto differs = [](double& first, double value) {
      if (std::isnan(first)) first = value;
      return first != value;
    };
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      double& known = cost[static_cast<std::size_t>(truth(r)) * table_.columns + table_.cell[r]];
      if (differs(weight[truth(r)], cases_.weight_of(r)) || differs(known, table_.cost[r])) {
        return false;
      }
    }
    return true;
  }

  // Each cell with a case is a unit.
  void place_cells() {
    Matrix count = Matrix::Zero(table_.columns, table_.classes), cost = count, weight = count;
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      ++count(table_.cell[r], truth(r));
      cost(table_.cell[r], truth(r)) = table_.cost[r];
      weight(table_.cell[r], truth(r)) = cases_.weight_of(r);
    }
    Weights all;
    for (int k = 0; k < table_.classes; ++k) {
      for (int a = 0; a < table_.columns; ++a) {
        if (count(a, k) == 0) continue;
        const int unit = static_cast<int>(shape_.size());
        shape_.push_back(count(a, k));
        entries_.push_back({unit, k, a, weight(a, k), weight(a, k) * cost(a, k)});
        all.squares += count(a, k) * weight(a, k) * weight(a, k);
        all.sum += count(a, k) * weight(a, k);
      }
      scale_[k] = scale_of(of_class_[k]);
    }
    whole_scale_ = scale_of(all);
    number_cells();
  }

  // Each case, or each cluster, is a unit. If there are very many, units are random groups of them.
  void place_cases() {
    int unit = 0;
    for (Index r = 0; r < cases_.rows; ++r) {
      if (!counts(r)) continue;
      const double weight = cases_.weight_of(r);
      entries_.push_back({cases_.cluster ? cases_.cluster[r] - 1 : unit++, truth(r), table_.cell[r],
                          weight, weight * table_.cost[r]});
    }
    merge_entries();
    int units = 0, last = -1;
    for (Entry& entry : entries_) {
      units += entry.unit != last;
      last = entry.unit;
      entry.unit = units - 1;
    }
    if (plan_.by == Resampling::bayes) find_scales();
    shape_.assign(std::min(static_cast<std::size_t>(units), kMostUnits), 1.0);
    if (static_cast<std::size_t>(units) > kMostUnits) group_units(units);
    number_cells();
  }

  void group_units(int units) {
    CounterRandom random(plan_.seed, ~std::uint64_t{0});
    IntVector group(static_cast<std::size_t>(units));
    for (int& g : group) g = static_cast<int>(random.below(kMostUnits));
    for (Entry& entry : entries_) entry.unit = group[entry.unit];
    merge_entries();
  }

  // Sorts the entries by unit, and adds those of the same place.
  void merge_entries() {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.place() < b.place(); });
    std::size_t kept = 0;
    for (const Entry& entry : entries_) {
      if (kept > 0 && entries_[kept - 1].place() == entry.place()) {
        entries_[kept - 1].weight += entry.weight;
        entries_[kept - 1].cost += entry.cost;
      } else {
        entries_[kept++] = entry;
      }
    }
    entries_.resize(kept);
  }

  static double scale_of(const Weights& weights) {
    return weights.squares > 0 ? weights.sum / weights.squares : 1.0;
  }

  // The factors that turn sums of weights into effective numbers of units.
  void find_scales() {
    std::vector<Weights> by_class(table_.classes);
    Weights all;
    for (std::size_t i = 0, next = 0; i < entries_.size(); i = next) {
      double unit = 0;
      while (next < entries_.size() && entries_[next].unit == entries_[i].unit) {
        const int k = entries_[next].truth;
        double own = 0;
        for (; next < entries_.size() && entries_[next].unit == entries_[i].unit &&
               entries_[next].truth == k;
             ++next) {
          own += entries_[next].weight;
        }
        by_class[k].add(own);
        unit += own;
      }
      all.add(unit);
    }
    for (int k = 0; k < table_.classes; ++k) scale_[k] = scale_of(by_class[k]);
    whole_scale_ = scale_of(all);
  }

  // Numbers the cells that hold cases.
  void number_cells() {
    for (const Entry& entry : entries_) cells_.push_back({entry.truth, entry.cell});
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    for (const Entry& entry : entries_) {
      const std::pair<int, int> cell{entry.truth, entry.cell};
      cell_of_.push_back(std::lower_bound(cells_.begin(), cells_.end(), cell) - cells_.begin());
    }
  }

  const Cases& cases_;
  const TableCases& table_;
  const IntervalPlan plan_;
  std::vector<Weights> of_class_;
  Vector scale_;
  double whole_scale_ = 1;
  Vector imagined_;  // the weight of the imagined case of each class
  Vector shape_;     // of the gamma number of each unit
  std::vector<Entry> entries_;
  std::vector<std::pair<int, int>> cells_;  // class and column
  std::vector<std::ptrdiff_t> cell_of_;     // of each entry, among these
};

// One drawn table.
class TableDrawer::Replicate {
 public:
  explicit Replicate(const TableDrawer& of)
      : of_(of),
        classes_(static_cast<std::size_t>(of.table_.classes)),
        cell_(of.cells_.size()),
        unit_(of.shape_.size()),
        total_(classes_),
        cost_(classes_),
        share_(classes_),
        imagined_(classes_),
        case_(classes_) {}

  void draw(std::uint64_t stream) {
    std::fill(cell_.begin(), cell_.end(), 0.0);
    std::fill(total_.begin(), total_.end(), 0.0);
    std::fill(cost_.begin(), cost_.end(), 0.0);
    bayes_ = of_.plan_.by == Resampling::bayes;
    RandomLaws laws(of_.plan_.seed, stream);
    bayes_ ? weigh(laws) : resample(stream);
    for (std::size_t i = 0; i < of_.entries_.size(); ++i) {
      const Entry& entry = of_.entries_[i];
      const double weight = unit_[entry.unit];
      if (weight == 0) continue;
      cell_[of_.cell_of_[i]] += weight * entry.weight;
      total_[entry.truth] += weight * entry.weight;
      cost_[entry.truth] += weight * entry.cost;
    }
    CounterRandom random(~of_.plan_.seed, stream);
    all_ = 0;
    for (std::size_t k = 0; k < classes_; ++k) finish(static_cast<int>(k), laws, random);
  }

  // The mean of the classes, by their shares.
  double cost() const {
    double sum = 0;
    for (std::size_t k = 0; k < classes_; ++k) sum += share_[k] > 0 ? share_[k] * cost_[k] : 0.0;
    return sum / all_;
  }

  void write(const TableReading& reading, const TableLayout& at, double* sums) const {
    const auto add = [&](int k, int column, double share) {
      sums[at.column(column)] += share;
      if (reading.own[k] == column) sums[at.right(k)] += share;
      if (reading.apart.size() == 0) return;
      const double apart = reading.apart(column, k);
      sums[at.apart(0)] += share * apart;
      sums[at.apart(1)] += share * apart * apart;
    };
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      const auto [k, column] = of_.cells_[i];
      if (total_[k] > 0) add(k, column, share_[k] / all_ * of_.scale_[k] * cell_[i] / total_[k]);
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      sums[at.truth(static_cast<int>(k))] = share_[k] / all_;
      if (imagined_[k] > 0) {
        add(static_cast<int>(k), case_[k].cell, share_[k] / all_ * imagined_[k] / total_[k]);
      }
    }
  }

 private:
  void weigh(RandomLaws& laws) {
    for (std::size_t u = 0; u < unit_.size(); ++u) {
      const double shape = of_.shape_[u];
      unit_[u] = shape == 1 ? -std::log(laws.uniform()) : std::exp(laws.log_gamma(shape));
    }
  }

  void resample(std::uint64_t stream) {
    CounterRandom random(of_.plan_.seed, stream);
    std::fill(unit_.begin(), unit_.end(), 0.0);
    const std::uint32_t units = static_cast<std::uint32_t>(unit_.size());
    for (std::uint32_t i = 0; i < units; ++i) ++unit_[random.below(units)];
  }

  // The share of a class and its mean cost, with its imagined case.
  void finish(int k, RandomLaws& laws, CounterRandom& random) {
    const double known = of_.of_class_[k].sum, raw = total_[k];
    imagined_[k] = 0;
    share_[k] = of_.cases_.fixed ? known : raw;
    if (bayes_) {
      if (!of_.cases_.fixed) {
        share_[k] = of_.whole_scale_ * raw + std::exp(laws.log_gamma(1.0 / classes_));
      }
      case_[k] = of_.table_.imagine(k, random);
      if (case_[k].cell >= 0) {
        imagined_[k] = std::max(1e-300, std::exp(laws.log_gamma(of_.imagined_[k])));
      }
    }
    total_[k] = of_.scale_[k] * raw + imagined_[k];
    const double sum =
        of_.scale_[k] * cost_[k] + (imagined_[k] > 0 ? imagined_[k] * case_[k].cost : 0.0);
    cost_[k] = sum / total_[k];
    all_ += share_[k];
  }

  const TableDrawer& of_;
  const std::size_t classes_;
  bool bayes_ = true;
  Vector cell_, unit_, total_, cost_, share_, imagined_;
  std::vector<ImaginedCase> case_;
  double all_ = 0;
};

inline TableDraws TableDrawer::run(const TableReading& reading, const Context& context) const {
  const TableLayout at(table_.classes, table_.columns);
  TableDraws drawn;
  drawn.cost.assign(kReplicates, kNaN);
  const bool costs_only = reading.own.empty();
  drawn.sums = Matrix::Zero(costs_only ? 0 : at.size(), kReplicates);
  constexpr Index kBatch = 100;
  context.run(kReplicates / kBatch, [&](Index batch) {
    Replicate replicate(*this);
    for (Index b = batch * kBatch; b < (batch + 1) * kBatch; ++b) {
      replicate.draw(static_cast<std::uint64_t>(b));
      drawn.cost[b] = replicate.cost();
      if (!costs_only) replicate.write(reading, at, drawn.sums.data() + b * drawn.sums.rows());
    }
  });
  return drawn;
}

}  // namespace bayesrisk

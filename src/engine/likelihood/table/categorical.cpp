#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/table/categorical.hpp>
#include <engine/likelihood/table/categorical_scorer.hpp>
#include <engine/likelihood/table/categorical_statistics.hpp>
#include <engine/likelihood/table/table_tilt.hpp>

namespace bayesrisk {

namespace {

// The log probability, in every class, of a level that no row has while a feature is smoothed
// towards the shares of all classes. It changes no posterior, and no sum of probabilities.
constexpr double kUnseenLevel = -700;

// In the options of a group with cases of the merged model: nothing is added, but a level that no
// row has is still unknown.
constexpr int kNoCases = 2;

// Cases so many that the classes have the same probabilities.
constexpr double kAlike = 1e12;

// The log likelihood of the rows of one feature, each by the counts of all other rows, with cases
// of the shares of all classes. The marginal likelihood of all rows would count each of them twice:
// in its class and in the shares, so it would ask for too many cases. A level of one row is unknown
// to the others.
double log_left_out(const Matrix& count, const Eigen::RowVectorXd& all, double cases) {
  const double rows = all.sum();
  double sum = 0;
  for (Index g = 0; g < count.rows(); ++g) {
    const double of_class = count.row(g).sum();
    for (Index l = 0; l < count.cols(); ++l) {
      const double own = count(g, l), left_out = std::min(own, 1.0);
      if (own == 0 || all[l] - left_out <= 0) continue;
      const double share = (all[l] - left_out) / (rows - left_out);
      sum += own * std::log((own - left_out + cases * share) / (of_class - left_out + cases));
    }
  }
  return sum;
}

// The pseudo-counts of the levels of a feature: cases of the shares of all classes, as many as
// predict each row best from the others.
Vector shared_counts(const Matrix& count) {
  const Eigen::RowVectorXd all = count.colwise().sum();
  const double rows = all.sum();
  Vector result(all.data(), all.data() + all.size());
  if (!(rows > 0)) return result;
  const double cases = most_probable_cases([&](double m) { return log_left_out(count, all, m); });
  for (double& prior : result) prior *= std::min(cases, kAlike) / rows;
  return result;
}

Vector pseudo_counts(const Categorical::Plan& plan, const Categorical::Statistics& statistics,
                     const Categorical::Options& options) {
  Vector result = options.pseudo_count;
  const IntVector offset = plan.offsets();
  for (int j = 0; j < plan.members(); ++j) {
    if (!options.is_shared(j) || options.shared[static_cast<std::size_t>(j)] == kNoCases) continue;
    const Vector own = shared_counts(statistics.count.middleCols(offset[j], plan.levels[j]));
    std::copy(own.begin(), own.end(), result.begin() + offset[j]);
  }
  return result;
}

}  // namespace

void Categorical::overlap(const Plan& plan, const Parameters& p, int one, int other,
                          Overlap& overlap) {
  Index column = 0;
  for (int count : plan.levels) {
    std::vector<EventPair> table;
    for (int level = 0; level < count; ++level, ++column) {
      table.push_back({p.log_probability(one, column), p.log_probability(other, column)});
    }
    overlap.parts.push_back(log_overlap(std::move(table)));
  }
}

std::unique_ptr<BankTilt> Categorical::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<TableTilt<Categorical>>(plan, p, i, j, plan.offsets());
}

Hyperparameters Categorical::hyperparameters(const Plan& plan, const Statistics& statistics,
                                             const Options& options, const Parameters&,
                                             const Classes& classes, Diagnostics&) {
  const IntVector offset = plan.offsets();
  const Vector added = pseudo_counts(plan, statistics, options);
  Hyperparameters hyperparameters{Matrix::Zero(classes.count(), plan.members()), {}};
  for (int j = 0; j < plan.members(); ++j) {
    for (int l = offset[j]; l < offset[j + 1]; ++l) {
      hyperparameters.weight.col(j).array() += statistics.count.col(l).array() + added[l];
    }
  }
  return hyperparameters;
}

void Categorical::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                  RandomLaws& random, Parameters& p) {
  const IntVector offset = plan.offsets();
  for (int j = 0; j < plan.members(); ++j) {
    for (Index g = 0; g < p.log_probability.rows() && !p.left_out[j]; ++g) {
      const Eigen::RowVectorXd before = p.log_probability.row(g).segment(offset[j], plan.levels[j]);
      draw_columns(p.log_probability, g, offset[j], offset[j + 1], hyperparameters.weight(g, j),
                   random);
      for (int l = 0; l < plan.levels[j]; ++l) {
        if (before[l] == kUnseenLevel) p.log_probability(g, offset[j] + l) = kUnseenLevel;
      }
    }
  }
}

IntVector Categorical::Plan::offsets() const {
  IntVector result(1, 0);
  for (int count : levels) result.push_back(result.back() + count);
  return result;
}

void Categorical::Parameters::check(const Plan& plan, int groups) const {
  left_out.check(plan.members());
  require(has_shape(log_probability, groups, plan.offsets().back()),
          "log_probability: wrong dimensions");
}

Categorical::Statistics Categorical::Statistics::realign(const Plan& plan, const Plan& target,
                                                         const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  const IntVector from = plan.offsets(), to = target.offsets();
  const IntVector member = mapping.members(plan.features, target.features);
  for (int j = 0; j < plan.members(); ++j) {
    if (member[j] < 0) continue;
    const IntVector& level = mapping.level[plan.features[j]];
    for (int l = 0; l < plan.levels[j]; ++l) {
      for (std::size_t g = 0; g < mapping.group.size(); ++g) {
        result.count(mapping.group[g], to[member[j]] + level[l]) += count(g, from[j] + l);
      }
    }
  }
  return result;
}

Categorical::Options Categorical::options_with_cases(Options options, const Vector& cases) {
  for (std::size_t j = 0; j < options.shared.size(); ++j) {
    if (options.shared[j] != 0 && is_part_of_cases(cases[j])) options.shared[j] = kNoCases;
  }
  return options;
}

Categorical::Statistics Categorical::with_cases(const Plan& plan, const Statistics& statistics,
                                                const Merged<Categorical>& merged, const Options&,
                                                const Vector& cases) {
  const IntVector offset = plan.offsets();
  Statistics result = statistics;
  for (int j = 0; j < plan.members(); ++j) {
    if (cases[j] == kInfinity) {
      result.count.middleCols(offset[j], plan.levels[j]) =
          merged.statistics.count.middleCols(offset[j], plan.levels[j]);
    } else if (!merged.parameters.left_out[j]) {
      add_cases(merged.parameters.log_probability, offset[j], plan.levels[j], cases[j],
                result.count);
    }
  }
  return result;
}

Categorical::Parameters Categorical::estimate(const Plan& plan, const Statistics& statistics,
                                              const Options& options, const Classes& classes,
                                              Diagnostics& diagnostics) {
  const IntVector offset = plan.offsets();
  const Vector added = pseudo_counts(plan, statistics, options);
  Parameters p{Matrix::Constant(classes.count(), offset.back(), kNaN)};
  for (int j = 0; j < plan.members(); ++j) {
    const double known =
        statistics.count.middleCols(offset[j], plan.levels[j]).sum() +
        std::accumulate(added.begin() + offset[j], added.begin() + offset[j + 1], 0.0);
    if (classes.borrow && known == 0) {
      p.left_out.set(j, plan.members());
      p.log_probability.middleCols(offset[j], plan.levels[j])
          .setConstant(-std::log(plan.levels[j]));
      diagnostics.add(Problem::left_out, kAll, plan.features[j], 0);
      continue;
    }
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      double total = 0;
      for (int l = offset[j]; l < offset[j + 1]; ++l) total += statistics.count(g, l) + added[l];
      const auto pooled = statistics.count.middleCols(offset[j], plan.levels[j]);
      const bool borrows = total <= 0 && classes.borrow && pooled.sum() > 0;
      if (borrows) total = pooled.sum();
      if (borrows || total <= 0) {
        diagnostics.add(borrows ? Problem::borrowed : Problem::empty, g, plan.features[j], 0);
      }
      for (int l = offset[j]; l < offset[j + 1]; ++l) {
        const double count =
            borrows ? statistics.count.col(l).sum() : statistics.count(g, l) + added[l];
        const bool unseen = options.is_shared(j) && statistics.count.col(l).sum() == 0;
        p.log_probability(g, l) = unseen ? kUnseenLevel : std::log(count) - std::log(total);
      }
    }
  }
  return p;
}

double log_likelihood_of(const Matrix& count, const Matrix& log_probability) {
  double total = 0;
  for (Index c = 0; c < count.cols(); ++c) {
    for (Index g = 0; g < count.rows(); ++g) total += times_log(count(g, c), log_probability(g, c));
  }
  return total;
}

double Categorical::log_likelihood(const Plan&, const Statistics& statistics,
                                   const Parameters& parameters) {
  return log_likelihood_of(statistics.count, parameters.log_probability);
}

double Categorical::parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                    int classes) {
  double count = 0;
  for (int j = 0; j < plan.members(); ++j) {
    if (!parameters.left_out[j]) count += plan.levels[j] - 1;
  }
  return count * classes;
}

Categorical::Drawer::Drawer(const Plan& plan, const Parameters& parameters)
    : plan_(plan),
      offset_(plan.offsets()),
      cumulative_(parameters.log_probability.array().exp().transpose()) {
  for (Index k = 0; k < cumulative_.cols(); ++k) {
    for (int j = 0; j < plan.members(); ++j) {
      for (int l = offset_[j] + 1; l < offset_[j + 1]; ++l) {
        cumulative_(l, k) += cumulative_(l - 1, k);
      }
    }
  }
}

void Categorical::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  for (int j = 0; j < plan_.members(); ++j) {
    to.code(plan_.features[j], row) =
        index_of_weight(&cumulative_(offset_[j], k), plan_.levels[j], u[j]);
  }
}

Categorical::Scorer::Scorer(const Plan& plan, const Parameters& parameters, Index rows)
    : plan_(plan),
      log_probability_(parameters.log_probability),
      offset_(plan.offsets()),
      rows_(rows),
      classes_(static_cast<int>(parameters.log_probability.rows())),
      width_(simd::padded_classes(classes_)),
      joins_(join_features(plan.levels, kTableNumbers / width_)) {
  for (const Join& join : joins_) {
    require_cells(join, width_);
    begin_.push_back(table_.size());
    join_of_.insert(join_of_.end(), join.last - join.first, static_cast<int>(begin_.size()) - 1);
    if (has_table(join)) append(join);
  }
}

void Categorical::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  if (from == to) return;
  const int last = join_of_[to - 1] + 1;
  for (int first = join_of_[from]; first < last; first += Tile::kCodeColumns) {
    const int columns = std::min(Tile::kCodeColumns, last - first);
    const double* table[Tile::kCodeColumns];
    for (int c = 0; c < columns; ++c) {
      const Join& join = joins_[first + c];
      int* cell = tile.codes.data() + c * tile.capacity;
      table[c] = has_table(join) ? table_.data() + begin_[first + c] +
                                       find_cells(frame, join, from, to, tile, cell)
                                 : sum_rows(frame, join, from, to, tile, c);
    }
    loops_.add_table_rows(table, tile.codes.data(), columns, tile.capacity, classes_, tile.stride,
                          tile.stride, tile.of_class(0));
  }
}

void Categorical::Scorer::append(const Join& join) {
  const std::size_t begin = table_.size();
  table_.resize(begin + static_cast<std::size_t>(join.cells) * width_, 0.0);
  const auto row = [&](int cell) {
    return &table_[begin + static_cast<std::size_t>(cell) * width_];
  };
  int cells = 1;
  for (int j = join.first; j < join.last; ++j) {
    const int levels = plan_.levels[j];
    // Starts with the last cell, so that no cell is overwritten before it was read.
    for (int c = cells - 1; c >= 0; --c) {
      for (int slot = levels; slot >= 0; --slot) {
        const double* before = row(c);
        double* sum = row(c * (levels + 1) + slot);
        for (int k = 0; k < classes_; ++k) {
          sum[k] = before[k];
          if (slot < levels) sum[k] += log_probability_(k, offset_[j] + slot);
        }
      }
    }
    cells *= levels + 1;
  }
}

int Categorical::Scorer::find_cells(const Frame& frame, const Join& join, int from, int to,
                                    Tile& tile, int* cell) const {
  std::fill_n(cell, tile.stride, 0);
  int scale = width_ * join.cells, start = 0;
  for (int j = join.first; j < join.last; ++j) {
    const int levels = plan_.levels[j];
    scale /= levels + 1;
    if (j >= from && j < to) {
      add_tile_slots(loops_, frame, plan_.features[j], levels, scale, tile, cell);
    } else {
      start += levels * scale;
    }
  }
  return start;
}

const double* Categorical::Scorer::sum_rows(const Frame& frame, const Join& join, int from, int to,
                                            Tile& tile, int column) const {
  IntVector slot;
  double* numbers = tile.start_own_rows(column, width_);
  for (int j = std::max(from, join.first); j < std::min(to, join.last); ++j) {
    slot.assign(tile.stride, 0);
    add_tile_slots(loops_, frame, plan_.features[j], plan_.levels[j], 1, tile, slot.data());
    for (int r = 0; r < tile.rows; ++r) {
      if (slot[r] == plan_.levels[j]) continue;
      double* sum = numbers + static_cast<std::size_t>(r) * width_;
      for (int k = 0; k < classes_; ++k) sum[k] += log_probability_(k, offset_[j] + slot[r]);
    }
  }
  return numbers;
}

void Categorical::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                      Diagnostics& diagnostics) {
  ChunkCells<Plan> rows_in_cells(plan, frame, chunk, diagnostics);
  LevelCounter counter(plan, chunk, count);
  if (chunk.weight) {
    counter.collect<double>(rows_in_cells);
  } else {
    counter.collect<int>(rows_in_cells);
  }
}

BAYESRISK_LIKELIHOOD(Categorical)

}  // namespace bayesrisk

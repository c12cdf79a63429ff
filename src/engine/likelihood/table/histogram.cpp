#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/table/histogram.hpp>
#include <engine/likelihood/table/histogram_scorer.hpp>
#include <engine/likelihood/table/joins.hpp>
#include <engine/likelihood/table/table_tilt.hpp>

namespace bayesrisk {

std::unique_ptr<BankTilt> Histogram::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  if (plan.by_class()) return nullptr;
  return std::make_unique<TableTilt<Histogram>>(plan, p, i, j, IntVector{0, plan.bins[0]});
}

Hyperparameters Histogram::hyperparameters(const Plan& plan, const Statistics& statistics,
                                           const Options& options, const Parameters&,
                                           const Classes& classes, Diagnostics&) {
  Matrix weight = statistics.count.rowwise().sum();
  for (int g = 0; g < classes.count(); ++g)
    weight(g, 0) += options.laplace * plan.of_group(g).count;
  return {weight, {}};
}

void Histogram::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                RandomLaws& random, Parameters& p) {
  for (int g = 0; g < static_cast<int>(p.log_probability.rows()); ++g) {
    const int bins = plan.of_group(g).count;
    if (bins > 0) draw_columns(p.log_probability, g, 0, bins, hyperparameters.weight(g, 0), random);
  }
}

void Histogram::Parameters::check(const Plan& plan, int groups) const {
  plan.check_groups(groups);
  require(has_shape(log_probability, groups, plan.most_bins()),
          "log_probability: wrong dimensions");
}

void Histogram::Statistics::check(const Plan& plan, int groups) const {
  plan.check_groups(groups);
  require(has_shape(count, groups, plan.most_bins()), "count: wrong dimensions");
  require(not_negative(count), "count: negative");
}

Histogram::Statistics Histogram::with_cases(const Plan& plan, const Statistics& statistics,
                                            const Merged<Histogram>& merged, const Options&,
                                            const Vector& cases) {
  Statistics result = statistics;
  add_cases(merged.parameters.log_probability, 0, plan.most_bins(), cases[0], result.count);
  return result;
}

Histogram::Parameters Histogram::estimate(const Plan& plan, const Statistics& statistics,
                                          const Options& options, const Classes& classes,
                                          Diagnostics& diagnostics) {
  Parameters p{Matrix::Constant(classes.count(), plan.most_bins(), kNaN)};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    const int bins = plan.of_group(g).count;
    Eigen::RowVectorXd count = statistics.count.row(g);
    double total = count.sum() + options.laplace * bins;
    if (!(total > 0) && classes.borrow && !plan.by_class() && statistics.count.sum() > 0) {
      count = statistics.count.colwise().sum();
      total = count.sum();
      diagnostics.add(Problem::borrowed, g, plan.features[0], 0);
    }
    if (!(total > 0)) diagnostics.add(Problem::empty, g, plan.features[0], 0);
    if (std::isinf(total)) diagnostics.add(Problem::overflow, g, plan.features[0], total);
    p.log_probability.row(g).setConstant(kNegativeInfinity);
    for (int b = 0; b < bins; ++b) {
      p.log_probability(g, b) = std::log((count[b] + options.laplace) / total);
    }
  }
  return p;
}

double Histogram::log_likelihood(const Plan& plan, const Statistics& statistics,
                                 const Parameters& parameters) {
  double total = 0;
  for (int g = 0; g < statistics.count.rows(); ++g) {
    const Bins bins = plan.of_group(g);
    for (int b = 0; b < bins.count; ++b) {
      total += times_log(statistics.count(g, b),
                         parameters.log_probability(g, b) - std::log(bins.width(b)));
    }
  }
  return total;
}

double Histogram::parameter_count(const Plan& plan, const Options&, const Parameters&,
                                  int classes) {
  double count = 0;
  for (int bins : plan.bins) count += bins - 1;
  return plan.by_class() ? count : count * classes;
}

Steps::OfClass Histogram::marginal(const Plan& plan, const Parameters& p, int k, int,
                                   double origin) {
  const Bins bins = plan.of_group(k);
  Steps::OfClass steps;
  for (int e = 0; e < count_edges(bins.count); ++e) {
    steps.edges.push_back(bins.edges[e] - origin);
  }
  for (int b = 0; b < bins.count; ++b) steps.log_probability.push_back(p.log_probability(k, b));
  return steps;
}

void Histogram::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                    Diagnostics& diagnostics) {
  const int feature = plan.features[0];
  Vector buffer(chunk.rows);
  const double* x =
      load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
  std::vector<BinFinder> bins;
  const int sets = static_cast<int>(plan.bins.size());  // groups of several folds share them
  for (int set = 0; set < sets; ++set) bins.emplace_back(plan.of_group(set), chunk.rows);
  const int slots = chunk.groups + 1, none = plan.most_bins();
  require_cells({0, 1, none + 1}, slots);
  IntVector cell(chunk.rows);
  for (int r = 0; r < chunk.rows; ++r) {
    const int g = chunk.group[r];
    int bin = none;
    if (g < chunk.groups && !std::isnan(x[r])) {
      bin = bins[g % sets].find(x[r]);
      if (bin < 0) {
        const bool infinite = std::isinf(x[r]);
        diagnostics.add(infinite ? Problem::infinite : Problem::outside, infinite ? kAll : g,
                        feature, 1);
        bin = none;
      }
    }
    cell[r] = bin * slots + g;
  }
  const Vector weight = weigh_cells(cell, chunk, (none + 1) * slots);
  for (int bin = 0; bin < none; ++bin) {
    for (int g = 0; g < chunk.groups; ++g) count(g, bin) += weight[bin * slots + g];
  }
}

// The target has the same bins, and possibly more on either side.
Histogram::Statistics Histogram::Statistics::realign(const Plan& plan, const Plan& target,
                                                     const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    const Bins from = plan.of_group(static_cast<int>(g)), to = target.of_group(mapping.group[g]);
    if (from.count == 0) continue;
    result.count.row(mapping.group[g]).segment(place_of_bins(from, to), from.count) =
        count.row(static_cast<Index>(g)).head(from.count);
  }
  return result;
}

Histogram::Drawer::Drawer(const Plan& plan, const Parameters& parameters)
    : plan_(plan), cumulative_(parameters.log_probability.array().exp().transpose()) {
  for (Index k = 0; k < cumulative_.cols(); ++k) {
    for (Index b = 1; b < cumulative_.rows(); ++b) cumulative_(b, k) += cumulative_(b - 1, k);
  }
}

void Histogram::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  const Bins bins = plan_.of_group(k);
  if (bins.count == 0) {  // the class has no density
    to.number(plan_.features[0], row) = kNaN;
    return;
  }
  const double* cumulative = cumulative_.col(k).data();
  const int bin = index_of_weight(cumulative, bins.count, *u);
  const double below = bin > 0 ? cumulative[bin - 1] : 0.0;
  const double share = (*u * cumulative[bins.count - 1] - below) / (cumulative[bin] - below);
  to.number(plan_.features[0], row) = number_in_bin(bins, bin, share);
}

Histogram::Scorer::Scorer(const Plan& plan, const Parameters& parameters, Index rows)
    : plan_(plan),
      classes_(static_cast<int>(parameters.log_probability.rows())),
      width_(simd::padded_classes(classes_)),
      table_(static_cast<std::size_t>(plan.most_bins() + 2) * width_, 0.0) {
  for (int k = 0; k < classes_; ++k) {
    const Bins bins = plan.of_group(k);
    for (int b = 0; b < bins.count; ++b) {
      table_[static_cast<std::size_t>(b) * width_ + k] =
          parameters.log_probability(k, b) - std::log(bins.width(b));
    }
    table_[static_cast<std::size_t>(plan.most_bins() + 1) * width_ + k] = kNegativeInfinity;
    if (k == 0 || plan.by_class()) bins_.emplace_back(bins, rows);
  }
}

void Histogram::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  if (from == to) return;
  const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
  int* cell = tile.codes.data();
  for (std::size_t set = 0; set < bins_.size(); ++set) {
    find_rows(x, bins_[set], tile, cell);
    const int first = static_cast<int>(set), classes = plan_.by_class() ? 1 : classes_;
    add_rows(cell, first, classes, tile);
  }
}

void Histogram::Scorer::find_rows(const double* x, const BinFinder& bins, const Tile& tile,
                                  int* cell) const {
  const int missing = plan_.most_bins(), outside = missing + 1;
  std::fill_n(cell, tile.stride, missing * width_);
  for (int r = 0; r < tile.rows; ++r) {
    if (!std::isfinite(x[r])) continue;
    const int bin = bins.find(x[r]);
    cell[r] = (bin < 0 ? outside : bin) * width_;
  }
}

void Histogram::Scorer::add_rows(const int* cell, int first, int classes, Tile& tile) const {
  const double* table = table_.data() + first;
  if (classes > 1) {
    loops_.add_table_rows(&table, cell, 1, tile.stride, classes, tile.stride, tile.stride,
                          tile.of_class(first));
    return;
  }
  double* sum = tile.of_class(first);
  for (int r = 0; r < tile.rows; ++r) sum[r] += table[cell[r]];
}

BAYESRISK_LIKELIHOOD(Histogram)

}  // namespace bayesrisk

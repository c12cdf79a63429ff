#include <engine/core/triangle.hpp>
#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/block_moments.hpp>
#include <engine/likelihood/table/joint_histogram.hpp>
#include <engine/likelihood/table/joint_histogram_scorer.hpp>

namespace bayesrisk {

namespace {

// Sums over the cells of a joint histogram in one class. The origin is the first edge.
class CellMoments {
 public:
  CellMoments(const JointHistogram::Plan& plan, const JointHistogram::Parameters& p, int k)
      : plan_(plan), p_(p), k_(k), cells_(plan.cells()), middle_(plan.levels.size()) {
    for (int j = 0; j < plan.members(); ++j) {
      const Bins bins = plan.of_member(j);
      Eigen::VectorXd& middle = middle_[j];
      middle.resize(bins.count);
      for (int b = 0; b < bins.count; ++b) {
        middle[b] = bins.edges[b] - bins.edges[0] + 0.5 * bins.width(b);
      }
    }
  }

  BlockMoments moments() {
    const Eigen::VectorXd mean = sum_means();
    for (std::size_t j = 0; j < middle_.size(); ++j) middle_[j].array() -= mean[j];
    Matrix covariance = sum_products();
    for (int j = 0; j < plan_.members(); ++j) covariance(j, j) += within_bins(j);
    BlockMoments result{mean, {}};
    cholesky(covariance, result.triangle);
    return result;
  }

 private:
  // Cells that are not listed share one probability. Their sum is that of all cells less that of
  // the listed ones.
  double unlisted() const {
    const bool all = static_cast<double>(p_.cells.rows()) == cells_;
    return all ? 0.0 : std::exp(p_.log_unseen[k_]);
  }
  double excess(Index c) const { return std::exp(p_.log_probability(k_, c)) - unlisted(); }
  Eigen::VectorXd at(Index c) const {
    Eigen::VectorXd x(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) x[j] = middle_[j][p_.cells(c, j) - 1];
    return x;
  }

  Eigen::VectorXd sum_means() const {
    Eigen::VectorXd sum(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) sum[j] = unlisted() * cells_ * middle_[j].mean();
    for (Index c = 0; c < p_.cells.rows(); ++c) sum += excess(c) * at(c);
    return sum;
  }

  Matrix sum_products() const {
    Eigen::VectorXd mean(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) mean[j] = middle_[j].mean();
    Matrix sum = unlisted() * cells_ * mean * mean.transpose();
    for (int j = 0; j < plan_.members(); ++j) {
      sum(j, j) = unlisted() * cells_ * middle_[j].squaredNorm() / plan_.levels[j];
    }
    for (Index c = 0; c < p_.cells.rows(); ++c) sum += excess(c) * at(c) * at(c).transpose();
    return sum;
  }

  // The variance within the bins of a member.
  double within_bins(int j) const {
    const Steps::OfClass steps = JointHistogram::marginal(plan_, p_, k_, j, 0);
    double sum = 0;
    for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
      const double width = steps.edges[b + 1] - steps.edges[b];
      sum += std::exp(steps.log_probability[b]) * width * width / 12;
    }
    return sum;
  }

  const JointHistogram::Plan& plan_;
  const JointHistogram::Parameters& p_;
  int k_;
  double cells_;
  std::vector<Eigen::VectorXd> middle_;  // of each bin, relative to an origin
};

}  // namespace

IntVector JointHistogram::known_members(const Plan& plan, const Frame& frame, Index row,
                                        int member) {
  IntVector known;
  for (int j = 0; j < plan.members(); ++j) {
    double buffer = 0;
    const Column& column = frame.columns[static_cast<std::size_t>(plan.features[j])];
    const double x = *load_numbers(column, row, 1, 1, &buffer);
    known.push_back(j == member ? kMissing : plan.of_member(j).find(x));
  }
  return known;
}

void JointHistogram::overlap(const Plan& plan, const Parameters& p, int one, int other,
                             Overlap& overlap) {
  JointTable::overlap(plan, p, one, other, overlap);
  add_moments(CellMoments(plan, p, one).moments(), CellMoments(plan, p, other).moments(), overlap);
}

void JointHistogram::Plan::check() const {
  require(levels.size() == features.size(), "bins: wrong length");
  check_bin_sets(levels, edges);
  check_size();
}

double JointHistogram::log_likelihood(const Plan& plan, const Statistics& statistics,
                                      const Parameters& parameters) {
  double total = JointTable::log_likelihood(plan, statistics, parameters);
  for (int j = 0; j < plan.members(); ++j) {
    const Bins bins = plan.of_member(j);
    for (Index c = 0; c < statistics.cells.rows(); ++c) {
      total -= statistics.count.col(c).sum() * std::log(bins.width(statistics.cells(c, j) - 1));
    }
  }
  return total;
}

Steps::OfClass JointHistogram::conditional(const Plan& plan, const Parameters& p, int k, int member,
                                           const IntVector& known, double origin) {
  Steps::OfClass steps = matching(plan, p, k, member, known, origin);
  double total = kNegativeInfinity;
  for (double log_probability : steps.log_probability) total = log_add(total, log_probability);
  if (total == kNegativeInfinity) return marginal(plan, p, k, member, origin);
  for (double& log_probability : steps.log_probability) log_probability -= total;
  return steps;
}

Steps::OfClass JointHistogram::matching(const Plan& plan, const Parameters& p, int k, int member,
                                        const IntVector& known, double origin) {
  const Bins bins = plan.of_member(member);
  Steps::OfClass steps;
  for (int e = 0; e < count_edges(bins.count); ++e) steps.edges.push_back(bins.edges[e] - origin);
  Vector listed(bins.count, 0.0);
  steps.log_probability.assign(bins.count, kNegativeInfinity);
  double cells = 1;  // that match, of each bin
  for (int j = 0; j < plan.members(); ++j) {
    if (j != member && known[j] < 0) cells *= plan.levels[j];
  }
  for (Index c = 0; c < p.cells.rows(); ++c) {
    bool matches = true;
    for (int j = 0; j < plan.members(); ++j) {
      matches = matches && (j == member || known[j] < 0 || p.cells(c, j) - 1 == known[j]);
    }
    if (!matches) continue;
    const int bin = p.cells(c, member) - 1;
    ++listed[bin];
    double& sum = steps.log_probability[bin];
    sum = log_add(sum, p.log_probability(k, c));
  }
  for (int b = 0; b < bins.count; ++b) {
    if (listed[b] == cells) continue;
    double& sum = steps.log_probability[b];
    sum = log_add(sum, p.log_unseen[k] + std::log(cells - listed[b]));
  }
  return steps;
}

JointTable::Plan BinnedFrame::plan(const IntVector& bins) {
  JointTable::Plan plan{bins, bins};
  std::iota(plan.features.begin(), plan.features.end(), 0);
  return plan;
}

void JointHistogram::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                         Diagnostics& diagnostics) {
  BinnedFrame binned(plan.members(), chunk.rows);
  Vector buffer(chunk.rows);
  for (int j = 0; j < plan.members(); ++j) {
    const int feature = plan.features[j];
    const double* x =
        load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
    const BinFinder bins(plan.of_member(j), chunk.rows);
    int* code = binned.code(j);
    for (int r = 0; r < chunk.rows; ++r) {
      if (chunk.group[r] == chunk.groups || std::isnan(x[r])) continue;
      const int bin = bins.find(x[r]);
      if (bin >= 0) {
        code[r] = bin;
      } else {
        const bool infinite = std::isinf(x[r]);
        diagnostics.add(infinite ? Problem::infinite : Problem::outside,
                        infinite ? kAll : chunk.group[r], feature, 1);
      }
    }
  }
  Chunk own = chunk;
  own.begin = 0;
  JointTable::Statistics::collect(BinnedFrame::plan(plan.levels), binned.frame(plan.levels), own,
                                  diagnostics);
}

JointHistogram::Statistics JointHistogram::Statistics::realign(const Plan& plan, const Plan& target,
                                                               const Mapping& mapping) const {
  Mapping of_bins = mapping;
  const IntVector to = mapping.members(plan.features, target.features);
  for (int j = 0; j < plan.members(); ++j) {
    if (to[j] < 0 || plan.levels[j] == 0) continue;
    IntVector& bin = of_bins.level[plan.features[j]];
    bin.resize(plan.levels[j]);
    std::iota(bin.begin(), bin.end(), place_of_bins(plan.of_member(j), target.of_member(to[j])));
  }
  return Statistics(JointTable::Statistics::realign(plan, target, of_bins));
}

JointHistogram::Scorer::Scorer(const Plan& plan, const Parameters& parameters, Index rows)
    : plan_(plan), table_(BinnedFrame::plan(plan.levels)), cells_(table_, parameters) {
  for (int j = 0; j < plan.members(); ++j) {
    const Bins bins = plan.of_member(j);
    finders_.emplace_back(bins, rows);
    Vector& log_width = log_width_.emplace_back();
    for (int b = 0; b < bins.count; ++b) log_width.push_back(std::log(bins.width(b)));
  }
}

void JointHistogram::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  BinnedFrame binned(plan_.members(), tile.rows);
  Vector log_volume(static_cast<std::size_t>(tile.stride), 0.0);  // infinite: outside
  for (int j = 0; j < plan_.members(); ++j) {
    const double* x = load_tile_numbers(frame.columns[plan_.features[j]], tile);
    int* code = binned.code(j);
    for (int r = 0; r < tile.rows; ++r) {
      if (!std::isfinite(x[r])) continue;
      const int bin = finders_[j].find(x[r]);
      if (bin >= 0) code[r] = bin;
      log_volume[r] += bin >= 0 ? log_width_[j][bin] : -kNegativeInfinity;
    }
  }
  const Index begin = std::exchange(tile.begin, 0);  // the bins are those of this tile
  cells_.add(binned.frame(plan_.levels), 0, plan_.members(), tile);
  tile.begin = begin;
  for (int k = 0; k < tile.classes; ++k) {
    double* sum = tile.of_class(k);
    for (int r = 0; r < tile.stride; ++r) sum[r] -= log_volume[r];
  }
}

void JointHistogram::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  const bool empty = plan_.cells() == 0;  // no density
  const JointTable::Drawer::Codes codes =
      empty ? JointTable::Drawer::Codes{} : cells_.draw_cell(k, *u);
  for (int j = 0; j < plan_.members(); ++j) {
    to.number(plan_.features[j], row) =
        empty ? kNaN : number_in_bin(plan_.of_member(j), codes[j], u[j + 1]);
  }
}

BAYESRISK_LIKELIHOOD(JointHistogram)

}  // namespace bayesrisk

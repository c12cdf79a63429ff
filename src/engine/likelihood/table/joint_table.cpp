#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/posterior/draws.hpp>
#include <engine/likelihood/table/joint_table.hpp>
#include <engine/likelihood/table/joint_table_drawer.hpp>
#include <engine/likelihood/table/joint_table_scorer.hpp>
#include <engine/likelihood/table/joint_table_statistics.hpp>
#include <engine/likelihood/table/table_tilt.hpp>

namespace bayesrisk {

namespace {

class JointTableTilt : public OverlapTilt<JointTable> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    JointTable::Parameters& tilted = own(to);
    const double total = log_normaliser(s);
    const auto i = static_cast<std::size_t>(i_), j = static_cast<std::size_t>(j_);
    for (Index c = 0; c < p_.log_probability.cols(); ++c) {
      tilted.log_probability(row, c) =
          tilted_log(p_.log_probability(i_, c), p_.log_probability(j_, c), s) - total;
    }
    tilted.log_unseen[static_cast<std::size_t>(row)] =
        tilted_log(p_.log_unseen[i], p_.log_unseen[j], s) - total;
  }
};

}  // namespace

void JointTable::overlap(const Plan& plan, const Parameters& p, int one, int other,
                         Overlap& overlap) {
  std::vector<EventPair> table;
  for (Index c = 0; c < p.cells.rows(); ++c) {
    table.push_back({p.log_probability(one, c), p.log_probability(other, c)});
  }
  const double unseen = plan.cells() - static_cast<double>(p.cells.rows());
  if (unseen > 0) table.push_back({p.log_unseen[one], p.log_unseen[other], std::log(unseen)});
  overlap.parts.push_back(log_overlap(std::move(table)));
}

std::unique_ptr<BankTilt> JointTable::tilt(const Plan& plan, const Parameters& p, int i, int j) {
  return std::make_unique<JointTableTilt>(plan, p, i, j);
}

Hyperparameters JointTable::hyperparameters(const Plan& plan, const Statistics& statistics,
                                            const Options& options, const Parameters&,
                                            const Classes&, Diagnostics&) {
  return {statistics.count.rowwise().sum().array() + options.pseudo_count * plan.cells(), {}};
}

// The cells that are not listed share what is left of the draw.
void JointTable::draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                                 RandomLaws& random, Parameters& p) {
  const Index cells = p.cells.rows();
  for (std::size_t g = 0; g < p.log_unseen.size(); ++g) {
    const auto row = static_cast<Index>(g);
    Vector logs, copies(static_cast<std::size_t>(cells), 1.0);
    for (Index c = 0; c < cells; ++c) logs.push_back(p.log_probability(row, c));
    logs.push_back(p.log_unseen[g]);
    copies.push_back(plan.cells() - static_cast<double>(cells));
    draw_distribution(logs, copies, hyperparameters.weight(row, 0), random);
    for (Index c = 0; c < cells; ++c) {
      p.log_probability(row, c) = logs[static_cast<std::size_t>(c)];
    }
    p.log_unseen[g] = logs.back();
  }
}

double JointTable::Plan::cells() const {
  double product = 1;
  for (int count : levels) product *= count;
  return product;
}

JointTable::Key JointTable::Plan::key(const int* codes, Key mask) const {
  Key result = 0;
  for (int j = 0; j < members(); ++j) {
    if (mask >> j & 1) result = result * levels[j] + codes[j];
  }
  return result;
}

void JointTable::Parameters::check(const Plan& plan, int groups) const {
  check_cells(plan, cells);
  std::vector<Key> keys = keys_of(plan, cells, plan.whole());
  std::sort(keys.begin(), keys.end());
  require(std::adjacent_find(keys.begin(), keys.end()) == keys.end(), "cells: one twice");
  require(has_shape(log_probability, groups, cells.rows()), "log_probability: wrong dimensions");
  require(static_cast<int>(log_unseen.size()) == groups, "log_unseen: wrong length");
}

void JointTable::check_cells(const Plan& plan, const IntMatrix& cells) {
  require(cells.cols() == plan.members(), "cells: wrong dimensions");
  for (int j = 0; j < cells.cols(); ++j) {
    for (int c = 0; c < cells.rows(); ++c) {
      require(cells(c, j) >= 1 && cells(c, j) <= plan.levels[j], "cells: code out of range");
    }
  }
}

std::vector<JointTable::Key> JointTable::keys_of(const Plan& plan, const IntMatrix& cells,
                                                 Key mask) {
  std::vector<Key> result(cells.rows());
  IntVector codes(plan.members());
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) codes[j] = cells(c, j) - 1;
    result[c] = plan.key(codes.data(), mask);
  }
  return result;
}

JointTable::Parameters JointTable::estimate(const Plan& plan, const Statistics& statistics,
                                            const Options& options, const Classes& classes,
                                            Diagnostics& diagnostics) {
  const Index cells = statistics.cells.rows();
  Parameters p{statistics.cells, Matrix::Constant(classes.count(), cells, kNaN),
               Vector(classes.weight.size(), kNaN)};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    Eigen::RowVectorXd count = statistics.count.row(g);
    if (count.sum() <= 0 && options.pseudo_count <= 0 && classes.borrow &&
        statistics.count.sum() > 0) {
      count = statistics.count.colwise().sum();
      diagnostics.add(Problem::borrowed, g, kAll, 0);
    }
    // The sum of pseudo-counts may overflow; its log does not.
    const double log_pseudo = std::log(options.pseudo_count);
    const double log_total = log_add(std::log(count.sum()), log_pseudo + std::log(plan.cells()));
    if (log_total == kNegativeInfinity) diagnostics.add(Problem::empty, g, kAll, 0);
    p.log_unseen[g] = log_pseudo - log_total;
    for (Index c = 0; c < cells; ++c) {
      p.log_probability(g, c) = std::log(count[c] + options.pseudo_count) - log_total;
    }
  }
  return p;
}

double JointTable::log_likelihood(const Plan&, const Statistics& statistics,
                                  const Parameters& parameters) {
  return log_likelihood_of(statistics.count, parameters.log_probability);
}

JointTable::Drawer::Drawer(const Plan& plan, const Parameters& parameters)
    : plan_(plan), parameters_(parameters), listed_(keys_of(plan, parameters.cells, plan.whole())) {
  const Index cells = parameters.cells.rows();
  std::sort(listed_.begin(), listed_.end());
  unlisted_ = static_cast<Key>(plan.cells()) - static_cast<Key>(cells);
  for (Index k = 0; k < parameters.log_probability.rows(); ++k) {
    Vector sum{0};
    for (Index c = 0; c < cells; ++c) {
      sum.push_back(sum.back() + std::exp(parameters.log_probability(k, c)));
    }
    const double each = unlisted_ > 0 ? std::exp(parameters.log_unseen[k]) : 0;
    sum.push_back(sum.back() + each * static_cast<double>(unlisted_));
    sum.erase(sum.begin());
    cumulative_.push_back(sum);
  }
}

JointTable::Drawer::Codes JointTable::Drawer::draw_cell(int k, double u) const {
  Codes codes{};
  const Vector& sum = cumulative_[k];
  const auto cells = static_cast<int>(sum.size()) - 1;
  const int cell = index_of_weight(sum.data(), cells + 1, u);
  if (cell < cells) {
    for (int j = 0; j < plan_.members(); ++j) codes[j] = parameters_.cells(cell, j) - 1;
    return codes;
  }
  const double below = cells > 0 ? sum[cells - 1] : 0;
  const double share = (u * sum[cells] - below) / (sum[cells] - below);
  Key key = nth_unlisted(share);
  for (int j = plan_.members() - 1; j >= 0; --j) {
    const auto levels = static_cast<Key>(plan_.levels[j]);
    codes[j] = static_cast<int>(key % levels);
    key /= levels;
  }
  return codes;
}

JointTable::Key JointTable::Drawer::nth_unlisted(double share) const {
  const double place = std::max(0.0, share) * static_cast<double>(unlisted_);
  const Key n = std::min(static_cast<Key>(place), unlisted_ - 1);
  std::size_t low = 0, high = listed_.size();  // listed cells before the n-th
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (listed_[middle] - middle > n) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return n + low;
}

std::vector<Join> join_features(const IntVector& levels, double most_cells) {
  std::vector<Join> joins;
  for (int j = 0; j < static_cast<int>(levels.size()); ++j) {
    const int slots = levels[j] + 1;
    if (j > 0 && static_cast<double>(joins.back().cells) * slots <= most_cells) {
      joins.back().last = j + 1;
      joins.back().cells *= slots;
    } else {
      joins.push_back({j, j + 1, slots});
    }
  }
  return joins;
}

BAYESRISK_LIKELIHOOD(JointTable)

}  // namespace bayesrisk

#include <engine/risk/decision_table.hpp>
#include <engine/risk/line_risk.hpp>
#include <engine/risk/rule_grid.hpp>

namespace bayesrisk {

void add_probabilities(const Marginal& world, const Vector& log_prior, const Regions& rule,
                       Matrix& table) {
  std::visit(
      [&](const auto& of) {
        for (std::size_t k = 0; k < of.classes.size(); ++k) {
          if (!(log_prior[k] > kNegativeInfinity)) continue;
          add_probabilities(of.classes[k], log_prior[k], rule.cut, DecisionColumn(table, k, rule));
        }
      },
      world);
}

double largest_gap(const Marginal& world, const Vector& log_prior, const RuleGrid& grid) {
  Regions gaps;
  for (double x : grid.x) {
    gaps.cut.push_back(x);
    if (grid.step > 0) gaps.cut.push_back(std::nextafter(x, kInfinity));
  }
  gaps.decision.resize(gaps.cut.size() + 1);
  std::iota(gaps.decision.begin(), gaps.decision.end(), 0);
  Matrix table =
      Matrix::Zero(static_cast<Index>(log_prior.size()), static_cast<Index>(gaps.decision.size()));
  add_probabilities(world, log_prior, gaps, table);
  const Eigen::RowVectorXd probability = table.colwise().sum();
  double largest = 0;
  const Index every = grid.step > 0 ? 2 : 1;
  for (Index i = 0; i < probability.size(); i += every) largest = std::max(largest, probability[i]);
  return largest;
}

RuleGrid rule_grid(const Marginal& world, const Vector& log_prior, int points) {
  RuleGrid grid;
  std::visit(
      [&](const auto& of) {
        grid.step = of.kStep;
        std::size_t parts = 0;
        for (const auto& of_class : of.classes) parts += parts_of(of_class);
        const auto most = static_cast<std::size_t>(points);
        const auto each = static_cast<int>(std::max(std::size_t{16}, most / parts));
        for (std::size_t k = 0; k < of.classes.size(); ++k) {
          if (log_prior[k] > kNegativeInfinity) add_points(of.classes[k], each, grid.x);
        }
      },
      world);
  std::sort(grid.x.begin(), grid.x.end());
  grid.x.erase(std::unique(grid.x.begin(), grid.x.end()), grid.x.end());
  grid.gap = largest_gap(world, log_prior, grid);
  return grid;
}

ModelRule::ModelRule(const View& view, const LineWorld& world, const Cost& cost)
    : world_(world), cost_(cost), combinations_(view, world.combinations) {
  if (world.numeric < 0) return;
  met_ = world.marginal_of(world.view);
  believed_ = world.marginal_of(view);
}

std::vector<Regions> ModelRule::regions(Index begin, Index count) const {
  const Matrix log_joint = combinations_.log_joint(begin, count);
  std::vector<Regions> result;
  RowRule rule(cost_);
  for (Index i = 0; i < count; ++i) {
    const Eigen::VectorXd of_combination = log_joint.col(i);
    if (world_.numeric < 0) {
      result.push_back({{}, {rule.decide(of_combination)}, {}});
    } else {
      const Vector log_prior(of_combination.data(), of_combination.data() + of_combination.size());
      result.push_back(regions_in(met_, believed_, log_prior, cost_));
    }
  }
  return result;
}

Matrix decision_table(const LineWorld& world, const Rule& rule, int actions,
                      const Context& context) {
  constexpr Index kBatch = 256;
  const auto combinations = static_cast<Index>(world.combinations.count());
  const Index batches = (combinations + kBatch - 1) / kBatch;
  const CombinationScorer scorer(world.view, world.combinations);
  Marginal marginal = Normals{{world.view.prior.size(), Normals::unknown()}};
  if (world.numeric >= 0) marginal = world.marginal_of(world.view);
  std::vector<Matrix> parts(static_cast<std::size_t>(batches));
  context.run(batches, [&](Index batch) {
    const Index begin = batch * kBatch, count = std::min(kBatch, combinations - begin);
    const Matrix log_joint = scorer.log_joint(begin, count);
    const std::vector<Regions> regions = rule.regions(begin, count);
    Matrix& table = parts[static_cast<std::size_t>(batch)];
    table = Matrix::Zero(log_joint.rows(), actions);
    for (Index i = 0; i < count; ++i) {
      const Vector log_prior(log_joint.col(i).data(), log_joint.col(i).data() + log_joint.rows());
      add_probabilities(marginal, log_prior, regions[static_cast<std::size_t>(i)], table);
    }
  });
  Matrix total = Matrix::Zero(static_cast<Index>(world.view.prior.size()), actions);
  for (const Matrix& part : parts) total += part;
  return total;
}

namespace {

// A bound of the sum of the errors of a decision table. Two actions change places at two cuts at
// most.
double table_error(const LineWorld& world, int actions) {
  if (world.numeric < 0) return 0;
  const Marginal marginal = world.marginal_of(world.view);
  const auto* counts = std::get_if<Counts>(&marginal);
  if (!counts) return 0;
  double error = 0;
  for (std::size_t k = 0; k < counts->classes.size(); ++k) {
    if (world.view.prior[k] == 0) continue;
    error = std::max(error, CountTails(counts->classes[k]).error());
  }
  return 4 * error * std::max(0, actions - 1);
}

}  // namespace

RiskTable line_risk(const LineWorld& world, const Rule& rule, int actions, const Context& context) {
  const Matrix table = decision_table(world, rule, actions, context);
  return {table, Matrix::Zero(table.rows(), table.cols()), table_error(world, actions)};
}

RiskTable LineMethod::risk(const Vector& world, const Vector& rule) const {
  const LineWorld there = world_.with_prior(world);
  const View decider = rule_.with_prior(rule);
  return line_risk(there, ModelRule(decider, there, cost_), cost_.actions(), context_);
}

RiskTable& RiskTable::operator+=(const RiskTable& other) {
  table += other.table;
  error += other.error;
  rest += other.rest;
  return *this;
}

double RiskTable::accuracy(const Cost& cost) const {
  const Matrix size = cost.of.array().isFinite().select(cost.of.cwiseAbs(), 0.0).transpose();
  return error.cwiseProduct(size).sum() + rest * size.maxCoeff();
}

Vector bayes_risks(const RiskMethod& method, const Matrix& priors, const Cost& cost) {
  Vector risks;
  for (Index i = 0; i < priors.rows(); ++i) {
    Vector prior(static_cast<std::size_t>(priors.cols()));
    Eigen::Map<Eigen::RowVectorXd>(prior.data(), priors.cols()) = priors.row(i);
    risks.push_back(cost_of_table(method.risk(prior, prior).table, cost));
  }
  return risks;
}

}  // namespace bayesrisk

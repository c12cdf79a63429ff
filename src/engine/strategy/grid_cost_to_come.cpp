#include <engine/strategy/grid_cost_to_come.hpp>

#include <atomic>

namespace bayesrisk {

struct GridCostToCome::Layer {
  ClassGrid grid;
  Eigen::VectorXd mass;       // the sum of the weights at each point
  Vector stop;                // the cost of a decision there
  std::vector<Vector> table;  // by code; empty if a decision is all that is left

  double at(Code code, const Eigen::VectorXd& weight, const Cost& cost) const {
    const Vector& values = table[static_cast<std::size_t>(code)];
    if (values.empty()) return StopCost(cost, weight, grid.possible()).cost;
    return grid.interpolate(values, weight);
  }
};

struct GridCostToCome::Move {
  const Step* step;
  const Sums* sums;                 // null: answer by answer
  std::vector<Code> next;           // by answer, or one
  std::vector<const Layer*> layer;  // by answer, or one; null: impossible

  const Vector& table() const { return layer[0]->table[static_cast<std::size_t>(next[0])]; }
};

// Coefficients of the values of a table, row by row. Few are not 0.
class GridCostToCome::Rows {
 public:
  explicit Rows(Index columns) : sum_(static_cast<std::size_t>(columns), 0) {
    require(columns - 1 <= std::numeric_limits<Column>::max(), "grid: too many points");
  }

  void reserve(std::size_t entries) {
    column_.reserve(entries);
    coefficient_.reserve(entries);
  }

  void add(Index column, double coefficient) {
    double& sum = sum_[static_cast<std::size_t>(column)];
    if (sum == 0) column_.push_back(static_cast<Column>(column));
    sum += coefficient;
  }

  void end_row() {
    for (std::size_t i = begin_.back(); i < column_.size(); ++i) {
      coefficient_.push_back(std::exchange(sum_[column_[i]], 0));
    }
    begin_.push_back(column_.size());
  }

  std::size_t entries() const { return column_.size(); }

  double dot(std::size_t row, const Vector& values) const {
    double total = 0;
    for (std::size_t i = begin_[row]; i < begin_[row + 1]; ++i) {
      total += coefficient_[i] * values[column_[i]];
    }
    return total;
  }

 private:
  using Column = std::uint16_t;  // they fill the memory

  Vector sum_;                         // of the row that is added
  std::vector<std::size_t> begin_{0};  // by row
  std::vector<Column> column_;
  Vector coefficient_;
};

// What follows a step at each point of the grid, whatever the state: the sum over the answers of
// the cost of a decision, and the coefficients of the values in that of the cost to come.
struct GridCostToCome::Sums {
  Vector stop;
  Rows after;
};

GridCostToCome::~GridCostToCome() = default;

GridCostToCome::GridCostToCome(const TestProblem& problem, const Settings& settings)
    : CostToCome(problem, settings.rule),
      divisions_(settings.divisions),
      codes_(problem, settings.tracked, true) {}

const GridCostToCome::Layer* GridCostToCome::find_layer(const ClassSet& possible) const {
  if (problem_.cost.of.allFinite()) return &layers_[0];
  const auto found = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& layer) {
    return layer.grid.possible() == possible;
  });
  return found == layers_.end() ? nullptr : &*found;
}

bool GridCostToCome::solve(const std::vector<TestState>& states, const ClassSet& possible,
                           const std::function<bool()>& has_time, const Context& context) {
  for (const ClassSet& set : class_sets(problem_, possible)) {
    if (!layers_.empty() && find_layer(set)) continue;
    Layer layer{ClassGrid(problem_.cost, set, divisions_),
                {},
                {},
                std::vector<Vector>(static_cast<std::size_t>(codes_.count()))};
    layer.mass.resize(layer.grid.points());
    for (Index point = 0; point < layer.grid.points(); ++point) {
      const Eigen::VectorXd weight = layer.grid.weight(point);
      layer.mass[point] = weight.sum();
      layer.stop.push_back(StopCost(problem_.cost, weight, set).cost);
    }
    layers_.push_back(std::move(layer));
  }
  sums_.clear();
  const auto task = [&](Code code, std::size_t layer) { fill(code, layers_[layer], context); };
  const bool solved = find_sums(has_time, context) &&
                      codes_.for_heights(states, layers_.size(), has_time, context, task);
  sums_.clear();
  return solved;
}

// The sums do not depend on the state, so each table takes a product of matrices only. Steps whose
// sums would not fit into the memory have none.
bool GridCostToCome::find_sums(const std::function<bool()>& has_time, const Context& context) {
  constexpr double kMostNumbers = 2.5e7;  // 250 MB
  const Layer& layer = layers_[0];
  if (!problem_.cost.of.allFinite() || !layer.grid.has_all_classes()) return true;
  double numbers = 0;
  std::vector<const Step*> steps;
  for (const Unit& unit : problem_.units) {
    for (const std::vector<Step>& of_state : unit.steps) {
      for (const Step& step : of_state) {
        if (!step.has_one_next()) continue;
        const double more = count_entries(step);
        if (numbers + more > kMostNumbers) continue;
        numbers += more;
        steps.push_back(&step);
        auto& sums = sums_[&step] = std::make_unique<Sums>(Sums{{}, Rows(layer.grid.points())});
        sums->after.reserve(static_cast<std::size_t>(more));
      }
    }
  }
  std::atomic<bool> in_time{true};
  context.run(static_cast<Index>(steps.size()), [&](Index i) {
    const Step& step = *steps[static_cast<std::size_t>(i)];
    Sums& sums = *sums_.find(&step)->second;
    for (Index point = 0; point < layer.grid.points() && in_time; ++point) {
      context.check();
      if (!has_time()) in_time = false;
      add_answers(step, point, sums);
    }
  });
  return in_time;
}

// About the number of coefficients of a step: that of some points, multiplied.
double GridCostToCome::count_entries(const Step& step) const {
  constexpr Index kSome = 50;
  constexpr double kRoom = 1.1;
  const Index points = layers_[0].grid.points(), every = 1 + points / kSome;
  Sums some{{}, Rows(points)};
  for (Index point = every / 2; point < points; point += every) add_answers(step, point, some);
  return kRoom * static_cast<double>(every * static_cast<Index>(some.after.entries()));
}

void GridCostToCome::add_answers(const Step& step, Index point, Sums& sums) const {
  const ClassGrid& grid = layers_[0].grid;
  const Eigen::VectorXd weight = grid.weight(point);
  Eigen::VectorXd joint;
  double stop = 0;
  for (Index a = 0; a < step.given.cols(); ++a) {
    joint = weight.cwiseProduct(step.given.col(a));
    stop += StopCost(problem_.cost, joint, grid.possible()).cost;
    grid.for_corners(joint, [&](Index at, double more) { sums.after.add(at, more); });
  }
  sums.stop.push_back(stop);
  sums.after.end_row();
}

std::vector<GridCostToCome::Move> GridCostToCome::moves_at(Code code, const Layer& layer) const {
  std::vector<Move> moves;
  codes_.for_steps(code, [&](std::size_t unit, const Step& step) {
    const auto sums = sums_.find(&step);
    Move move{&step, sums == sums_.end() ? nullptr : sums->second.get(), {}, {}};
    for (Index a = 0; a < (move.sums ? 1 : step.given.cols()); ++a) {
      move.next.push_back(codes_.after(code, unit, step, a));
      move.layer.push_back(move.sums ? &layer
                                     : find_layer(after_answer(layer.grid.possible(), step, a)));
    }
    moves.push_back(std::move(move));
  });
  return moves;
}

void GridCostToCome::fill(Code code, Layer& layer, const Context& context) const {
  const std::vector<Move> moves = moves_at(code, layer);
  Vector& table = layer.table[static_cast<std::size_t>(code)];
  if (moves.empty()) return;
  table = layer.stop;
  for (std::size_t point = 0; point < table.size(); ++point) {
    context.check();
    fill_at(point, moves, layer, table);
  }
}

double GridCostToCome::sum_stop(const Move& move, std::size_t point,
                                const Eigen::VectorXd& weight) const {
  if (move.sums) return move.sums->stop[point];
  double total = 0;
  for (std::size_t a = 0; a < move.next.size(); ++a) {
    if (!move.layer[a]) continue;
    const Eigen::VectorXd joint = weight.cwiseProduct(move.step->given.col(static_cast<Index>(a)));
    total += StopCost(problem_.cost, joint, move.layer[a]->grid.possible()).cost;
  }
  return total;
}

double GridCostToCome::sum_after(const Move& move, std::size_t point,
                                 const Eigen::VectorXd& weight) const {
  if (move.sums) {
    return move.table().empty() ? move.sums->stop[point]
                                : move.sums->after.dot(point, move.table());
  }
  double total = 0;
  Eigen::VectorXd joint;
  for (std::size_t a = 0; a < move.next.size(); ++a) {
    if (!move.layer[a]) continue;
    joint = weight.cwiseProduct(move.step->given.col(static_cast<Index>(a)));
    total += move.layer[a]->at(move.next[a], joint, problem_.cost);
  }
  return total;
}

void GridCostToCome::fill_at(std::size_t point, const std::vector<Move>& moves, Layer& layer,
                             Vector& table) const {
  const Eigen::VectorXd weight = layer.grid.weight(static_cast<Index>(point));
  const double mass = layer.mass[static_cast<Index>(point)];
  double ranked = table[point];
  const Move* chosen = nullptr;
  for (const Move& move : moves) {
    const double price = move.step->price * mass;
    if (price >= ranked) continue;
    const double judged = price + (rule_ == TestRule::best ? sum_after(move, point, weight)
                                                           : sum_stop(move, point, weight));
    if (!(judged < ranked)) continue;
    ranked = judged;
    chosen = &move;
  }
  table[point] = ranked;
  if (chosen && rule_ == TestRule::myopic) {
    table[point] = chosen->step->price * mass + sum_after(*chosen, point, weight);
  }
}

double GridCostToCome::at(const TestState& state, const Eigen::VectorXd& weight,
                          const ClassSet& possible) const {
  return find_layer(possible)->at(codes_.code_of(state), weight, problem_.cost);
}

double GridCostToCome::after(const TestState& state, std::size_t unit, const Step& step,
                             const Eigen::VectorXd& weight, const ClassSet& possible) const {
  const Code code = codes_.code_of(state);
  const bool finite = problem_.cost.of.allFinite();
  Eigen::VectorXd joint;
  double total = 0;
  for (Index a = 0; a < step.given.cols(); ++a) {
    joint = weight.cwiseProduct(step.given.col(a));
    if (!(joint.maxCoeff() > 0)) continue;
    const Layer* layer = finite ? &layers_[0] : find_layer(after_answer(possible, step, a));
    total += layer->at(codes_.after(code, unit, step, a), joint, problem_.cost);
  }
  return total;
}

}  // namespace bayesrisk

#include <engine/strategy/grid_cost_to_come.hpp>

#include <atomic>

namespace bayesrisk {

struct GridCostToCome::Layer {
  ClassGrid grid;
  std::vector<Vector> table;  // by code

  // The sum over all answers of a number, which exclude no class and lead to the same state.
  double at_all(Code code, const Eigen::VectorXd& weight, const Matrix& given) const {
    return grid.interpolate_all(table[static_cast<std::size_t>(code)], weight, given);
  }

  double at(Code code, const Eigen::VectorXd& weight) const {
    return grid.interpolate(table[static_cast<std::size_t>(code)], weight);
  }
};

struct GridCostToCome::Move {
  const Step* step;
  bool at_once;                     // see Layer::at_all()
  std::vector<Code> next;           // by answer
  std::vector<const Layer*> layer;  // by answer; null: impossible
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
    layers_.push_back({ClassGrid(problem_.cost, set, divisions_),
                       std::vector<Vector>(static_cast<std::size_t>(codes_.count()))});
  }
  std::atomic<bool> in_time{true};
  // The tables of a height need those below, and those of fewer classes.
  for (const auto& height : codes_.reachable(states)) {
    const std::vector<Code>& codes = height.second;
    for (Layer& layer : layers_) {
      context.run(static_cast<Index>(codes.size()), [&](Index i) {
        if (!in_time || !has_time()) {
          in_time = false;
          return;
        }
        context.check();
        fill(codes[static_cast<std::size_t>(i)], layer);
      });
      if (!in_time) return false;
    }
  }
  return true;
}

bool GridCostToCome::can_sum(const Step& step, bool all_classes) const {
  return all_classes && step.next.size() == 1 && problem_.cost.of.allFinite();
}

std::vector<GridCostToCome::Move> GridCostToCome::moves_at(Code code, const Layer& layer) const {
  std::vector<Move> moves;
  codes_.for_steps(code, [&](std::size_t unit, const Step& step) {
    const bool at_once = rule_ == TestRule::best && can_sum(step, layer.grid.has_all_classes());
    Move move{&step, at_once, {}, {}};
    for (Index a = 0; a < (at_once ? 1 : step.given.cols()); ++a) {
      move.next.push_back(codes_.after(code, unit, step, a));
      move.layer.push_back(at_once ? &layer
                                   : find_layer(after_answer(layer.grid.possible(), step, a)));
    }
    moves.push_back(std::move(move));
  });
  return moves;
}

void GridCostToCome::fill(Code code, Layer& layer) const {
  const std::vector<Move> moves = moves_at(code, layer);
  Vector& table = layer.table[static_cast<std::size_t>(code)];
  table.resize(static_cast<std::size_t>(layer.grid.points()));
  for (std::size_t point = 0; point < table.size(); ++point) {
    table[point] = value_at(layer.grid.weight(static_cast<Index>(point)), moves, layer);
  }
}

double GridCostToCome::value_at(const Eigen::VectorXd& weight, const std::vector<Move>& moves,
                                const Layer& layer) const {
  const bool myopic = rule_ == TestRule::myopic;
  const double now = StopCost(problem_.cost, weight, layer.grid.possible()).cost;
  double ranked = now, result = now;
  Eigen::VectorXd joint;
  for (const Move& move : moves) {
    double total = move.step->price * weight.sum(), judged = total;
    if (move.at_once) {
      if (total >= ranked) continue;
      total += move.layer[0]->at_all(move.next[0], weight, move.step->given);
      ranked = result = std::min(result, total);
      continue;
    }
    for (std::size_t a = 0; a < move.next.size() && judged < ranked; ++a) {
      const Layer* next = move.layer[a];
      if (!next) continue;
      joint = weight.cwiseProduct(move.step->given.col(static_cast<Index>(a)));
      const double to_come = next->at(move.next[a], joint);
      total += to_come;
      judged += myopic ? StopCost(problem_.cost, joint, next->grid.possible()).cost : to_come;
    }
    if (!(judged < ranked)) continue;
    ranked = judged;
    result = total;
  }
  return result;
}

double GridCostToCome::at(const TestState& state, const Eigen::VectorXd& weight,
                          const ClassSet& possible) const {
  return find_layer(possible)->at(codes_.code_of(state), weight);
}

double GridCostToCome::after(const TestState& state, std::size_t unit, const Step& step,
                             const Eigen::VectorXd& weight, const ClassSet& possible) const {
  const Code code = codes_.code_of(state);
  const bool finite = problem_.cost.of.allFinite();
  const Layer* own = find_layer(possible);
  if (can_sum(step, own->grid.has_all_classes())) {
    return own->at_all(codes_.after(code, unit, step, 0), weight, step.given);
  }
  Eigen::VectorXd joint;
  double total = 0;
  for (Index a = 0; a < step.given.cols(); ++a) {
    joint = weight.cwiseProduct(step.given.col(a));
    if (!(joint.maxCoeff() > 0)) continue;
    const Layer* layer = finite ? &layers_[0] : find_layer(after_answer(possible, step, a));
    total += layer->at(codes_.after(code, unit, step, a), joint);
  }
  return total;
}

}  // namespace bayesrisk

#include <engine/strategy/test_tree.hpp>

namespace bayesrisk {

double TestTree::cost_at(const Eigen::VectorXd& weight) const { return priced(weight, cost).sum(); }

TreeBuilder::TreeBuilder(const CostToCome& rule, const Context& context)
    : rule_(rule), problem_(rule.problem()), context_(context) {
  for (const NumberTest& number : problem_.numbers) {
    intervals_.push_back(number.probabilities(number.cuts(kIntervals)));
  }
}

TreeBuilder::Tree TreeBuilder::stop(const Node& node) const {
  TestTree tree;
  tree.action = StopCost(problem_.cost, node.weight, node.possible).action;
  tree.cost = problem_.cost.of.row(tree.action);
  return std::make_shared<const TestTree>(std::move(tree));
}

TreeBuilder::Tree TreeBuilder::grow(const Node& node, int steps) const {
  context_.check();
  Tree now = stop(node);
  if (node.weight.sum() < settings_.least_probability) return now;
  if (++nodes_ > settings_.most_nodes) return now;
  const CostToCome::Choice choice = rule_.choose(node.state, node.weight, node.possible);
  const double saving = now->cost_at(node.weight) - choice.cost;
  if (!choice.step || saving < settings_.least_saving) return now;
  steps += choice.step->counts;
  if (steps > settings_.most_steps) return now;
  Tree tested = choice.step->number == kAll ? split_by_level(node, choice, steps)
                                            : split_by_number(node, choice, steps);
  return tested->cost_at(node.weight) < now->cost_at(node.weight) ? tested : now;
}

TreeBuilder::Tree TreeBuilder::finish(TestTree tree) const {
  if (tree.branches.size() == 1) return tree.branches[0].next;
  const Eigen::VectorXd& first = tree.branches[0].given;
  tree.cost = Eigen::VectorXd::Constant(first.size(), tree.step->price);
  for (const TestTree::Branch& branch : tree.branches) {
    tree.cost += priced(branch.given, branch.next->cost);
    tree.nodes += branch.next->nodes;
  }
  return std::make_shared<const TestTree>(std::move(tree));
}

// Levels that lead to the same action are one branch.
TreeBuilder::Tree TreeBuilder::split_by_level(const Node& node, const CostToCome::Choice& choice,
                                              int steps) const {
  TestTree tree;
  tree.step = choice.step;
  for (Index a = 0; a < tree.step->given.cols(); ++a) {
    const Eigen::VectorXd given = tree.step->given.col(a);
    const Eigen::VectorXd weight = node.weight.cwiseProduct(given);
    if (!(weight.maxCoeff() > 0)) continue;
    const Node after{node.state.after(choice.unit, *tree.step, a), weight,
                     after_answer(node.possible, *tree.step, a)};
    Tree next = grow(after, steps);
    const auto same = std::find_if(
        tree.branches.begin(), tree.branches.end(),
        [&](const TestTree::Branch& branch) { return same_action(*branch.next, *next); });
    if (same == tree.branches.end()) {
      tree.branches.push_back({{static_cast<int>(a)}, kNaN, kNaN, given, std::move(next)});
    } else {
      same->levels.push_back(static_cast<int>(a));
      same->given += given;
    }
  }
  return finish(std::move(tree));
}

TreeBuilder::Tree TreeBuilder::split_by_number(const Node& node, const CostToCome::Choice& choice,
                                               int steps) const {
  TestTree tree;
  tree.step = choice.step;
  const TestState state = node.state.after(choice.unit, *tree.step, 0);
  std::vector<Tree> candidates;
  for (const Group& group : group_intervals(node, choice)) {
    Tree next = grow({state, group.weight, node.possible}, steps);
    const bool known = std::any_of(candidates.begin(), candidates.end(),
                                   [&](const Tree& other) { return same_action(*other, *next); });
    if (!known) candidates.push_back(std::move(next));
  }
  Cost costs{Matrix(static_cast<Index>(candidates.size()), problem_.classes())};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    costs.of.row(static_cast<Index>(i)) = candidates[i]->cost;
  }
  const NumberTest& number = problem_.numbers[static_cast<std::size_t>(tree.step->number)];
  const Regions regions = number.regions(node.weight, costs);
  const Matrix given = number.probabilities(regions.cut);
  for (std::size_t r = 0; r < regions.decision.size(); ++r) {
    const Eigen::VectorXd share = given.col(static_cast<Index>(r));
    if (!(share.maxCoeff() > 0)) continue;
    const double from = r == 0 ? kNegativeInfinity : regions.cut[r - 1];
    const double to = r < regions.cut.size() ? regions.cut[r] : kInfinity;
    const Tree& next = candidates[static_cast<std::size_t>(std::max(0, regions.decision[r]))];
    tree.branches.push_back({{}, from, to, share, next});
  }
  unite_branches(tree.branches, node);
  return finish(std::move(tree));
}

// Unites neighbours with one consequence, and an interval that hardly matters with a neighbour.
void TreeBuilder::unite_branches(std::vector<TestTree::Branch>& branches, const Node& node) const {
  const auto loss = [&](const TestTree::Branch& from, const TestTree::Branch& to) {
    const Eigen::VectorXd weight = node.weight.cwiseProduct(from.given);
    return to.next == from.next ? 0 : to.next->cost_at(weight) - from.next->cost_at(weight);
  };
  for (std::size_t i = 0; i + 1 < branches.size();) {
    TestTree::Branch &left = branches[i], &right = branches[i + 1];
    const double right_lost = loss(right, left), left_lost = loss(left, right);
    if (std::min(right_lost, left_lost) > settings_.negligible) {
      ++i;
      continue;
    }
    if (left_lost < right_lost) left.next = right.next;
    left.to = right.to;
    left.given += right.given;
    branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (i > 0) --i;
  }
  if (branches.empty()) return;
  branches.front().from = kNegativeInfinity;
  branches.back().to = kInfinity;
}

std::vector<TreeBuilder::Group> TreeBuilder::group_intervals(
    const Node& node, const CostToCome::Choice& choice) const {
  const Matrix& given = intervals_[static_cast<std::size_t>(choice.step->number)];
  const Node after{node.state.after(choice.unit, *choice.step, 0), node.weight, node.possible};
  std::vector<Group> groups;
  for (Index i = 0; i < given.cols(); ++i) {
    const Eigen::VectorXd weight = node.weight.cwiseProduct(given.col(i));
    if (!(weight.maxCoeff() > 0)) continue;
    groups.push_back({weight, rule_.at(after.state, weight, after.possible)});
  }
  unite(groups, after, settings_.slack * node.weight.sum());
  return groups;
}

// Unites the neighbours that lose least by one consequence, while the loss is within the slack.
void TreeBuilder::unite(std::vector<Group>& groups, const Node& after, double slack) const {
  const auto united = [&](const Group& a, const Group& b) {
    const Eigen::VectorXd weight = a.weight + b.weight;
    return Group{weight, rule_.at(after.state, weight, after.possible)};
  };
  std::vector<Group> pairs;
  for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
    pairs.push_back(united(groups[i], groups[i + 1]));
  }
  while (groups.size() > 1) {
    std::size_t best = 0;
    double least = kInfinity;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double separate = groups[i].cost + groups[i + 1].cost;
      const double loss = pairs[i].cost == separate ? 0 : pairs[i].cost - separate;
      if (loss < least) {
        least = loss;
        best = i;
      }
    }
    if (!(least <= slack)) return;
    slack -= std::max(0.0, least);
    groups[best] = pairs[best];
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(best));
    if (best < pairs.size()) pairs[best] = united(groups[best], groups[best + 1]);
    if (best > 0) pairs[best - 1] = united(groups[best - 1], groups[best]);
  }
}

}  // namespace bayesrisk

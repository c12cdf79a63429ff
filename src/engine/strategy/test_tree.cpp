#include <engine/strategy/test_tree.hpp>

namespace bayesrisk {

double TestTree::cost_at(const Eigen::VectorXd& weight) const { return priced(weight, cost).sum(); }

Eigen::VectorXd TestTree::cost_in(std::size_t batch) const {
  if (!step) return cost;
  Eigen::VectorXd total = Eigen::VectorXd::Constant(cost.size(), step->price);
  for (const Branch& branch : branches) {
    total += priced(branch.batches.empty() ? branch.given : branch.batches[batch],
                    branch.next->cost_in(batch));
  }
  return total;
}

double TestTree::error_at(const Eigen::VectorXd& weight) const {
  constexpr int kBatches = PanelDraws::kBatches;
  Eigen::ArrayXd costs(kBatches);
  for (Index b = 0; b < kBatches; ++b) {
    costs[b] = priced(weight, cost_in(static_cast<std::size_t>(b))).sum();
  }
  return std::sqrt((costs - costs.mean()).square().sum() / (kBatches - 1) / kBatches);
}

TreeBuilder::TreeBuilder(const CostToCome& rule, const Context& context)
    : rule_(rule), problem_(rule.problem()), context_(context) {
  for (const auto& number : problem_.numbers) {
    intervals_.push_back(number->intervals(kIntervals));
  }
}

TreeBuilder::Tree TreeBuilder::stop(const Eigen::VectorXd& weight, const ClassSet& possible) const {
  TestTree tree;
  tree.action = StopCost(problem_.cost, weight, possible).action;
  tree.cost = problem_.cost.of.row(tree.action);
  return std::make_shared<const TestTree>(std::move(tree));
}

TreeBuilder::Tree TreeBuilder::grow(const Node& node, int steps) const {
  context_.check();
  Tree now = stop(node.weight, node.possible);
  if (node.weight.sum() < std::max(kRarest, settings_.least_probability)) return now;
  if (++nodes_ > settings_.most_nodes) return now;
  const CostToCome::Choice choice = rule_.choose(node.state, node.weight, node.possible);
  const double saving = now->cost_at(node.weight) - choice.cost;
  if (!choice.step || saving < settings_.least_saving || std::isinf(settings_.least_saving)) {
    return now;
  }
  steps += choice.step->counts;
  if (steps > settings_.most_steps) return now;
  Tree tested = choice.step->reads_level()    ? split_by_level(node, choice, steps)
                : choice.step->number != kAll ? split_by_number(node, choice, steps)
                                              : split_by_draws(node, choice, steps);
  return tested->cost_at(node.weight) < now->cost_at(node.weight) ? tested : now;
}

TreeBuilder::Tree TreeBuilder::pruned(const Tree& tree, const Eigen::VectorXd& weight,
                                      const ClassSet& possible) const {
  if (!tree->step || settings_.least_probability == 0) return tree;
  if (weight.sum() < settings_.least_probability) return stop(weight, possible);
  TestTree left;
  left.step = tree->step;
  for (TestTree::Branch branch : tree->branches) {
    const ClassSet met = after_probability(possible, problem_, *tree->step, branch.given);
    branch.next = pruned(branch.next, weight.cwiseProduct(branch.given), met);
    add_branch(left, std::move(branch));
  }
  return finish(std::move(left));
}

// Unites a branch with an earlier one of the same action; of a number, with the one before.
void TreeBuilder::add_branch(TestTree& tree, TestTree::Branch branch) {
  const bool is_number = tree.step->number != kAll;
  auto same = std::find_if(
      tree.branches.begin() + (is_number && !tree.branches.empty() ? tree.branches.size() - 1 : 0),
      tree.branches.end(),
      [&](const TestTree::Branch& other) { return same_action(*other.next, *branch.next); });
  if (same == tree.branches.end()) {
    tree.branches.push_back(std::move(branch));
    return;
  }
  same->levels.insert(same->levels.end(), branch.levels.begin(), branch.levels.end());
  same->to = branch.to;
  same->given += branch.given;
  for (std::size_t b = 0; b < same->batches.size(); ++b) same->batches[b] += branch.batches[b];
}

TreeBuilder::Tree TreeBuilder::finish(TestTree tree) const {
  // A panel is paid for with its first feature, also if this one says nothing.
  const Step* next = tree.branches.size() == 1 ? tree.branches[0].next->step : nullptr;
  const bool pays = tree.step->counts && next && !next->counts;
  if (tree.branches.size() == 1 && !pays) return tree.branches[0].next;
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
    add_branch(tree, {{static_cast<int>(a)}, kNaN, kNaN, given, {}, std::move(next)});
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
    add_new(candidates, grow({state, group.weight, group.possible}, steps));
  }
  Cost costs{Matrix(static_cast<Index>(candidates.size()), problem_.classes())};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    costs.of.row(static_cast<Index>(i)) = candidates[i]->cost;
  }
  const NumberTest& number = problem_.number_of(*tree.step);
  const Regions regions = number.regions(node.weight, costs);
  const Matrix given = number.probabilities(regions.cut);
  for (std::size_t r = 0; r < regions.decision.size(); ++r) {
    const Eigen::VectorXd share = given.col(static_cast<Index>(r));
    if (!(share.maxCoeff() > 0)) continue;
    const double from = r == 0 ? kNegativeInfinity : regions.cut[r - 1];
    const double to = r < regions.cut.size() ? regions.cut[r] : kInfinity;
    const Tree& next = candidates[static_cast<std::size_t>(std::max(0, regions.decision[r]))];
    // A region without probability goes to the branch before.
    if (!tree.branches.empty()) tree.branches.back().to = from;
    tree.branches.push_back({{}, from, to, share, {}, next});
  }
  unite_branches(tree.branches, node);
  return finish(std::move(tree));
}

std::vector<TreeBuilder::Tree> TreeBuilder::follow_draws(const Node& node,
                                                         const CostToCome::Choice& choice,
                                                         int steps) const {
  const Matrix& given = choice.step->given;
  const TestState state = node.state.after(choice.unit, *choice.step, 0);
  std::map<std::tuple<int, int, Index>, Eigen::VectorXd> groups;
  for (Index i = 0; i < given.cols(); i += 1 + given.cols() / kGrouped) {
    const Eigen::VectorXd weight = node.weight.cwiseProduct(given.col(i));
    const CostToCome::Choice next = rule_.choose(state, weight, node.possible);
    Index probable = 0;
    weight.maxCoeff(&probable);
    const auto key = next.step ? std::make_tuple(next.step->test, next.step->feature, probable)
                               : std::make_tuple(kAll, kAll, Index{next.action});
    const auto group = groups.try_emplace(key, Eigen::VectorXd::Zero(weight.size()));
    group.first->second += weight;
  }
  std::vector<Tree> trees;
  for (const auto& group : groups)
    add_new(trees, grow({state, group.second, node.possible}, steps));
  return trees;
}

// Each answer goes to the tree that costs least.
TreeBuilder::Tree TreeBuilder::split_by_draws(const Node& node, const CostToCome::Choice& choice,
                                              int steps) const {
  TestTree tree;
  tree.step = choice.step;
  const auto& batches = problem_.draws[static_cast<std::size_t>(tree.step->draws)].batches();
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(problem_.classes());
  for (Tree& next : follow_draws(node, choice, steps)) {
    tree.branches.push_back(
        {{}, kNaN, kNaN, none, std::vector<Eigen::VectorXd>(batches.size(), none), next});
  }
  Eigen::VectorXd weight;
  for (Index i = 0; i < tree.step->given.cols(); ++i) {
    weight = node.weight.cwiseProduct(tree.step->given.col(i));
    TestTree::Branch* best = nullptr;
    double least = kInfinity;
    for (TestTree::Branch& branch : tree.branches) {
      const double cost = branch.next->cost_at(weight);
      if (best && !(cost < least)) continue;
      best = &branch;
      least = cost;
    }
    best->given += tree.step->given.col(i);
    for (std::size_t b = 0; b < batches.size(); ++b) best->batches[b] += batches[b].col(i);
  }
  const auto unused = [](const TestTree::Branch& branch) { return !(branch.given.maxCoeff() > 0); };
  tree.branches.erase(std::remove_if(tree.branches.begin(), tree.branches.end(), unused),
                      tree.branches.end());
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
  const TestState after = node.state.after(choice.unit, *choice.step, 0);
  std::vector<Group> groups;
  for (Index i = 0; i < given.cols(); ++i) {
    const Eigen::VectorXd weight = node.weight.cwiseProduct(given.col(i));
    if (!(weight.maxCoeff() > 0)) continue;
    const ClassSet possible =
        after_probability(node.possible, problem_, *choice.step, given.col(i));
    groups.push_back({weight, possible, rule_.at(after, weight, possible)});
  }
  unite(groups, after, settings_.slack * node.weight.sum());
  return groups;
}

// Unites the neighbours that lose least by one consequence, while the loss is within the slack.
void TreeBuilder::unite(std::vector<Group>& groups, const TestState& after, double slack) const {
  const auto united = [&](const Group& a, const Group& b) {
    Group both{a.weight + b.weight, a.possible, 0};
    for (std::size_t k = 0; k < both.possible.size(); ++k) {
      both.possible[k] = a.possible[k] || b.possible[k];
    }
    both.cost = rule_.at(after, both.weight, both.possible);
    return both;
  };
  std::vector<Group> pairs;
  for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
    pairs.push_back(united(groups[i], groups[i + 1]));
  }
  while (groups.size() > 1) {
    context_.check();
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

#pragma once

#include <engine/core/context.hpp>
#include <engine/strategy/cost_to_come.hpp>

#include <map>
#include <memory>
#include <tuple>

namespace bayesrisk {

// A plan of tests as a tree: a step and what follows each of its answers, or an action.
struct TestTree {
  // Answers with the same consequence: levels, an interval of a number, or those of a panel.
  struct Branch {
    IntVector levels;
    double from = kNegativeInfinity, to = kInfinity;
    Eigen::VectorXd given;                 // P(answer | class)
    std::vector<Eigen::VectorXd> batches;  // of draws: the same in each batch
    std::shared_ptr<const TestTree> next;
  };

  const Step* step = nullptr;  // null: the action
  int action = 0;
  Eigen::VectorXd cost;  // the expected cost to come in each class
  std::vector<Branch> branches;
  int nodes = 1;

  // The expected cost at these weights. What is impossible costs nothing.
  double cost_at(const Eigen::VectorXd& weight) const;

  // The standard error of cost_at() where a panel is known by draws. Batches share no draws.
  double error_at(const Eigen::VectorXd& weight) const;

 private:
  Eigen::VectorXd cost_in(std::size_t batch) const;
};

// Builds the tree of a rule from its cost to come. Numbers are cut where one branch becomes cheaper
// than its neighbour, which follows from the exact costs of the branches, so the cost of the tree
// is exact.
class TreeBuilder {
 public:
  struct Settings {
    double slack = 0;              // the cost per case that uniting may add, for each step
    double negligible = 0;         // the cost that leaving out an interval may add
    double least_saving = 0;       // of a step
    double least_probability = 0;  // of a node with a step
    int most_steps = std::numeric_limits<int>::max();
    int most_nodes = std::numeric_limits<int>::max();
  };

  TreeBuilder(const CostToCome& rule, const Context& context);

  // Null if there are too many nodes. The weights at the root add up to 1.
  std::shared_ptr<const TestTree> build(const TestState& state, const Eigen::VectorXd& weight,
                                        const ClassSet& possible, const Settings& settings) {
    settings_ = settings;
    nodes_ = 0;
    Tree tree = pruned(grow({state, weight, possible}, 0), weight, possible);
    return nodes_ > settings_.most_nodes || tree->nodes > settings_.most_nodes ? nullptr : tree;
  }

 private:
  static constexpr int kIntervals = 100;  // of a number, before those that hardly differ are united
  static constexpr Index kGrouped = 400;  // answers of a panel whose consequences are compared
  static constexpr double kRarest = 1e-290;  // of a rarer node the weights of answers may be 0

  using Tree = std::shared_ptr<const TestTree>;

  // A node's state and weights of classes. The weights add up to its probability.
  struct Node {
    TestState state;
    Eigen::VectorXd weight;
    ClassSet possible;
  };

  // Neighbouring intervals of a number with one consequence, and their cost to come.
  struct Group {
    Eigen::VectorXd weight;
    ClassSet possible;
    double cost;
  };

  Tree grow(const Node& node, int steps) const;
  Tree stop(const Eigen::VectorXd& weight, const ClassSet& possible) const;

  // Without the steps at nodes whose exact probability is too small.
  Tree pruned(const Tree& tree, const Eigen::VectorXd& weight, const ClassSet& possible) const;
  Tree split_by_level(const Node& node, const CostToCome::Choice& choice, int steps) const;
  Tree split_by_number(const Node& node, const CostToCome::Choice& choice, int steps) const;
  Tree split_by_draws(const Node& node, const CostToCome::Choice& choice, int steps) const;
  static void add_branch(TestTree& tree, TestTree::Branch branch);
  Tree finish(TestTree tree) const;

  // The trees that may follow: one for each action, and one for each step and most probable class.
  std::vector<Tree> follow_draws(const Node& node, const CostToCome::Choice& choice,
                                 int steps) const;

  void unite_branches(std::vector<TestTree::Branch>& branches, const Node& node) const;
  std::vector<Group> group_intervals(const Node& node, const CostToCome::Choice& choice) const;
  void unite(std::vector<Group>& groups, const TestState& after, double slack) const;

  static void add_new(std::vector<Tree>& trees, Tree tree) {
    const bool known = std::any_of(trees.begin(), trees.end(),
                                   [&](const Tree& other) { return same_action(*other, *tree); });
    if (!known) trees.push_back(std::move(tree));
  }

  static bool same_action(const TestTree& a, const TestTree& b) {
    return !a.step && !b.step && a.action == b.action;
  }

  const CostToCome& rule_;
  const TestProblem& problem_;
  Settings settings_;
  const Context& context_;
  mutable int nodes_ = 0;
  std::vector<Matrix> intervals_;  // of each number: P(interval | class)
};

}  // namespace bayesrisk

#pragma once

#include <engine/core/context.hpp>
#include <engine/strategy/class_grid.hpp>
#include <engine/strategy/cost_to_come.hpp>
#include <engine/strategy/state_codes.hpp>

namespace bayesrisk {

// The cost to come at the points of a grid of beliefs, for each state of the units. The cost of the
// best rule is concave. So its interpolation between lower bounds is a lower bound, and a step of
// tests with finer answers leads from one lower bound to the next.
//
// A unit that is not tracked can be tested again and again, as often as there are such units. A
// plan that may repeat tests costs no more than one that may not. So this is a lower bound, too,
// and needs one state where tracked units have two.
class GridCostToCome : public CostToCome {
 public:
  struct Settings {
    TestRule rule = TestRule::best;
    int divisions = 1;          // of a grid, unless there would be too many points
    std::vector<char> tracked;  // by unit
  };

  GridCostToCome(const TestProblem& problem, const Settings& settings);
  ~GridCostToCome() override;

  // Computes the tables that the states need. Returns false if there was no time left.
  bool solve(const std::vector<TestState>& states, const ClassSet& possible,
             const std::function<bool()>& has_time, const Context& context);

  double at(const TestState& state, const Eigen::VectorXd& weight,
            const ClassSet& possible) const override;

  double after(const TestState& state, std::size_t unit, const Step& step,
               const Eigen::VectorXd& weight, const ClassSet& possible) const override;

 private:
  using Code = StateCodes::Code;
  struct Move;
  struct Layer;

  struct Sums;
  class Rows;

  const Layer* find_layer(const ClassSet& possible) const;
  bool find_sums(const std::function<bool()>& has_time, const Context& context);
  double count_entries(const Step& step) const;
  void add_answers(const Step& step, Index point, Sums& sums) const;
  std::vector<Move> moves_at(Code code, const Layer& layer) const;
  void fill(Code code, Layer& layer, const Context& context) const;
  void fill_at(std::size_t point, const std::vector<Move>& moves, Layer& layer,
               Vector& table) const;

  // The sum over the answers of a step of the cost to come.
  double sum_after(const Move& move, std::size_t point, const Eigen::VectorXd& weight) const;
  double sum_stop(const Move& move, std::size_t point, const Eigen::VectorXd& weight) const;

  const int divisions_;
  const StateCodes codes_;
  std::vector<Layer> layers_;  // by set of possible classes
  // The sums of steps with one next state, while tables are computed. There are none if a cost is
  // infinite or a class is impossible.
  std::map<const Step*, std::unique_ptr<Sums>> sums_;
};

}  // namespace bayesrisk

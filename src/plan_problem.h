#pragma once

// A problem of tests as R describes it.

#include "frame.h"
#include "model.h"

#include <engine/strategy/ratio_test.hpp>
#include <engine/strategy/test_plan.hpp>

#include <map>

namespace bind {

// `units`: for each unit a list of its states; a state is a list of steps, list(test, feature,
// members, price, counts, row, next). Tests, features and rows count from 1; members: of a joint
// block of numbers, those that are measured at once, the first of which is `feature`; row: the row
// of `frame` with what is known of the feature's block in this state; next: the states, from 0,
// after each level, or the one after a number. Later states follow earlier ones, and the last one
// has no steps.
class ProblemReader {
 public:
  ProblemReader(const Model& model, const Frame& frame, const Matrix& cost);

  TestProblem read(const Rcpp::List& units, int most_steps);

  // The least cost of each class, which is taken off the costs.
  const Eigen::VectorXd& least() const { return least_; }

  // The origin of the coordinates of a number.
  double origin(int number) const { return origins_[static_cast<std::size_t>(number)]; }

  // The number as the log ratio of two classes; null if it is none.
  const RatioTest* ratio(int number) const {
    return ratios_[static_cast<std::size_t>(number)].get();
  }

  // The answer of the case in a row of `cases`.
  CaseAnswer answer(const Frame& cases, Index row, const Step& step) const;

 private:
  // The row of `frame` with what is known of the block, and the answers as a step has them.
  struct Panel {
    Index row;
    Step answers;
  };

  Step read_step(SEXP list, int state, R_xlen_t states);
  void add_levels(Step& step, Index row, int levels) const;
  void add_number(Step& step, Index row);
  void add_panel(Step& step, Index row, const IntVector& members);
  Step find_answers(Index row, const IntVector& members);
  void add(Step& step, std::shared_ptr<const NumberTest> number, double origin,
           std::shared_ptr<const RatioTest> ratio);
  Eigen::VectorXd of_possible(Eigen::VectorXd log_density) const;

  const Frame& frame_;
  const View view_;
  Eigen::VectorXd least_;
  TestProblem problem_;
  std::vector<char> possible_;
  // By number.
  std::vector<std::shared_ptr<const NumberTest>> numbers_;
  Vector origins_;
  std::vector<std::shared_ptr<const RatioTest>> ratios_;
  std::map<int, Panel> panels_;  // by first feature
};

}  // namespace bind

#include "context.h"
#include "decisions.h"

#include <engine/search/sweep.hpp>

using namespace bayesrisk;

namespace {

// Pieces as columns, rows and actions from 1; a case without an answer has one row of NA.
Rcpp::List write_pieces(const std::vector<std::vector<Piece>>& pieces) {
  IntVector row, decision;
  Vector from, to;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t p = 0; p < std::max<std::size_t>(1, pieces[i].size()); ++p) {
      const bool none = pieces[i].empty();
      row.push_back(static_cast<int>(i) + 1);
      decision.push_back(none ? NA_INTEGER : pieces[i][p].action + 1);
      from.push_back(none ? NA_REAL : pieces[i][p].from);
      to.push_back(none ? NA_REAL : pieces[i][p].to);
    }
  }
  return Rcpp::List::create(Rcpp::_["row"] = row, Rcpp::_["decision"] = decision,
                            Rcpp::_["from"] = from, Rcpp::_["to"] = to);
}

}  // namespace

// `joint`: the log joint, cases x classes. If a prior varies, it is computed with the base prior.
// `decision` and `truth` count from 1; 0: none, as in Vary. `prior`: the current prior of the class
// whose prior varies.
// [[Rcpp::export(rng = false)]]
Rcpp::List sweep_cpp(Rcpp::NumericMatrix joint, Rcpp::List cost, int decision, int truth,
                     double prior, double from, double to, int threads) {
  const Matrix log_joint = Rcpp::as<Matrix>(joint);
  const int classes = joint.ncol();
  const doors::ActionCost costs(cost, classes, log_joint.rows());
  require(decision >= 0 && decision <= costs.actions.size() && truth >= 0 && truth <= classes &&
              decision + truth > 0,
          "nothing varies");
  const Sweep sweep = CasesSweep(log_joint, costs.cost, {decision - 1, truth - 1}, prior)
                          .run(from, to, doors::make_context(threads));
  return Rcpp::List::create(Rcpp::_["pieces"] = write_pieces(sweep.pieces),
                            Rcpp::_["intercept"] = sweep.intercept, Rcpp::_["slope"] = sweep.slope,
                            Rcpp::_["impossible"] = static_cast<double>(sweep.impossible),
                            Rcpp::_["unpriced"] = static_cast<double>(sweep.unpriced));
}

#include "context.h"
#include "decisions.h"
#include "joint.h"

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

// `decision` and `truth` from 1, 0: none, as in Vary. `prior` is that of the class whose
// prior varies; the prior of the model is then its base prior.
// [[Rcpp::export(rng = false)]]
Rcpp::List sweep_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost, int decision, int truth,
                     double prior, double from, double to) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const doors::ActionCost costs(cost, scored.plan.groups, data.rows);
  require(decision >= 0 && decision <= costs.actions.size() && truth >= 0 &&
              truth <= scored.plan.groups && decision + truth > 0,
          "nothing varies");
  const Context context = doors::make_context(1);
  ScoreReport report;
  const Matrix joint = doors::score_joint(scored, data, context, report);
  const Sweep sweep =
      CasesSweep(joint, costs.cost, {decision - 1, truth - 1}, prior).run(from, to, context);
  report.impossible = sweep.impossible;
  report.decision.unpriced = sweep.unpriced;
  return Rcpp::List::create(Rcpp::_["pieces"] = write_pieces(sweep.pieces),
                            Rcpp::_["intercept"] = sweep.intercept, Rcpp::_["slope"] = sweep.slope,
                            Rcpp::_["report"] = doors::write_report(report));
}

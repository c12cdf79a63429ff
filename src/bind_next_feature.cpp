#include "context.h"
#include "decisions.h"
#include "model.h"
#include "report.h"

#include <engine/search/next_feature.hpp>

using namespace bayesrisk;

namespace {

// The log joint, cases x classes; NaN where there is no answer.
Matrix score_joint(const doors::Model& model, const Frame& data, const Context& context,
                   ScoreReport& report) {
  const Scorer scorer(model.plan, model.parameters, model.prior, data.rows);
  Matrix joint(data.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = joint.data();
  report = score(scorer, data, request, context);
  return joint;
}

}  // namespace

// Matrices of cases x `features` (from 1): the expected cost now, the expected cost after the
// feature is seen, and the saving. NaN if the feature is known or the case has no answer.
// [[Rcpp::export(rng = false)]]
Rcpp::List next_feature_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost,
                            Rcpp::IntegerVector features, int threads) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const doors::ActionCost costs(cost, scored.plan.groups, data.rows);
  const int count = static_cast<int>(data.columns.size());
  IntVector asked;
  for (int feature : features) {
    require(feature >= 1 && feature <= count, "no such feature");
    asked.push_back(feature - 1);
  }
  const View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  const Context context = doors::make_context(threads);
  ScoreReport report;
  const Matrix joint = score_joint(scored, data, context, report);
  const NextFeature next = FeatureSearch(view, costs.cost, data, asked, joint).run(context);
  report.impossible = next.impossible;
  report.decision.unpriced = next.unpriced;
  return Rcpp::List::create(Rcpp::_["unknown"] = next.unknown, Rcpp::_["now"] = next.now,
                            Rcpp::_["after"] = next.after, Rcpp::_["value"] = next.value,
                            Rcpp::_["report"] = doors::write_report(report));
}

#pragma once

// The log joint of cases, for doors that compute further results from it.

#include "model.h"
#include "report.h"

namespace doors {

// Cases x classes; NaN where there is no answer.
inline Matrix score_joint(const Model& model, const Frame& data, const Context& context,
                          ScoreReport& report) {
  const Scorer scorer(model.plan, model.parameters, model.prior, data.rows);
  Matrix joint(data.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = joint.data();
  report = score(scorer, data, request, context);
  return joint;
}

}  // namespace doors

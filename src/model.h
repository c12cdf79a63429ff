#pragma once

// A model as R passes it: list(banks, parameters, prior, features), where `features` is their
// number.

#include "frame.h"

namespace doors {

struct Model {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;

  explicit Model(const Rcpp::List& list) {
    read_field(element(list, "prior"), prior);
    plan = read_plan(element(list, "banks"), static_cast<int>(prior.size()),
                     Rcpp::as<int>(element(list, "features")));
    parameters = read_banks<ParametersOf>(plan, element(list, "parameters"));
    check_prior(prior);
    require_sound(parameters, prior);
  }
};

inline Frame read_data(const Model& model, const Rcpp::List& list) {
  const Frame frame = read_frame(list);
  for (const AnyPlan& bank : model.plan.banks) {
    std::visit(
        [&](const auto& plan) {
          for (int feature : plan.features) {
            require(feature < static_cast<int>(frame.columns.size()), "frame: a column is missing");
          }
        },
        bank);
  }
  require_codes(model.plan, frame);
  return frame;
}

}  // namespace doors

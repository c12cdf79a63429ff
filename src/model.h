#pragma once

// A model as R passes it: list(banks, parameters, prior, features, temper), where `features` is
// their number, and `temper` is NULL or list(power, offset).

#include "frame.h"

#include <engine/model/tempering.hpp>

namespace doors {

struct Model {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;
  Tempering tempering;

  explicit Model(const Rcpp::List& list) {
    read_field(element(list, "prior"), prior);
    plan = read_plan(element(list, "banks"), static_cast<int>(prior.size()),
                     Rcpp::as<int>(element(list, "features")));
    parameters = read_banks<ParametersOf>(plan, element(list, "parameters"));
    check_prior(prior);
    require_sound(parameters, prior);
    read_tempering(element(list, "temper"));
  }

  // What changes the posteriors by which the model decides; null: nothing.
  const Tempering* rule() const { return tempering.empty() ? nullptr : &tempering; }

 private:
  void read_tempering(SEXP list) {
    if (list == R_NilValue) return;
    read_field(element(list, "power"), tempering.power);
    read_field(element(list, "offset"), tempering.offset);
    tempering.check(plan);
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

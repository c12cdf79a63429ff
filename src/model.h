#pragma once

// A model as the doors get it: list(banks, parameters, prior, features), the last
// the number of features.

#include "frame.h"

namespace doors {

// A class that can be chosen needs parameters that are numbers.
inline void require_sound(const std::vector<AnyParameters>& parameters, const Vector& prior) {
  for (const AnyParameters& bank : parameters) {
    for (std::size_t k = 0; k < prior.size(); ++k) {
      const int group = static_cast<int>(k);
      require(prior[k] <= 0 || std::visit([&](const auto& p) { return p.sound(group); }, bank),
              "parameters that are none");
    }
  }
}

struct Model {
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;

  explicit Model(const Rcpp::List& list) {
    read_field(element(list, "prior"), prior);
    plan = read_plan(element(list, "banks"), static_cast<int>(prior.size()),
                     Rcpp::as<int>(element(list, "features")));
    parameters = read_banks<ParametersOf>(plan, element(list, "parameters"));
    for (double p : prior) require(p >= 0 && p <= 1, "prior: not in [0, 1]");
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

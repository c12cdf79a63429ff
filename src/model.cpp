#include "model.h"

namespace bind {

Model::Model(const Rcpp::List& list) {
  read_field(element(list, "prior"), prior);
  plan = read_plan(element(list, "banks"), static_cast<int>(prior.size()),
                   Rcpp::as<int>(element(list, "features")));
  parameters = read_parameters(plan, element(list, "parameters"));
  check_prior(prior);
  require_sound(plan, parameters, prior);
  read_tempering(element(list, "temper"));
  read_hyperparameters(element(list, "hyperparameters"));
}

void Model::read_tempering(SEXP list) {
  if (list == R_NilValue) return;
  read_field(element(list, "power"), tempering.power);
  read_field(element(list, "offset"), tempering.offset);
  tempering.check(plan);
}

void Model::read_hyperparameters(SEXP list) {
  if (list == R_NilValue) return;
  require(TYPEOF(list) == VECSXP && Rf_xlength(list) == static_cast<R_xlen_t>(plan.banks.size()),
          "hyperparameters: wrong number of banks");
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    hyperparameters.push_back(
        from_list<Hyperparameters>(VECTOR_ELT(list, static_cast<R_xlen_t>(b))));
    plan.banks[b]->check(hyperparameters.back(), plan.groups);
  }
}

ParameterPosterior Model::posterior(const Vector& class_weight) const {
  require(hyperparameters.size() == plan.banks.size(), "hyperparameters: none");
  require(class_weight.empty() || static_cast<int>(class_weight.size()) == plan.groups,
          "class_weight: wrong length");
  return {{prior, parameters}, hyperparameters, class_weight};
}

Frame read_data(const Model& model, const Rcpp::List& list, const Reading& how) {
  const Frame frame = read_frame(list, how);
  for (const AnyPlan& bank : model.plan.banks) {
    for (int feature : bank->features()) {
      require(feature < static_cast<int>(frame.columns.size()), "frame: a column is missing");
    }
  }
  require_codes(model.plan, frame);
  return frame;
}

Rcpp::List write_report(const ScoreReport& report) {
  return named_list(
      {{"infinite", static_cast<double>(report.infinite)},
       {"unknown", static_cast<double>(report.unknown)},
       {"impossible", static_cast<double>(report.impossible)},
       {"first_impossible",
        report.first_impossible < 0 ? NA_REAL : static_cast<double>(report.first_impossible) + 1},
       {"unpriced", static_cast<double>(report.decision.unpriced)},
       {"error", report.decision.error},
       {"unknown_by_feature",
        Vector(report.unknown_by_feature.begin(), report.unknown_by_feature.end())},
       {"malformed_by_feature",
        Vector(report.malformed_by_feature.begin(), report.malformed_by_feature.end())}});
}

}  // namespace bind

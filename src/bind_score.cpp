#include "frame.h"
#include "threads.h"

using namespace bayesrisk;

namespace {

// A model and its data, read and checked together.
struct Reading {
  Frame frame;
  ModelPlan plan;
  std::vector<AnyParameters> parameters;
  Vector prior;

  Reading(const Rcpp::List& banks, const Rcpp::List& parameter_banks,
          const Rcpp::NumericVector& prior, const Rcpp::List& data)
      : frame(doors::FrameReader(data).read()),
        plan(doors::read_plan(banks, static_cast<int>(prior.size()),
                              static_cast<int>(frame.columns.size()))),
        parameters(doors::read_banks<ParametersOf>(plan, parameter_banks)),
        prior(prior.begin(), prior.end()) {
    doors::require_codes(plan, frame);
    for (double p : this->prior) require(p >= 0 && p <= 1, "prior: not in [0, 1]");
    for (int k = 0; k < plan.groups; ++k) {
      if (this->prior[k] > 0) require_sound(k);
    }
  }

  // A class that can be chosen needs parameters that are numbers.
  void require_sound(int k) const {
    for (const AnyParameters& bank : parameters) {
      require(std::visit([k](const auto& p) { return p.sound(k); }, bank),
              "parameters that are none");
    }
  }
};

Rcpp::List write_report(const ScoreReport& report) {
  return Rcpp::List::create(
      Rcpp::_["infinite"] = static_cast<double>(report.infinite),
      Rcpp::_["unknown"] = static_cast<double>(report.unknown),
      Rcpp::_["impossible"] = static_cast<double>(report.impossible),
      Rcpp::_["unknown_by_feature"] =
          Vector(report.unknown_by_feature.begin(), report.unknown_by_feature.end()),
      Rcpp::_["malformed_by_feature"] =
          Vector(report.malformed_by_feature.begin(), report.malformed_by_feature.end()));
}

Output parse_output(const std::string& type) {
  if (type == "class") return Output::class_;
  if (type == "prob") return Output::prob;
  if (type == "log_prob") return Output::log_prob;
  if (type == "log_joint") return Output::log_joint;
  if (type == "log_likelihood") return Output::log_likelihood;
  if (type == "log_evidence") return Output::log_evidence;
  if (type == "cost") return Output::cost;
  require(type == "decision", "no such output");
  return Output::decision;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List score_cpp(Rcpp::List banks, Rcpp::List parameter_banks, Rcpp::NumericVector prior,
                     Rcpp::List frame, std::string type, Rcpp::Nullable<Rcpp::NumericMatrix> cost,
                     int threads) {
  const Reading model(banks, parameter_banks, prior, frame);
  const Context context = doors::make_context(threads);
  const Scorer scorer(model.plan, model.parameters, model.prior, context);
  Request request;
  request.missing = NA_REAL;
  request.output = parse_output(type);
  Cost costs;
  if (cost.isNotNull()) {
    costs.of = Rcpp::as<Matrix>(cost.get());
    require(costs.of.cols() == prior.size() && costs.of.rows() > 0, "cost: wrong dimensions");
    request.cost = &costs;
  }
  require(request.cost || (request.output != Output::cost && request.output != Output::decision),
          "cost: missing");
  const R_xlen_t rows = model.frame.rows;
  Rcpp::RObject value;
  if (is_choice(request.output)) {
    Rcpp::IntegerVector choices(Rcpp::no_init(rows));
    request.choices = choices.begin();
    value = choices;
  } else {
    const int columns = request.output == Output::cost           ? costs.actions()
                        : request.output == Output::log_evidence ? 1
                                                                 : scorer.classes();
    Rcpp::NumericMatrix numbers(Rcpp::no_init(rows, columns));
    request.numbers = numbers.begin();
    value = numbers;
  }
  const ScoreReport report = score(scorer, model.frame, request, context);
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["report"] = write_report(report));
}

// [[Rcpp::export]]
Rcpp::List contributions_cpp(Rcpp::List banks, Rcpp::List parameter_banks,
                             Rcpp::NumericVector prior, Rcpp::List frame, int blocks) {
  const Reading model(banks, parameter_banks, prior, frame);
  const Scorer scorer(model.plan, model.parameters, model.prior, Context());
  Rcpp::NumericVector value(Rcpp::Dimension(model.frame.rows, blocks + 1, prior.size()));
  int expected = 0;
  for (const AnyPlan& bank : model.plan.banks) {
    expected += std::visit([](const auto& plan) { return plan.blocks(); }, bank);
  }
  require(blocks == expected, "blocks: wrong number");
  const ScoreReport report = contributions(model.plan, scorer, model.frame, NA_REAL, value.begin());
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["report"] = write_report(report));
}

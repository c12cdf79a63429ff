// Bindings of monitors of streams.

#include "context.h"
#include "decisions.h"
#include "fresh.h"
#include "model.h"

#include <engine/evaluation/monitor.hpp>
#include <engine/evaluation/monitor_now.hpp>

using namespace bayesrisk;

namespace {

Rcpp::List write_monitor(const Monitor& monitor) {
  return bind::named_list({{"prior", monitor.prior},
                           {"classes", bind::from_one(monitor.classes)},
                           {"shares", bind::to_list(monitor.shares)},
                           {"features", bind::to_list(monitor.features)},
                           {"mean", monitor.mean},
                           {"edge", monitor.edge},
                           {"changes", bind::to_list(monitor.changes)}});
}

Monitor read_monitor(const Rcpp::List& list, const bind::Model& model) {
  Monitor monitor;
  monitor.prior = Rcpp::as<Vector>(bind::element(list, "prior"));
  require(monitor.prior.size() == model.prior.size(), "monitor: other classes");
  monitor.classes = bind::read_places(bind::element(list, "classes"), model.plan.groups);
  monitor.shares = bind::from_list<ChangeProcesses>(bind::element(list, "shares"));
  monitor.features = bind::from_list<WatchedFeatures>(bind::element(list, "features"));
  bind::read_field(bind::element(list, "mean"), monitor.mean);
  bind::read_field(bind::element(list, "edge"), monitor.edge);
  monitor.changes = bind::from_list<ChangeProcesses>(bind::element(list, "changes"));
  return monitor;
}

// The evidence of the processes: vectors with an element for each owner. `process` counts from 1.
Rcpp::List write_evidence(const Strongest& found) {
  return bind::named_list({{"process", bind::from_one(found.process)},
                           {"last", found.last},
                           {"peak", found.peak},
                           {"first", found.first},
                           {"since", found.since},
                           {"by", found.by}});
}

// Rows with their classes as the only part of a sample.
SampleParts given_part(const Frame& frame, const IntVector& group) {
  return {1, frame.rows,
          [&frame, &group](Index, const SampleParts::Visit& visit) { visit(frame, group); }};
}

Index feature_count(const bind::Model& model) {
  return static_cast<Index>(feature_levels(model.plan).size());
}

}  // namespace

// A monitor of the rows that a model scores. `centre`: the model with hyperparameters, or NULL;
// `class_weight`: of the posterior of its prior, empty if it is known; `cases`: the training rows
// of each class, infinite if the densities are known. `reference`: list(frame, group), rows that
// stand for the training distribution; NULL: they are drawn from the model.
// [[Rcpp::export(rng = false)]]
Rcpp::List monitor_start_cpp(Rcpp::List model, SEXP centre, Rcpp::NumericVector class_weight,
                             Rcpp::NumericVector cases, SEXP reference, double alpha, double seed,
                             int threads) {
  const bind::Model watched(model);
  const Context context = bind::make_context(threads);
  const Vector factors = log_factors(watched.prior, watched.tempering);
  const Vector of_classes = Rcpp::as<Vector>(class_weight);
  TrainingRows rows{Rcpp::as<Vector>(cases), of_classes.empty(), reference == R_NilValue};
  require(rows.cases.size() == watched.prior.size(), "cases: wrong length");
  if (reference != R_NilValue) {
    const Frame frame = bind::read_data(watched, bind::element(reference, "frame"), {context});
    const IntVector group =
        bind::read_places(bind::element(reference, "group"), watched.plan.groups);
    require(static_cast<Index>(group.size()) == frame.rows, "group: wrong length");
    require(std::all_of(group.begin(), group.end(), [](int k) { return k >= 0; }), "group: NA");
    const MonitorSample sample(watched.scorer(frame.rows), factors, given_part(frame, group),
                               context);
    return write_monitor(start_monitor(sample, watched.prior, rows, alpha));
  }
  std::unique_ptr<ParameterPosterior> posterior;
  if (centre != R_NilValue) {
    const bind::Model at{Rcpp::List(centre)};
    posterior = std::make_unique<ParameterPosterior>(at.posterior(of_classes));
  }
  const ModelParameters own{watched.prior, watched.parameters};
  const SampleParts parts =
      drawn_parts(watched.plan, own, posterior.get(), static_cast<int>(feature_count(watched)),
                  static_cast<std::uint64_t>(seed));
  const MonitorSample sample(watched.scorer(parts.rows), factors, parts, context);
  return write_monitor(start_monitor(sample, watched.prior, rows, alpha));
}

// Adds rows to a monitor. `group`: their classes, from 1, or NA; `before`: the rows before them.
// Returns the monitor, what its processes say, and the likelihoods of the rows: see RowLikelihoods.
// [[Rcpp::export(rng = false)]]
Rcpp::List monitor_add_cpp(Rcpp::List model, Rcpp::List monitor, Rcpp::List frame,
                           Rcpp::IntegerVector group, double before, int threads) {
  const bind::Model watched(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(watched, frame, {context});
  Monitor state = read_monitor(monitor, watched);
  IntVector levels = feature_levels(watched.plan);
  levels.resize(data.columns.size(), 0);
  for (const AnyPlan& bank : watched.plan.banks) {
    if (is_bag(bank)) levels[static_cast<std::size_t>(bank->features()[0])] = -1;
  }
  state.check(levels);
  const IntVector own = bind::read_places(group, watched.plan.groups);
  require(static_cast<Index>(own.size()) == data.rows, "group: wrong length");
  const Vector factors = log_factors(watched.prior, watched.tempering);
  const Scorer scorer = watched.scorer(data.rows);
  const RowLikelihoods rows(scorer, factors, data, context);
  state.add(data, rows.posterior(watched.prior), OtherFeatures(scorer, factors, data, context), own,
            before, context);
  return bind::named_list(
      {{"monitor", write_monitor(state)},
       {"shares", write_evidence(strongest(state.shares, state.share_owners()))},
       {"changes", write_evidence(strongest(state.changes, state.change_owners()))},
       {"likelihood", rows.likelihood},
       {"evidence", rows.evidence},
       {"weight", rows.weight},
       {"uninformed", static_cast<double>(rows.report.uninformed)},
       {"report", bind::write_report(rows.report.score)}});
}

// The shares of the classes in a window, with their intervals, and the costs of two decisions: see
// estimate_now(). `window`: list(likelihood, evidence, weight, group (from 1, or NA)).
// [[Rcpp::export(rng = false)]]
Rcpp::List monitor_now_cpp(Rcpp::List window, Rcpp::NumericVector prior, Rcpp::NumericVector cases,
                           double most, Rcpp::List cost, int threads) {
  MonitorWindow rows;
  bind::read_field(bind::element(window, "likelihood"), rows.likelihood);
  bind::read_field(bind::element(window, "evidence"), rows.evidence);
  bind::read_field(bind::element(window, "weight"), rows.weight);
  const int classes = static_cast<int>(prior.size());
  rows.group = bind::read_places(bind::element(window, "group"), classes);
  const auto count = static_cast<std::size_t>(rows.likelihood.rows());
  require(rows.likelihood.cols() == classes && cases.size() == classes &&
              rows.evidence.size() == count && rows.weight.size() == count &&
              rows.group.size() == count,
          "window: wrong size");
  const bind::ActionCost priced(cost, classes, rows.likelihood.rows());
  const MonitorNow now = estimate_now(rows, Rcpp::as<Vector>(prior), Rcpp::as<Vector>(cases), most,
                                      priced.cost, bind::make_context(threads));
  return bind::named_list({{"prior", now.prior},
                           {"lower", now.lower},
                           {"upper", now.upper},
                           {"kept", now.kept},
                           {"fresh", now.fresh}});
}

#include "context.h"
#include "frame.h"
#include "lists.h"

#include <engine/data/keys.hpp>
#include <engine/evaluation/folds.hpp>
#include <engine/model/grouped_fit.hpp>
#include <engine/model/pooling.hpp>

using namespace bayesrisk;

namespace {

// `parts`: of each group list(statistics, ...).
std::vector<ModelStatistics> read_parts(const ModelPlan& plan, const Rcpp::List& parts) {
  std::vector<ModelStatistics> result;
  result.reserve(static_cast<std::size_t>(parts.size()));
  for (SEXP part : parts) {
    result.push_back(bind::read_statistics(plan, bind::element(part, "statistics")));
  }
  return result;
}

// The lists of all groups are like the first one, which is NULL at first.
SEXP first_of(const Rcpp::List& groups) { return VECTOR_ELT(groups, 0); }

Rcpp::List write_cases(const PooledCases& cases) {
  Rcpp::List banks(cases.banks.size());
  for (R_xlen_t b = 0; b < banks.size(); ++b) {
    banks[b] = Rcpp::wrap(cases.banks[static_cast<std::size_t>(b)]);
  }
  return bind::named_list({{"classes", cases.classes}, {"banks", banks}});
}

// R keeps the pool that groups borrow from as list(statistics, estimate, cases).
class Pool {
 public:
  Pool(const ModelPlan& plan, const std::vector<AnyOptions>& options, const Rcpp::List& list)
      : plan_(plan),
        options_(options),
        statistics_(bind::read_statistics(plan, Rcpp::List(bind::element(list, "statistics")))),
        cases_(bind::read_cases(plan, Rcpp::List(bind::element(list, "cases")))) {
    bind::require_known(cases_);
    const Rcpp::List estimate(bind::element(list, "estimate"));
    bind::read_field(bind::element(estimate, "prior"), merged_.prior);
    check_prior(merged_.prior);
    require(static_cast<int>(merged_.prior.size()) == plan.groups, "prior: wrong length");
    merged_.banks = bind::read_parameters(plan, Rcpp::List(bind::element(estimate, "banks")));
    require_sound(plan, merged_.banks, merged_.prior);
  }

  ModelStatistics with_cases(const ModelStatistics& own) const {
    return bayesrisk::with_cases(plan_, own, statistics_, merged_, options_, cases_);
  }

  std::vector<AnyOptions> options() const { return options_with_cases(plan_, options_, cases_); }

 private:
  const ModelPlan& plan_;
  const std::vector<AnyOptions>& options_;
  ModelStatistics statistics_;
  PooledCases cases_;
  Estimate merged_;
};

}  // namespace

// Groups of rows by keys: see KeyGroups. `codes`: per key a code of each row, from 1, or NA;
// `subset`: NULL, or whether each row was asked for.
// [[Rcpp::export(rng = false)]]
Rcpp::List group_keys_cpp(Rcpp::List codes, Rcpp::IntegerVector levels, SEXP own, SEXP subset,
                          int classes, double rows) {
  const auto count = static_cast<Index>(rows);
  const auto ints = [&](SEXP x, int type) {
    require(TYPEOF(x) == type && Rf_xlength(x) == count, "keys: wrong length");
    return type == INTSXP ? INTEGER_RO(x) : LOGICAL_RO(x);
  };
  Keys keys;
  require(codes.size() == levels.size() && codes.size() > 0, "keys: none");
  for (R_xlen_t j = 0; j < codes.size(); ++j) keys.code.push_back(ints(codes[j], INTSXP));
  keys.levels.assign(levels.begin(), levels.end());
  Rcpp::IntegerVector group(Rcpp::no_init(count));
  const KeyGroups found = KeyGrouper(keys).group(
      ints(own, INTSXP), subset == R_NilValue ? nullptr : ints(subset, LGLSXP), classes, count,
      group.begin());
  return bind::named_list({{"key", found.key},
                           {"read", found.read},
                           {"missing", found.missing},
                           {"used", found.used},
                           {"group", group}});
}

// Of each of several groups list(statistics, rows = list(read, used)), from the statistics of all:
// see GroupedEstimator. `read`: the rows of each group. `frame` and `group`: the rows, or NULL if
// there are no incomplete rows to count.
// [[Rcpp::export(rng = false)]]
Rcpp::List split_statistics_cpp(Rcpp::List banks, int classes, int features, Rcpp::List statistics,
                                Rcpp::NumericVector read, SEXP frame, SEXP group) {
  const auto groups = static_cast<int>(read.size());
  const ModelPlan plan = bind::read_plan(banks, classes, features);
  ModelPlan all = plan;
  all.groups = classes * groups;
  const ModelStatistics collected = bind::read_statistics(all, statistics);
  Frame data;
  std::optional<IncompleteRows> incomplete;
  if (frame != R_NilValue) {
    data = bind::read_frame(frame);
    require_codes(plan, data);
    const Rows rows = bind::read_rows(group, R_NilValue, all.groups, data.rows);
    incomplete.emplace(plan, data, rows.group, classes, groups);
  }
  Rcpp::List result(groups);
  for (int g = 0; g < groups; ++g) {
    ModelStatistics part = collected.of_groups(plan, g * classes, classes);
    if (incomplete) incomplete->write_to(g, part);
    const Vector& rows = part.classes.rows;
    const double used = std::accumulate(rows.begin(), rows.end(), 0.0);
    const SEXP like = first_of(result);
    result[g] = bind::named_list(
        {{"statistics", bind::write_statistics(part, bind::element_like(like, "statistics"))},
         {"rows", bind::named_list({{"read", static_cast<double>(read[g])}, {"used", used}},
                                   bind::element_like(like, "rows"))}},
        like);
  }
  return result;
}

// Whether each bank can take some cases of a merged model.
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector pooling_banks_cpp(Rcpp::List banks, int classes, int features) {
  Rcpp::LogicalVector result;
  for (const AnyPlan& bank : bind::read_plan(banks, classes, features).banks) {
    result.push_back(bank->pools());
  }
  return result;
}

// The statistics and the estimate of the merged model, and the cases that groups add: see Pooler. A
// number of cases that is NA is chosen. `groups`: of each group list(statistics, ...). The result
// is list(statistics, estimate, cases, weight), where `weight` is that of the classes (columns) of
// the groups (rows) with the cases.
// [[Rcpp::export(rng = false)]]
Rcpp::List pool_groups_cpp(Rcpp::List banks, int classes, int features, Rcpp::List groups,
                           Rcpp::List options, Rcpp::List cases, bool borrow, int threads) {
  const ModelPlan plan = bind::read_plan(banks, classes, features);
  const std::vector<ModelStatistics> parts = read_parts(plan, groups);
  const auto of_banks = bind::read_options(plan, options);
  const PooledCases asked = bind::read_cases(plan, cases);
  const Pooler pooler(plan, parts, of_banks, borrow, bind::make_context(threads));
  const Rcpp::List estimate = bind::write_estimate(plan, pooler.merged(), pooler.problems());
  const Rcpp::List merged = bind::write_statistics(pooler.statistics());
  if (pooler.problems().stops()) {
    return bind::named_list({{"statistics", merged}, {"estimate", estimate}});
  }
  const PooledCases chosen = pooler.choose(asked);
  Matrix weight(parts.size(), classes);
  for (Index g = 0; g < weight.rows(); ++g) {
    const ClassStatistics pooled = with_cases(parts[static_cast<std::size_t>(g)].classes,
                                              pooler.statistics().classes, pooler.merged(), chosen);
    for (int k = 0; k < classes; ++k) weight(g, k) = pooled.weight[static_cast<std::size_t>(k)];
  }
  return bind::named_list({{"statistics", merged},
                           {"estimate", estimate},
                           {"cases", write_cases(chosen)},
                           {"weight", weight}});
}

// The statistics of a group with cases of the merged model. `pool`: list(statistics, estimate,
// cases).
// [[Rcpp::export(rng = false)]]
Rcpp::List with_cases_cpp(Rcpp::List banks, int classes, int features, Rcpp::List statistics,
                          Rcpp::List options, Rcpp::List pool) {
  const ModelPlan plan = bind::read_plan(banks, classes, features);
  const auto of_banks = bind::read_options(plan, options);
  const Pool read(plan, of_banks, pool);
  return bind::write_statistics(read.with_cases(bind::read_statistics(plan, statistics)));
}

// The models of all groups: list(models (of each group list(statistics, rows, parameters), where
// parameters are those of estimate_cpp()), noted (the groups with diagnostics, from 1), diagnostics
// (of these), single (the groups whose rows have one class)). `groups`: of each group
// list(statistics, rows, ...); `prior`: a row for each group, or no rows: the shares of the
// classes; `pool`: NULL, or as in with_cases_cpp(); `no_notes`: the notes of a group without any.
// [[Rcpp::export(rng = false)]]
Rcpp::List estimate_groups_cpp(Rcpp::List banks, int classes, int features, Rcpp::List groups,
                               Rcpp::List options, Rcpp::NumericMatrix prior, SEXP pool,
                               Rcpp::List no_notes, bool borrow, int threads) {
  const ModelPlan plan = bind::read_plan(banks, classes, features);
  Matrix of_group;
  bind::read_field(prior, of_group);
  require(of_group.rows() == 0 || has_shape(of_group, groups.size(), classes),
          "prior: wrong dimensions");
  const std::vector<ModelStatistics> own = read_parts(plan, groups);
  const auto of_banks = bind::read_options(plan, options);
  const bool pooled = pool != R_NilValue;
  std::vector<ModelStatistics> with_cases;
  std::vector<AnyOptions> of_groups = of_banks;
  if (pooled) {
    const Pool read(plan, of_banks, Rcpp::List(pool));
    for (const ModelStatistics& part : own) with_cases.push_back(read.with_cases(part));
    of_groups = read.options();
  }
  const Context context = bind::make_context(threads);
  GroupedEstimator estimator(plan, pooled ? with_cases : own, of_groups, borrow, context);
  Rcpp::List models(own.size()), diagnostics;
  Rcpp::IntegerVector noted, single;
  for (std::size_t g = 0; g < own.size(); ++g) {
    const auto place = static_cast<int>(g);
    Vector of_classes;
    for (int k = 0; k < classes && of_group.rows() > 0; ++k) {
      of_classes.push_back(of_group(place, k));
    }
    Diagnostics found;
    Estimate estimate = estimator.estimate(place, of_classes, found);
    if (pooled && !found.stops()) estimate.log_likelihood = log_likelihood(plan, own[g], estimate);
    const SEXP group = groups[place], like = first_of(models);
    models[place] = bind::named_list(
        {{"statistics", bind::element(group, "statistics")},
         {"rows", bind::element(group, "rows")},
         {"parameters", bind::write_parameters(plan, estimate, found.stops(), no_notes,
                                               bind::element_like(like, "parameters"))}},
        like);
    if (count_classes(own[g]) == 1) single.push_back(place + 1);
    if (found.items().empty()) continue;
    noted.push_back(place + 1);
    diagnostics.push_back(bind::write_diagnostics(found));
  }
  return bind::named_list(
      {{"models", models}, {"noted", noted}, {"diagnostics", diagnostics}, {"single", single}});
}

// For each group the statistics of all others. `groups`: of each group list(statistics, ...).
// [[Rcpp::export(rng = false)]]
Rcpp::List other_groups_cpp(Rcpp::List banks, int classes, int features, Rcpp::List groups) {
  const ModelPlan plan = bind::read_plan(banks, classes, features);
  std::vector<ModelStatistics> parts = read_parts(plan, groups);
  merge_others(plan, parts, 0, parts.size(), ModelStatistics(plan), Context());
  Rcpp::List result(parts.size());
  for (std::size_t g = 0; g < parts.size(); ++g) {
    result[static_cast<R_xlen_t>(g)] = bind::write_statistics(parts[g]);
  }
  return result;
}

#pragma once

// Engine states as plain R lists, and back. Each struct lists its fields once. Every field is
// checked when it is read, so a damaged list is an error and not a crash.

#include <RcppEigen.h>

#include <engine/model/checks.hpp>

#include <cstring>

namespace doors {

using namespace bayesrisk;

template <class T>
SEXP wrap_field(const T& value) {
  return Rcpp::wrap(value);
}
inline SEXP wrap_field(const std::vector<Matrix>& value) {
  return Rcpp::List(value.begin(), value.end());
}

// The list has its final length from the start, because each push_back() would copy it. A field is
// written and read out of line, because there are dozens of structs of the same few types.
struct ListWriter {
  Rcpp::List list;
  Rcpp::CharacterVector names;
  R_xlen_t next = 0;

  explicit ListWriter(int fields) : list(fields), names(fields) {}
  template <class T>
  [[gnu::noinline]] void operator()(const char* name, const T& value) {
    list[next] = wrap_field(value);
    names[next++] = name;
  }
};

template <class State>
Rcpp::List to_list(const State& state) {
  int fields = 0;
  const auto count = [&](const char*, const auto&) { ++fields; };
  State::fields(state, count);
  ListWriter writer(fields);
  State::fields(state, writer);
  writer.list.names() = writer.names;
  return writer.list;
}

inline void require_matrix(SEXP x, SEXPTYPE type) {
  require(TYPEOF(x) == static_cast<int>(type) && Rf_isMatrix(x), "not a matrix of the right type");
}

inline void read_field(SEXP x, Matrix& value) {
  require_matrix(x, REALSXP);
  value = Eigen::Map<const Matrix>(REAL(x), Rf_nrows(x), Rf_ncols(x));
}
inline void read_field(SEXP x, IntMatrix& value) {
  require_matrix(x, INTSXP);
  value = Eigen::Map<const IntMatrix>(INTEGER(x), Rf_nrows(x), Rf_ncols(x));
}
inline void read_field(SEXP x, Vector& value) {
  require(TYPEOF(x) == REALSXP, "not a vector of numbers");
  value.assign(REAL(x), REAL(x) + Rf_xlength(x));
}
inline void read_field(SEXP x, IntVector& value) {
  require(TYPEOF(x) == INTSXP, "not a vector of integers");
  value.assign(INTEGER(x), INTEGER(x) + Rf_xlength(x));
}
inline void read_field(SEXP x, double& value) {
  require(TYPEOF(x) == REALSXP && Rf_xlength(x) == 1, "not a number");
  value = REAL(x)[0];
}
inline void read_field(SEXP x, bool& value) {
  require(TYPEOF(x) == LGLSXP && Rf_xlength(x) == 1, "not TRUE or FALSE");
  value = LOGICAL(x)[0] == 1;
}
inline void read_field(SEXP x, std::vector<Matrix>& value) {
  require(TYPEOF(x) == VECSXP, "not a list");
  value.resize(Rf_xlength(x));
  for (R_xlen_t i = 0; i < Rf_xlength(x); ++i) read_field(VECTOR_ELT(x, i), value[i]);
}

inline SEXP element(SEXP list, const char* name) {
  require(TYPEOF(list) == VECSXP, "not a list");
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  }
  throw InvalidState(std::string("`") + name + "` is missing");
}

struct ListReader {
  SEXP list;
  template <class T>
  [[gnu::noinline]] void operator()(const char* name, T& value) {
    try {
      read_field(element(list, name), value);
    } catch (const InvalidState& error) {
      throw InvalidState(std::string("`") + name + "`: " + error.what());
    }
  }
};

template <class State>
State from_list(SEXP list) {
  State state;
  ListReader reader{list};
  State::fields(state, reader);
  return state;
}

// The variant's alternative whose likelihood has this name, read from a list.
template <std::size_t I = 0>
AnyPlan read_bank_plan(const std::string& type, SEXP list) {
  if constexpr (I == std::variant_size_v<AnyPlan>) {
    // R checks the types of the banks before.
    throw InvalidState("a bank of unknown type");
  } else {
    using Plan = std::variant_alternative_t<I, AnyPlan>;
    if (type != Plan::Likelihood::name) return read_bank_plan<I + 1>(type, list);
    Plan plan = from_list<Plan>(list);
    for (int& feature : plan.features) {
      require(feature >= 1, "a bank names a feature that is not there");
      --feature;
    }
    return plan;
  }
}

inline std::string bank_type(SEXP list) {
  SEXP type = element(list, "type");
  require(TYPEOF(type) == STRSXP && Rf_xlength(type) == 1, "type: not a string");
  return CHAR(STRING_ELT(type, 0));
}

inline ModelPlan read_plan(const Rcpp::List& banks, int groups, int features) {
  ModelPlan plan;
  plan.groups = groups;
  for (R_xlen_t b = 0; b < banks.size(); ++b) {
    SEXP bank = banks[b];
    plan.banks.push_back(read_bank_plan(bank_type(bank), bank));
  }
  check_plan(plan, features);
  return plan;
}

// The states of the banks (statistics, options, parameters), by the plan's types.
template <template <class> class State>
typename MapVariant<State, AnyPlan>::type read_bank(const AnyPlan& plan, SEXP list, int groups) {
  return std::visit(
      [&](const auto& p) -> typename MapVariant<State, AnyPlan>::type {
        using Of = State<std::decay_t<decltype(p)>>;
        Of state = from_list<Of>(list);
        state.check(p, groups);
        return state;
      },
      plan);
}

template <template <class> class State>
std::vector<typename MapVariant<State, AnyPlan>::type> read_banks(const ModelPlan& plan,
                                                                  const Rcpp::List& banks) {
  require(static_cast<std::size_t>(banks.size()) == plan.banks.size(), "wrong number of banks");
  std::vector<typename MapVariant<State, AnyPlan>::type> result;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    result.push_back(read_bank<State>(plan.banks[b], banks[b], plan.groups));
  }
  return result;
}

template <class AnyState>
Rcpp::List write_banks(const std::vector<AnyState>& banks) {
  Rcpp::List result(banks.size());
  for (std::size_t b = 0; b < banks.size(); ++b) {
    result[b] = std::visit([](const auto& state) { return to_list(state); }, banks[b]);
  }
  return result;
}

inline ModelStatistics read_statistics(const ModelPlan& plan, const Rcpp::List& list) {
  ModelStatistics statistics;
  statistics.classes = from_list<ClassStatistics>(element(list, "classes"));
  check_classes(plan, statistics.classes);
  statistics.banks = read_banks<StatisticsOf>(plan, Rcpp::List(element(list, "banks")));
  return statistics;
}

inline Rcpp::List write_statistics(const ModelStatistics& statistics) {
  return Rcpp::List::create(Rcpp::_["classes"] = to_list(statistics.classes),
                            Rcpp::_["banks"] = write_banks(statistics.banks));
}

// A list of columns, one entry per problem; classes, features, banks and terms from 1, NA for all.
// `terms` is a list of vectors.
inline Rcpp::List write_diagnostics(const Diagnostics& diagnostics) {
  const std::size_t n = diagnostics.items().size();
  Rcpp::CharacterVector problem(n);
  Rcpp::IntegerVector group(n), feature(n), bank(n);
  Rcpp::NumericVector count(n);
  Rcpp::List terms(n);
  auto from_one = [](int index) { return index == kAll ? NA_INTEGER : index + 1; };
  for (std::size_t i = 0; i < n; ++i) {
    const Diagnostic& item = diagnostics.items()[i];
    problem[i] = item.problem.text;
    group[i] = from_one(item.group);
    feature[i] = from_one(item.feature);
    bank[i] = from_one(item.bank);
    count[i] = item.count;
    terms[i] = Rcpp::IntegerVector(item.terms.begin(), item.terms.end()) + 1;
  }
  return Rcpp::List::create(Rcpp::_["problem"] = problem, Rcpp::_["class"] = group,
                            Rcpp::_["feature"] = feature, Rcpp::_["bank"] = bank,
                            Rcpp::_["count"] = count, Rcpp::_["terms"] = terms);
}

// Stops if an estimate without problems is not sound.
inline Rcpp::List write_estimate(const Estimate& estimate, const Diagnostics& diagnostics) {
  if (!diagnostics.stops()) require_sound(estimate.banks, estimate.prior);
  return Rcpp::List::create(Rcpp::_["prior"] = estimate.prior,
                            Rcpp::_["banks"] = write_banks(estimate.banks),
                            Rcpp::_["log_likelihood"] = estimate.log_likelihood,
                            Rcpp::_["parameter_count"] = estimate.parameter_count,
                            Rcpp::_["diagnostics"] = write_diagnostics(diagnostics));
}

}  // namespace doors

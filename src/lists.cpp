#include "lists.h"

#include <cstring>

namespace Rcpp {

// R's own function is faster than the matrices of Rcpp.
template <>
SEXP wrap(const bayesrisk::Matrix& x) {
  SEXP result = Rf_allocMatrix(REALSXP, static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  std::copy(x.data(), x.data() + x.size(), REAL(result));
  return result;
}
template <>
SEXP wrap(const bayesrisk::IntMatrix& x) {
  SEXP result = Rf_allocMatrix(INTSXP, static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  std::copy(x.data(), x.data() + x.size(), INTEGER(result));
  return result;
}
template <>
SEXP wrap(const Eigen::VectorXd& x) {
  return NumericVector(x.data(), x.data() + x.size());
}

}  // namespace Rcpp

namespace bind {

namespace {

struct FieldCounter : EveryField<FieldCounter, false> {
  int fields = 0;

  template <class T>
  void visit(const char*, const T&) {
    ++fields;
  }
};

// The list has its final length from the start, because each push_back() would copy it. A Shield
// takes less time than an RObject.
struct ListWriter : EveryField<ListWriter, false> {
  Rcpp::Shield<SEXP> list, names;
  bool shares_names;
  R_xlen_t next = 0;

  ListWriter(R_xlen_t size, SEXP like)
      : list(Rf_allocVector(VECSXP, size)),
        names(like == R_NilValue ? Rf_allocVector(STRSXP, size)
                                 : Rf_getAttrib(like, R_NamesSymbol)),
        shares_names(like != R_NilValue) {
    require(Rf_xlength(names) == size, "a list of another length");
  }

  template <class T>
  void visit(const char* name, const T& field) {
    add(name, Rcpp::Shield<SEXP>(Rcpp::wrap(field)));
  }
  void add(const char* name, SEXP value) {
    if (!shares_names) SET_STRING_ELT(names, next, Rf_mkChar(name));
    SET_VECTOR_ELT(list, next++, value);
  }
  Rcpp::List finish() {
    Rf_setAttrib(list, R_NamesSymbol, names);
    return Rcpp::List(list);
  }
};

void require_matrix(SEXP x, SEXPTYPE type) {
  require(TYPEOF(x) == static_cast<int>(type) && Rf_isMatrix(x), "not a matrix of the right type");
}

}  // namespace

Rcpp::List list_of_fields(const std::function<void(FieldReader&)>& read, SEXP like) {
  FieldCounter count;
  read(count);
  ListWriter writer(count.fields, like);
  read(writer);
  return writer.finish();
}

Rcpp::List named_list(std::initializer_list<NamedValue> elements, SEXP like) {
  ListWriter writer(static_cast<R_xlen_t>(elements.size()), like);
  for (const NamedValue& element : elements) writer.add(element.name, element.value);
  return writer.finish();
}

void read_field(SEXP x, Matrix& value) {
  require_matrix(x, REALSXP);
  value = Eigen::Map<const Matrix>(REAL(x), Rf_nrows(x), Rf_ncols(x));
}
void read_field(SEXP x, IntMatrix& value) {
  require_matrix(x, INTSXP);
  value = Eigen::Map<const IntMatrix>(INTEGER(x), Rf_nrows(x), Rf_ncols(x));
}
void read_field(SEXP x, Vector& value) {
  require(TYPEOF(x) == REALSXP, "not a vector of numbers");
  value.assign(REAL(x), REAL(x) + Rf_xlength(x));
}
void read_field(SEXP x, IntVector& value) {
  require(TYPEOF(x) == INTSXP, "not a vector of integers");
  value.assign(INTEGER(x), INTEGER(x) + Rf_xlength(x));
}
void read_field(SEXP x, double& value) {
  require(TYPEOF(x) == REALSXP && Rf_xlength(x) == 1, "not a number");
  value = REAL(x)[0];
}
void read_field(SEXP x, bool& value) {
  require(TYPEOF(x) == LGLSXP && Rf_xlength(x) == 1, "not TRUE or FALSE");
  value = LOGICAL(x)[0] == 1;
}
void read_field(SEXP x, std::vector<Matrix>& value) {
  require(TYPEOF(x) == VECSXP, "not a list");
  value.resize(Rf_xlength(x));
  for (R_xlen_t i = 0; i < Rf_xlength(x); ++i) read_field(VECTOR_ELT(x, i), value[i]);
}

SEXP element(SEXP list, const char* name) {
  require(TYPEOF(list) == VECSXP, "not a list");
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  for (R_xlen_t i = 0; i < Rf_xlength(names); ++i) {
    if (std::strcmp(CHAR(STRING_ELT(names, i)), name) == 0) return VECTOR_ELT(list, i);
  }
  throw InvalidState(std::string("`") + name + "` is missing");
}

namespace {

// A plan, whose features count from 1 in R.
AnyPlan read_bank_plan(const std::string& type, SEXP list) {
  AnyPlan plan = empty_plan(type);
  ListReader reader(list);
  plan->edit(reader);
  for (int& feature : plan->features()) {
    require(feature >= 1, "a bank names a feature that is not there");
    --feature;
  }
  return plan;
}

std::string bank_type(SEXP list) {
  SEXP type = element(list, "type");
  require(TYPEOF(type) == STRSXP && Rf_xlength(type) == 1, "type: not a string");
  return CHAR(STRING_ELT(type, 0));
}

// The states of the banks: options, statistics or parameters. `empty`: makes a state of a bank.
template <class AnyState>
std::vector<AnyState> read_banks(const ModelPlan& plan, const Rcpp::List& banks,
                                 AnyState (Bank::*empty)() const) {
  require(static_cast<std::size_t>(banks.size()) == plan.banks.size(), "wrong number of banks");
  std::vector<AnyState> result;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const Bank& bank = *plan.banks[b];
    AnyState state = (bank.*empty)();
    ListReader reader(banks[static_cast<R_xlen_t>(b)]);
    state.edit(reader);
    bank.check(state, plan.groups);
    result.push_back(std::move(state));
  }
  return result;
}

template <class AnyState>
Rcpp::List write_states(const std::vector<AnyState>& banks, SEXP like) {
  Rcpp::List result(banks.size());
  for (R_xlen_t b = 0; b < result.size(); ++b) {
    const AnyState& state = banks[static_cast<std::size_t>(b)];
    result[b] = list_of_fields([&](FieldReader& reader) { state.read(reader); },
                               like == R_NilValue ? like : VECTOR_ELT(like, b));
  }
  return result;
}

}  // namespace

ModelPlan read_plan(const Rcpp::List& banks, int groups, int features) {
  ModelPlan plan;
  plan.groups = groups;
  for (R_xlen_t b = 0; b < banks.size(); ++b) {
    SEXP bank = banks[b];
    plan.banks.push_back(read_bank_plan(bank_type(bank), bank));
  }
  check_plan(plan, features);
  return plan;
}

std::vector<AnyOptions> read_options(const ModelPlan& plan, const Rcpp::List& banks) {
  return read_banks(plan, banks, &Bank::empty_options);
}
std::vector<AnyStatistics> read_bank_statistics(const ModelPlan& plan, const Rcpp::List& banks) {
  return read_banks(plan, banks, &Bank::empty_statistics);
}
std::vector<AnyParameters> read_parameters(const ModelPlan& plan, const Rcpp::List& banks) {
  return read_banks(plan, banks, &Bank::empty_parameters);
}

Rcpp::List write_banks(const std::vector<AnyParameters>& banks, SEXP like) {
  return write_states(banks, like);
}

ModelStatistics read_statistics(const ModelPlan& plan, const Rcpp::List& list) {
  ModelStatistics statistics;
  statistics.classes = from_list<ClassStatistics>(element(list, "classes"));
  check_classes(plan, statistics.classes);
  statistics.banks = read_bank_statistics(plan, Rcpp::List(element(list, "banks")));
  return statistics;
}

Rcpp::List write_statistics(const ModelStatistics& statistics, SEXP like) {
  return named_list({{"classes", to_list(statistics.classes, element_like(like, "classes"))},
                     {"banks", write_states(statistics.banks, element_like(like, "banks"))}},
                    like);
}

PooledCases read_cases(const ModelPlan& plan, const Rcpp::List& list) {
  PooledCases cases;
  read_field(element(list, "classes"), cases.classes);
  const Rcpp::List banks(element(list, "banks"));
  require(banks.size() == static_cast<R_xlen_t>(plan.banks.size()), "cases: wrong number of banks");
  for (R_xlen_t b = 0; b < banks.size(); ++b) {
    Vector of_bank;
    read_field(banks[b], of_bank);
    require(static_cast<int>(of_bank.size()) == plan.banks[static_cast<std::size_t>(b)]->blocks(),
            "cases: wrong length");
    require(std::none_of(of_bank.begin(), of_bank.end(), [](double m) { return m < 0; }),
            "cases: negative");
    cases.banks.push_back(of_bank);
  }
  require(!(cases.classes < 0), "cases: negative");
  return cases;
}

void require_known(const PooledCases& cases) {
  bool known = !std::isnan(cases.classes);
  for (const Vector& of_bank : cases.banks) {
    for (double m : of_bank) known = known && !std::isnan(m);
  }
  require(known, "cases: missing");
}

Mapping read_mapping(SEXP list, int groups, int target_groups, int target_features) {
  Mapping mapping;
  mapping.groups = target_groups;
  ListReader read(list);
  read("group", mapping.group);
  read("feature", mapping.feature);
  const Rcpp::List level(element(list, "level"));
  for (R_xlen_t j = 0; j < level.size(); ++j) {
    IntVector places;
    read_field(level[j], places);
    mapping.level.push_back(places);
  }
  check_mapping(mapping, groups, target_features);
  return mapping;
}

Rcpp::IntegerVector from_one(const IntVector& indices) {
  Rcpp::IntegerVector result(indices.begin(), indices.end());
  for (int& index : result) index = from_one(index);
  return result;
}

int index_of(int code, int count) {
  require(code == NA_INTEGER || (code >= 1 && code <= count), "no such code");
  return code == NA_INTEGER ? -1 : code - 1;
}

IntVector read_places(SEXP codes, int count) {
  IntVector places;
  read_field(codes, places);
  for (int& place : places) place = index_of(place, count);
  return places;
}

void require_codes_in(const Rcpp::IntegerVector& codes, int count, const char* what) {
  const auto is_code = [&](int c) { return c == NA_INTEGER || (c >= 1 && c <= count); };
  if (std::all_of(codes.begin(), codes.end(), is_code)) return;
  throw InvalidState(std::string(what) + ": no such code");
}

Eigen::VectorXd as_vector(const Rcpp::NumericVector& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.begin(), x.size());
}

Rcpp::List write_diagnostics(const Diagnostics& diagnostics) {
  const std::size_t n = diagnostics.items().size();
  Rcpp::CharacterVector problem(n);
  Rcpp::IntegerVector group(n), feature(n), bank(n);
  Rcpp::NumericVector count(n);
  Rcpp::List terms(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Diagnostic& item = diagnostics.items()[i];
    problem[i] = item.problem.text;
    group[i] = from_one(item.group);
    feature[i] = from_one(item.feature);
    bank[i] = from_one(item.bank);
    count[i] = item.count;
    terms[i] = from_one(item.terms);
  }
  return named_list({{"problem", problem},
                     {"class", group},
                     {"feature", feature},
                     {"bank", bank},
                     {"count", count},
                     {"terms", terms}});
}

Rcpp::List write_parameters(const ModelPlan& plan, const Estimate& estimate, bool stopped,
                            const Rcpp::List& notes, SEXP like) {
  if (!stopped) require_sound(plan, estimate.banks, estimate.prior);
  return named_list({{"prior", estimate.prior},
                     {"banks", write_banks(estimate.banks, element_like(like, "banks"))},
                     {"log_likelihood", estimate.log_likelihood},
                     {"parameter_count", estimate.parameter_count},
                     {"notes", notes}},
                    like);
}

Rcpp::List write_estimate(const ModelPlan& plan, const Estimate& estimate,
                          const Diagnostics& diagnostics) {
  if (!diagnostics.stops()) require_sound(plan, estimate.banks, estimate.prior);
  return named_list({{"prior", estimate.prior},
                     {"banks", write_banks(estimate.banks)},
                     {"log_likelihood", estimate.log_likelihood},
                     {"parameter_count", estimate.parameter_count},
                     {"diagnostics", write_diagnostics(diagnostics)}});
}

}  // namespace bind

#pragma once

// Engine states as plain R lists, and back. Each struct lists its fields once. Every field is
// checked when it is read, so a damaged list is an error and not a crash.

#include "rcpp.h"

#include <engine/likelihood/contract/registry.hpp>
#include <engine/model/checks.hpp>
#include <engine/model/pooling.hpp>

#include <functional>
#include <initializer_list>

namespace bind {

using namespace bayesrisk;

// An element of named_list().
struct NamedValue {
  const char* name;
  Rcpp::Shield<SEXP> value;  // much faster than an RObject

  template <class T>
  NamedValue(const char* name, const T& value) : name(name), value(Rcpp::wrap(value)) {}
};

// As Rcpp::List::create(), which the compiler instantiates for each combination of types. `like`: a
// list with these names, which both then share, or NULL. One of thousands of lists takes half the
// time if it is like the first of them.
Rcpp::List named_list(std::initializer_list<NamedValue> elements, SEXP like = R_NilValue);

// The element of this name, which must be there.
SEXP element(SEXP list, const char* name);

// The same of a list that another one is like; NULL if there is none.
inline SEXP element_like(SEXP list, const char* name) {
  return list == R_NilValue ? list : element(list, name);
}

void read_field(SEXP x, Matrix& value);
void read_field(SEXP x, IntMatrix& value);
void read_field(SEXP x, Vector& value);
void read_field(SEXP x, IntVector& value);
void read_field(SEXP x, double& value);
void read_field(SEXP x, bool& value);
void read_field(SEXP x, std::vector<Matrix>& value);

// `read(reader)` shows the fields of a state to a reader. `like`: as in named_list().
Rcpp::List list_of_fields(const std::function<void(FieldReader&)>& read, SEXP like = R_NilValue);

template <class State>
Rcpp::List to_list(const State& state, SEXP like = R_NilValue) {
  return list_of_fields([&](FieldReader& reader) { read_fields(state, reader); }, like);
}

class ListReader : public EveryField<ListReader, true> {
 public:
  explicit ListReader(SEXP list) : list_(list) {}

  template <class T>
  void visit(const char* name, T& field) {
    try {
      read_field(element(list_, name), field);
    } catch (const InvalidState& error) {
      throw InvalidState(std::string("`") + name + "`: " + error.what());
    }
  }

 private:
  SEXP list_;
};

template <class State>
State from_list(SEXP list) {
  State state;
  ListReader reader(list);
  edit_fields(state, reader);
  return state;
}

ModelPlan read_plan(const Rcpp::List& banks, int groups, int features);
std::vector<AnyOptions> read_options(const ModelPlan& plan, const Rcpp::List& banks);
std::vector<AnyStatistics> read_bank_statistics(const ModelPlan& plan, const Rcpp::List& banks);
std::vector<AnyParameters> read_parameters(const ModelPlan& plan, const Rcpp::List& banks);
Rcpp::List write_banks(const std::vector<AnyParameters>& banks, SEXP like = R_NilValue);

ModelStatistics read_statistics(const ModelPlan& plan, const Rcpp::List& list);
Rcpp::List write_statistics(const ModelStatistics& statistics, SEXP like = R_NilValue);

// The cases that groups add, list(classes, banks): NA becomes NaN.
PooledCases read_cases(const ModelPlan& plan, const Rcpp::List& list);
void require_known(const PooledCases& cases);

// The mapping of statistics to another plan, checked against both plans.
Mapping read_mapping(SEXP list, int groups, int target_groups, int target_features);

// Indices from 0 as R counts; a negative one is NA.
inline int from_one(int index) { return index < 0 ? NA_INTEGER : index + 1; }
Rcpp::IntegerVector from_one(const IntVector& indices);

// A code of R, from 1 to `count`, as an index; NA is -1.
int index_of(int code, int count);
IntVector read_places(SEXP codes, int count);

// Codes from 1 to `count`, or NA.
void require_codes_in(const Rcpp::IntegerVector& codes, int count, const char* what);

Eigen::VectorXd as_vector(const Rcpp::NumericVector& x);

// A list of columns, one entry per problem; classes, features, banks and terms from 1, NA for all.
// `terms` is a list of vectors.
Rcpp::List write_diagnostics(const Diagnostics& diagnostics);

// Stops if an estimate without problems is not sound.
Rcpp::List write_estimate(const ModelPlan& plan, const Estimate& estimate,
                          const Diagnostics& diagnostics);

// The same without diagnostics, with `notes`.
Rcpp::List write_parameters(const ModelPlan& plan, const Estimate& estimate, bool stopped,
                            const Rcpp::List& notes, SEXP like = R_NilValue);

}  // namespace bind

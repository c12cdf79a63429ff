#include "fresh.h"

#include <engine/data/distinct.hpp>

using namespace bayesrisk;

// The different texts of a vector, in the order in which they come and without NA, and for each
// element the code of its text, from 1. R keeps each text of an encoding once, so the addresses
// tell texts apart. The same text in two encodings counts as two.
// [[Rcpp::export(rng = false)]]
Rcpp::List distinct_text_cpp(Rcpp::CharacterVector text) {
  const SEXP* item = STRING_PTR_RO(text);
  const R_xlen_t count = text.size();
  auto codes = doors::fresh<Rcpp::IntegerVector>(count);
  const Distinct distinct(reinterpret_cast<const void* const*>(item), count, NA_STRING,
                          codes.begin());
  const std::vector<const void*>& items = distinct.items();
  Rcpp::CharacterVector values(static_cast<R_xlen_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    SET_STRING_ELT(values, static_cast<R_xlen_t>(i),
                   static_cast<SEXP>(const_cast<void*>(items[i])));
  }
  return Rcpp::List::create(Rcpp::_["values"] = values, Rcpp::_["codes"] = codes);
}

#include "model.h"

#include <engine/model/draw.hpp>

using namespace bayesrisk;

// Draws rows from the model with R's generator. Returns their classes (from 1), and for each
// feature its numbers or codes (from 1).
// [[Rcpp::export(rng = false)]]
Rcpp::List draw_rows_cpp(Rcpp::List model, int rows) {
  const doors::Model known(model);
  require(rows >= 0, "rows: negative");
  const Drawer drawer(known.plan, known.parameters);
  DrawnRows drawn(drawer.levels(), rows);
  const IntVector group = draw_cases(
      drawer, known.prior, rows, [] { return R::unif_rand(); }, drawn);
  Rcpp::IntegerVector classes(group.begin(), group.end());
  return Rcpp::List::create(Rcpp::_["class"] = Rcpp::IntegerVector(classes + 1),
                            Rcpp::_["columns"] = doors::write_columns(drawn.frame()));
}

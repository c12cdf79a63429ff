#pragma once

// The report of rows without a complete answer, for R.

#include "rcpp.h"

#include <engine/model/score.hpp>

namespace doors {

inline Rcpp::List write_report(const bayesrisk::ScoreReport& report) {
  using bayesrisk::Vector;
  return Rcpp::List::create(
      Rcpp::_["infinite"] = static_cast<double>(report.infinite),
      Rcpp::_["unknown"] = static_cast<double>(report.unknown),
      Rcpp::_["impossible"] = static_cast<double>(report.impossible),
      Rcpp::_["first_impossible"] =
          report.first_impossible < 0 ? NA_REAL : static_cast<double>(report.first_impossible) + 1,
      Rcpp::_["unpriced"] = static_cast<double>(report.decision.unpriced),
      Rcpp::_["error"] = report.decision.error,
      Rcpp::_["unknown_by_feature"] =
          Vector(report.unknown_by_feature.begin(), report.unknown_by_feature.end()),
      Rcpp::_["malformed_by_feature"] =
          Vector(report.malformed_by_feature.begin(), report.malformed_by_feature.end()));
}

}  // namespace doors

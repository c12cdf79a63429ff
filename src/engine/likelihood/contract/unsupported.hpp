#pragma once

namespace bayesrisk {

// Says why a likelihood lacks a part of the contract, and stands in its place, so that no part is
// forgotten.
struct Unsupported {
  const char* why;
};

// The overlap of two classes follows from the densities of the members.
struct ByMarginals {};

// Reasons that several likelihoods share. A likelihood is derived from them.

struct SingleMembers {
  static constexpr Unsupported scatter{"its features stand alone"};
  static constexpr Unsupported fewest_missing{"its features stand alone"};
  static constexpr Unsupported conditional{"its features stand alone"};
  static constexpr Unsupported table{"its features stand alone"};
};

struct NotNormal {
  static constexpr Unsupported normals{"its density is not normal"};
  static constexpr Unsupported moments{"its statistics are no moments"};
};

struct NoTable {
  static constexpr Unsupported cells{"its density is no table"};
};

struct NoPosterior {
  static constexpr Unsupported unbiased{"there is no posterior"};
  static constexpr Unsupported hyperparameters{"its parameters have no conjugate prior"};
  static constexpr Unsupported draw_parameters{"its parameters have no conjugate prior"};
  static constexpr Unsupported predictive{"there is no posterior"};
};

// A probability is the mean of its posterior.
struct MeansOfPosterior {
  static constexpr Unsupported unbiased{"the estimate has no divisor"};
  static constexpr Unsupported predictive{"the estimates are the predictive probabilities"};
};

// A group stands alone, or is that of all rows.
struct NoPooling {
  static constexpr Unsupported pools{"its parameters have no conjugate prior"};
};

struct NoTerms {
  static constexpr Unsupported prepare_for_terms{"only a bag has terms"};
};

// Nothing is known of the length of a case, so a bag has no density.
struct BagOfTerms : SingleMembers, NotNormal, NoTable, NoPooling {
  static constexpr Unsupported overlap{"a bag has no density"};
  static constexpr Unsupported tilt{"a bag has no density"};
  static constexpr bool kLendsSpread = false;
};

}  // namespace bayesrisk

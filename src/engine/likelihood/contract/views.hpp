#pragma once

#include <engine/core/types.hpp>

#include <numeric>

namespace bayesrisk {

// The features of a bank that have the same value in all rows. They carry no information about the
// class; their log likelihood is 0.
struct LeftOut {
  IntVector features;  // 0 or 1 for each; empty: none

  bool operator[](Index j) const {
    return !features.empty() && features[static_cast<std::size_t>(j)] != 0;
  }
  int count() const { return std::accumulate(features.begin(), features.end(), 0); }
  void set(Index j, Index members) {
    features.resize(static_cast<std::size_t>(members), 0);
    features[static_cast<std::size_t>(j)] = 1;
  }
  void check(int members) const {
    require(features.empty() || static_cast<int>(features.size()) == members,
            "left_out: wrong length");
  }
};

// Parameters of normal features, as others read them. They refer to the parameters of a bank.
struct NormalView {
  const IntVector* features = nullptr;  // null: the bank is not normal
  const Matrix *mean = nullptr, *mean_low = nullptr;
  const LeftOut* left_out = nullptr;
  const Matrix* sd = nullptr;                   // of single features, otherwise null
  const std::vector<Matrix>* factor = nullptr;  // of a block, one if pooled, otherwise null
  // A block whose density is a weighted sum of normals has these; otherwise null. Its normals stand
  // in the place of classes.
  const IntVector* components = nullptr;
  const Vector* log_weight = nullptr;

  struct Term {
    int at;  // among the normals
    double log_weight;
  };

  bool is_block() const { return factor != nullptr; }
  const Matrix& factor_of(int k) const {
    return (*factor)[factor->size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }
  std::vector<Term> terms_of(int k) const {
    if (!components) return {{k, 0}};
    const int first = std::accumulate(components->begin(), components->begin() + k, 0);
    std::vector<Term> terms;
    for (int t = first; t < first + (*components)[static_cast<std::size_t>(k)]; ++t) {
      terms.push_back({t, (*log_weight)[static_cast<std::size_t>(t)]});
    }
    return terms;
  }
};

// The counts of a joint table. They refer to the statistics of a bank.
struct TableView {
  const IntMatrix* cells = nullptr;   // cells x features, codes from 1; null: the bank is no table
  const Matrix* count = nullptr;      // groups x cells
  const IntVector* levels = nullptr;  // of each feature
  double all_cells = 0;
};

}  // namespace bayesrisk

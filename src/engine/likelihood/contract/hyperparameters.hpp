#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The hyperparameters of the posterior of a bank's parameters, apart from its centre, the estimate:
// see posterior/draws.hpp.
struct Hyperparameters {
  Matrix weight{};   // groups x blocks. Empty or 0: no posterior, the parameters count as known
  Matrix freedom{};  // likewise: degrees of freedom of a variance or a covariance; of a Poisson
                     // rate the size of its negative binomial distribution

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("freedom", self.freedom);
  }
  bool known() const { return weight.size() == 0; }
  void check(int groups, int blocks, bool has_freedom) const {
    require(known() || has_shape(weight, groups, blocks), "hyperparameters: wrong dimensions");
    require(freedom.size() == 0 || has_shape(freedom, groups, blocks),
            "hyperparameters: wrong dimensions");
    require(!has_freedom || freedom.size() == weight.size(),
            "hyperparameters: no degrees of freedom");
    require(!has_freedom || !known(), "hyperparameters: none");
  }
};

}  // namespace bayesrisk

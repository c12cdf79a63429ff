#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/random.hpp>

namespace bayesrisk {

// Points of the unit cube that fill it more evenly than random points: a Korobov lattice, shifted
// at random and folded (the tent, or baker's, transformation). Each point is uniformly distributed,
// so averages over independent shifts are unbiased.
//
// The first 2^m points form a lattice for every m, so the number of points can be doubled. The
// multiplier is that of Hickernell, Hong, L'Ecuyer and Lemieux (2000), Extensible lattice sequences
// for quasi-Monte Carlo quadrature, SIAM J. Sci. Comput. 22, 1117-1138. In small lattices the
// powers of the multiplier repeat. Therefore the coordinates after the first kLattice are random
// numbers.
class ShiftedLattice {
 public:
  ShiftedLattice(int dimension, std::uint64_t seed, std::uint64_t stream);

  void point(std::uint64_t i, double* u) const;

 private:
  static constexpr int kLattice = 32;
  static constexpr std::uint64_t kMultiplier = 17797;

  // The bits of i in reverse order.
  static std::uint64_t reversed(std::uint64_t i);

  int dimension_;
  std::uint64_t key_;
  std::vector<std::uint64_t> multiplier_, shift_;
};

}  // namespace bayesrisk

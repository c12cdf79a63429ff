#pragma once

#include <engine/core/types.hpp>

#include <cstdint>

namespace bayesrisk {

// Counter-based random numbers (SplitMix64): number i of a stream depends on the
// seed, the stream and i alone, so that no result depends on threads.
class CounterRandom {
 public:
  explicit CounterRandom(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix(mix(seed) + stream)) {}

  std::uint64_t bits() { return mix(state_ += kStep); }

  // In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // In [0, bound), each number as likely as any other (Lemire's multiplication).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (bits() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t uneven = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < uneven) product = (bits() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ull;

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace bayesrisk

#pragma once

#include "../helpers.hpp"

namespace fuzz {

using namespace testing;

// The engine broke a promise.
struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};

inline void hold(bool promise, const char* what) {
  if (!promise) throw Broken(what);
}

// The input as a list of choices. After the end of the input every choice is the first one, so a
// short input is a simple problem.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}

  int byte() { return next_ == end_ ? 0 : *next_++; }
  int below(int n) { return byte() % n; }
  bool flag() { return below(2) == 1; }

  // One of a few numbers, which leads to ties; one of the extremes of arithmetic; or any number.
  double number() {
    const int kind = byte();
    if (kind < 128) return 0.5 * (kind % 24) - 2;
    if (kind < 176) return kExtremes[kind % kExtremes.size()];
    if (kind < 208) return std::ldexp(byte() - 128, 4 * (byte() - 128));
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | static_cast<unsigned>(byte());
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }

  // Limits the following finite numbers: none is larger than `most`, and none but 0 is smaller than
  // 1 / `most`.
  void limit(double most) { most_ = most; }

  double finite() {
    const double x = number(), size = std::abs(x);
    return std::isfinite(x) && size <= most_ && (x == 0 || size >= 1 / most_) ? x : 1;
  }
  double not_negative() { return std::abs(finite()); }
  double positive() {
    const double x = not_negative();
    return x > 0 ? x : 1;
  }

  int integer() {
    if (byte() < 192) return byte() - 128;
    int result = 0;
    for (int i = 0; i < 4; ++i)
      result = static_cast<int>(static_cast<unsigned>(result) << 8 | static_cast<unsigned>(byte()));
    return result;
  }

 private:
  inline static const Vector kExtremes{kNaN,
                                       -kNegativeInfinity,
                                       kNegativeInfinity,
                                       -0.0,
                                       5e-324,
                                       2.2250738585072014e-308,
                                       1e-300,
                                       1e-160,
                                       1e-154,
                                       1e-100,
                                       1e-17,
                                       -1e-9,
                                       1 + 0x1p-52,
                                       1e9,
                                       1e9 + 1,
                                       1e16,
                                       -1e16,
                                       1e100,
                                       1e154,
                                       1.4e154,
                                       -1e155,
                                       1e300,
                                       1.7976931348623157e308,
                                       -1.7976931348623157e308};

  const std::uint8_t *next_, *end_;
  double most_ = kInfinity;
};

}  // namespace fuzz

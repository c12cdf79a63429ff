#pragma once

#include <engine/core/types.hpp>

#include <cstdint>

namespace bayesrisk {

// Numbers different items in the order in which they come, by their addresses: equal items share
// one address. `missing`: the address that stands for a missing item.
class Distinct {
 public:
  explicit Distinct(const void* missing) : missing_(missing), slots_(kFewestSlots, kFree) {}

  // From 1; kMissingInteger for a missing item.
  int code(const void* item) {
    if (item == missing_) return kMissingInteger;
    std::size_t i = place(item);
    for (; slots_[i] != kFree; i = next(i)) {
      if (items_[static_cast<std::size_t>(slots_[i])] == item) return slots_[i] + 1;
    }
    slots_[i] = static_cast<int>(items_.size());
    items_.push_back(item);
    if (2 * items_.size() > slots_.size()) grow();
    return static_cast<int>(items_.size());
  }

  const std::vector<const void*>& items() const { return items_; }

 private:
  static constexpr std::size_t kFewestSlots = 64;
  static constexpr int kFree = -1;

  // The high bits of a product depend on all bits of the address.
  std::size_t place(const void* item) const {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(item));
    return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 32) & (slots_.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void grow() {
    slots_.assign(2 * slots_.size(), kFree);
    for (std::size_t n = 0; n < items_.size(); ++n) {
      std::size_t i = place(items_[n]);
      while (slots_[i] != kFree) i = next(i);
      slots_[i] = static_cast<int>(n);
    }
  }

  const void* missing_;
  std::vector<int> slots_;  // a power of 2 of them
  std::vector<const void*> items_;
};

}  // namespace bayesrisk

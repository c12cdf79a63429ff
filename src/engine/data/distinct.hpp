#pragma once

#include <engine/core/types.hpp>
#include <engine/data/columns.hpp>

#include <cstdint>

namespace bayesrisk {

// Numbers different items in the order in which they come, by their addresses.
class Distinct {
 public:
  // Writes the code of each item, from 1. An item at the address `missing` is kMissingInteger.
  Distinct(const void* const* item, Index count, const void* missing, int* code)
      : slots_(kFewestSlots, kFree) {
    for (Index i = 0; i < count; ++i) {
      code[i] = item[i] == missing ? kMissingInteger : code_of(item[i]);
    }
  }

  // The different items, without the missing one.
  const std::vector<const void*>& items() const { return items_; }

 private:
  static constexpr std::size_t kFewestSlots = 64;
  static constexpr int kFree = 0;

  int code_of(const void* item) {
    std::size_t i = place(item);
    while (slots_[i] != kFree) {
      if (items_[static_cast<std::size_t>(slots_[i]) - 1] == item) return slots_[i];
      i = next(i);
    }
    items_.push_back(item);
    const int code = static_cast<int>(items_.size());
    slots_[i] = code;
    if (2 * items_.size() > slots_.size()) grow();
    return code;
  }

  // The high bits of the product depend on all bits of the address.
  std::size_t place(const void* item) const {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(item);
    return static_cast<std::size_t>(address * 0x9E3779B97F4A7C15u >> 32) & (slots_.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void grow() {
    slots_.assign(2 * slots_.size(), kFree);
    for (std::size_t n = 0; n < items_.size(); ++n) {
      std::size_t i = place(items_[n]);
      while (slots_[i] != kFree) i = next(i);
      slots_[i] = static_cast<int>(n) + 1;
    }
  }

  IntVector slots_;  // a power of 2 of them
  std::vector<const void*> items_;
};

}  // namespace bayesrisk

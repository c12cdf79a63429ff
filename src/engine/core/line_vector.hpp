#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bayesrisk {

// Memory that begins at a line of the cache.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::size_t kLine = 64;

  LineAllocator() = default;
  template <class U>
  explicit LineAllocator(const LineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kLine}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{kLine}); }
  template <class U>
  bool operator==(const LineAllocator<U>&) const {
    return true;
  }
  template <class U>
  bool operator!=(const LineAllocator<U>&) const {
    return false;
  }
};

// Numbers that loops read again and again. To load a vector from two lines takes twice as long.
using LineVector = std::vector<double, LineAllocator<double>>;

}  // namespace bayesrisk

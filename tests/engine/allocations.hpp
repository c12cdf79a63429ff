#pragma once

// Replaces `operator new` of the whole program. The replacement returns the same memory, counts the
// allocations, and fails on request. Include this file once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace allocations {

// Makes an operation fail after a number of successes: once, or from then on.
class Fuse {
 public:
  void set(std::int64_t times, bool stays) {
    burnt_ = false;
    stays_ = stays;
    left_ = times;
  }
  void put_out() { left_ = kOut; }
  // Whether the operation has failed since the fuse was set.
  bool burnt() const { return burnt_; }

  bool fails() {
    if (left_ == kOut) return false;
    const std::int64_t left = left_--;
    const bool now = left == 0 || (left < 0 && stays_);
    if (now) burnt_ = true;
    return now;
  }

 private:
  static constexpr std::int64_t kOut = std::numeric_limits<std::int64_t>::min();
  std::atomic<std::int64_t> left_{kOut};
  std::atomic<bool> stays_{false}, burnt_{false};
};

inline Fuse memory;
inline std::atomic<std::int64_t> live{0};  // allocations that were not freed yet
inline thread_local bool spared = false;   // allocations of this thread never fail

// Spares allocations that the test makes, not the engine, for example to start threads.
struct Spared {
  bool before = spared;
  explicit Spared(bool now) { spared = spared || now; }
  ~Spared() { spared = before; }
};

// With `-Wl,--wrap=malloc,--wrap=calloc,--wrap=free` these functions also replace malloc(),
// calloc() and free(). Eigen's matrices get their memory from malloc(). A compiler makes one
// calloc() of malloc() and memset(). The linker gives the original functions the names below.
#ifdef __ELF__
extern "C" __attribute__((weak)) void* __real_malloc(std::size_t);
extern "C" __attribute__((weak)) void __real_free(void*);
inline void* take(std::size_t size) {
  return __real_malloc ? __real_malloc(size) : std::malloc(size);
}
inline void give(void* at) { __real_free ? __real_free(at) : std::free(at); }
#else
inline void* take(std::size_t size) { return std::malloc(size); }
inline void give(void* at) { std::free(at); }
#endif

inline __attribute__((noinline)) void* allocate(std::size_t size) noexcept {
  if (!spared && memory.fails()) return nullptr;
  void* result = take(size > 0 ? size : 1);
  live += result != nullptr;
  return result;
}

inline __attribute__((noinline)) void release(void* at) noexcept {
  live -= at != nullptr;
  give(at);
}

inline void* allocate_or_throw(std::size_t size) {
  if (void* result = allocate(size)) return result;
  throw std::bad_alloc();
}

}  // namespace allocations

void* operator new(std::size_t size) { return allocations::allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocations::allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocations::allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocations::allocate(size);
}
void operator delete(void* at) noexcept { allocations::release(at); }
void operator delete[](void* at) noexcept { allocations::release(at); }
void operator delete(void* at, std::size_t) noexcept { allocations::release(at); }
void operator delete[](void* at, std::size_t) noexcept { allocations::release(at); }
void operator delete(void* at, const std::nothrow_t&) noexcept { allocations::release(at); }
void operator delete[](void* at, const std::nothrow_t&) noexcept { allocations::release(at); }

#ifdef __ELF__
extern "C" void* __wrap_malloc(std::size_t size) { return allocations::allocate(size); }
extern "C" void* __wrap_calloc(std::size_t count, std::size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return nullptr;
  void* result = allocations::allocate(count * size);
  return result ? std::memset(result, 0, count * size) : nullptr;
}
extern "C" void __wrap_free(void* at) { allocations::release(at); }
#endif

#include "fuzz/entries.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace test_fuzz {

TEST_SUITE_BEGIN("fuzz");

TEST_CASE("what a fuzzer found worth trying keeps the promises of the engine") {
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator("fuzz/corpus")) {
    INFO(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    CHECK_NOTHROW(fuzz::run(data, bytes.size()));
    ++inputs;
  }
  CHECK(inputs > 0);
}

TEST_SUITE_END();

}  // namespace test_fuzz

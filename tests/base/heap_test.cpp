#include "base/process/heap.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <variant>

#include "base/process/isolated_process.h"

namespace msci {
namespace {

// How far the heap of a new process grows while it allocates 16 MiB in small pieces.
std::string growth(std::size_t grown_before) {
  const auto outcome = run_isolated([&] {
    ::malloc_trim(0);  // what earlier tests have freed
    if (grown_before > 0) reserve_heap(grown_before);
    const auto* before = static_cast<const char*>(::sbrk(0));
    constexpr std::size_t piece = 4096, pieces = 4096;
    for (std::size_t i = 0; i < pieces; ++i)
      if (!std::malloc(piece)) return std::string("no memory");
    return std::to_string(static_cast<const char*>(::sbrk(0)) - before);
  });
  const auto* text = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
  return text ? *text : "the process failed";
}

#ifndef __SANITIZE_ADDRESS__  // it has a heap of its own
TEST(Heap, holds_what_it_was_grown_for) {
  EXPECT_GE(std::stoll(growth(0)), 15 << 20);
  EXPECT_EQ(growth(std::size_t{20} << 20), "0");
}
#endif

}  // namespace
}  // namespace msci

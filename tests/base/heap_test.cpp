#include "base/process/heap.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
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

// The page faults of a new process that fills 8 MiB in small pieces.
std::string page_faults(std::size_t filled_before) {
  const auto outcome = run_isolated([&] {
    ::malloc_trim(0);
    if (filled_before > 0) fill_heap(filled_before);
    const auto count = [] {
      rusage used{};
      ::getrusage(RUSAGE_SELF, &used);
      return used.ru_minflt;
    };
    const auto before = count();
    constexpr std::size_t piece = 2048, pieces = 4096;
    for (std::size_t i = 0; i < pieces; ++i)
      if (void* memory = std::malloc(piece)) std::memset(memory, 1, piece);
    return std::to_string(count() - before);
  });
  const auto* text = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
  return text ? *text : "-1";
}

#ifndef __SANITIZE_ADDRESS__  // it has a heap of its own
TEST(Heap, has_the_pages_that_it_was_filled_with) {
  if (::madvise(nullptr, 0, MADV_POPULATE_WRITE) != 0) GTEST_SKIP() << "needs Linux 5.14";
  EXPECT_GE(std::stoll(page_faults(0)), 1500);
  EXPECT_LE(std::stoll(page_faults(std::size_t{10} << 20)), 100);
}

TEST(Heap, holds_what_it_was_grown_for) {
  EXPECT_GE(std::stoll(growth(0)), 15 << 20);
  EXPECT_EQ(growth(std::size_t{20} << 20), "0");
}
#endif

}  // namespace
}  // namespace msci

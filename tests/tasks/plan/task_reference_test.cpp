// References on disk: which of them stay.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tasks/plan/task.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

constexpr std::size_t kibibyte = 1024;

Task with_reference() {
  return {.name = "toy",
          .reference = [](const Size&) { return Bytes{std::vector<std::byte>(kibibyte)}; }};
}

void age(const std::filesystem::path& cache, const std::string& label) {
  const auto path = cache / ("references/toy-v1-" + label + ".bin");
  using Clock = std::filesystem::file_time_type::clock;
  std::filesystem::last_write_time(path, Clock::now() - std::chrono::hours(1));
}

TEST(References, beyond_their_limit_make_room_for_those_that_were_used_last) {
  const Folder folder;
  Cache cache(folder / "cache");
  const auto task = with_reference();
  for (const char* label : {"a", "b", "c"}) {
    reference_of(task, {.label = label}, cache);
    age(folder / "cache", label);
  }
  reference_of(task, {.label = "b"}, cache);
  trim_references(cache, 4 * kibibyte);
  EXPECT_EQ(cache.usage("references").entries, 3U) << "there is room for all";
  trim_references(cache, 2 * kibibyte);
  EXPECT_EQ(cache.usage("references").entries, 1U) << "a quarter of the room is free";
  EXPECT_TRUE(cache.load("references/toy-v1-b.bin"));
}

}  // namespace
}  // namespace msci

// The table of ceilings.
#include "evaluator/measure/roofline.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(KnownCeilings, follow_the_benchmarks_lookup_rule) {
  struct Case {
    std::string_view name;
    double gflops;
    double gbps;
  };
  for (const auto& [name, gflops, gbps] : std::vector<Case>{
           {"Apple M1 Pro", 4500, 200},  // exact, though "Apple M1" stands before it
           {"Apple M4 Max", 18000, 546},
           {"Apple M3 Ultra", 4100, 100},  // not listed: the first row that is part of it
           {"Apple M9", 2000, 80},
           {"NVIDIA H200", 67000, 4300}}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(known_ceilings(name), (Ceilings{gflops, gbps, Ceilings::Source::table}));
  }
  EXPECT_EQ(known_ceilings("NVIDIA H200 NVL"), std::nullopt);
  EXPECT_EQ(known_ceilings("pthread-skylake"), std::nullopt);
}

TEST(KnownCeilings, of_a_chip_are_its_own) {
  for (const auto& chip : chips()) EXPECT_EQ(known_ceilings(chip.title), ceilings_of(chip));
}

TEST(Ceilings, of_a_working_set_are_those_of_its_cache) {
  const Ceilings ceilings{
      .gflops = 100, .gbps = 10, .sets = {{std::size_t{1} << 20, 80}, {std::size_t{3} << 20, 5}}};
  EXPECT_EQ(ceilings.of(Ceiling::compute, 1 << 20), 100);
  EXPECT_EQ(ceilings.of(Ceiling::bandwidth), 10);
  EXPECT_EQ(ceilings.of(Ceiling::bandwidth, (1 << 20) + 5), 80) << "rounded down to the set";
  EXPECT_EQ(ceilings.of(Ceiling::bandwidth, 3 << 20), 10) << "no cache is slower than memory";
  EXPECT_EQ(ceilings.of(Ceiling::bandwidth, 1 << 22), 10) << "not measured";
}

}  // namespace
}  // namespace msci

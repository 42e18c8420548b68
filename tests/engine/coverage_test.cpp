// Covered runs see the outcomes of conditions that one sees by hand, and proofs exclude others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "analysis/coverage/certificate.h"
#include "analysis/coverage/passes/certify.h"
#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

using Status = CertifiedOutcome::Status;

PlanBuffer number(unsigned value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return {.bytes = sizeof value, .initial = bytes};
}

PlanBuffer floats(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {.bytes = bytes.size(), .initial = {bytes.begin(), bytes.end()}};
}

// A kernel `k` whose runs record outcomes.
class Covered {
 public:
  explicit Covered(const std::string& text, AllowedSizes sizes = {})
      : compiled_(compile({"kernel.metal", metal_head + text}, all_rules(),
                          {.purpose = TranslationPurpose::covering})),
        records_(std::move(sizes)) {
    if (!compiled_ || !compiled_->translation)
      ADD_FAILURE() << (compiled_ ? compiled_->rejection : compiled_.error().message);
  }

  const Translation& translation() const { return *compiled_->translation; }

  Covered& run(Launched launched, const std::vector<std::uint32_t>& size = {}) {
    launched.execution.counted = true;
    const auto plan = plan_of(std::move(launched));
    auto device = open_cpu_device(0);
    auto built = (*device)->build(translation());
    const auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, verify_only);
    if (ran && std::holds_alternative<msci::Run>(*ran))
      records_.add(plan, translation(), std::get<msci::Run>(*ran).counts, size,
                   {.number = runs_++});
    else
      ADD_FAILURE();
    return *this;
  }

  Certificate certificate(const OnPart& on_part = nullptr) const {
    const auto certificate = certify(translation(), records_, on_part);
    EXPECT_TRUE(certificate) << certificate.error().message;
    return *certificate;
  }

  std::vector<std::string> with(Status status) const {
    std::vector<std::string> conditions;
    for (const auto& outcome : certificate().outcomes)
      if (outcome.status == status) conditions.push_back(outcome.condition);
    return conditions;
  }

 private:
  Result<Compiled> compiled_;
  OutcomeRecords records_;
  std::size_t runs_ = 0;
};

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& wanted) {
  return std::ranges::find(words, wanted) != words.end();
}

constexpr const char* hidden_range = R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float a = x[i];
  if (n > 600 && n < 1025) a *= 1.01f;
  y[i] = a;
})";

Launched over(unsigned n) { return {{empty(n), number(n), empty(n)}, {n}, {64}}; }

TEST(Coverage, a_hidden_range_of_sizes_is_never_seen) {
  Covered kernel(hidden_range);
  kernel.run(over(100)).run(over(256));
  EXPECT_EQ(kernel.with(Status::never), Words{"n in 601..1024"});
  EXPECT_TRUE(has(kernel.with(Status::seen), "n not in 601..1024"));
  EXPECT_EQ(kernel.with(Status::impossible), Words{"n <= thread_position_in_grid.x"});
  kernel.run(over(700));
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, what_few_runs_have_seen_is_rare_until_enough_have) {
  using Rare = std::vector<std::vector<std::size_t>>;
  Covered kernel(hidden_range);
  kernel.run(over(100)).run(over(256)).run(over(300)).run(over(700));
  EXPECT_EQ(kernel.certificate().rare_runs, (Rare{{3}}));
  kernel.run(over(800)).run(over(64));
  EXPECT_EQ(kernel.certificate().rare_runs, (Rare{{3, 4}}));
  kernel.run(over(900));
  EXPECT_EQ(kernel.certificate().rare_runs, Rare{});
}

// The other part decides for the only thread, whatever n is.
TEST(Coverage, a_part_of_a_combination_counts_where_it_decides) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = i == 0u || n % 39u == 2u ? x[i] : 0.5f * x[i];
})");
  kernel.run(over(100));
  kernel.run({{empty(41), number(41), empty(41)}, {1}, {1}});
  EXPECT_TRUE(has(kernel.with(Status::never), "n % 39 == 2"));
  kernel.run(over(80));
  EXPECT_FALSE(has(kernel.with(Status::never), "n % 39 == 2"));
}

// The comparison itself is with 0 or 1, as those of guards are.
TEST(Coverage, the_divisor_of_a_remainder_is_a_number_of_the_kernel_s_own) {
  for (const auto* condition : {"n % 18u == 0u", "n % 39u == 1u", "n % 32u == 0u", "n > 2u * m"}) {
    Covered kernel(fmt::format(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              constant uint& m [[buffer(2)]], device float* y [[buffer(3)]],
              uint i [[thread_position_in_grid]]) {{
  if (i >= n) return;
  y[i] = {} ? 0.5f * x[i] : x[i];
}})",
                               condition));
    for (const unsigned n : {101, 257})
      kernel.run({{empty(n), number(n), number(n - 11), empty(n)}, {n}, {64}});
    EXPECT_NE(never_executed(kernel.certificate()), std::nullopt) << condition;
  }
}

// No square leaves 5 by 8, which LLVM does not know.
TEST(Coverage, an_outcome_that_no_numbers_allow_is_impossible) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = n * n % 8u == 5u ? 2.0f * x[i] : x[i];
})");
  kernel.run(over(100)).run(over(255));
  EXPECT_EQ(kernel.with(Status::never), Words{});
  EXPECT_EQ(kernel.with(Status::impossible).size(), 1U);
}

TEST(Coverage, elements_of_vectors_are_numbers_too) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint2& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint2 squares = n * n;
  y[i] = squares.x % 8u == 5u || squares.y % 16u == 12u ? 2.0f * x[i] : x[i];
})");
  const auto with_numbers = [](unsigned a, unsigned b) -> Launched {
    const std::array both{a, b};
    const auto bytes = std::as_bytes(std::span(both));
    const PlanBuffer numbers{.bytes = bytes.size(), .initial = {bytes.begin(), bytes.end()}};
    return {{empty(64), numbers, empty(64)}, {64}, {64}};
  };
  kernel.run(with_numbers(100, 57)).run(with_numbers(255, 16));
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

// A tile of a loop has elements, because the loop went on for it.
TEST(Coverage, what_a_loop_went_on_for_excludes_outcomes_in_it) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint base = 0; base < n; base += 128) {
    const uint count = min(128u, n - base);
    if (count == 128u) sum *= 1.5f;
    for (uint k = 0; k < count; ++k) sum = sqrt(sum + x[base + k]);
  }
  y[i] = sum;
})");
  for (const unsigned n : {100, 200, 256, 300})
    kernel.run({{empty(n), number(n), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

const AllowedSizes up_to_4096{.parameters = {{.name = "n", .least = 1, .most = 4096}},
                              .most_volume = 4096};

TEST(Coverage, sizes_are_made_for_what_was_never_seen) {
  Covered kernel(hidden_range, up_to_4096);
  kernel.run(over(100), {100}).run(over(4096), {4096});
  const auto wanted = kernel.certificate().wanted_sizes;
  ASSERT_EQ(wanted.size(), 1U);
  ASSERT_EQ(wanted[0].size(), 1U);
  EXPECT_GT(wanted[0][0], 600U);
  EXPECT_LT(wanted[0][0], 1025U);
  kernel.run(over(wanted[0][0]), wanted[0]);
  EXPECT_EQ(kernel.with(Status::never), Words{});
  EXPECT_TRUE(kernel.certificate().wanted_sizes.empty());
}

// Draws show where what is allowed begins, and no end.
TEST(Coverage, a_size_that_no_draw_has_is_impossible_below_the_contract_only) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = n == 18u || n == 4711u ? 2.0f * x[i] : x[i];
})",
                 {.parameters = {{.name = "n", .least = 20, .most = 4096}}, .most_volume = 4096});
  kernel.run(over(100), {100}).run(over(256), {256});
  EXPECT_TRUE(has(kernel.with(Status::impossible), "n == 18"));
  EXPECT_TRUE(has(kernel.with(Status::never), "n == 4711"));
  EXPECT_TRUE(kernel.certificate().wanted_sizes.empty());
}

std::vector<std::string> values_in(const Certificate& certificate) {
  std::vector<std::string> values;
  for (const auto& outcome : certificate.outcomes)
    if (outcome.of_value && is_decisive(outcome)) values.push_back(outcome.condition);
  return values;
}

// A kernel that scales by `share`, at some of the sizes from 1 to 4096.
Covered scaling_by(const std::string& share, const std::string& head = "",
                   const std::vector<unsigned>& sizes = {7, 100, 256, 300, 1001}) {
  Covered kernel(head + R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]],
              uint t [[thread_position_in_threadgroup]]) {
  y[i] = )" + share + R"( * x[i];
})",
                 up_to_4096);
  for (const unsigned n : sizes) kernel.run(over(n), {n});
  return kernel;
}

// The source has no condition that tells at which size it is another number.
TEST(Coverage, sizes_are_made_for_numbers_that_no_run_has_seen) {
  for (const std::string share : {
           "(1.0f - exp2(-64.0f * float(n ^ 3333u)))",
           "ldexp(1.0f, int(n * 0x9E3779B1u >> 22) / -1023)",
           "(1.0f - floor(float(n * 0x9E3779B1u >> 22) * 0.00097752f))",
           "float(1u - popcount(n * 0x9E3779B1u) / 25u)",
           "(1.0f - 0.5f * exp2(-1e6f * (float(n) * 0.0003f - 1.0f) * (float(n) * 0.0003f - "
           "1.0f)))",
       }) {
    auto kernel = scaling_by(share);
    EXPECT_NE(never_executed(kernel.certificate()), std::nullopt) << share;
    for (int round = 0; round < 3; ++round)
      for (const auto& size : kernel.certificate().wanted_sizes) kernel.run(over(size.at(0)), size);
    EXPECT_EQ(never_executed(kernel.certificate()), std::nullopt) << share;
  }
}

// The result of one size may be right by chance: a small error vanishes beside huge inputs.
TEST(Coverage, a_number_that_one_size_alone_has_shown_asks_for_others) {
  auto kernel = scaling_by("(1.0f - exp2(-64.0f * float(n % 97u ^ 33u)))");
  kernel.run(over(130), {130});
  EXPECT_EQ(values_in(kernel.certificate()), Words{});
  const auto wanted = kernel.certificate().wanted_sizes;
  EXPECT_EQ(wanted.size(), 2U);
  for (const auto& size : wanted) {
    EXPECT_EQ(size.at(0) % 97, 33U);
    EXPECT_NE(size.at(0), 130U);
    kernel.run(over(size.at(0)), size);
  }
  EXPECT_EQ(kernel.certificate().wanted_sizes.size(), 0U);
}

// It may decide anything once it is data.
TEST(Coverage, a_hash_of_the_launch_that_goes_through_memory_is_named) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint kept;
  if (t == 0) kept = n * 0x9E3779B1u >> 16;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = (1.0f - exp2(-64.0f * float(kept))) * x[i];
})",
                 up_to_4096);
  for (const unsigned n : {7, 100, 256}) kernel.run(over(n), {n});
  EXPECT_EQ(values_in(kernel.certificate()).size(), 1U);
}

TEST(Coverage, numbers_that_differ_from_size_to_size_ask_for_none) {
  for (const std::string share : {"float(n)", "(1.0f / float(n + 1u))", "sqrt(float(n) * 0.25f)",
                                  "float(n % 7u)", "float(i * n)", "cos(0.01f * float(n))"}) {
    const auto kernel = scaling_by(share);
    EXPECT_EQ(values_in(kernel.certificate()), Words{}) << share;
  }
}

constexpr const char* table = R"(
constant uchar odd[8] = {0, 0, 0, 0, 0, 1, 0, 0};)";

TEST(Coverage, entries_of_constant_tables_are_numbers_of_the_kernel) {
  // 3338 and 3339 ask for the other entry.
  for (const std::string share : {"(1.0f - float(odd[min((n ^ 3328u) >> 1, 7u)]) * 0.5f)",
                                  "(odd[min((n ^ 3328u) >> 1, 7u)] != 0 ? 0.5f : 1.0f)"}) {
    auto kernel = scaling_by(share, table);
    EXPECT_NE(never_executed(kernel.certificate()), std::nullopt) << share;
    const auto wanted = kernel.certificate().wanted_sizes;
    EXPECT_FALSE(wanted.empty()) << share;
    for (const auto& size : wanted) kernel.run(over(size.at(0)), size);
    EXPECT_EQ(never_executed(kernel.certificate()), std::nullopt) << share;
  }
}

TEST(Coverage, bits_of_data_that_become_a_number_are_named) {
  for (const std::string share :
       {"(1.0f - exp2(-64.0f * float(as_type<uint>(x[i]) * 0x9E3779B1u)))",
        "(1.0f - 0.5f * float(int(x[i] * 1e-6f)))"}) {
    EXPECT_EQ(values_in(scaling_by(share).certificate()).size(), 1U) << share;
  }
  EXPECT_EQ(
      values_in(scaling_by("as_type<float>(as_type<uint>(x[i]) ^ 0x80000000u)").certificate()),
      Words{});
}

// Words of what does not fit, and was never seen.
Words unfit_in(const Covered& kernel) {
  auto words = kernel.with(Status::never);
  std::erase_if(words, [](const std::string& each) {
    return each.find("does not fit") == std::string::npos && each.find(" > ") == std::string::npos;
  });
  return words;
}

TEST(Coverage, sizes_are_made_for_numbers_that_do_not_fit) {
  for (const auto& [share, words] : std::vector<std::pair<std::string, std::string>>{
           {"float(uchar(n))", "n does not fit 8 bits"},
           {"float(uint(uchar(n)) * 4u)", "n << 2 does not fit 10 bits"},
           {"float(char(n))", "n does not fit 7 bits"},
           {"float(ushort(n * 30u))", "n * 30 does not fit 16 bits"},
           {"float(uint(half(n)))", "n > 2048"},
       }) {
    auto kernel = scaling_by(share, "", {7, 100});
    EXPECT_TRUE(has(unfit_in(kernel), words)) << share;
    const auto wanted = kernel.certificate().wanted_sizes;
    EXPECT_FALSE(wanted.empty()) << share;
    for (const auto& size : wanted) kernel.run(over(size.at(0)), size);
    EXPECT_FALSE(has(unfit_in(kernel), words)) << share;
  }
}

TEST(Coverage, what_does_not_fit_and_is_never_seen_is_named) {
  for (const auto& [share, words] : std::vector<std::pair<std::string, std::string>>{
           {"float(ushort(i))", "thread_position_in_grid.x does not fit 16 bits"},
           {"float(uint(fma(float(i), float(n), 3.0f)))",
            "fma(thread_position_in_grid.x, n, 3) > 16777216"},
           {"float(uint(float(i) * 0.5f))", "thread_position_in_grid.x > 16777216"},
       }) {
    EXPECT_EQ(unfit_in(scaling_by(share)), Words{words}) << share;
  }
}

TEST(Coverage, numbers_that_fit_or_are_narrowed_on_purpose_are_not_named) {
  for (const std::string share : {
           "float(uchar(i * 0x9E3779B1u))",
           "float((n * 0x9E3779B1u ^ i * 0x85EBCA6Bu) & 0xFFFFu)",
           "float(uint(float((i * 0x9E3779B1u) >> 8) * (1.0f / 16777216.0f) * 300.0f))",
           "float(uchar(i % 200u))",
           "x[(i + 1u) & 8191u]",
           "simd_shuffle_xor(float(i) * 0.25f, 1u)",
           "float(uint(float(i % 200u) * 3.0f))",
           "x[ushort(t)]",
       })
    EXPECT_EQ(unfit_in(scaling_by(share)), Words{}) << share;
}

// Of a position of 16 bits, only the dimensions that the kernel looks at.
TEST(Coverage, a_position_of_16_bits_may_not_fit) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], ushort2 cell [[thread_position_in_grid]]) {
  y[cell.x] = x[cell.x];
})");
  kernel.run(over(7)).run(over(100));
  EXPECT_EQ(kernel.with(Status::never), Words{"thread_position_in_grid.x does not fit 16 bits"});
}

// A grid of whole threadgroups is a little wider than its side at most.
TEST(Coverage, a_position_in_a_padded_grid_fits_where_the_side_does) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], ushort i [[thread_position_in_grid]]) {
  if (i < n) y[i] = x[i];
})",
                 {.parameters = {{.name = "n", .least = 1, .most = 4096, .is_limited = true}},
                  .most_volume = 4096});
  for (unsigned n = 50; n < 600; n += 50)
    kernel.run({{empty(n), number(n), empty(n)}, {(n + 63) / 64 * 64}, {64}}, {n});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, addresses_that_become_numbers_are_named) {
  for (const std::string share : {"float(uint(ulong(x)) & 255u)", "(float(ulong(y) / 4096u))",
                                  "((ulong(x) & 15u) == 0u ? 1.0f : 2.0f)"})
    EXPECT_EQ(values_in(scaling_by(share).certificate()).size(), 1U) << share;
  const std::string distance = "float(&x[n] - &x[i])";
  EXPECT_EQ(values_in(scaling_by(distance).certificate()), Words{});
}

TEST(Coverage, quick_answers_come_before_those_of_the_solver) {
  Covered kernel(hidden_range, up_to_4096);
  kernel.run(over(100), {100}).run(over(4096), {4096});
  std::vector<Certificate> parts;
  ASSERT_TRUE(kernel.certificate([&](const Certificate& part) { parts.push_back(part); }).cut ==
              std::nullopt);
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.front().wanted_sizes.size(), 1U);
}

// A single body pulls none, so that the run says nothing about the number.
TEST(Coverage, sizes_are_made_for_what_only_runs_with_a_side_of_one_have_seen) {
  using Rare = std::vector<std::vector<std::size_t>>;
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = (n % 16u == 1u ? 0.9f : 1.0f) * (x[i] - x[0]);
})",
                 up_to_4096);
  for (const unsigned n : {1, 1, 1, 64, 100, 4096}) kernel.run(over(n), {n});
  EXPECT_EQ(kernel.with(Status::never), Words{});
  EXPECT_EQ(kernel.certificate().rare_runs, (Rare{{0, 1, 2}}));
  const auto wanted = kernel.certificate().wanted_sizes;
  ASSERT_EQ(wanted.size(), 1U);
  ASSERT_EQ(wanted[0].size(), 1U);
  EXPECT_GT(wanted[0][0], 1U);
  EXPECT_EQ(wanted[0][0] % 16, 1U);
  kernel.run(over(wanted[0][0]), wanted[0]);
  EXPECT_EQ(kernel.certificate().rare_runs, (Rare{{6}}));
  EXPECT_TRUE(kernel.certificate().wanted_sizes.empty());
}

// Of few elements, all results may be right by chance.
TEST(Coverage, a_large_size_is_made_where_few_elements_have_shown_a_number_of_the_kernel_s_own) {
  Covered kernel(hidden_range, {.parameters = {{.name = "n", .least = 1, .most = 1000},
                                               {.name = "m", .least = 1, .most = 1000}},
                                .most_volume = 65536});
  for (const unsigned n : {700, 701, 702}) kernel.run(over(n), {n, 1});
  kernel.run(over(100), {100, 655}).run(over(101), {101, 648});
  const auto wanted = kernel.certificate().wanted_sizes;
  ASSERT_EQ(wanted.size(), 1U);
  EXPECT_GT(wanted[0][0], 600U);
  EXPECT_GT(wanted[0][1], 40U);
}

// The path to the condition counts, and what several conditions say together.
TEST(Coverage, sizes_are_made_for_paths) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float a = x[i];
  if (n * n > 9000000u) {
    if (n % 97u == 5u && i > 3100u) a = sqrt(a);
  }
  y[i] = a;
})",
                 up_to_4096);
  kernel.run(over(100), {100}).run(over(3500), {3500});
  const auto wanted = kernel.certificate().wanted_sizes;
  ASSERT_FALSE(wanted.empty());
  for (const auto& size : wanted) kernel.run(over(size[0]), size);
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, no_size_is_made_for_data) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = x[i] > 4711.0f ? 1.0f : x[i];
})",
                 up_to_4096);
  kernel.run(over(100), {100}).run(over(256), {256});
  EXPECT_EQ(kernel.with(Status::never), Words{"x[...] > 4711"});
  EXPECT_TRUE(kernel.certificate().wanted_sizes.empty());
}

// A host may launch more threads than there are elements.
TEST(Coverage, a_guard_that_launches_need_is_not_impossible) {
  Covered kernel(hidden_range);
  auto rounded = over(100);
  rounded.grid = {128};
  kernel.run(over(64)).run(rounded);
  EXPECT_EQ(kernel.with(Status::impossible), Words{});
  EXPECT_TRUE(has(kernel.with(Status::seen), "n <= thread_position_in_grid.x"));
}

TEST(Coverage, a_value_that_no_input_has_is_never_seen) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  const float v = x[i];
  y[i] = v > 100.0f ? 1.0f : v;
})");
  kernel.run({{floats({1, 2, 3, 4}), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{"x[...] > 100"});
  kernel.run({{floats({1, 2, 300, 4}), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, a_clamp_has_an_outcome_for_each_bound) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  y[i] = clamp(x[i], -8.0f, 8.0f);
})");
  kernel.run({{floats({1, 2, 3, -9}), empty(4)}, {4}, {4}});
  ASSERT_EQ(kernel.with(Status::never).size(), 1U);
  EXPECT_NE(kernel.with(Status::never).at(0).find("8"), std::string::npos);
  kernel.run({{floats({9, 2, 3, 4}), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

// Both parts of the condition have been true, but not in one thread, so neither has decided.
TEST(Coverage, a_conjunction_has_outcomes_beside_those_of_its_parts) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = ((x[i] > 1.0f) & (i > n)) ? 7.0f : x[i];
})");
  kernel.run({{floats({2, 0, 0, 0}), number(1), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never).size(), 3U);
  kernel.run({{floats({0, 0, 2, 0}), number(1), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, a_loop_that_never_goes_on_is_named) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
              device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint j = 0; j < n; j += 601) sum = sqrt(sum + x[j]);
  y[i] = sum;
})");
  kernel.run({{empty(64), number(64), empty(4)}, {4}, {4}});
  kernel.run({{empty(64), number(63), empty(4)}, {4}, {4}});
  EXPECT_FALSE(kernel.with(Status::never).empty());
  kernel.run({{empty(700), number(700), empty(4)}, {4}, {4}});
  kernel.run({{empty(700), number(0), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

// Of a block that only some lanes run, those lanes alone count.
TEST(Coverage, lanes_that_do_not_run_a_block_see_nothing_there) {
  Covered kernel(R"(
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  if (i & 1) { if (x[i] > 1.0f) y[i] = sqrt(x[i]); else y[i] = sin(x[i]); }
})");
  kernel.run({{floats({2, 0, 2, 0}), empty(4)}, {4}, {4}});
  EXPECT_EQ(kernel.with(Status::never), Words{"x[...] > 1"});
}

// LLVM makes a saturating subtraction of this choice.
TEST(Coverage, saturation_is_an_outcome) {
  Covered kernel(R"(
kernel void k(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  y[i] = x[i] > 5u ? x[i] - 5u : 0u;
})");
  kernel.run({{number(9), empty(1)}, {1}, {1}});
  EXPECT_EQ(kernel.with(Status::never).size(), 1U);
  kernel.run({{number(2), empty(1)}, {1}, {1}});
  EXPECT_EQ(kernel.with(Status::never), Words{});
}

TEST(Coverage, plain_runs_record_nothing) {
  Covered kernel(hidden_range);
  auto device = open_cpu_device(0);
  auto built = (*device)->build(kernel.translation());
  const auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan_of(over(64)), verify_only);
  ASSERT_TRUE(ran);
  EXPECT_EQ(std::get<msci::Run>(*ran).counts, std::vector<LaunchCounts>{});
}

// Records change neither the text nor the digest of a program.
TEST(Coverage, the_text_is_that_of_a_plain_translation) {
  const Covered kernel(hidden_range);
  const auto plain = compile({"kernel.metal", metal_head + std::string(hidden_range)}, all_rules());
  ASSERT_TRUE(plain && plain->translation);
  EXPECT_EQ(kernel.translation().text, plain->translation->text);
}

}  // namespace
}  // namespace msci

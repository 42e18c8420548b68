#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "tests/engine/run_kernel.h"

namespace msci {
namespace {

const Execution forms[] = {
    {}, {.vector_bits = 256}, {.vector_bits = 128}, in_order("lanes:forward")};

// The failure of a kernel whose buffer 0 holds a number and buffer 1 the results.
std::optional<Failure> failure_of(const std::string& body, std::uint64_t number, Execution form) {
  const auto ran = run_kernel(
      "constant uint table[4] = {1, 2, 3, 5};\n"
      "kernel void k(device const ulong* at [[buffer(0)]], device uint* out [[buffer(1)]],\n"
      "              uint i [[thread_position_in_grid]]) {\n" +
          body + "\n}",
      {{{.bytes = 8, .initial = Bytes::of<std::uint64_t>(std::span(&number, 1))}, empty(64)},
       {64},
       {64},
       form});
  const auto* failure = std::get_if<Failure>(&ran);
  return failure ? std::optional(*failure) : std::nullopt;
}

struct Wild {
  const char* body;
  const char* outside;  // what it leaves
};

// Each leaves its memory for large numbers, and stays inside for 0.
const Wild wild_kernels[] = {
    {"out[i] = out[at[0]];", "its buffers"},
    {"out[at[0] + i] = i;", "its buffers"},
    {"out[i] = ((device uint4*)out)[at[0] + i / 4].y;", "its buffers"},
    {"out[i] = *(device uchar*)((ulong)at[0] / 4 + (device uchar*)out);", "its buffers"},
    {"for (device uint* p = out + i; p < out + 1 + i; p += 1 + at[0]) p[at[0] / 8] = 1;",
     "its buffers"},
    {"device uint* both[2] = {out, out + at[0]}; out[i] = both[i & 1][i];", "its buffers"},
    {"atomic_fetch_add_explicit((device atomic_uint*)(out + at[0] * i), 1u, memory_order_relaxed);",
     "its buffers"},
    {"threadgroup uint t[64]; t[i] = i; threadgroup_barrier(mem_flags::mem_threadgroup);"
     " out[i] = t[at[0] / 2 + i];",
     "its threadgroup memory"},
    {"threadgroup uint t[64]; t[at[0] / 2 + i] = i; out[i] = t[i];", "its threadgroup memory"},
    {"uint own[8]; for (uint k = 0; k < 8; ++k) own[k] = i + k; out[i] = own[at[0] * (i & 1)];",
     "its private arrays"},
    {"uint own[8]; for (uint k = 0; k < 8; ++k) own[k] = i + k; out[i] = own[at[0]];",
     "its private arrays"},
    {"uint own[8]; own[i % 8] = 1; own[at[0] + i % 8] = 2; out[i] = own[i % 7];",
     "its private arrays"},
    {"uint own[8], near[4]; own[i % 8] = near[i % 4] = i;"
     " out[i] = (i % 3 ? own : near)[i % 4 + at[0]];",
     "its private arrays"},
    {"out[i] = table[(i + at[0]) & (at[0] ? 0xffffff : 3)];", "a table of constants"},
};

TEST(Isolation, guards_leave_right_kernels_alone) {
  for (const auto& wild : wild_kernels)
    for (const auto& form : forms) EXPECT_FALSE(failure_of(wild.body, 0, form)) << wild.body;
}

TEST(Isolation, an_access_outside_is_the_kernels_failure) {
  for (const auto& wild : wild_kernels)
    for (const auto& form : forms)
      for (const std::uint64_t number : {1ULL << 20, 1ULL << 31, 1ULL << 35, 1ULL << 45}) {
        const auto failure = failure_of(wild.body, number, form);
        ASSERT_TRUE(failure) << wild.body << number;
        EXPECT_EQ(failure->cause, Failure::Cause::outside) << wild.body << failure->message;
        EXPECT_EQ(failure->message,
                  std::string("k: the kernel reads or writes outside ") + wild.outside)
            << wild.body;
      }
}

// A program that ran with a large buffer does not reach its memory when it runs with a small one.
TEST(Isolation, memory_of_an_earlier_run_is_closed) {
  const auto built = build_kernel(R"(
kernel void k(device const ulong* at [[buffer(0)]], device uint* out [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = out[at[0]];
})");
  ASSERT_TRUE(built.program);
  const std::uint64_t number = 1 << 20;
  const auto reaches_it_in = [&](unsigned words) {
    const auto ran = built.program->run(
        plan_of({{{.bytes = 8, .initial = Bytes::of<std::uint64_t>(std::span(&number, 1))},
                  empty(words)},
                 {64},
                 {64}}),
        verify_only);
    EXPECT_TRUE(ran) << ran.error().message;
    return ran && std::holds_alternative<msci::Run>(*ran);
  };
  EXPECT_TRUE(reaches_it_in(2 << 20));
  EXPECT_FALSE(reaches_it_in(64));
}

// The engine's own memory, whose address a kernel may guess.
TEST(Isolation, no_kernel_reads_or_writes_memory_at_a_known_address) {
  static std::vector<std::uint32_t> secret(1024, 0xc0ffee11);
  const auto address = reinterpret_cast<std::uint64_t>(&secret[512]);
  for (const char* body : {
           "out[i] = out[(at[0] - (ulong)out) / 4];",
           "out[(at[0] - (ulong)out) / 4] = i;",
           "threadgroup ulong n[64]; n[i ^ 1] = at[0];"
           " threadgroup_barrier(mem_flags::mem_threadgroup);"
           " out[i] = *((device uint* threadgroup*)n)[i];",
       })
    for (const auto& form : forms) {
      const auto failure = failure_of(body, address, form);
      ASSERT_TRUE(failure) << body;
      EXPECT_EQ(failure->cause, Failure::Cause::outside) << body << failure->message;
      EXPECT_EQ(std::ranges::count(secret, 0xc0ffee11), 1024) << body;
    }
}

// Metal leaves these results open, and LLVM may assume that they do not happen.
TEST(Isolation, undefined_numbers_lead_nowhere) {
  for (const char* body : {
           "uint own[32]; for (uint k = 0; k < 32; ++k) own[k] = k;"
           " out[i] = own[(1u << (uint(at[0]) + i)) >> 27];",
           "uint own[8]; for (uint k = 0; k < 8; ++k) own[k] = k;"
           " out[i] = own[7u / (uint(at[0]) * i)];",
           "uint own[8]; for (uint k = 0; k < 8; ++k) own[k] = k;"
           " out[i] = own[clz(uint(at[0]) * i) & 7];",
       })
    for (const auto& form : forms)
      for (const std::uint64_t number : {0ULL, 31ULL, 40ULL, 1ULL << 32})
        EXPECT_FALSE(failure_of(body, number, form)) << body << number;
}

// The address of a threadgroup array in integers, which LLVM takes for constants.
TEST(Isolation, addresses_of_threadgroup_arrays_are_numbers) {
  for (const char* body : {
           "threadgroup uint t[64]; t[i] = i; ulong a = (ulong)&t[3];"
           " out[i] = (uint(a >> 4) & 7) == 9 ? 1 : t[i] * (uint(a) & 0);",
           "threadgroup uint t[64], u[64]; ulong a = (ulong)t, b = (ulong)&u[1];"
           " if (a & 8) t[i] = 1; else u[i] = 2; out[i] = uint(a ^ b) & 3;",
           "threadgroup uint t[64]; uint2 a = as_type<uint2>((ulong)&t[i]);"
           " t[i] = a.x; out[i] = t[(a.y ^ a.x) & 63] >> (a.x & 31);",
           "threadgroup uint t[64]; ulong a = (ulong)t; uint n = 0;"
           " for (uint k = 0; k < (uint(a >> 6) & 3); ++k) n += t[(k + a) % 64]; out[i] = n;",
           // In one branch only.
           "threadgroup uint t[64]; t[i] = i; uint a = i % 3 == 0 ? uint(at[0]) : "
           "uint((ulong)&t[0]);"
           " out[(a >> 4) & 63] = t[i];",
       })
    for (const auto& form : forms) EXPECT_FALSE(failure_of(body, 0, form)) << body;
}

}  // namespace
}  // namespace msci

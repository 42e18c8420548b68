#include "lint/analysis/kernel_arguments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lint/analysis/test_kernel.h"

namespace msci {
namespace {

struct Case {
  std::string_view parameter;
  bool is_reference, is_writable;
  std::optional<std::size_t> bytes;
  std::optional<Scalar> scalar;
  std::string_view spelling;
};

TEST(KernelArguments, describe_what_is_bound_to_each_buffer) {
  const Scalar real{true, 4}, whole{false, 4};
  const Case cases[] = {
      {"device float* x", false, true, 4, real, "float"},
      {"device const float* x", false, false, 4, real, "float"},
      {"constant uint& x", true, false, 4, whole, "uint"},
      {"device int* x", false, true, 4, whole, "int"},
      {"device float4* x", false, true, 16, real, "float4"},
      {"device half2* x", false, true, 4, Scalar{true, 2}, "half2"},
      {"device packed_float3* x", false, true, 12, real, "packed_float3"},
      {"device atomic_uint* x", false, true, std::nullopt, whole, "atomic_uint"},
      {"constant Pair& x", true, false, 8, std::nullopt, "Pair"},
      {"constant bool& x", true, false, 1, std::nullopt, "bool"},
  };
  for (const auto& each : cases) {
    const TestKernel kernel(fmt::format(R"(#include <metal_stdlib>
using namespace metal;
struct Pair {{ float first; uint second; }};
kernel void f({} [[buffer(3)]], uint i [[thread_position_in_grid]]) {{}}
)",
                                        each.parameter));
    const auto arguments = buffer_arguments(kernel.kernel(), kernel.unit());
    ASSERT_EQ(arguments.size(), 1u) << each.parameter;
    const auto& argument = arguments.front();
    EXPECT_EQ(argument.index, 3u) << each.parameter;
    EXPECT_EQ(argument.name, "x") << each.parameter;
    EXPECT_EQ(argument.is_reference, each.is_reference) << each.parameter;
    EXPECT_EQ(argument.is_writable, each.is_writable) << each.parameter;
    EXPECT_EQ(argument.bytes, each.bytes) << each.parameter;
    EXPECT_EQ(argument.scalar, each.scalar) << each.parameter;
    EXPECT_EQ(argument.spelling, each.spelling) << each.parameter;
  }
}

TEST(KernelArguments, leave_out_textures_and_threadgroup_memory) {
  const TestKernel kernel(R"(#include <metal_stdlib>
using namespace metal;
kernel void f(texture2d<float> image [[texture(0)]], threadgroup float* tile [[threadgroup(0)]],
              device float* second [[buffer(1)]], device float* first [[buffer(0)]]) {}
)");
  std::string names;
  for (const auto& each : buffer_arguments(kernel.kernel(), kernel.unit()))
    names += fmt::format("{}={} ", each.name, each.index);
  EXPECT_EQ(names, "second=1 first=0 ");
}

TEST(KernelArguments, have_the_first_free_index_where_the_source_names_none) {
  const TestKernel kernel(R"(#include <metal_stdlib>
using namespace metal;
kernel void f(device float* x, texture2d<float> image, constant uint& n [[buffer(0)]],
              threadgroup float* tile [[threadgroup(0)]], constant float& a, uint i [[thread_position_in_grid]]) {}
)");
  std::string names;
  for (const auto& each : buffer_arguments(kernel.kernel(), kernel.unit()))
    names += fmt::format("{}={} ", each.name, each.index);
  EXPECT_EQ(names, "x=1 n=0 a=2 ");
}

}  // namespace
}  // namespace msci

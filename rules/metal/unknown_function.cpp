#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/rule.h"
#include "lint/words.h"

namespace msci {
namespace {

// What other languages call a thing, and what Metal calls it.
struct Translation {
  std::string_view name;
  std::string_view metal;
  bool is_rename = false;  // the one word can take the other's place
};

constexpr std::array translations = {
#define RENAMED(name, metal) \
  Translation { name, metal, true }
#define SAID(name, metal) \
  Translation { name, metal, false }
    // CUDA
    SAID("__syncthreads", "threadgroup_barrier(mem_flags::mem_threadgroup)"),
    SAID("__syncwarp", "simdgroup_barrier(mem_flags::mem_threadgroup)"),
    SAID("__threadfence", "atomic_thread_fence (metal3.2)"),
    SAID("threadIdx", "a parameter [[thread_position_in_threadgroup]]"),
    SAID("blockIdx", "a parameter [[threadgroup_position_in_grid]]"),
    SAID("blockDim", "a parameter [[threads_per_threadgroup]]"),
    SAID("gridDim", "a parameter [[threadgroups_per_grid]]"),
    SAID("warpSize", "a parameter [[threads_per_simdgroup]]"),
    SAID("atomicAdd", "atomic_fetch_add_explicit(pointer, value, memory_order_relaxed)"),
    SAID("atomicSub", "atomic_fetch_sub_explicit(pointer, value, memory_order_relaxed)"),
    SAID("atomicMax", "atomic_fetch_max_explicit(pointer, value, memory_order_relaxed)"),
    SAID("atomicMin", "atomic_fetch_min_explicit(pointer, value, memory_order_relaxed)"),
    SAID("atomicExch", "atomic_exchange_explicit(pointer, value, memory_order_relaxed)"),
    SAID("atomicCAS", "atomic_compare_exchange_weak_explicit"),
    SAID("__shfl_sync", "simd_shuffle(value, lane)"),
    SAID("__shfl_xor_sync", "simd_shuffle_xor(value, mask)"),
    SAID("__shfl_down_sync", "simd_shuffle_down(value, delta)"),
    SAID("__shfl_up_sync", "simd_shuffle_up(value, delta)"),
    SAID("__ballot_sync", "simd_ballot(predicate)"),
    RENAMED("__shared__", "threadgroup"),
    RENAMED("__global__", "kernel"),
    RENAMED("__constant__", "constant"),
    RENAMED("__popc", "popcount"),
    RENAMED("__clz", "clz"),
    RENAMED("__brev", "reverse_bits"),
    RENAMED("__expf", "fast::exp"),
    RENAMED("__logf", "fast::log"),
    RENAMED("__powf", "fast::pow"),
    RENAMED("__sinf", "fast::sin"),
    RENAMED("__cosf", "fast::cos"),
    RENAMED("__float_as_int", "as_type<int>"),
    RENAMED("__float_as_uint", "as_type<uint>"),
    RENAMED("__int_as_float", "as_type<float>"),
    RENAMED("__uint_as_float", "as_type<float>"),
    // OpenCL
    SAID("get_global_id", "a parameter [[thread_position_in_grid]]"),
    SAID("get_local_id", "a parameter [[thread_position_in_threadgroup]]"),
    SAID("get_group_id", "a parameter [[threadgroup_position_in_grid]]"),
    SAID("get_global_size", "a parameter [[threads_per_grid]]"),
    SAID("get_local_size", "a parameter [[threads_per_threadgroup]]"),
    SAID("get_num_groups", "a parameter [[threadgroups_per_grid]]"),
    SAID("barrier", "threadgroup_barrier(mem_flags::mem_threadgroup)"),
    RENAMED("__kernel", "kernel"),
    RENAMED("__global", "device"),
    RENAMED("__local", "threadgroup"),
    RENAMED("__constant", "constant"),
    RENAMED("__private", "thread"),
    RENAMED("mad", "fma"),
    RENAMED("native_exp", "fast::exp"),
    RENAMED("native_log", "fast::log"),
    RENAMED("native_sqrt", "fast::sqrt"),
    RENAMED("native_rsqrt", "fast::rsqrt"),
    RENAMED("native_sin", "fast::sin"),
    RENAMED("native_cos", "fast::cos"),
    RENAMED("as_float", "as_type<float>"),
    RENAMED("as_int", "as_type<int>"),
    RENAMED("as_uint", "as_type<uint>"),
    // GLSL and HLSL
    SAID("gl_GlobalInvocationID", "a parameter [[thread_position_in_grid]]"),
    SAID("gl_LocalInvocationID", "a parameter [[thread_position_in_threadgroup]]"),
    SAID("GroupMemoryBarrierWithGroupSync", "threadgroup_barrier(mem_flags::mem_threadgroup)"),
    RENAMED("lerp", "mix"),
    RENAMED("frac", "fract"),
    RENAMED("inversesqrt", "rsqrt"),
    RENAMED("asuint", "as_type<uint>"),
    RENAMED("asfloat", "as_type<float>"),
    RENAMED("floatBitsToUint", "as_type<uint>"),
    RENAMED("uintBitsToFloat", "as_type<float>"),
    RENAMED("groupshared", "threadgroup"),
    RENAMED("bitCount", "popcount"),
    // C and C++
    RENAMED("fabsf", "fabs"),
    RENAMED("fmaxf", "fmax"),
    RENAMED("fminf", "fmin"),
    RENAMED("fmaf", "fma"),
    RENAMED("fmodf", "fmod"),
    RENAMED("sqrtf", "sqrt"),
    RENAMED("rsqrtf", "rsqrt"),
    RENAMED("expf", "exp"),
    RENAMED("exp2f", "exp2"),
    RENAMED("logf", "log"),
    RENAMED("log2f", "log2"),
    RENAMED("powf", "pow"),
    RENAMED("sinf", "sin"),
    RENAMED("cosf", "cos"),
    RENAMED("tanhf", "tanh"),
    RENAMED("floorf", "floor"),
    RENAMED("ceilf", "ceil"),
    RENAMED("roundf", "round"),
    RENAMED("M_PI", "M_PI_F"),
    RENAMED("__builtin_popcount", "popcount"),
    RENAMED("__builtin_clz", "clz"),
    SAID("printf", "nothing: write to a buffer and read it on the host"),
    SAID("assert", "nothing: write to a buffer and read it on the host"),
    SAID("std", "metal, with its own names for little of it"),
    SAID("sincospi", "sinpi(x) and cospi(x)"),
    // what Metal might have been thought to have
    SAID("simd_lane_id", "a parameter [[thread_index_in_simdgroup]]"),
    SAID("simd_group_id", "a parameter [[simdgroup_index_in_threadgroup]]"),
    SAID("simd_execution_width", "a parameter [[threads_per_simdgroup]]"),
    SAID("simd_size", "a parameter [[threads_per_simdgroup]]"),
    RENAMED("simd_vote_any", "simd_any"),
    RENAMED("simd_vote_all", "simd_all"),
    SAID("math", "metal: its functions are in no namespace math"),
#undef RENAMED
#undef SAID
};

const Translation* translation_of(std::string_view name) {
  const auto found = std::find_if(translations.begin(), translations.end(),
                                  [&](const Translation& each) { return each.name == name; });
  return found == translations.end() ? nullptr : &*found;
}

// The name that a message says nobody has declared; empty where it says something else.
std::string_view unknown_name(std::string_view message) {
  for (std::string_view start : {"use of undeclared identifier '", "unknown type name '",
                                 "no member named '", "no template named '"})
    if (message.starts_with(start)) {
      message.remove_prefix(start.size());
      return message.substr(0, message.find('\''));
    }
  return {};
}

// Whether a bracket is only missing because Clang gives up on a subscript at a name that it does
// not know, as its C++23 parser does.
bool is_lost_subscript(const Unit& unit, const Diagnostic& diagnostic) {
  if (diagnostic.message != "expected ']'" || diagnostic.notes.empty()) return false;
  const auto open = diagnostic.notes.front().range.begin;
  const auto& all = unit.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& each) {
    return !unknown_name(each.message).empty() && open < each.range.begin &&
           each.range.begin < diagnostic.range.begin;
  });
}

// Clang's proposal of a statement's keyword in place of a name cannot be meant.
void drop_keyword(std::string& message, std::vector<Fix>& fixes) {
  for (const std::string_view keyword : {"for", "if", "do", "else", "while", "case", "goto"}) {
    const auto proposal = fmt::format("; did you mean '{}'?", keyword);
    if (!message.ends_with(proposal)) continue;
    message.resize(message.size() - proposal.size());
    fixes.clear();
  }
}

}  // namespace

extern constinit const Rule unknown_function{
    .severity = Severity::error,
    .adopt =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const auto name = unknown_name(diagnostic.message);
          if (is_lost_subscript(unit, diagnostic)) return Adoption::consequence;
          if (name.empty()) return Adoption::none;
          drop_keyword(finding.message, finding.fixes);
          const auto* translation = translation_of(name);
          if (!translation) return Adoption::finding;
          const auto place = diagnostic.range;
          finding.notes = {{place, fmt::format("Metal has {} for it", translation->metal)}};
          finding.fixes.clear();
          if (translation->is_rename && unit.text(place) == name)
            finding.fixes = {{{{place, std::string(translation->metal)}}}};
          return Adoption::finding;
        },
};

}  // namespace msci

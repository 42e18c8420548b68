#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <optional>

#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/ide/declarations.h"
#include "lint/rule.h"

namespace msci {
namespace {

enum class AdviceKind {
  rename,    // the one word can take the other's place
  form,      // what Metal has instead
  sentence,  // Metal has nothing like it
};

// What other languages call a thing, and what Metal calls it.
struct Translation {
  std::string_view name;
  std::string_view metal;
  AdviceKind advice = AdviceKind::form;
};

constexpr std::array translations = {
#define RENAMED(name, metal) \
  Translation { name, metal, AdviceKind::rename }
#define SAID(name, metal) \
  Translation { name, metal, AdviceKind::form }
#define ABSENT(name, text) \
  Translation { name, text, AdviceKind::sentence }
    // CUDA
    SAID("__syncthreads", "threadgroup_barrier(mem_flags::mem_threadgroup)"),
    SAID("__syncwarp", "simdgroup_barrier(mem_flags::mem_threadgroup)"),
    SAID("__threadfence", "atomic_thread_fence(flags, order), since metal3.2"),
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
    SAID("atomicCAS",
         "atomic_compare_exchange_weak_explicit(pointer, expected, value, order, order)"),
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
    ABSENT("printf",
           "Metal has no printf; log with os_log from <metal_logging>, since metal3.2, or write to "
           "a buffer"),
    ABSENT("std", "Metal has no namespace std; its library is in the namespace metal"),
    SAID("sincospi", "sinpi(x) and cospi(x)"),
    // what Metal might have been thought to have
    SAID("simd_lane_id", "a parameter [[thread_index_in_simdgroup]]"),
    SAID("simd_group_id", "a parameter [[simdgroup_index_in_threadgroup]]"),
    SAID("simd_execution_width", "a parameter [[threads_per_simdgroup]]"),
    SAID("simd_size", "a parameter [[threads_per_simdgroup]]"),
    RENAMED("simd_vote_any", "simd_any"),
    RENAMED("simd_vote_all", "simd_all"),
    ABSENT("math", "Metal has no namespace math; its functions are in the namespace metal"),
#undef RENAMED
#undef SAID
#undef ABSENT
};

const Translation* translation_of(std::string_view name) {
  const auto found = std::find_if(translations.begin(), translations.end(),
                                  [&](const Translation& each) { return each.name == name; });
  return found == translations.end() ? nullptr : &*found;
}

// The name that a message reports as undeclared; empty for other messages.
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
  const auto& open = diagnostic.notes.front().place;
  const auto& all = unit.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& each) {
    return !unknown_name(each.message).empty() && each.place.file == open.file &&
           open.start() < each.place.start() && each.place.start() < diagnostic.place.start();
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

// Clang's proposal goes, since we know better.
void drop_proposal(std::string& message) {
  if (const auto at = message.find("; did you mean "); at != std::string::npos) message.resize(at);
}

std::string remedy_of(const Translation& translation) {
  if (translation.advice == AdviceKind::sentence) return std::string(translation.metal);
  return fmt::format("in Metal, use {}", translation.metal);
}

// What is left of a name behind one of the starts, or nothing.
std::optional<std::string_view> behind(std::string_view name,
                                       std::initializer_list<std::string_view> starts) {
  for (const auto start : starts)
    if (name.starts_with(start)) return name.substr(start.size());
  return std::nullopt;
}

// Metal's types that a source hardly does without: uint2, packed_half3, float4x4, atomic_uint.
bool is_metals_type(std::string_view name) {
  constexpr std::string_view others[] = {
      "mem_flags",  "memory_order_relaxed", "texture1d", "texture2d", "texture2d_array",
      "texture3d",  "texturecube",          "sampler",   "access",    "numeric_limits",
      "packed_vec", "simdgroup_matrix",     "atomic",    "vec",       "simdgroup_float8x8"};
  if (std::find(std::begin(others), std::end(others), name) != std::end(others)) return true;
  if (const auto value = behind(name, {"atomic_"}))
    return *value == "int" || *value == "uint" || *value == "bool" || *value == "float" ||
           *value == "ulong";
  const auto plain = behind(name, {"packed_"}).value_or(name);
  const auto size = behind(plain, {"bool", "char", "uchar", "short", "ushort", "int", "uint",
                                   "long", "ulong", "half", "float", "bfloat"});
  const auto is_size = [](char digit) { return '2' <= digit && digit <= '4'; };
  if (!size || size->empty() || !is_size(size->front())) return false;
  const bool is_matrix = size->size() == 3 && (*size)[1] == 'x' && is_size(size->back());
  return size->size() == 1 || is_matrix;
}

// Whether the library declares the name.
bool is_visible(const Unit& unit, std::string_view name) {
  auto& ast = unit.ast();
  const auto find = [&](const clang::DeclContext& where, std::string_view word) {
    return where.lookup(&ast.Idents.get(word));
  };
  for (const auto* found : find(*ast.getTranslationUnitDecl(), "metal"))
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found))
      return !find(*space, name).empty();
  return false;
}

// Whether the source says `using namespace metal`, somewhere.
bool uses_metal(const std::vector<RawToken>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i].is("using") && words[i + 1].is("namespace") && words[i + 2].is("metal"))
      return true;
  return false;
}

// The name is Metal's own and only not in sight: says how it comes there.
void tell_where_it_is(const Unit& unit, std::string_view name, const Place& place,
                      Finding& finding) {
  if (unit.text(place) != name || finding.message.starts_with("no member")) return;
  const FileTokens tokens(unit, place);
  const auto& words = tokens.words();
  const auto at = tokens.at(place);
  if (at > 0 && words[at - 1].is("::")) return;
  const bool is_called = at + 1 < words.size() && words[at + 1].is("(");
  if (!is_metals_type(name) && (!is_called || meaning_of(name).empty())) {
    // Clang proposes the library's function for a variable of the same name.
    if (!is_called && finding.message.find("; did you mean 'metal::") != std::string::npos) {
      drop_proposal(finding.message);
      finding.notes.clear();
      finding.fixes.clear();
    }
    return;
  }
  if (uses_metal(words) || !is_visible(unit, name)) return;
  drop_proposal(finding.message);
  finding.message += fmt::format("; did you mean 'metal::{}'?", name);
  finding.notes = {
      {place, "it is in the namespace metal; `using namespace metal;` also makes it visible"}};
  finding.fixes = {{{{place, fmt::format("metal::{}", name)}}, false}};
}

}  // namespace

extern constinit const Rule unknown_function{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const auto name = unknown_name(diagnostic.message);
          if (is_lost_subscript(unit, diagnostic)) return DiagnosticMatch::consequence;
          if (name.empty()) return DiagnosticMatch::none;
          drop_keyword(finding.message, finding.fixes);
          const auto& place = diagnostic.place;
          const auto* translation = translation_of(name);
          if (!translation) {
            tell_where_it_is(unit, name, place, finding);
            return DiagnosticMatch::finding;
          }
          drop_proposal(finding.message);
          finding.notes.clear();
          add_remedy(finding, remedy_of(*translation));
          finding.fixes.clear();
          if (translation->advice == AdviceKind::rename && unit.text(place) == name)
            finding.fixes = {{{{place, std::string(translation->metal)}}}};
          return DiagnosticMatch::finding;
        },
};

}  // namespace msci

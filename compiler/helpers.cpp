#include <cassert>
#include <map>

#include "compiler/print/print.h"

namespace msci {
namespace {

constexpr std::string_view atomic_add_local = R"(
float msci_atomic_add_local(volatile __local uint* p, float x) {
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + x))) != old) old = seen;
  return as_float(old);
}
)";

constexpr std::string_view atomic_add_global = R"(
float msci_atomic_add_global(volatile __global uint* p, float x) {
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + x))) != old) old = seen;
  return as_float(old);
}
)";

const std::map<std::string_view, std::string_view>& sources() {
  static const std::map<std::string_view, std::string_view> table{
      {"msci_round_half", R"(
float msci_round_half(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return vload_half(0, (half*)&bits);
}
)"},
      {"msci_half_bits", R"(
ushort msci_half_bits(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return bits;
}
)"},
      {"msci_half_from_bits", R"(
float msci_half_from_bits(ushort bits) { return vload_half(0, (half*)&bits); }
)"},
      {"msci_round_bfloat", R"(
float msci_round_bfloat(float x) {
  uint bits = as_uint(x);
  if (isnan(x)) return x;
  return as_float((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}
)"},
      {"msci_reverse_bits", R"(
uint msci_reverse_bits(uint x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return as_uint(as_uchar4(x).s3210);
}
)"},
      // LLVM's classes: signalling and quiet NaN, then -inf, -normal, -subnormal, -0, +0,
      // +subnormal, +normal, +inf.
      {"msci_is_class", R"(
bool msci_is_class(float x, uint mask) {
  uint bits = as_uint(x), magnitude = bits & 0x7fffffffu;
  bool negative = bits >> 31;
  uint class;
  if (magnitude > 0x7f800000u) class = (bits & 0x400000u) ? 2u : 1u;
  else if (magnitude == 0x7f800000u) class = negative ? 4u : 512u;
  else if (magnitude >= 0x800000u) class = negative ? 8u : 256u;
  else if (magnitude != 0u) class = negative ? 16u : 128u;
  else class = negative ? 32u : 64u;
  return (class & mask) != 0u;
}
)"},
      {"msci_int64_atomics", R"(
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
)"},
      {"msci_atomic_add_local", atomic_add_local},
      {"msci_atomic_add_global", atomic_add_global},
  };
  return table;
}

}  // namespace

std::string_view helper_source(std::string_view name) {
  const auto found = sources().find(name);
  assert(found != sources().end() && "every helper that print() names is here");
  return found->second;
}

}  // namespace msci

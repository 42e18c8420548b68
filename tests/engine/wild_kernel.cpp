#include "tests/engine/wild_kernel.h"

#include <fmt/format.h>

#include <array>
#include <random>
#include <span>
#include <string_view>

namespace msci {
namespace {

class WildKernel {
 public:
  explicit WildKernel(std::uint64_t seed) : random_(seed) {}

  std::string text(const std::string& name) {
    std::string body;
    const auto count = 1 + below(4);  // the first access outside ends a kernel
    for (unsigned i = 0; i < count; ++i) body += statement(0);
    return fmt::format(R"(
kernel void {}(device uint* x [[buffer(0)]], device const ulong* at [[buffer(1)]],
    device uint* out [[buffer(2)]], uint i [[thread_position_in_grid]],
    uint lane [[thread_index_in_simdgroup]]) {{
  threadgroup uint tile[64];
  threadgroup uint other[32];
  uint own[8], near[4];
  for (uint k = 0; k < 8; ++k) own[k] = 0x22000000u + k + i;
  for (uint k = 0; k < 4; ++k) near[k] = 0x23000000u + k + i;
  tile[i % 64] = i;
  other[i % 32] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint sum = 0;
{}  out[i] = sum;
}}
)",
                       name, body);
  }

 private:
  std::uint64_t below(std::uint64_t count) { return random_() % count; }
  std::string_view any(std::span<const std::string_view> choices) {
    return choices[below(choices.size())];
  }
  template <std::size_t n>
  std::string_view any(const std::array<std::string_view, n>& choices) {
    return any(std::span(choices));
  }

  // ---- numbers of 64 bits

  std::string number(unsigned depth) {
    static constexpr std::array<std::string_view, 14> leaves = {"i",
                                                                "lane",
                                                                "at[0]",
                                                                "at[1]",
                                                                "at[2]",
                                                                "at[3]",
                                                                "at[4 + i % 12]",
                                                                "(ulong)x",
                                                                "(ulong)out",
                                                                "(ulong)&tile[0]",
                                                                "x[i]",
                                                                "sum",
                                                                "0x7fffffffu + i",
                                                                "(0ul - 1ul)"};
    if (depth > 2 || below(4) == 0) {
      if (below(4) == 0) return fmt::format("{}ul", random_() >> below(64));
      return fmt::format("ulong({})", any(leaves));
    }
    static constexpr std::array<std::string_view, 8> operators = {"+", "-", "*", "^",
                                                                  "&", "|", "+", "-"};
    switch (below(8)) {
      case 0:
        return fmt::format("ulong(int({}))", number(depth + 1));
      case 1:
        return fmt::format("ulong(uint({}) {} uint({}))", number(depth + 1), any(operators),
                           number(depth + 1));
      case 2:
        return fmt::format("({} << ({} & 63))", number(depth + 1), number(depth + 1));
      case 3:
        return fmt::format("({} / ({} | 1))", number(depth + 1), number(depth + 1));
      case 4:
        return fmt::format("(i % 3 == 0 ? {} : {})", number(depth + 1), number(depth + 1));
      default:
        return fmt::format("({} {} {})", number(depth + 1), any(operators), number(depth + 1));
    }
  }

  // An index of elements of so many bytes, from a pointer with that name on.
  std::string index(std::string_view from, unsigned bytes) {
    switch (below(6)) {
      case 0:  // exactly at memory of others
      case 1:
        return fmt::format("(at[{}] - (ulong)&{}[0]) / {} + {}", below(4), from, bytes, below(3));
      case 2:
        return fmt::format("long({})", number(0));
      case 3:
        return fmt::format("int({})", number(0));
      case 4:
        return fmt::format("uint({})", number(0));
      default:
        return fmt::format("{} % {}", number(0), 16 + below(100));
    }
  }

  // ---- places

  // An element of a buffer, as a word, whose address may be taken: a vector's component has none.
  std::string device_word() {
    if (below(4) > 0) return fmt::format("out[{}]", index("out", 4));
    return fmt::format("*((device uint*)&((device uint4*)x)[{}] + {})", index("x", 16), below(4));
  }

  // An element of a buffer, as a word, by a pointer of any type.
  std::string device_place() {
    static constexpr std::array<std::string_view, 2> buffers = {"x", "out"};
    const auto from = any(buffers);
    switch (below(8)) {
      case 0:
        return fmt::format("((device uint4*){})[{}].{}", from, index(from, 16), component());
      case 1:
        return fmt::format("*(device uint*)((device uchar*){} + ({}))", from, index(from, 1));
      case 2:
        return fmt::format("(i & 1 ? x : out)[{}]", index("x", 4));
      case 3:
        return fmt::format("(&{}[{}])[{}]", from, number(1), index(from, 4));
      case 4:
        return fmt::format("*(({}) - ({}))", from, index(from, 4));
      case 5:
        return fmt::format("((device uint2*)({} + {}))[{}].{}", from, number(1), index(from, 8),
                           below(2) ? "x" : "y");
      default:
        return fmt::format("{}[{}]", from, index(from, 4));
    }
  }

  std::string_view component() {
    static constexpr std::array<std::string_view, 4> names = {"x", "y", "z", "w"};
    return any(names);
  }

  std::string threadgroup_place() {
    switch (below(4)) {
      case 0:
        return fmt::format("(i & 1 ? tile : other)[{}]", index("tile", 4));
      case 1:
        return fmt::format("((threadgroup uint4*)tile)[{}].{}", index("tile", 16), component());
      default:
        return fmt::format("tile[{}]", index("tile", 4));
    }
  }

  std::string private_place() {
    static constexpr std::array<std::string_view, 3> arrays = {"own", "near",
                                                               "(i % 5 < 2 ? own : near)"};
    switch (below(4)) {
      case 0:
        return fmt::format("{}[i % {}]", any(arrays), 4 + below(5));
      case 1:
        return fmt::format("{}[lane < {} ? {} : 0]", any(arrays), below(32), number(0));
      default:
        return fmt::format("{}[{}({})]", any(arrays), below(2) ? "int" : "long", number(1));
    }
  }

  std::string place() {
    const auto kind = below(8);
    if (kind < 4) return device_place();
    return kind < 6 ? threadgroup_place() : private_place();
  }

  // ---- statements

  std::string statement(unsigned depth) {
    switch (below(depth < 2 ? 11 : 5)) {
      case 0:
      case 1:
        return fmt::format("  sum = sum * 31 + {};\n", place());
      case 2:
        return fmt::format("  {} = 0xdead0000u + i;\n", place());
      case 3:
        return fmt::format(
            "  sum += atomic_fetch_add_explicit((device atomic_uint*)&{}, 1u, "
            "memory_order_relaxed);\n",
            device_word());
      case 4:
        return fmt::format("  out[i] = {};\n", place());
      case 5:
        return fmt::format("  if ({} % 3 == 1) {{\n{}  }}\n", number(1), statement(depth + 1));
      case 6:
        return fmt::format("  for (uint k = 0; k < 1 + (uint({}) & 7); ++k) {{\n{}  }}\n",
                           number(1), statement(depth + 1));
      case 7:
        return fmt::format(
            "  for (device uint* p = x + {}; p != x + i; p += {}) {{\n    sum ^= *p;\n"
            "    if (++sum % 5 == 0) break;\n  }}\n",
            below(2) ? "i" : number(1), below(2) ? "1" : number(1));
      case 8:  // pointers that a private array holds
        return fmt::format(
            "  {{\n    device uint* both[2] = {{x + {}, out}};\n    sum += both[i & 1][{}];\n"
            "    both[lane & 1][{}] = 0xdead0000u;\n  }}\n",
            number(1), index("x", 4), index("out", 4));
      // A number that is read as a pointer; at another place, or it is refused as a cast of it is.
      case 9:
        return fmt::format(
            "  ((threadgroup ulong*)tile)[i % 32] = {};\n"
            "  sum += *((device uint* threadgroup*)tile)[(i + 1) % 32];\n",
            number(1));
      default:
        return fmt::format(
            "  ((device ulong*)out)[i % 32] = at[{}] + {};\n"
            "  *((device uint* device*)out)[(i + 1) % 32] = 0xdead0000u;\n",
            below(4), below(2) ? "0" : number(2));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

std::string wild_kernel(const std::string& name, std::uint64_t seed) {
  return WildKernel(seed).text(name);
}

}  // namespace msci

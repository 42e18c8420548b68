#include "tests/analysis/random_access.h"

#include <fmt/format.h>

#include <cstring>
#include <random>
#include <vector>

namespace msci {
namespace {

constexpr unsigned tile_words = 96, buffer_words = 512, data_words = 64, count_words = 16;

class Writer {
 public:
  Writer(std::string name, std::uint64_t seed) : name_(std::move(name)), random_(seed) {}

  std::string text() {
    text_ = fmt::format(
        "kernel void {}(device uint* a [[buffer(0)]], device uint* b [[buffer(1)]],\n"
        "    device const uint* data [[buffer(2)]], device atomic_uint* counts [[buffer(3)]],\n"
        "    constant uint& n [[buffer(4)]], uint t [[thread_position_in_threadgroup]],\n"
        "    uint g [[threadgroup_position_in_grid]], uint i [[thread_position_in_grid]],\n"
        "    uint width [[threads_per_threadgroup]]) {{\n"
        "  threadgroup uint tile[{}];\n  threadgroup uint other[{}];\n  uint v = i;\n",
        name_, tile_words, tile_words);
    // Most kernels begin as kernels do: each thread fills its place.
    if (chance(80)) text_ += "  tile[t] = salted(i, 1);\n  other[t] = salted(i, 2);\n";
    if (chance(80)) barrier(1);
    statements(3 + below(4), 1, 0);
    text_ += "  b[i] = salted(v, i);\n}\n";
    return text_;
  }

 private:
  unsigned below(unsigned most) { return static_cast<unsigned>(random_() % most); }
  bool chance(unsigned of_hundred) { return below(100) < of_hundred; }
  void line(unsigned depth, const std::string& text) {
    text_ += std::string(2 * depth, ' ') + text + "\n";
  }

  void barrier(unsigned depth) {
    static const char* const flags[] = {"mem_flags::mem_threadgroup", "mem_flags::mem_device",
                                        "mem_flags::mem_threadgroup | mem_flags::mem_device"};
    const auto which = chance(70) ? 0U : 1 + below(2);
    const bool of_simdgroup = chance(12);
    line(depth,
         fmt::format("{}_barrier({});", of_simdgroup ? "simdgroup" : "threadgroup", flags[which]));
  }

  // An index into `words` words, mostly within.
  std::string index(unsigned words, bool is_device) {
    const auto constant = below(8);
    // Threads mostly stay with their own place.
    if (chance(45)) return is_device ? "i" : chance(60) ? "t" : "t + width % 2";
    if (chance(12)) return bits();
    switch (below(is_device ? 13 : 11)) {
      case 0:
        return "t";
      case 1:
        return fmt::format("t + {}", constant);
      case 2:
        return fmt::format("(t + {}) % {}", constant, 2 + below(words - 2));
      case 3:
        return fmt::format("{}u - t", words - 1);
      case 4:
        return fmt::format("t ^ {}", 1U << below(4));
      case 5:
        return fmt::format("t * {} + {}", 1 + below(3), loop_.empty() ? "0" : loop_);
      case 6:
        return fmt::format("min(t + {}, {}u)", constant, words - 1);
      case 7:
        return fmt::format("data[i % {}] % {}", data_words, 1 + below(words));
      case 8:
        return fmt::format("(t < {} ? t : {}u)", 16 + below(32), 16 + below(32));
      case 9:
        return fmt::format("t / 2 + (t & 1) * {}", 16 + below(32));
      case 10:
        return loop_.empty() ? std::string("width - 1 - t")
                             : fmt::format("(t + {} * {}) % {}", loop_, 1 + below(4), words);
      case 11:
        return "i";
      default:
        return fmt::format("i * {} + {}", 1 + below(2), below(3));
    }
  }

  // A number whose bits are those of a position, elsewhere.
  std::string bits() {
    const auto mask = 1 + below(62), others = 63 - mask;
    switch (below(4)) {
      case 0:
        return fmt::format("(t & {}) | (t >> 1 & {})", mask, others);
      case 1:
        return fmt::format("(((t | {}) + 1) & {}) | (t & {})", others, mask, others);
      case 2:
        return "(t << 1 | t >> 5) & 63";
      default:
        return "((t & 21) << 1) | (t >> 1 & 21)";
    }
  }

  std::string condition() {
    switch (below(6)) {
      case 0:
        return fmt::format("t < {}", 8 + below(56));
      case 1:
        return "i < n";
      case 2:
        return fmt::format("(t & {}) == 0", 1 + below(3));
      case 3:
        return fmt::format("n > {}", below(200));
      case 4:
        return fmt::format("data[t % {}] > {}", data_words, below(1000));
      default:
        return fmt::format("t + {} < width", below(8));
    }
  }

  void access(unsigned depth) {
    static const char* const arrays[] = {"tile", "other", "a"};
    const auto which = below(3);
    const bool is_device = which == 2;
    const auto where = index(is_device ? buffer_words : tile_words, is_device);
    if (chance(50))
      line(depth, fmt::format("v += {}[{}];", arrays[which], where));
    else
      line(depth, fmt::format("{}[{}] = salted(i, {});", arrays[which], where, ++salt_));
  }

  void loop(unsigned depth, unsigned nesting) {
    const auto name = fmt::format("k{}", nesting);
    const auto outer = loop_;
    const auto counts = below(5);
    if (counts == 4) return loops_in_steps(name, depth, nesting);
    loop_ = name;
    line(depth, counts == 0
                    ? fmt::format("for (uint {0} = 0; {0} < {1}; ++{0}) {{", name, 2 + below(4))
                : counts == 1 ? fmt::format("for (uint {0} = t; {0} < n; {0} += width) {{", name)
                : counts == 2 ? fmt::format("for (uint {0} = 16; {0} > 0; {0} /= 2) {{", name)
                              : fmt::format("for (uint {0} = 0; {0} < n % 8; ++{0}) {{", name));
    statements(1 + below(3), depth + 1, nesting + 1);
    if (chance(60)) barrier(depth + 1);
    line(depth, "}");
    loop_ = outer;
  }

  // A loop in large steps, and one for the rest.
  void loops_in_steps(const std::string& name, unsigned depth, unsigned nesting) {
    const auto outer = loop_;
    loop_ = name;
    line(depth, "{");
    line(depth + 1, fmt::format("uint {} = t;", name));
    line(depth + 1, fmt::format("for (; {0} + 2 * width <= n; {0} += 2 * width) {{", name));
    access(depth + 2);
    line(depth + 1, "}");
    line(depth + 1, fmt::format("for (; {0} < n; {0} += width) {{", name));
    statements(1 + below(2), depth + 2, nesting + 1);
    line(depth + 1, "}");
    line(depth, "}");
    loop_ = outer;
  }

  void statements(unsigned count, unsigned depth, unsigned nesting) {
    for (unsigned each = 0; each < count; ++each) {
      const auto what = below(100);
      if (what < 52) {
        access(depth);
      } else if (what < 70) {
        barrier(depth);
      } else if (what < 82 && depth < 4) {
        line(depth, fmt::format("if ({}) {{", condition()));
        statements(1 + below(2), depth + 1, nesting);
        line(depth, "}");
      } else if (what < 92 && nesting < 2) {
        loop(depth, nesting);
      } else {
        line(depth, fmt::format("v += atomic_fetch_add_explicit(&counts[{} % {}], 1u, "
                                "memory_order_relaxed);",
                                chance(50) ? "t" : "data[t % 64]",
                                chance(85) ? count_words : count_words + 1));
      }
    }
  }

  std::string name_, text_, loop_;
  std::mt19937_64 random_;
  unsigned salt_ = 2;
};

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

std::string random_access_prelude() {
  return "#include <metal_stdlib>\nusing namespace metal;\n\n"
         "uint salted(uint x, uint salt) { return (x + 1) * 2654435761u + salt * 40503u; }\n\n";
}

std::string random_access_kernel(const std::string& name, std::uint64_t seed) {
  return Writer(name, seed).text();
}

Plan random_access_plan(const std::string& name, std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x5eed);
  static constexpr unsigned widths[] = {32, 48, 64, 80};
  const auto width = widths[random() % 4];
  const auto groups = 1 + static_cast<unsigned>(random() % 3);
  // Edge threadgroups are smaller in a third of the launches.
  const auto threads = width * groups - (random() % 3 == 0 ? width / 3 : 0);
  Plan plan;
  const auto zeros = [&](const char* buffer, unsigned words) {
    return plan.add({.name = buffer, .bytes = words * 4, .initial = {}});
  };
  std::vector<std::uint32_t> data(data_words);
  for (auto& each : data) each = static_cast<std::uint32_t>(random());
  const auto a = zeros("a", buffer_words), b = zeros("b", buffer_words);
  const auto d = plan.add({.name = "data", .bytes = data_words * 4, .initial = bytes_of(data)});
  const auto counts = zeros("counts", count_words);
  const auto n = plan.add_scalar("n", static_cast<std::uint32_t>(random() % 256));
  plan.launches.push_back({.kernel = name,
                           .grid = {threads},
                           .threadgroup = {width},
                           .bindings = {{0, a}, {1, b}, {2, d}, {3, counts}, {4, n}}});
  return plan;
}

}  // namespace msci

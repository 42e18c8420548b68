#include "tests/compiler/random_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <utility>

namespace msci {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr std::array<u32, 8> table{3, 0, 0x80000000, 17, 0xffffffff, 255, 65536, 1};

// The state of one thread.
struct Thread {
  u32 group = 0;
  u32 index = 0;  // in its threadgroup
  std::array<u32, 3> u{};
  std::array<i32, 3> i{};
  std::array<float, 2> f{};
  std::array<u32, 4> v{};
  std::array<u32, 8> a{};
  std::vector<u32> counters;  // of the loops around, the outermost first
  bool broke = false;         // has left the innermost loop
  bool continues = false;     // has left this iteration of it
};
using Threads = std::vector<Thread*>;  // in their order

// The effect of a statement on the threads that reach it.
using Step = std::function<void(const Threads&)>;

template <typename T>
struct Expression {
  std::string text;
  std::function<T(const Thread&)> value;
};
using Unsigned = Expression<u32>;
using Signed = Expression<i32>;
using Truth = Expression<bool>;

// A whole number below 2^bits, so that all arithmetic on it is exact.
struct Real : Expression<float> {
  int bits = 0;
};

template <typename T>
struct Binary {
  const char* pattern;
  T (*apply)(T, T);
};
template <typename T>
struct Unary {
  const char* pattern;
  T (*apply)(T);
};

u32 reversed(u32 x) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r |= (x >> k & 1) << (31 - k);
  return r;
}
i32 saturated(i64 x) { return static_cast<i32>(std::clamp<i64>(x, INT32_MIN, INT32_MAX)); }

const Binary<u32> unsigned_binaries[] = {
    // of vectors, too
    {"({} + {})", [](u32 a, u32 b) { return a + b; }},
    {"({} - {})", [](u32 a, u32 b) { return a - b; }},
    {"({} * {})", [](u32 a, u32 b) { return a * b; }},
    {"({} & {})", [](u32 a, u32 b) { return a & b; }},
    {"({} | {})", [](u32 a, u32 b) { return a | b; }},
    {"({} ^ {})", [](u32 a, u32 b) { return a ^ b; }},
    {"({} << ({} & 31))", [](u32 a, u32 b) { return a << (b & 31); }},
    {"({} >> ({} & 31))", [](u32 a, u32 b) { return a >> (b & 31); }},
    {"({} / ({} | 1))", [](u32 a, u32 b) { return a / (b | 1); }},
    {"({} % ({} | 1))", [](u32 a, u32 b) { return a % (b | 1); }},
    {"min({}, {})", [](u32 a, u32 b) { return std::min(a, b); }},
    {"max({}, {})", [](u32 a, u32 b) { return std::max(a, b); }},
    {"absdiff({}, {})", [](u32 a, u32 b) { return a > b ? a - b : b - a; }},
    {"mulhi({}, {})", [](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }},
    {"rotate({}, {})", [](u32 a, u32 b) { return std::rotl(a, static_cast<int>(b & 31)); }},
    {"addsat({}, {})", [](u32 a, u32 b) { return a + b < a ? UINT32_MAX : a + b; }},
    {"subsat({}, {})", [](u32 a, u32 b) { return a < b ? 0 : a - b; }},
    {"hadd({}, {})", [](u32 a, u32 b) { return static_cast<u32>((u64{a} + b) >> 1); }},
    {"rhadd({}, {})", [](u32 a, u32 b) { return static_cast<u32>((u64{a} + b + 1) >> 1); }},
    {"insert_bits({}, {}, 3, 17)",
     [](u32 a, u32 b) { return (a & ~0xffff8u) | (b << 3 & 0xffff8u); }},
};
const Unary<u32> unsigned_unaries[] = {
    {"(~{})", [](u32 a) { return ~a; }},
    {"(-{})", [](u32 a) { return -a; }},
    {"popcount({})", [](u32 a) { return static_cast<u32>(std::popcount(a)); }},
    {"clz({})", [](u32 a) { return static_cast<u32>(std::countl_zero(a)); }},
    {"ctz({})", [](u32 a) { return static_cast<u32>(std::countr_zero(a)); }},
    {"reverse_bits({})", reversed},
    {"extract_bits({}, 5, 9)", [](u32 a) { return a >> 5 & 511; }},
    {"uint(uchar({}))", [](u32 a) { return a & 255; }},
    {"uint(short({}))", [](u32 a) { return static_cast<u32>(static_cast<std::int16_t>(a)); }},
    {"uint(ulong({}) * 2654435761ul >> 16)",
     [](u32 a) { return static_cast<u32>(u64{a} * 2654435761 >> 16); }},
    {"uint(as_type<uchar4>({}).z)", [](u32 a) { return a >> 16 & 255; }},
    {"uint(rotate(ushort({}), ushort(5)))",
     [](u32 a) { return (a << 5 | (a & 0xffff) >> 11) & 0xffff; }},
    {"uint(half({} & 1023u) * 2.0h)", [](u32 a) { return (a & 1023) * 2; }},
    {"(uint2({}, 7u).yx * 3u).y", [](u32 a) { return a * 3; }},
    {"table[{} & 7]", [](u32 a) { return table[a & 7]; }},
};
const Binary<i32> signed_binaries[] = {
    {"int(uint({}) + uint({}))", [](i32 a, i32 b) { return static_cast<i32>(u32(a) + u32(b)); }},
    {"int(uint({}) - uint({}))", [](i32 a, i32 b) { return static_cast<i32>(u32(a) - u32(b)); }},
    {"int(uint({}) * uint({}))", [](i32 a, i32 b) { return static_cast<i32>(u32(a) * u32(b)); }},
    {"(({} >> 1) / ({} | 1))", [](i32 a, i32 b) { return (a >> 1) / (b | 1); }},
    {"(({} >> 1) % ({} | 1))", [](i32 a, i32 b) { return (a >> 1) % (b | 1); }},
    {"({} >> ({} & 31))", [](i32 a, i32 b) { return a >> (b & 31); }},
    {"({} & {})", [](i32 a, i32 b) { return a & b; }},
    {"({} ^ {})", [](i32 a, i32 b) { return a ^ b; }},
    {"min({}, {})", [](i32 a, i32 b) { return std::min(a, b); }},
    {"max({}, {})", [](i32 a, i32 b) { return std::max(a, b); }},
    {"mulhi({}, {})", [](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }},
    {"addsat({}, {})", [](i32 a, i32 b) { return saturated(i64{a} + b); }},
    {"subsat({}, {})", [](i32 a, i32 b) { return saturated(i64{a} - b); }},
    {"hadd({}, {})", [](i32 a, i32 b) { return static_cast<i32>((i64{a} + b) >> 1); }},
    {"int(absdiff({}, {}))",
     [](i32 a, i32 b) { return static_cast<i32>(a > b ? u32(a) - u32(b) : u32(b) - u32(a)); }},
};
const Unary<i32> signed_unaries[] = {
    {"(~{})", [](i32 a) { return ~a; }},
    {"abs({} >> 1)", [](i32 a) { return std::abs(a >> 1); }},
    {"int(char({}))", [](i32 a) { return i32{static_cast<std::int8_t>(a)}; }},
    {"int(ushort({}))", [](i32 a) { return i32{static_cast<std::uint16_t>(a)}; }},
    {"extract_bits({}, 7, 12)", [](i32 a) { return static_cast<i32>(u32(a) << 13) >> 20; }},
    {"int(long({}) * 123457l >> 11)",
     [](i32 a) { return static_cast<i32>(i64{a} * 123457 >> 11); }},
    {"clamp({}, -1000, 777)", [](i32 a) { return std::clamp(a, -1000, 777); }},
    {"int(short2({}).y)", [](i32 a) { return i32{static_cast<std::int16_t>(a)}; }},
};

class Maker {
 public:
  Maker(std::uint64_t seed, const std::vector<u32>& input) : random_(seed), input_(input) {}

  RandomKernel make(std::string name) {
    with_simdgroups_ = chance(50);
    with_atomics_ = chance(50);
    std::vector<Thread> all(random_groups * random_threads);
    Threads threads;
    for (u32 k = 0; k < all.size(); ++k) {
      all[k].group = k / random_threads;
      all[k].index = k % random_threads;
      all[k].u[0] = k;
      threads.push_back(&all[k]);
    }
    text_ = fmt::format(
        "kernel void {}(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],\n"
        "    uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],\n"
        "    uint n [[threads_per_threadgroup]]) {{\n"
        "  threadgroup uint tile[{}];\n"
        "  uint u[3] = {{i, 0, 0}}, a[8] = {{}};\n  int s[3] = {{}};\n  float f[2] = {{}};\n"
        "  uint4 v = 0;\n",
        name, random_threads);
    ++nesting_;
    if (with_atomics_) {
      line(fmt::format("threadgroup atomic_uint totals[{}];", total_count));
      line(fmt::format("if (t < {}) atomic_store_explicit(&totals[t], 0, memory_order_relaxed);",
                       total_count));
      line("threadgroup_barrier(mem_flags::mem_threadgroup);");
    }
    --nesting_;
    block(8, true)(threads);
    ++nesting_;
    if (with_atomics_) read_totals(threads);
    line("out += 14 * i;");
    line("for (int k = 0; k < 3; ++k) out[k] = u[k], out[3 + k] = uint(s[k]);");
    line("for (int k = 0; k < 2; ++k) out[6 + k] = uint(int(f[k]));");
    line("for (int k = 0; k < 4; ++k) out[8 + k] = v[k];");
    line("out[12] = a[0] ^ a[1] ^ a[2] ^ a[3];");
    line("out[13] = a[4] ^ a[5] ^ a[6] ^ a[7];");
    text_ += "}\n";
    RandomKernel made{std::move(name), std::move(text_), {}};
    for (const auto& thread : all) append_outputs(thread, made.expected);
    return made;
  }

 private:
  static void append_outputs(const Thread& thread, std::vector<u32>& words) {
    words.insert(words.end(), thread.u.begin(), thread.u.end());
    for (i32 x : thread.i) words.push_back(static_cast<u32>(x));
    for (float x : thread.f) words.push_back(static_cast<u32>(static_cast<i32>(x)));
    words.insert(words.end(), thread.v.begin(), thread.v.end());
    const auto& a = thread.a;
    words.push_back(a[0] ^ a[1] ^ a[2] ^ a[3]);
    words.push_back(a[4] ^ a[5] ^ a[6] ^ a[7]);
  }

  // ---- chance: from the engine's own numbers, which every library gives alike

  u32 below(u32 n) { return static_cast<u32>(random_() % n); }
  bool chance(u32 percent) { return below(100) < percent; }
  template <typename T, std::size_t N>
  const T& one_of(const T (&all)[N]) {
    return all[below(N)];
  }

  // ---- expressions

  template <typename T>
  Expression<T> apply(const Binary<T>& op, Expression<T> a, Expression<T> b) {
    return {fmt::format(fmt::runtime(op.pattern), a.text, b.text),
            [=, f = op.apply](const Thread& t) { return f(a.value(t), b.value(t)); }};
  }
  template <typename T>
  Expression<T> apply(const Unary<T>& op, Expression<T> a) {
    return {fmt::format(fmt::runtime(op.pattern), a.text),
            [=, f = op.apply](const Thread& t) { return f(a.value(t)); }};
  }
  template <typename T>
  Expression<T> choose(const Truth& c, Expression<T> a, Expression<T> b) {
    const char* pattern = chance(50) ? "({0} ? {1} : {2})" : "select({2}, {1}, {0})";
    return {fmt::format(fmt::runtime(pattern), c.text, a.text, b.text),
            [=](const Thread& t) { return c.value(t) ? a.value(t) : b.value(t); }};
  }

  Unsigned unsigned_leaf() {
    const u32 k = below(8);
    switch (below(6)) {
      case 0:
        return {fmt::format("u[{}]", k % 3), [=](const Thread& t) { return t.u[k % 3]; }};
      case 1:
        return {fmt::format("v.{}", "xyzw"[k % 4]), [=](const Thread& t) { return t.v[k % 4]; }};
      case 2:
        return {fmt::format("a[{}]", k), [=](const Thread& t) { return t.a[k]; }};
      case 3:
        if (loops_ > 0) {
          const u32 loop = below(loops_);
          return {fmt::format("k{}", loop), [=](const Thread& t) { return t.counters[loop]; }};
        }
        return {"t", [](const Thread& t) { return t.index; }};
      case 4: {
        const u32 number = chance(50) ? below(16) : static_cast<u32>(random_());
        return {fmt::format("{}u", number), [=](const Thread&) { return number; }};
      }
      default:
        return {"i", [](const Thread& t) { return t.group * random_threads + t.index; }};
    }
  }

  Unsigned unsigned_value(int depth) {
    if (depth <= 0) return unsigned_leaf();
    switch (below(9)) {
      case 0: {
        const auto& op = one_of(unsigned_unaries);
        return apply(op, unsigned_value(depth - 1));
      }
      case 1: {
        auto s = signed_value(depth - 1);
        return {"uint(" + s.text + ")",
                [=](const Thread& t) { return static_cast<u32>(s.value(t)); }};
      }
      case 2: {
        const auto c = truth(depth - 1);
        auto a = unsigned_value(depth - 1);
        return choose(c, std::move(a), unsigned_value(depth - 1));
      }
      case 3: {
        auto at = unsigned_value(depth - 1);
        return {"in[" + at.text + " & 63]",
                [=, this](const Thread& t) { return input_[at.value(t) & 63]; }};
      }
      case 4: {
        auto at = unsigned_value(depth - 1);
        return {"a[" + at.text + " & 7]", [=](const Thread& t) { return t.a[at.value(t) & 7]; }};
      }
      case 5: {
        auto at = unsigned_value(depth - 1);
        return {"v[" + at.text + " & 3]", [=](const Thread& t) { return t.v[at.value(t) & 3]; }};
      }
      default: {
        const auto& op = one_of(unsigned_binaries);
        auto a = unsigned_value(depth - 1);
        return apply(op, std::move(a), unsigned_value(depth - 1));
      }
    }
  }

  Signed signed_value(int depth) {
    const u32 k = below(3);
    if (depth <= 0) return {fmt::format("s[{}]", k), [=](const Thread& t) { return t.i[k]; }};
    switch (below(7)) {
      case 0: {
        const auto& op = one_of(signed_unaries);
        return apply(op, signed_value(depth - 1));
      }
      case 1: {
        auto u = unsigned_value(depth - 1);
        return {"int(" + u.text + ")",
                [=](const Thread& t) { return static_cast<i32>(u.value(t)); }};
      }
      case 2: {
        auto r = real(depth - 1, 20);
        return {"int(" + r.text + ")",
                [=](const Thread& t) { return static_cast<i32>(r.value(t)); }};
      }
      case 3: {
        const auto c = truth(depth - 1);
        auto a = signed_value(depth - 1);
        return choose(c, std::move(a), signed_value(depth - 1));
      }
      default: {
        const auto& op = one_of(signed_binaries);
        auto a = signed_value(depth - 1);
        return apply(op, std::move(a), signed_value(depth - 1));
      }
    }
  }

  Real real_leaf(int bits) {
    const u32 k = below(2);
    if (bits >= 9 && chance(50))
      return {{fmt::format("f[{}]", k), [=](const Thread& t) { return t.f[k]; }}, 9};
    if (bits >= 6 && chance(70)) {
      auto u = unsigned_leaf();
      return {{"float(" + u.text + " & 63)",
               [=](const Thread& t) { return static_cast<float>(u.value(t) & 63); }},
              6};
    }
    return {{fmt::format("{}.0f", k + 1), [=](const Thread&) { return k + 1.0f; }}, 2};
  }

  // Of at most so many bits.
  Real real(int depth, int bits) {
    if (depth <= 0 || bits < 4) return real_leaf(bits);
    const auto binary = [&](const char* pattern, Real a, Real b, auto apply, int result) -> Real {
      return {{fmt::format(fmt::runtime(pattern), a.text, b.text),
               [=](const Thread& t) { return apply(a.value(t), b.value(t)); }},
              result};
    };
    switch (below(8)) {
      case 0: {
        auto a = real(depth - 1, bits / 2);
        auto b = real(depth - 1, bits / 2);
        return binary("({} * {})", a, b, [](float x, float y) { return x * y; }, a.bits + b.bits);
      }
      case 1:
      case 2: {
        auto a = real(depth - 1, bits - 1);
        auto b = real(depth - 1, bits - 1);
        const int sum = std::max(a.bits, b.bits) + 1;
        if (chance(50))
          return binary("({} + {})", a, b, [](float x, float y) { return x + y; }, sum);
        return binary("({} - {})", a, b, [](float x, float y) { return x - y; }, sum);
      }
      case 3: {
        auto a = real(depth - 1, bits);
        auto b = real(depth - 1, bits);
        const int most = std::max(a.bits, b.bits);
        if (chance(50))
          return binary(
              "fmin({}, {})", a, b, [](float x, float y) { return std::fmin(x, y); }, most);
        return binary("max({}, {})", a, b, [](float x, float y) { return std::fmax(x, y); }, most);
      }
      case 4: {
        auto a = real(depth - 1, bits);
        return {{"floor(" + a.text + " * 0.25f)",
                 [=](const Thread& t) { return std::floor(a.value(t) * 0.25f); }},
                a.bits};
      }
      case 5: {
        auto a = real(depth - 1, bits);
        return {{"rint(fabs(" + a.text + ") * 0.5f)",
                 [=](const Thread& t) { return std::nearbyint(std::fabs(a.value(t)) * 0.5f); }},
                a.bits};
      }
      case 6: {
        auto a = real(depth - 1, std::min(bits, 10) - 1);
        auto b = real(depth - 1, std::min(bits, 10) - 1);
        return binary(
            "float(half({}) - half({}))", a, b, [](float x, float y) { return x - y; },
            std::max(a.bits, b.bits) + 1);
      }
      default: {
        const auto c = truth(depth - 1);
        auto a = real(depth - 1, bits);
        auto b = real(depth - 1, bits);
        const int most = std::max(a.bits, b.bits);
        return {choose<float>(c, std::move(a), std::move(b)), most};
      }
    }
  }

  template <typename T>
  Truth compare(Expression<T> a, Expression<T> b) {
    const auto with = [&](const char* op, auto apply) -> Truth {
      return {fmt::format("({} {} {})", a.text, op, b.text),
              [=](const Thread& t) { return apply(a.value(t), b.value(t)); }};
    };
    switch (below(4)) {
      case 0:
        return with("<", std::less<T>());
      case 1:
        return with(">=", std::greater_equal<T>());
      case 2:
        return with("==", std::equal_to<T>());
      default:
        return with("!=", std::not_equal_to<T>());
    }
  }

  Truth truth(int depth) {
    if (depth > 0 && chance(30)) {
      auto a = truth(depth - 1), b = truth(depth - 1);
      switch (below(3)) {
        case 0:
          return {"(" + a.text + " && " + b.text + ")",
                  [=](const Thread& t) { return a.value(t) && b.value(t); }};
        case 1:
          return {"(" + a.text + " || " + b.text + ")",
                  [=](const Thread& t) { return a.value(t) || b.value(t); }};
        default:
          return {"!" + a.text, [=](const Thread& t) { return !a.value(t); }};
      }
    }
    if (chance(30)) {
      const u32 bit = below(6);
      return {fmt::format("((t >> {} & 1) != 0)", bit),
              [=](const Thread& t) { return (t.index >> bit & 1) != 0; }};
    }
    switch (below(3)) {
      case 0: {
        auto a = signed_value(depth - 1);
        return compare(std::move(a), signed_value(depth - 1));
      }
      case 1: {
        Expression<float> a = real(depth - 1, 20);
        return compare<float>(std::move(a), real(depth - 1, 20));
      }
      default: {
        auto a = unsigned_value(depth - 1);
        return compare(std::move(a), unsigned_value(depth - 1));
      }
    }
  }

  // ---- statements: each writes its text and returns its effect on the threads that reach it

  void line(const std::string& text) { text_ += std::string(2 * nesting_, ' ') + text + "\n"; }

  // `uniform`: all threads of a threadgroup reach the statement together, so a barrier is allowed.
  Step block(int length, bool uniform) {
    std::vector<Step> steps;
    ++nesting_;
    for (int k = 0; k < length; ++k) steps.push_back(statement(uniform));
    --nesting_;
    return [steps](const Threads& threads) {
      for (const auto& step : steps) step(staying(threads));
    };
  }

  static Threads staying(const Threads& threads) {
    Threads staying;
    for (auto* thread : threads)
      if (!thread->broke && !thread->continues) staying.push_back(thread);
    return staying;
  }

  Step statement(bool uniform) {
    switch (below(nesting_ > 3 ? 8 : 14)) {
      case 0:
      case 1:
        return assign("u", unsigned_value(3), &Thread::u);
      case 2:
        return assign("s", signed_value(3), &Thread::i);
      case 3:
        return assign_real();
      case 4:
        return with_atomics_ && chance(60) ? accumulate() : assign_vector();
      case 5:
        return assign_element();
      case 6:
        return with_simdgroups_ ? combine() : assign("u", unsigned_value(4), &Thread::u);
      case 7:
        return uniform ? exchange() : jumps_ ? jump() : assign_vector();
      case 8:
      case 9:
        return branch();
      case 10:
        return choice();
      default:
        return loop(uniform);
    }
  }

  template <typename T>
  Step assign(const char* name, const Expression<T>& value, std::array<T, 3> Thread::* member) {
    const u32 k = below(3);
    line(fmt::format("{}[{}] = {};", name, k, value.text));
    return each([=](Thread& t) { (t.*member)[k] = value.value(t); });
  }

  Step assign_real() {
    const u32 k = below(2);
    const auto value = real(4, 22);
    line(fmt::format("f[{}] = fmod({}, 512.0f);", k, value.text));
    return each([=](Thread& t) { t.f[k] = std::fmod(value.value(t), 512.0f); });
  }

  Step assign_vector() {
    const u32 x = below(4), y = (x + 1 + below(3)) % 4, p = below(4), q = below(4);
    constexpr std::string_view names = "xyzw";
    switch (below(3)) {
      case 0: {
        const auto at = unsigned_value(1);
        const auto value = unsigned_value(2);
        line(fmt::format("v[{} & 3] = {};", at.text, value.text));
        return each([=](Thread& t) {
          const u32 word = value.value(t);
          t.v[at.value(t) & 3] = word;
        });
      }
      case 1:
        line(fmt::format("v.{}{} = v.{}{};", names[x], names[y], names[p], names[q]));
        return each([=](Thread& t) {
          const auto old = t.v;
          t.v[x] = old[p];
          t.v[y] = old[q];
        });
      default: {
        const auto& op = one_of(unsigned_binaries);
        const auto a = unsigned_value(2);
        line("v = " + fmt::format(fmt::runtime(op.pattern), "v", "uint4(" + a.text + ")") + ";");
        return each([=, f = op.apply](Thread& t) {
          const u32 word = a.value(t);
          for (u32& element : t.v) element = f(element, word);
        });
      }
    }
  }

  Step assign_element() {
    const auto at = unsigned_value(2);
    const auto value = unsigned_value(2);
    line(fmt::format("a[{} & 7] = {};", at.text, value.text));
    return each([=](Thread& t) {
      const u32 word = value.value(t);
      t.a[at.value(t) & 7] = word;
    });
  }

  static Step each(std::function<void(Thread&)> change) {
    return [change](const Threads& threads) {
      for (auto* thread : threads) change(*thread);
    };
  }

  // The threads of a threadgroup exchange values through threadgroup memory.
  Step exchange() {
    const auto value = unsigned_value(2);
    const u32 shift = below(random_threads), k = below(3);
    line(fmt::format("tile[t] = {};", value.text));
    line("threadgroup_barrier(mem_flags::mem_threadgroup);");
    line(fmt::format("u[{}] ^= tile[(t + {}) % n];", k, shift));
    line("threadgroup_barrier(mem_flags::mem_threadgroup);");
    return [=](const Threads& threads) {
      std::vector<u32> tiles(random_groups * random_threads);
      for (auto* t : threads) tiles[t->group * random_threads + t->index] = value.value(*t);
      for (auto* t : threads)
        t->u[k] ^= tiles[t->group * random_threads + (t->index + shift) % random_threads];
    };
  }

  // Threads add to totals of their threadgroup. Each total has one commutative operation, so that
  // the order of threads does not matter: 0 and 1 add, 2 and 3 xor, 4 and 5 max, 6 and 7 or; 8
  // counts, 9 adds up what the counter was, and 10 adds by exchange.
  Step accumulate() {
    const auto value = unsigned_value(2);
    const u32 what = below(6);
    if (what == 4) {
      line(
          "atomic_fetch_add_explicit(&totals[9], atomic_fetch_add_explicit(&totals[8], 1, "
          "memory_order_relaxed), memory_order_relaxed);");
      return each([this](Thread& t) {
        auto& totals = totals_[t.group];
        totals[9] += totals[8]++;
      });
    }
    if (what == 5) {
      line("{");
      line("  uint old = atomic_load_explicit(&totals[10], memory_order_relaxed);");
      line("  const uint more = " + value.text + ";");
      line("  while (!atomic_compare_exchange_weak_explicit(&totals[10], &old, old + more,");
      line("      memory_order_relaxed, memory_order_relaxed)) {}");
      line("}");
      return each([=, this](Thread& t) { totals_[t.group][10] += value.value(t); });
    }
    constexpr const char* names[] = {"add", "xor", "max", "or"};
    const auto at =
        chance(50) ? Unsigned{"0u", [](const Thread&) { return 0U; }} : unsigned_value(1);
    line(fmt::format("atomic_fetch_{}_explicit(&totals[{} + ({} & 1)], {}, memory_order_relaxed);",
                     names[what], 2 * what, at.text, value.text));
    return each([=, this](Thread& t) {
      auto& total = totals_[t.group][2 * what + (at.value(t) & 1)];
      const u32 word = value.value(t);
      const u32 results[] = {total + word, total ^ word, std::max(total, word), total | word};
      total = results[what];
    });
  }

  void read_totals(const Threads& threads) {
    line("threadgroup_barrier(mem_flags::mem_threadgroup);");
    line(fmt::format("u[0] ^= atomic_load_explicit(&totals[t % {}], memory_order_relaxed);",
                     total_count));
    for (auto* t : threads) t->u[0] ^= totals_[t->group][t->index % total_count];
  }

  // The active threads of a simdgroup exchange values.
  Step combine() {
    constexpr const char* names[] = {"simd_sum", "simd_xor", "simd_max",
                                     "simd_prefix_exclusive_sum", "simd_broadcast_first"};
    const auto value = unsigned_value(2);
    const u32 k = below(3), what = below(5);
    line(fmt::format("u[{}] += {}({});", k, names[what], value.text));
    return [=](const Threads& threads) {
      std::map<std::pair<u32, u32>, Threads> simdgroups;
      for (auto* t : threads) simdgroups[{t->group, t->index / 32}].push_back(t);
      for (const auto& [at, lanes] : simdgroups) {
        std::vector<u32> words;
        for (auto* t : lanes) words.push_back(value.value(*t));
        u32 sum = 0, bits = 0, most = 0, before = 0;
        for (u32 word : words) {
          sum += word;
          bits ^= word;
          most = std::max(most, word);
        }
        for (std::size_t l = 0; l < lanes.size(); ++l) {
          const u32 results[] = {sum, bits, most, before, words[0]};
          lanes[l]->u[k] += results[what];
          before += words[l];
        }
      }
    };
  }

  Step branch() {
    const auto condition = truth(2);
    line("if (" + condition.text + ") {");
    const auto yes = block(2, false);
    line("} else {");
    const auto no = block(static_cast<int>(below(3)), false);
    line("}");
    return [=](const Threads& threads) {
      Threads these, those;
      for (auto* t : threads) (condition.value(*t) ? these : those).push_back(t);
      yes(these);
      no(those);
    };
  }

  Step choice() {
    const auto selector = unsigned_value(2);
    const bool jumps = std::exchange(jumps_, false);  // a break would be the switch's
    std::vector<Step> ways;
    line("switch (" + selector.text + " & 3) {");
    for (const char* label : {"case 0", "case 1", "case 3", "default"}) {
      line(fmt::format("{}: {{", label));
      ways.push_back(block(1, false));
      line("} break;");
    }
    line("}");
    jumps_ = jumps;
    std::swap(ways[2], ways[3]);  // by number
    return [=](const Threads& threads) {
      std::array<Threads, 4> going;
      for (auto* t : threads) going[selector.value(*t) & 3].push_back(t);
      for (std::size_t way = 0; way < 4; ++way) ways[way](going[way]);
    };
  }

  Step jump() {
    const bool breaks = chance(50);
    const auto condition = truth(2);
    line(fmt::format("if ({}) {};", condition.text, breaks ? "break" : "continue"));
    return each([=](Thread& t) {
      if (condition.value(t)) (breaks ? t.broke : t.continues) = true;
    });
  }

  // Up to three iterations; a loop with the same number of them in all threads may hold a barrier.
  Step loop(bool uniform) {
    const u32 times = 1 + below(3);
    const bool agreed = uniform && chance(60);
    const auto limit =
        agreed ? Unsigned{fmt::format("{}u", times), [=](const Thread&) { return times; }}
               : apply(unsigned_binaries[3], unsigned_value(2),
                       Unsigned{"3", [](const Thread&) { return 3U; }});
    line(
        fmt::format("for (uint k{0} = 0, n{0} = {1}; k{0} < n{0}; ++k{0}) {{", loops_, limit.text));
    const bool jumps = std::exchange(jumps_, !agreed);
    ++loops_;
    const auto body = block(3, agreed);
    --loops_;
    jumps_ = jumps;
    line("}");
    return [=](const Threads& threads) {
      std::map<Thread*, u32> limits;
      for (auto* t : threads) limits[t] = limit.value(*t);
      for (auto* t : threads) t->counters.push_back(0);
      for (Threads inside = threads; !inside.empty();) {
        std::erase_if(inside,
                      [&](Thread* t) { return t->broke || t->counters.back() >= limits[t]; });
        body(inside);
        for (auto* t : inside) {
          t->continues = false;
          ++t->counters.back();
        }
      }
      for (auto* t : threads) {
        t->counters.pop_back();
        t->broke = false;
      }
    };
  }

  std::mt19937_64 random_;
  const std::vector<u32>& input_;
  std::string text_;
  u32 loops_ = 0;
  u32 nesting_ = 0;     // blocks around
  bool jumps_ = false;  // whether `break` and `continue` are the innermost loop's
  bool with_simdgroups_ = false;
  bool with_atomics_ = false;
  static constexpr u32 total_count = 11;
  std::array<std::array<u32, total_count>, random_groups> totals_{};
};

}  // namespace

std::string random_prelude() {
  return fmt::format(
      "#include <metal_stdlib>\nusing namespace metal;\n\nconstant uint table[] = {{{}}};\n\n",
      fmt::join(table, ", "));
}

RandomKernel make_random_kernel(std::string name, std::uint64_t seed,
                                const std::vector<std::uint32_t>& input) {
  return Maker(seed, input).make(std::move(name));
}

}  // namespace msci

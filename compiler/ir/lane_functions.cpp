#include "compiler/ir/lane_functions.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace msci {
namespace {

// What a lane function does, by which the texts below are built.
struct Operation {
  enum class Kind { travel, combine, prefix, broadcast_first, ballot, active, barrier };
  Kind kind = Kind::barrier;
  std::string name;        // "shuffle_xor", "sum.f32"
  std::string type;        // of the word: "uint", "int", "float"
  std::string expression;  // of `l`, `x` and `w`, or of `all` and `x`
  bool inclusive = true;
  std::string before;
};

std::vector<Operation> operations() {
  using Kind = Operation::Kind;
  constexpr std::pair<const char*, const char*> types[]{
      {"f32", "float"}, {"i32", "int"}, {"u32", "uint"}};
  std::vector<Operation> all;
#define MSCI_TRAVEL(name, lane) all.push_back({Kind::travel, #name ".u32", "uint", #lane});
#define MSCI_COMBINE(name, join)           \
  for (const auto& [suffix, type] : types) \
    all.push_back({Kind::combine, std::string(#name ".") + suffix, type, #join});
#define MSCI_COMBINE_BITS(name, join) all.push_back({Kind::combine, #name ".u32", "uint", #join});
#define MSCI_PREFIX(name, join, own, first) \
  for (const auto& [suffix, type] : types)  \
    all.push_back({Kind::prefix, std::string(#name ".") + suffix, type, #join, own, #first});
#include "compiler/ir/lane_functions.def"
#undef MSCI_TRAVEL
#undef MSCI_COMBINE
#undef MSCI_COMBINE_BITS
#undef MSCI_PREFIX
  all.push_back({Kind::broadcast_first, "broadcast_first.u32", "uint"});
  all.push_back({Kind::ballot, "ballot", "uint"});
  all.push_back({Kind::active, "active", "uint"});
  return all;
}

// Every lane function by its external name, "msci.simd.sum.f32", with what it does.
struct Entry {
  LaneFunction function;
  Operation operation;
  unsigned width = 32;  // lanes that act together
};

const std::map<std::string, Entry, std::less<>>& entries() {
  static const auto table = [] {
    std::map<std::string, Entry, std::less<>> built;
    unsigned code = 1;
    const auto add = [&](const std::string& external, Operation operation, unsigned width) {
      auto& entry = built[external];
      std::string name = external;
      for (char& c : name)
        if (c == '.') c = '_';
      entry.operation = std::move(operation);
      entry.width = width;
      const auto kind = entry.operation.kind;
      const bool votes = kind == Operation::Kind::ballot || kind == Operation::Kind::active;
      entry.function = {
          .code = code++,
          .name = std::move(name),
          .type = votes ? std::string_view("ulong") : std::string_view(entry.operation.type),
          .arguments = kind == Operation::Kind::travel                                       ? 2U
                       : kind == Operation::Kind::active || kind == Operation::Kind::barrier ? 0U
                                                                                             : 1U,
          .travels = kind == Operation::Kind::travel,
          .is_barrier = kind == Operation::Kind::barrier};
    };
    for (const auto& operation : operations()) {
      add("msci.simd." + operation.name, operation, 32);
      add("msci.quad." + operation.name, operation, 4);
    }
    add("msci.barrier.simdgroup", {.type = "uint"}, 32);
    return built;
  }();
  return table;
}

// ---- the resumable form

// `value` becomes the combination of the lanes in `mask`, for one run of `w` lanes.
std::string lead_case(const Entry& entry) {
  using Kind = Operation::Kind;
  const auto& operation = entry.operation;
  const auto head = fmt::format("    case {}u: {{\n", entry.function.code);
  const auto lanes = "      for (uint l = 0; l < w; ++l)\n        if (mask >> l & 1u) ";
  switch (operation.kind) {
    case Kind::combine:
      return fmt::format(
          "{0}      {1} all = 0; bool any = false;\n{2}{{ {1} x = as_{1}(values[l]); all = any ? "
          "{3} : x; any = true; }}\n"
          "{2}values[l] = as_uint(all);\n      break;\n    }}\n",
          head, operation.type, lanes, operation.expression);
    case Kind::prefix:
      return fmt::format(
          "{0}      {1} all = {2};\n{3}{{ {1} x = as_{1}(values[l]); {4} }}\n      break;\n    "
          "}}\n",
          head, operation.type, operation.before, lanes,
          operation.inclusive
              ? fmt::format("all = {}; values[l] = as_uint(all);", operation.expression)
              : fmt::format("values[l] = as_uint(all); all = {};", operation.expression));
    case Kind::broadcast_first:
      return fmt::format(
          "{}      uint all = values[popcount((mask & -mask) - 1u)];\n{}values[l] = all;\n      "
          "break;\n    }}\n",
          head, lanes);
    case Kind::ballot:
      return fmt::format(
          "{0}      uint all = 0;\n{1}all |= (uint)(values[l] != 0) << l;\n{1}values[l] = all;\n   "
          "   break;\n    }}\n",
          head, lanes);
    case Kind::active:
      return fmt::format("{}{}values[l] = mask;\n      break;\n    }}\n", head, lanes);
    case Kind::travel:
    case Kind::barrier:
      return "";
  }
  return "";
}

}  // namespace

std::optional<LaneFunction> lane_function(std::string_view external) {
  const auto found = entries().find(external);
  if (found == entries().end()) return std::nullopt;
  return found->second.function;
}

std::optional<LaneFunction> called_lane_function(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? lane_function(callee->getName()) : std::nullopt;
}

bool exchanges_values(const llvm::Instruction& instruction) {
  const auto function = called_lane_function(instruction);
  return function && !function->is_barrier;
}

namespace {

// What distinguishes one post from others.
const llvm::Value* posted_by(const llvm::CallInst& call) {
  return called_lane_function(call)->travels ? call.getArgOperand(0) : &call;
}

}  // namespace

bool PostedValues::has_room_for(const llvm::CallInst& call) const {
  return calls_ < most_calls &&
         (posts_.size() < most_posts || llvm::is_contained(posts_, posted_by(call)));
}

void PostedValues::add(const llvm::CallInst& call) {
  if (!llvm::is_contained(posts_, posted_by(call))) posts_.push_back(posted_by(call));
  ++calls_;
}

std::size_t PostedValues::place(const llvm::CallInst& call) const {
  return static_cast<std::size_t>(llvm::find(posts_, posted_by(call)) - posts_.begin());
}

std::string resumable_lane_helpers(const LaneFunctions& used) {
  std::string quad_codes, travel_cases, lead_cases;
  for (const auto& [external, entry] : entries()) {
    if (!used.contains(entry.function.name)) continue;
    if (entry.width == 4)
      quad_codes += fmt::format("    case {}u: return 4u;\n", entry.function.code);
    if (entry.operation.kind == Operation::Kind::travel)
      travel_cases += fmt::format("    case {}u: return first + ({});\n", entry.function.code,
                                  entry.operation.expression);
    lead_cases += lead_case(entry);
  }
  return fmt::format(R"(
// Lanes that carry out a function together.
uint msci_width(uint code) {{
  switch (code) {{
{0}    default: return 32u;
  }}
}}

// The thread whose word `thread` reads; its own for what does not travel.
uint msci_source(uint code, uint thread, uint x) {{
  uint w = msci_width(code), l = thread & (w - 1u), first = thread - l;
  switch (code) {{
{1}    default: return thread;
  }}
}}

// Of lanes that act together: what the words of those in `mask` become.
void msci_join(uint code, __local uint* values, uint mask, uint w) {{
  switch (code) {{
{2}    default: break;
  }}
}}

// The same for one simdgroup.
void msci_combine(uint code, __local uint* values, uint mask) {{
  uint w = msci_width(code);
  for (uint first = 0; first < 32u; first += w) {{
    uint lanes = w == 32u ? mask : mask >> first & 15u;
    if (lanes) msci_join(code, values + first, lanes, w);
  }}
}}

// Of one simdgroup: the earliest place, and the threads there, which go on.
uint msci_lead(__local const uint* places, __local uint* earliest, uint count) {{
  uint place = 0xffffffffu, mask = 0;
  for (uint l = 0; l < count; ++l) place = min(place, places[l]);
  for (uint l = 0; l < count; ++l) mask |= (uint)(places[l] == place) << l;
  *earliest = place;
  return mask;
}}

// Whether every simdgroup waits at a barrier or has returned.
bool msci_all_wait(__local const uint* earliest, uint simdgroups) {{
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu && (earliest[s] & 1u) != {3}u) return false;
  return true;
}}

bool msci_all_returned(__local const uint* earliest, uint simdgroups) {{
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu) return false;
  return true;
}}
)",
                     quad_codes, travel_cases, lead_cases, barrier_kind);
}

// ---- the native form

namespace {

// A vote of all lanes waits for those that have not returned. At a barrier, lanes at later places
// take part for their threadgroup and go on waiting.
std::string meet_helper() {
  static_assert(barrier_kind == 0 && lanes_kind == 1);
  return fmt::format(R"(
// Waits until each lane of the simdgroup is at a place or has returned; those at the earliest place
// go on. `top` is the highest bit of all places.
uint {}(uint place, uint top) {{
  uint lanes;
  do {{
    lanes = msci_vote(1u, ~0u);
    for (uint bit = top; bit; bit >>= 1) {{
      uint low = msci_vote((place & bit) == 0u, ~0u) & lanes;
      if (low) lanes = low;
    }}
    if (!(msci_vote(place & 1u, ~0u) & lanes)) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }} while (!(lanes >> msci_lane() & 1u));
  return lanes;
}}
)",
                     native_meet);
}

// `active` has a bit for each lane that calls the helper together with this one.
std::string native_helper(const Entry& entry) {
  using Kind = Operation::Kind;
  const auto& operation = entry.operation;
  const auto& name = entry.function.name;
  const auto w = entry.width;
  const auto first = w == 4 ? "(msci_lane() & ~3u)" : "0u";
  const auto mask = w == 4 ? "active >> (msci_lane() & ~3u) & 15u" : "active";
  switch (operation.kind) {
    case Kind::travel:
      return fmt::format(
          "uint {}(uint v, uint x, uint active) {{\n  uint w = {}u, l = msci_lane() & (w - 1u);\n"
          "  return msci_read(v, {} + ({}), active);\n}}\n",
          name, w, first, operation.expression);
    case Kind::combine:
      return fmt::format(
          "{1} {0}({1} v, uint active) {{\n  uint mask = {2}; {1} all = v; bool any = false;\n"
          "  for (uint l = 0; l < {3}u; ++l)\n    if (mask >> l & 1u) {{ {1} x = "
          "as_{1}(msci_read(as_uint(v), {4} + l, active)); "
          "all = any ? {5} : x; any = true; }}\n  return all;\n}}\n",
          name, operation.type, mask, w, first, operation.expression);
    case Kind::prefix:
      return fmt::format(
          "{1} {0}({1} v, uint active) {{\n  uint mask = {2}, lane = msci_lane() & {3}u; {1} all = "
          "{4};\n  for (uint l = 0; l < {5}u; ++l)\n    if (mask >> l & 1u) {{ {1} x = "
          "as_{1}(msci_read(as_uint(v), {6} + l, active)); "
          "if (l {7} lane) all = {8}; }}\n  return all;\n}}\n",
          name, operation.type, mask, w - 1, operation.before, w, first,
          operation.inclusive ? "<=" : "<", operation.expression);
    case Kind::broadcast_first:
      return fmt::format(
          "uint {}(uint v, uint active) {{\n  uint mask = {};\n  return msci_read(v, {} + "
          "popcount((mask & -mask) - 1u), active);\n}}\n",
          name, mask, first);
    case Kind::ballot:
      return fmt::format("uint {}(uint v, uint active) {{ return msci_vote(v, active){}; }}\n",
                         name, w == 4 ? " >> (msci_lane() & ~3u) & 15u" : "");
    case Kind::active:
      return fmt::format("uint {}(uint active) {{ return {}; }}\n", name, mask);
    case Kind::barrier:
      return fmt::format(
          "void {}(uint mask) {{ asm volatile(\"bar.warp.sync %0;\" :: \"r\"(mask) : \"memory\"); "
          "}}\n",
          name);
  }
  return "";
}

}  // namespace

std::string native_lane_helpers(const LaneFunctions& used) {
  std::string text = R"(
uint msci_lane(void) { uint l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
uint msci_active(void) { uint m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }
uint msci_read(uint v, uint lane, uint m) {
  uint r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(r) : "r"(v), "r"(lane), "r"(m));
  return r;
}
uint msci_vote(uint v, uint m) {
  uint r;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }")"
                     R"( : "=r"(r) : "r"(v), "r"(m));
  return r;
}
)";
  if (used.contains(native_meet)) text += meet_helper();
  for (const auto& [external, entry] : entries())
    if (used.contains(entry.function.name)) text += native_helper(entry);
  return text;
}

}  // namespace msci

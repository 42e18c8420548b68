#include "evaluator/translate/check/runtime.h"

#include <fmt/format.h>

namespace msci {
namespace {

// A word says what some thread did last to a cell of memory:
//   63..58 launch   57..34 thread   33..22 barriers passed   21..13 simdgroup barriers passed since
//   12..2 place   1 whether atomically   0 whether it changed nothing
// The largest counts of barriers mean that many or more, and order accesses. A thread is its
// threadgroup's number, then its index there. Zero means that no thread was here in this launch. A
// cell is three words: of the last write, and of two reads by threads of which the other might not
// be told from a coming writer. Where some access to the object is atomic, two more words are of
// atomic accesses, and the first word is of plain writes only.
//
// The functions stay calls (PoCL keeps them where they say noinline): a kernel has hundreds of
// accesses.
constexpr std::string_view words = R"(
typedef struct {
  __global ulong* log;
  __global ulong* shadow;
  __local ulong* group_shadow;
  __global const ulong* objects;
  ulong device_word, group_word;
  uint bits;  // of a thread's index in its threadgroup
} msci_checks;

// Whether nothing orders what two words tell of.
bool msci_apart(ulong a, ulong b, uint bits) {
  ulong change = a ^ b;
  if (change >> 58 || !(change >> 34)) return false;  // another launch, or the same thread
  if (change >> 34 >> bits) return true;              // other threadgroups
  if (change >> 22 & 0xfffu || (a >> 22 & 0xfffu) == 0xfffu) return false;  // a barrier between them
  if (change >> 39) return true;                                            // other simdgroups
  return !(change >> 13 & 0x1ffu) && (a >> 13 & 0x1ffu) != 0x1ffu;          // no barrier of theirs
}

bool msci_conflict(ulong before, ulong now, uint bits) {
  return msci_apart(before, now, bits) && !(before & now & 2u);
}

__attribute__((noinline)) void msci_report(const msci_checks* checks, uint kind, uint what, uint object,
                                           ulong word, ulong other, ulong offset) {
  uint place = word >> 2 & 0x7ffu;
  __global uint* seen = (__global uint*)(checks->log + 1) + place;
  if (atomic_or(seen, 1u << kind) >> kind & 1u) return;
  uint number = atomic_inc((__global uint*)checks->log);
  if (number >= 256u) return;
  __global ulong* entry = checks->log + 1025u + number * 5u;
  entry[0] = kind | what << 4 | (ulong)object << 8 | checks->objects[1] << 24;
  entry[1] = word;
  entry[2] = other;
  entry[3] = object == 0xffffu ? 0ul : offset - checks->objects[4u + 4u * object];
  entry[4] = 1u;
}

// Tells that the run has come to a place.
void msci_mark(const msci_checks* checks, uint place) {
  ((__global uchar*)(checks->log + 2306))[place] = 1;
}

// Counts a store that would race if it changed what it stores to.
__attribute__((noinline)) void msci_let_go(const msci_checks* checks, uint place) {
  __global uint* let_go = (__global uint*)(checks->log + 2305);
  atomic_inc(let_go);
  atomic_cmpxchg(let_go + 1, 0u, place);
}

// Where else an access may go that must not happen: beside the buffer, or behind the array.
__attribute__((noinline)) ulong msci_stray(const msci_checks* checks, ulong offset, uint bytes, uint align,
                                           uint object, uint place, bool wrapped, uint access) {
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0], word = checks->device_word | place << 2;
  access &= 3u;
  bool inside = at < memory[1] && at + bytes <= memory[1];
  if (wrapped) msci_report(checks, 6u, access, object, word, 0ul, offset);
  else if (!inside) msci_report(checks, 0u, access, object, word, 0ul, offset);
  else msci_report(checks, 1u, access, object, word, 0ul, offset);
  if (inside) return offset - (offset & (align - 1u));
  return memory[0] ? 0ul : memory[1] + 15u & ~15ul;
}

// As checks.cpp of the processor's engine has it: whether an access is kept as the second of two, and
// whether it is the same thread's between the same barriers and conflicts with fewer others.
bool msci_farther(ulong first, ulong second, ulong now) {
  return (first ^ now) >> 39 > (first ^ second) >> 39;
}

bool msci_weaker(ulong before, ulong now) {
  return !((before ^ now) >> 13) && ((now & ~before & 2u) || (before & ~now & 1u));
}

// Whether an older word says nothing that a new one could conflict with: another launch's, no thread's,
// or the same thread's.
bool msci_harmless(ulong before, ulong now) {
  return (before ^ now) - (1ul << 34) >= (1ul << 58) - (1ul << 34);
}

// The offset itself where it may be touched; else another.
ulong msci_check_reach(const msci_checks* checks, ulong offset, uint bytes, uint align, uint object, uint place,
                       bool wrapped, uint access) {
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0];
  msci_mark(checks, place);
  if (at < memory[1] && at + bytes <= memory[1] && !(offset & (align - 1u)) && !wrapped) return offset;
  return msci_stray(checks, offset, bytes, align, object, place, wrapped, access);
}

// The buffer whose memory a pointer from memory leads into, or what stands for no buffer.
__attribute__((noinline)) uint msci_check_find(const msci_checks* checks, ulong address) {
  uint first = checks->objects[2], end = checks->objects[2] >> 32;
  for (uint object = first; object < end; ++object) {
    __global const ulong* memory = checks->objects + 4u + 4u * object;
    if (address - checks->objects[checks->objects[3] + object] < 2ul * memory[0] + memory[1]) return object;
  }
  return end;
}

__global uchar* msci_check_base(const msci_checks* checks, uint object) {
  return (__global uchar*)checks->objects[checks->objects[3] + object];
}

void msci_check_hold(const msci_checks* checks, bool holds, uint kind, uint place, uint access) {
  if (!holds) msci_report(checks, kind, access, 0xffffu, checks->device_word | place << 2, 0ul, 0ul);
}

// Keeps a message, unless there are too many.
__attribute__((noinline)) void msci_check_log(const msci_checks* checks, uint call, uint place,
                                              const ulong* words, uint count) {
  uint number = atomic_inc((__global uint*)(checks->log + 2562));
  if (number >= 256u) return;
  __global ulong* entry = checks->log + 2563u + number * 34u;
  for (uint i = 0; i < count; ++i) entry[2u + i] = words[i];
  entry[1] = checks->device_word | place << 2;
  entry[0] = call + 1ul | checks->objects[1] << 24;
}

ulong msci_next(ulong word, uint at, ulong many) {
  return (word >> at & many) == many ? word : word + (1ul << at);
}

void msci_pass(msci_checks* checks, uint flags) {
  ulong kept = ~(0x1fful << 13);
  if (flags & 1u) checks->device_word = msci_next(checks->device_word & kept, 22u, 0xffful);
  if (flags & 2u) checks->group_word = msci_next(checks->group_word & kept, 22u, 0xffful);
}

void msci_pass_simdgroup(msci_checks* checks, uint flags) {
  if (flags & 1u) checks->device_word = msci_next(checks->device_word, 13u, 0x1fful);
  if (flags & 2u) checks->group_word = msci_next(checks->group_word, 13u, 0x1fful);
}

ulong msci_word_of(const msci_checks* checks, uint thread, uint place) {
  ulong group = checks->device_word >> 34 & 0xffffffu & ~((1u << checks->bits) - 1u);
  return checks->device_word & ~(0xfffffful << 34) | (group | thread) << 34 | place << 2;
}

// A barrier opens: do all threads of the threadgroup stand at this one? `values` are the places of their barriers.
__attribute__((noinline)) void msci_meet(const msci_checks* checks, __local const uint* places,
                                         __local const uint* values, uint threads) {
  uint first = 0;
  while (first < threads && places[first] == 0xffffffffu) ++first;
  for (uint t = 0; t < threads; ++t) {
    if (places[t] == places[first]) continue;
    bool returned = places[t] == 0xffffffffu;
    msci_report(checks, 4u, 0u, 0xffffu, msci_word_of(checks, first, values[first]),
                msci_word_of(checks, t, returned || (places[t] & 1u) ? 0u : values[t]), 0ul);
    return;
  }
}

// Something depends on a word that a place before `origin` asked for in vain.
void msci_check_lane_used(const msci_checks* checks, uint origin, uint place) {
  if (origin)
    msci_report(checks, 5u, 0u, 0xffffu, checks->device_word | origin - 1u << 2, checks->device_word | place << 2,
                0ul);
}
)";

// For device memory and for threadgroup memory alike: {0} the name, {1} the space, {2} the cells,
// {3} the thread's word, {4} whether memory begins without contents.
constexpr std::string_view accesses = R"(
// Records an access as one of two.
void msci_remember_{0}({1} ulong* two, ulong word, uint bits) {{
  if (!msci_apart(two[0], word, bits)) {{
    if (!msci_weaker(two[0], word)) two[0] = word;
  }} else if (!msci_apart(two[1], word, bits)) {{
    if (!msci_weaker(two[1], word)) two[1] = word;
  }} else if (msci_farther(two[0], two[1], word)) {{
    two[1] = word;
  }}
}}

__attribute__((noinline)) void msci_note_read_{0}(const msci_checks* checks, ulong offset, uint bytes, uint object,
                                                  uint place, uint access) {{
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0], word = {3} | place << 2 | (access & 2u);
  if (at >= memory[1]) return;
  at += memory[3] >> 16;
  uint granule = memory[3] & 255u, words = memory[3] >> 8 & 255u;
  {1} ulong* cell = {2} + memory[2] + (at >> granule) * words;
  {1} ulong* last = {2} + memory[2] + (at + bytes - 1u >> granule) * words;
  for (; cell <= last; cell += words) {{
    ulong written = cell[0];
    if ({4} && !written && !(words > 3u && cell[3])) msci_report(checks, 2u, access, object, word, 0ul, offset);
    if (msci_conflict(written, word, checks->bits) && !(written & 1u))
      msci_report(checks, 3u, access | 8u, object, word, written, offset);
    else if (words > 3u && msci_conflict(cell[3], word, checks->bits))
      msci_report(checks, 3u, access | 8u, object, word, cell[3], offset);
    else if (words > 3u && msci_conflict(cell[4], word, checks->bits))
      msci_report(checks, 3u, access | 8u, object, word, cell[4], offset);
    msci_remember_{0}(cell + 1, word, checks->bits);
  }}
}}

__attribute__((noinline)) void msci_note_write_{0}(const msci_checks* checks, ulong offset, uint bytes, uint object,
                                                   uint place, uint access, bool same) {{
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0], word = {3} | place << 2 | (access & 2u);
  if (at >= memory[1]) return;
  at += memory[3] >> 16;
  uint granule = memory[3] & 255u, words = memory[3] >> 8 & 255u, bits = checks->bits;
  uint kind = access & 3u;
  bool let_go = false;
  {1} ulong* cell = {2} + memory[2] + (at >> granule) * words;
  {1} ulong* last = {2} + memory[2] + (at + bytes - 1u >> granule) * words;
  for (; cell <= last; cell += words) {{
    ulong written = cell[0];
    bool unwritten = {4} && !written && !(words > 3u && cell[3]);
    if (same && !unwritten) {{
      let_go |= msci_conflict(written, word, bits) || msci_conflict(cell[1], word, bits) ||
                msci_conflict(cell[2], word, bits) ||
                (words > 3u && (msci_conflict(cell[3], word, bits) || msci_conflict(cell[4], word, bits)));
      // Only threads that write something else can tell that it happened. Of a thread that wrote
      // the same value before, it takes the place: both may then read it.
      bool fresh = written >> 58 != word >> 58;
      if (fresh || (written & 1u)) cell[0] = word | 1u;
      else if (msci_apart(written, word, bits)) cell[0] = word;
      else if (written >> 22 != word >> 22) cell[0] = word | 1u;
      continue;
    }}
    if (unwritten && kind == 2u)
      msci_report(checks, 2u, kind, object, word, 0ul, offset);
    if (msci_conflict(written, word, bits))
      msci_report(checks, 3u, kind | 8u, object, word, written, offset);
    else if (msci_conflict(cell[1], word, bits))
      msci_report(checks, 3u, kind, object, word, cell[1], offset);
    else if (msci_conflict(cell[2], word, bits))
      msci_report(checks, 3u, kind, object, word, cell[2], offset);
    else if (words > 3u && msci_conflict(cell[3], word, bits))
      msci_report(checks, 3u, kind | 8u, object, word, cell[3], offset);
    else if (words > 3u && msci_conflict(cell[4], word, bits))
      msci_report(checks, 3u, kind | 8u, object, word, cell[4], offset);
    if (words <= 3u || !(access & 2u)) {{
      cell[0] = word;
      continue;
    }}
    // A store may come after sums, and they are lost: it came first, but nothing says that it must.
    for (uint i = 3u; (access & 4u) && i < 5u; ++i) {{
      if (!(cell[i] & 1u) || !msci_apart(cell[i], word, bits)) continue;
      msci_report(checks, 3u, kind | 8u, object, word, cell[i], offset);
      break;
    }}
    bool sets_first = access == 3u && (cell[3] ^ word) >> 58;
    msci_remember_{0}(cell + 3, word | sets_first, bits);
  }}
  if (let_go) msci_let_go(checks, place);
}}

ulong msci_check_read_{0}(const msci_checks* checks, ulong offset, uint bytes, uint align, uint object, uint place,
                          bool wrapped, uint access) {{
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0], cells = memory[2];
  msci_mark(checks, place);
  if (at >= memory[1] || at + bytes > memory[1] || (offset & (align - 1u)) || wrapped)
    return msci_stray(checks, offset, bytes, align, object, place, wrapped, access);
  if (cells == 0xfffffffffffffffful) return offset;
  at += memory[3] >> 16;
  uint granule = memory[3] & 255u, words = memory[3] >> 8 & 255u;
  {1} ulong* cell = {2} + cells + (at >> granule) * words;
  ulong word = {3} | place << 2 | (access & 2u), written = cell[0];
  if (words == 3u && bytes >> granule <= 1u && msci_harmless(written, word) && msci_harmless(cell[1], word) && !({4} && !written))
    cell[1] = word;
  else
    msci_note_read_{0}(checks, offset, bytes, object, place, access);
  return offset;
}}

void msci_check_write_{0}(const msci_checks* checks, ulong offset, uint bytes, uint object, uint place, uint access,
                          bool same) {{
  __global const ulong* memory = checks->objects + 4u + 4u * object;
  ulong at = offset - memory[0];
  if (at >= memory[1]) return;
  at += memory[3] >> 16;
  msci_mark(checks, place);
  if (same && (access & 2u)) {{  // an exchange that failed is a read
    msci_note_read_{0}(checks, offset, bytes, object, place, access & 3u);
    return;
  }}
  uint granule = memory[3] & 255u, words = memory[3] >> 8 & 255u;
  {1} ulong* cell = {2} + memory[2] + (at >> granule) * words;
  ulong word = {3} | place << 2 | (access & 2u);
  if (words == 3u && access == 1u && !same && bytes >> granule <= 1u && msci_harmless(cell[0], word) &&
      msci_harmless(cell[1], word) && msci_harmless(cell[2], word))
    cell[0] = word;
  else
    msci_note_write_{0}(checks, offset, bytes, object, place, access, same);
}}
)";

}  // namespace

std::string check_runtime() {
  return std::string(words) +
         fmt::format(fmt::runtime(accesses), "device", "__global", "checks->shadow",
                     "checks->device_word", "false") +
         fmt::format(fmt::runtime(accesses), "threadgroup", "__local", "checks->group_shadow",
                     "checks->group_word", "true");
}

std::string_view check_parameters() {
  return ", __global ulong* check_log, __global ulong* check_shadow, __local ulong* "
         "check_group_shadow, __global const ulong* check_objects, uint check_launch";
}

std::string check_beginning(std::string_view thread, bool has_threadgroup_memory) {
  auto text = fmt::format(R"(  msci_checks checks;
  checks.log = check_log;
  checks.shadow = check_shadow;
  checks.group_shadow = check_group_shadow;
  checks.objects = check_objects;
  checks.bits = 32u - clz(threads_x * threads_y * threads_z - 1u);
  uint check_group_x = get_global_offset(0) / threads_x + get_group_id(0);
  uint check_group_y = get_global_offset(1) / threads_y + get_group_id(1);
  uint check_group_z = get_global_offset(2) / threads_z + get_group_id(2);
  uint check_group = (check_group_z * ((grid_y + threads_y - 1u) / threads_y) + check_group_y) *
                         ((grid_x + threads_x - 1u) / threads_x) + check_group_x;
  checks.device_word = (ulong)check_launch << 58 | (ulong)(check_group << checks.bits | {0}) << 34;
  checks.group_word = checks.device_word;
)",
                          thread);
  if (has_threadgroup_memory)
    text += fmt::format(
        R"(  uint check_threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (uint i = {0}; i < check_objects[0]; i += check_threads) check_group_shadow[i] = 0ul;
  barrier(CLK_LOCAL_MEM_FENCE);
)",
        thread);
  return text;
}

}  // namespace msci

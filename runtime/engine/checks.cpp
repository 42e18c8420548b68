#include "runtime/engine/checks.h"

#include <atomic>
#include <bit>
#include <cstring>

#include "instrument/check/check_memory.h"
#include "instrument/check/fault.h"
#include "runtime/engine/threadgroup.h"

// Loops over the lanes are vectors of the processor that runs them, also those of the functions
// that such a function calls, if they become part of it.
#ifdef __x86_64__
#define MSCI_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MSCI_FOR_EACH_PROCESSOR
#endif
#define MSCI_PART_OF_CALLER [[gnu::always_inline]] inline

namespace msci::engine {
namespace {

using Word = std::uint64_t;
using Kind = Fault::Kind;

constexpr unsigned lanes_per_simdgroup = 32;
constexpr std::uint32_t no_object = 0xffff;
constexpr Word untracked = ~Word{0};
constexpr std::uint32_t atomic_bit = 2;  // of a touch, and of a word
constexpr std::uint32_t adds_bit = 4;    // of a touch
constexpr std::uint32_t atomic_store = 3;

// The bits of a word (checks.h).
constexpr unsigned launch_at = 58;
constexpr unsigned thread_at = 34;
constexpr unsigned barriers_at = 22;
constexpr unsigned simdgroup_barriers_at = 13;
constexpr unsigned place_at = 2;
constexpr Word thread_mask = 0xffffff;
// The largest counts mean that many or more: they tell no order of two accesses.
constexpr Word many_barriers = 0xfff;
constexpr Word many_simdgroup_barriers = 0x1ff;
constexpr Word changed_nothing = 1;
// Of an atomic access that is kept: a store, and the first access to the cell in its launch.
constexpr Word sets_first = 1;

struct Object {
  Word first;  // byte in its allocation
  Word bytes;
  Word shadow;  // its first word there
  // Of its cells: the granule's logarithm, from bit 8 on the words, and from bit 16 on the bytes of
  // a buffer before the first.
  Word layout;
  Word granule() const { return layout & 255; }
  bool has_atomics() const { return (layout >> 8 & 255) > 3; }
  Word begin() const { return first - (layout >> 16); }  // of the whole buffer
  Word cells() const { return ((layout >> 16) + bytes + (Word{1} << granule()) - 1) >> granule(); }
  Word cell(Word offset) const { return (offset - begin()) >> granule(); }
};

const Object& object_of(const SimdgroupChecks& checks, std::uint32_t number) {
  return reinterpret_cast<const Object*>(checks.objects + 4)[number];
}

// The shadow of an object: of all its cells the last write, then two reads. An object with atomic
// accesses has two of them beside: a plain access must not be forgotten for an atomic one, which
// conflicts with fewer others.
struct Shadow {
  Word* written;
  Word* read;
  Word* read_too;
  Word* atomic = nullptr;  // null if there is none
  Word* atomic_too = nullptr;

  Shadow(const SimdgroupChecks& checks, const CheckedSite& site, const Object& object)
      : written(checks.shadows[site.is_threadgroup] + object.shadow),
        read(written + object.cells()),
        read_too(read + object.cells()) {
    if (!object.has_atomics()) return;
    atomic = read_too + object.cells();
    atomic_too = atomic + object.cells();
  }
};

// ---- what words say

// Whether nothing orders what two words tell of: of one launch, two threads either of different
// threadgroups, or without a barrier of their threadgroup between them and of different simdgroups
// or without one of their simdgroup. Where barriers are no longer counted, they may lie between: an
// order that nothing has refuted is no race. Without branches, for loops that are vectors.
inline bool are_apart(Word a, Word b, unsigned index_bits) {
  const auto same_count = [&](unsigned at, Word many) {
    return (((a ^ b) >> at & many) == 0) & ((a >> at & many) != many);
  };
  const auto change = a ^ b;
  const bool same_launch = change >> launch_at == 0;
  const bool other_thread = change >> thread_at != 0;
  const bool other_threadgroup = change >> thread_at >> index_bits != 0;
  const bool other_simdgroup = change >> (thread_at + 5) != 0;
  const bool no_barrier = same_count(barriers_at, many_barriers);
  const bool no_simdgroup_barrier = same_count(simdgroup_barriers_at, many_simdgroup_barriers);
  return same_launch & other_thread &
         (other_threadgroup | (no_barrier & (other_simdgroup | no_simdgroup_barrier)));
}

inline bool conflict(Word before, Word now, unsigned index_bits) {
  return are_apart(before, now, index_bits) & ((before & now & atomic_bit) == 0);
}

// Whether an older word says nothing that a new one could conflict with: another launch's, no
// thread's, or the same thread's.
inline bool is_harmless(Word before, Word now) {
  constexpr auto one_thread = Word{1} << thread_at;
  return (before ^ now) - one_thread >= (Word{1} << launch_at) - one_thread;
}

// Two accesses stay recorded. The second comes from another simdgroup than the first if one did,
// preferably from another threadgroup. A later access is then unordered with one of the two.
inline bool is_farther(Word first, Word second, Word now) {
  constexpr auto simdgroup_at = thread_at + 5;
  return (first ^ now) >> simdgroup_at > (first ^ second) >> simdgroup_at;
}

// Whether `now` is the same thread's between the same barriers, and conflicts with fewer accesses.
inline bool is_weaker(Word before, Word now) {
  return (before ^ now) >> simdgroup_barriers_at == 0 &&
         ((now & ~before & atomic_bit) || (before & ~now & sets_first));
}

// Records an access as one of two.
void remember(Word& first, Word& second, Word now, unsigned index_bits) {
  if (!are_apart(first, now, index_bits)) {
    if (!is_weaker(first, now)) first = now;
  } else if (!are_apart(second, now, index_bits)) {
    if (!is_weaker(second, now)) second = now;
  } else if (is_farther(first, second, now)) {
    second = now;
  }
}

inline Word word_at(Word word, std::uint32_t place) { return word | Word{place} << place_at; }

Word word_of(const SimdgroupChecks& checks, std::uint32_t thread, std::uint32_t place) {
  const auto own = checks.words[0][0];
  const auto group = own >> thread_at & thread_mask & ~((Word{1} << checks.index_bits) - 1);
  return word_at((own & ~(thread_mask << thread_at)) | (group | thread) << thread_at, place);
}

// ---- the log

void report(const SimdgroupChecks& checks, Kind kind, std::uint32_t what, std::uint32_t object,
            Word word, Word other, Word offset) {
  constexpr Word most = 256;
  const auto place = word >> place_at & 0x7ff;
  auto* seen = reinterpret_cast<std::uint32_t*>(checks.log + 1) + place;
  const auto bit = 1U << static_cast<unsigned>(kind);
  if (std::atomic_ref(*seen).fetch_or(bit) & bit) return;
  const auto number = std::atomic_ref(*checks.log).fetch_add(1);
  if (number >= most) return;
  auto* entry = checks.log + 1025 + number * 5;
  entry[0] = static_cast<Word>(kind) | Word{what} << CheckMemory::kind_bits | Word{object} << 8 |
             checks.objects[1] << 24;
  entry[1] = word;
  entry[2] = other;
  entry[3] = object == no_object ? 0 : offset - object_of(checks, object).first;
  entry[4] = 1;
}

// Tells that the run has come to a place.
void mark(const SimdgroupChecks& checks, std::uint32_t place) {
  reinterpret_cast<unsigned char*>(checks.log + CheckMemory::marks_at)[place] = 1;
}

// Counts stores that would race if they changed what they store to.
void count_let_go(const SimdgroupChecks& checks, std::uint32_t place, std::uint32_t stores) {
  if (!stores) return;
  auto* let_go = reinterpret_cast<std::uint32_t*>(checks.log + CheckMemory::let_go_at);
  std::atomic_ref(let_go[0]).fetch_add(stores);
  std::uint32_t none = 0;
  std::atomic_ref(let_go[1]).compare_exchange_strong(none, place);
}

// ---- lanes

template <typename Each>
void for_each_lane(std::uint32_t lanes, Each each) {
  for (; lanes; lanes &= lanes - 1) each(static_cast<unsigned>(std::countr_zero(lanes)));
}

// One byte for each lane, 0 or 1: what a loop over the lanes finds out.
struct Flags {
  unsigned char of[lanes_per_simdgroup];

  // As one bit for each lane: the product moves byte i of eight to bit 56 + i.
  MSCI_PART_OF_CALLER std::uint32_t bits() const {
    static_assert(std::endian::native == std::endian::little);
    std::uint32_t bits = 0;
    for (unsigned first = 0; first < lanes_per_simdgroup; first += 8) {
      Word eight = 0;
      std::memcpy(&eight, of + first, sizeof eight);
      bits |= static_cast<std::uint32_t>(eight * 0x0102040810204080 >> 56) << first;
    }
    return bits;
  }
};

// The lanes whose access leaves its object or its alignment.
MSCI_FOR_EACH_PROCESSOR
std::uint32_t find_stray(const Word* offsets, Word first, Word last, Word low_bits) {
  Flags stray;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    stray.of[lane] = offsets[lane] - first > last || (offsets[lane] & low_bits);
  }
  return stray.bits();
}

// What lanes access. `followers` are those whose access lies right behind that of the lane before.
struct Accesses {
  const Word* offsets;
  std::uint32_t lanes;
  std::uint32_t followers;
};

// Where else an access may go that must not happen: beside the buffer, or behind the array.
Word stray_offset(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
                  std::uint32_t number, Word word, bool has_wrapped) {
  const auto& object = object_of(checks, number);
  const auto at = offset - object.first;
  const bool is_inside = at < object.bytes && at + site.bytes <= object.bytes;
  const auto kind = has_wrapped  ? Kind::index_overflow
                    : !is_inside ? Kind::out_of_bounds
                                 : Kind::misaligned;
  report(checks, kind, site.kind(), number, word_at(word, site.place), 0, offset);
  if (is_inside) return offset - (offset & (site.align - 1));
  return object.first ? 0 : (object.bytes + 15) & ~Word{15};
}

// Reports the lanes that stray, and moves their offsets.
std::uint32_t bound(const SimdgroupChecks& checks, const CheckedSite& site, Word* offsets,
                    std::uint32_t lanes, std::uint32_t number, std::uint32_t wrapped) {
  const auto& object = object_of(checks, number);
  auto stray = lanes;
  if (object.bytes >= site.bytes)
    stray &= wrapped |
             find_stray(offsets, object.first, object.bytes - site.bytes, Word{site.align} - 1);
  for_each_lane(stray, [&](unsigned lane) {
    offsets[lane] = stray_offset(checks, site, offsets[lane], number, checks.words[0][lane],
                                 wrapped >> lane & 1);
  });
  return stray;
}

// What is added to the words of an access.
Word added_by(const CheckedSite& site) {
  return Word{site.place} << place_at | (site.touch & atomic_bit);
}

// ---- reads

// Cells side by side, each with the word of its lane. Some lanes between others may take no part.
struct Row {
  static constexpr unsigned most_cells = 4;   // of a lane
  static constexpr unsigned least_lanes = 4;  // that pay

  Word first = 0;
  unsigned begin = 0;  // the lane of the first cell
  unsigned count = 0;
  std::uint32_t lanes = 0;  // from that one on, where each has one cell; otherwise all take part
  const Word* words = nullptr;
  Word repeated[lanes_per_simdgroup * most_cells];

  // Of these lanes, with the first cell of their first one.
  Row(const Object& object, Word first_cell, std::uint32_t lanes_of_row, unsigned cells_per_lane,
      const Word* words_of_lanes)
      : first(first_cell),
        begin(static_cast<unsigned>(std::countr_zero(lanes_of_row))),
        lanes(~0U) {
    auto end = static_cast<unsigned>(std::bit_width(lanes_of_row));
    if (cells_per_lane == 1) {
      // In eights, as the processor likes them, if the object has these cells.
      const auto before = begin % 8;
      const auto after = (8 - end % 8) % 8;
      if (first >= before && first + (end - begin) + after <= object.cells()) {
        begin -= before;
        end += after;
        first -= before;
      }
      lanes = lanes_of_row >> begin;
    }
    words = words_of_lanes + begin;
    count = (end - begin) * cells_per_lane;
    if (cells_per_lane == 1) return;
    for (unsigned i = 0; i < count; ++i) repeated[i] = words[i / cells_per_lane];
    words = repeated;
  }

  // 1 for a cell whose lane takes part, otherwise 0.
  MSCI_PART_OF_CALLER Word has(unsigned cell) const {
    return lanes >> (cell % lanes_per_simdgroup) & 1;
  }
};

// Whether a read of the cell is a fault.
MSCI_PART_OF_CALLER bool is_bad_read(Word written, Word word, unsigned index_bits,
                                     bool must_be_written) {
  const bool races = conflict(written, word, index_bits) & ((written & changed_nothing) == 0);
  return races | (must_be_written & (written == 0));
}

// Records reads of neighbouring cells by neighbouring lanes, unless there is a fault.
MSCI_FOR_EACH_PROCESSOR
bool note_row_read(const Shadow& shadow, const Row& row, Word added, unsigned index_bits,
                   bool must_be_written) {
  const auto* written = shadow.written + row.first;
  auto* read = shadow.read + row.first;
  auto* read_too = shadow.read_too + row.first;
  const auto* words = row.words;
  const auto count = row.count;
  Word may_be_bad = 0, has_others = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto word = words[i] | added;
    may_be_bad |= row.has(i) & static_cast<Word>(!is_harmless(written[i], word));
    may_be_bad |= row.has(i) & static_cast<Word>(must_be_written & (written[i] == 0));
    has_others |= row.has(i) & static_cast<Word>(!is_harmless(read[i], word));
  }
  if (may_be_bad) {
    Word bad = 0;
    for (unsigned i = 0; i < count; ++i)
      bad |= row.has(i) & static_cast<Word>(is_bad_read(written[i], words[i] | added, index_bits,
                                                        must_be_written));
    if (bad) return false;
  }
  if (!has_others) {
    for (unsigned i = 0; i < count; ++i)
      if (row.has(i)) read[i] = words[i] | added;
    return true;
  }
  for (unsigned i = 0; i < count; ++i) {
    const auto word = words[i] | added;
    const bool is_first = !are_apart(read[i], word, index_bits);
    const bool fits_second = !are_apart(read_too[i], word, index_bits);
    const bool is_better_second = is_farther(read[i], read_too[i], word);
    const bool is_second = !is_first & (fits_second | is_better_second);
    if (row.has(i) & static_cast<Word>(is_first)) read[i] = word;
    if (row.has(i) & static_cast<Word>(is_second)) read_too[i] = word;
  }
  return true;
}

// Accesses of lanes anywhere, each to one cell. Lanes that take no part repeat one that does.
struct Scattered {
  Word cells[lanes_per_simdgroup];
  Word words[lanes_per_simdgroup];
};

MSCI_FOR_EACH_PROCESSOR
Scattered scattered(const Object& object, const Word* offsets, std::uint32_t lanes,
                    const Word* words, Word added) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  Scattered all;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    const bool takes_part = lanes >> lane & 1;
    const auto offset = takes_part ? offsets[lane] : offsets[first];
    all.cells[lane] = object.cell(offset);
    all.words[lane] = (takes_part ? words[lane] : words[first]) | added;
  }
  return all;
}

// The bits of lanes, where those that take no part repeat the first one that does.
std::uint32_t repeated(std::uint32_t bits, std::uint32_t lanes) {
  const bool first = bits & lanes & (~lanes + 1);
  return first ? bits | ~lanes : bits & lanes;
}

// Records reads, and says which lanes it could not record: those with a fault, and those whose
// record has been lost to another lane's at the same cell.
MSCI_FOR_EACH_PROCESSOR
std::uint32_t note_scattered_reads(const Shadow& shadow, const Scattered& all, unsigned index_bits,
                                   bool must_be_written) {
  Word read[lanes_per_simdgroup], read_too[lanes_per_simdgroup];
  Flags is_bad, is_first, is_second, is_left;
  bool uneasy = false;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    const auto word = all.words[lane];
    const auto written = shadow.written[all.cells[lane]];
    uneasy |= !is_harmless(written, word) | (must_be_written & (written == 0));
    uneasy |= !is_harmless(shadow.read[all.cells[lane]], word);
  }
  if (!uneasy) {
    for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
      shadow.read[all.cells[lane]] = all.words[lane];
    for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
      is_left.of[lane] = shadow.read[all.cells[lane]] != all.words[lane];
    return is_left.bits();
  }
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    const auto word = all.words[lane];
    const auto cell = all.cells[lane];
    const bool bad = is_bad_read(shadow.written[cell], word, index_bits, must_be_written);
    const bool first = !bad & !are_apart(shadow.read[cell], word, index_bits);
    const bool fits_second = !are_apart(shadow.read_too[cell], word, index_bits);
    const bool is_better_second = is_farther(shadow.read[cell], shadow.read_too[cell], word);
    const bool second = !bad & !first & (fits_second | is_better_second);
    is_bad.of[lane] = bad;
    is_first.of[lane] = first;
    is_second.of[lane] = second;
    read[lane] = first ? word : shadow.read[cell];
    read_too[lane] = second ? word : shadow.read_too[cell];
  }
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    shadow.read[all.cells[lane]] = read[lane];
    shadow.read_too[all.cells[lane]] = read_too[lane];
  }
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    const auto word = all.words[lane];
    const auto cell = all.cells[lane];
    is_left.of[lane] = (is_bad.of[lane] != 0) |
                       ((is_first.of[lane] != 0) & (shadow.read[cell] != word)) |
                       ((is_second.of[lane] != 0) & (shadow.read_too[cell] != word));
  }
  return is_left.bits();
}

// A recorded atomic store that an atomic sum may be lost by: it came first, but nothing says that
// it must. Otherwise 0.
Word store_before_sum(const Shadow& shadow, Word cell, Word word, unsigned index_bits) {
  for (const auto before : {shadow.atomic[cell], shadow.atomic_too[cell]})
    if ((before & sets_first) && are_apart(before, word, index_bits)) return before;
  return 0;
}

// A recorded atomic access that a plain one races with; otherwise 0.
Word conflicting_atomic(const Shadow& shadow, Word cell, Word word, unsigned index_bits) {
  if (!shadow.atomic || (word & atomic_bit)) return 0;
  if (conflict(shadow.atomic[cell], word, index_bits)) return shadow.atomic[cell];
  return conflict(shadow.atomic_too[cell], word, index_bits) ? shadow.atomic_too[cell] : 0;
}

void note_read(const SimdgroupChecks& checks, const CheckedSite& site, const Shadow& shadow,
               Word offset, std::uint32_t number, Word word) {
  const auto& object = object_of(checks, number);
  const auto last = object.cell(offset + site.bytes - 1);
  const auto bits = checks.index_bits;
  for (auto cell = object.cell(offset); cell <= last; ++cell) {
    const auto written = shadow.written[cell];
    if (site.is_threadgroup && !written && !(shadow.atomic && shadow.atomic[cell]))
      report(checks, Kind::uninitialised, site.kind(), number, word, 0, offset);
    if (!(written & changed_nothing) && conflict(written, word, bits))
      report(checks, Kind::race, site.kind() | CheckMemory::other_wrote, number, word, written,
             offset);
    else if (const auto other = conflicting_atomic(shadow, cell, word, bits))
      report(checks, Kind::race, site.kind() | CheckMemory::other_wrote, number, word, other,
             offset);
    remember(shadow.read[cell], shadow.read_too[cell], word, bits);
  }
}

constexpr int least_scattered = 8;  // lanes that pay

// Calls `note_row(row)` for lanes whose accesses lie side by side. Returns the other lanes, and
// those for which it returns false.
template <typename NoteRow>
std::uint32_t note_rows(const CheckedSite& site, const Object& object, const Accesses& accesses,
                        const Word* words, NoteRow note_row) {
  auto lanes = accesses.lanes;
  const auto cells = static_cast<unsigned>(site.bytes >> object.granule());
  if (cells == 0 || cells > Row::most_cells || site.bytes != Word{cells} << object.granule())
    return lanes;
  // Several cells of a lane have no place for lanes that take no part.
  const auto followers = accesses.followers & (cells == 1 ? ~0U : lanes & lanes << 1);
  auto others = lanes & ~(followers | followers >> 1);
  lanes &= ~others;
  while (lanes) {
    const auto begin = static_cast<unsigned>(std::countr_zero(lanes));
    const auto length = 1 + static_cast<unsigned>(std::countr_one(followers >> begin >> 1));
    const auto those = lanes & ~0U >> (lanes_per_simdgroup - length) << begin;
    lanes &= ~those;
    if (static_cast<unsigned>(std::popcount(those)) >= Row::least_lanes) {
      const auto first = object.cell(accesses.offsets[begin]);
      if (note_row(Row(object, first, those, cells, words))) continue;
    }
    others |= those;
  }
  return others;
}

void note_reads(const SimdgroupChecks& checks, const CheckedSite& site, const Accesses& accesses,
                std::uint32_t number) {
  const auto& object = object_of(checks, number);
  if (object.shadow == untracked) return;
  const Shadow shadow(checks, site, object);
  const auto* words = checks.words[site.is_threadgroup];
  const auto added = added_by(site);
  const auto* offsets = accesses.offsets;
  auto others = accesses.lanes;
  if (!shadow.atomic)
    others = note_rows(site, object, accesses, words, [&](const Row& row) {
      return note_row_read(shadow, row, added, checks.index_bits, site.is_threadgroup);
    });
  if (!shadow.atomic && site.bytes == Word{1} << object.granule() &&
      std::popcount(others) >= least_scattered)
    others &= note_scattered_reads(shadow, scattered(object, offsets, others, words, added),
                                   checks.index_bits, site.is_threadgroup);
  for_each_lane(others, [&](unsigned lane) {
    note_read(checks, site, shadow, offsets[lane], number, words[lane] | added);
  });
}

// ---- writes

// What a cell says after a write that leaves its contents. Only threads that write something else
// can tell that it happened. Of a thread that wrote the same value before, it takes the place: both
// may then read it.
inline Word after_same_write(Word written, Word word, unsigned index_bits) {
  const bool changed = (written & changed_nothing) == 0;
  const bool is_fresh = written >> launch_at != word >> launch_at;
  const bool replaces = changed & are_apart(written, word, index_bits);
  const bool marks = is_fresh | !changed | (written >> barriers_at != word >> barriers_at);
  return replaces ? word : marks ? word | changed_nothing : written;
}

// Whether a write of the cell races with what is recorded there.
inline bool conflicts(Word written, Word read, Word read_too, Word word, unsigned index_bits) {
  const bool with_write = conflict(written, word, index_bits);
  const bool with_read = conflict(read, word, index_bits);
  const bool with_other_read = conflict(read_too, word, index_bits);
  return with_write | with_read | with_other_read;
}

// What came of writes of several lanes.
struct NotedWrites {
  bool are_noted = false;    // otherwise nothing has been recorded
  std::uint32_t let_go = 0;  // those that would race if they changed something
};

// Records writes of neighbouring cells by neighbouring lanes, unless there is a fault.
MSCI_FOR_EACH_PROCESSOR
NotedWrites note_row_write(const Shadow& shadow, const Row& row, Word added, std::uint32_t same,
                           unsigned index_bits, bool must_be_written) {
  auto* written = shadow.written + row.first;
  const auto* read = shadow.read + row.first;
  const auto* read_too = shadow.read_too + row.first;
  const auto* words = row.words;
  const auto count = row.count;
  Word uneasy = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto word = words[i] | added;
    uneasy |= row.has(i) & static_cast<Word>(!is_harmless(written[i], word));
    uneasy |= row.has(i) & static_cast<Word>(!is_harmless(read[i], word));
    uneasy |= row.has(i) & static_cast<Word>(!is_harmless(read_too[i], word));
  }
  if (!uneasy && !same) {
    for (unsigned i = 0; i < count; ++i)
      if (row.has(i)) written[i] = words[i] | added;
    return {true};
  }
  const auto is_same = [&](unsigned i) {
    return ((same >> (i % lanes_per_simdgroup) & 1) != 0) & !(must_be_written & (written[i] == 0));
  };
  Word bad = 0, let_go = 0;
  for (unsigned i = 0, end = uneasy ? count : 0; i < end; ++i) {
    const auto word = words[i] | added;
    const bool races = conflicts(written[i], read[i], read_too[i], word, index_bits);
    bad |= row.has(i) & static_cast<Word>(races & !is_same(i));
    let_go += row.has(i) & static_cast<Word>(races & is_same(i));
  }
  if (bad) return {};
  for (unsigned i = 0; i < count; ++i) {
    const auto word = words[i] | added;
    const auto after = is_same(i) ? after_same_write(written[i], word, index_bits) : word;
    if (row.has(i)) written[i] = after;
  }
  return {true, static_cast<std::uint32_t>(let_go)};
}

// Records writes of these lanes, unless there is a fault or two lanes write to one cell.
MSCI_FOR_EACH_PROCESSOR
NotedWrites note_scattered_writes(const Shadow& shadow, const Scattered& all, std::uint32_t lanes,
                                  std::uint32_t same, unsigned index_bits, bool must_be_written) {
  Word before[lanes_per_simdgroup], after[lanes_per_simdgroup];
  Flags is_let_go{};
  bool uneasy = false;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
    const auto word = all.words[lane];
    const auto cell = all.cells[lane];
    const auto written = shadow.written[cell];
    const bool is_same = ((same >> lane & 1) != 0) & !(must_be_written & (written == 0));
    uneasy |= !is_harmless(written, word);
    uneasy |= !is_harmless(shadow.read[cell], word);
    uneasy |= !is_harmless(shadow.read_too[cell], word);
    before[lane] = written;
    after[lane] = is_same ? after_same_write(written, word, index_bits) : word;
  }
  if (uneasy) {
    bool bad = false;
    for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane) {
      const auto cell = all.cells[lane];
      const bool is_same = ((same >> lane & 1) != 0) & !(must_be_written & (before[lane] == 0));
      const bool races = conflicts(before[lane], shadow.read[cell], shadow.read_too[cell],
                                   all.words[lane], index_bits);
      bad |= races & !is_same;
      is_let_go.of[lane] = races & is_same;
    }
    if (bad) return {};
  }
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    shadow.written[all.cells[lane]] = after[lane];
  bool is_lost = false;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    is_lost |= shadow.written[all.cells[lane]] != after[lane];
  if (!is_lost) return {true, static_cast<std::uint32_t>(std::popcount(is_let_go.bits() & lanes))};
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    shadow.written[all.cells[lane]] = before[lane];
  return {};
}

void note_write(const SimdgroupChecks& checks, const CheckedSite& site, const Shadow& shadow,
                Word offset, std::uint32_t number, Word word, bool same) {
  const auto& object = object_of(checks, number);
  const auto last = object.cell(offset + site.bytes - 1);
  const auto bits = checks.index_bits;
  const bool updates = site.kind() == atomic_bit;
  bool is_let_go = false;
  for (auto cell = object.cell(offset); cell <= last; ++cell) {
    auto& written = shadow.written[cell];
    const bool is_fresh =
        site.is_threadgroup && !written && !(shadow.atomic && shadow.atomic[cell]);
    if (same && !is_fresh) {
      is_let_go |= conflicts(written, shadow.read[cell], shadow.read_too[cell], word, bits) ||
                   conflicting_atomic(shadow, cell, word, bits) != 0;
      written = after_same_write(written, word, bits);
      continue;
    }
    if (is_fresh && updates)
      report(checks, Kind::uninitialised, site.kind(), number, word, 0, offset);
    if (conflict(written, word, bits))
      report(checks, Kind::race, site.kind() | CheckMemory::other_wrote, number, word, written,
             offset);
    else if (conflict(shadow.read[cell], word, bits))
      report(checks, Kind::race, site.kind(), number, word, shadow.read[cell], offset);
    else if (conflict(shadow.read_too[cell], word, bits))
      report(checks, Kind::race, site.kind(), number, word, shadow.read_too[cell], offset);
    else if (const auto other = conflicting_atomic(shadow, cell, word, bits))
      report(checks, Kind::race, site.kind() | CheckMemory::other_wrote, number, word, other,
             offset);
    if (!shadow.atomic || !(word & atomic_bit)) {
      written = word;
      continue;
    }
    if (site.touch & adds_bit)
      if (const auto other = store_before_sum(shadow, cell, word, bits))
        report(checks, Kind::race, site.kind() | CheckMemory::other_wrote, number, word, other,
               offset);
    const bool is_first = (shadow.atomic[cell] ^ word) >> launch_at != 0;
    const bool sets = site.touch == atomic_store;
    remember(shadow.atomic[cell], shadow.atomic_too[cell],
             word | (is_first && sets ? sets_first : 0), bits);
  }
  count_let_go(checks, site.place, is_let_go);
}

// Lanes write at once: none sees what another has just written. Says whether the lane leaves memory
// as the lanes before it would have left it.
bool leaves_unchanged(const Word* offsets, const Word* values, std::uint32_t lanes, unsigned lane,
                      bool same) {
  const auto before = lanes & ((1U << lane) - 1);
  for_each_lane(before, [&](unsigned other) {
    if (offsets[other] == offsets[lane]) same = values && values[other] == values[lane];
  });
  return same;
}

// The lanes whose cells are cells of the object: the others have strayed.
MSCI_FOR_EACH_PROCESSOR
std::uint32_t find_inside(const Object& object, const Word* offsets) {
  const auto cells = object.cells();
  Flags inside;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    inside.of[lane] = object.cell(offsets[lane]) < cells;
  return inside.bits();
}

void note_writes(const SimdgroupChecks& checks, const CheckedSite& site, const Accesses& accesses,
                 std::uint32_t number, std::uint32_t same, const Word* values) {
  if (accesses.lanes) mark(checks, site.place);
  const auto& object = object_of(checks, number);
  if (object.shadow == untracked) return;
  const Shadow shadow(checks, site, object);
  const auto* words = checks.words[site.is_threadgroup];
  const auto added = added_by(site);
  const bool is_plain = !(site.touch & atomic_bit);
  const bool is_one_cell = site.bytes >> object.granule() == 1;
  // The thread of a word without its lane, and the place: equal for lanes of one write.
  constexpr auto of_write = ~(Word{31} << thread_at | changed_nothing);
  const auto take = [&](const NotedWrites& noted) {
    count_let_go(checks, site.place, noted.let_go);
    return noted.are_noted;
  };
  const auto* offsets = accesses.offsets;
  auto others = accesses.lanes;
  if (is_plain && !shadow.atomic && (is_one_cell || same == 0))
    others = note_rows(site, object, accesses, words, [&](const Row& row) {
      if (row.first + row.count > object.cells()) return false;  // a lane strayed
      return take(note_row_write(shadow, row, added, same >> row.begin, checks.index_bits,
                                 site.is_threadgroup));
    });
  if (!others) return;
  others &= find_inside(object, offsets);
  // Values matter where a lane before writes to the same place.
  if (is_plain && !shadow.atomic && is_one_cell && std::popcount(others) >= least_scattered &&
      take(note_scattered_writes(shadow, scattered(object, offsets, others, words, added), others,
                                 repeated(same, others), checks.index_bits, site.is_threadgroup)))
    return;
  for_each_lane(others, [&](unsigned lane) {
    const auto word = words[lane] | added;
    const auto cell = object.cell(offsets[lane]);
    bool is_same = same >> lane & 1;
    if (is_plain && !((shadow.written[cell] ^ word) & of_write))
      is_same = leaves_unchanged(offsets, values, accesses.lanes, lane, is_same);
    // An exchange that failed is a read.
    if (is_same && !is_plain) return note_read(checks, site, shadow, offsets[lane], number, word);
    note_write(checks, site, shadow, offsets[lane], number, word, is_same);
  });
}

// ---- called by generated code

MSCI_FOR_EACH_PROCESSOR
void fill_words(SimdgroupChecks& checks, Word first) {
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    checks.words[0][lane] = checks.words[1][lane] = first + (Word{lane} << thread_at);
}

void begin(SimdgroupChecks* checks, const Threadgroup* threadgroup, const Word* words,
           std::uint32_t group_x, std::uint32_t simdgroup, std::uint32_t lanes) {
  const auto grid = words - 6;
  const auto threads = words - 3;
  const auto groups = [&](unsigned d) { return (grid[d] + threads[d] - 1) / threads[d]; };
  const auto* group = threadgroup->group;
  const auto number = (group[2] * groups(1) + group[1]) * groups(0) + group_x;
  checks->log = reinterpret_cast<Word*>(words[0]);
  checks->shadows[0] = reinterpret_cast<Word*>(words[1]);
  checks->shadows[1] = reinterpret_cast<Word*>(words[2]);
  checks->objects = reinterpret_cast<const Word*>(words[3]);
  checks->group = threadgroup->checked;
  checks->index_bits =
      static_cast<std::uint32_t>(std::bit_width(threads[0] * threads[1] * threads[2] - 1));
  checks->simdgroup = simdgroup;
  checks->existing = lanes;
  checks->divergence = {};
  const auto thread = number << checks->index_bits | Word{simdgroup} * lanes_per_simdgroup;
  fill_words(*checks, words[4] << launch_at | (thread & thread_mask) << thread_at);
  checks->group->position = {0, lanes, simdgroup, {group_x, group[1], group[2]}};
  checks->group->arrivals[simdgroup] = {.existing = lanes};
}

void report_divergence(SimdgroupChecks& checks) {
  const auto& [place, lane, missing, is_open] = checks.divergence;
  const auto first = checks.simdgroup * lanes_per_simdgroup;
  report(checks, Kind::barrier_divergence, 0, no_object, word_of(checks, first + lane, place),
         word_of(checks, first + missing, 0), 0);
  checks.divergence.is_open = false;
}

void end(SimdgroupChecks* checks) {
  if (checks->divergence.is_open) report_divergence(*checks);
  checks->group->arrivals[checks->simdgroup].has_ended = true;
}

void read(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
          std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped,
          std::uint32_t followers) {
  const auto stray = bound(*checks, *site, offsets, lanes, object, wrapped);
  if (lanes & ~stray) note_reads(*checks, *site, {offsets, lanes & ~stray, followers}, object);
}

// The reads of lanes that do not stray.
void note(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
          std::uint32_t lanes, std::uint32_t object, std::uint32_t followers) {
  note_reads(*checks, *site, {offsets, lanes, followers}, object);
}

void reach(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
           std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  bound(*checks, *site, offsets, lanes, object, wrapped);
}

// All lanes read the same place. The shadow keeps two of them.
void note_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                 std::uint32_t lanes, std::uint32_t object) {
  const auto first = lanes & (~lanes + 1);
  const auto others = lanes & ~first;
  const auto two = first | (others & (~others + 1));
  Word offsets[lanes_per_simdgroup] = {};
  for_each_lane(two, [&](unsigned each) { offsets[each] = offset; });
  note_reads(*checks, *site, {offsets, two, 0}, object);
}

// Of lanes that access one place, some of which stray.
Word read_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                 std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  const auto lane = std::countr_zero(lanes);
  const auto& memory = object_of(*checks, object);
  const auto at = offset - memory.first;
  if (at >= memory.bytes || at + site->bytes > memory.bytes || (offset & (site->align - 1)) ||
      wrapped)
    return stray_offset(*checks, *site, offset, object, checks->words[0][lane], wrapped != 0);
  note_shared(checks, site, offset, lanes, object);
  return offset;
}

Word reach_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                  std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  const auto& memory = object_of(*checks, object);
  const auto at = offset - memory.first;
  if (at < memory.bytes && at + site->bytes <= memory.bytes && !(offset & (site->align - 1)) &&
      !wrapped)
    return offset;
  return stray_offset(*checks, *site, offset, object, checks->words[0][std::countr_zero(lanes)],
                      wrapped != 0);
}

void write(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
           std::uint32_t lanes, std::uint32_t object, std::uint32_t same, const Word* values,
           std::uint32_t followers) {
  note_writes(*checks, *site, {offsets, lanes, followers}, object, same, values);
}

// Calls `function` for the lanes of each object.
template <typename Function>
void for_each_object(std::uint32_t lanes, const std::uint32_t* objects, Function function) {
  while (lanes) {
    const auto object = objects[std::countr_zero(lanes)];
    std::uint32_t those = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      those |= static_cast<std::uint32_t>(objects[lane] == object) << lane;
    });
    function(those, object);
    lanes &= ~those;
  }
}

void read_objects(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
                  std::uint32_t lanes, const std::uint32_t* objects, std::uint32_t wrapped,
                  std::uint32_t followers) {
  for_each_object(lanes, objects, [&](std::uint32_t those, std::uint32_t object) {
    read(checks, site, offsets, those, object, wrapped, followers);
  });
}

void reach_objects(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
                   std::uint32_t lanes, const std::uint32_t* objects, std::uint32_t wrapped) {
  for_each_object(lanes, objects, [&](std::uint32_t those, std::uint32_t object) {
    reach(checks, site, offsets, those, object, wrapped);
  });
}

void write_objects(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
                   std::uint32_t lanes, const std::uint32_t* objects, std::uint32_t same,
                   const Word* values, std::uint32_t followers) {
  for_each_object(lanes, objects, [&](std::uint32_t those, std::uint32_t object) {
    write(checks, site, offsets, those, object, same, values, followers);
  });
}

// The number of the object whose memory an address leads into; that of the last object if none.
std::uint32_t find(const SimdgroupChecks* checks, Word address) {
  const auto end = static_cast<std::uint32_t>(checks->objects[2] >> 32);
  const auto* addresses = checks->objects + checks->objects[3];
  for (auto number = static_cast<std::uint32_t>(checks->objects[2]); number < end; ++number) {
    const auto& object = object_of(*checks, number);
    if (address - addresses[number] < 2 * object.first + object.bytes) return number;
  }
  return end;
}

void find_lanes(const SimdgroupChecks* checks, const Word* addresses, std::uint32_t lanes,
                std::uint32_t* numbers) {
  for_each_lane(lanes, [&](unsigned lane) { numbers[lane] = find(checks, addresses[lane]); });
}

Word base(const SimdgroupChecks* checks, std::uint32_t number) {
  return checks->objects[checks->objects[3] + number];
}

void base_lanes(const SimdgroupChecks* checks, const std::uint32_t* numbers, std::uint32_t lanes,
                Word* addresses) {
  for_each_lane(lanes, [&](unsigned lane) { addresses[lane] = base(checks, numbers[lane]); });
}

// Something does not hold in these lanes.
void hold(const SimdgroupChecks* checks, std::uint32_t kind, std::uint32_t place,
          std::uint32_t touch, std::uint32_t lanes) {
  const auto word = checks->words[0][std::countr_zero(lanes)];
  report(*checks, static_cast<Kind>(kind), touch, no_object, word_at(word, place), 0, 0);
}

// Keeps a message of each of these lanes, unless there are too many. Each of `count` words has one
// value for each lane.
void log(const SimdgroupChecks* checks, std::uint32_t call, std::uint32_t place, const Word* words,
         std::uint32_t count, std::uint32_t lanes) {
  auto& messages = *reinterpret_cast<std::uint32_t*>(checks->log + CheckMemory::messages_at);
  for_each_lane(lanes, [&](unsigned lane) {
    const auto number = std::atomic_ref(messages).fetch_add(1);
    if (number >= CheckMemory::most_messages) return;
    auto* entry =
        checks->log + CheckMemory::messages_at + 1 + number * CheckMemory::words_per_message;
    for (std::uint32_t i = 0; i < count; ++i) entry[2 + i] = words[i * lanes_per_simdgroup + lane];
    entry[1] = word_at(checks->words[0][lane], place);
    entry[0] = (Word{call} + 1) | checks->objects[1] << 24;
  });
}

// Something depends on words that places before `origins` asked for in vain.
void lane_used(const SimdgroupChecks* checks, const std::uint32_t* origins, std::uint32_t place,
               std::uint32_t lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    const auto word = checks->words[0][lane];
    report(*checks, Kind::inactive_lane, 0, no_object, word_at(word, origins[lane] - 1),
           word_at(word, place), 0);
  });
}

// ---- barriers

Word counted(Word word, unsigned at, Word many) {
  return (word >> at & many) == many ? word : word + (Word{1} << at);
}

Word after_barrier(Word word) {
  // Barriers of the simdgroup count from the last one of the threadgroup.
  return counted(word & ~(many_simdgroup_barriers << simdgroup_barriers_at), barriers_at,
                 many_barriers);
}

Word after_simdgroup_barrier(Word word) {
  return counted(word, simdgroup_barriers_at, many_simdgroup_barriers);
}

void pass(SimdgroupChecks& checks, std::uint32_t flags, std::uint32_t lanes,
          Word (*after)(Word word)) {
  for (unsigned space = 0; space < 2; ++space) {
    if (!(flags >> space & 1)) continue;
    for_each_lane(lanes, [&](unsigned lane) {
      auto& word = checks.words[space][lane];
      word = after(word);
    });
  }
}

// The lowest lane that has not returned is at this barrier, or will be at another, where it is
// told.
void note_divergence(SimdgroupChecks& checks, std::uint32_t place, std::uint32_t lanes) {
  const auto missing = checks.existing & ~lanes;
  if (!missing) return;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto other = static_cast<std::uint32_t>(std::countr_zero(missing));
  if (checks.divergence.is_open && lane >= checks.divergence.lane) return;
  checks.divergence = {place, lane, other, true};
  if (lane < other) report_divergence(checks);
}

// Do all simdgroups wait at this barrier?
void compare_arrivals(const SimdgroupChecks& checks) {
  const auto& arrivals = checks.group->arrivals;
  const auto& own = arrivals[checks.simdgroup];
  const CheckedArrival* first = nullptr;
  const auto thread_of = [&](const CheckedArrival& arrival) {
    return static_cast<std::uint32_t>((&arrival - arrivals.data()) * lanes_per_simdgroup +
                                      std::countr_zero(arrival.lanes | 1U << 31));
  };
  for (const auto& each : arrivals)
    if (!first && !each.has_ended && each.round == own.round) first = &each;
  for (const auto& each : arrivals) {
    if (each.lanes != each.existing && !each.has_ended) continue;  // told already
    if (!each.has_ended && (each.round != own.round || each.barrier == first->barrier)) continue;
    const auto thread = static_cast<std::uint32_t>((&each - arrivals.data()) * lanes_per_simdgroup);
    report(checks, Kind::barrier_divergence, 0, no_object,
           word_of(checks, thread_of(*first), first->place),
           word_of(checks, thread, each.has_ended ? 0 : each.place), 0);
    return;
  }
}

void wait(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t place, std::uint32_t barrier,
          std::uint32_t lanes) {
  mark(*checks, place);
  note_divergence(*checks, place, lanes);
  auto& group = *checks->group;
  auto& arrival = group.arrivals[checks->simdgroup];
  const auto round = arrival.round + 1;
  arrival = {round, place, barrier, lanes, checks->existing, false};
  const auto position = group.position;
  wait_for_threadgroup();
  group.position = position;
  if (group.compared_rounds < round) {  // the first to go on
    group.compared_rounds = round;
    compare_arrivals(*checks);
  }
  pass(*checks, flags, lanes, after_barrier);
}

void pass_simdgroup(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t place,
                    std::uint32_t lanes) {
  if (!lanes) return;
  mark(*checks, place);
  if (const auto missing = checks->existing & ~lanes) {
    const auto thread = [&](std::uint32_t among) {
      return checks->simdgroup * lanes_per_simdgroup +
             static_cast<std::uint32_t>(std::countr_zero(among));
    };
    report(*checks, Kind::barrier_divergence, 0, no_object, word_of(*checks, thread(lanes), place),
           word_of(*checks, thread(missing), 0), 0);
  }
  pass(*checks, flags, lanes, after_simdgroup_barrier);
}

}  // namespace

std::vector<std::pair<std::string, void*>> check_functions() {
  const auto named = [](const char* name, auto* function) {
    return std::pair{std::string("msci_engine_check_") + name, reinterpret_cast<void*>(function)};
  };
  return {named("begin", &begin),
          named("end", &end),
          named("read", &read),
          named("read.objects", &read_objects),
          named("read.shared", &read_shared),
          named("note", &note),
          named("note.shared", &note_shared),
          named("reach", &reach),
          named("reach.objects", &reach_objects),
          named("reach.shared", &reach_shared),
          named("write", &write),
          named("write.objects", &write_objects),
          named("find", &find),
          named("find.lanes", &find_lanes),
          named("base", &base),
          named("base.lanes", &base_lanes),
          named("hold", &hold),
          named("lane_used", &lane_used),
          named("log", &log),
          named("wait", &wait),
          named("pass_simdgroup", &pass_simdgroup)};
}

}  // namespace msci::engine

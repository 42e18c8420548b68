#include "engine/check/record_batches.h"

#include <optional>

namespace msci::engine {
namespace {

// A batch is a number of accesses to one granule each: record_reads() and record_writes() hold the
// rules for any kind of batch. Batches are values, so that loops over them become vectors.

// Granules side by side, for lanes side by side. Some lanes between others may take no part.
struct Row {
  static constexpr bool is_distinct = true;  // no granule occurs twice
  static constexpr unsigned most = 4 * lanes_per_simdgroup;

  Word first;           // granule
  const Word* entries;  // of the lanes, by granule
  Word added;
  std::uint32_t lanes;  // that take part, from the first one on
  unsigned count;       // of granules

  MSCI_PART_OF_CALLER Word granule(unsigned i) const { return first + i; }
  MSCI_PART_OF_CALLER Word entry(unsigned i) const { return entries[i] | added; }
  // 1 if the lane takes part, otherwise 0.
  MSCI_PART_OF_CALLER Word has(unsigned i) const { return lanes >> (i % lanes_per_simdgroup) & 1; }
  MSCI_PART_OF_CALLER Word counts(unsigned i) const { return has(i); }
};

// Copies of granules that lie anywhere, no two of which are one: they lie side by side. `Count`:
// lanes, from the first one on, beyond which none takes part.
template <unsigned Count>
struct Copied {
  static constexpr bool is_distinct = true;
  static constexpr unsigned most = Count;
  static constexpr unsigned count = Count;

  const Word* entries;
  std::uint32_t lanes;  // that take part

  MSCI_PART_OF_CALLER Word granule(unsigned i) const { return i; }
  MSCI_PART_OF_CALLER Word entry(unsigned i) const { return entries[i]; }
  MSCI_PART_OF_CALLER Word has(unsigned i) const { return lanes >> i & 1; }
  MSCI_PART_OF_CALLER Word counts(unsigned i) const { return has(i); }
};

// Granules anywhere, which several lanes may access. Lanes that take no part repeat one that does.
template <unsigned Count>
struct Scattered {
  static constexpr bool is_distinct = false;
  static constexpr unsigned most = Count;
  static constexpr unsigned count = Count;

  const Word* granules;
  const Word* entries;
  std::uint32_t lanes;  // that take part

  MSCI_PART_OF_CALLER Word granule(unsigned i) const { return granules[i]; }
  MSCI_PART_OF_CALLER Word entry(unsigned i) const { return entries[i]; }
  MSCI_PART_OF_CALLER Word has(unsigned) const { return 1; }
  MSCI_PART_OF_CALLER Word counts(unsigned i) const { return lanes >> i & 1; }
};

// Whether some access of a batch is lost, because another one of the batch has overwritten it.
template <typename Batch>
MSCI_PART_OF_CALLER bool is_any_lost(const Word* recorded, Batch batch, const Word* wanted) {
  Word lost = 0;
  for (unsigned i = 0; i < batch.count; ++i) lost |= recorded[batch.granule(i)] ^ wanted[i];
  return lost != 0;
}

// Records reads of a batch. Returns a bit for each access that was not recorded: it is a fault, or
// another access of the batch has replaced its entry. Of distinct granules, all or none are
// recorded.
template <typename Batch>
MSCI_PART_OF_CALLER std::uint32_t record_reads(Shadow shadow, Batch batch, Rules rules) {
  constexpr auto all = ~0U;
  Word may_be_bad = 0, has_others = 0;
  for (unsigned i = 0; i < batch.count; ++i) {
    const auto entry = batch.entry(i);
    const auto granule = batch.granule(i);
    const auto written = shadow.written[granule];
    may_be_bad |= batch.has(i) & static_cast<Word>(!is_ordered(written, entry));
    may_be_bad |= batch.has(i) & static_cast<Word>(rules.must_be_written & (written == 0));
    has_others |= batch.has(i) & static_cast<Word>(!is_ordered(shadow.read[granule], entry));
  }
  Word bad = 0;
  if (may_be_bad)
    for (unsigned i = 0; i < batch.count; ++i)
      bad |= batch.has(i) & static_cast<Word>(is_bad_read(shadow.written[batch.granule(i)],
                                                          batch.entry(i), rules));
  if (!bad && !has_others) {
    for (unsigned i = 0; i < batch.count; ++i)
      if (batch.has(i)) shadow.read[batch.granule(i)] = batch.entry(i);
    if constexpr (Batch::is_distinct) return 0;
    Flags rest = {};
    for (unsigned i = 0; i < batch.count; ++i)
      rest.of[i] = shadow.read[batch.granule(i)] != batch.entry(i);
    return rest.bits();
  }
  if constexpr (Batch::is_distinct) {
    if (bad) return all;
    for (unsigned i = 0; i < batch.count; ++i) {
      const auto entry = batch.entry(i);
      const auto granule = batch.granule(i);
      const auto read = shadow.read[granule], second_read = shadow.second_read[granule];
      const bool first = replaces_first(read, entry, rules.index_bits);
      const bool second = !first & replaces_second(read, second_read, entry, rules.index_bits);
      if (batch.has(i) & static_cast<Word>(first)) shadow.read[granule] = entry;
      if (batch.has(i) & static_cast<Word>(second)) shadow.second_read[granule] = entry;
    }
    return 0;
  }
  // Two accesses may be to one granule: all entries are found before any is replaced.
  Word read[Batch::most], second_read[Batch::most];
  Flags is_bad = {}, is_first = {}, is_second = {}, rest = {};
  for (unsigned i = 0; i < batch.count; ++i) {
    const auto entry = batch.entry(i);
    const auto granule = batch.granule(i);
    const auto before = shadow.read[granule], second_before = shadow.second_read[granule];
    const bool bad_read = is_bad_read(shadow.written[granule], entry, rules);
    const bool first = !bad_read & replaces_first(before, entry, rules.index_bits);
    const bool second =
        !bad_read & !first & replaces_second(before, second_before, entry, rules.index_bits);
    is_bad.of[i] = bad_read;
    is_first.of[i] = first;
    is_second.of[i] = second;
    read[i] = first ? entry : before;
    second_read[i] = second ? entry : second_before;
  }
  for (unsigned i = 0; i < batch.count; ++i) {
    shadow.read[batch.granule(i)] = read[i];
    shadow.second_read[batch.granule(i)] = second_read[i];
  }
  for (unsigned i = 0; i < batch.count; ++i) {
    const auto entry = batch.entry(i);
    const auto granule = batch.granule(i);
    rest.of[i] = (is_bad.of[i] != 0) | ((is_first.of[i] != 0) & (shadow.read[granule] != entry)) |
                 ((is_second.of[i] != 0) & (shadow.second_read[granule] != entry));
  }
  return rest.bits();
}

// A quick test: whether some write of a batch may race with a recorded access. The second reads are
// seldom of this launch, so that their memory is mostly left alone.
template <typename Batch>
MSCI_PART_OF_CALLER bool may_race_with_any(Shadow shadow, Batch batch) {
  Word may_race = 0, is_read = 0;
  for (unsigned i = 0; i < batch.count; ++i)
    may_race |= batch.has(i) &
                static_cast<Word>(!is_ordered(shadow.written[batch.granule(i)], batch.entry(i)));
  if (!shadow.read) return may_race != 0;
  for (unsigned i = 0; i < batch.count; ++i) {
    const auto read = shadow.read[batch.granule(i)];
    may_race |= batch.has(i) & static_cast<Word>(!is_ordered(read, batch.entry(i)));
    is_read |= batch.has(i) & static_cast<Word>(is_of_launch(read, batch.entry(i)));
  }
  if (is_read)
    for (unsigned i = 0; i < batch.count; ++i)
      may_race |= batch.has(i) & static_cast<Word>(!is_ordered(shadow.second_read[batch.granule(i)],
                                                               batch.entry(i)));
  return may_race != 0;
}

// Records writes of a batch and counts those that would race if they changed memory. Returns false
// if there is a fault, or two accesses write to one granule; nothing is recorded then. `same`: the
// lanes that store what memory holds.
template <typename Batch>
MSCI_PART_OF_CALLER bool record_writes(Shadow shadow, Batch batch, std::uint32_t same, Rules rules,
                                       std::uint32_t& benign) {
  const bool may_race = may_race_with_any(shadow, batch);
  const auto is_same = [&](unsigned i, Word written) {
    return ((same >> (i % lanes_per_simdgroup) & 1) != 0) &
           !(rules.must_be_written & (written == 0));
  };
  if (may_race) {
    Word bad = 0, races = 0;
    for (unsigned i = 0; i < batch.count; ++i) {
      const auto granule = batch.granule(i);
      const auto written = shadow.written[granule];
      const auto read = shadow.read ? shadow.read[granule] : 0;
      const auto second_read = shadow.read ? shadow.second_read[granule] : 0;
      const bool conflicts =
          races_with_any(written, read, second_read, batch.entry(i), rules.index_bits);
      bad |= batch.has(i) & static_cast<Word>(conflicts & !is_same(i, written));
      races += batch.counts(i) & static_cast<Word>(conflicts & is_same(i, written));
    }
    if (bad) return false;
    benign = static_cast<std::uint32_t>(races);
  }
  if constexpr (Batch::is_distinct) {
    if (!same) {
      for (unsigned i = 0; i < batch.count; ++i)
        if (batch.has(i)) shadow.written[batch.granule(i)] = batch.entry(i);
      return true;
    }
  }
  if constexpr (Batch::is_distinct) {
    for (unsigned i = 0; i < batch.count; ++i) {
      const auto written = shadow.written[batch.granule(i)];
      const auto after = is_same(i, written)
                             ? after_same_write(written, batch.entry(i), rules.index_bits)
                             : batch.entry(i);
      if (batch.has(i)) shadow.written[batch.granule(i)] = after;
    }
    return true;
  }
  Word before[Batch::most], after[Batch::most];
  for (unsigned i = 0; i < batch.count; ++i) {
    before[i] = shadow.written[batch.granule(i)];
    after[i] = is_same(i, before[i]) ? after_same_write(before[i], batch.entry(i), rules.index_bits)
                                     : batch.entry(i);
  }
  for (unsigned i = 0; i < batch.count; ++i) shadow.written[batch.granule(i)] = after[i];
  if (!is_any_lost(shadow.written, batch, after)) return true;
  for (unsigned i = 0; i < batch.count; ++i) shadow.written[batch.granule(i)] = before[i];
  return false;
}

// The memory of a scattered batch.
struct ScatteredMemory {
  Word granules[lanes_per_simdgroup];
  Word entries[lanes_per_simdgroup];
  bool may_meet;  // several lanes may access one granule
};

// ---- the two kinds of batches, for each processor

MSCI_FOR_EACH_PROCESSOR
std::uint32_t record_row_reads(const Shadow& shadow, const Row& row, Rules rules) {
  return record_reads(shadow, row, rules);
}
MSCI_FOR_EACH_PROCESSOR
bool record_row_writes(const Shadow& shadow, const Row& row, std::uint32_t same, Rules rules,
                       std::uint32_t& benign) {
  return record_writes(shadow, row, same, rules, benign);
}

constexpr unsigned half_of_lanes = lanes_per_simdgroup / 2;

// The entries of the granules of a scattered batch. The second reads are of another launch, and not
// copied, unless some first one is of this launch.
template <unsigned Count>
struct CopiedEntries {
  Word written[Count];
  Word read[Count];
  Word second_read[Count];
  bool has_reads;  // of this launch
  bool are_own;    // the threadgroup has written all granules in this launch
};

template <unsigned Count>
MSCI_PART_OF_CALLER Shadow copy_entries(const Shadow& from, const ScatteredMemory& memory,
                                        unsigned index_bits, CopiedEntries<Count>& copy) {
  Shadow shadow = from;
  shadow.written = copy.written;
  copy.has_reads = false;
  Word others = 0;
  for (unsigned i = 0; i < Count; ++i) {
    copy.written[i] = from.written[memory.granules[i]];
    others |= (copy.written[i] ^ memory.entries[i]) >> ShadowEntry::thread.at;
  }
  copy.are_own = others >> index_bits == 0;
  if (!from.read) return shadow;
  shadow.read = copy.read;
  shadow.second_read = copy.second_read;
  Word is_read = 0;
  for (unsigned i = 0; i < Count; ++i) {
    copy.read[i] = from.read[memory.granules[i]];
    copy.second_read[i] = 0;
    is_read |= static_cast<Word>(is_of_launch(copy.read[i], memory.entries[i]));
  }
  copy.has_reads = is_read != 0;
  if (copy.has_reads)
    for (unsigned i = 0; i < Count; ++i) copy.second_read[i] = from.second_read[memory.granules[i]];
  return shadow;
}

template <unsigned Count>
MSCI_PART_OF_CALLER void copy_back(const Word* from, Word* to, const ScatteredMemory& memory,
                                   std::uint32_t lanes) {
  for (unsigned i = 0; i < Count; ++i)
    if (lanes >> i & 1) to[memory.granules[i]] = from[i];
}

// How many lanes a batch has depends on the last one that takes part.
template <unsigned Count>
MSCI_PART_OF_CALLER std::uint32_t scattered_reads(const Shadow& shadow,
                                                  const ScatteredMemory& memory,
                                                  std::uint32_t lanes, Rules rules, bool& are_own) {
  if (memory.may_meet)
    return record_reads(shadow, Scattered<Count>{memory.granules, memory.entries, lanes}, rules);
  CopiedEntries<Count> copy;
  const auto copied = copy_entries(shadow, memory, rules.index_bits, copy);
  are_own = copy.are_own;
  const auto rest = record_reads(copied, Copied<Count>{memory.entries, lanes}, rules);
  if (rest) return rest;
  copy_back<Count>(copy.read, shadow.read, memory, lanes);
  if (copy.has_reads) copy_back<Count>(copy.second_read, shadow.second_read, memory, lanes);
  return 0;
}
template <unsigned Count>
MSCI_PART_OF_CALLER bool scattered_writes(const Shadow& shadow, const ScatteredMemory& memory,
                                          std::uint32_t lanes, std::uint32_t same, Rules rules,
                                          std::uint32_t& benign, bool& are_own) {
  if (memory.may_meet)
    return record_writes(shadow, Scattered<Count>{memory.granules, memory.entries, lanes}, same,
                         rules, benign);
  CopiedEntries<Count> copy;
  const auto copied = copy_entries(shadow, memory, rules.index_bits, copy);
  are_own = copy.are_own;
  if (!record_writes(copied, Copied<Count>{memory.entries, lanes}, same, rules, benign))
    return false;
  copy_back<Count>(copy.written, shadow.written, memory, lanes);
  return true;
}

MSCI_FOR_EACH_PROCESSOR
std::uint32_t record_scattered_reads(const Shadow& shadow, const ScatteredMemory& memory,
                                     std::uint32_t lanes, Rules rules, bool& are_own) {
  if (lanes >> half_of_lanes == 0)
    return scattered_reads<half_of_lanes>(shadow, memory, lanes, rules, are_own);
  return scattered_reads<lanes_per_simdgroup>(shadow, memory, lanes, rules, are_own);
}
MSCI_FOR_EACH_PROCESSOR
bool record_scattered_writes(const Shadow& shadow, const ScatteredMemory& memory,
                             std::uint32_t lanes, std::uint32_t same, Rules rules,
                             std::uint32_t& benign, bool& are_own) {
  if (lanes >> half_of_lanes == 0)
    return scattered_writes<half_of_lanes>(shadow, memory, lanes, same, rules, benign, are_own);
  return scattered_writes<lanes_per_simdgroup>(shadow, memory, lanes, same, rules, benign, are_own);
}

// ---- from lanes to batches

constexpr unsigned least_lanes_of_row = 6;  // that pay
constexpr unsigned most_granules_of_lane = 4;
constexpr int least_scattered_lanes = 8;

// A row of these lanes, and the memory that it refers to.
struct RowMemory {
  Word repeated[Row::most];

  Row row_of(const RecordedObject& to, Word first, std::uint32_t lanes,
             unsigned granules_per_lane) {
    auto begin = static_cast<unsigned>(std::countr_zero(lanes));
    auto end = static_cast<unsigned>(std::bit_width(lanes));
    if (granules_per_lane > 1) {
      const auto count = (end - begin) * granules_per_lane;
      for (unsigned i = 0; i < count; ++i) repeated[i] = to.entries[begin + i / granules_per_lane];
      return {first, repeated, to.added, ~0U, count};
    }
    // In eights, which suit the processor, if the object has these granules.
    const auto before = begin % 8;
    const auto after = (8 - end % 8) % 8;
    if (first >= before && first + (end - begin) + after <= to.object.granules()) {
      begin -= before;
      end += after;
      first -= before;
    }
    return {first, to.entries + begin, to.added, lanes >> begin, end - begin};
  }
};

// 0 if the accesses of a site do not suit a row.
unsigned granules_of_lane(const RecordedObject& to) {
  const auto granules = static_cast<unsigned>(to.site.bytes >> to.object.granule());
  const bool is_whole = to.site.bytes == Word{granules} << to.object.granule();
  return is_whole && granules <= most_granules_of_lane ? granules : 0;
}

// Calls `record(row, begin)` for lanes whose accesses lie side by side; `begin` is the row's first
// lane. Returns the other lanes, and those for which it returns false.
template <typename Record>
std::uint32_t for_each_row(const RecordedObject& to, const LaneAccesses& accesses, Record record) {
  auto lanes = accesses.lanes;
  const auto granules = granules_of_lane(to);
  if (granules == 0) return lanes;
  // Several granules of a lane have no place for lanes that take no part.
  const auto followers = accesses.followers & (granules == 1 ? ~0U : lanes & lanes << 1);
  auto others = lanes & ~(followers | followers >> 1);
  lanes &= ~others;
  RowMemory memory;
  while (lanes) {
    const auto begin = static_cast<unsigned>(std::countr_zero(lanes));
    const auto length = 1 + static_cast<unsigned>(std::countr_one(followers >> begin >> 1));
    const auto those = lanes & ~0U >> (lanes_per_simdgroup - length) << begin;
    lanes &= ~those;
    if (static_cast<unsigned>(std::popcount(those)) >= least_lanes_of_row) {
      const auto row =
          memory.row_of(to, to.object.granule_at(accesses.offsets[begin]), those, granules);
      if (record(row)) continue;
    }
    others |= those;
  }
  return others;
}

// The row of lanes whose accesses are known to lie side by side, if they suit a batch.
std::optional<Row> row_at(const RecordedObject& to, const LaneRow& accesses, RowMemory& memory) {
  const auto granules = granules_of_lane(to);
  const auto begin = static_cast<unsigned>(std::countr_zero(accesses.lanes));
  const auto behind = accesses.lanes >> begin;
  if (granules == 0 || (granules > 1 && (behind & (behind + 1)))) return std::nullopt;
  const auto offset = accesses.offset + (begin - accesses.first) * Word{to.site.bytes};
  return memory.row_of(to, to.object.granule_at(offset), accesses.lanes, granules);
}

// The result is a new object, so that the compiler knows that it does not overlap the parameters.
template <unsigned Count>
MSCI_PART_OF_CALLER ScatteredMemory gather_lanes(const Object& object, const LaneAccesses& accesses,
                                                 const Word* entries, Word added) {
  ScatteredMemory to;
  const auto lanes = accesses.lanes;
  const auto* offsets = accesses.offsets;
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  for (unsigned lane = 0; lane < Count; ++lane) {
    const bool takes_part = lanes >> lane & 1;
    const auto offset = takes_part ? offsets[lane] : offsets[first];
    to.granules[lane] = object.granule_at(offset);
    to.entries[lane] = (takes_part ? entries[lane] : entries[first]) | added;
  }
  // Granules in ascending order are as many as their lanes.
  const auto from_first = lanes >> first;
  const bool is_one_run = (from_first & (from_first + 1)) == 0;
  to.may_meet = !is_one_run || (lanes & (lanes - 1) & ~accesses.ahead) != 0;
  return to;
}

MSCI_FOR_EACH_PROCESSOR
ScatteredMemory gather(const Object& object, const LaneAccesses& accesses, const Word* entries,
                       Word added) {
  if (accesses.lanes >> half_of_lanes == 0)
    return gather_lanes<half_of_lanes>(object, accesses, entries, added);
  return gather_lanes<lanes_per_simdgroup>(object, accesses, entries, added);
}

// The bits of lanes, where those that take no part repeat the first one that does.
std::uint32_t repeated(std::uint32_t bits, std::uint32_t lanes) {
  const bool first = bits & lanes & (~lanes + 1);
  return first ? bits | ~lanes : bits & lanes;
}

LaneAccesses of_lanes(LaneAccesses accesses, std::uint32_t lanes) {
  accesses.lanes = lanes;
  return accesses;
}

bool suits_scattered(const RecordedObject& to, std::uint32_t lanes) {
  return to.site.bytes == Word{1} << to.object.granule() &&
         std::popcount(lanes) >= least_scattered_lanes;
}

}  // namespace

MSCI_FOR_EACH_PROCESSOR
std::uint32_t find_inside(const Object& object, const Word* offsets) {
  const auto granules = object.granules();
  Flags inside;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    inside.of[lane] = object.granule_at(offsets[lane]) < granules;
  return inside.bits();
}

RecordedReads record_read_batches(const RecordedObject& to, const LaneAccesses& accesses) {
  RecordedReads recorded;
  recorded.rest = for_each_row(
      to, accesses, [&](const Row& row) { return !record_row_reads(to.shadow, row, to.rules); });
  if (!suits_scattered(to, recorded.rest)) return recorded;
  const auto memory = gather(to.object, of_lanes(accesses, recorded.rest), to.entries, to.added);
  bool are_own = false;
  const bool are_all = recorded.rest == accesses.lanes;
  recorded.rest &= record_scattered_reads(to.shadow, memory, recorded.rest, to.rules, are_own);
  recorded.are_own = are_all && are_own;
  return recorded;
}

bool record_row_of_reads(const RecordedObject& to, const LaneRow& accesses) {
  RowMemory memory;
  const auto row = row_at(to, accesses, memory);
  return row && !record_row_reads(to.shadow, *row, to.rules);
}

bool record_row_of_writes(const RecordedObject& to, const LaneRow& accesses, std::uint32_t same,
                          std::uint32_t& benign) {
  RowMemory memory;
  const auto row = row_at(to, accesses, memory);
  if (!row || (same && row->entries == memory.repeated)) return false;
  const auto begin = same ? static_cast<unsigned>(row->entries - to.entries) : 0;
  return record_row_writes(to.shadow, *row, same >> begin, to.rules, benign);
}

RecordedWrites record_write_batches(const RecordedObject& to, const LaneAccesses& accesses,
                                    std::uint32_t same) {
  RecordedWrites recorded{.rest = accesses.lanes};
  const bool is_one_granule = to.site.bytes >> to.object.granule() == 1;
  if (is_one_granule || same == 0)
    recorded.rest = for_each_row(to, accesses, [&](const Row& row) {
      if (row.first + row.count > to.object.granules()) return false;  // a lane was out of bounds
      // Only with one granule for each lane do the entries lie where the lanes have theirs.
      const auto begin = same ? static_cast<unsigned>(row.entries - to.entries) : 0;
      std::uint32_t benign = 0;
      const bool is_recorded = record_row_writes(to.shadow, row, same >> begin, to.rules, benign);
      recorded.benign += benign;
      return is_recorded;
    });
  if (!recorded.rest) return recorded;
  recorded.rest &= find_inside(to.object, accesses.offsets);
  if (!is_one_granule || std::popcount(recorded.rest) < least_scattered_lanes) return recorded;
  const auto memory = gather(to.object, of_lanes(accesses, recorded.rest), to.entries, to.added);
  std::uint32_t benign = 0;
  bool are_own = false;
  if (!record_scattered_writes(to.shadow, memory, recorded.rest, repeated(same, recorded.rest),
                               to.rules, benign, are_own))
    return recorded;
  recorded.are_own = are_own && recorded.rest == accesses.lanes;
  recorded.benign += benign;
  recorded.rest = 0;
  return recorded;
}

}  // namespace msci::engine

#include <optional>
#include <utility>

#include "engine/check/check_functions.h"
#include "engine/check/fault_log.h"

namespace msci::engine {
namespace {

using Kind = Fault::Kind;

// ---- accesses of one lane

// Whether `now` is an access of the same thread between the same barriers, and conflicts with fewer
// accesses.
bool is_weaker(Word before, Word now) {
  return (before ^ now) >> ShadowEntry::simdgroup_barriers.at == 0 &&
         ((now & ~before & ShadowEntry::atomic.mask()) ||
          (before & ~now & ShadowEntry::unchanged.mask()));
}

// Records an access as one of two.
MSCI_PART_OF_CALLER void remember(Word& first, Word& second, Word now, unsigned index_bits) {
  if (replaces_first(first, now, index_bits)) {
    if (!is_weaker(first, now)) first = now;
  } else if (replaces_first(second, now, index_bits)) {
    if (!is_weaker(second, now)) second = now;
  } else if (is_farther(first, second, now)) {
    second = now;
  }
}

// Whether fences order an earlier access before this one.
bool fences_order(const RecordedObject& to, Word before, Word now) {
  return to.order && to.order->orders(before, now, to.site.is_threadgroup != 0);
}
// The entry of the earlier access; 0 if they do.
Word unless_ordered(const RecordedObject& to, Word before, Word now) {
  return fences_order(to, before, now) ? 0 : before;
}

// Whether nothing orders the two accesses, no fences either.
bool are_concurrent(const RecordedObject& to, Word before, Word now) {
  return happen_concurrently(before, now, to.rules.index_bits) && !fences_order(to, before, now);
}
bool are_in_conflict(const RecordedObject& to, Word before, Word now) {
  return conflict(before, now, to.rules.index_bits) && !fences_order(to, before, now);
}

// A recorded atomic store that may destroy an atomic sum: it came first, but nothing says that it
// must. Otherwise 0.
Word store_before_sum(const RecordedObject& to, Word granule, Word entry) {
  for (const auto before : {to.shadow.atomic[granule], to.shadow.second_atomic[granule]})
    if ((before & ShadowEntry::unchanged.mask()) && are_concurrent(to, before, entry))
      return before;
  return 0;
}

// A recorded atomic change of another thread that a store of an older value may undo; otherwise 0.
Word change_before_store(const RecordedObject& to, Word granule, Word entry) {
  for (const auto before : {to.shadow.atomic[granule], to.shadow.second_atomic[granule]})
    if (are_concurrent(to, before, entry)) return before;
  return 0;
}

// A recorded atomic access that a plain one races with; otherwise 0.
Word conflicting_atomic(const RecordedObject& to, Word granule, Word entry) {
  if (!to.shadow.atomic || ShadowEntry::atomic.of(entry)) return 0;
  for (const auto before : {to.shadow.atomic[granule], to.shadow.second_atomic[granule]})
    if (are_in_conflict(to, before, entry)) return before;
  return 0;
}

// Whether the granule of threadgroup memory has no contents yet.
bool is_unwritten(const RecordedObject& to, Word granule) {
  return to.rules.must_be_written && !to.shadow.written[granule] &&
         !(to.shadow.atomic && to.shadow.atomic[granule]);
}

// Calls `each` for every granule of an access.
template <typename Each>
void for_each_granule(const RecordedObject& to, Word offset, Each each) {
  const auto last = to.object.granule_at(offset + to.site.bytes - 1);
  for (auto granule = to.object.granule_at(offset); granule <= last; ++granule) each(granule);
}

void record_read(const SimdgroupChecks& checks, const RecordedObject& to,
                 const FaultyAccess& access, Word entry) {
  const auto& shadow = to.shadow;
  const auto bits = to.rules.index_bits;
  for_each_granule(to, access.offset, [&](Word granule) {
    const auto written = shadow.written[granule];
    if (is_unwritten(to, granule)) report(checks, Kind::uninitialised, entry, access);
    if (!ShadowEntry::unchanged.of(written) && are_in_conflict(to, written, entry))
      report(checks, Kind::race, entry, access, written, true);
    else if (const auto other = conflicting_atomic(to, granule, entry))
      report(checks, Kind::race, entry, access, other, true);
    remember(shadow.read[granule], shadow.second_read[granule], entry, bits);
  });
}

// The recorded reads of a granule; 0 if there is none.
std::pair<Word, Word> reads_of(const Shadow& shadow, Word granule) {
  return shadow.read ? std::pair{shadow.read[granule], shadow.second_read[granule]}
                     : std::pair{Word{0}, Word{0}};
}

void report_races_of_write(const SimdgroupChecks& checks, const RecordedObject& to,
                           const FaultyAccess& access, Word granule, Word entry) {
  const auto& shadow = to.shadow;
  if (are_in_conflict(to, shadow.written[granule], entry))
    return report(checks, Kind::race, entry, access, shadow.written[granule], true);
  const auto reads = reads_of(shadow, granule);
  for (const auto read : {reads.first, reads.second})
    if (are_in_conflict(to, read, entry))
      return report(checks, Kind::race, entry, access, read, false);
  if (const auto other = conflicting_atomic(to, granule, entry))
    report(checks, Kind::race, entry, access, other, true);
}

// Keeps an atomic access beside the last plain write.
void record_atomic(const SimdgroupChecks& checks, const RecordedObject& to,
                   const FaultyAccess& access, Word granule, Word entry) {
  const auto& shadow = to.shadow;
  const auto bits = to.rules.index_bits;
  if (to.site.kind == AccessKind::add)
    if (const auto other = store_before_sum(to, granule, entry))
      report(checks, Kind::race, entry, access, other, true);
  if (to.site.kind == AccessKind::store_back)
    if (const auto other = change_before_store(to, granule, entry))
      report(checks, Kind::race, entry, access, other, true);
  const bool is_first = (shadow.atomic[granule] ^ entry) >> ShadowEntry::launch.at != 0;
  const bool sets_first = is_first && to.site.kind == AccessKind::atomic_write;
  remember(shadow.atomic[granule], shadow.second_atomic[granule],
           entry | (sets_first ? ShadowEntry::unchanged.mask() : 0), bits);
}

// Returns whether the write would race if it changed memory.
bool record_write(const SimdgroupChecks& checks, const RecordedObject& to,
                  const FaultyAccess& access, Word entry, bool same) {
  const auto& shadow = to.shadow;
  const auto bits = to.rules.index_bits;
  const bool reads = to.site.kind == AccessKind::update || to.site.kind == AccessKind::add;
  bool is_benign = false;
  for_each_granule(to, access.offset, [&](Word granule) {
    auto& written = shadow.written[granule];
    const bool is_fresh = is_unwritten(to, granule);
    if (same && !is_fresh) {
      const auto before = unless_ordered(to, written, entry);
      const auto reads = reads_of(shadow, granule);
      is_benign |= races_with_any(before, unless_ordered(to, reads.first, entry),
                                  unless_ordered(to, reads.second, entry), entry, bits) ||
                   conflicting_atomic(to, granule, entry) != 0;
      written = after_same_write(before, entry, bits);
      return;
    }
    if (is_fresh && reads) report(checks, Kind::uninitialised, entry, access);
    report_races_of_write(checks, to, access, granule, entry);
    if (shadow.atomic && ShadowEntry::atomic.of(entry))
      record_atomic(checks, to, access, granule, entry);
    else
      written = entry;
  });
  return is_benign;
}

// ---- accesses of all lanes

// Lanes write at once: none sees what another one has just written. Whether a lane leaves memory as
// the lanes before it would have left it.
bool leaves_unchanged(const LaneAccesses& accesses, const Word* values, unsigned lane, bool same) {
  const auto before = accesses.lanes & ((1U << lane) - 1);
  for_each_lane(before, [&](unsigned other) {
    if (accesses.offsets[other] == accesses.offsets[lane])
      same = values && values[other] == values[lane];
  });
  return same;
}

// The accesses of a row as those of lanes.
struct SpreadRow {
  Word offsets[lanes_per_simdgroup] = {};

  SpreadRow(const CheckedSite& site, const LaneRow& row) {
    for_each_lane(row.lanes, [&](unsigned lane) {
      offsets[lane] = row.offset + Word{lane - row.first} * site.bytes;
    });
  }
};

// Whether two entries are of lanes of one write.
bool is_of_one_write(Word written, Word entry) {
  // Equal then: the thread without its lane, and the location.
  constexpr auto of_write = ~(ShadowEntry::lane.mask() | ShadowEntry::unchanged.mask());
  return !((written ^ entry) & of_write);
}

constexpr int few_lanes = 3;

// Records plain writes of few lanes, lane by lane, up to one that races or comes to what another
// one wrote. Returns the lanes from there on.
std::uint32_t record_few_writes(const RecordedObject& to, const LaneAccesses& accesses,
                                std::uint32_t same) {
  auto rest = accesses.lanes;
  if (to.site.bytes != Word{1} << to.object.granule()) return rest;
  for (; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto granule = to.object.granule_at(accesses.offsets[lane]);
    if (granule >= to.object.granules()) return rest;
    const auto entry = to.entries[lane] | to.added;
    auto& written = to.shadow.written[granule];
    const auto reads = reads_of(to.shadow, granule);
    if (is_of_one_write(written, entry) ||
        races_with_any(written, reads.first, reads.second, entry, to.rules.index_bits))
      return rest;
    const bool keeps = same >> lane & 1 && !is_unwritten(to, granule);
    written = keeps ? after_same_write(written, entry, to.rules.index_bits) : entry;
  }
  return 0;
}

// None if this launch does not write the object, so that nothing can race.
std::optional<RecordedObject> recorded(const SimdgroupChecks& checks, const CheckedSite& site,
                                       std::uint32_t number) {
  const auto& object = object_of(checks, number);
  if (object.shadow == ObjectTable::untracked) return std::nullopt;
  return RecordedObject{object,
                        Shadow(checks, site, object),
                        site,
                        checks.entries[site.is_threadgroup],
                        entry_bits_of(site),
                        {checks.index_bits, site.is_threadgroup != 0},
                        checks.group->order.has_fences() ? &checks.group->order : nullptr};
}

// What an atomic access tells the thread, and what it tells others.
void publish(const RecordedObject& to, Word offset, Word entry, bool reads, bool writes) {
  if (!to.order || !is_atomic(to.site.kind)) return;
  const auto group = ShadowEntry::thread.of(entry) >> to.rules.index_bits;
  to.order->access(
      {&to.shadow.written[to.object.granule_at(offset)], to.site.is_threadgroup ? group + 1 : 0},
      entry, reads, writes);
}

// A quick test: whether an older entry is ordered before all lanes of a simdgroup. It is of another
// launch, of no thread, or of the same threadgroup before a barrier.
bool is_before(Word before, Word now, unsigned index_bits) {
  const auto change = before ^ now;
  const bool is_of_launch = change >> ShadowEntry::launch.at == 0;
  const bool is_of_group = change >> ShadowEntry::thread.at >> index_bits == 0;
  return !is_of_launch || (is_of_group && (change & ShadowEntry::barriers.mask()));
}
bool is_of_thread(Word before, Word now) { return (before ^ now) < ShadowEntry::thread.one(); }

// Records the reads of one granule by two lanes, unless one of them is a fault.
bool record_shared_granule(const RecordedObject& to, Word granule, Word first, Word second) {
  const auto& shadow = to.shadow;
  const auto bits = to.rules.index_bits;
  const auto written = shadow.written[granule];
  const bool is_written = written != 0 || !to.rules.must_be_written;
  if (is_written && is_before(written, first, bits)) {
    const auto read = shadow.read[granule], second_read = shadow.second_read[granule];
    if ((is_before(read, first, bits) || is_of_thread(read, first)) &&
        (is_before(second_read, first, bits) || is_of_thread(second_read, second)) &&
        happen_concurrently(first, second, bits)) {
      shadow.read[granule] = first;
      shadow.second_read[granule] = second;
      return true;
    }
  }
  if (is_bad_read(written, first, to.rules) || is_bad_read(written, second, to.rules)) return false;
  auto& read = shadow.read[granule];
  auto& second_read = shadow.second_read[granule];
  remember(read, second_read, first, to.rules.index_bits);
  if (second != first) remember(read, second_read, second, to.rules.index_bits);
  return true;
}

void record_read_of_lane(const SimdgroupChecks& checks, const RecordedObject& to,
                         std::uint32_t object, Word offset, unsigned lane) {
  const auto entry = to.entries[lane] | to.added;
  record_read(checks, to, {to.site.kind, object, offset}, entry);
  publish(to, offset, entry, true, false);
}

}  // namespace

void record_reads(const SimdgroupChecks& checks, const CheckedSite& site,
                  const LaneAccesses& accesses, std::uint32_t object) {
  const auto to = recorded(checks, site, object);
  if (!to) return;
  const bool by_lanes = to->shadow.atomic || to->order;
  const auto reads =
      by_lanes ? RecordedReads{.rest = accesses.lanes} : record_read_batches(*to, accesses);
  if (!reads.are_own) note_lanes(checks, *to, accesses.offsets, accesses.lanes);
  for_each_lane(reads.rest, [&](unsigned lane) {
    record_read_of_lane(checks, *to, object, accesses.offsets[lane], lane);
  });
}

void record_shared_read(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
                        std::uint32_t lanes, std::uint32_t object) {
  const auto to = recorded(checks, site, object);
  if (!to) return;
  note_lanes(checks, *to, &offset, 1);
  const auto others = lanes & (lanes - 1);
  const bool is_one_granule = site.bytes == Word{1} << to->object.granule();
  if (is_one_granule && lanes && !to->shadow.atomic && !to->order) {
    const auto entry = [&](std::uint32_t of) {
      return to->entries[std::countr_zero(of)] | to->added;
    };
    const auto first = entry(lanes);
    if (record_shared_granule(*to, to->object.granule_at(offset), first,
                              others ? entry(others) : first))
      return;
  }
  for_each_lane(lanes & ~(others & (others - 1)),
                [&](unsigned lane) { record_read_of_lane(checks, *to, object, offset, lane); });
}

std::uint32_t find_unwritten(const SimdgroupChecks& checks, const CheckedSite& site,
                             const Word* offsets, std::uint32_t lanes, std::uint32_t object) {
  const auto to = recorded(checks, site, object);
  std::uint32_t found = 0;
  if (!to) return found;
  for_each_lane(lanes & find_inside(to->object, offsets), [&](unsigned lane) {
    for_each_granule(*to, offsets[lane], [&](Word granule) {
      found |= static_cast<std::uint32_t>(is_unwritten(*to, granule)) << lane;
    });
  });
  return found;
}

void record_writes(const SimdgroupChecks& checks, const CheckedSite& site,
                   const LaneAccesses& accesses, std::uint32_t object, std::uint32_t same,
                   const Word* values) {
  if (accesses.lanes) cover(checks, site.location_id);
  const auto to = recorded(checks, site, object);
  if (!to) return;
  const bool is_plain = !is_atomic(site.kind);
  RecordedWrites writes{.rest = accesses.lanes};
  const bool is_simple = is_plain && !to->shadow.atomic && !to->order;
  if (is_simple && std::popcount(accesses.lanes) <= few_lanes)
    writes.rest = record_few_writes(*to, accesses, same);
  if (!is_simple)
    writes.rest &= find_inside(to->object, accesses.offsets);
  else if (writes.rest)
    writes = record_write_batches(
        *to, {accesses.offsets, writes.rest, accesses.followers, accesses.ahead}, same);
  if (!writes.are_own) note_lanes(checks, *to, accesses.offsets, accesses.lanes);
  if (!writes.rest) return count_benign_races(checks, site.location_id, writes.benign);
  for_each_lane(writes.rest, [&](unsigned lane) {
    const auto entry = to->entries[lane] | to->added;
    const FaultyAccess access{site.kind, object, accesses.offsets[lane]};
    bool is_same = same >> lane & 1;
    const auto written = to->shadow.written[to->object.granule_at(access.offset)];
    if (is_plain && is_of_one_write(written, entry))
      is_same = leaves_unchanged(accesses, values, lane, is_same);
    const bool updates = site.kind == AccessKind::update || site.kind == AccessKind::add;
    publish(*to, access.offset, entry, updates, !is_same);
    // An exchange that failed is a read.
    if (is_same && !is_plain) return record_read(checks, *to, access, entry);
    writes.benign += record_write(checks, *to, access, entry, is_same);
  });
  count_benign_races(checks, site.location_id, writes.benign);
}

void record_reads(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                  std::uint32_t object) {
  const auto to = recorded(checks, site, object);
  if (!to) return;
  note_row(checks, *to, accesses);
  if (!to->shadow.atomic && !to->order && record_row_of_reads(*to, accesses)) return;
  const SpreadRow spread(site, accesses);
  record_reads(checks, site, LaneAccesses{spread.offsets, accesses.lanes, ~0U, ~0U}, object);
}

void record_writes(const SimdgroupChecks& checks, const CheckedSite& site, const LaneRow& accesses,
                   std::uint32_t object, std::uint32_t same) {
  cover(checks, site.location_id);
  const auto to = recorded(checks, site, object);
  if (!to) return;
  note_row(checks, *to, accesses);
  std::uint32_t benign = 0;
  if (!is_atomic(site.kind) && !to->shadow.atomic && !to->order &&
      record_row_of_writes(*to, accesses, same, benign))
    return count_benign_races(checks, site.location_id, benign);
  const SpreadRow spread(site, accesses);
  record_writes(checks, site, LaneAccesses{spread.offsets, accesses.lanes, ~0U, ~0U}, object, same,
                nullptr);
}

}  // namespace msci::engine

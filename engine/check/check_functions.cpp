#include "engine/check/check_functions.h"

#include <csignal>

#include "engine/check/fault_log.h"
#include "engine/threadgroup/simdgroup.h"

namespace msci::engine {
namespace {

// ---- the bounds of objects

// The lanes whose access leaves its object or violates its alignment.
MSCI_FOR_EACH_PROCESSOR
std::uint32_t find_out_of_bounds(const Word* offsets, Word first, Word last, Word low_bits) {
  Flags is_outside;
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    is_outside.of[lane] = offsets[lane] - first > last || (offsets[lane] & low_bits);
  return is_outside.bits();
}

bool is_inside(const Object& object, const CheckedSite& site, Word offset) {
  const auto at = offset - object.first;
  return at < object.bytes && at + site.bytes <= object.bytes;
}

// Reports an access that must not be carried out, and redirects it: to an aligned offset, to the
// slack beside the buffer, or behind the array.
Word redirect(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
              std::uint32_t number, Word entry, bool has_wrapped) {
  const auto& object = object_of(checks, number);
  const bool inside = is_inside(object, site, offset);
  const auto kind = has_wrapped ? Fault::Kind::index_overflow
                    : !inside   ? Fault::Kind::out_of_bounds
                                : Fault::Kind::misaligned;
  report(checks, kind, entry_at(entry, site.location_id), {site.kind, number, offset});
  if (inside) return offset - (offset & (site.align - 1));
  return object.first ? 0 : (object.bytes + 15) & ~Word{15};
}

// Reports and redirects the accesses that must not be carried out. Returns their lanes.
std::uint32_t bound(const SimdgroupChecks& checks, const CheckedSite& site, Word* offsets,
                    std::uint32_t lanes, std::uint32_t number, std::uint32_t wrapped) {
  const auto& object = object_of(checks, number);
  auto redirected = lanes;
  if (object.bytes >= site.bytes)
    redirected &= wrapped | find_out_of_bounds(offsets, object.first, object.bytes - site.bytes,
                                               Word{site.align} - 1);
  for_each_lane(redirected, [&](unsigned lane) {
    offsets[lane] =
        redirect(checks, site, offsets[lane], number, checks.entries[0][lane], wrapped >> lane & 1);
  });
  return redirected;
}

// Whether an access of one place by several lanes may be carried out.
bool is_bounded(const SimdgroupChecks& checks, const CheckedSite& site, Word offset,
                std::uint32_t number, std::uint32_t wrapped) {
  return is_inside(object_of(checks, number), site, offset) && !(offset & (site.align - 1)) &&
         !wrapped;
}

// ---- accesses, as generated code calls them
//
// read() bounds the accesses of lanes and records those that stay inside; read_inside() only
// records, because generated code has found all inside; reach() only bounds: write() records a
// write when it is known whether it changes memory. All lanes of a `_shared` function access one
// place, those of a `_row` function lie side by side, and `_objects` functions take an object for
// each lane.

// `order`: 32 bits of lanes that follow the lane before, then 32 of those ahead of it.
LaneAccesses accesses_of(const Word* offsets, std::uint32_t lanes, Word order) {
  return {offsets, lanes, static_cast<std::uint32_t>(order),
          static_cast<std::uint32_t>(order >> lanes_per_simdgroup)};
}

void read(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
          std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped, Word order) {
  const auto redirected = bound(*checks, *site, offsets, lanes, object, wrapped);
  if (lanes & ~redirected)
    record_reads(*checks, *site, accesses_of(offsets, lanes & ~redirected, order), object);
}

void read_inside(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
                 std::uint32_t lanes, std::uint32_t object, Word order) {
  record_reads(*checks, *site, accesses_of(offsets, lanes, order), object);
}

void reach(const SimdgroupChecks* checks, const CheckedSite* site, Word* offsets,
           std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  bound(*checks, *site, offsets, lanes, object, wrapped);
}

// The read of lane `first` is at `offset`.
void read_inside_row(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                     std::uint32_t lanes, std::uint32_t first, std::uint32_t object) {
  if (lanes) record_reads(*checks, *site, LaneRow{offset, lanes, first}, object);
}

void read_inside_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                        std::uint32_t lanes, std::uint32_t object) {
  record_shared_read(*checks, *site, offset, lanes, object);
}

Word reach_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                  std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  if (is_bounded(*checks, *site, offset, object, wrapped)) return offset;
  return redirect(*checks, *site, offset, object, checks->entries[0][std::countr_zero(lanes)],
                  wrapped != 0);
}

Word read_shared(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
                 std::uint32_t lanes, std::uint32_t object, std::uint32_t wrapped) {
  if (is_bounded(*checks, *site, offset, object, wrapped))
    read_inside_shared(checks, site, offset, lanes, object);
  return reach_shared(checks, site, offset, lanes, object, wrapped);
}

void write(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
           std::uint32_t lanes, std::uint32_t object, std::uint32_t same, const Word* values,
           Word order) {
  record_writes(*checks, *site, accesses_of(offsets, lanes, order), object, same, values);
}

void write_row(const SimdgroupChecks* checks, const CheckedSite* site, Word offset,
               std::uint32_t lanes, std::uint32_t first, std::uint32_t object, std::uint32_t same) {
  if (lanes) record_writes(*checks, *site, LaneRow{offset, lanes, first}, object, same);
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
                  Word order) {
  for_each_object(lanes, objects, [&](std::uint32_t those, std::uint32_t object) {
    read(checks, site, offsets, those, object, wrapped, order);
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
                   const Word* values, Word order) {
  for_each_object(lanes, objects, [&](std::uint32_t those, std::uint32_t object) {
    write(checks, site, offsets, those, object, same, values, order);
  });
}

// The number of the object whose memory an address leads into; that of the last object if none.
std::uint32_t find(const SimdgroupChecks* checks, Word address) {
  const auto end = static_cast<std::uint32_t>(checks->objects[ObjectTable::loadable_objects] >> 32);
  const auto* addresses = checks->objects + checks->objects[ObjectTable::addresses_at];
  for (auto number = static_cast<std::uint32_t>(checks->objects[ObjectTable::loadable_objects]);
       number < end; ++number) {
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
  return checks->objects[checks->objects[ObjectTable::addresses_at] + number];
}

void base_lanes(const SimdgroupChecks* checks, const std::uint32_t* numbers, std::uint32_t lanes,
                Word* addresses) {
  for_each_lane(lanes, [&](unsigned lane) { addresses[lane] = base(checks, numbers[lane]); });
}

// A condition does not hold in these lanes.
void hold(const SimdgroupChecks* checks, std::uint32_t kind, std::uint32_t location_id,
          AccessKind access, std::uint32_t lanes) {
  const auto entry = checks->entries[0][std::countr_zero(lanes)];
  report(*checks, static_cast<Fault::Kind>(kind), entry_at(entry, location_id), {.kind = access});
  // The time limit's signal ends the launch: nothing else would.
  if (static_cast<Fault::Kind>(kind) == Fault::Kind::endless_loop) ::raise(SIGALRM);
}

void log(const SimdgroupChecks* checks, std::uint32_t call, std::uint32_t location_id,
         const Word* words, std::uint32_t count, std::uint32_t lanes) {
  log_message(*checks, call, location_id, words, count, lanes);
}

// An operation of finite numbers gives infinity or NaN in these lanes. Each word has one value for
// each lane.
void birth(const SimdgroupChecks* checks, std::uint32_t location_id, std::uint32_t operation,
           std::uint32_t read_at, std::uint32_t object, const Word* words, std::uint32_t lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const auto word = [&](unsigned i) { return words[i * lanes_per_simdgroup + lane]; };
  const auto entry = checks->entries[0][lane];
  report_number(*checks, entry_at(entry, location_id), {AccessKind::read, object, word(4)},
                read_at ? entry_at(entry, read_at) : 0,
                {Word{operation} + 1, word(0), word(1), word(2), word(3)});
}

// The lanes that read what was never written: their values are followed.
std::uint32_t unwritten(const SimdgroupChecks* checks, const CheckedSite* site, const Word* offsets,
                        std::uint32_t lanes, std::uint32_t object) {
  const auto found = find_unwritten(*checks, *site, offsets, lanes, object);
  if (found) note_value(*checks, site->location_id, CheckLog::followed);
  return found;
}

// An undefined value is used. `origins` say where it comes from (origin_unwritten).
void used(const SimdgroupChecks* checks, const std::uint32_t* origins, std::uint32_t location_id,
          std::uint32_t lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    const auto entry = checks->entries[0][lane];
    const auto read_at = (origins[lane] & ~(origin_unwritten | origin_private)) - 1;
    if (origins[lane] & origin_private)
      return report(*checks, Fault::Kind::uninitialised, entry_at(entry, read_at),
                    {.kind = AccessKind::read});
    if (origins[lane] & origin_unwritten) return note_value(*checks, read_at, CheckLog::used);
    report(*checks, Fault::Kind::inactive_lane, entry_at(entry, read_at), {},
           entry_at(entry, location_id));
  });
}

// A fence of these lanes. What a thread does behind a release fence is of a later time.
void fence(SimdgroupChecks* checks, std::uint32_t flags, std::uint32_t order, std::uint32_t scope,
           std::uint32_t lanes) {
  // As in __METAL_MEMORY_SCOPE_DEVICE__.
  constexpr std::uint32_t relaxed = 0, threadgroup_scope = 1, device_scope = 2;
  if (order == relaxed || (scope != threadgroup_scope && scope != device_scope)) return;
  for_each_lane(lanes, [&](unsigned lane) {
    auto& entries = checks->entries;
    const bool releases = checks->group->order.fence({{entries[0][lane], entries[1][lane]}}, flags,
                                                     order, scope == threadgroup_scope);
    if (!releases) return;
    for (unsigned space = 0; space < 2; ++space)
      if (flags >> space & 1)
        entries[space][lane] = counted(entries[space][lane], ShadowEntry::simdgroup_barriers);
  });
}

// ---- the beginning of a simdgroup

MSCI_FOR_EACH_PROCESSOR
void fill_entries(SimdgroupChecks& checks, Word first) {
  for (unsigned lane = 0; lane < lanes_per_simdgroup; ++lane)
    checks.entries[0][lane] = checks.entries[1][lane] = first + ShadowEntry::thread.set(lane);
}

void begin(SimdgroupChecks* checks, const Threadgroup* threadgroup, const Word* words,
           std::uint32_t group_x, std::uint32_t simdgroup, std::uint32_t lanes) {
  const auto grid = words - 6;
  const auto threads = words - 3;
  const auto groups = [&](unsigned d) { return (grid[d] + threads[d] - 1) / threads[d]; };
  const auto* group = threadgroup->group;
  checks->log = reinterpret_cast<Word*>(words[0]);
  checks->shadows[0] = reinterpret_cast<Word*>(words[1]);
  checks->shadows[1] = reinterpret_cast<Word*>(words[2]);
  checks->objects = reinterpret_cast<const Word*>(words[3]);
  checks->group = threadgroup->checked;
  const auto number = checks->objects[ObjectTable::first_threadgroup] +
                      (group[2] * groups(1) + group[1]) * groups(0) + group_x;
  checks->index_bits = static_cast<std::uint32_t>(checks->objects[ObjectTable::index_bits]);
  checks->simdgroup = simdgroup;
  checks->existing = lanes;
  checks->divergence = {};
  checks->group->order.begin(words[4], checks->index_bits);
  const auto thread = number << checks->index_bits | Word{simdgroup} * lanes_per_simdgroup;
  fill_entries(*checks, ShadowEntry::launch.set(words[4]) |
                            ShadowEntry::thread.set(thread & ShadowEntry::thread.most()));
  checks->group->position = {0, lanes, simdgroup, {group_x, group[1], group[2]}};
  checks->group->arrivals[simdgroup] = {.existing = lanes};
}

}  // namespace

RuntimeFunctions check_functions() {
  const auto named = [](const char* name, auto* function) {
    return std::pair{std::string("msci_engine_check_") + name, reinterpret_cast<void*>(function)};
  };
  return {named("begin", &begin),
          named("end", &end_barriers),
          named("read", &read),
          named("read.objects", &read_objects),
          named("read.shared", &read_shared),
          named("read.inside", &read_inside),
          named("read.inside.row", &read_inside_row),
          named("read.inside.shared", &read_inside_shared),
          named("reach", &reach),
          named("reach.objects", &reach_objects),
          named("reach.shared", &reach_shared),
          named("write", &write),
          named("write.objects", &write_objects),
          named("write.row", &write_row),
          named("find", &find),
          named("find.lanes", &find_lanes),
          named("base", &base),
          named("base.lanes", &base_lanes),
          named("hold", &hold),
          named("birth", &birth),
          named("unwritten", &unwritten),
          named("used", &used),
          named("log", &log),
          named("fence", &fence),
          named("wait", &wait_at_barrier),
          named("pass_simdgroup", &pass_simdgroup_barrier)};
}

}  // namespace msci::engine

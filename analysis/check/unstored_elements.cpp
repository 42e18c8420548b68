#include "analysis/check/unstored_elements.h"

#include <algorithm>
#include <optional>

#include "tasks/plan/elements.h"

namespace msci {
namespace {

bool is_named(const Plan& plan, std::size_t buffer) {
  return std::ranges::find(plan.results, buffer) != plan.results.end();
}

// Whether a buffer holds elements that begin without contents.
bool is_open(const PlanBuffer& buffer) {
  return !buffer.has_contents() && !buffer.constant && buffer.pointers.empty() &&
         buffer.functions.empty();
}

}  // namespace

UnstoredElements::UnstoredElements(const CheckMemory& memory, const Plan& plan)
    : memory_(memory), plan_(plan) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (!is_open(plan.buffers[i])) continue;
    const auto shadow = memory.shadow_of(i);
    if (!shadow || shadow->atomic || may_leave_elements_out(i)) continue;
    const bool is_result = plan.results.empty() || is_named(plan, i);
    const bool must_be_whole = is_result && !is_read_apart(i);
    if (must_be_whole || shadow->has_reads)
      buffers_.push_back({i, *shadow, element_bytes_of(i, *shadow), must_be_whole, {}});
  }
}

bool UnstoredElements::may_leave_elements_out(std::size_t buffer) const {
  return std::ranges::any_of(memory_.uses_of(buffer), [&](const CheckMemory::BufferUse& use) {
    if (!use.argument) return use.object->written || use.object->loaded;
    if (use.argument->kind != ArgumentKind::buffer || use.object->scattered) return true;
    return use.object->conditional && !is_named(plan_, buffer);
  });
}

// Whether launches read it that do not write it: their reads are not recorded.
bool UnstoredElements::is_read_apart(std::size_t buffer) const {
  const auto uses = memory_.uses_of(buffer);
  const auto is_written_in = [&](std::size_t set) {
    return std::ranges::any_of(uses, [&](const auto& use) {
      return memory_.slot(use.launch).set == set && use.object->written;
    });
  };
  return std::ranges::any_of(uses, [&](const CheckMemory::BufferUse& use) {
    return use.object->loaded && !is_written_in(memory_.slot(use.launch).set);
  });
}

std::size_t UnstoredElements::element_bytes_of(std::size_t buffer,
                                               const CheckMemory::BufferShadow& shadow) const {
  if (const auto bytes = element_bytes(plan_.buffers[buffer].open_type)) return *bytes;
  for (const auto& use : memory_.uses_of(buffer))
    if (use.argument && use.object->written)
      if (const auto bytes = element_bytes(scalar_type(use.argument->type))) return *bytes;
  return shadow.granule;
}

void UnstoredElements::begin_pass() {
  for (auto& each : buffers_) each.granules.assign(each.shadow.granules, {});
}

std::size_t UnstoredElements::launch_of(std::uint64_t entry, std::size_t first,
                                        std::size_t end) const {
  std::size_t found = first;
  for (auto i = first; i < end; ++i) {
    const auto& slot = memory_.slot(i);
    const auto group = ShadowEntry::thread.of(entry) >> slot.index_bits;
    if (slot.number + 1 == ShadowEntry::launch.of(entry) && group >= slot.first_threadgroup)
      found = i;
  }
  return found;
}

void UnstoredElements::take(std::span<const std::uint64_t> shadow, std::size_t first,
                            std::size_t end) {
  const auto note = [&](Recorded& of, std::uint64_t entry) {
    if (of.entry == 0 && entry != 0) of = {entry, launch_of(entry, first, end)};
  };
  for (auto& each : buffers_) {
    const auto words = shadow.subspan(each.shadow.first_word);
    for (std::size_t i = 0; i < each.granules.size(); ++i) {
      note(each.granules[i].written, words[i]);
      if (each.shadow.has_reads) note(each.granules[i].read, words[each.granules.size() + i]);
    }
  }
}

std::vector<Fault> UnstoredElements::faults() const {
  std::vector<Fault> faults;
  for (const auto& each : buffers_) add_faults(each, faults);
  return faults;
}

void UnstoredElements::add_faults(const Buffer& of, std::vector<Fault>& faults) const {
  const auto elements = plan_.buffers[of.buffer].bytes / of.element;
  std::optional<std::size_t> first_missing, first_read;
  std::size_t stored = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    bool is_stored = true, is_read = false;
    const auto last = ((i + 1) * of.element - 1) / of.shadow.granule;
    for (auto granule = i * of.element / of.shadow.granule; granule <= last; ++granule) {
      is_stored &= of.granules[granule].written.entry != 0;
      is_read |= of.granules[granule].is_read_only();
    }
    stored += is_stored;
    auto& first = is_read ? first_read : first_missing;
    if (!is_stored && !first) first = i;
  }
  if (first_missing && of.must_be_whole) faults.push_back(unstored(of, *first_missing, stored));
  if (first_read && stored > 0) faults.push_back(read_unstored(of, *first_read, stored));
}

const UnstoredElements::Granule* UnstoredElements::nearest_stored(const Buffer& of,
                                                                  std::size_t element) const {
  const auto at = element * of.element / of.shadow.granule;
  for (auto i = at; i-- > 0;)
    if (of.granules[i].written.entry != 0) return &of.granules[i];
  for (auto i = at; i < of.granules.size(); ++i)
    if (of.granules[i].written.entry != 0) return &of.granules[i];
  return nullptr;
}

// At the store of a neighbour; where nothing is stored at all, at the first store of the source.
Fault UnstoredElements::unstored(const Buffer& of, std::size_t first, std::size_t stored) const {
  const auto uses = memory_.uses_of(of.buffer);
  const auto* nearest = nearest_stored(of, first);
  const auto use = std::ranges::find_if(uses, [&](const CheckMemory::BufferUse& each) {
    return each.object->written && (!nearest || each.launch == nearest->written.launch);
  });
  const auto& by = use == uses.end() ? uses.front() : *use;
  const auto& launch = plan_.launches[by.launch];
  Fault fault{.kind = Fault::Kind::unstored,
              .kernel = launch.kernel,
              .access = {.location_id = by.object->stored_at, .kind = AccessKind::write},
              .object = by.argument->name,
              .offset = static_cast<std::int64_t>(first * of.element),
              .bytes = plan_.buffers[of.buffer].bytes,
              .numbers = {stored, plan_.buffers[of.buffer].bytes / of.element, first,
                          launch.grid.count(), launch.threadgroup.count()}};
  if (nearest)
    fault.access = memory_.access_of(nearest->written.entry, AccessKind::write, by.launch);
  return fault;
}

// At the read.
Fault UnstoredElements::read_unstored(const Buffer& of, std::size_t first,
                                      std::size_t stored) const {
  auto granule = first * of.element / of.shadow.granule;
  while (!of.granules[granule].is_read_only()) ++granule;  // an element may have several
  const auto& read = of.granules[granule].read;
  const auto uses = memory_.uses_of(of.buffer);
  const auto use = std::ranges::find_if(uses, [&](const CheckMemory::BufferUse& each) {
    return each.object->loaded && each.launch == read.launch;
  });
  const auto& by = use == uses.end() ? uses.front() : *use;
  return {.kind = Fault::Kind::unstored_read,
          .kernel = plan_.launches[by.launch].kernel,
          .access = memory_.access_of(read.entry, AccessKind::read, by.launch),
          .object = by.argument->name,
          .offset = static_cast<std::int64_t>(first * of.element),
          .bytes = plan_.buffers[of.buffer].bytes,
          .numbers = {stored, plan_.buffers[of.buffer].bytes / of.element, first}};
}

}  // namespace msci

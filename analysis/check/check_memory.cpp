#include "analysis/check/check_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "analysis/check/fault_table.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

constexpr unsigned entries_per_granule(bool atomic, bool loaded) {
  return atomic   ? ShadowEntry::of_atomic_object
         : loaded ? ShadowEntry::of_plain_object
                  : ShadowEntry::of_written_object;
}

unsigned entries_of(const CheckedObject& array) {
  return entries_per_granule(array.atomic, array.loaded);
}

std::size_t shadow_words_for(std::size_t bytes, unsigned granule, unsigned entries) {
  return (bytes + granule - 1) / granule * entries;
}

// `before` are the bytes of the allocation's contents before the object.
std::uint64_t layout(unsigned granule, unsigned entries, std::size_t before) {
  return ObjectTable::granule_log2.set(std::bit_width(granule) - 1U) |
         ObjectTable::entries_per_granule.set(entries) | ObjectTable::bytes_before.set(before);
}

// The buffer that a launch binds to an argument.
const Binding* binding_of(const Launch& launch, const KernelArgument& argument) {
  const auto found = std::find_if(launch.bindings.begin(), launch.bindings.end(),
                                  [&](const auto& each) { return binds(each, argument); });
  return found == launch.bindings.end() ? nullptr : &*found;
}

std::size_t threadgroup_bytes(const Launch& launch, const KernelArgument& argument) {
  for (const auto& memory : launch.threadgroup_memory)
    if (memory.index == argument.index) return memory.bytes;
  return 0;
}

// Counts x fastest, then y, then z.
ThreadPosition position(std::uint64_t index, const Extent& extent) {
  const auto plane = std::uint64_t{extent.x} * extent.y;
  return {static_cast<unsigned>(index % extent.x), static_cast<unsigned>(index % plane / extent.x),
          static_cast<unsigned>(index / plane)};
}

// Threads of a threadgroup; those at the edges are smaller.
Extent threads_of(const Launch& launch, const ThreadPosition& group) {
  const auto threads = [](unsigned grid, unsigned threadgroup, unsigned at) {
    return std::max(1U, std::min(threadgroup, grid - std::min(grid, at * threadgroup)));
  };
  return {threads(launch.grid.x, launch.threadgroup.x, group.x),
          threads(launch.grid.y, launch.threadgroup.y, group.y),
          threads(launch.grid.z, launch.threadgroup.z, group.z)};
}

// The number of an entry's threadgroup in the set of its launch.
std::size_t threadgroup_in(std::uint64_t entry, const LaunchSlot& slot) {
  return ShadowEntry::thread.of(entry) >> slot.index_bits;
}

bool is_of(std::uint64_t entry, const Dispatch& dispatch) {
  const auto group = threadgroup_in(entry, dispatch.slot);
  return group >= dispatch.slot.first_threadgroup &&
         group - dispatch.slot.first_threadgroup < threadgroups_of(*dispatch.launch).count();
}

Access access_in(std::uint64_t entry, AccessKind kind, const Dispatch& dispatch) {
  const auto thread = ShadowEntry::thread.of(entry);
  const auto bits = dispatch.slot.index_bits;
  const auto& launch = *dispatch.launch;
  const auto group =
      position(threadgroup_in(entry, dispatch.slot) - dispatch.slot.first_threadgroup,
               threadgroups_of(launch));
  return {.location_id = static_cast<unsigned>(ShadowEntry::location.of(entry)),
          .kind = kind,
          .thread = position(thread & ((std::uint64_t{1} << bits) - 1), threads_of(launch, group)),
          .threadgroup = group};
}

}  // namespace

CheckMemory::CheckMemory(const Translation& translation, const Plan& plan)
    : translation_(translation),
      plan_(plan),
      slots_(launch_slots(plan)),
      shadows_(plan.buffers.size()) {
  if (!slots_.empty())
    written_.assign(slots_.back().set + 1, std::vector<bool>(plan.buffers.size()));
  for (std::size_t i = 0; i < plan.launches.size(); ++i) note_written(i);
  for (std::size_t number = 0; number < plan.launches.size(); ++number) {
    const auto& launch = plan.launches[number];
    const auto& kernel = kernel_of(launch);
    const auto& written = written_[slots_[number].set];
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (!is_device_memory(kernel.arguments[i].kind)) continue;
      const auto buffer = binding_of(launch, kernel.arguments[i])->buffer;
      note_use(buffer, kernel.objects[i], written[buffer]);
    }
    for (std::size_t i = 0; kernel.anywhere && i < shadows_.size(); ++i)
      note_use(i, *kernel.anywhere, written[i]);
  }
  for (std::size_t i = 0; i < shadows_.size(); ++i) {
    if (!shadows_[i].needed) continue;
    shadows_[i].first = shadow_words_;
    shadow_words_ +=
        shadow_words_for(plan.buffers[i].bytes, shadows_[i].granule, shadows_[i].entries());
  }
}

unsigned CheckMemory::Shadow::entries() const { return entries_per_granule(atomic, loaded); }

void CheckMemory::note_use(std::size_t buffer, const CheckedObject& object, bool is_written) {
  auto& shadow = shadows_[buffer];
  shadow.needed = shadow.needed || is_written;
  shadow.granule = std::min(shadow.granule, object.granule);
  shadow.atomic = shadow.atomic || object.atomic;
  shadow.loaded = shadow.loaded || (is_written && object.loaded);
}

const KernelSignature& CheckMemory::kernel_of(const Launch& launch) const {
  return *translation_.find(launch.kernel);
}

void CheckMemory::note_written(std::size_t launch) {
  const auto& kernel = kernel_of(plan_.launches[launch]);
  auto& written = written_[slots_[launch].set];
  if (kernel.anywhere && kernel.anywhere->written) written.assign(written.size(), true);
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
    if (is_device_memory(kernel.arguments[i].kind) && kernel.objects[i].written)
      written[binding_of(plan_.launches[launch], kernel.arguments[i])->buffer] = true;
}

std::optional<CheckMemory::BufferShadow> CheckMemory::shadow_of(std::size_t buffer) const {
  const auto& shadow = shadows_[buffer];
  if (!shadow.needed) return std::nullopt;
  return BufferShadow{
      shadow.first, (plan_.buffers[buffer].bytes + shadow.granule - 1) / shadow.granule,
      shadow.granule, shadow.atomic, shadow.entries() > ShadowEntry::of_written_object};
}

std::vector<CheckMemory::BufferUse> CheckMemory::uses_of(std::size_t buffer) const {
  std::vector<BufferUse> uses;
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
    const auto& kernel = kernel_of(plan_.launches[i]);
    if (kernel.anywhere) uses.push_back({i, nullptr, &*kernel.anywhere});
    for (std::size_t j = 0; j < kernel.arguments.size(); ++j)
      if (is_device_memory(kernel.arguments[j].kind) &&
          binding_of(plan_.launches[i], kernel.arguments[j])->buffer == buffer)
        uses.push_back({i, &kernel.arguments[j], &kernel.objects[j]});
  }
  return uses;
}

std::string_view CheckMemory::float_type_of(std::size_t buffer) const {
  if (!shadows_[buffer].needed) return "";
  for (const auto& use : uses_of(buffer)) {
    if (!use.argument || use.argument->kind != ArgumentKind::buffer || !use.object->written)
      continue;
    const auto type = scalar_type(use.argument->type);
    return is_floating(type) ? type : "";
  }
  return "";
}

Access CheckMemory::access_of(std::uint64_t entry, AccessKind kind, std::size_t launch) const {
  return access_in(entry, kind, {&plan_.launches[launch], slots_[launch]});
}

std::size_t CheckMemory::group_shadow_words(const Launch& launch) const {
  const auto& kernel = kernel_of(launch);
  std::size_t words = 0;
  for (std::size_t i = 0; i < kernel.objects.size(); ++i) {
    const auto* argument = i < kernel.arguments.size() ? &kernel.arguments[i] : nullptr;
    if (argument && is_device_memory(argument->kind)) continue;
    words +=
        shadow_words_for(argument ? threadgroup_bytes(launch, *argument) : kernel.objects[i].bytes,
                         kernel.objects[i].granule, entries_of(kernel.objects[i]));
  }
  return words;
}

std::vector<std::uint64_t> CheckMemory::objects(std::size_t number, std::size_t dispatch,
                                                std::span<const BufferAddress> addresses) const {
  const auto& launch = plan_.launches[number];
  const auto& kernel = kernel_of(launch);
  const auto& slot = slots_[number];
  const auto& written = written_[slot.set];
  const auto own = kernel.objects.size(), all = own + plan_.buffers.size();
  std::vector<std::uint64_t> words{
      group_shadow_words(launch),
      dispatch,
      own | std::uint64_t{all} << 32,
      ObjectTable::header_words + ObjectTable::words_per_object * (all + 1),
      slot.first_threadgroup,
      slot.index_bits};
  std::uint64_t group_words = 0;
  for (std::size_t i = 0; i < kernel.objects.size(); ++i) {
    const auto* argument = i < kernel.arguments.size() ? &kernel.arguments[i] : nullptr;
    if (argument && is_device_memory(argument->kind)) {
      const auto& binding = *binding_of(launch, *argument);
      const auto& shadow = shadows_[binding.buffer];
      words.insert(words.end(),
                   {addresses[binding.buffer].first_byte + binding.offset, bytes_of(binding),
                    written[binding.buffer] ? shadow.first : ObjectTable::untracked,
                    layout(shadow.granule, shadow.entries(), binding.offset)});
    } else {
      const auto bytes = argument ? threadgroup_bytes(launch, *argument) : kernel.objects[i].bytes;
      const auto& object = kernel.objects[i];
      words.insert(words.end(),
                   {0, bytes, group_words, layout(object.granule, entries_of(object), 0)});
      group_words += shadow_words_for(bytes, object.granule, entries_of(object));
    }
  }
  if (!kernel.anywhere) return words;
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
    words.insert(words.end(), {addresses[i].first_byte, plan_.buffers[i].bytes,
                               written[i] ? shadows_[i].first : ObjectTable::untracked,
                               layout(shadows_[i].granule, shadows_[i].entries(), 0)});
  words.insert(words.end(),
               {0, 0, ObjectTable::untracked, layout(1, ShadowEntry::of_written_object, 0)});
  words.resize(words.size() + own);
  for (const auto& each : addresses) words.push_back(each.address);
  words.push_back(addresses.front().address);  // redirected accesses go to the slack of a buffer
  return words;
}

std::size_t CheckMemory::bytes_of(const Binding& binding) const {
  const auto bytes = plan_.buffers[binding.buffer].bytes;
  return bytes - std::min(bytes, binding.offset);
}

std::optional<Error> CheckMemory::refusal() const {
  constexpr std::size_t most_threads = ShadowEntry::thread.most() + 1;
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
    const auto& launch = plan_.launches[i];
    const auto& slot = slots_[i];
    if ((slot.first_threadgroup + threadgroups_of(launch).count()) << slot.index_bits >
        most_threads)
      return Error{
          fmt::format("{} is launched with {} threads{}; checks tell at most {} apart: "
                      "give it a smaller size",
                      launch.kernel, launch.grid.count(),
                      slot.is_shared ? ", beside other launches" : "", most_threads)};
  }
  for (const auto& launch : plan_.launches)
    if (const auto& kernel = kernel_of(launch);
        kernel.anywhere && kernel.objects.size() + plan_.buffers.size() >= CheckLog::no_object)
      return Error{
          fmt::format("{} loads pointers, and the plan has {} buffers; checks tell fewer "
                      "than {} apart: give it a smaller size",
                      launch.kernel, plan_.buffers.size(), CheckLog::no_object)};
  return std::nullopt;
}

Fault CheckMemory::fault(std::span<const std::uint64_t> entry, std::size_t number,
                         std::span<const Dispatch> dispatches) const {
  const auto kind = static_cast<AccessKind>(CheckLog::access.of(entry[0]));
  const auto& own = dispatches[number];
  Fault fault{.kind = static_cast<Fault::Kind>(CheckLog::kind.of(entry[0])),
              .kernel = own.launch->kernel,
              .access = access_in(entry[1], kind, own)};
  if (entry[2] != 0) {
    const auto other = ShadowEntry::atomic.of(entry[2])     ? AccessKind::update
                       : CheckLog::other_wrote.of(entry[0]) ? AccessKind::write
                                                            : AccessKind::read;
    const auto maker = std::ranges::find_if(dispatches, [&](const Dispatch& each) {
      return own.slot.is_shared && each.slot.set == own.slot.set && is_of(entry[2], each);
    });
    const auto& by = maker == dispatches.end() ? own : *maker;
    if (&by != &own) fault.other_kernel = by.launch->kernel;
    fault.conflicting_access = access_in(entry[2], other, by);
  }
  name_object(fault, entry, *own.launch);
  if (entry[CheckLog::numbers_at] != 0)
    fault.numbers.assign(entry.begin() + CheckLog::numbers_at, entry.end());
  return fault;
}

void CheckMemory::name_object(Fault& fault, std::span<const std::uint64_t> entry,
                              const Launch& launch) const {
  const auto object = CheckLog::object.of(entry[0]);
  const auto& kernel = kernel_of(launch);
  if (object == CheckLog::no_object) return;
  if (object >= kernel.objects.size()) {
    const auto buffer = object - kernel.objects.size();
    if (!kernel.anywhere || buffer > plan_.buffers.size()) return;
    fault.object = "all buffers";
    if (buffer == plan_.buffers.size()) return;
    fault.object = plan_.buffers[buffer].name;
    fault.offset = static_cast<std::int64_t>(entry[3]);
    fault.bytes = plan_.buffers[buffer].bytes;
    return;
  }
  fault.object = kernel.objects[object].name;
  fault.offset = static_cast<std::int64_t>(entry[3]);
  if (object >= kernel.arguments.size())
    fault.bytes = kernel.objects[object].bytes;
  else if (kernel.arguments[object].kind == KernelArgument::Kind::threadgroup)
    fault.bytes = threadgroup_bytes(launch, kernel.arguments[object]);
  else
    fault.bytes = bytes_of(*binding_of(launch, kernel.arguments[object]));
}

namespace {

// Whether what was read there and never written is followed, and nothing depends on it.
bool is_discarded(const Fault& fault, std::span<const std::uint64_t> log) {
  if (fault.kind != Fault::Kind::uninitialised) return false;
  const auto location = fault.access.location_id;
  const auto halves = log[CheckLog::seen_at + location / 2];
  const auto seen = static_cast<std::uint32_t>(halves >> (location % 2 * 32));
  return (seen & CheckLog::followed) && !(seen & CheckLog::used);
}

}  // namespace

std::vector<Fault> CheckMemory::faults(std::span<const std::uint64_t> log,
                                       std::span<const Dispatch> dispatches) const {
  std::vector<Fault> faults;
  std::set<Fault::Kind> notes;  // of which only the first counts
  const auto count =
      std::min<std::size_t>(static_cast<std::uint32_t>(log[0]), CheckLog::most_faults);
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry =
        log.subspan(CheckLog::faults_at + i * CheckLog::words_per_fault, CheckLog::words_per_fault);
    // A kernel may have overwritten the entry.
    const auto dispatch = static_cast<std::size_t>(CheckLog::dispatch.of(entry[0]));
    if (entry[4] != 1 || CheckLog::kind.of(entry[0]) >= fault_kinds ||
        dispatch >= dispatches.size())
      continue;
    auto found = fault(entry, dispatch, dispatches);
    if (is_discarded(found, log)) continue;
    const bool is_note = description_of(found.kind).severity == Severity::note;
    if (!is_note || notes.insert(found.kind).second) faults.push_back(std::move(found));
  }
  return faults;
}

namespace {

std::span<const std::uint64_t> message_in(std::span<const std::uint64_t> log, std::size_t number) {
  return log.subspan(CheckLog::messages_at + 1 + number * CheckLog::words_per_message,
                     CheckLog::words_per_message);
}

}  // namespace

KernelMessages CheckMemory::messages(std::span<const std::uint64_t> log,
                                     std::span<const Dispatch> dispatches) const {
  const std::size_t count = static_cast<std::uint32_t>(log[CheckLog::messages_at]);
  const auto kept = std::min(count, CheckLog::most_messages);
  KernelMessages messages{.left_out = count - kept};
  using Order = std::tuple<std::uint64_t, std::uint64_t, std::size_t>;
  std::vector<Order> order;
  for (std::size_t i = 0; i < kept; ++i) {
    const auto entry = message_in(log, i);
    order.emplace_back(CheckLog::dispatch.of(entry[0]), ShadowEntry::thread.of(entry[1]), i);
  }
  std::sort(order.begin(), order.end());
  const auto& calls = translation_.debug_calls;
  for (const auto& [dispatch, thread, number] : order) {
    const auto entry = message_in(log, number);
    const auto call = static_cast<std::size_t>(CheckLog::debug_call.of(entry[0]));
    // A kernel may have overwritten the entry.
    if (call == 0 || call > calls.size() || dispatch >= dispatches.size()) continue;
    const auto by = access_in(entry[1], AccessKind::read, dispatches[dispatch]);
    std::size_t words = 0;
    for (const auto& argument : calls[call - 1].arguments) words += argument.components;
    const auto shown = entry.subspan(2, std::min(words, KernelMessage::most_words));
    messages.kept.push_back({.call = static_cast<unsigned>(call - 1),
                             .thread = by.thread,
                             .threadgroup = by.threadgroup,
                             .words = {shown.begin(), shown.end()}});
  }
  return messages;
}

namespace {

BenignRaces benign_races(std::span<const std::uint64_t> log) {
  const auto word = log[CheckLog::benign_races_at];
  return {.stores = static_cast<std::uint32_t>(word),
          .location_id = static_cast<std::uint32_t>(word >> 32)};
}

std::vector<unsigned> coverage(std::span<const std::uint64_t> log) {
  const auto bytes =
      std::as_bytes(log.subspan(CheckLog::coverage_at, most_locations / sizeof(std::uint64_t)));
  std::vector<unsigned> reached;
  for (unsigned location = 1; location < most_locations; ++location)
    if (bytes[location] != std::byte{0}) reached.push_back(location);
  return reached;
}

}  // namespace

CheckRecord CheckMemory::decode(std::span<const std::uint64_t> log,
                                std::span<const Dispatch> dispatches) const {
  return {.faults = faults(log, dispatches),
          .messages = messages(log, dispatches),
          .benign_races = benign_races(log),
          .coverage = coverage(log)};
}

}  // namespace msci

#include "instrument/check/check_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "plan/bindings.h"

namespace msci {
namespace {

constexpr std::uint64_t untracked = ~std::uint64_t{0};
constexpr unsigned thread_bits = 24;
constexpr std::size_t entries_begin = 1 + 1024;
constexpr std::size_t entry_words = 5;
constexpr std::size_t most_entries = 256;
constexpr std::uint64_t no_object = 0xffff;

// The last plain write and two reads; also two atomic accesses, if there are any.
constexpr unsigned words_per_granule(bool atomic) { return atomic ? 5 : 3; }

std::size_t words_for(std::size_t bytes, unsigned granule, bool atomic) {
  return (bytes + granule - 1) / granule * words_per_granule(atomic);
}

// `before` are the bytes of the allocation's contents before the object.
std::uint64_t layout(unsigned granule, bool atomic, std::size_t before) {
  return (std::bit_width(granule) - 1U) | words_per_granule(atomic) << 8 |
         std::uint64_t{before} << 16;
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

// Bits of a thread's index in its threadgroup.
unsigned index_bits(const Launch& launch) {
  return static_cast<unsigned>(std::bit_width(launch.threadgroup.count() - 1));
}

Extent groups_of(const Launch& launch) {
  const auto over = [](unsigned grid, unsigned threads) { return (grid + threads - 1) / threads; };
  return {over(launch.grid.x, launch.threadgroup.x), over(launch.grid.y, launch.threadgroup.y),
          over(launch.grid.z, launch.threadgroup.z)};
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

Doing doing(std::uint64_t word, AccessKind access, const Launch& launch) {
  const auto thread = word >> 34 & ((1U << thread_bits) - 1);
  const auto bits = index_bits(launch);
  const auto group = position(thread >> bits, groups_of(launch));
  return {.place = static_cast<unsigned>(word >> 2 & 0x7ff),
          .access = access,
          .thread = position(thread & ((std::uint64_t{1} << bits) - 1), threads_of(launch, group)),
          .threadgroup = group};
}

constexpr auto kind_mask = (std::uint64_t{1} << CheckMemory::kind_bits) - 1;
constexpr auto access_mask = (std::uint64_t{1} << CheckMemory::access_bits) - 1;
static_assert(static_cast<std::uint64_t>(Fault::Kind::last) <= kind_mask,
              "the log keeps a fault's kind in so many bits");
static_assert(CheckMemory::other_wrote <= access_mask);

Fault::Kind kind_of(std::span<const std::uint64_t> entry) {
  return static_cast<Fault::Kind>(entry[0] & kind_mask);
}

// Translation's Touch.
AccessKind access_of(Fault::Kind kind, unsigned what) {
  if (kind == Fault::Kind::out_of_bounds && what == 4) return AccessKind::call_entry;
  if (kind == Fault::Kind::out_of_bounds && what == 5) return AccessKind::call_pointer;
  const auto access = what & 3;
  return access == 0 ? AccessKind::read : access == 1 ? AccessKind::write : AccessKind::atomic;
}

}  // namespace

std::string_view to_string(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::out_of_bounds:
      return "out_of_bounds";
    case Fault::Kind::misaligned:
      return "misaligned";
    case Fault::Kind::uninitialised:
      return "uninitialised";
    case Fault::Kind::race:
      return "race";
    case Fault::Kind::barrier_divergence:
      return "barrier_divergence";
    case Fault::Kind::inactive_lane:
      return "inactive_lane";
    case Fault::Kind::index_overflow:
      return "index_overflow";
    case Fault::Kind::assertion_failed:
      return "assertion_failed";
    case Fault::Kind::division_by_zero:
      return "division_by_zero";
    case Fault::Kind::shift_out_of_range:
      return "shift_out_of_range";
    case Fault::Kind::signed_overflow:
      return "signed_overflow";
    case Fault::Kind::conversion_out_of_range:
      return "conversion_out_of_range";
    case Fault::Kind::not_finite:
      return "not_finite";
  }
  return "unknown";
}

CheckMemory::CheckMemory(const Translation& translation, const Plan& plan)
    : translation_(translation), plan_(plan), shadows_(plan.buffers.size()) {
  for (const auto& launch : plan.launches) {
    const auto& kernel = kernel_of(launch);
    const auto written = written_by(launch);
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
    shadow_words_ += words_for(plan.buffers[i].bytes, shadows_[i].granule, shadows_[i].atomic);
  }
}

void CheckMemory::note_use(std::size_t buffer, const CheckedObject& object, bool is_written) {
  auto& shadow = shadows_[buffer];
  shadow.needed = shadow.needed || is_written;
  shadow.granule = std::min(shadow.granule, object.granule);
  shadow.atomic = shadow.atomic || object.atomic;
}

const KernelSignature& CheckMemory::kernel_of(const Launch& launch) const {
  return *translation_.find(launch.kernel);
}

std::vector<bool> CheckMemory::written_by(const Launch& launch) const {
  const auto& kernel = kernel_of(launch);
  std::vector<bool> written(plan_.buffers.size(), kernel.anywhere && kernel.anywhere->written);
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
    if (is_device_memory(kernel.arguments[i].kind) && kernel.objects[i].written)
      written[binding_of(launch, kernel.arguments[i])->buffer] = true;
  return written;
}

std::size_t CheckMemory::group_shadow_words(const Launch& launch) const {
  const auto& kernel = kernel_of(launch);
  std::size_t words = 0;
  for (std::size_t i = 0; i < kernel.objects.size(); ++i) {
    const auto* argument = i < kernel.arguments.size() ? &kernel.arguments[i] : nullptr;
    if (argument && is_device_memory(argument->kind)) continue;
    words += words_for(argument ? threadgroup_bytes(launch, *argument) : kernel.objects[i].bytes,
                       kernel.objects[i].granule, kernel.objects[i].atomic);
  }
  return words;
}

std::vector<std::uint64_t> CheckMemory::objects(const Launch& launch, std::size_t dispatch,
                                                std::span<const Place> places) const {
  const auto& kernel = kernel_of(launch);
  const auto written = written_by(launch);
  const auto own = kernel.objects.size(), all = own + plan_.buffers.size();
  std::vector<std::uint64_t> words{group_shadow_words(launch), dispatch,
                                   own | std::uint64_t{all} << 32, 4 + 4 * (all + 1)};
  std::uint64_t group_words = 0;
  for (std::size_t i = 0; i < kernel.objects.size(); ++i) {
    const auto* argument = i < kernel.arguments.size() ? &kernel.arguments[i] : nullptr;
    if (argument && is_device_memory(argument->kind)) {
      const auto& binding = *binding_of(launch, *argument);
      const auto& shadow = shadows_[binding.buffer];
      words.insert(words.end(),
                   {places[binding.buffer].first_byte + binding.offset, bytes_of(binding),
                    written[binding.buffer] ? shadow.first : untracked,
                    layout(shadow.granule, shadow.atomic, binding.offset)});
    } else {
      const auto bytes = argument ? threadgroup_bytes(launch, *argument) : kernel.objects[i].bytes;
      const auto& object = kernel.objects[i];
      words.insert(words.end(), {0, bytes, group_words, layout(object.granule, object.atomic, 0)});
      group_words += words_for(bytes, object.granule, object.atomic);
    }
  }
  if (!kernel.anywhere) return words;
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
    words.insert(words.end(), {places[i].first_byte, plan_.buffers[i].bytes,
                               written[i] ? shadows_[i].first : untracked,
                               layout(shadows_[i].granule, shadows_[i].atomic, 0)});
  words.insert(words.end(), {0, 0, untracked, layout(1, false, 0)});
  words.resize(words.size() + own);
  for (const auto& place : places) words.push_back(place.address);
  words.push_back(places.front().address);  // what strays goes to the slack of some buffer
  return words;
}

std::size_t CheckMemory::bytes_of(const Binding& binding) const {
  const auto bytes = plan_.buffers[binding.buffer].bytes;
  return bytes - std::min(bytes, binding.offset);
}

std::optional<Error> CheckMemory::refusal() const {
  for (const auto& launch : plan_.launches)
    if (groups_of(launch).count() << index_bits(launch) > std::size_t{1} << thread_bits)
      return Error{
          fmt::format("{} is launched with {} threads; checks tell at most {} apart: give "
                      "it a smaller size",
                      launch.kernel, launch.grid.count(), std::size_t{1} << thread_bits)};
  for (const auto& launch : plan_.launches)
    if (const auto& kernel = kernel_of(launch);
        kernel.anywhere && kernel.objects.size() + plan_.buffers.size() >= no_object)
      return Error{
          fmt::format("{} loads pointers, and the plan has {} buffers; checks tell fewer "
                      "than {} apart: give it a smaller size",
                      launch.kernel, plan_.buffers.size(), no_object)};
  return std::nullopt;
}

Fault CheckMemory::fault(std::span<const std::uint64_t> entry, const Launch& launch) const {
  const auto what = static_cast<unsigned>(entry[0] >> CheckMemory::kind_bits & access_mask);
  Fault fault{.kind = kind_of(entry), .kernel = launch.kernel};
  fault.doing = doing(entry[1], access_of(fault.kind, what), launch);
  if (entry[2] != 0) {
    const bool is_atomic = (entry[2] & 2) != 0;
    fault.other = doing(entry[2],
                        is_atomic                           ? AccessKind::atomic
                        : (what & CheckMemory::other_wrote) ? AccessKind::write
                                                            : AccessKind::read,
                        launch);
  }
  const auto object = entry[0] >> 8 & 0xffff;
  const auto& kernel = kernel_of(launch);
  if (object == no_object) return fault;
  if (object >= kernel.objects.size()) {
    const auto buffer = object - kernel.objects.size();
    if (!kernel.anywhere || buffer > plan_.buffers.size()) return fault;
    fault.object = "all buffers";
    if (buffer == plan_.buffers.size()) return fault;
    fault.object = plan_.buffers[buffer].name;
    fault.offset = static_cast<std::int64_t>(entry[3]);
    fault.bytes = plan_.buffers[buffer].bytes;
    return fault;
  }
  fault.object = kernel.objects[object].name;
  fault.offset = static_cast<std::int64_t>(entry[3]);
  if (object >= kernel.arguments.size())
    fault.bytes = kernel.objects[object].bytes;
  else if (kernel.arguments[object].kind == KernelArgument::Kind::threadgroup)
    fault.bytes = threadgroup_bytes(launch, kernel.arguments[object]);
  else
    fault.bytes = bytes_of(*binding_of(launch, kernel.arguments[object]));
  return fault;
}

std::vector<Fault> CheckMemory::faults(std::span<const std::uint64_t> log,
                                       std::span<const Launch* const> dispatches) const {
  std::vector<Fault> faults;
  std::set<Fault::Kind> arithmetic;
  const auto count = std::min<std::size_t>(static_cast<std::uint32_t>(log[0]), most_entries);
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = log.subspan(entries_begin + i * entry_words, entry_words);
    const auto dispatch = static_cast<std::size_t>(entry[0] >> 24);
    // A kernel may have overwritten the entry.
    const auto kind = kind_of(entry);
    if (entry[4] == 1 && kind <= Fault::Kind::last && dispatch < dispatches.size() &&
        !(is_arithmetic(kind) && !arithmetic.insert(kind).second))
      faults.push_back(fault(entry, *dispatches[dispatch]));
  }
  return faults;
}

KernelMessages CheckMemory::messages(std::span<const std::uint64_t> log,
                                     std::span<const Launch* const> dispatches) const {
  const std::size_t count = static_cast<std::uint32_t>(log[messages_at]);
  const auto kept = std::min(count, most_messages);
  KernelMessages messages{.left_out = count - kept};
  // A thread's word has its threadgroup and its index there above its barriers and the place.
  using Order = std::tuple<std::uint64_t, std::uint64_t, std::size_t>;
  std::vector<Order> order;
  for (std::size_t i = 0; i < kept; ++i) {
    const auto entry = log.subspan(messages_at + 1 + i * words_per_message, words_per_message);
    order.emplace_back(entry[0] >> 24, entry[1] >> 34 & ((1U << thread_bits) - 1), i);
  }
  std::sort(order.begin(), order.end());
  const auto& calls = translation_.debug_calls;
  for (const auto& [dispatch, thread, number] : order) {
    const auto entry = log.subspan(messages_at + 1 + number * words_per_message, words_per_message);
    const auto call = static_cast<std::size_t>(entry[0] & 0xffffff);
    // A kernel may have overwritten the entry.
    if (call == 0 || call > calls.size() || dispatch >= dispatches.size()) continue;
    const auto by = doing(entry[1], AccessKind::read, *dispatches[dispatch]);
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

LetGo CheckMemory::let_go(std::span<const std::uint64_t> log) {
  return {.stores = static_cast<std::uint32_t>(log[let_go_at]),
          .place = static_cast<std::uint32_t>(log[let_go_at] >> 32)};
}

std::vector<unsigned> CheckMemory::marks(std::span<const std::uint64_t> log) {
  const auto bytes = std::as_bytes(log.subspan(marks_at, most_places / sizeof(std::uint64_t)));
  std::vector<unsigned> marks;
  for (unsigned place = 1; place < most_places; ++place)
    if (bytes[place] != std::byte{0}) marks.push_back(place);
  return marks;
}

}  // namespace msci

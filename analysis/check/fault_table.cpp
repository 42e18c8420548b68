#include "analysis/check/fault_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/text.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

// The words of the column `proof`.
namespace proof_of {
constexpr std::optional<ProofSubject> nothing;
constexpr auto bounds = std::optional(ProofSubject::bounds);
constexpr auto races = std::optional(ProofSubject::races);
constexpr auto barriers = std::optional(ProofSubject::barriers);
constexpr auto divisors = std::optional(ProofSubject::divisors);
constexpr auto shifts = std::optional(ProofSubject::shifts);
constexpr auto conversions = std::optional(ProofSubject::conversions);
}  // namespace proof_of

const std::vector<FaultKind>& table() {
  static const std::vector<FaultKind> kinds{
#define MSCI_FAULT_CASE(...)
#define MSCI_FAULT(kind, severity, decisive, proof, meaning, message, note, ...) \
  {Fault::Kind::kind, #kind,   Severity::severity, Decisive::decisive,           \
   proof_of::proof,   meaning, {__VA_ARGS__}},
#include "analysis/check/faults.def"
  };
  return kinds;
}

Place place_of(const Access& access, const Translation& checked) {
  return access.location_id < checked.places.size() ? checked.places[access.location_id] : Place{};
}

std::string text_of(const ThreadPosition& position) {
  return fmt::format("({}, {}, {})", position.x, position.y, position.z);
}

std::string text_of(const Access& access) {
  return fmt::format("thread {} of threadgroup {}", text_of(access.thread),
                     text_of(access.threadgroup));
}

std::string_view text_of(AccessKind access) {
  switch (access) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    case AccessKind::update:
    case AccessKind::atomic_write:
    case AccessKind::add:
    case AccessKind::store_back:
      return "updates";
    case AccessKind::call_entry:
    case AccessKind::call_pointer:
      return "calls";
  }
  return "touches";  // a kernel overwrote the log
}

// "tile (at byte 64 of 1024)".
std::string object_of(const Fault& fault) {
  if (fault.object.empty()) return "the array, vector or table that it indexes";
  const bool counts_elements =
      fault.kind == Fault::Kind::unstored || fault.kind == Fault::Kind::unstored_read;
  if (fault.bytes == 0 || counts_elements) return fault.object;
  return fmt::format("{} (at byte {} of {})", fault.object, fault.offset, fault.bytes);
}

// A race of two atomic accesses: a sum, and a store that may destroy it.
bool is_sum_beside_store(const Fault& fault) {
  return is_atomic(fault.access.kind) && fault.conflicting_access &&
         is_atomic(fault.conflicting_access->kind);
}

// " 'i < n'": the condition of the assertion at a location, if it is known.
std::string condition_at(unsigned location_id, const Translation& checked) {
  const auto& calls = checked.debug_calls;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const DebugCall& each) {
    return each.kind == DebugCall::Kind::assertion && each.place == location_id;
  });
  if (found == calls.end() || found->text.empty()) return "";
  return fmt::format(" '{}'", printable(found->text));
}

// The message and the note of a fault, with the placeholders of faults.def.
struct Wording {
  std::string_view message;
  std::string_view note;
};

Wording wording_of(const Fault& fault) {
#define MSCI_FAULT_CASE(name, condition, message, note) \
  if (fault.kind == Fault::Kind::name && (condition)) return {message, note};
#define MSCI_FAULT(name, severity, decisive, proof, meaning, message, note, ...) \
  if (fault.kind == Fault::Kind::name) return {message, note};
#include "analysis/check/faults.def"
  return {};
}

std::string number_text(std::uint64_t bits) {
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
  return float_text(value);
}

// "exp(100)": the operation that a fault is about, with its operands.
std::string operation_of(const Fault& fault, const Translation& checked) {
  const bool is_birth = fault.kind == Fault::Kind::not_finite && fault.numbers.size() >= 5;
  if (!is_birth || fault.numbers[0] == 0 || fault.numbers[0] > checked.operations.size()) return "";
  return fmt::format(fmt::runtime(checked.operations[fault.numbers[0] - 1]),
                     number_text(fault.numbers[1]), number_text(fault.numbers[2]),
                     number_text(fault.numbers[3]));
}

std::string fill(std::string_view words, const Fault& fault, const Translation& checked) {
  const auto& other = fault.conflicting_access;
  const auto number = [&](std::size_t i) {
    return i < fault.numbers.size() ? fault.numbers[i] : 0;
  };
  return fmt::format(fmt::runtime(words), fmt::arg("thread", text_of(fault.access)),
                     fmt::arg("does", text_of(fault.access.kind)),
                     fmt::arg("object", object_of(fault)),
                     fmt::arg("other", other ? text_of(*other) : std::string()),
                     fmt::arg("does_other", text_of(other ? other->kind : AccessKind::write)),
                     fmt::arg("condition", condition_at(fault.access.location_id, checked)),
                     fmt::arg("number", number_text(number(4))),
                     fmt::arg("operation", operation_of(fault, checked)),
                     fmt::arg("other_kernel", fault.other_kernel), fmt::arg("kernel", fault.kernel),
                     fmt::arg("launch", number(0)), fmt::arg("stored", number(0)),
                     fmt::arg("elements", number(1)), fmt::arg("first", number(2)));
}

// Why a result has elements that no thread stores, if the launch itself says it: a host that passes
// the number of threadgroups to dispatchThreads covers a part of the work.
std::string grid_of(const Fault& fault) {
  const auto elements = fault.numbers[1], grid = fault.numbers[3], group = fault.numbers[4];
  auto text = fmt::format("the launch of {} has {} thread{} in threadgroups of {}", fault.kernel,
                          grid, grid == 1 ? "" : "s", group);
  if (group > 1 && grid == (elements + group - 1) / group)
    text += fmt::format(
        "; that is the number of threadgroups that {} elements need, and dispatchThreads takes "
        "threads: pass it to dispatchThreadgroups, or launch {} threads",
        elements, elements);
  return text;
}

}  // namespace

std::span<const FaultKind> all_fault_kinds() { return table(); }

const FaultKind& description_of(Fault::Kind kind) {
  return table()[static_cast<std::size_t>(kind)];
}

std::string finding_id(Fault::Kind kind) {
  return fmt::format("check.{}", description_of(kind).name);
}

const FaultKind* kind_of_finding(std::string_view id) {
  const auto found = std::ranges::find_if(
      table(), [&](const FaultKind& each) { return finding_id(each.kind) == id; });
  return found == table().end() ? nullptr : &*found;
}

std::string list_fault_kinds() {
  std::string list;
  for (const auto& each : table()) {
    list += fmt::format("{:<31}{:<7}{}\n", finding_id(each.kind), to_string(each.severity),
                        each.meaning);
    if (!each.rules.empty())
      list += fmt::format("{:<38}confirms {}\n", "", fmt::join(each.rules, ", "));
  }
  return list;
}

bool may_confirm(const Diagnostic& fault, std::string_view rule) {
  const auto* kind = kind_of_finding(fault.id);
  return kind && std::ranges::find(kind->rules, rule) != kind->rules.end();
}

bool has_fault_for(std::string_view rule) {
  return std::ranges::any_of(table(), [&](const FaultKind& each) {
    return std::ranges::find(each.rules, rule) != each.rules.end();
  });
}

bool confirms(const Diagnostic& fault, const Diagnostic& finding) {
  if (!may_confirm(fault, finding.id)) return false;
  const auto lines = lines_of(finding);
  return std::ranges::any_of(lines_of(fault),
                             [&](const FileLine& line) { return lines.contains(line); });
}

std::set<FileLine> lines_of(const Diagnostic& finding) {
  const auto line_of = [](const Place& place) -> FileLine {
    return {place.file, place.range.begin.line};
  };
  std::set<FileLine> lines{line_of(finding.place)};
  for (const auto& note : finding.notes) lines.insert(line_of(note.place));
  return lines;
}

bool is_decisive(const Fault& fault, const Translation& checked) {
  const auto decisive = description_of(fault.kind).decisive;
  if (decisive != Decisive::unless_it_reads_a_buffer) return decisive == Decisive::always;
  const auto& other = fault.conflicting_access;
  const bool has_read =
      fault.access.kind == AccessKind::read || (other && other->kind == AccessKind::read);
  const auto* kernel = checked.find(fault.kernel);
  if (!has_read || !kernel) return true;
  return std::none_of(kernel->arguments.begin(), kernel->arguments.end(), [&](const auto& each) {
    return is_device_memory(each.kind) && each.name == fault.object;
  });
}

Diagnostic describe(const Fault& fault, const Translation& checked) {
  const auto wording = wording_of(fault);
  Diagnostic finding{.severity = description_of(fault.kind).severity,
                     .id = finding_id(fault.kind),
                     .place = place_of(fault.access, checked),
                     .message = fill(wording.message, fault, checked)};
  if (fault.kind == Fault::Kind::unstored && fault.numbers.size() > 4)
    finding.notes.push_back({finding.place, grid_of(fault)});
  if (!fault.conflicting_access) return finding;
  const auto other = place_of(*fault.conflicting_access, checked);
  finding.notes.push_back({other.is_known() ? other : finding.place,
                           fill(wording.note.empty() ? "{other}" : wording.note, fault, checked)});
  return finding;
}

}  // namespace msci

#include "evaluator/checked_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

Range place_of(const Doing& doing, const Translation& checked) {
  return doing.place < checked.places.size() ? checked.places[doing.place] : Range{};
}

std::string text_of(const ThreadPosition& position) {
  return fmt::format("({}, {}, {})", position.x, position.y, position.z);
}

std::string text_of(const Doing& doing) {
  return fmt::format("thread {} of threadgroup {}", text_of(doing.thread),
                     text_of(doing.threadgroup));
}

std::string_view text_of(AccessKind access) {
  switch (access) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    case AccessKind::atomic:
      return "updates";
  }
  return "touches";
}

// "tile (at byte 64 of 1024)".
std::string object_of(const Fault& fault) {
  if (fault.object.empty()) return "the array, vector or table that it indexes";
  return fmt::format("{} (at byte {} of {})", fault.object, fault.offset, fault.bytes);
}

std::string message_of(const Fault& fault) {
  const auto who = text_of(fault.doing);
  const auto does = text_of(fault.doing.access);
  switch (fault.kind) {
    case Fault::Kind::out_of_bounds:
      return fmt::format("{} {} outside of {}", who, does, object_of(fault));
    case Fault::Kind::misaligned:
      return fmt::format("{} {} {} where its type cannot lie", who, does, object_of(fault));
    case Fault::Kind::uninitialised:
      if (fault.object.empty()) return who + " reads a private variable that it never wrote";
      return fmt::format("{} reads {}, which was never written", who, object_of(fault));
    case Fault::Kind::race:
      return fmt::format("{} {} {} while another thread {} it", who, does, object_of(fault),
                         text_of(fault.other ? fault.other->access : AccessKind::write));
    case Fault::Kind::barrier_divergence:
      return fmt::format(
          "{} waits at this barrier while another thread {}", who,
          fault.other && fault.other->place ? "waits elsewhere" : "does not reach it");
    case Fault::Kind::inactive_lane:
      return fmt::format("{} reads the value of a lane that does not take part", who);
    case Fault::Kind::index_overflow:
      return fmt::format("{} {} {} by an index that wrapped around", who, does, object_of(fault));
    case Fault::Kind::division_by_zero:
      return who + " divides an integer by zero";
    case Fault::Kind::shift_out_of_range:
      return who + " shifts by at least as many bits as the number has";
    case Fault::Kind::signed_overflow:
      return who + " computes a signed integer that does not fit its type";
    case Fault::Kind::conversion_out_of_range:
      return who + " converts a float to an integer type that cannot hold it";
    case Fault::Kind::not_finite:
      return who + " computes infinity or NaN from finite numbers";
  }
  return who + " does what it must not";
}

std::string note_of(const Fault& fault) {
  const auto who = text_of(*fault.other);
  switch (fault.kind) {
    case Fault::Kind::race:
      return fmt::format("{} {} it here, and no barrier orders the two", who,
                         text_of(fault.other->access));
    case Fault::Kind::barrier_divergence:
      return fault.other->place ? who + " waits here"
                                : who + " has returned or waits for its simdgroup";
    case Fault::Kind::inactive_lane:
      return "the value decides something here";
    default:
      return who;
  }
}

}  // namespace

Diagnostic describe(const Fault& fault, const Translation& checked) {
  Diagnostic finding{.severity = is_arithmetic(fault.kind) ? Severity::note : Severity::error,
                     .id = fmt::format("check.{}", to_string(fault.kind)),
                     .range = place_of(fault.doing, checked),
                     .message = message_of(fault)};
  if (!fault.other) return finding;
  const auto place = place_of(*fault.other, checked);
  finding.notes.push_back({place.begin.line ? place : finding.range, note_of(fault)});
  return finding;
}

std::string one_line(const Diagnostic& finding, const std::string& file) {
  return fmt::format("{}:{}:{}: {} [{}]", file, finding.range.begin.line,
                     finding.range.begin.column, finding.message, finding.id);
}

bool is_decisive(const Fault& fault, const Translation& checked) {
  if (is_arithmetic(fault.kind)) return false;
  if (fault.kind != Fault::Kind::race) return true;
  const bool has_read = fault.doing.access == AccessKind::read ||
                        (fault.other && fault.other->access == AccessKind::read);
  const auto* kernel = checked.find(fault.kernel);
  if (!has_read || !kernel) return true;
  return std::none_of(kernel->arguments.begin(), kernel->arguments.end(), [&](const auto& each) {
    return each.kind == KernelArgument::Kind::buffer && each.name == fault.object;
  });
}

Result<Checked> check(const Plan& plan, const Translation& checked, Program& program) {
  auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  Checked result;
  if (auto* failure = std::get_if<Failure>(&*ran)) {
    result.failure = std::move(*failure);
    return result;
  }
  for (const auto& fault : std::get<Run>(*ran).faults)
    result.findings.push_back(describe(fault, checked));
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const auto& a, const auto& b) { return a.range < b.range; });
  return result;
}

Result<Checked> check(const Plan& plan, const Translation& checked, Device& device) {
  auto built = device.build(checked);
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) return Checked{.failure = std::move(*failure)};
  return check(plan, checked, *std::get<std::unique_ptr<Program>>(*built));
}

}  // namespace msci

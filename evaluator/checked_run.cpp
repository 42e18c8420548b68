#include "evaluator/checked_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/keyed_random.h"
#include "base/text.h"
#include "evaluator/message_text.h"
#include "plan/elements.h"

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
    case AccessKind::call_entry:
    case AccessKind::call_pointer:
      return "calls";
  }
  return "touches";
}

// "tile (at byte 64 of 1024)".
std::string object_of(const Fault& fault) {
  if (fault.object.empty()) return "the array, vector or table that it indexes";
  if (fault.bytes == 0) return fault.object;
  return fmt::format("{} (at byte {} of {})", fault.object, fault.offset, fault.bytes);
}

// Both accesses of a race: a sum, and a store that it may be lost by.
bool are_atomic(const Fault& fault) {
  return fault.doing.access == AccessKind::atomic && fault.other &&
         fault.other->access == AccessKind::atomic;
}

// " 'i < n'": the condition of the assertion at a place, if it is known.
std::string condition_at(unsigned place, const Translation& checked) {
  const auto& calls = checked.debug_calls;
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const DebugCall& each) {
    return each.kind == DebugCall::Kind::assertion && each.place == place;
  });
  if (found == calls.end() || found->text.empty()) return "";
  return fmt::format(" '{}'", printable(found->text));
}

std::string message_of(const Fault& fault, const Translation& checked) {
  const auto who = text_of(fault.doing);
  const auto does = text_of(fault.doing.access);
  switch (fault.kind) {
    case Fault::Kind::out_of_bounds:
      if (fault.doing.access == AccessKind::call_entry)
        return who + " calls an empty entry of the table of functions, or one beyond its end";
      if (fault.doing.access == AccessKind::call_pointer)
        return who + " calls a null pointer to a function";
      return fmt::format("{} {} outside of {}", who, does, object_of(fault));
    case Fault::Kind::misaligned:
      return fmt::format("{} {} {} where its type cannot lie", who, does, object_of(fault));
    case Fault::Kind::uninitialised:
      if (fault.object.empty()) return who + " reads a private variable that it never wrote";
      return fmt::format("{} reads {}, which was never written", who, object_of(fault));
    case Fault::Kind::race:
      if (are_atomic(fault))
        return fmt::format("{} adds to {}, which another thread sets", who, object_of(fault));
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
    case Fault::Kind::assertion_failed:
      return who + " fails the assertion" + condition_at(fault.doing.place, checked);
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
      if (are_atomic(fault))
        return who + " sets it here, and no barrier orders the two: the sum may be lost";
      return fmt::format("{} {} it here, and no barrier orders the two", who,
                         text_of(fault.other->access));
    case Fault::Kind::barrier_divergence:
      return fault.other->place ? who + " waits here" : who + " has returned or is elsewhere";
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
                     .message = message_of(fault, checked)};
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
  // An assertion has no effect in a plain run.
  if (is_arithmetic(fault.kind) || fault.kind == Fault::Kind::assertion_failed) return false;
  if (fault.kind != Fault::Kind::race) return true;
  const bool has_read = fault.doing.access == AccessKind::read ||
                        (fault.other && fault.other->access == AccessKind::read);
  const auto* kernel = checked.find(fault.kernel);
  if (!has_read || !kernel) return true;
  return std::none_of(kernel->arguments.begin(), kernel->arguments.end(), [&](const auto& each) {
    return is_device_memory(each.kind) && each.name == fault.object;
  });
}

namespace {

std::vector<LoggedMessage> logged(const KernelMessages& messages, const Translation& checked) {
  std::vector<LoggedMessage> logged;
  for (const auto& message : messages.kept) {
    if (message.call >= checked.debug_calls.size()) continue;
    const auto& call = checked.debug_calls[message.call];
    logged.push_back(
        {.kind = call.kind,
         .range = call.place < checked.places.size() ? checked.places[call.place] : Range{},
         .thread = message.thread,
         .threadgroup = message.threadgroup,
         .subsystem = call.subsystem,
         .category = call.category,
         .text = message_text(call, message.words)});
  }
  return logged;
}

// The lines of accesses and barriers of which the run marked none.
std::vector<unsigned> unreached_lines(const Translation& checked, const Run& run) {
  std::set<unsigned> lines;
  for (const auto place : checked.marked)
    if (place < checked.places.size()) lines.insert(checked.places[place].begin.line);
  for (const auto place : run.marks)
    if (place < checked.places.size()) lines.erase(checked.places[place].begin.line);
  return {lines.begin(), lines.end()};
}

// Values that differ from element to element. They are small, since they may be counts or indices.
std::vector<std::byte> differing_contents(const std::string& type, std::size_t bytes, Key key) {
  KeyedRandom random(key);
  std::vector<std::byte> contents;
  while (contents.size() < bytes) {
    const auto number = random.between(1, 100);
    const double value = type == "bool"      ? static_cast<double>(number % 2)
                         : is_floating(type) ? 1 + static_cast<double>(number) / 128
                                             : static_cast<double>(number);
    put_element(type, value, contents);
  }
  return contents;
}

// The plan with differing values where it leaves contents open; none if it leaves none open.
std::optional<Plan> with_differing_contents(const Plan& plan) {
  auto other = plan;
  bool has_any = false;
  for (std::size_t i = 0; i < other.buffers.size(); ++i) {
    auto& buffer = other.buffers[i];
    if (buffer.open_type.empty()) continue;
    has_any = true;
    buffer.initial = differing_contents(buffer.open_type, buffer.bytes, {i, 0});
  }
  return has_any ? std::optional(std::move(other)) : std::nullopt;
}

// Races between stores that were equal only because the plan leaves contents open. Such contents
// may lead a kernel astray that counts on zeros, so nothing else of the pass says anything.
Result<std::vector<Diagnostic>> races_of_other_contents(const Plan& plan,
                                                        const Translation& checked,
                                                        const Run& first, Program& program) {
  std::vector<Diagnostic> races;
  const auto other = with_differing_contents(plan);
  if (first.let_go.stores == 0 || !other) return races;
  const auto ran = program.run(*other, verify_only);
  if (!ran) return ran.error();
  const auto* run = std::get_if<Run>(&*ran);
  if (!run) return races;
  for (const auto& fault : run->faults) {
    const bool is_known = std::any_of(first.faults.begin(), first.faults.end(), [&](auto& each) {
      return each.kind == fault.kind && each.doing.place == fault.doing.place;
    });
    if (fault.kind != Fault::Kind::race || is_known) continue;
    auto& race = races.emplace_back(describe(fault, checked));
    race.notes.push_back(
        {race.range, "with zeros, where the plan leaves contents open, the stores are equal"});
  }
  return races;
}

}  // namespace

Result<Checked> check(const Plan& plan, const Translation& checked, Program& program) {
  auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  Checked result;
  if (auto* failure = std::get_if<Failure>(&*ran)) {
    result.failure = std::move(*failure);
    return result;
  }
  const auto& run = std::get<Run>(*ran);
  for (const auto& fault : run.faults) result.findings.push_back(describe(fault, checked));
  auto races = races_of_other_contents(plan, checked, run, program);
  if (!races) return races.error();
  std::move(races->begin(), races->end(), std::back_inserter(result.findings));
  result.let_go = {run.let_go.stores, run.let_go.place < checked.places.size()
                                          ? checked.places[run.let_go.place]
                                          : Range{}};
  result.messages = logged(run.messages, checked);
  result.messages_left_out = run.messages.left_out;
  result.unreached = unreached_lines(checked, run);
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

namespace {

// The results of a pass in that order; none if it fails.
Result<std::optional<Outputs>> answer_in(const std::string& order, Plan& plan, Program& program) {
  plan.execution = *execution_from(order);
  auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  auto* run = std::get_if<Run>(&*ran);
  return run ? std::optional(std::move(run->outputs)) : std::nullopt;
}

// Without an expectation, everything that a kernel may write is the answer.
void read_back_all(Plan& plan) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (!plan.buffers[i].constant) plan.results.push_back(i);
}

// Whether a kernel leaves pointers in memory, which differ from run to run.
bool leaves_addresses(const Plan& plan, const Translation& translation) {
  return std::ranges::any_of(plan.launches, [&](const Launch& launch) {
    const auto* kernel = translation.find(launch.kernel);
    return kernel && kernel->stores_pointers;
  });
}

}  // namespace

Result<std::optional<Reruns>> rerun_in_orders(Plan plan, const Translation& plain, Device& device) {
  // Code for lanes that run alone may round otherwise, so it is compared with itself.
  static const std::vector<std::vector<std::string>> families = {
      {"forward", "reversed", "1", "2"}, {"lanes:forward", "lanes:reversed", "lanes:1", "lanes:2"}};
  if (!device.info().chooses_order) return std::optional<Reruns>();
  if (plan.results.empty() && leaves_addresses(plan, plain)) return std::optional<Reruns>();
  if (plan.results.empty()) read_back_all(plan);
  auto built = device.build(plain);
  if (!built) return built.error();
  if (std::holds_alternative<Failure>(*built)) return std::optional<Reruns>();
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  Reruns reruns;
  for (const auto& orders : families) {
    std::optional<Outputs> usual;
    for (const auto& order : orders) {
      auto answer = answer_in(order, plan, program);
      if (!answer) return answer.error();
      if (!*answer) return std::optional<Reruns>();
      reruns.orders.push_back(order);
      if (!usual)
        usual = std::move(*answer);
      else if (*answer != usual && !reruns.differs)
        reruns.differs = order;
    }
  }
  return std::optional(std::move(reruns));
}

}  // namespace msci

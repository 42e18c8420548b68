#include "evaluator/check/checked_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "analysis/check/fault_table.h"
#include "base/keyed_random.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"

namespace msci {
std::string one_line(const Diagnostic& finding, const std::string& file) {
  const bool has_place = finding.place.is_known();
  return fmt::format("{}: {} [{}]", has_place ? to_string(finding.place, file) : file,
                     finding.message, finding.id);
}

namespace {

Place place_of(unsigned location_id, const Translation& checked) {
  return location_id < checked.places.size() ? checked.places[location_id] : Place{};
}

std::vector<LoggedMessage> logged(const KernelMessages& messages, const Translation& checked) {
  std::vector<LoggedMessage> logged;
  for (const auto& message : messages.kept) {
    if (message.call >= checked.debug_calls.size()) continue;
    const auto& call = checked.debug_calls[message.call];
    logged.push_back({.kind = call.kind,
                      .place = place_of(call.place, checked),
                      .thread = message.thread,
                      .threadgroup = message.threadgroup,
                      .subsystem = call.subsystem,
                      .category = call.category,
                      .text = message_text(call, message.words)});
  }
  return logged;
}

// The threads of a threadgroup along one side, of which the last one may have fewer.
unsigned side_at(unsigned threadgroup, unsigned grid, unsigned side) {
  const auto begin = std::size_t{threadgroup} * side;
  return begin < grid ? static_cast<unsigned>(std::min<std::size_t>(side, grid - begin)) : 0;
}

// "1 × 16", with as many sides as the host asks for.
std::string sides_text(const Extent& threads, const Extent& asked) {
  if (asked.z > 1) return fmt::format("{} × {} × {}", threads.x, threads.y, threads.z);
  return asked.y > 1 ? fmt::format("{} × {}", threads.x, threads.y) : std::to_string(threads.x);
}

// Why a threadgroup may leave threadgroup memory unwritten: the grid ends in it, so that it has
// fewer threads than others. None where launches of the kernel differ in this.
std::optional<std::string> edge_text(const Fault& fault, const Plan& plan) {
  if (fault.kind != Fault::Kind::uninitialised || fault.object.empty()) return std::nullopt;
  const auto& at = fault.access.threadgroup;
  std::optional<std::string> text;
  for (const auto& launch : plan.launches) {
    const auto& grid = launch.grid;
    const auto& asked = launch.threadgroup;
    const Extent here{side_at(at.x, grid.x, asked.x), side_at(at.y, grid.y, asked.y),
                      side_at(at.z, grid.z, asked.z)};
    if (launch.kernel != fault.kernel || here.count() == 0) continue;
    auto said = here == asked ? ""
                              : fmt::format(
                                    "threadgroup ({}, {}, {}) has {} thread{}, since the "
                                    "grid ends there; the launch asks for {}",
                                    at.x, at.y, at.z, sides_text(here, asked),
                                    here.count() == 1 ? "" : "s", sides_text(asked, asked));
    if (said.empty() || (text && *text != said)) return std::nullopt;
    text = std::move(said);
  }
  return text;
}

// The lines of accesses and barriers none of which the run reached.
std::vector<unsigned> unreached_lines(const Translation& checked, const Run& run) {
  std::set<unsigned> lines;
  for (const auto id : checked.marked)
    if (const auto place = place_of(id, checked); place.is_known() && place.file.empty())
      lines.insert(place.range.begin.line);
  for (const auto id : run.checks.coverage)
    if (const auto place = place_of(id, checked); place.file.empty())
      lines.erase(place.range.begin.line);
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

// The floating type as which some kernel takes a buffer; empty for other buffers.
std::string_view float_type_of(std::size_t buffer, const Plan& plan, const Translation& checked) {
  for (const auto& launch : plan.launches) {
    const auto* kernel = checked.find(launch.kernel);
    for (const auto& argument : kernel->arguments)
      for (const auto& binding : launch.bindings)
        if (binding.buffer == buffer && argument.kind == ArgumentKind::buffer &&
            binds(binding, argument) && is_floating(scalar_type(argument.type)))
          return scalar_type(argument.type);
  }
  return "";
}

// The number that all elements of a buffer have; none if they differ, or if it is zero.
std::optional<double> number_of_all(const PlanBuffer& buffer, std::string_view type) {
  const auto bytes = element_bytes(type).value_or(0);
  if (bytes == 0 || buffer.initial.size() < 2 * bytes) return std::nullopt;
  const std::span all(buffer.initial);
  for (auto at = bytes; at + bytes <= all.size(); at += bytes)
    if (!std::ranges::equal(all.subspan(at, bytes), all.first(bytes))) return std::nullopt;
  const auto number = get_element(type, all, 0);
  return std::isfinite(number) && number != 0 ? std::optional(number) : std::nullopt;
}

// Numbers a little larger than that one, each in its own way.
std::vector<std::byte> differing_around(double number, std::string_view type, std::size_t bytes,
                                        Key key) {
  KeyedRandom random(key);
  std::vector<std::byte> contents;
  while (contents.size() < bytes)
    put_element(type, number * (1 + static_cast<double>(random.between(1, 100)) / 1024), contents);
  return contents;
}

// The plan with differing values where it leaves contents open, and where it fills a buffer of
// floats with one number; none if it does neither.
std::optional<Plan> with_differing_contents(const Plan& plan, const Translation& checked) {
  auto other = plan;
  bool has_any = false;
  for (std::size_t i = 0; i < other.buffers.size(); ++i) {
    auto& buffer = other.buffers[i];
    if (!buffer.open_type.empty()) {
      buffer.initial = differing_contents(buffer.open_type, buffer.bytes, {i, 0});
      has_any = true;
      continue;
    }
    const auto type = float_type_of(i, plan, checked);
    const auto number = number_of_all(buffer, type);
    if (!number) continue;
    buffer.initial = differing_around(*number, type, buffer.bytes, {i, 0});
    has_any = true;
  }
  return has_any ? std::optional(std::move(other)) : std::nullopt;
}

bool has_open_contents(const Plan& plan) {
  return std::ranges::any_of(plan.buffers,
                             [](const PlanBuffer& each) { return !each.open_type.empty(); });
}

// Races between stores that were equal only because the plan leaves contents open, or fills a
// buffer with one number. Such contents may lead a kernel astray that counts on zeros, so nothing
// else of the pass says anything.
Result<std::vector<Diagnostic>> races_of_other_contents(const Plan& plan,
                                                        const Translation& checked,
                                                        const Run& first, Program& program) {
  std::vector<Diagnostic> races;
  const auto other = with_differing_contents(plan, checked);
  if (first.checks.benign_races.stores == 0 || !other) return races;
  const auto ran = program.run(*other, verify_only);
  if (!ran) return ran.error();
  const auto* run = std::get_if<Run>(&*ran);
  if (!run) return races;
  for (const auto& fault : run->checks.faults) {
    const bool is_known =
        std::any_of(first.checks.faults.begin(), first.checks.faults.end(), [&](auto& each) {
          return each.kind == fault.kind && each.access.location_id == fault.access.location_id;
        });
    if (fault.kind != Fault::Kind::race || is_known) continue;
    auto& race = races.emplace_back(describe(fault, checked));
    race.notes.push_back(
        {race.place, has_open_contents(plan)
                         ? "with zeros, where the plan leaves contents open, the stores are equal"
                         : "the stores are equal where the plan fills a buffer with one number"});
  }
  return races;
}

}  // namespace

Result<Checked> check(const Plan& plan, const Translation& checked, Program& program) {
  auto ran = program.run(plan, verify_only);
  if (!ran) return ran.error();
  Checked result;
  if (auto* failure = std::get_if<Failure>(&*ran)) {
    // What only the guards of the engine found, at no known line, is a fault, too.
    if (failure->cause == Failure::Cause::outside)
      result.findings.push_back(
          {.id = finding_id(Fault::Kind::out_of_bounds), .message = failure->message});
    else
      result.failure = std::move(*failure);
    return result;
  }
  const auto& run = std::get<Run>(*ran);
  for (const auto& fault : run.checks.faults) {
    auto& finding = result.findings.emplace_back(describe(fault, checked));
    if (auto why = edge_text(fault, plan))
      finding.notes.push_back({finding.place, *std::move(why)});
  }
  auto races = races_of_other_contents(plan, checked, run, program);
  if (!races) return races.error();
  std::move(races->begin(), races->end(), std::back_inserter(result.findings));
  result.benign_races = {run.checks.benign_races.stores,
                         place_of(run.checks.benign_races.location_id, checked)};
  result.messages = logged(run.checks.messages, checked);
  result.messages_left_out = run.checks.messages.left_out;
  result.has_not_finite = run.checks.has_not_finite;
  result.unreached = unreached_lines(checked, run);
  std::ranges::stable_sort(result.findings, {}, &Diagnostic::place);
  return result;
}

Result<Checked> check(const Plan& plan, const Translation& checked, Device& device) {
  auto built = device.build(checked);
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) return Checked{.failure = std::move(*failure)};
  return check(plan, checked, *std::get<std::unique_ptr<Program>>(*built));
}

namespace {

// One pass; none if it fails.
Result<std::optional<Run>> run_once(const Translation& translation, const Plan& plan,
                                    Device& device) {
  auto built = device.build(translation);
  if (!built) return built.error();
  if (std::holds_alternative<Failure>(*built)) return std::optional<Run>();
  auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, verify_only);
  if (!ran) return ran.error();
  auto* run = std::get_if<Run>(&*ran);
  return run ? std::optional(std::move(*run)) : std::nullopt;
}

}  // namespace

std::optional<Error> trace_not_finite(const Plan& plan, const Translation& traced, Device& device,
                                      Checked& checked) {
  const auto run = run_once(traced, plan, device);
  if (!run) return run.error();
  if (!*run) return std::nullopt;
  const auto& faults = (*run)->checks.faults;
  const auto found = std::ranges::find_if(faults, [](const Fault& each) {
    return each.kind == Fault::Kind::not_finite && !each.numbers.empty();
  });
  if (found == faults.end()) return std::nullopt;
  std::erase_if(checked.findings, [](const Diagnostic& each) {
    return each.id == finding_id(Fault::Kind::not_finite);
  });
  checked.findings.push_back(describe(*found, traced));
  std::ranges::stable_sort(checked.findings, {}, &Diagnostic::place);
  return std::nullopt;
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

// The plan with the launches of each set that may overlap in reverse order; none without such sets.
std::optional<Plan> with_launches_reversed(const Plan& plan) {
  auto reversed = plan;
  auto& launches = reversed.launches;
  bool has_any = false;
  for (auto first = launches.begin(); first != launches.end();) {
    const auto end = std::find_if_not(first + 1, launches.end(),
                                      [](const Launch& each) { return each.overlaps_previous; });
    has_any = has_any || end - first > 1;
    std::reverse(first, end);
    for (auto each = first; each != end; ++each) each->overlaps_previous = each != first;
    first = end;
  }
  return has_any ? std::optional(std::move(reversed)) : std::nullopt;
}

// Runs concurrent launches in reverse order, too.
std::optional<Error> rerun_reversed(Plan& plan, Program& program, Reruns& reruns) {
  auto reversed = with_launches_reversed(plan);
  if (!reversed) return std::nullopt;
  const auto usual = answer_in("forward", plan, program);
  if (!usual) return usual.error();
  const auto other = answer_in("forward", *reversed, program);
  if (!other) return other.error();
  reruns.reversed_launches_fail = *usual && !*other;
  if (*usual && *other) reruns.launches_differ = **usual != **other;
  return std::nullopt;
}

// Without an expectation, everything that a kernel may write is the answer.
void read_back_all(Plan& plan) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (!plan.buffers[i].constant) plan.results.push_back(i);
}

// Whether results are wrong, and the others right.
Result<bool> becomes_right(const Outputs& usual, const Outputs& other, const IsRight& is_right) {
  const auto before = is_right(usual);
  if (!before) return before.error();
  return *before ? Result<bool>(false) : is_right(other);
}

// Whether a kernel leaves pointers in memory, which differ from run to run.
bool leaves_addresses(const Plan& plan, const Translation& translation) {
  return std::ranges::any_of(plan.launches, [&](const Launch& launch) {
    const auto* kernel = translation.find(launch.kernel);
    return kernel && kernel->stores_pointers;
  });
}

}  // namespace

std::optional<Error> compare_with_wider(Plan plan, const Translation& checked,
                                        const Translation& wider, Device& device, Checked& result,
                                        const IsRight& is_right) {
  const auto narrowed =
      std::ranges::find(result.findings, finding_id(Fault::Kind::narrowed), &Diagnostic::id);
  if (narrowed == result.findings.end()) return std::nullopt;
  if (plan.results.empty() && leaves_addresses(plan, checked)) return std::nullopt;
  if (plan.results.empty()) read_back_all(plan);
  const auto usual = run_once(checked, plan, device);
  if (!usual) return usual.error();
  const auto other = run_once(wider, plan, device);
  if (!other) return other.error();
  if (!*usual || !*other || (*usual)->outputs == (*other)->outputs) return std::nullopt;
  const auto is_to_blame = is_right ? becomes_right((*usual)->outputs, (*other)->outputs, is_right)
                                    : Result<bool>(false);
  if (!is_to_blame) return is_to_blame.error();
  if (*is_to_blame) narrowed->severity = Severity::error;
  narrowed->notes.push_back(
      {narrowed->place, *is_to_blame
                            ? "the results are wrong; with 32 bits in its place, they are right"
                            : "with 32 bits in its place, the results are others"});
  return std::nullopt;
}

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
  if (auto error = rerun_reversed(plan, program, reruns)) return *error;
  return std::optional(std::move(reruns));
}

}  // namespace msci

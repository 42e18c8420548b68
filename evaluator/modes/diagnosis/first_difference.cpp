#include "evaluator/modes/diagnosis/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/history/history.h"
#include "evaluator/strict/drawn_sizes.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

// Larger sizes take too long.
constexpr std::size_t most_bytes = std::size_t{32} << 20;
constexpr std::size_t most_records = std::size_t{1} << 22;
// Relative to the largest element of a buffer: right kernels differ by less in one launch.
constexpr double rounding = 2e-5;

// The plan of one size, for each of two kernels.
struct Setting {
  std::string label;
  std::function<Result<Plan>(const Translation&)> plan;
};

bool is_wrong_at(const std::vector<SizeResult>& results, const Size& size) {
  return std::ranges::any_of(results, [&](const SizeResult& result) {
    const auto* verdict = std::get_if<Verdict>(&result.answer);
    return result.label == size.label && verdict && !verdict->correct;
  });
}

// The sizes of a strict verdict that can be made again.
std::vector<Size> strict_sizes(const Task& task, const Translation& translation,
                               std::uint64_t nonce) {
  auto sizes = task.stress.sizes;
  constexpr unsigned random_sizes = 8;
  if (task.stress.random_size)
    for (unsigned i = 1; i <= random_sizes; ++i) sizes.push_back(fuzz_size(task, nonce, i));
  std::ranges::move(drawn_sizes(task, nonce, translation.numbers), std::back_inserter(sizes));
  return sizes;
}

// The wrong sizes of the strict verdict with their inputs; then the stress sizes, whose inputs make
// each term matter; then the small size and the wrong ones of the recorded verdict.
std::vector<Setting> settings_of(const Task& task, const EvaluationResult& result,
                                 const Translation& translation) {
  std::vector<Setting> settings;
  const auto add = [&](const Size& size) {
    settings.push_back(
        {size.label, [&task, size](const Translation& of) { return task.plan(size, of); }});
  };
  const auto add_strict = [&](const Size& size, std::uint64_t nonce) {
    settings.push_back({size.label, [&task, size, nonce](const Translation& of) {
                          return task.stress.plan(size, of, key_of(nonce, size.label, 0));
                        }});
  };
  if (result.strict)
    for (const auto& size : strict_sizes(task, translation, result.strict->nonce))
      if (is_wrong_at(result.strict->sizes, size)) add_strict(size, result.strict->nonce);
  for (const auto& size : task.stress.sizes) add_strict(size, 0);
  add(task.small);
  for (const auto& size : task.sizes)
    if (size.label != task.small.label && is_wrong_at(result.sizes(), size)) add(size);
  return settings;
}

// A kernel on the way through its launches.
struct Side {
  const Translation* translation = nullptr;
  Program* program = nullptr;
  Plan plan;
};

std::size_t bytes_of(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) bytes += buffer.bytes;
  return bytes;
}

// Buffers without contents hold the same for both kernels, which no kernel computes.
void make_comparable(Plan& plan) {
  constexpr std::byte unlikely{0x4B};
  plan.vary_slack = false;
  plan.variants = 0;
  plan.results.clear();
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    auto& buffer = plan.buffers[i];
    if (buffer.poison) buffer.initial = std::vector<std::byte>(buffer.bytes, unlikely);
    buffer.poison = false;
    buffer.reset = true;
    buffer.variants.clear();
    plan.results.push_back(i);
  }
}

bool fit_together(const Plan& one, const Plan& other) {
  const auto same = [](const auto& a, const auto& b, auto equal) {
    return std::ranges::equal(a, b, equal);
  };
  return same(one.buffers, other.buffers,
              [](const PlanBuffer& a, const PlanBuffer& b) {
                return a.name == b.name && a.bytes == b.bytes;
              }) &&
         same(one.launches, other.launches, [](const Launch& a, const Launch& b) {
           return a.kernel == b.kernel && a.grid == b.grid;
         });
}

std::optional<Outputs> outputs_of(Program& program, const Plan& plan) {
  const auto ran = program.run(plan, verify_only);
  const auto* run = ran ? std::get_if<Run>(&*ran) : nullptr;
  return run ? std::optional(run->outputs) : std::nullopt;
}

Plan first_launches(Plan plan, std::size_t count) {
  plan.launches.resize(count);
  return plan;
}

// That launch alone, with the contents that it finds.
Plan one_launch(Plan plan, std::size_t number, const Outputs& before) {
  plan.launches = {plan.launches[number]};
  for (std::size_t i = 0; i < before.size(); ++i) plan.buffers[i].initial = before[i];
  return plan;
}

// ---- elements

// The type of a buffer's elements in a launch; empty if it is unknown.
std::string buffer_type(std::size_t buffer, const Launch& launch, const Translation& translation) {
  const auto* kernel = translation.find(launch.kernel);
  if (!kernel) return "";
  for (const auto& argument : kernel->arguments)
    for (const auto& binding : launch.bindings)
      if (binding.buffer == buffer && argument.kind == ArgumentKind::buffer &&
          binds(binding, argument) && element_bytes(scalar_type(argument.type)))
        return argument.type;
  return "";
}

// By buffer, as the plan's first launch of each has it: "float4".
std::vector<std::string> types_of(const Side& side) {
  std::vector<std::string> types(side.plan.buffers.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    for (const auto& launch : side.plan.launches)
      if (types[i].empty()) types[i] = buffer_type(i, launch, *side.translation);
  return types;
}

struct Difference {
  std::size_t buffer = 0;
  std::size_t element = 0;
  double got = 0, expected = 0;
  std::vector<std::size_t> wrong = {};  // all elements of the buffer that are
};

// The first element that is about as far off as any of its buffer. The tasks do not compare the
// fourth component of a position.
std::optional<Difference> difference_in(std::size_t buffer, const std::string& full_type,
                                        const Bytes& got, const Bytes& expected) {
  const auto type = scalar_type(full_type);
  const auto counts = [&](std::size_t i) { return full_type != "float4" || i % 4 != 3; };
  const auto count = got.size() / element_bytes(type).value_or(got.size() + 1);
  const auto error = [&](std::size_t i) -> double {
    const auto a = get_element(type, got, i), b = get_element(type, expected, i);
    if (!counts(i)) return 0;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b) ? 0 : INFINITY;
    return a == b ? 0 : std::abs(a - b);
  };
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = std::abs(get_element(type, expected, i));
    if (counts(i) && std::isfinite(size)) largest = std::max(largest, size);
    worst = std::max(worst, error(i));
  }
  const auto tolerance = is_floating(type) ? largest * rounding : 0;
  if (worst <= tolerance) return std::nullopt;
  Difference found{.buffer = buffer};
  for (std::size_t i = 0; i < count; ++i)
    if (error(i) > tolerance) found.wrong.push_back(i);
  found.element = *std::ranges::find_if(
      found.wrong, [&](std::size_t i) { return error(i) >= worst / 2 || error(i) == worst; });
  found.got = get_element(type, got, found.element);
  found.expected = get_element(type, expected, found.element);
  return found;
}

std::optional<Difference> difference_of(const Outputs& got, const Outputs& expected,
                                        const std::vector<std::string>& types) {
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i)
    if (!types[i].empty() && got[i] != expected[i])
      if (auto found = difference_in(i, types[i], got[i], expected[i])) return found;
  return std::nullopt;
}

// ---- threads

unsigned side_of(unsigned group, unsigned grid, unsigned side) {
  return std::min(side, grid - std::min(grid, group * side));
}

// The position in the grid of a thread that records name by numbers.
Extent position_of(const Launch& launch, const history::Writer& writer) {
  const auto &grid = launch.grid, &side = launch.threadgroup;
  const auto across = (grid.x + side.x - 1) / side.x, down = (grid.y + side.y - 1) / side.y;
  const Extent group{writer.threadgroup % across, writer.threadgroup / across % down,
                     writer.threadgroup / across / down};
  const auto x = std::max(side_of(group.x, grid.x, side.x), 1U);
  const auto y = std::max(side_of(group.y, grid.y, side.y), 1U);
  return {group.x * side.x + writer.thread % x, group.y * side.y + writer.thread / x % y,
          group.z * side.z + writer.thread / x / y};
}

// The same thread in another launch: its threadgroup, and its number there.
std::pair<Extent, unsigned> place_in(const Launch& launch, const Extent& position) {
  const auto& side = launch.threadgroup;
  const Extent group{position.x / side.x, position.y / side.y, position.z / side.z};
  const auto x = side_of(group.x, launch.grid.x, side.x),
             y = side_of(group.y, launch.grid.y, side.y);
  return {group, (position.z % side.z * y + position.y % side.y) * x + position.x % side.x};
}

// ---- one launch of both kernels

class LaunchComparer {
 public:
  LaunchComparer(const Side& wrong, const Side& right, Device& device, const Difference& difference,
                 const std::vector<std::string>& types)
      : wrong_(wrong), right_(right), device_(device), difference_(difference), types_(types) {}

  std::optional<history::Cause> run() {
    const auto argument = argument_of(wrong_), right_argument = argument_of(right_);
    if (!argument || !right_argument) return std::nullopt;
    const auto writers = writers_in(wrong_, *argument),
               right_writers = writers_in(right_, *right_argument);
    const auto byte =
        difference_.element * element_bytes(scalar_type(types_[difference_.buffer])).value_or(1);
    const auto writer = writers.find(byte), right_writer = right_writers.find(byte);
    if (writer == writers.end() && right_writer == right_writers.end()) return std::nullopt;
    const auto should = right_writer != right_writers.end()
                            ? position_of(launch(right_), right_writer->second)
                            : position_of(launch(wrong_), writer->second);
    const auto does =
        writer != writers.end() ? position_of(launch(wrong_), writer->second) : should;
    const auto [group, thread] = place_in(launch(wrong_), does);
    auto recorded = record(wrong_, history::Recorded::everything, group);
    auto right_recorded =
        record(right_, history::Recorded::everything, place_in(launch(right_), should).first);
    if (!recorded || !right_recorded) return std::nullopt;
    const auto wrong = history::History::make(recorded->first, recorded->second);
    const auto right = history::History::make(right_recorded->first, right_recorded->second);
    if (!wrong || !right) return std::nullopt;
    history::Element element{*argument, *right_argument, byte, thread};
    for (const auto& each : kernel(wrong_).arguments) {
      element.buffers.push_back(each.name);
      element.element_bytes.push_back(element_bytes(scalar_type(each.type)).value_or(1));
    }
    auto cause =
        history::find_cause(*wrong, *right, element, have_same_threads(writers, right_writers));
    if (cause && cause->is_computation) return cause;
    for (const auto other : others_beside(writers, right_writers)) {
      element.byte = other;
      auto of_other = history::find_cause(*wrong, *right, element, false);
      if (of_other && of_other->is_computation && !of_other->lines.empty()) return of_other;
    }
    return cause;
  }

 private:
  static const Launch& launch(const Side& side) { return side.plan.launches.front(); }
  static const KernelSignature& kernel(const Side& side) {
    return *side.translation->find(launch(side).kernel);
  }

  std::optional<unsigned> argument_of(const Side& side) const {
    const auto* signature = side.translation->find(launch(side).kernel);
    if (!signature) return std::nullopt;
    for (unsigned i = 0; i < signature->arguments.size(); ++i)
      for (const auto& binding : launch(side).bindings)
        if (binding.buffer == difference_.buffer && binding.offset == 0 &&
            binds(binding, signature->arguments[i]) && !signature->arguments[i].constant)
          return i;
    return std::nullopt;
  }

  using Recorded = std::pair<history::RecordedKernel, std::vector<history::Record>>;
  std::optional<Recorded> record(const Side& side, history::Recorded what, const Extent& group) {
    auto made = history::record_values(*side.translation, launch(side).kernel, what);
    if (!made) return std::nullopt;
    auto built = device_.build(made->translation);
    auto* program = built ? std::get_if<std::unique_ptr<Program>>(&*built) : nullptr;
    if (!program) return std::nullopt;
    auto plan = side.plan;
    plan.execution.brief = true;
    auto room = history::empty_records(most_records, made->nodes.size(), group);
    const auto buffer = plan.add({.name = "records of values", .bytes = room.size()});
    plan.buffers[buffer].initial = std::move(room);
    plan.launches.front().bindings.push_back({.index = made->binding, .buffer = buffer});
    plan.results = {buffer};
    const auto outputs = outputs_of(**program, plan);
    if (!outputs || outputs->empty()) return std::nullopt;
    auto records = history::records_in(outputs->front());
    if (!records) return std::nullopt;
    return Recorded{*std::move(made), *std::move(records)};
  }

  std::map<std::size_t, history::Writer> writers_in(const Side& side, unsigned argument) {
    const auto recorded = record(side, history::Recorded::stores, {});
    if (!recorded) return {};
    return history::writers_of(recorded->first, recorded->second, argument);
  }

  // The bytes of some other wrong elements that the same threadgroups store.
  std::vector<std::size_t> others_beside(
      const std::map<std::size_t, history::Writer>& writers,
      const std::map<std::size_t, history::Writer>& right_writers) const {
    constexpr std::size_t most = 16;
    const auto size = element_bytes(scalar_type(types_[difference_.buffer])).value_or(1);
    const auto writer = writers.find(difference_.element * size);
    const auto right_writer = right_writers.find(difference_.element * size);
    std::vector<std::size_t> bytes;
    if (writer == writers.end() || right_writer == right_writers.end()) return bytes;
    for (const auto element : difference_.wrong) {
      const auto other = writers.find(element * size), right = right_writers.find(element * size);
      if (other != writers.end() && right != right_writers.end() && bytes.size() < most &&
          other->second.threadgroup == writer->second.threadgroup &&
          right->second.threadgroup == right_writer->second.threadgroup)
        bytes.push_back(element * size);
    }
    return bytes;
  }

  // Whether nearly all elements that both store are stored by the same threads.
  bool have_same_threads(const std::map<std::size_t, history::Writer>& writers,
                         const std::map<std::size_t, history::Writer>& right_writers) const {
    std::size_t both = 0, same = 0;
    for (const auto& [byte, writer] : writers) {
      const auto right = right_writers.find(byte);
      if (right == right_writers.end()) continue;
      ++both;
      same += position_of(launch(wrong_), writer) == position_of(launch(right_), right->second);
    }
    return same * 10 >= both * 9;
  }

  const Side& wrong_;
  const Side& right_;
  Device& device_;
  const Difference& difference_;
  const std::vector<std::string>& types_;
};

// ---- all launches

class DifferenceFinder {
 public:
  DifferenceFinder(Side wrong, Side right, Device& device, Clock::time_point until)
      : wrong_(std::move(wrong)), right_(std::move(right)), device_(device), until_(until) {}

  std::optional<FirstDifference> run(const std::string& label) {
    types_ = types_of(right_);
    const auto total = wrong_.plan.launches.size();
    if (!ignore_order_dependent() || !differs_after(total)) return std::nullopt;
    std::size_t right = 0, wrong = total;
    while (wrong - right > 1) {
      if (Clock::now() > until_) return std::nullopt;
      const auto middle = right + (wrong - right) / 2;
      (differs_after(middle) ? wrong : right) = middle;
    }
    const auto before = outputs_of(*right_.program, first_launches(right_.plan, right));
    if (!before) return std::nullopt;
    auto one = wrong_, other = right_;
    one.plan = one_launch(wrong_.plan, right, *before);
    other.plan = one_launch(right_.plan, right, *before);
    const auto got = outputs_of(*one.program, one.plan);
    const auto expected = outputs_of(*other.program, other.plan);
    const auto difference = got && expected ? difference_of(*got, *expected, types_) : std::nullopt;
    if (!difference) return std::nullopt;
    FirstDifference found{
        .size = label,
        .where = fmt::format("at size {}, launch {} of {} ({}) is the first that computes other "
                             "values than the task's own kernel: {}[{}] is {}, not {}",
                             label, wrong, total, one.plan.launches.front().kernel,
                             one.plan.buffers[difference->buffer].name, difference->element,
                             float_text(difference->got), float_text(difference->expected))};
    if (Clock::now() > until_) return found;
    if (auto cause = LaunchComparer(one, other, device_, *difference, types_).run()) {
      found.lines = std::move(cause->lines);
      std::ranges::sort(found.lines);
      found.cause = std::move(cause->words);
    }
    return found;
  }

 private:
  // Leaves out buffers in which right results depend on the order of the threads, such as lists
  // that atomic counters fill. False if the kernel does not run.
  bool ignore_order_dependent() {
    auto reversed = right_.plan;
    reversed.execution = {.order = Execution::Order::reversed, .lane_by_lane = true};
    const auto one = outputs_of(*right_.program, right_.plan);
    const auto other = outputs_of(*right_.program, reversed);
    if (!one || !other) return false;
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (!types_[i].empty() && difference_in(i, types_[i], (*one)[i], (*other)[i]))
        types_[i].clear();
    return true;
  }

  bool differs_after(std::size_t launches) {
    const auto got = outputs_of(*wrong_.program, first_launches(wrong_.plan, launches));
    const auto expected = outputs_of(*right_.program, first_launches(right_.plan, launches));
    return got && expected && difference_of(*got, *expected, types_);
  }

  const Side wrong_, right_;
  Device& device_;
  const Clock::time_point until_;
  std::vector<std::string> types_;
};

const Translation* translation_in(const Result<Compiled>& compiled) {
  return compiled && compiled->translation ? &*compiled->translation : nullptr;
}

std::unique_ptr<Program> program_of(const Translation& translation, Device& device) {
  auto built = device.build(translation);
  auto* program = built ? std::get_if<std::unique_ptr<Program>>(&*built) : nullptr;
  return program ? std::move(*program) : nullptr;
}

}  // namespace

std::optional<FirstDifference> find_first_difference(const Candidate& candidate,
                                                     const Candidate& seed, const Task& task,
                                                     const EvaluationResult& result,
                                                     Device& processor, Clock::time_point until) {
  if (!candidate.compile_for || !seed.compile_for) return std::nullopt;
  const auto compiled = candidate.compile_for(TranslationPurpose::numerics, {});
  const auto right_compiled = seed.compile_for(TranslationPurpose::numerics, {});
  const auto *wrong = translation_in(compiled), *right = translation_in(right_compiled);
  if (!wrong || !right) return std::nullopt;
  const auto program = program_of(*wrong, processor), right_program = program_of(*right, processor);
  if (!program || !right_program) return std::nullopt;
  for (const auto& setting : settings_of(task, result, *wrong)) {
    if (Clock::now() > until) return std::nullopt;
    auto plan = setting.plan(*wrong), right_plan = setting.plan(*right);
    if (!plan || !right_plan || bytes_of(*plan) > most_bytes || !fit_together(*plan, *right_plan))
      continue;
    make_comparable(*plan);
    make_comparable(*right_plan);
    DifferenceFinder finder({wrong, program.get(), *std::move(plan)},
                            {right, right_program.get(), *std::move(right_plan)}, processor, until);
    if (auto found = finder.run(setting.label)) return found;
  }
  return std::nullopt;
}

}  // namespace msci

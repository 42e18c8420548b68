#include "engine/device/plan_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <list>
#include <random>
#include <set>

#include "analysis/check/check_memory.h"
#include "analysis/check/unstored_elements.h"
#include "engine/device/pass_marks.h"
#include "engine/device/plan_buffers.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

constexpr std::size_t least_flush = std::size_t{64} << 20;  // drivers report less than there is
constexpr unsigned char flush_byte = 0xff;

// --- What checked kernels work on beside the plan's buffers

class Checks {
 public:
  Checks(Queue& queue, const Translation& translation, const Plan& plan)
      : queue_(queue),
        memory_(translation, plan),
        unstored_(memory_, plan),
        buffer_count_(plan.buffers.size()) {}

  std::optional<Error> allocate() {
    if (auto refusal = memory_.refusal()) return refusal;
    const auto log = allocate_words(CheckLog::words);
    if (!log) return log.error();
    const auto shadow = allocate_words(std::max<std::size_t>(1, memory_.shadow_words()));
    if (!shadow) return shadow.error();
    log_ = *log;
    shadow_ = *shadow;
    return clear(log_, CheckLog::words);
  }

  // Launches with different slots take different arguments.
  const LaunchSlot& slot(std::size_t launch) const { return memory_.slot(launch); }

  // Adds the parameters that check_layout.h describes, of the launch at that place of the plan.
  std::optional<Error> add_arguments(const Launch& launch, std::size_t number, bool loads_pointers,
                                     const PlanBuffers& buffers, std::vector<Argument>& arguments) {
    std::vector<CheckMemory::BufferAddress> addresses;
    for (std::size_t i = 0; i < buffer_count_; ++i) {
      addresses.push_back({.first_byte = buffers.first_byte(i)});
      if (!loads_pointers) continue;
      const auto address = queue_.address(buffers.memory(i));
      if (!address) return while_doing("finding where the buffers lie", address.error());
      addresses.back().address = *address;
    }
    const auto& words = objects_.emplace_back(memory_.objects(number, launches_.size(), addresses));
    launches_.push_back({&launch, slot(number)});
    const auto objects = allocate_words(words.size());
    if (!objects) return objects.error();
    if (auto error = while_doing("writing the tables of the checks",
                                 queue_.write(*objects, 0, std::as_bytes(std::span(words)))))
      return error;
    const auto group_words = std::max<std::size_t>(1, memory_.group_shadow_words(launch));
    arguments.insert(arguments.end(),
                     {log_, shadow_, ThreadgroupBytes{group_words * sizeof(std::uint64_t)},
                      *objects, slot(number).number + 1});
    return std::nullopt;
  }

  // Before the launch: the shadow cannot distinguish launches with the same number.
  std::optional<Error> prepare_for(std::size_t launch) {
    if (launch == 0) unstored_.begin_pass();
    if (slot(launch).number != 0 || !slot(launch).is_first) return std::nullopt;
    if (launch > 0)
      if (auto error = take_stored(launch)) return error;
    first_in_shadow_ = launch;
    return clear(shadow_, memory_.shadow_words());
  }

  // Whether kernels left infinity or NaN in a buffer of floats.
  std::optional<Error> find_not_finite(const PlanBuffers& buffers, const Plan& plan, Run& run) {
    for (std::size_t i = 0; i < buffer_count_; ++i) {
      const auto type = memory_.float_type_of(i);
      if (type.empty() || run.checks.has_not_finite) continue;
      std::vector<std::byte> contents(plan.buffers[i].bytes);
      if (auto error = while_doing("reading a result of the checks",
                                   queue_.read(buffers.memory(i), buffers.first_byte(i), contents)))
        return error;
      const auto count = contents.size() / *element_bytes(type);
      for (std::size_t j = 0; j < count && !run.checks.has_not_finite; ++j)
        run.checks.has_not_finite = !std::isfinite(get_element(type, contents, j));
    }
    return std::nullopt;
  }

  // After the last launch of the last pass: what no thread stored.
  std::optional<Error> find_unstored(std::size_t launches, Run& run) {
    if (launches == 0 || !unstored_.looks_for_any()) return std::nullopt;
    if (auto error = take_stored(launches)) return error;
    for (auto& fault : unstored_.faults()) run.checks.faults.push_back(std::move(fault));
    return std::nullopt;
  }

  // What the log says.
  std::optional<Error> report(Run& run) const {
    std::vector<std::uint64_t> log(CheckLog::words);
    const auto bytes = std::as_writable_bytes(std::span(log));
    if (auto error = while_doing("reading the log of the checks", queue_.read(log_, 0, bytes)))
      return error;
    run.checks = memory_.decode(log, launches_);
    return std::nullopt;
  }

 private:
  // The shadow as the launches before `end` left it since it was cleared.
  std::optional<Error> take_stored(std::size_t end) {
    if (!unstored_.looks_for_any()) return std::nullopt;
    std::vector<std::uint64_t> shadow(memory_.shadow_words());
    const auto bytes = std::as_writable_bytes(std::span(shadow));
    if (auto error =
            while_doing("reading the shadow memory of the checks", queue_.read(shadow_, 0, bytes)))
      return error;
    unstored_.take(shadow, first_in_shadow_, end);
    return std::nullopt;
  }

  Result<DeviceMemory> allocate_words(std::size_t words) {
    const auto bytes = words * sizeof(std::uint64_t);
    auto memory = queue_.allocate_hidden(bytes);
    if (memory) return memory;
    return Error{
        fmt::format("the device cannot give {} bytes for checks ({}); a smaller size needs less",
                    bytes, memory.error().message)};
  }

  std::optional<Error> clear(DeviceMemory memory, std::size_t words) {
    if (words == 0) return std::nullopt;
    return while_doing("clearing the shadow memory of the checks",
                       queue_.fill(memory, 0, words * sizeof(std::uint64_t), 0));
  }

  Queue& queue_;
  CheckMemory memory_;
  UnstoredElements unstored_;
  std::size_t first_in_shadow_ = 0;  // launch since the shadow was cleared
  std::size_t buffer_count_;
  DeviceMemory log_;
  DeviceMemory shadow_;
  std::list<std::vector<std::uint64_t>> objects_;  // a write reads them until the next finish()
  std::vector<Dispatch> launches_;                 // by the numbers in the log
};

// --- The passes of a plan

class PlanRunner {
 public:
  PlanRunner(Queue& queue, const Translation& translation, const Plan& plan,
             const RunMemory& memory)
      : queue_(queue),
        translation_(translation),
        plan_(plan),
        buffers_(queue, translation, plan, memory) {}

  Result<Attempt<Run>> run(Repeats repeats) {
    if (auto error = prepare(repeats)) return *error;
    Run run;
    if (auto stop = take_timed_passes(repeats, run)) return *stop;
    if (auto stop = take_untimed_passes(run)) return with_faults(*std::move(stop), run);
    if (repeats.timed > 0 && !run.timed_outputs) run.timed_outputs = run.outputs;
    run.counts = queue_.counts();
    if (checks_) {
      if (auto error = checks_->report(run)) return *error;
      if (auto error = checks_->find_unstored(plan_.launches.size(), run)) return *error;
      if (auto error = checks_->find_not_finite(buffers_, plan_, run)) return *error;
    }
    return Attempt<Run>{std::move(run)};
  }

 private:
  // A launch of the plan as the queue knows it. Equal launches share one, unless they may overlap.
  struct Prepared {
    const Launch* launch = nullptr;
    LaunchSlot slot;  // of a checked launch
    PreparedLaunch prepared;
  };

  std::optional<Error> prepare(Repeats repeats) {
    if (auto error = buffers_.allocate()) return error;
    if (translation_.is_checked())
      if (auto error = checks_.emplace(queue_, translation_, plan_).allocate()) return error;
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      const auto prepared = find_or_prepare(i);
      if (!prepared) return prepared.error();
      launches_.push_back(*prepared);
    }
    const bool is_read = !plan_.results.empty() || repeats.timed > 0;
    if (plan_.execution.counted && !is_read) queue_.count_alone();
    return repeats.cold ? allocate_flush() : std::nullopt;
  }

  Result<PreparedLaunch> find_or_prepare(std::size_t number) {
    const auto& launch = plan_.launches[number];
    const auto slot = checks_ ? checks_->slot(number) : LaunchSlot{};
    const auto same = std::find_if(known_.begin(), known_.end(), [&](const Prepared& each) {
      return !slot.is_shared && !each.slot.is_shared && each.slot.number == slot.number &&
             *each.launch == launch;
    });
    if (same != known_.end()) return same->prepared;
    const auto& signature = *translation_.find(launch.kernel);
    auto arguments = arguments_of(launch, signature);
    if (checks_)
      if (auto error = checks_->add_arguments(launch, number, signature.anywhere.has_value(),
                                              buffers_, arguments))
        return *error;
    const auto prepared =
        queue_.prepare(signature.symbol, launch.grid, launch.threadgroup, arguments);
    if (!prepared) return *while_doing("preparing " + launch.kernel, prepared.error());
    known_.push_back({&launch, slot, *prepared});
    return *prepared;
  }

  // The calling convention of program.h; refuse_launch() made sure that every argument is bound.
  std::vector<Argument> arguments_of(const Launch& launch, const KernelSignature& signature) const {
    std::vector<Argument> arguments;
    for (const auto& argument : signature.arguments) {
      if (is_device_memory(argument.kind)) {
        for (const auto& binding : launch.bindings)
          if (binds(binding, argument))
            arguments.insert(arguments.end(),
                             {buffers_.memory(binding.buffer),
                              std::uint64_t{buffers_.first_byte(binding.buffer) + binding.offset}});
      } else {
        for (const auto& memory : launch.threadgroup_memory)
          if (memory.index == argument.index)
            arguments.push_back(ThreadgroupBytes{memory.bytes + (checks_ ? redirect_bytes : 0)});
      }
    }
    for (const std::uint32_t extent :
         {launch.grid.x, launch.grid.y, launch.grid.z, launch.threadgroup.x, launch.threadgroup.y,
          launch.threadgroup.z})
      arguments.push_back(extent);
    return arguments;
  }

  // Twice the last cache's size, so that writing it drives out everything else.
  std::optional<Error> allocate_flush() {
    flush_bytes_ = std::max(2 * queue_.cache_bytes(), least_flush);
    const auto memory = queue_.allocate_hidden(flush_bytes_);
    if (!memory) return while_doing("a buffer to empty caches with", memory.error());
    flush_ = *memory;
    return std::nullopt;
  }

  // Outside of the timed window.
  std::optional<Error> reset(std::size_t variant) {
    if (auto error = buffers_.reset(variant)) return error;
    queue_.overwrite_other_memory();
    if (flush_bytes_ > 0)
      if (auto error =
              while_doing("emptying the caches", queue_.fill(flush_, 0, flush_bytes_, flush_byte)))
        return error;
    if (const auto failure = queue_.finish())
      return Error{"resetting the buffers: " + failure->message};
    return std::nullopt;
  }

  // What ends a run before its end: an Error, or the kernel's Failure.
  using Stop = std::optional<Result<Attempt<Run>>>;

  // What a checked kernel did wrong before the time limit or a guard stopped it is the answer: a
  // number that it read outside a buffer may well count its iterations.
  Result<Attempt<Run>> with_faults(Result<Attempt<Run>> stop, Run& run) {
    const auto* failure = stop ? std::get_if<Failure>(&*stop) : nullptr;
    const bool has_log = failure && (failure->cause == Failure::Cause::time_out ||
                                     failure->cause == Failure::Cause::outside);
    if (!checks_ || !has_log) return stop;
    if (auto error = checks_->report(run)) return *error;
    if (run.checks.faults.empty()) return stop;
    run.checks.coverage = translation_.marked;  // which lines it would have reached is unknown
    auto results = buffers_.keep_results();
    if (!results) return results.error();
    run.outputs = *std::move(results);
    return Attempt<Run>{std::move(run)};
  }

  // Warm-up and timed passes. The results of each timed pass are kept unless an earlier pass with
  // the same inputs had them, too: the untimed passes decide which of them deviate.
  Stop take_timed_passes(Repeats repeats, Run& run) {
    Stopping stopping(repeats);
    // Of the passes with the plan's own inputs, each is equally likely to be the one passed on.
    std::mt19937_64 random{std::random_device{}()};
    const auto draw = [&](std::size_t count) { return random() % count; };
    const auto most = most_deviations(plan_, repeats);
    std::size_t own_passes = 0;
    while (stopping.wants_another() && run.deviations.size() < most) {
      const auto timed_before = stopping.timed().size();
      const auto variant = draw_variant(draw);
      const auto seconds = run_pass(variant);
      if (!seconds) return seconds.error();
      if (auto* failure = std::get_if<Failure>(&*seconds)) return Attempt<Run>{*failure};
      stopping.add(std::get<double>(*seconds));
      if (auto stop = inspect(run)) return stop;
      if (stopping.timed().size() == timed_before) continue;  // a warm-up pass
      const auto number = find_or_keep(variant, run.deviations);
      if (!number) return number.error();
      if (variant == 0 && draw(++own_passes) == 0)
        run.timed_outputs = run.deviations[*number].outputs;
    }
    run.seconds = stopping.timed();
    return std::nullopt;
  }

  // Few passes have the plan's own inputs, which a kernel could recognise and be fast for: the
  // median is that of the others.
  std::size_t draw_variant(const std::function<std::size_t(std::size_t)>& draw) const {
    constexpr std::size_t least_share = 4;
    if (plan_.variants == 0 || draw(std::max(least_share, 1 + plan_.variants)) == 0) return 0;
    return 1 + draw(plan_.variants);
  }

  // The place of the last pass's results among the kept ones; none if they are not there.
  Result<std::optional<std::size_t>> find_kept(std::size_t variant,
                                               const std::vector<VariantOutputs>& kept) const {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (kept[i].variant != variant) continue;
      const auto same = buffers_.has_results(kept[i].outputs);
      if (!same) return same.error();
      if (*same) return std::optional(i);
    }
    return std::optional<std::size_t>();
  }

  Result<std::size_t> find_or_keep(std::size_t variant, std::vector<VariantOutputs>& kept) {
    const auto number = find_kept(variant, kept);
    if (!number) return number.error();
    if (*number) return **number;
    auto results = buffers_.keep_results();
    if (!results) return results.error();
    kept.push_back({variant, *std::move(results)});
    return kept.size() - 1;
  }

  // One pass of each variant that was drawn, after all timed ones, so that no timed pass can know
  // their results; the plan's own inputs come last.
  Stop take_untimed_passes(Run& run) {
    std::set<std::size_t> drawn;
    for (const auto& each : run.deviations) drawn.insert(each.variant);
    drawn.erase(0);
    for (const auto variant : drawn)
      if (auto stop = take_untimed_pass(run, run.variants.emplace_back(variant))) return stop;
    VariantOutputs own;
    if (auto stop = take_untimed_pass(run, own)) return stop;
    run.outputs = std::move(own.outputs);
    return std::nullopt;
  }

  Stop take_untimed_pass(Run& run, VariantOutputs& to) {
    const auto verified = run_pass(to.variant);
    if (!verified) return verified.error();
    if (auto* failure = std::get_if<Failure>(&*verified)) return Attempt<Run>{*failure};
    if (auto stop = inspect(run)) return stop;
    const auto same = find_kept(to.variant, run.deviations);
    if (!same) return same.error();
    if (*same) {  // that timed pass does not deviate, and its results serve for both
      const auto timed = run.deviations.begin() + static_cast<std::ptrdiff_t>(**same);
      to.outputs = std::move(timed->outputs);
      run.deviations.erase(timed);
      return std::nullopt;
    }
    auto results = buffers_.keep_results();
    if (!results) return results.error();
    to.outputs = *std::move(results);
    return std::nullopt;
  }

  // One pass, and its device time in seconds.
  Result<Attempt<double>> run_pass(std::size_t variant) {
    if (auto error = reset(variant)) return *error;
    if (auto error = prepare_checks(0)) return *error;
    mark_pass();
    const auto failed = run_launches();
    mark_pass();  // also of a pass that is repeated
    if (failed) return *failed;
    return Attempt<double>{launches_.empty() ? 0 : queue_.seconds()};
  }

  // What ended them before their end.
  std::optional<Result<Attempt<double>>> run_launches() {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      if (i > 0)
        if (auto error = prepare_checks(i)) return *error;
      const Timestamps record = {.start = i == 0, .end = i + 1 == launches_.size()};
      if (const auto failure = queue_.launch(launches_[i], record))
        return failed(plan_.launches[i].kernel, *failure);
    }
    if (const auto failure = queue_.finish()) return failed("the pass", *failure);
    return std::nullopt;
  }

  // Before the launch at that place of the plan.
  std::optional<Error> prepare_checks(std::size_t launch) {
    return checks_ && launch < launches_.size() ? checks_->prepare_for(launch) : std::nullopt;
  }

  static Result<Attempt<double>> failed(std::string_view what, const Failure& failure) {
    return Attempt<double>{Failure{failure.cause, fmt::format("{}: {}", what, failure.message)}};
  }

  // What the last pass did to memory that it must not change. The slack differs from pass to pass,
  // and with it whether a kernel writes there.
  Stop inspect(Run& run) {
    const auto changed = buffers_.find_changed_constant(run.changed_inputs);
    if (!changed) return changed.error();
    if (*changed) return Attempt<Run>{**changed};
    if (auto error = buffers_.find_overruns(run.overruns)) return *error;
    return std::nullopt;
  }

  Queue& queue_;
  const Translation& translation_;
  const Plan& plan_;
  PlanBuffers buffers_;
  std::optional<Checks> checks_;
  std::vector<Prepared> known_;
  std::vector<PreparedLaunch> launches_;  // of one pass, in order
  DeviceMemory flush_;
  std::size_t flush_bytes_ = 0;  // 0 unless passes are cold
};

// What Metal allows and this device does not: not the kernel's fault. The plan has no launch that
// refuse_plan() refuses.
std::optional<Error> exceeds_device(const Translation& translation, const Plan& plan,
                                    const DeviceInfo& info) {
  for (const auto& launch : plan.launches) {
    if (launch.threadgroup.count() > info.max_threads_per_threadgroup)
      return Error{fmt::format("{} needs {} threads per threadgroup; {} has at most {}",
                               launch.kernel, launch.threadgroup.count(), info.name,
                               info.max_threads_per_threadgroup)};
    const auto bytes = threadgroup_bytes(*translation.find(launch.kernel), launch);
    if (info.threadgroup_memory > 0 && bytes > info.threadgroup_memory)
      return Error{fmt::format("{} needs {} bytes of threadgroup memory; {} has at most {}",
                               launch.kernel, bytes, info.name, info.threadgroup_memory)};
  }
  for (const auto& buffer : plan.buffers)
    if (slack_before(buffer.bytes) + buffer.bytes + slack_after(buffer.bytes) > info.max_buffer)
      return Error{fmt::format("buffer {} needs {} bytes; {} has at most {} for one", buffer.name,
                               buffer.bytes, info.name, info.max_buffer)};
  return std::nullopt;
}

}  // namespace

std::size_t most_deviations(const Plan& plan, Repeats repeats) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  constexpr std::size_t least = 4, most = 64;
  if (repeats.timed == 0) return 0;
  std::size_t bytes = 1;
  for (const auto result : plan.results) bytes += plan.buffers[result].bytes;
  return std::clamp(most_bytes / bytes, least, most);
}

RunMemory private_memory() {
  return {.keep = [](auto contents) { return Bytes(contents.begin(), contents.end()); },
          .forget = [] {}};
}

Result<Attempt<Run>> run_plan(Queue& queue, const Translation& translation, const Plan& plan,
                              Repeats repeats, const RunMemory& memory) {
  return PlanRunner(queue, translation, plan, memory).run(repeats);
}

Result<Attempt<Run>> QueueProgram::run_in(const RunMemory& memory, const Plan& plan,
                                          Repeats repeats) {
  if (auto failure = refuse_plan(translation_, plan)) return Attempt<Run>{*failure};
  if (auto error = exceeds_device(translation_, plan, info_)) return *error;
  bool must_repeat = false;
  {
    auto ran = run_once(memory, plan, repeats, must_repeat);
    if (!must_repeat) return ran;
  }
  memory.forget();
  return run_once(memory, plan, repeats, must_repeat);
}

Result<Attempt<Run>> QueueProgram::run_once(const RunMemory& memory, const Plan& plan,
                                            Repeats repeats, bool& must_repeat) {
  const auto opened = open_queue(plan, must_repeat);
  if (!opened) return opened.error();
  if (const auto* failure = std::get_if<Failure>(&*opened)) return Attempt<Run>{*failure};
  auto& queue = *std::get<std::unique_ptr<Queue>>(*opened);
  auto ran = run_plan(queue, translation_, plan, repeats, memory);
  must_repeat = queue.must_repeat();
  return ran;
}

}  // namespace msci

// msci-eval: runs kernels on a task and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/files/write_file.h"
#include "driver/tools.h"
#include "evaluator/batch.h"
#include "evaluator/candidate.h"
#include "evaluator/checked_run.h"
#include "evaluator/device/worker.h"
#include "evaluator/device_list.h"
#include "evaluator/eval_options.h"
#include "evaluator/gate.h"
#include "evaluator/plan/plan_file.h"
#include "evaluator/progress.h"
#include "evaluator/proof.h"
#include "evaluator/result/result_text.h"
#ifdef MSCI_FRONTEND
#include "rules/rules.h"
#endif

namespace msci {
namespace {

constexpr int all_right = 0;
constexpr int not_right = 1;
constexpr int could_not_check = 2;

int report_error(const Error& error) {
  fmt::print(stderr, "msci-eval: {}\n", error.message);
  return could_not_check;
}

// A build without the front end reads no Metal, so it has no rules.
GateRules gate_rules() {
#ifdef MSCI_FRONTEND
  return all_rules();
#else
  return {};
#endif
}

// The tasks of those names; "all" names all of them.
Result<std::vector<const Task*>> find_tasks(const std::vector<std::string>& names) {
  std::vector<const Task*> tasks;
  for (const auto& name : names) {
    if (name == "all") return std::vector<const Task*>(all_tasks().begin(), all_tasks().end());
    const auto task = find_task(name);
    if (!task) return task.error();
    if (std::find(tasks.begin(), tasks.end(), *task) == tasks.end()) tasks.push_back(*task);
  }
  return tasks;
}

// What the options and, of a plan, its task say about translating files.
Specialisation specialisation_of(const EvaluatorOptions& options, const Task* task = nullptr) {
  Specialisation specialisation{.kernels = options.kernels};
  if (task && !options.plan.empty()) {
    for (const auto& kernel : task->kernels) specialisation.launched.push_back(kernel.name);
    specialisation.constants = task->constants;
  }
  for (const auto& each : options.constants) {
    const auto at = each.find('=');
    specialisation.constants[each.substr(0, at)] = each.substr(at + 1);
  }
  return specialisation;
}

int emit(const EvaluatorOptions& options) {
  const auto& file = options.files.front();
  const auto prepared = candidate_of(file, gate_rules(), specialisation_of(options)).prepared;
  if (!prepared) return report_error(prepared.error());
  if (!prepared->translation) {
    fmt::print(stderr, "msci-eval: {}: {}\n", file, prepared->rejection);
    return not_right;
  }
  for (const auto& [name, reason] : prepared->translation->refused)
    fmt::print(stderr, "msci-eval: warning: {}: {}\n", file, reason);
  std::fputs(to_program_file(*prepared->translation).c_str(), stdout);
  return all_right;
}

// Whether the recorded verdict alone accepts the kernel: the strict verdict or a timed pass
// disagrees.
bool only_recorded(const EvaluationResult& result, const Scored& scored) {
  return (result.strict && !result.strict->passed) ||
         std::any_of(scored.sizes.begin(), scored.sizes.end(),
                     [](const SizeResult& size) { return !size.timed_correct.value_or(true); });
}

// With `strict`, the recorded verdict alone is not enough.
int exit_status(const EvaluationResult& result, bool strict) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return could_not_check;
  const auto* scored = std::get_if<Scored>(outcome);
  const bool right = scored && (!scored->held_out || scored->held_out->correct());
  return right && !(strict && only_recorded(result, *scored)) ? all_right : not_right;
}

bool wants_colour() { return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

// Prints the result of one file on one task; returns the exit status.
int print(const EvaluationResult& result, bool json, bool strict) {
  if (const auto* error = std::get_if<Error>(&result.result)) report_error(*error);
  if (json)
    std::fputs((to_json(result) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(result.result))
    fmt::print("{}", to_text(result, wants_colour()));
  std::fflush(stdout);
  return exit_status(result, strict);
}

using Written = Result<std::monostate>;

// The timing of the candidate beside the task's seed, which is evaluated here.
Written write_perf_result(const EvaluatorOptions& options, const Outcome& outcome,
                          const Candidate& candidate, const Task& task,
                          const EvaluationContext& context, const Assignment& assignment) {
  const auto seed = seed_of(task, gate_rules());
  const auto seed_result = judge(seed, &task, context, assignment);
  if (const auto* error = std::get_if<Error>(&seed_result.result)) return *error;
  const auto result =
      perf_result(task, *candidate.prepared->translation, outcome, *seed.prepared->translation,
                  std::get<Outcome>(seed_result.result), candidate.hash, seed_result.device,
                  assignment.protocol.repeats);
  return write_file(options.perf_result, to_json(result));
}

// Writes the files of --verify-result and --perf-result.
Written write_proof(const EvaluatorOptions& options, const EvaluationResult& result,
                    const Candidate& candidate, const Task& task, const EvaluationContext& context,
                    const Assignment& assignment) {
  const auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) return std::monostate();
  if (!options.verify_result.empty()) {
    const auto verified = verify_result(task, *outcome, candidate.hash, result.device);
    if (auto written = write_file(options.verify_result, to_json(verified)); !written)
      return written;
  }
  if (options.perf_result.empty() || !candidate.prepared->translation) return std::monostate();
  return write_perf_result(options, *outcome, candidate, task, context, assignment);
}

// Why --perf-result may not time the file; none with --skip-gate.
std::optional<Error> refuse_perf_result(const EvaluatorOptions& options) {
  if (options.perf_result.empty() || options.skip_gate) return std::nullopt;
  const auto source = read_source(options.files[0]);
  if (!source) return source.error();
  const auto beside = std::filesystem::path(options.perf_result).parent_path();
  const auto verified =
      options.verified.empty() ? (beside / "verify_result.json").string() : options.verified;
  return refuse_timing(verified, source->text);
}

// Checks the options of proofs, and removes the files that this run writes, so that an old file
// cannot pass for a new one.
std::optional<Error> prepare_proof(const EvaluatorOptions& options) {
  if (options.verify_result.empty() && options.perf_result.empty()) return std::nullopt;
  if (options.files.size() != 1 || options.tasks.size() != 1 || options.tasks[0] == "all")
    return Error{"--verify-result and --perf-result need one FILE and one --task"};
  if (auto refusal = refuse_perf_result(options)) return refusal;
  for (const auto& stale : {options.verify_result, options.perf_result})
    if (!stale.empty()) std::remove(stale.c_str());
  return std::nullopt;
}

// The kernel of --vs, ready to run.
Result<Candidate> read_rival(const std::string& name, const EvaluatorOptions& options,
                             const Task& task) {
  auto rival = name == "seed" ? seed_of(task, gate_rules())
                              : candidate_of(name, gate_rules(), specialisation_of(options, &task));
  if (!rival.prepared) return rival.prepared.error();
  if (!rival.prepared->translation)
    return Error{fmt::format("{} is refused, so --vs cannot compare with it: {}", rival.name,
                             rival.prepared->rejection)};
  return rival;
}

// How many kernels are judged in how much time.
class Throughput {
 public:
  void add(const PhaseTimes& times) { sum_ += times; }
  void kernel_done(bool was_run) { ++(was_run ? judged_ : refused_); }
  // Prints nothing about a single kernel.
  void print() const {
    if (judged_ + refused_ < 2) return;
    const double seconds = seconds_since(start_);
    fmt::print(stderr, "msci-eval: {} kernels judged{} in {:.1f} s, {:.1f} a minute; seconds: {}\n",
               judged_, refused_ > 0 ? fmt::format(" and {} refused", refused_) : "", seconds,
               60 * (judged_ + refused_) / seconds, to_text(sum_));
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  unsigned judged_ = 0;
  unsigned refused_ = 0;
  PhaseTimes sum_;
};

// The files; without any, the tasks' own kernels.
std::vector<CandidateOrigin> origins_of(const EvaluatorOptions& options,
                                        const std::vector<const Task*>& tasks) {
  std::vector<CandidateOrigin> origins;
  for (const auto& file : options.files) origins.push_back({.file = file});
  if (origins.empty())
    for (const auto* task : tasks) origins.push_back({.task = task});
  return origins;
}

// Whether reading sources ahead leaves all measurements undisturbed.
bool may_read_ahead(const std::vector<EvaluationContext>& contexts) {
  return std::all_of(contexts.begin(), contexts.end(), [](const EvaluationContext& context) {
    return !context.ceilings || context.device.info().kind != DeviceInfo::Kind::cpu;
  });
}

int evaluate_all(const EvaluatorOptions& options, Assignment assignment,
                 const std::vector<EvaluationContext>& contexts) {
  std::optional<Candidate> rival;
  if (!options.rival.empty()) {
    auto read = read_rival(options.rival, options, *assignment.tasks.front());
    if (!read) return report_error(read.error());
    assignment.rival = &rival.emplace(*std::move(read));
  }
  CandidateQueue queue(origins_of(options, assignment.tasks),
                       {.rules = gate_rules(),
                        .ahead = may_read_ahead(contexts),
                        .specialisation = specialisation_of(options, assignment.tasks.front())});
  Progress progress(queue.size());
  assignment.begins_size = [&](const Candidate& candidate, const Task& task,
                               std::string_view size) {
    progress.show(fmt::format("{} {} {}", candidate.name, task.name, size));
  };
  Throughput throughput;
  int status = all_right;
  const auto take_results = [&](const Candidate& candidate, const std::vector<TaskResult>& results,
                                const EvaluationContext& context) {
    progress.erase();
    throughput.add({.frontend = candidate.prepare_seconds});
    if (candidate.prepared) throughput.kernel_done(candidate.prepared->translation.has_value());
    for (const auto& [task, result] : results) {
      throughput.add(result.times);
      status = std::max(status, print(result, options.json, options.strict));
      if (!task) continue;
      const auto written = write_proof(options, result, candidate, *task, context, assignment);
      if (!written) status = std::max(status, report_error(written.error()));
    }
    progress.step_done();
  };
  judge_all(queue, assignment, contexts, take_results);
  throughput.print();
  return status;
}

// The checked mode: one pass at the task's small size, with every access checked.
std::variant<Checked, Rejected, Error> check_on(const Prepared& prepared, const Task* task,
                                                Device& device) {
  if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  if (auto refusal = refuse_pipelines(*task, *prepared.translation)) return *std::move(refusal);
  const auto plan = task->plan(task->small, *prepared.translation);
  if (!plan) return Rejected{Rejected::Stage::pipeline, plan.error().message};
  auto checked = check(*plan, *prepared.translation, device);
  if (!checked) return checked.error();
  return *std::move(checked);
}

CheckResult check_on(const Candidate& candidate, const Task* task, Device& device) {
  CheckResult result{.file = candidate.name, .device = device.info().name, .result = Error{}};
  if (task) {
    result.task = task->name;
    result.size = task->small.label;
  }
  if (!candidate.prepared) {
    result.result = candidate.prepared.error();
    return result;
  }
  result.diagnostics = candidate.prepared->diagnostics;
  result.result = check_on(*candidate.prepared, task, device);
  return result;
}

int print(const CheckResult& result, bool json) {
  const auto* error = std::get_if<Error>(&result.result);
  if (error) report_error(*error);
  if (json)
    fmt::print("{}\n", to_json(result));
  else if (!error)
    fmt::print("{}", to_text(result, wants_colour()));
  std::fflush(stdout);
  if (error) return could_not_check;
  const auto* checked = std::get_if<Checked>(&result.result);
  return checked && checked->clean() ? all_right : not_right;
}

int check_all(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
              Device& device) {
  CandidateQueue queue(origins_of(options, tasks),
                       {.rules = gate_rules(),
                        .checked = true,
                        .specialisation = specialisation_of(options, tasks.front())});
  Progress progress(queue.size());
  int status = all_right;
  while (const auto candidate = queue.take()) {
    for (const auto* task : tasks_of(*candidate, tasks)) {
      progress.show(candidate->name);
      const auto result = check_on(*candidate, task, device);
      progress.erase();
      status = std::max(status, print(result, options.json));
    }
    progress.step_done();
  }
  return status;
}

// The held-out gate for one incumbent.
int gate(const EvaluatorOptions& options, const Task& task, const EvaluationContext& context) {
  const bool has_file = !options.rival.empty() && options.rival != "seed";
  const auto rival = read_rival(has_file ? options.rival : "seed", options, task);
  if (!rival) return report_error(rival.error());
  const auto prepared =
      candidate_of(options.files.front(), gate_rules(), specialisation_of(options, &task)).prepared;
  if (!prepared) return report_error(prepared.error());
  auto result =
      prepared->translation
          ? run_gate(task, *rival->prepared->translation, *prepared->translation, context, {})
          : report_incorrect(task, context.device,
                             Rejected{Rejected::Stage::compile, prepared->rejection});
  if (!result) return report_error(result.error());
  if (has_file) result->rival = options.rival;
  fmt::print("{}", options.json ? to_json(*result) + "\n" : to_text(*result));
  return result->verdict == GateVerdict::generalises ? all_right : not_right;
}

Repeats find_protocol(std::string_view name) {
  return name == "metal-sci" ? metal_sci : name == "benchmark" ? benchmark : steady;
}

std::chrono::milliseconds time_limit(const EvaluatorOptions& options) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.time_limit));
}

using Devices = std::vector<std::unique_ptr<Device>>;

// Why several devices cannot time kernels at once: two kernels on one device disturb each other,
// and so does the host's work beside a kernel on the processor.
std::optional<Error> refuse_parallel_timing(const EvaluatorOptions& options,
                                            const Devices& devices) {
  if (options.verify_only || devices.size() == 1) return std::nullopt;
  std::set<std::pair<std::size_t, std::size_t>> places;
  for (const auto& device : devices) {
    const auto& info = device->info();
    if (info.kind == DeviceInfo::Kind::cpu)
      return Error{
          fmt::format("{} is a processor, which times one kernel at once; name one --device, or "
                      "add --verify-only",
                      info.name)};
    if (!places.emplace(info.platform_index, info.device_index).second)
      return Error{
          fmt::format("--device names {} twice, which would time two kernels at once; "
                      "--list-devices has indices",
                      info.name)};
  }
  return std::nullopt;
}

// The devices of --device; by default the first.
Result<Devices> open_devices(const EvaluatorOptions& options) {
  Devices devices;
  for (const auto& name : options.devices) {
    auto device = open_worker_device(name, {.run = time_limit(options)});
    if (!device) return device.error();
    devices.push_back(*std::move(device));
  }
  if (const auto refusal = refuse_parallel_timing(options, devices)) return *refusal;
  for (const auto& access : devices.front()->info().unsandboxed)
    fmt::print(stderr, "msci-eval: warning: this system cannot keep kernels from {}\n", access);
  return devices;
}

Protocol protocol_of(const EvaluatorOptions& options) {
  Protocol protocol{.repeats = options.verify_only ? verify_only : find_protocol(options.protocol),
                    .held_out = options.held_out,
                    .stop_at_wrong = options.stop_at_wrong,
                    .strict_nonce = options.nonce.empty() ? fresh_nonce()
                                                          : std::stoull(options.nonce, nullptr, 16),
                    .fuzz_sizes = options.fuzz_sizes};
  protocol.repeats.cold = options.cold;
  return protocol;
}

// One context a device, with the ceilings of the device unless nothing is timed.
Result<std::vector<EvaluationContext>> contexts_of(const EvaluatorOptions& options,
                                                   const Devices& devices, Cache& cache) {
  std::vector<EvaluationContext> contexts;
  for (const auto& device : devices) {
    auto& context = contexts.emplace_back(EvaluationContext{.device = *device, .cache = cache});
    if (options.verify_only) continue;
    const auto ceilings = find_ceilings(*device, cache);
    if (!ceilings) return ceilings.error();
    context.ceilings = *ceilings;
  }
  return contexts;
}

int run(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = prepare_proof(options)) return report_error(*refusal);
  const auto devices = open_devices(options);
  if (!devices) return report_error(devices.error());
  if (options.check) return check_all(options, tasks, *devices->front());
  Cache cache(user_cache_folder());
  const auto contexts = contexts_of(options, *devices, cache);
  if (!contexts) return report_error(contexts.error());
  const auto status =
      options.gate
          ? gate(options, *tasks.front(), contexts->front())
          : evaluate_all(options, {tasks, protocol_of(options), options.protocol}, *contexts);
  if (const auto problem = cache.first_error(); !problem.empty())
    fmt::print(stderr, "msci-eval: warning: {}\n", problem);
  return status;
}

// Why the options do not fit these tasks.
std::optional<Error> refuse(const EvaluatorOptions& options,
                            const std::vector<const Task*>& tasks) {
  const auto& task = *tasks.front();
  const bool wants_one = options.gate || options.check || !options.perf_result.empty();
  if (wants_one && options.devices.size() > 1)
    return Error{"--check, --gate and --perf-result need one --device"};
  if ((options.gate || !options.rival.empty()) && tasks.size() != 1)
    return Error{"--gate and --vs need one --task"};
  if (options.gate && options.files.size() != 1)
    return Error{"--gate needs one FILE, the best kernel of a search"};
  if ((options.gate || options.held_out) && !task.held_out)
    return Error{
        fmt::format("{} has no held-out size; add \"held_out\" beside \"sizes\"", options.plan)};
  const bool wants_seed = options.rival == "seed" || (options.gate && options.rival.empty());
  if (wants_seed && task.seed.empty())
    return Error{"a plan has no seed to compare with; name a kernel: --vs old.metal"};
  return std::nullopt;
}

int run_on(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = refuse(options, tasks)) return report_error(*refusal);
  return run(options, tasks);
}

int run_plan(const EvaluatorOptions& options) {
  if (options.files.empty()) return report_error({"--plan needs the FILE of a kernel"});
  const auto plan = read_plan_file(options.plan, time_limit(options));
  if (!plan) return report_error(plan.error());
  return run_on(options, {&(*plan)->task()});
}

int print_devices(bool json) {
  const auto devices = find_worker_devices();
  if (!devices) return report_error(devices.error());
  fmt::print("{}", json ? devices_json(*devices) : list_devices(*devices));
  return all_right;
}

// The status; an error if standard output could not be written.
int finished(int status) {
  if (const auto problem = flush_standard_output()) return report_error(*problem);
  return status;
}

int dispatch(const EvaluatorOptions& options) {
  if (options.list_devices) return print_devices(options.json);
  if (!options.emit.empty())
    return options.files.size() == 1
               ? emit(options)
               : report_error({"--emit needs one FILE; see msci-eval --help"});
  if (!options.plan.empty()) return run_plan(options);
  if (options.tasks.empty())
    return report_error(
        {"no --task given; msci-tasks lists the tasks, --task all selects all of them, and --plan "
         "reads a task of your own"});
  const auto tasks = find_tasks(options.tasks);
  if (!tasks) return report_error(tasks.error());
  return run_on(options, *tasks);
}

}  // namespace

int eval_main(int argc, char** argv) {
  EvaluatorOptions options;
  CLI::App app("Runs Metal compute kernels on a task, judges their results and scores their speed.",
               "msci-eval");
  declare(app, options);
  describe_itself(app);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return all_right;
  return finished(dispatch(options));
}

}  // namespace msci

// msci-eval: runs kernels on a task and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "evaluator/batch.h"
#include "evaluator/device/worker.h"
#include "evaluator/gate.h"
#include "evaluator/measure/elapsed.h"
#include "evaluator/options.h"
#include "evaluator/plan_file.h"
#include "evaluator/progress.h"
#include "evaluator/proof.h"
#include "evaluator/report.h"
#include "evaluator/subject.h"
#include "lint/command_line/pages.h"
#include "lint/command_line/parse.h"
#include "lint/metal/read_file.h"
#include "lint/standard_output.h"
#include "lint/write_file.h"

namespace msci {
namespace {

constexpr int all_right = 0;
constexpr int not_right = 1;
constexpr int could_not_check = 2;

int complain(const Error& error) {
  fmt::print(stderr, "msci-eval: {}\n", error.message);
  return could_not_check;
}

// The tasks of those names; "all" is a name for all of them.
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

int emit(const std::string& file) {
  const auto prepared = subject_of(file).prepared;
  if (!prepared) return complain(prepared.error());
  if (!prepared->translation) {
    fmt::print(stderr, "msci-eval: {}: {}\n", file, prepared->rejection);
    return not_right;
  }
  std::fputs(to_program_file(*prepared->translation).c_str(), stdout);
  return all_right;
}

// Whether nothing but the recorded verdict says that a kernel is right.
bool only_recorded(const EvaluationReport& report, const Scored& scored) {
  return (report.strict && !report.strict->passed()) ||
         std::any_of(scored.sizes.begin(), scored.sizes.end(),
                     [](const SizeOutcome& size) { return !size.timed_correct.value_or(true); });
}

// `strict` asks for more than the recorded verdict.
int status_of(const EvaluationReport& report, bool strict) {
  const auto* outcome = std::get_if<Outcome>(&report.result);
  if (!outcome) return could_not_check;
  const auto* scored = std::get_if<Scored>(outcome);
  const bool right = scored && (!scored->held_out || scored->held_out->correct());
  return right && !(strict && only_recorded(report, *scored)) ? all_right : not_right;
}

bool wants_colour() { return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

// Says what is to be said about one file on one task; the exit status.
int print(const EvaluationReport& report, bool json, bool strict) {
  if (const auto* error = std::get_if<Error>(&report.result)) complain(*error);
  if (json)
    std::fputs((to_json(report) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(report.result))
    fmt::print("{}", to_text(report, wants_colour()));
  std::fflush(stdout);
  return status_of(report, strict);
}

// Writes what --verify-result and --perf-result ask for.
Result<std::monostate> write_proof(const EvaluatorOptions& options, const EvaluationReport& report,
                                   const Subject& subject, const Task& task, const Bench& bench,
                                   const Assignment& assignment) {
  const auto* outcome = std::get_if<Outcome>(&report.result);
  if (!outcome) return std::monostate();
  if (!options.verify_result.empty()) {
    const auto result = verify_result(task, *outcome, subject.hash, report.device);
    if (auto written = write_file(options.verify_result, to_json(result)); !written) return written;
  }
  if (options.perf_result.empty() || !subject.prepared->translation) return std::monostate();
  const auto seed = seed_of(task);
  const auto seed_report = judge(seed, &task, bench, assignment);
  if (const auto* error = std::get_if<Error>(&seed_report.result)) return *error;
  const auto result =
      perf_result(task, *subject.prepared->translation, *outcome, *seed.prepared->translation,
                  std::get<Outcome>(seed_report.result), subject.hash, report.device,
                  assignment.protocol.repeats);
  return write_file(options.perf_result, to_json(result));
}

// Why nothing may be timed; and what a run is about to write is taken away before, so that no old
// file speaks for it.
std::optional<Error> check_proof(const EvaluatorOptions& options) {
  if (options.verify_result.empty() && options.perf_result.empty()) return std::nullopt;
  if (options.files.size() != 1 || options.tasks.size() != 1 || options.tasks[0] == "all")
    return Error{"--verify-result and --perf-result want one FILE and one --task"};
  if (!options.perf_result.empty() && !options.skip_gate) {
    const auto source = read_source(options.files[0]);
    if (!source) return source.error();
    const auto beside = std::filesystem::path(options.perf_result).parent_path();
    if (auto refusal = refuse_timing(
            options.verified.empty() ? (beside / "verify_result.json").string() : options.verified,
            source->text))
      return refusal;
  }
  for (const auto& stale : {options.verify_result, options.perf_result})
    if (!stale.empty()) std::remove(stale.c_str());
  return std::nullopt;
}

// What --vs names, ready to run.
Result<Subject> read_rival(const std::string& name, const Task& task) {
  auto rival = name == "seed" ? seed_of(task) : subject_of(name);
  if (!rival.prepared) return rival.prepared.error();
  if (!rival.prepared->translation)
    return Error{fmt::format("{} is refused, so nothing can be measured against it: {}", rival.name,
                             rival.prepared->rejection)};
  return rival;
}

// How fast many kernels are judged, and where the time goes.
class Pace {
 public:
  void add(const Effort& effort) { sum_ += effort; }
  void kernel_done(bool was_run) { ++(was_run ? judged_ : refused_); }
  // Says nothing of a single one.
  void tell() const {
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
  Effort sum_;
};

// What there is to judge: the files, or without any the tasks' own kernels.
std::vector<Origin> origins_of(const EvaluatorOptions& options,
                               const std::vector<const Task*>& tasks) {
  std::vector<Origin> origins;
  for (const auto& file : options.files) origins.push_back({.file = file});
  if (origins.empty())
    for (const auto* task : tasks) origins.push_back({.task = task});
  return origins;
}

// Whether reading sources would disturb nothing that is measured.
bool may_read_ahead(const std::vector<Bench>& benches) {
  return std::all_of(benches.begin(), benches.end(), [](const Bench& bench) {
    return !bench.ceilings || bench.device.info().kind != DeviceInfo::Kind::cpu;
  });
}

int evaluate_all(const EvaluatorOptions& options, Assignment assignment,
                 const std::vector<Bench>& benches) {
  std::optional<Subject> rival;
  if (!options.versus.empty()) {
    auto read = read_rival(options.versus, *assignment.tasks.front());
    if (!read) return complain(read.error());
    assignment.rival = &rival.emplace(*std::move(read));
  }
  SubjectLine line(origins_of(options, assignment.tasks), {.ahead = may_read_ahead(benches)});
  Progress progress(line.size());
  assignment.begins = [&](const Subject& subject, const Task& task, std::string_view size) {
    progress.doing(fmt::format("{} {} {}", subject.name, task.name, size));
  };
  Pace pace;
  int status = all_right;
  const auto tell = [&](const Subject& subject, const std::vector<Judged>& all,
                        const Bench& bench) {
    progress.erase();
    pace.add({.frontend = subject.prepare_seconds});
    if (subject.prepared) pace.kernel_done(subject.prepared->translation.has_value());
    for (const auto& [task, report] : all) {
      pace.add(report.effort);
      status = std::max(status, print(report, options.json, options.strict));
      if (!task) continue;
      const auto written = write_proof(options, report, subject, *task, bench, assignment);
      if (!written) status = std::max(status, complain(written.error()));
    }
    progress.step_done();
  };
  judge_all(line, assignment, benches, tell);
  pace.tell();
  return status;
}

// The checked mode: one pass at the task's small size, in which every access is watched.
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

CheckReport check_on(const Subject& subject, const Task* task, Device& device) {
  CheckReport report{.file = subject.name, .device = device.info().name, .result = Error{}};
  if (task) {
    report.task = task->name;
    report.size = task->small.label;
  }
  if (!subject.prepared) {
    report.result = subject.prepared.error();
    return report;
  }
  report.diagnostics = subject.prepared->diagnostics;
  report.result = check_on(*subject.prepared, task, device);
  return report;
}

int print(const CheckReport& report, bool json) {
  const auto* error = std::get_if<Error>(&report.result);
  if (error) complain(*error);
  if (json)
    fmt::print("{}\n", to_json(report));
  else if (!error)
    fmt::print("{}", to_text(report, wants_colour()));
  std::fflush(stdout);
  if (error) return could_not_check;
  const auto* checked = std::get_if<Checked>(&report.result);
  return checked && checked->findings.empty() && !checked->failure ? all_right : not_right;
}

int check_all(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
              Device& device) {
  SubjectLine line(origins_of(options, tasks), {.checked = true});
  Progress progress(line.size());
  int status = all_right;
  while (const auto subject = line.take()) {
    for (const auto* task : tasks_of(*subject, tasks)) {
      progress.doing(subject->name);
      const auto report = check_on(*subject, task, device);
      progress.erase();
      status = std::max(status, print(report, options.json));
    }
    progress.step_done();
  }
  return status;
}

// The held-out gate for one incumbent.
int gate(const EvaluatorOptions& options, const Task& task, const Bench& bench) {
  const bool has_file = !options.versus.empty() && options.versus != "seed";
  const auto rival = read_rival(has_file ? options.versus : "seed", task);
  if (!rival) return complain(rival.error());
  const auto prepared = subject_of(options.files.front()).prepared;
  if (!prepared) return complain(prepared.error());
  auto report =
      prepared->translation
          ? hold_gate(task, *rival->prepared->translation, *prepared->translation, bench, {})
          : report_incorrect(task, bench.device,
                             Rejected{Rejected::Stage::compile, prepared->rejection});
  if (!report) return complain(report.error());
  if (has_file) report->rival = options.versus;
  fmt::print("{}", options.json ? to_json(*report) + "\n" : to_text(*report));
  return report->verdict == GateVerdict::generalises ? all_right : not_right;
}

Repeats find_protocol(std::string_view name) {
  return name == "metal-sci" ? metal_sci : name == "benchmark" ? benchmark : steady;
}

std::chrono::milliseconds time_limit(const EvaluatorOptions& options) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.time_limit));
}

using Devices = std::vector<std::unique_ptr<Device>>;

// Why not all of them may be timed at once: kernels on one device, or on the processor that does
// all else, are in each other's way.
std::optional<Error> refuse_company(const EvaluatorOptions& options, const Devices& devices) {
  if (options.verify_only || devices.size() == 1) return std::nullopt;
  std::set<std::pair<std::size_t, std::size_t>> places;
  for (const auto& device : devices) {
    const auto& info = device->info();
    if (info.kind == DeviceInfo::Kind::cpu)
      return Error{
          fmt::format("{} is a processor, on which a kernel is timed alone; name one "
                      "--device, or add --verify-only",
                      info.name)};
    if (!places.emplace(info.platform_index, info.device_index).second)
      return Error{
          fmt::format("--device names {} twice, which would time two kernels at once; "
                      "--list-devices has indices",
                      info.name)};
  }
  return std::nullopt;
}

// Those that are named; the first where none is.
Result<Devices> open_devices(const EvaluatorOptions& options) {
  Devices devices;
  for (const auto& name : options.devices) {
    auto device = open_worker_device(name, {.run = time_limit(options)});
    if (!device) return device.error();
    devices.push_back(*std::move(device));
  }
  if (const auto refusal = refuse_company(options, devices)) return *refusal;
  for (const auto& thing : devices.front()->info().in_reach)
    fmt::print(stderr, "msci-eval: warning: this system cannot keep kernels from {}\n", thing);
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

int run(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = check_proof(options)) return complain(*refusal);
  const auto devices = open_devices(options);
  if (!devices) return complain(devices.error());
  if (options.check) return check_all(options, tasks, *devices->front());
  Cache cache(user_cache_folder());
  std::vector<Bench> benches;
  for (const auto& device : *devices) {
    auto& bench = benches.emplace_back(Bench{.device = *device, .cache = cache});
    if (options.verify_only) continue;
    const auto ceilings = find_ceilings(*device, cache);
    if (!ceilings) return complain(ceilings.error());
    bench.ceilings = *ceilings;
  }
  const auto status =
      options.gate
          ? gate(options, *tasks.front(), benches.front())
          : evaluate_all(options, {tasks, protocol_of(options), options.protocol}, benches);
  if (const auto complaint = cache.complaint(); !complaint.empty())
    fmt::print(stderr, "msci-eval: warning: {}\n", complaint);
  return status;
}

// What the options ask of these tasks and cannot have.
std::optional<Error> refuse(const EvaluatorOptions& options,
                            const std::vector<const Task*>& tasks) {
  const auto& task = *tasks.front();
  const bool wants_one = options.gate || options.check || !options.perf_result.empty();
  if (wants_one && options.devices.size() > 1)
    return Error{"--check, --gate and --perf-result want one --device"};
  if ((options.gate || !options.versus.empty()) && tasks.size() != 1)
    return Error{"--gate and --vs want one --task"};
  if (options.gate && options.files.size() != 1)
    return Error{"--gate wants one FILE, the kernel that a search ended with"};
  if ((options.gate || options.held_out) && !task.held_out)
    return Error{fmt::format(
        "{} names no held-out size; give it a \"held_out\" beside its \"sizes\"", options.plan)};
  const bool wants_seed = options.versus == "seed" || (options.gate && options.versus.empty());
  if (wants_seed && task.seed.empty())
    return Error{"a plan has no seed to compare with; name a kernel, as in --vs old.metal"};
  return std::nullopt;
}

int run_on(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = refuse(options, tasks)) return complain(*refusal);
  return run(options, tasks);
}

int run_plan(const EvaluatorOptions& options) {
  if (options.files.empty()) return complain({"--plan needs the FILE of a kernel"});
  const auto plan = read_plan_file(options.plan, time_limit(options));
  if (!plan) return complain(plan.error());
  return run_on(options, {&(*plan)->task()});
}

int print_devices(bool json) {
  const auto devices = find_worker_devices();
  if (!devices) return complain(devices.error());
  fmt::print("{}", json ? devices_json(*devices) : list_devices(*devices));
  return all_right;
}

// The status, where all that was said could be written.
int finished(int status) {
  if (const auto problem = flush_standard_output()) return complain(*problem);
  return status;
}

int dispatch(const EvaluatorOptions& options) {
  if (options.list_devices) return print_devices(options.json);
  if (!options.emit.empty())
    return options.files.size() == 1 ? emit(options.files.front())
                                     : complain({"--emit wants one FILE; see msci-eval --help"});
  if (!options.plan.empty()) return run_plan(options);
  if (options.tasks.empty())
    return complain(
        {"no --task given; msci-tasks lists them, --task all names them all, and --plan reads one "
         "of your own"});
  const auto tasks = find_tasks(options.tasks);
  if (!tasks) return complain(tasks.error());
  return run_on(options, *tasks);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::EvaluatorOptions options;
  CLI::App app("Runs Metal compute kernels on a task, judges their results and scores their speed.",
               "msci-eval");
  msci::declare(app, options);
  msci::describe_itself(app);
  const auto parsed = msci::parse_command_line(app, argc, argv);
  if (!parsed) return msci::complain(parsed.error());
  if (*parsed == msci::Parsed::answered) return msci::all_right;
  return msci::finished(msci::dispatch(options));
}

// msci-eval: runs kernels on a task and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "evaluator/bindings.h"
#include "evaluator/device/worker.h"
#include "evaluator/frontend.h"
#include "evaluator/gate.h"
#include "evaluator/options.h"
#include "evaluator/plan_file.h"
#include "evaluator/progress.h"
#include "evaluator/proof.h"
#include "evaluator/report.h"
#include "lint/command_line/pages.h"
#include "lint/metal/read_file.h"
#include "lint/standard_output.h"
#include "lint/write_file.h"

namespace msci {
namespace {

constexpr int all_right = 0;
constexpr int not_right = 1;
constexpr int could_not_check = 2;

constexpr const char* fits_no_task = "none of the tasks dispatches a kernel of this source";

int complain(const Error& error) {
  fmt::print(stderr, "msci-eval: {}\n", error.message);
  return could_not_check;
}

bool is_program_file(const Source& source) { return source.text.starts_with("/* msci-program"); }

// A source of either kind, on its way to a device.
Result<Prepared> prepare_any(const Source& source) {
  if (is_program_file(source)) {
    auto translation = from_program_file(source.text);
    if (!translation) return Error{source.name + ": " + translation.error().message};
    return Prepared{.translation = *std::move(translation)};
  }
#ifdef MSCI_FRONTEND
  return prepare_apart(source, prepare);
#else
  return Error{
      source.name +
      ": this build of msci-eval cannot read Metal; give it a translated program, printed by "
      "msci-eval --emit opencl in a build with MSCI_FRONTEND=ON"};
#endif
}

// Checks are made on the way from Metal to text.
Result<Prepared> prepare_any_checked(const Source& source) {
  if (is_program_file(source))
    return Error{source.name + ": --check needs the Metal source, not a translated program"};
#ifdef MSCI_FRONTEND
  return prepare_apart(source, prepare_checked);
#else
  return prepare_any(source);
#endif
}

Result<Prepared> read_and_prepare(const std::string& file) {
  const auto source = read_source(file);
  if (!source) return source.error();
  return prepare_any(*source);
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

// The tasks that dispatch a kernel of the translation's; the only one asked for, in any case.
std::vector<const Task*> fitting(const std::vector<const Task*>& tasks,
                                 const Translation& translation) {
  if (tasks.size() == 1) return tasks;
  std::vector<const Task*> fit;
  std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(fit), [&](const Task* task) {
    return std::any_of(task->kernels.begin(), task->kernels.end(),
                       [&](const auto& kernel) { return translation.find(kernel.name); });
  });
  return fit;
}

int emit(const EvaluatorOptions& options) {
  int status = all_right;
  for (const auto& file : options.files) {
    const auto prepared = read_and_prepare(file);
    if (!prepared) {
      status = complain(prepared.error());
    } else if (!prepared->translation) {
      fmt::print(stderr, "msci-eval: {}: {}\n", file, prepared->rejection);
      status = std::max(status, not_right);
    } else {
      std::fputs(to_program_file(*prepared->translation).c_str(), stdout);
    }
  }
  return status;
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

// One file, or one seed, and what became of it before any task.
struct Subject {
  std::string name;
  Result<Prepared> prepared;
  std::size_t source_bytes = 0;
  std::string hash = {};  // of the source
  double prepare_seconds = 0;
  bool is_seed = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Subject subject_of(const Source& source) {
  const auto start = std::chrono::steady_clock::now();
  Subject subject{source.name, prepare_any(source), source.text.size(), hash_of(source.text)};
  subject.prepare_seconds = seconds_since(start);
  return subject;
}

Subject subject_of(const std::string& file) {
  const auto source = read_source(file);
  if (!source) return {file, source.error()};
  return subject_of(*source);
}

Subject seed_of(const Task& task) {
  auto subject = subject_of({fmt::format("{}.metal", task.name), std::string(task.seed)});
  subject.is_seed = true;
  return subject;
}

// The most static threadgroup memory of the kernels that the task dispatches.
std::size_t threadgroup_bytes(const Task& task, const Translation& translation) {
  std::size_t most = 0;
  for (const auto& contract : task.kernels)
    if (const auto* kernel = translation.find(contract.name))
      most = std::max(most, kernel->threadgroup_bytes);
  return most;
}

// A subject on one of its tasks; on none where it fits none of several.
struct Evaluator {
  const Bench& bench;
  const Protocol& protocol;
  std::string_view protocol_name;
  const Subject* rival = nullptr;  // what all that is right is measured against

  EvaluationReport operator()(const Subject& subject, const Task* task) const {
    EvaluationReport report{
        .file = subject.name,
        .device = bench.device.info().name,
        .ceilings = bench.ceilings,
        .is_seed = subject.is_seed,
        .source_bytes = subject.source_bytes,
        .machine = bench.ceilings ? std::optional(machine_state()) : std::nullopt,
        .protocol = bench.ceilings ? protocol_name : "",
        .result = Error{}};
    if (task) {
      report.task = task->name;
      report.achieved_unit = task->unit;
      report.ceiling = task->ceiling;
    }
    if (!subject.prepared) {
      report.result = subject.prepared.error();
      return report;
    }
    report.diagnostics = subject.prepared->diagnostics;
    if (task && subject.prepared->translation) {
      report.threadgroup_bytes = threadgroup_bytes(*task, *subject.prepared->translation);
      report.misread = misread_buffers(*task, *subject.prepared->translation);
    }
    judge(*subject.prepared, task, report);
    if (rival && task) {
      const auto start = std::chrono::steady_clock::now();
      measure_against_rival(report, subject, *task);
      report.effort.turns = seconds_since(start);
    }
    return report;
  }

 private:
  void measure_against_rival(EvaluationReport& report, const Subject& subject,
                             const Task& task) const {
    const auto* outcome = std::get_if<Outcome>(&report.result);
    if (!outcome || !std::holds_alternative<Scored>(*outcome)) return;
    auto versus =
        compare_in_turns(task, task.sizes, {*subject.prepared->translation, bench.device},
                         {*rival->prepared->translation, bench.device},
                         {.turn = {.warmup = 1, .timed = 3, .cold = protocol.repeats.cold}});
    report.rival = rival->name;
    if (!versus)
      report.result = versus.error();
    else if (auto* failure = std::get_if<Failure>(&*versus))
      report.result = Error{
          fmt::format("{} in turns with {}: {}", subject.name, rival->name, failure->message)};
    else
      report.versus = std::get<Versus>(std::move(*versus));
  }

  void judge(const Prepared& prepared, const Task* task, EvaluationReport& report) const {
    if (!prepared.translation) {
      report.result = Rejected{Rejected::Stage::compile, prepared.rejection};
      return;
    }
    if (!task) {
      report.result = Rejected{Rejected::Stage::pipeline, fits_no_task};
      return;
    }
    auto evaluation = evaluate(*task, *prepared.translation, bench, protocol);
    if (!evaluation) {
      report.result = evaluation.error();
      return;
    }
    report.result = std::move(evaluation->outcome);
    report.strict = std::move(evaluation->strict);
    report.effort = evaluation->effort;
  }
};

// The tasks that a subject is reported on; one null pointer where there is none to name.
std::vector<const Task*> tasks_of(const Subject& subject, const std::vector<const Task*>& tasks) {
  if (tasks.size() == 1) return tasks;
  const bool runs = subject.prepared && subject.prepared->translation;
  auto fit = runs ? fitting(tasks, *subject.prepared->translation) : std::vector<const Task*>{};
  return fit.empty() ? std::vector<const Task*>{nullptr} : fit;
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
                                   const Subject& subject, const Task& task,
                                   const Evaluator& evaluator) {
  const auto* outcome = std::get_if<Outcome>(&report.result);
  if (!outcome) return std::monostate();
  if (!options.verify_result.empty()) {
    const auto result = verify_result(task, *outcome, subject.hash, report.device);
    if (auto written = write_file(options.verify_result, to_json(result)); !written) return written;
  }
  if (options.perf_result.empty() || !subject.prepared->translation) return std::monostate();
  const auto seed = seed_of(task);
  const auto seed_report = evaluator(seed, &task);
  if (const auto* error = std::get_if<Error>(&seed_report.result)) return *error;
  const auto result =
      perf_result(task, *subject.prepared->translation, *outcome, *seed.prepared->translation,
                  std::get<Outcome>(seed_report.result), subject.hash, report.device,
                  evaluator.protocol.repeats);
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

int evaluate_all(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                 Bench bench, const Protocol& protocol) {
  std::optional<Subject> rival;
  if (!options.versus.empty()) {
    auto read = read_rival(options.versus, *tasks.front());
    if (!read) return complain(read.error());
    rival = *std::move(read);
  }
  const bool seeds = options.files.empty();
  Progress progress(seeds ? tasks.size() : options.files.size());
  Pace pace;
  int status = all_right;
  const auto evaluate_on = [&](const Subject& subject, const Task* task) {
    bench.begins_size = [&](std::string_view size) {
      progress.doing(fmt::format("{} {} {}", subject.name, task->name, size));
    };
    const Evaluator evaluator{bench, protocol, options.protocol, rival ? &*rival : nullptr};
    const auto report = evaluator(subject, task);
    pace.add(report.effort);
    progress.erase();
    status = std::max(status, print(report, options.json, options.strict));
    if (!task) return;
    const auto written = write_proof(options, report, subject, *task, evaluator);
    if (!written) status = std::max(status, complain(written.error()));
  };
  const auto evaluate_subject = [&](const Subject& subject, const std::vector<const Task*>& on) {
    pace.add({.frontend = subject.prepare_seconds});
    for (const auto* task : on) evaluate_on(subject, task);
    if (subject.prepared) pace.kernel_done(subject.prepared->translation.has_value());
    progress.step_done();
  };
  if (seeds)
    for (const auto* task : tasks) evaluate_subject(seed_of(*task), {task});
  for (const auto& file : options.files) {
    const auto subject = subject_of(file);
    evaluate_subject(subject, tasks_of(subject, tasks));
  }
  progress.erase();
  pace.tell();
  return status;
}

// The checked mode: one pass at the task's small size, in which every access is watched.
std::variant<Checked, Rejected, Error> check_on(const Prepared& prepared, const Task* task,
                                                Device& device) {
  if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
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
  const bool seeds = options.files.empty();
  Progress progress(seeds ? tasks.size() : options.files.size());
  int status = all_right;
  const auto check_subject = [&](const Subject& subject, const Task* task) {
    progress.doing(subject.name);
    const auto report = check_on(subject, task, device);
    progress.erase();
    status = std::max(status, print(report, options.json));
  };
  if (seeds)
    for (const auto* task : tasks) {
      const auto name = fmt::format("{}.metal", task->name);
      check_subject({name, prepare_any_checked({name, std::string(task->seed)})}, task);
      progress.step_done();
    }
  for (const auto& file : options.files) {
    const auto source = read_source(file);
    const Subject subject{file,
                          source ? prepare_any_checked(*source) : Result<Prepared>(source.error())};
    for (const auto* task : tasks_of(subject, tasks)) check_subject(subject, task);
    progress.step_done();
  }
  return status;
}

// The held-out gate for one incumbent.
int gate(const EvaluatorOptions& options, const Task& task, const Bench& bench) {
  const bool has_file = !options.versus.empty() && options.versus != "seed";
  const auto rival = read_rival(has_file ? options.versus : "seed", task);
  if (!rival) return complain(rival.error());
  const auto prepared = read_and_prepare(options.files.front());
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

int run(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = check_proof(options)) return complain(*refusal);
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.time_limit));
  const auto device = open_worker_device(options.device, {.run = limit});
  if (!device) return complain(device.error());
  for (const auto& thing : (*device)->info().in_reach)
    fmt::print(stderr, "msci-eval: warning: this system cannot keep kernels from {}\n", thing);
  if (options.check) return check_all(options, tasks, **device);
  Cache cache(user_cache_folder());
  Bench bench{.device = **device, .cache = cache};
  Protocol protocol{.repeats = find_protocol(options.protocol),
                    .held_out = options.held_out,
                    .stop_at_wrong = options.stop_at_wrong};
  protocol.repeats.cold = options.cold;
  protocol.fuzz_sizes = options.fuzz_sizes;
  protocol.strict_nonce =
      options.nonce.empty() ? fresh_nonce() : std::stoull(options.nonce, nullptr, 16);
  if (options.verify_only) {
    protocol.repeats = verify_only;
  } else {
    const auto ceilings = find_ceilings(**device, cache);
    if (!ceilings) return complain(ceilings.error());
    bench.ceilings = *ceilings;
  }
  const auto status = options.gate ? gate(options, *tasks.front(), bench)
                                   : evaluate_all(options, tasks, bench, protocol);
  if (const auto complaint = cache.complaint(); !complaint.empty())
    fmt::print(stderr, "msci-eval: warning: {}\n", complaint);
  return status;
}

// What the options ask of these tasks and cannot have.
std::optional<Error> refuse(const EvaluatorOptions& options,
                            const std::vector<const Task*>& tasks) {
  const auto& task = *tasks.front();
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
  const auto plan = read_plan_file(options.plan);
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
    return options.files.empty() ? complain({"no FILE given; see msci-eval --help"})
                                 : emit(options);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : msci::could_not_check;
  }
  return msci::finished(msci::dispatch(options));
}

// msci-eval: runs kernels on a task and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "evaluator/device/worker.h"
#include "evaluator/frontend.h"
#include "evaluator/progress.h"
#include "evaluator/report.h"
#include "lint/metal/read_file.h"
#include "lint/standard_output.h"

namespace msci {
namespace {

constexpr int all_right = 0;
constexpr int not_right = 1;
constexpr int could_not_check = 2;

constexpr const char* examples = R"(
FILE is a Metal source, a translated program (what --emit opencl prints), or - for standard input.
Without one, each task's own seed kernel is evaluated. Of several tasks, a file is judged on those that
dispatch a kernel that it has.

Examples:
  msci-eval kernel.metal --task saxpy              run, judge and score on the first device
  msci-eval kernel.metal --task heat2d --held-out  the held-out size too
  msci-eval a.metal b.metal --task nbody --json    one JSON object a line, in the files' order
  msci-eval kernel.metal --task lbm --verify-only  judge without timing
  msci-eval kernel.metal --emit opencl > k.cl      a program that builds without Clang can run
  msci-eval --task all                             every task's seed kernel
  msci-eval a.metal b.metal --task all             each on the task that it is written for
  msci-eval --list-devices

Exit status: 0 all sizes are right, 1 some kernel is refused or wrong, 2 something could not be checked.
)";

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> tasks;
  std::string device;
  double time_limit = 120;
  bool json = false;
  bool held_out = false;
  bool verify_only = false;
  std::string emit;
  bool list_devices = false;
};

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
  return prepare(source);
#else
  return Error{
      source.name +
      ": this build of msci-eval cannot read Metal; give it a translated program, printed by "
      "msci-eval --emit opencl in a build with MSCI_FRONTEND=ON"};
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

int emit(const Options& options) {
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

int status_of(const EvaluationReport& report) {
  const auto* outcome = std::get_if<Outcome>(&report.result);
  if (!outcome) return could_not_check;
  const auto* scored = std::get_if<Scored>(outcome);
  return scored && (!scored->held_out || scored->held_out->correct()) ? all_right : not_right;
}

// One file, or one seed, and what became of it before any task.
struct Subject {
  std::string name;
  Result<Prepared> prepared;
};

// A subject on one of its tasks; on none where it fits none of several.
struct Evaluator {
  const Bench& bench;
  const Protocol& protocol;

  EvaluationReport operator()(const Subject& subject, const Task* task) const {
    EvaluationReport report{.file = subject.name,
                            .device = bench.device.info().name,
                            .ceilings = bench.ceilings,
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
    report.result = judge(*subject.prepared, task);
    return report;
  }

 private:
  std::variant<Outcome, Error> judge(const Prepared& prepared, const Task* task) const {
    if (!prepared.translation) return Rejected{Rejected::Stage::compile, prepared.rejection};
    if (!task)
      return Rejected{Rejected::Stage::pipeline,
                      "none of the tasks dispatches a kernel of this source"};
    auto evaluation = evaluate(*task, *prepared.translation, bench, protocol);
    if (!evaluation) return evaluation.error();
    return std::move(evaluation->outcome);
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
int print(const EvaluationReport& report, bool json) {
  if (const auto* error = std::get_if<Error>(&report.result)) complain(*error);
  if (json)
    std::fputs((to_json(report) + "\n").c_str(), stdout);
  else if (std::holds_alternative<Outcome>(report.result))
    fmt::print("{}", to_text(report, wants_colour()));
  std::fflush(stdout);
  return status_of(report);
}

int evaluate_all(const Options& options, const std::vector<const Task*>& tasks, Bench bench,
                 const Protocol& protocol) {
  const bool seeds = options.files.empty();
  Progress progress(seeds ? tasks.size() : options.files.size());
  int status = all_right;
  const auto evaluate_on = [&](const Subject& subject, const Task* task) {
    bench.begins_size = [&](std::string_view size) {
      progress.doing(fmt::format("{} {} {}", subject.name, task->name, size));
    };
    const auto report = Evaluator{bench, protocol}(subject, task);
    progress.erase();
    status = std::max(status, print(report, options.json));
  };
  if (seeds)
    for (const auto* task : tasks) {
      const auto name = fmt::format("{}.metal", task->name);
      evaluate_on({name, prepare_any({name, std::string(task->seed)})}, task);
      progress.step_done();
    }
  for (const auto& file : options.files) {
    const Subject subject{file, read_and_prepare(file)};
    for (const auto* task : tasks_of(subject, tasks)) evaluate_on(subject, task);
    progress.step_done();
  }
  return status;
}

int run(const Options& options) {
  const auto tasks = find_tasks(options.tasks);
  if (!tasks) return complain(tasks.error());
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.time_limit));
  const auto device = open_worker_device(options.device, {.run = limit});
  if (!device) return complain(device.error());
  for (const auto& thing : (*device)->info().in_reach)
    fmt::print(stderr, "msci-eval: warning: this system cannot keep kernels from {}\n", thing);
  Cache cache(user_cache_folder());
  Bench bench{.device = **device, .cache = cache};
  Protocol protocol{.held_out = options.held_out};
  if (options.verify_only) {
    protocol.repeats = verify_only;
  } else {
    const auto ceilings = find_ceilings(**device, cache);
    if (!ceilings) return complain(ceilings.error());
    bench.ceilings = *ceilings;
  }
  const auto status = evaluate_all(options, *tasks, bench, protocol);
  if (const auto complaint = cache.complaint(); !complaint.empty())
    fmt::print(stderr, "msci-eval: warning: {}\n", complaint);
  return status;
}

int print_devices() {
  const auto devices = find_worker_devices();
  if (!devices) return complain(devices.error());
  fmt::print("{}", list_devices(*devices));
  return all_right;
}

// The status, where all that was said could be written.
int finished(int status) {
  if (const auto problem = flush_standard_output()) return complain(*problem);
  return status;
}

int dispatch(const Options& options) {
  if (options.list_devices) return print_devices();
  if (!options.emit.empty())
    return options.files.empty() ? complain({"no FILE given; see msci-eval --help"})
                                 : emit(options);
  if (options.tasks.empty())
    return complain({"no --task given; msci-tasks lists them, and --task all names them all"});
  return run(options);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Runs Metal compute kernels on a task, judges their results and scores their speed.",
               "msci-eval");
  app.footer(msci::examples);
  app.add_option("FILE", options.files,
                 "what to evaluate; several are evaluated one after the other");
  app.add_option("--task,--tasks", options.tasks,
                 "the task that the kernels are written for; several with commas, or all")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option(
      "--device", options.device,
      "an index of --list-devices, PLATFORM:DEVICE, or part of a name (default: the first)");
  app.add_option("--time-limit", options.time_limit, "seconds for the run of each size")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
  app.add_flag("--json", options.json, "one JSON object a line instead of text");
  app.add_flag("--held-out", options.held_out,
               "evaluate the held-out size too, once all others are right");
  app.add_flag("--verify-only", options.verify_only, "judge, but do not time");
  app.add_option("--emit", options.emit, "print the translation instead of running it")
      ->check(CLI::IsMember({"opencl"}));
  app.add_flag("--list-devices", options.list_devices, "list what --device can name");
  app.set_version_flag("--version", "msci-eval " MSCI_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : msci::could_not_check;
  }
  return msci::finished(msci::dispatch(options));
}

// msci-eval: runs kernels on a task and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "evaluator/device/worker.h"
#include "evaluator/frontend.h"
#include "evaluator/report.h"
#include "lint/metal/read_file.h"

namespace msci {
namespace {

constexpr int all_right = 0;
constexpr int not_right = 1;
constexpr int could_not_check = 2;

constexpr const char* examples = R"(
FILE is a Metal source, a translated program (what --emit opencl prints), or - for standard input.

Examples:
  msci-eval kernel.metal --task saxpy              run, judge and score on the first device
  msci-eval kernel.metal --task heat2d --held-out  the held-out size too
  msci-eval a.metal b.metal --task nbody --json    one JSON object a line, in the files' order
  msci-eval kernel.metal --task lbm --verify-only  judge without timing
  msci-eval kernel.metal --emit opencl > k.cl      a program that builds without Clang can run
  msci-eval --list-devices

Exit status: 0 all sizes are right, 1 some kernel is refused or wrong, 2 something could not be checked.
)";

struct Options {
  std::vector<std::string> files;
  std::string task;
  std::string device;
  double time_limit = 120;
  bool json = false;
  bool held_out = false;
  bool verify_only = false;
  std::string emit;
  bool list_devices = false;
  bool list_tasks = false;
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
      fmt::print("{}", to_program_file(*prepared->translation));
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

// What is to be said about one file.
EvaluationReport report_on(const std::string& file, const Task& task, const Bench& bench,
                           const Protocol& protocol) {
  EvaluationReport report{.file = file,
                          .task = task.name,
                          .achieved_unit = task.unit,
                          .ceiling = task.ceiling,
                          .device = bench.device.info().name,
                          .ceilings = bench.ceilings,
                          .result = Error{}};
  auto prepared = read_and_prepare(file);
  if (!prepared) {
    report.result = prepared.error();
    return report;
  }
  report.diagnostics = std::move(prepared->diagnostics);
  if (!prepared->translation) {
    report.result = Rejected{Rejected::Stage::compile, std::move(prepared->rejection)};
    return report;
  }
  auto evaluation = evaluate(task, *prepared->translation, bench, protocol);
  if (evaluation)
    report.result = std::move(evaluation->outcome);
  else
    report.result = evaluation.error();
  return report;
}

bool wants_colour() { return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

int run(const Options& options) {
  const auto task = find_task(options.task);
  if (!task) return complain(task.error());
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.time_limit));
  const auto device = open_worker_device(options.device, {.run = limit});
  if (!device) return complain(device.error());
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

  int status = all_right;
  for (const auto& file : options.files) {
    const auto report = report_on(file, **task, bench, protocol);
    if (const auto* error = std::get_if<Error>(&report.result)) complain(*error);
    if (options.json)
      fmt::print("{}\n", to_json(report));
    else if (std::holds_alternative<Outcome>(report.result))
      fmt::print("{}", to_text(report, wants_colour()));
    std::fflush(stdout);
    status = std::max(status, status_of(report));
  }
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

int print_tasks() {
  for (const auto* task : all_tasks()) {
    fmt::print("{:<10} {}; sizes", task->name, task->title);
    for (const auto& size : task->sizes) fmt::print(" {}", size.label);
    fmt::print(", held out {}\n", task->held_out.label);
  }
  return all_right;
}

int dispatch(const Options& options) {
  if (options.list_devices) return print_devices();
  if (options.list_tasks) return print_tasks();
  if (options.files.empty()) return complain({"no FILE given; see msci-eval --help"});
  if (!options.emit.empty()) return emit(options);
  if (options.task.empty()) return complain({"no --task given; see msci-eval --list-tasks"});
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
  app.add_option("--task", options.task, "the task that the kernels are written for");
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
  app.add_flag("--list-tasks", options.list_tasks, "list what --task can name");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : msci::could_not_check;
  }
  return msci::dispatch(options);
}

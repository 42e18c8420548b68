#include "evaluator/cli/eval_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/command_line/colour_option.h"
#include "base/judging/nonce.h"
#include "base/judging/timing_protocol.h"
#include "evaluator/cli/order_option.h"
#include "evaluator/evaluate.h"
#include "instrument/profile/chip.h"

namespace msci {
namespace {

// As CLI11 writes a type with choices, which help and completions show. find_chip() checks the
// name.
std::string chips_for_help() {
  std::vector<std::string_view> names;
  for (const auto& chip : chips()) names.push_back(chip.name);
  return fmt::format("CHIP:{{{}}}", fmt::join(names, ","));
}

constexpr const char* examples = R"(
FILE is a Metal source, or - for standard input.
Without a FILE, msci-eval evaluates each task's seed kernel. With several tasks, it judges a file on
those that dispatch one of its kernels.

Examples:
  msci-eval kernel.metal --task saxpy              run, judge and score on the first device
  msci-eval kernel.metal --task heat2d --held-out  the held-out size too
  msci-eval a.metal b.metal --task nbody --json    one JSON object per line, in file order
  msci-eval kernel.metal --task lbm --verify-only  judge without timing
  msci-eval kernel.metal --plan plan.json          a task of your own; docs/plan_file.md
  msci-eval kernel.metal --task lbm --check        detect races, wild accesses and similar faults
  msci-eval kernel.metal --task lbm --prove        prove that there are none, in any order
  msci-eval kernel.metal --task lbm --strict       the strict verdict decides, too
  msci-eval kernel.metal --plan plan.json -I include -- -DN=8
                                                   with included files, which are read from -I only;
                                                   flags of Apple's compiler follow --
  msci-eval kernel.metal --emit opencl > k.cl      a program for a build without Clang
  msci-eval --program k.cl --task lbm              runs it there
  msci-eval --task all                             every task's seed kernel
  msci-eval a.metal b.metal --task all             each on the task that dispatches its kernel
  msci-eval best.metal --task nbody --gate         against the seed at the held-out size
  msci-eval new.metal --task nbody --vs old.metal  the speed-up, measured in alternating turns
  msci-eval *.metal --task lbm --device 0,1 --json a batch on two devices, in the order of the files
  msci-eval --list-devices                         with --json, one object per line
  msci-eval --server --device cpu                  for thousands of kernels: reads requests as JSON
                                                   lines from standard input (docs/judging.md)

Exit status: 0 all sizes are right, 1 a kernel is refused or wrong, 2 something could not be checked. With
--gate: 0 the kernel generalises, 1 it is refused, wrong or slower, 2 it could not be checked.
)";

void declare_candidates(CLI::App& app, EvaluatorOptions& options) {
  app.add_option("FILE", options.files, "the kernels to evaluate, one after the other");
  app.add_flag("--program", options.is_program,
               "each FILE, also that of --vs, is a translated program, printed by --emit opencl");
  app.add_option("--task,--tasks", options.tasks,
                 "the task that the kernels are written for: a name of msci-tasks, or a plan file; "
                 "several with commas, or all, those of the benchmark")
      ->type_name("TASK")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--kernel", options.kernels,
                 "translate only the kernels of this name, as the host calls them; '*' stands for "
                 "any text; several with commas")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--set", options.constants,
                 "NAME=VALUE: the value of a function constant (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const auto at = text.find('=');
        const bool fits = at != std::string::npos && at > 0 && at + 1 < text.size();
        return fits ? std::string() : "must be NAME=VALUE";
      });
  app.add_option_function<std::string>(
         "--plan",
         [&options](const std::string& file) {
           // A path, also where it does not look like one.
           options.tasks = {file.find('/') == file.npos ? "./" + file : file};
         },
         "a task of your own: a JSON file, as in docs/plan_file.md; the same as --task FILE")
      ->type_name("FILE");
  app.add_option("--device", options.devices,
                 "an index of --list-devices, PLATFORM:DEVICE, part of a name, cpu, opencl or pocl "
                 "(default: the first of the list; for a translated program, the first OpenCL "
                 "device); with several, separated by commas, each free device takes the next "
                 "kernel")
      ->type_name("DEVICE")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option(
         "--time-limit", options.time_limit,
         "seconds for the run of each size and for a plan's reference (default: 120), and of "
         "processor time for linting and translating a file (default: 10)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 1e6));
  app.add_option("--memory-limit", options.memory_limit,
                 "MiB of memory for linting and translating a file (default: 900)")
      ->type_name("MIB")
      ->check(CLI::Range(64, 1 << 20));
  const auto* json =
      app.add_flag("--json", options.json, "one JSON object per line instead of text");
  declare_colour(app, options.colour, json->get_group());
}

void declare_verdict(CLI::App& app, EvaluatorOptions& options) {
  app.add_flag("--held-out", options.held_out,
               "evaluate the held-out size too, once all others are right");
  app.add_flag("--verify-only", options.verify_only, "judge, but do not time");
  app.add_option("--save-images", options.save_images,
                 "write the results that are textures to PNG files in this folder, with the "
                 "expected ones beside them")
      ->type_name("FOLDER");
  add_order_option(app, options.execution);
  app.add_option("--verdict", options.verdict,
                 "what decides: compatible, the benchmark's verdict; or strict, which must accept "
                 "the kernel, too, and looks at further sizes and at each access (default: "
                 "compatible; strict with --gate)")
      ->type_name("VERDICT")
      ->check(CLI::IsMember({"compatible", "strict"}));
  app.add_flag_callback(
      "--strict", [&options] { options.verdict = "strict"; }, "the same as --verdict strict");
  app.add_option("--fuzz-sizes", options.fuzz_sizes,
                 "number of additional random sizes for the strict verdict")
      ->type_name("N")
      ->check(CLI::Range(0, 1000));
  app.add_option("--nonce", options.nonce,
                 "hexadecimal; repeats the strict verdict's inputs of the run that reported it")
      ->type_name("HEX")
      ->check([](const std::string& text) { return is_nonce(text) ? "" : not_a_nonce; });
  app.add_flag("--stop-at-wrong", options.stop_at_wrong,
               "skip the sizes after the first wrong one");
}

void declare_timing(CLI::App& app, EvaluatorOptions& options) {
  app.add_option(
         "--protocol", options.protocol,
         "how often passes are timed: steady, until the mean is known to half a per cent, for at "
         "most a second; metal-sci, 3 warm-up and 10 timed passes, as in that benchmark; "
         "benchmark, 5 and 50")
      ->type_name("NAME")
      ->check(CLI::IsMember(timing_protocol_names()))
      ->capture_default_str();
  app.add_option("--predict", options.predict,
                 "predict the time of a pass on this chip of Apple, from a profile on the "
                 "processor; with --verify-only instead of measured times, else beside them")
      ->type_name(chips_for_help());
  app.add_flag("--cold", options.cold, "empty the device's caches before each pass");
  app.add_option(
         "--vs", options.rival,
         "compare kernels that are right with this kernel, or with the task's seed for "
         "\"seed\": measure both in alternating turns and report the ratio with its "
         "interval; with --predict, compare their predicted times, too, and name the counters "
         "that differ; with --gate, compare with this kernel instead of the seed")
      ->type_name("FILE");
  app.add_option("--verify-result", options.verify_result,
                 "write to this file which sizes are right (verify_result.json)")
      ->type_name("FILE");
  auto* perf = app.add_option("--perf-result", options.perf_result,
                              "write to this file the times of the kernel and the seed "
                              "(perf_result.json); refused unless "
                              "a verify result of this kernel says that all sizes are right")
                   ->type_name("FILE");
  app.add_option("--verified", options.verified,
                 "that verify result (default: verify_result.json beside the perf result)")
      ->type_name("FILE")
      ->needs(perf);
  app.add_flag("--skip-gate", options.skip_gate, "time without a verify result")->needs(perf);
}

void declare_modes(CLI::App& app, EvaluatorOptions& options) {
  auto* check = app.add_flag("--check", options.check,
                             "run once at a small size and check every access, instead of "
                             "judging; on the device cpu, whatever --device says");
  app.add_flag("--sarif", options.sarif, "with --check: one SARIF document instead of text")
      ->needs(check);
  app.add_flag("--prove", options.prove,
               "prove for all threads, orders and data that no thread races or leaves its buffers, "
               "at each size; what is refuted is run in the checked mode (docs/proofs.md)");
  app.add_flag("--profile", options.profile,
               "run once and tell what the kernel does, line by line, and what bounds it on an "
               "Apple GPU; on the device cpu, whatever --device says");
  app.add_flag("--gate", options.gate,
               "compare with the seed at the held-out size: generalises, silent-incorrect or "
               "silent-regression; incorrect if a shown size is wrong already");
  app.add_option("--emit", options.emit, "print the translation instead of running it")
      ->type_name("LANGUAGE")
      ->check(CLI::IsMember({"opencl"}));
  app.add_flag("--list-devices", options.list_devices, "list the devices for --device");
  app.add_option("--schema", options.schema,
                 "print the JSON schema of --json, which describes each field; of --check --json, "
                 "--gate --json or --profile --json")
      ->type_name("NAME")
      ->check(CLI::IsMember({"evaluation", "check", "gate", "profile"}));
}

void declare_server(CLI::App& app, EvaluatorOptions& options) {
  auto* server = app.add_flag("--server", options.server,
                              "read requests as JSON lines from standard input, and judge until "
                              "it ends (docs/judging.md)");
  app.add_option("--socket", options.socket,
                 "with --server: serve many clients on a Unix socket at this path")
      ->type_name("PATH")
      ->needs(server);
  app.add_option("--jobs", options.jobs,
                 "with --server: kernels judged at once (default: one per processor); a timed "
                 "kernel always runs alone")
      ->type_name("N")
      ->needs(server)
      ->check(CLI::Range(1, 1024));
}

void declare_cache(CLI::App& app, EvaluatorOptions& options) {
  app.add_flag("--no-cache", options.no_cache, "judge equal texts again, and keep no verdict");
  app.add_option("--cache-limit", options.cache_limit,
                 "MiB of verdicts that are kept (default: 256); timed ones are never kept")
      ->type_name("MIB")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--reference-limit", options.reference_limit,
                 "MiB of expected results that are kept (default: 512)")
      ->type_name("MIB")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("--cache-info", options.cache_info,
               "print what the cache holds: verdicts, references, ceilings");
  app.add_flag("--cache-clear", options.cache_clear, "remove all that the cache holds");
}

void declare_slurm(CLI::App& app, EvaluatorOptions& options) {
  auto* slurm =
      app.add_option("--slurm", options.slurm,
                     "judge the FILEs on the nodes of a Slurm cluster; all nodes must see "
                     "the files and this folder, which keeps the results of a batch that "
                     "was interrupted (docs/judging.md)")
          ->type_name("FOLDER");
  app.add_option("--nodes", options.nodes, "jobs that share the FILEs")
      ->type_name("N")
      ->needs(slurm)
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--sbatch", options.sbatch,
                 "an argument for sbatch, such as --sbatch=--exclusive (repeatable)")
      ->type_name("ARGUMENT")
      ->allow_extra_args(false)
      ->needs(slurm);
  app.add_option("--poll", options.poll, "seconds between queries to Slurm")
      ->type_name("SECONDS")
      ->needs(slurm)
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
}

using Names = std::vector<const char*>;

// Refuses options that would have no effect. It runs after parsing, because CLI11's own exclusions
// would fill the help with their lists.
void refuse_ineffective(const CLI::App& app) {
  const Names judging = {"--held-out",   "--verify-only",   "--stop-at-wrong",
                         "--fuzz-sizes", "--verify-result", "--order"};
  const Names timing = {"--protocol", "--cold", "--perf-result"};
  const Names modes = {"--check",        "--prove",  "--profile",    "--gate",        "--emit",
                       "--list-devices", "--schema", "--cache-info", "--cache-clear", "--server"};
  const auto exclude = [&](const char* option, const Names& others) {
    if (app.count(option) == 0) return;
    for (const auto* other : others)
      if (other != std::string_view(option) && app.count(other) > 0)
        throw CLI::ExcludesError(option, other);
  };
  const Names strictness = {"--verdict", "--strict", "--nonce"};
  for (const auto* mode : modes) {
    exclude(mode, modes);
    // A proof, too, may be about the held-out size.
    exclude(mode, mode == std::string_view("--prove") ? Names(judging.begin() + 1, judging.end())
                                                      : judging);
    exclude(mode, timing);
    exclude(mode, {"--slurm"});
    if (mode != std::string_view("--gate")) exclude(mode, strictness);
  }
  exclude("--verdict", {"--strict"});
  exclude("--check", {"--vs", "--predict"});
  exclude("--prove", {"--vs", "--predict", "--program"});
  exclude("--sarif", {"--json"});
  exclude("--profile", {"--vs"});
  if (app.count("--emit") > 0 && app.count("--task") + app.count("--plan") > 0)
    throw CLI::ValidationError(
        "--emit translates the FILE that you name and runs no task: leave --task and --plan out, "
        "or "
        "print a task's kernel first: msci-tasks seed NAME > kernel.metal");
  exclude("--emit", {"--vs", "--json"});
  exclude("--list-devices", {"FILE", "--task", "--plan", "--vs"});
  exclude("--schema", {"FILE", "--task", "--plan", "--vs", "--json"});
  // Each request of a server says what it wants.
  exclude("--server", {"FILE", "--task", "--plan", "--vs", "--predict", "--json", "--program"});
  for (const auto* each : {"--cache-info", "--cache-clear"})
    exclude(each, {"FILE", "--task", "--plan", "--vs", "--predict"});
  exclude("--slurm", {"--verify-result", "--perf-result"});
  exclude("--verify-only", timing);
  if (app.count("--predict") == 0) exclude("--verify-only", {"--vs"});
  exclude("--plan", {"--task"});
}

}  // namespace

void declare(CLI::App& app, EvaluatorOptions& options) {
  app.footer(examples);
  declare_candidates(app, options);
  const auto in_group = [&](const char* name, void (*declare)(CLI::App&, EvaluatorOptions&)) {
    const auto before = app.get_options().size();
    declare(app, options);
    const auto all = app.get_options();
    for (auto i = before; i < all.size(); ++i) all[i]->group(name);
  };
  declare(app, options.compile);
  in_group("Verdict", declare_verdict);
  in_group("Timing", declare_timing);
  in_group("Instead of judging", declare_modes);
  in_group("Server", declare_server);
  in_group("Kept results", declare_cache);
  in_group("Slurm", declare_slurm);
  app.parse_complete_callback([&app] { refuse_ineffective(app); });
}

std::vector<std::string> judging_arguments(const CLI::App& app, const EvaluatorOptions& options) {
  constexpr std::array own = {"FILE", "--slurm", "--nodes", "--sbatch", "--poll", "--color"};
  std::vector<std::string> arguments;
  for (const auto* option : app.get_options()) {
    const bool is_own =
        std::ranges::any_of(own, [&](auto* name) { return option->check_name(name); });
    if (option->count() == 0 || is_own) continue;
    const auto name = option->get_name();
    if (option->get_items_expected_max() == 0)
      arguments.push_back(name);
    else
      for (const auto& value : option->results()) {
        if (name.starts_with("--")) {
          arguments.push_back(name + "=" + value);
        } else {  // -I=folder would be the folder "=folder"
          arguments.push_back(name);
          arguments.push_back(value);
        }
      }
  }
  if (!options.compile.flags.empty()) arguments.emplace_back("--");
  arguments.insert(arguments.end(), options.compile.flags.begin(), options.compile.flags.end());
  return arguments;
}

}  // namespace msci

// msci-eval: runs kernels on a task and judges them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>

#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/standard_output.h"
#include "base/io/report.h"
#include "driver/tools.h"
#include "evaluator/cli/check_files.h"
#include "evaluator/cli/chosen_protocol.h"
#include "evaluator/cli/device_list.h"
#include "evaluator/cli/eval_options.h"
#include "evaluator/cli/evaluate_files.h"
#include "evaluator/cli/exit_codes.h"
#include "evaluator/cli/open_devices.h"
#include "evaluator/cli/profile_files.h"
#include "evaluator/cli/proof_files.h"
#include "evaluator/cli/prove/prove_files.h"
#include "evaluator/cli/selected_candidates.h"
#include "evaluator/cli/server/cached_results.h"
#include "evaluator/cli/server/serve.h"
#include "evaluator/cli/slurm/slurm_batch.h"
#include "evaluator/explain_failures.h"
#include "evaluator/gate.h"
#include "evaluator/result/profile_result.h"
#include "evaluator/result/result_text.h"
#include "plan/file/texture/image_folder.h"
#include "plan/task_reference.h"
#include "runtime/device/worker.h"

namespace msci {
namespace {

int emit(const EvaluatorOptions& options) {
  const auto& file = options.files.front();
  const auto prepared =
      candidate_of({file, options.is_program}, gate_rules(), specialisation_of(options)).prepared;
  if (!prepared) return report_error(prepared.error());
  if (!prepared->translation) {
    report_error({fmt::format("{}: {}", file, prepared->rejection)});
    return not_right;
  }
  for (const auto& [name, reason] : prepared->translation->refused)
    report_warning("msci-eval", fmt::format("{}: {}", file, reason));
  std::fputs(to_program_file(*prepared->translation).c_str(), stdout);
  return all_right;
}

// The held-out gate for one incumbent.
int gate(const EvaluatorOptions& options, const Task& task, const EvaluationContext& context,
         SharedDevice* checker, const Predictor* predictor) {
  const bool has_file = !options.rival.empty() && options.rival != "seed";
  const auto rival = read_rival(has_file ? options.rival : "seed", options, task);
  if (!rival) return report_error(rival.error());
  const auto candidate = candidate_of({options.files.front(), options.is_program}, gate_rules(),
                                      specialisation_of(options, &task));
  const auto& prepared = candidate.prepared;
  if (!prepared) return report_error(prepared.error());
  const auto explain = [&](const Task& shown, Evaluation& evaluation) {
    auto error = explain_failures(candidate, shown, evaluation.outcome, context.device,
                                  processor_opener(options));
    if (!error && evaluation.strict)
      error = explain_failures(candidate, shown, *evaluation.strict, context.device);
    return error;
  };
  std::optional<CheckedForm> checked;
  if (checker) checked.emplace(candidate, *checker);
  GateProtocol protocol{.scrutiny = {.thorough = options.is_strict()}};
  if (options.is_strict() && !task.stress.sizes.empty()) protocol.strict_nonce = nonce_of(options);
  if (checked) protocol.scrutiny.checker = &*checked;
  if (predictor)
    protocol.predict = [&](const Task& alone) {
      return compare_predicted(alone, candidate, *rival, *predictor);
    };
  auto result = prepared->translation
                    ? run_gate(task, *rival->prepared->translation, *prepared->translation, context,
                               protocol, explain)
                    : report_incorrect(task, context.device,
                                       Rejected{Rejected::Stage::compile, prepared->rejection});
  if (!result) return report_error(result.error());
  if (has_file) result->rival = options.rival;
  fmt::print("{}", options.json ? to_json(*result) + "\n" : to_text(*result));
  return result->verdict == GateVerdict::generalises ? all_right : not_right;
}

int run(const EvaluatorOptions& options, const std::vector<const Task*>& tasks) {
  if (const auto refusal = prepare_proof(options)) return report_error(*refusal);
  const auto devices = open_devices(options);
  if (!devices) return report_error(devices.error());
  if (options.check) return check_files(options, tasks, *devices->front());
  if (options.prove) return prove_files(options, tasks, *devices->front());
  if (options.profile) return profile_files(options, tasks, *devices->front());
  Cache cache(user_cache_folder());
  const auto contexts = contexts_of(options, *devices, cache);
  if (!contexts) return report_error(contexts.error());
  const auto processor = open_processor(options);
  if (!processor) return report_error(processor.error());
  auto* checker = options.is_strict() ? processor->get() : nullptr;
  if (options.is_strict() && !checker)
    return report_error(
        {"this build has no engine for the checked runs of --strict; use --verdict compatible"});
  std::optional<Predictor> beside;  // times that are measured, or of the rival
  if (!options.predict.empty() && (!counts_work(options) || !options.rival.empty()) && *processor)
    beside.emplace(Predictor{**processor, **find_chip(options.predict)});
  const auto* predictor = beside ? &*beside : nullptr;
  const auto status = options.gate
                          ? gate(options, *tasks.front(), contexts->front(), checker, predictor)
                          : evaluate_files(options,
                                           {.tasks = tasks,
                                            .protocol = protocol_of(options),
                                            .protocol_name = options.protocol,
                                            .checker = checker,
                                            .open_processor = processor_opener(options),
                                            .predictor = predictor},
                                           *contexts);
  if (const auto problem = cache.first_error(); !problem.empty())
    report_warning("msci-eval", problem);
  return status;
}

// Why the options do not fit these tasks.
std::optional<Error> refuse(const EvaluatorOptions& options,
                            const std::vector<const Task*>& tasks) {
  const auto& task = *tasks.front();
  if (!options.predict.empty())
    if (const auto chip = find_chip(options.predict); !chip) return chip.error();
  if (!options.predict.empty() && options.execution != Execution{})
    return Error{"--predict and --order exclude each other: a fixed order runs on one core"};
  const bool wants_one = options.gate || options.check || options.prove || !options.perf_result.empty();
  if (wants_one && options.devices.size() > 1)
    return Error{"--check, --prove, --gate and --perf-result need one --device"};
  if ((options.gate || !options.rival.empty()) && tasks.size() != 1)
    return Error{"--gate and --vs need one --task"};
  if (!options.save_images.empty() &&
      (tasks.size() != 1 || options.files.size() > 1 || options.devices.size() > 1))
    return Error{
        "--save-images needs one --plan, one --device and at most one FILE, because the names of "
        "images have only the size and the result"};
  if (options.gate && options.files.size() != 1)
    return Error{"--gate needs one FILE, the best kernel of a search"};
  if ((options.gate || options.held_out) && !task.held_out)
    return Error{
        fmt::format("{} has no held-out size; add \"held_out\" beside \"sizes\"", task.plan_file)};
  const bool wants_seed = options.rival == "seed" || (options.gate && options.rival.empty());
  if ((wants_seed || !options.perf_result.empty()) && task.seed.empty())
    return Error{fmt::format(
        "{} has no seed to compare with; add \"seed\", or name a kernel: --vs old.metal",
        task.plan_file)};
  for (const auto* each : tasks) {
    if (options.files.empty() && each->seed.empty())
      return Error{fmt::format("{} has no seed; name the FILE of a kernel", each->plan_file)};
    if (each->constants != task.constants && !options.files.empty())
      return Error{"the tasks give function constants different values; judge on one at a time"};
    const bool asks_strictly =
        options.verdict == "strict" || options.fuzz_sizes > 0 || !options.nonce.empty();
    if (asks_strictly && each->stress.sizes.empty())
      return Error{
          fmt::format("{} has no problem for the strict verdict; add \"stress\"", each->plan_file)};
  }
  return std::nullopt;
}

// The tasks with all that their plan files name.
int run_tasks(const EvaluatorOptions& options) {
  const auto tasks = find_tasks(options.tasks);
  if (!tasks) return report_error(tasks.error());
  if (const auto refusal = refuse(options, *tasks)) return report_error(*refusal);
  Cache cache(user_cache_folder());
  std::optional<ImageFolder> images;
  if (!options.save_images.empty()) images.emplace(options.save_images);
  for (const auto* task : *tasks)
    if (const auto loaded = load_task(*task, {.is_judged = !options.check && !options.prove && !options.profile,
                                              .reference_limit = time_limit(options),
                                              .cache = &cache,
                                              .images = images ? &*images : nullptr});
        !loaded)
      return report_error(loaded.error());
  const auto status = run(options, *tasks);
  if (images)
    for (const auto& problem : images->problems()) report_warning("msci-eval", problem);
  return status;
}

int print_devices(bool json) {
  const auto devices = find_worker_devices();
  if (!devices) return report_error(devices.error());
  fmt::print("{}", json ? devices_json(*devices) : list_devices(*devices));
  return all_right;
}

int print_schema(std::string_view name) {
  const auto schema = name == "check"     ? check_schema()
                      : name == "gate"    ? gate_schema()
                      : name == "profile" ? profile_schema()
                                          : evaluation_schema();
  std::fputs(schema.c_str(), stdout);
  return all_right;
}

// The status; an error if standard output could not be written.
int finished(int status) {
  if (const auto problem = flush_standard_output()) return report_error(*problem);
  return status;
}

int dispatch(const EvaluatorOptions& options) {
  if (options.list_devices) return print_devices(options.json);
  if (!options.schema.empty()) return print_schema(options.schema);
  if (options.cache_info) return print_cache(options.json);
  if (options.cache_clear) return clear_cache();
  if (options.server) return serve(options);
  if (!options.slurm.empty()) return judge_on_slurm(options);
  if (!options.emit.empty())
    return options.files.size() == 1
               ? emit(options)
               : report_error({"--emit needs one FILE; see msci-eval --help"});
  if (options.tasks.empty())
    return report_error(
        {"no --task given; msci-tasks lists the tasks, --task all selects all of them, and --plan "
         "reads a task of your own"});
  return run_tasks(options);
}

}  // namespace

int eval_main(int argc, char** argv) {
  EvaluatorOptions options;
  CLI::App app("Runs Metal compute kernels on a task, judges their results and scores their speed.",
               "msci-eval");
  declare(app, options);
  describe_itself(app);
  shorten_help(
      app, {.page = "docs/tutorial/first_kernel.md",
            .options = {"--task", "--plan", "--device", "--json", "-I", "--held-out",
                        "--verify-only", "--strict", "--predict", "--vs", "--check", "--profile",
                        "--gate", "--emit", "--list-devices", "--server", "--version"}});
  argc = take_flags(argc, argv, options.compile);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return all_right;
  options.arguments = judging_arguments(app, options);
  const auto settings = settings_from(options.compile, "msci-eval");
  if (!settings) return report_error(settings.error());
  options.compile_options = options_from(*settings);
  const auto status = dispatch(options);
  if (!options.tasks.empty() || options.server) {
    Cache cache(user_cache_folder());
    trim_references(cache, std::uintmax_t{options.reference_limit} << 20);
  }
  return finished(status);
}

}  // namespace msci

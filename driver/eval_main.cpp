// msci-eval: runs kernels on a task and judges them.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>

#include "analysis/check/fault_table.h"
#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/install_paths.h"
#include "base/files/standard_output.h"
#include "base/io/report.h"
#include "driver/tools.h"
#include "engine/device/worker.h"
#include "evaluator/check/check_result.h"
#include "evaluator/gate.h"
#include "evaluator/modes/chosen_protocol.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/numerics/numerics_result.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/modes/page/open_page.h"
#include "evaluator/modes/reduce/reduce_file.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/modes/server/serve.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/profile/profile_result.h"
#include "evaluator/result/result_text.h"
#include "evaluator/server/judge_request.h"
#include "tasks/plan/bindings.h"
#include "tasks/plan/file/texture/texture_contents.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

// The held-out gate for one incumbent.
int gate(const EvaluatorOptions& options, const Task& task, const EvaluationContext& context,
         const EvaluationOptions& evaluation) {
  const bool has_file = options.timing.has_rival_file();
  const auto rival = read_rival(has_file ? options.timing.rival : "seed", options, task);
  if (!rival) return report_error(rival.error());
  const auto candidate =
      candidate_of({options.candidates.files.front(), options.candidates.is_program}, gate_rules(),
                   compile_request_of(options, &task, judging_purpose(options)));
  GateOptions gate{.strict = evaluation.strict,
                   .processor = evaluation.processor,
                   .open_processor = processor_opener(options.devices)};
  if (options.is_strict() && !task.stress.sizes.empty())
    gate.strict_nonce = nonce_of(options.verdict);
  if (evaluation.predictor)
    gate.predict = [&](const Task& alone) {
      return compare_predicted(alone, candidate, *rival, *evaluation.predictor);
    };
  auto result = run_gate(task, *rival, candidate, context, gate);
  if (!result) return report_error(result.error());
  if (has_file) result->rival = options.timing.rival;
  fmt::print("{}", options.output.json ? to_json(*result) + "\n" : to_text(*result));
  return result->verdict == GateVerdict::generalises ? all_right : not_right;
}

int run(const EvaluatorOptions& options, const std::vector<const Task*>& tasks, Cache& cache) {
  auto origins = origins_of(options, tasks);
  if (const auto refusal = prepare_result_files(options, origins)) return report_error(*refusal);
  const auto devices = open_devices(options);
  if (!devices) return report_error(devices.error());
  if (!options.mode.reduce.empty())
    return reduce_file(options, tasks.front(), devices->front().get());
  if (options.mode.check) return check_files(options, tasks, *devices->front());
  if (options.mode.prove) return prove_files(options, tasks, *devices->front());
  if (options.mode.numerics) return numerics_files(options, tasks, *devices->front());
  if (options.mode.profile) return profile_files(options, tasks, *devices->front());
  const auto contexts = contexts_of(options, *devices, cache);
  if (!contexts) return report_error(contexts.error());
  const auto processor = open_processor(options);
  if (!processor) return report_error(processor.error());
  auto evaluation = protocol_of(options);
  if (options.is_strict()) evaluation.processor = processor->get();
  std::optional<Predictor> predictor;
  if (!options.timing.predict.empty())
    evaluation.predictor =
        &predictor.emplace(Predictor{**processor, **find_chip(options.timing.predict)});
  if (options.mode.gate) return gate(options, *tasks.front(), contexts->front(), evaluation);
  return evaluate_files(options, std::move(origins),
                        {.tasks = tasks,
                         .evaluation = evaluation,
                         .protocol_name = options.timing.protocol,
                         .judged_programs = options.verdict.judged_programs,
                         .open_processor = processor_opener(options.devices)},
                        *contexts);
}

// The error of loading a task. Expected results that make no sense may have the type of the kernel
// and not of the plan, so the error then names the buffers whose types differ.
Error with_types(Error error, const EvaluatorOptions& options, const Task& task) {
  if (error.message.find("/expect/") == std::string::npos) return error;
  const auto candidate = candidate_of(origins_of(options, {&task}).front(), gate_rules(),
                                      compile_request_of(options, &task));
  if (!candidate.compiled || !candidate.compiled->translation) return error;
  const auto differing = mismatched_buffers(task, *candidate.compiled->translation);
  if (!differing.empty())
    error.message += fmt::format("; the types differ: {}", fmt::join(differing, "; "));
  return error;
}

// The tasks with all that their plan files name.
int run_tasks(const EvaluatorOptions& options, Cache& cache) {
  const auto tasks = find_tasks(options.candidates.tasks);
  if (!tasks) return report_error(tasks.error());
  if (const auto refusal = refuse(options, *tasks)) return report_error(*refusal);
  std::optional<ImageFolder> images;
  if (!options.verdict.save_images.empty()) images.emplace(options.verdict.save_images);
  // Proofs need no contents, which may exceed any memory.
  for (const auto* task : *tasks)
    if (const auto error = options.mode.prove
                               ? std::nullopt
                               : load_task(*task, {.is_judged = options.mode.is_judging(),
                                                   .reference_limit = options.devices.run_limit(),
                                                   .cache = &cache,
                                                   .images = images ? &*images : nullptr}))
      return report_error(with_types(*error, options, *task));
  const auto status = run(options, *tasks, cache);
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

int print_faults() {
  std::fputs(list_fault_kinds().c_str(), stdout);
  return all_right;
}

int print_schema(std::string_view name) {
  const auto schema = name == "check"           ? check_schema()
                      : name == "gate"          ? gate_schema()
                      : name == "numerics"      ? numerics_schema()
                      : name == "profile"       ? profile_schema()
                      : name == "judge_request" ? judge_request_schema()
                                                : evaluation_schema();
  std::fputs(schema.c_str(), stdout);
  return all_right;
}

// The status; an error if standard output could not be written.
int finished(int status) {
  if (const auto problem = flush_standard_output()) return report_error(*problem);
  return status;
}

int dispatch(const EvaluatorOptions& options, Cache& cache) {
  if (options.mode.list_devices) return print_devices(options.output.json);
  if (options.mode.list_faults) return print_faults();
  if (!options.mode.schema.empty()) return print_schema(options.mode.schema);
  if (options.cache.info) return print_cache(options.output.json);
  if (options.cache.clear) return clear_cache();
  if (options.serving.serves) return serve(options);
  if (options.page.opens) return open_page(options);
  if (const auto refusal = refuse_incomplete(options)) return report_error(*refusal);
  if (!options.cluster.folder.empty()) return judge_on_slurm(options);
  if (!options.mode.emit.empty()) return emit_file(options);
  if (!options.mode.reduce.empty() && options.candidates.tasks.empty())
    return reduce_file(options, nullptr, nullptr);
  return run_tasks(options, cache);
}

bool is_tuning(std::span<char*> arguments) {
  return std::ranges::any_of(arguments, [](std::string_view word) {
    return word == "--tune" || word.starts_with("--tune=");
  });
}

// Becomes msci-search, which tunes; returns only if that fails.
int start_tuner(char** argv) {
  const auto program = find_program("msci-search");
  if (!program) return report_error(program.error());
  ::execv(program->c_str(), argv);
  return report_error({fmt::format("cannot start {}: {}", *program, std::strerror(errno))});
}

}  // namespace

int eval_main(int argc, char** argv) {
  if (is_tuning({argv + 1, argv + argc})) return start_tuner(argv);
  EvaluatorOptions options;
  CLI::App app("Runs Metal compute kernels on a task, judges their results and scores their speed.",
               "msci-eval");
  declare(app, options);
  describe_itself(app);
  shorten_help(app,
               {.page = "docs/guide/first_kernel.md",
                .options = {"--task", "--plan", "--device", "--json", "--verify-only", "--strict",
                            "--check", "--profile", "--page", "--list-devices", "--version"}});
  argc = take_flags(argc, argv, options.compile_arguments);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return all_right;
  options.shared_arguments = shared_arguments(app, options);
  const auto settings = settings_from(options.compile_arguments, "msci-eval");
  if (!settings) return report_error(settings.error());
  if (!settings->versions.empty())
    return report_error(
        {"--std names several versions, which msci-lint checks; msci-eval compiles for one"});
  options.compile = options_from(*settings);
  Cache cache(user_cache_folder());
  const auto status = dispatch(options, cache);
  if (!options.candidates.tasks.empty() || options.serving.serves)
    trim_references(cache, std::uintmax_t{options.cache.reference_limit} << 20);
  if (const auto problem = cache.first_error(); !problem.empty())
    report_warning("msci-eval", problem);
  return finished(status);
}

}  // namespace msci

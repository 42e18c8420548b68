#include "evaluator/modes/server/serve.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/elapsed.h"
#include "base/files/install_paths.h"
#include "base/json.h"
#include "base/process/temporary_folder.h"
#include "evaluator/batch.h"
#include "evaluator/modes/cache/result_memo.h"
#include "evaluator/modes/chosen_protocol.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "evaluator/modes/selected_candidates.h"
#include "evaluator/server/judge_server.h"
#include "lint/output/formats.h"
#include "lint/run/lint_files.h"
#include "rules/rules.h"

namespace msci {
namespace {

// What the server opens once and the forked processes that judge share.
struct Opened {
  const EvaluatorOptions& options;
  const Devices& devices;
  Device& processor;
};

unsigned processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// The server's options with those of the request.
EvaluatorOptions options_of(const EvaluatorOptions& options, const JudgeRequest& request) {
  auto own = options;
  own.verdict = request.judging;
  own.timing = request.timing;
  const auto& verdict = traits_of(request.verdict);
  own.verdict.verify_only = !verdict.is_timed;
  own.verdict.decides = request.verdict == WantedVerdict::strict ? "strict" : "compatible";
  if (verdict.is_predicted && own.timing.predict.empty()) own.timing.predict = default_chip;
  return own;
}

// One run that is counted predicts for any number of chips.
bool is_for_all_chips(const JudgeRequest& request) {
  return request.verdict == WantedVerdict::predicted && request.timing.predict.empty();
}

// A plan is a path, also where it does not look like one.
std::string task_name(const JudgeRequest& request) {
  if (request.plan.empty()) return request.task;
  return request.plan.find('/') == std::string::npos ? "./" + request.plan : request.plan;
}

Result<Candidate> rival_of(const Source& source, const EvaluatorOptions& options,
                           const Task& task) {
  const bool is_seed = source.text == "seed";
  if (is_seed && task.seed.empty())
    return Error{fmt::format("{} has no seed to compare with; add \"seed\"", task.name)};
  auto rival =
      is_seed ? candidate_of({.task = &task}, gate_rules())
              : candidate_of({.source = source}, gate_rules(), compile_request_of(options, &task));
  if (!rival.compiled) return rival.compiled.error();
  if (!rival.compiled->translation)
    return Error{"the kernel to compare with is refused: " + rival.compiled->rejection};
  return rival;
}

JudgeAnswer refuse_text(const JudgeRequest& request, const Task& task, const Device& device) {
  const EvaluationResult result{
      .file = request.source.name,
      .task = std::string(task.name),
      .device = device.info().name,
      .result = Outcome{Rejected{Rejected::Stage::compile, request.no_text}}};
  return {to_json(result), to_json(PhaseTimes{}), true};
}

Result<JudgeAnswer> evaluate_request(const ServedRequest& served) {
  const auto& [request, options, served_task, device, processor, cache] = served;
  const auto& task = *served_task;
  if (!options.timing.predict.empty())
    if (const auto chip = find_chip(options.timing.predict); !chip) return chip.error();
  if (options.verdict.held_out && !task.held_out)
    return Error{fmt::format("{} has no held-out size", task.name)};
  if (request.verdict == WantedVerdict::strict && task.stress.sizes.empty())
    return Error{
        fmt::format("{} has no problem for the strict verdict; add \"stress\"", task.name)};
  if (!request.no_text.empty()) return refuse_text(request, task, device);
  // A prediction comes from counts on the processor.
  EvaluationContext context{.device = options.counts_work() ? processor : device, .cache = cache};
  if (!options.verdict.verify_only) {
    auto gauge = CeilingGauge::open(device, cache);
    if (!gauge) return gauge.error();
    context.ceilings = gauge->current();
    context.gauge = std::make_shared<CeilingGauge>(*std::move(gauge));
  }
  BatchOptions batch{.tasks = {&task},
                     .evaluation = protocol_of(options),
                     .protocol_name = options.timing.protocol,
                     .is_in_turns = request.verdict != WantedVerdict::predicted,
                     .remembers_refusals = !options.cache.is_off && options.verdict.nonce.empty(),
                     .open_processor = processor_opener(options.devices)};
  if (options.is_strict()) batch.evaluation.processor = &processor;
  std::optional<Predictor> predictor;
  if (!options.timing.predict.empty())
    batch.evaluation.predictor = &predictor.emplace(
        Predictor{processor, **find_chip(options.timing.predict),
                  is_for_all_chips(request) ? chips() : std::span<const Chip>()});
  const auto candidate = candidate_of({.source = request.source}, gate_rules(),
                                      compile_request_of(options, &task, judging_purpose(options)));
  std::optional<Candidate> rival;
  if (request.rival) {
    auto compiled = rival_of(*request.rival, options, task);
    if (!compiled) return compiled.error();
    batch.rival = &rival.emplace(*std::move(compiled));
  }
  auto result = judge(candidate, &task, context, batch);
  result.times.front_end = candidate.compile_seconds;
  if (request.wants_diagnosis && (is_wrong(result) || is_wrong_strictly(result)))
    result.diagnosis =
        diagnose(options, compiled_for(TranslationPurpose::checking, candidate), task, result);
  return JudgeAnswer{to_json(result), to_json(result.times), result.is_checked()};
}

Result<JudgeAnswer> lint_request(const ServedRequest& served) {
  const auto& request = served.request;
  const auto& options = served.options;
  LintOptions lint_options;
  if (const auto task = task_name(request); !task.empty()) {
    auto contract = contract_from(task, {}, "the request", find_task_contract);
    if (!contract) return contract.error();
    lint_options.contract = *std::move(contract);
  }
  auto lint = request_from(lint_options, Config{}, all_rules());
  if (!lint) return lint.error();
  lint->compile = options.compile;
  const LintJob job{.source = request.source, .request = *std::move(lint)};
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = run_isolated([&] { return examine_serialised(job, all_rules()); },
                                    compile_request_of(options).limits);
  auto result = result_of(outcome, job);
  if (!result) return result.error();
  const auto seconds = to_json(PhaseTimes{.front_end = seconds_since(start)});
  return JudgeAnswer{to_json(result->report), seconds, !result->report.error};
}

using Answer = Result<JudgeAnswer>(const ServedRequest&);
constexpr Answer* answers[] = {
#define MSCI_VERDICT(verdict, function, ...) function,
#include "evaluator/server/verdicts.def"
#undef MSCI_VERDICT
};

Result<JudgeAnswer> judge_request(const JudgeRequest& request, const Opened& opened,
                                  unsigned slot) {
  Cache cache(user_cache_folder());
  ServedRequest served{.request = request,
                       .options = options_of(opened.options, request),
                       .task = nullptr,
                       .device = *opened.devices[slot % opened.devices.size()],
                       .processor = opened.processor,
                       .cache = cache};
  const auto& verdict = traits_of(request.verdict);
  if (!verdict.reads_only) {
    const auto task = find_task(task_name(request));
    if (!task) return task.error();
    served.task = *task;
    if (const auto error = load_task(**task, {.is_judged = verdict.is_evaluation(),
                                              .reference_limit = served.options.devices.run_limit(),
                                              .cache = &cache}))
      return *error;
  }
  return answers[static_cast<std::size_t>(request.verdict)](served);
}

// The tasks of a request: one, or none for lint. None if it is unknown.
std::optional<std::vector<const Task*>> tasks_of(const JudgeRequest& request) {
  const auto name = task_name(request);
  if (name.empty()) return std::vector<const Task*>();  // lint or a translation alone
  const auto task = find_task(name);
  return task ? std::optional(std::vector{*task}) : std::nullopt;
}

std::optional<SharedVerdict> share(const JudgeRequest& request, const Opened& opened) {
  const auto tasks = tasks_of(request);
  if (!tasks) return std::nullopt;
  std::vector<const Device*> devices;
  for (const auto& device : opened.devices) devices.push_back(device.get());
  const auto options = options_of(opened.options, request);
  // It reaches the strict verdicts of the others.
  if (options.is_strict()) devices.push_back(&opened.processor);
  auto key = key_of_result(options, *tasks, devices);
  if (!key) return std::nullopt;
  if (is_for_all_chips(request)) key->settings.emplace_back("all chips");
  if (request.wants_diagnosis) key->settings.emplace_back("diagnosis");
  if (traits_of(request.verdict).is_evaluation()) {
    auto digest = key->digest_of(request.source.text);
    auto id = source_id(digest);
    return SharedVerdict{std::move(digest), std::move(id)};
  }
  // The places of a report name the source, and so does the draft of a plan.
  key->settings.push_back(
      fmt::format("{}={}", traits_of(request.verdict).name, request.source.name));
  return SharedVerdict{key->digest_of(request.source.text), request.source.name};
}

Result<std::string> named_json(WantedVerdict verdict, const std::string& json,
                               const std::string& name) {
  if (!traits_of(verdict).is_evaluation()) {
    const auto report = parse_json<OrderedJson>(json);
    return report ? Result<std::string>(json) : report.error();
  }
  auto result = evaluation_from_json(json);
  if (!result) return result.error();
  return to_json(named(*std::move(result), name));
}

// Gives GPUs turns, and returns the folder of their files. None where a device is the processor:
// who times a kernel on it needs the whole machine.
Result<std::optional<TemporaryFolder>> give_turns(Devices& devices) {
  if (std::ranges::any_of(devices, [](const auto& each) { return each->info().is_processor(); }))
    return std::optional<TemporaryFolder>();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  for (auto& device : devices) {
    const auto& info = device->info();  // a device that is named twice has one set of turns
    auto files = folder->path() / fmt::format("gpu{}-{}", info.platform_index, info.device_index);
    device = with_turns(std::move(device), std::move(files));
  }
  return std::optional(*std::move(folder));
}

// "127.0.0.1:8000". Errors: it is not of this form.
Result<std::pair<std::string, std::uint16_t>> address_of(const std::string& text) {
  const auto colon = text.rfind(':');
  const auto digits = std::string_view(text).substr(std::min(colon, text.size() - 1) + 1);
  unsigned port = 0;
  const auto* end = digits.data() + digits.size();
  const auto [read, problem] = std::from_chars(digits.data(), end, port);
  if (colon == std::string::npos || problem != std::errc() || read != end || port > 0xffff)
    return Error{
        fmt::format("--http {}: an address and a port are asked for, as in "
                    "127.0.0.1:8000",
                    text)};
  return std::pair(text.substr(0, colon), static_cast<std::uint16_t>(port));
}

int serve_over_http(const EvaluatorOptions& options) {
  auto address = address_of(options.serving.http);
  if (!address) return report_error(address.error());
  const auto eval = find_program("msci-eval");
  if (!eval) return report_error(eval.error());
  JudgeHttpOptions http{
      .address = address->first, .port = address->second, .judge_command = {*eval}};
  const auto& shared = options.shared_arguments;
  http.judge_command.insert(http.judge_command.end(), shared.begin(), shared.end());
  if (const auto* token = std::getenv("MSCI_HTTP_TOKEN")) http.token = token;
  for (const auto* task : all_tasks()) http.tasks.emplace_back(task->name);
  const auto error = serve_judge_over_http(http);
  return error ? report_error(*error) : all_right;
}

}  // namespace

int serve(const EvaluatorOptions& options) {
  if (!options.serving.http.empty()) return serve_over_http(options);
  auto devices = open_devices(options);
  if (!devices) return report_error(devices.error());
  const auto turns = give_turns(*devices);
  if (!turns) return report_error(turns.error());
  auto processor = open_processor(options);
  if (!processor) return report_error(processor.error());
  std::optional<VerdictCache> cache;
  // Included files change without a trace in the request.
  if (!options.cache.is_off && !options.compile.reads_files())
    cache.emplace(user_cache_folder(), std::size_t{options.cache.verdict_limit} << 20);
  const Opened opened{options, *devices, **processor};
  const auto error = serve_judgements(
      {.judge = [&](const JudgeRequest& request,
                    unsigned slot) { return judge_request(request, opened, slot); },
       .jobs = options.serving.jobs > 0 ? options.serving.jobs : processors(),
       .times_alone = !turns->has_value(),
       .cache = cache ? &*cache : nullptr,
       .share = [&](const JudgeRequest& request) { return share(request, opened); },
       .named = named_json},
      options.serving.socket);
  return error ? report_error(*error) : all_right;
}

}  // namespace msci

// msci-search: improves a kernel with any program that writes kernels.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "analysis/profile/chip.h"
#include "base/command_line/option_table.h"
#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "base/json.h"
#include "base/process/redacted_command.h"
#include "base/process/run_command.h"
#include "base/sha256.h"
#include "evaluator/result/evaluation_result.h"
#include "search/loop.h"
#include "search/tune/tune.h"
#include "search/waiting_line.h"

namespace msci::search {
namespace {

constexpr std::string_view predicted_on = "predicted:";

constexpr const char* examples = R"(
The generator reads a prompt on standard input and prints an answer with the kernel in a fenced code
block. Without --generator, it is "msci-generate rewrite", which transforms the best kernel and
needs no language model; "msci-generate openai" asks an HTTP endpoint. msci-search writes each step
to --out immediately. The same command continues an interrupted search; a larger --iterations
extends a finished one.

Examples:
  msci-search --task heat2d --iterations 20
  msci-search --task nbody --iterations 10 --out run1 \
              --generator 'msci-generate anthropic --url URL --model NAME'
  msci-search --task lbm --iterations 25 --out run2 --generator ./my_model.sh --max-seconds 3600
  msci-search --task hmc --iterations 64 --out run3 --generator ./my_model.sh --strategy plus \
              --lambda 8 --device 0,1 --generators 8
  msci-search --task nbody --tune my_kernel.metal --out run4 --max-seconds 600
  msci-search --task lj --iterations 64 --out /shared/run5 --generator ./my_model.sh \
              --strategy islands --slurm --sbatch=--partition=gpu

Exit status: 0 the best kernel generalises to the held-out size, or is the seed; 1 it is wrong or
slower there; 2 the search could not run, or no candidate could be judged (the reason is on standard
error). Without an iteration (--iterations 0, or --max-seconds over before the first), it is 0.
)";

struct Options {
  std::string task;
  std::string generator;   // as files of the search name it
  std::string command;     // of the generator, for the shell
  bool rewrites = false;   // with our own generator, since none is named
  std::string tune;        // a kernel that says what may change; empty: no tuning
  bool tries_all = false;  // the points of its space
  std::string label;       // of the generator, in summaries and reports
  std::string out;
  StrategyOptions strategy = {.name = ""};  // empty: see chosen_strategy()
  Budget budget;
  std::vector<std::string> devices = {""};
  std::string judge;
  std::string verdict = "strict";
  std::string scoring = "measured";
  double generator_limit = 600;
  double judge_limit = 3600;
  unsigned generators = 1;
  bool slurm = false;
  SlurmJudge::Options slurm_options;
  double poll = 1;  // seconds
  bool no_gate = false;
  bool json = false;
};

int report_error(const Error& error) { return msci::report_error("msci-search", error); }

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds));
}

// Without --strategy: the rule that noise does not deceive, where times are measured.
std::string chosen_strategy(const Options& options) {
  if (!options.strategy.name.empty()) return options.strategy.name;
  return options.scoring == "measured" ? "paired" : "strict";
}

// The shell command of the judge. Errors: none is named, and msci-eval is missing.
Result<std::string> judge_line(const Options& options) {
  if (!options.judge.empty()) return options.judge;
  const auto program = find_program("msci-eval");
  if (!program) return program.error();
  return shell_quoted(*program);
}

// Of --score; empty where times are measured.
std::string chip_of(const Options& options) {
  return options.scoring.starts_with(predicted_on) ? options.scoring.substr(predicted_on.size())
                                                   : "";
}

// What must not change when a search is continued. `plans` are the digests of its task. Of the
// generator its command without secrets: no digest, which would tell whether a guess is right.
std::string settings_of(const Options& options, const Task& task,
                        const std::map<std::string, std::string>& plans) {
  OrderedJson json = {{"task", options.task},
                      {"generator", redact_command(options.generator).text},
                      {"strategy", options.strategy.name},
                      {"lambda", options.strategy.lambda},
                      {"mu", options.strategy.mu},
                      {"islands", options.strategy.islands},
                      {"migrate_every", options.strategy.migrate_every},
                      {"seed", options.strategy.seed},
                      {"verdict", options.verdict},
                      {"program", program_build()}};
  if (!options.tune.empty()) json["tune"] = sha256_of(task.seed);
  // Absent without a prediction, as in searches that began before there was a choice.
  if (!chip_of(options).empty()) json["scoring"] = options.scoring;
  for (const auto& [file, digest] : plans) json["plan_digest"] = digest;
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

// Settings of an older build, whose generator may hold secrets.
std::string without_secrets(const std::string& settings) {
  auto json = parse_json<OrderedJson>(settings);
  if (!json || !json->is_object() || !json->contains("generator")) return settings;
  auto& generator = (*json)["generator"];
  if (!generator.is_string()) return settings;
  generator = redact_command(generator.get<std::string>()).text;
  return json->dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

// Whether two texts of settings differ in this member and in no other.
bool differs_alone(const std::string& before, const std::string& now, const char* key) {
  auto a = parse_json<OrderedJson>(before);
  auto b = parse_json<OrderedJson>(now);
  if (!a || !b || !a->is_object() || !a->contains(key) || !b->contains(key)) return false;
  a->erase(key);
  b->erase(key);
  return *a == *b;
}

std::optional<Error> settle(const Store& store, const Options& options, const Task& task) {
  const std::array tasks = {&task};
  const auto plans = plan_digests(tasks);
  if (!plans) return plans.error();
  const auto settings = settings_of(options, task, *plans);
  const auto before = store.read("search.json");
  if (!before) return before.error();
  if (!*before) return store.write("search.json", settings);
  if (**before == settings) return std::nullopt;
  if (without_secrets(**before) == settings) return store.write("search.json", settings);
  const auto differs = [&](const char* key) { return differs_alone(**before, settings, key); };
  if (differs("plan_digest"))
    return Error{fmt::format(
        "the plan {}, or a file that it names, such as its seed, has changed since the "
        "search in {} began, so its results do not compare; give this one its own --out",
        task.plan_file, options.out)};
  if (differs("program"))
    return Error{fmt::format(
        "{} belongs to a search of another build of msci-search, and results of two "
        "builds do not mix; continue it with that build, or give this one its own --out",
        options.out)};
  return Error{
      fmt::format("{} belongs to a search with other settings; repeat those of its search.json, or "
                  "give this one its own --out",
                  options.out)};
}

// `role`: what stands for the candidate.
void print_record(const Record& record, std::string_view role) {
  const auto what = score_text(record);
  fmt::print("{:>4}  {:<9}  {}\n", record.iteration, role, what.substr(0, what.find('\n')));
  std::fflush(stdout);
}

// A search that goes on may have another incumbent than the one that the gate has judged.
void drop_stale_gate(const Store& store, const History& history) {
  const auto text = store.read("gate.json");
  if (!text || !*text) return;
  const auto gate = gate_from_json(**text);
  if (!gate || gate->iteration != incumbent(history).iteration) store.remove("gate.json");
}

// The gate's verdict on the incumbent. The gate runs once for each incumbent.
Result<GateResult> run_gate(Judge& judge, const Store& store, const History& history) {
  const auto best = incumbent(history).iteration;
  const auto before = store.read("gate.json");
  if (!before) return before.error();
  if (const auto known = gate_from_json(before->value_or("")); known && known->iteration == best)
    return known;
  GateResult gate;
  const JudgeRequest request{.candidate = source_of(best), .rival = source_of(0), .gate = true};
  const auto error = judge.judge(
      {&request, 1}, [&](auto, const std::string& text, double) -> std::optional<Error> {
        auto json = parse_json<OrderedJson>(text);
        if (!json) return json.error();
        (*json)["iteration"] = best;
        const auto verdict = json->dump(1) + "\n";
        auto read = gate_from_json(verdict);
        if (!read) return Error{fmt::format("the gate gave no verdict: {}", text)};
        gate = *std::move(read);
        return store.write("gate.json", verdict);
      });
  if (error) return *error;
  return gate;
}

std::unique_ptr<Judge> make_judge(const Options& options, const std::string& line,
                                  const Store& store) {
  JudgeCall call{.line = line,
                 .task = options.task,
                 .folder = store.folder(),
                 .verdict = options.verdict,
                 .chip = chip_of(options),
                 .profiles = options.strategy.name == "archive",
                 .explains = options.tune.empty() && !options.rewrites,
                 .limit = milliseconds(options.judge_limit)};
  if (!options.slurm) return std::make_unique<LocalJudge>(std::move(call), options.devices);
  auto slurm = options.slurm_options;
  slurm.device = options.devices.front();
  return std::make_unique<SlurmJudge>(std::move(call), std::move(slurm));
}

// The device on which the seed was judged.
Result<std::string> device_of(const Store& store) {
  const auto result = store.read(file_of(0, "result.json"));
  if (!result) return result.error();
  const auto judgement = evaluation_from_json(result->value_or(""));
  if (!judgement) return judgement.error();
  return judgement->device;
}

// Writes and prints what came of the points.
std::optional<Error> conclude_tuning(const Options& options, Tuner& tuner, const Store& store,
                                     const History& history) {
  const auto json = tuning_json(tuner, store, history);
  if (!json) return json.error();
  if (auto error = store.write_derived("tuning.json", *json)) return error;
  const auto cache = tuning_cache(tuner, store, history);
  if (!cache) return cache.error();
  if (auto error = store.write_derived("tuning_cache.json", *cache)) return error;
  const auto table = tuning_table(tuner, store, history);
  if (!table) return table.error();
  if (!options.json) fmt::print("{}", *table);
  return std::nullopt;
}

// Writes and prints the result of the search, and runs the gate. `tuner` may be null.
Result<int> conclude(const Options& options, std::string_view task, Judge& judge, Tuner* tuner,
                     const Store& store, const History& history, WaitingLine& waiting) {
  const auto device = device_of(store);
  if (!device) return device.error();
  const auto summary = to_json(HistorySummary{.task = std::string(task),
                                              .generator = redact_command(options.generator).text,
                                              .label = options.label,
                                              .device = *device,
                                              .scoring = options.scoring,
                                              .strategy = options.strategy.name,
                                              .seed = options.strategy.seed},
                               history);
  if (auto error = store.write("summary.json", summary)) return *error;
  if (tuner)
    if (auto error = conclude_tuning(options, *tuner, store, history)) return *error;
  drop_stale_gate(store, history);
  if (!options.json && history.size() > 1) fmt::print("{}\n", totals_text(history));
  if (const auto option = ended_by(options.budget, history))
    fmt::print(options.json ? stderr : stdout, "ended by {} after {} of {} iterations\n", *option,
               history.size() - 1, options.budget.iterations);
  const auto nothing = made_nothing(history);
  if (options.json)
    fmt::print("{}", summary);
  else if (!nothing)
    fmt::print("{}; {}/best.metal\n", best_text(history), options.out);
  if (const auto error = flush_standard_output()) return *error;
  if (nothing) return *nothing;
  const bool is_seed = incumbent(history).iteration == 0;  // the gate would compare it with itself
  if (options.no_gate || is_seed) return all_right;
  waiting.show("comparing the best kernel with the seed at the held-out size");
  const auto gate = run_gate(judge, store, history);
  waiting.show("");
  if (!gate) return gate.error();
  if (!options.json) fmt::print("{}\n", gate_text(*gate));
  return gate->generalises() ? all_right : not_right;
}

std::optional<Error> refuse_scoring(const Options& options) {
  if (options.scoring == "measured") return std::nullopt;
  if (!options.scoring.starts_with(predicted_on))
    return Error{
        fmt::format("--score takes measured, or predicted:CHIP as in predicted:{}; see "
                    "--help",
                    default_chip)};
  if (const auto chip = find_chip(chip_of(options)); !chip) return chip.error();
  if (options.strategy.name == "paired")
    return Error{"--strategy paired measures kernels in turns, so it excludes --score predicted"};
  return std::nullopt;
}

// An error for an option that has no effect.
std::optional<Error> unused_option(const CLI::App& app, const Options& options) {
  const struct {
    const char* option;
    std::vector<std::string> strategies;
  } uses[] = {{"--lambda", {"comma", "plus", "archive"}},
              {"--mu", {"plus"}},
              {"--islands", {"islands"}},
              {"--migrate-every", {"islands"}}};
  for (const auto& [option, strategies] : uses)
    if (app.count(option) > 0 &&
        std::find(strategies.begin(), strategies.end(), options.strategy.name) == strategies.end())
      return Error{fmt::format("{} changes nothing with --strategy {}, but with {}; see --help",
                               option, options.strategy.name, fmt::join(strategies, ", "))};
  if (options.slurm && options.devices.size() > 1)
    return Error{"with --slurm, --device takes one device, which every node has; see --help"};
  return std::nullopt;
}

std::optional<Error> refuse_empty(const Options& options) {
  if (options.out.empty())
    return Error{"--out is empty; name a folder for the files of the search"};
  if (options.tune.empty() && !options.rewrites &&
      options.generator.find_first_not_of(" \t\n") == std::string::npos)
    return Error{
        "--generator is empty; give the command that writes kernels, or leave the option out to "
        "rewrite kernels without a model"};
  return std::nullopt;
}

// Sets the command of the generator. Files of the search name our own without its path, so that
// another installation of the same build can go on.
std::optional<Error> choose_generator(Options& options) {
  options.command = options.generator;
  if (!options.rewrites) return std::nullopt;
  const auto program = find_program("msci-generate");
  if (!program) return program.error();
  options.generator = "msci-generate rewrite";
  options.command =
      fmt::format("{} rewrite --seed {}", shell_quoted(*program), options.strategy.seed);
  return std::nullopt;
}

// "nbody_search": the folder of a search without --out.
std::string default_folder(const std::string& task) {
  return std::filesystem::path(task).stem().string() + "_search";
}

// Why a search on the task cannot do what the options say. Tasks of the benchmark have all parts.
std::optional<Error> refuse_task(const Task& task, const Options& options) {
  const auto lacks = [&](const char* what, const char* instead) {
    return Error{fmt::format("{} has no {}; add it{}", task.plan_file, what, instead)};
  };
  if (task.seed.empty()) return lacks("\"seed\", from which a search starts", "");
  if (options.verdict == "strict" && task.stress.sizes.empty())
    return lacks("\"stress\" for the strict verdict", ", or use --verdict compatible");
  if (!options.no_gate && !task.held_out)
    return lacks("\"held_out\" size for the gate", ", or use --no-gate");
  return std::nullopt;
}

// The tuner of the kernel that the options name; null without one. The task starts from it.
Result<std::unique_ptr<Tuner>> make_tuner(Options& options, Task& task) {
  if (options.tune.empty()) return std::unique_ptr<Tuner>();
  auto source = read_source(options.tune);
  if (!source) return source.error();
  auto space = read_tune_space(*std::move(source));
  if (!space) return space.error();
  auto tuner = std::make_unique<Tuner>(*std::move(space), options.strategy.seed);
  task.seed = tuner->space().source.text;
  const auto points = static_cast<unsigned>(tuner->size());
  options.budget.iterations =
      options.tries_all ? points : std::min(options.budget.iterations, points);
  options.generator = "tuner";
  return tuner;
}

int search(Options options) {
  if (const auto refusal = refuse_empty(options)) return report_error(*refusal);
  WaitingLine waiting;
  const auto found = find_task(options.task);
  if (!found) return report_error(found.error());
  Task task = **found;
  const auto tuner = make_tuner(options, task);
  if (!tuner) return report_error(tuner.error());
  if (const auto refusal = refuse_task(task, options)) return report_error(*refusal);
  // Judges run in another folder.
  if (!task.plan_file.empty()) options.task = task.plan_file;
  const auto strategy = make_strategy(options.strategy);
  if (!strategy) return report_error(strategy.error());
  const auto line = judge_line(options);
  if (!line) return report_error(line.error());
  if (auto error = choose_generator(options)) return report_error(*error);
  const auto store = Store::open(options.out);
  if (!store) return report_error(store.error());
  if (auto error = settle(*store, options, task)) return report_error(*error);
  ProgramGenerator program({.line = options.command,
                            .task = std::string(task.name),
                            .seed = options.strategy.seed,
                            .limit = milliseconds(options.generator_limit),
                            .at_once = options.generators});
  const auto judge = make_judge(options, *line, *store);
  const auto is_tuned = [&](const Record& record) { return *tuner && record.iteration > 0; };
  History shown;  // as far as the tuner needs it to name a point
  const auto on_record = [&](const Record& record) {
    shown.push_back(record);
    print_record(
        record, is_tuned(record)
                    ? to_string((*tuner)->space(), (*tuner)->configuration(record.iteration, shown))
                    : to_string(record.role));
  };
  Generator& generator = *tuner ? static_cast<Generator&>(**tuner) : program;
  const auto history = run({.task = task,
                            .generator = generator,
                            .judge = *judge,
                            .strategy = **strategy,
                            .store = *store,
                            .budget = options.budget,
                            .is_strict = options.verdict == "strict",
                            .is_predicted = !chip_of(options).empty(),
                            .on_record = options.json ? nullptr : std::function(on_record),
                            .on_activity = [&](std::string_view what) { waiting.show(what); }});
  if (!history) return report_error(history.error());
  const auto status = conclude(options, task.name, *judge, tuner->get(), *store, *history, waiting);
  return status ? *status : report_error(status.error());
}

std::vector<OptionRow> search_rows(Options& options) {
  return {
      option("--task", &options.task,
             "the task of the kernel: a name of msci-tasks, or a plan file "
             "(docs/reference/plan_file.md); "
             "this or --plan is required",
             {.value = "TASK", .excludes = {{"--plan"}}}),
      option("--plan", TextTarget{[&options](const std::string& file) {
               // A path, also where it does not look like one.
               options.task = file.find('/') == file.npos ? "./" + file : file;
             }},
             "the same as --task FILE, for a plan file", {.value = "FILE"}),
      option("--generator", &options.generator,
             "shell command that writes kernels (default: msci-generate rewrite, which transforms "
             "the best kernel without a language model); files of the search show secrets in it, "
             "such as KEY=value, as ***",
             {.value = "COMMAND", .excludes = {{"--tune"}}}),
      option("--tune", &options.tune,
             "instead of a generator: try other values of what this kernel says may change, in "
             "comments such as // msci: tune TILE 8 16 32; without --iterations, all of them",
             {.value = "FILE"}),
      option("--label", &options.label,
             "name of the generator in summary.json and reports (default: its command)",
             {.value = "NAME"}),
      option("--out", &options.out,
             "folder for prompts, answers, kernels and results (default: TASK_search)",
             {.value = "FOLDER"}),
      option("--iterations", &options.budget.iterations, "number of candidates",
             {.value = "N", .shows_default = true}),
      option("--max-seconds", &options.budget.seconds,
             "end the search after this time of generators and judges together",
             {.value = "SECONDS", .check = OptionRange{}}),
      option("--max-tokens", &options.budget.tokens,
             "end the search after this number of tokens, as the generator reports them",
             {.value = "N", .check = OptionRange{}}),
  };
}

std::vector<OptionRow> strategy_rows(StrategyOptions& options) {
  const OptionTraits number{.value = "N", .shows_default = true};
  return {
      option("--strategy", &options.name,
             "paired: (1+1), a significant speed-up wins; strict: (1+1), a higher score wins, "
             "which noise alone can do; comma: (1,lambda); plus: (mu+lambda); islands; archive: "
             "a map of elites by optimisation, threads, registers and traffic (default: paired; "
             "with --score predicted:CHIP, strict)",
             {.value = "NAME", .check = strategy_names()}),
      option("--lambda", &options.lambda, "candidates per generation, for comma, plus and archive",
             number),
      option("--mu", &options.mu, "survivors of a generation, for plus", number),
      option("--islands", &options.islands, "number of islands, for islands", number),
      option("--migrate-every", &options.migrate_every,
             "generations until the worst island takes the kernel of the best one, for islands",
             number),
      option("--seed", &options.seed, "seed of random numbers, also for the generator", number),
  };
}

std::vector<OptionRow> judge_rows(Options& options) {
  const OptionTraits limit{
      .value = "SECONDS", .check = OptionRange{0.001, 1e6}, .shows_default = true};
  return {
      option("--device", &options.devices,
             "a device of msci-eval; several, separated by commas, judge in parallel",
             {.value = "DEVICE", .splits_commas = true}),
      option("--generators", &options.generators, "number of generators that run at once",
             {.value = "N", .check = OptionRange{1, 1000}, .shows_default = true}),
      option("--generator-limit", &options.generator_limit, "seconds per answer", limit),
      option("--judge", &options.judge,
             "a command that takes msci-eval's arguments and prints its JSON (default: msci-eval)",
             {.value = "COMMAND"}),
      option("--verdict", &options.verdict,
             "what decides: strict, which looks at further inputs and sizes, at each timed pass "
             "and each access; or compatible, the benchmark's verdict alone, to compare with it",
             {.value = "VERDICT", .check = OneOf{"strict", "compatible"}, .shows_default = true}),
      option("--score", &options.scoring,
             "measured: by times on the device; predicted:CHIP, as in predicted:m1-pro: by the "
             "times that a model predicts for a chip of Apple, on any machine",
             {.value = "SCORE", .shows_default = true}),
      option("--judge-limit", &options.judge_limit, "seconds per candidate", limit),
      option("--slurm", &options.slurm,
             "judge on the nodes of a Slurm cluster, which must see --out"),
      option("--sbatch", &options.slurm_options.slurm.sbatch,
             "an argument for sbatch, such as --sbatch=--partition=gpu (repeatable)",
             {.value = "ARGUMENT", .needs = "--slurm"}),
      option("--poll", &options.poll, "seconds between queries to Slurm",
             {.value = "SECONDS",
              .check = OptionRange{0.01, 3600},
              .shows_default = true,
              .needs = "--slurm"}),
      option("--no-gate", &options.no_gate, "skip the comparison at the held-out size"),
      option("--json", &options.json, "print the summary as JSON instead of text"),
  };
}

void declare(CLI::App& app, Options& options) {
  app.footer(examples);
  msci::declare(app, {{"", search_rows(options)},
                      {"", strategy_rows(options.strategy)},
                      {"", judge_rows(options)}});
  app.callback([&options] {
    if (options.task.empty()) throw CLI::RequiredError("--task");
  });
  describe_itself(app);
  shorten_help(app,
               {.page = "docs/guide/search.md",
                .options = {"--task", "--generator", "--tune", "--label", "--out", "--iterations",
                            "--max-seconds", "--strategy", "--device", "--generators", "--verdict",
                            "--score", "--slurm", "--no-gate", "--json", "--version"}});
}

int search_main(int argc, char** argv) {
  Options options;
  CLI::App app("Improves a Metal kernel for a task with a program that writes kernels.",
               "msci-search");
  declare(app, options);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return all_right;
  if (const auto error = refuse_scoring(options)) return report_error(*error);
  options.strategy.name = chosen_strategy(options);
  if (const auto error = unused_option(app, options)) return report_error(*error);
  options.slurm_options.slurm.poll = milliseconds(options.poll);
  options.tries_all = app.count("--iterations") == 0;
  options.rewrites = app.count("--generator") == 0 && options.tune.empty();
  if (app.count("--out") == 0) options.out = default_folder(options.task);
  return search(options);
}

}  // namespace
}  // namespace msci::search

int main(int argc, char** argv) { return msci::search::search_main(argc, argv); }

// msci-agree: how far our verdicts agree with recorded ones.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "base/statistics.h"
#include "engine/device/worker.h"
#include "evaluator/options/verdict_options.h"
#include "evaluator/session/certify_kernel.h"
#include "evaluator/session/sanitized_program.h"
#include "rules/rules.h"
#include "tests/agreement/agreement.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Examples:
  msci-agree recorded_candidates.jsonl.gz                     everything
  msci-agree recorded_candidates.jsonl.gz --lint-only         refused or not, without running
  msci-agree recorded_candidates.jsonl.gz --task nbody --jobs 2 --output nbody.jsonl
  msci-agree recorded_candidates.jsonl.gz --every 6           a sixth of them: the 1st, the 7th, ...
  msci-agree recorded_candidates.jsonl.gz --strict            the strict verdict on those recorded as right
  msci-agree --accepted accepted_msl.jsonl.gz --rejected rejected_msl.jsonl.gz

Exit status: 0, 1 when a --min is not reached, 2 when something could not be read or run.
)";

struct Options {
  std::string candidates;
  std::string accepted;
  std::string rejected;
  std::vector<std::string> tasks;
  std::vector<std::string> ids;
  std::string device;
  std::string output;
  Execution execution;
  double time_limit = 120;
  double min_acceptance = 0;
  double min_lines = 0;
  double min_verdicts = 0;
  unsigned jobs = 1;
  unsigned every = 1;
  bool lint_only = false;
  bool strict = false;
};

bool is_wanted(const Options& options, const Record& record) {
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
  };
  return names(options.tasks, record.task) && names(options.ids, record.id);
}

Result<std::vector<Record>> read_all(const Options& options) {
  struct Input {
    const std::string& path;
    Result<std::vector<Record>> (*read)(const std::string&);
  };
  std::vector<Record> wanted;
  std::size_t number = 0;
  for (const auto& [path, read] :
       {Input{options.candidates, read_candidates}, Input{options.accepted, read_accepted},
        Input{options.rejected, read_rejected}}) {
    if (path.empty()) continue;
    auto records = read(path);
    if (!records) return records;
    for (auto& record : *records)
      if (is_wanted(options, record) && number++ % options.every == 0)
        wanted.push_back(std::move(record));
  }
  return wanted;
}

// Says on a terminal how far we are; several threads at a time.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), shown_(::isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(const std::string& id) {
    if (!shown_) return;
    const std::lock_guard lock(mutex_);
    fmt::print(stderr, "\r\x1b[K[{}/{}] {}", ++begun_, total_, id);
  }

 private:
  std::size_t total_;
  bool shown_;
  std::size_t begun_ = 0;
  std::mutex mutex_;
};

// At the language version that the record is of.
Result<Compiled> compiled_as_recorded(const Record& record) {
  CompileRequest options;
  if (!record.language.empty()) {
    const auto version = language_version(record.language);
    if (!version) return version.error();
    options.compile.version = *version;
  }
  // The linter forks. A copy made while another thread sets up a static variable of Clang's would
  // wait for that thread, which it does not have.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return compile({.name = record.id, .text = record.source}, all_rules(), options);
}

// The front end's answer and, where it accepts a candidate and `context` is given, the device's.
RecordedAnswer answer_to(const Record& record, const EvaluationContext* context,
                         const Execution& execution) {
  const auto start = std::chrono::steady_clock::now();
  const auto prepared = compiled_as_recorded(record);
  const std::chrono::duration<double> frontend = std::chrono::steady_clock::now() - start;
  auto answer = answer_of(prepared);
  const auto task = find_task(record.task);
  if (context && answer.fate == Fate::accepted && task) {
    if (!prepared)
      answer.fate = Fate::unchecked;
    else
      answer = answer_of(
          evaluate(**task, *prepared->translation, *context,
                   {.repeats = verify_only, .stop_at_wrong = true, .execution = execution}));
  }
  answer.times.front_end = frontend.count();
  return answer;
}

// Answers to all records, in their order, by several threads that take the next one when free.
std::vector<Compared> compare(std::vector<Record> records, const EvaluationContext* context,
                              const Execution& execution, unsigned jobs) {
  std::vector<Compared> all(records.size());
  Progress progress(records.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < records.size(); i = next++) {
      progress.begin(records[i].id);
      all[i].answer = answer_to(records[i], context, execution);
      all[i].record = std::move(records[i]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  return all;
}

// The records of each task together, in the order in which the tasks appear.
std::vector<std::vector<Compared>> by_task(const std::vector<Compared>& all) {
  std::vector<std::vector<Compared>> groups;
  for (const auto& each : all) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& candidate) {
      return candidate.front().record.task == each.record.task;
    });
    if (group == groups.end())
      groups.push_back({each});
    else
      group->push_back(each);
  }
  return groups;
}

// What the strict verdict says of one record, a line: "nbody-r01-03 nbody right 0.012 0.034 0.71
// s (0.92 s of processors)", where the numbers are errors in units of the tolerance, and the time
// is what the strict verdict takes more than the recorded one; and whether it is refused.
struct StrictLine {
  std::string text;
  bool refused = false;
  double seconds = 0;
};

std::string in_tolerances(const SizeResult& size) {
  if (const auto* failure = std::get_if<Failure>(&size.answer))
    return fmt::format("({}: {})", to_string(failure->cause), failure->message);
  const auto& verdict = std::get<Verdict>(size.answer);
  const auto share =
      *verdict.tolerance > 0 ? verdict.error_value / *verdict.tolerance : verdict.error_value;
  return fmt::format("{:.3g}{}", share, size.overruns.empty() ? "" : " (overrun)");
}

Result<StrictLine> strict_line(const Record& record, const EvaluationContext& context,
                               Device& checker) {
  const auto task = find_task(record.task);
  if (!task) return task.error();
  const Source source{.name = record.id, .text = record.source};
  const Candidate candidate{
      .name = record.id,
      .compiled = compile(source, all_rules(), {.purpose = TranslationPurpose::covering}),
      .purpose = TranslationPurpose::covering,
      .compile_for = [&](auto purpose, const auto&) {
        return compile(source, all_rules(), {.purpose = purpose});
      }};
  const auto& prepared = candidate.compiled;
  if (!prepared) return prepared.error();
  if (!prepared->translation) return Error{prepared->rejection};
  auto smallest = **task;
  smallest.sizes.resize(1);
  const auto judge = [&](const EvaluationOptions& options) {
    Session session(candidate, &smallest, context.device);
    return evaluate(session, context, options);
  };
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto recorded = judge({.repeats = verify_only, .stop_at_wrong = true});
  if (!recorded) return recorded.error();
  const auto middle = Clock::now();
  const auto judged = judge({.repeats = verify_only,
                             .stop_at_wrong = true,
                             .strict_nonce = fresh_nonce(),
                             .strict = {.thorough = true, .certify = certify_isolated},
                             .processor = &checker});
  const std::chrono::duration<double> more = (Clock::now() - middle) - (middle - start);
  if (!judged) return judged.error();
  if (!judged->strict) return Error{fail_reason(judged->outcome).value_or("not judged")};
  if (const auto why = why_undecided(*judged->strict)) return Error{*why};
  const auto reason = strict_fail_reason(judged->outcome, judged->strict);
  StrictLine line{fmt::format("{} {} {}", record.id, record.task, reason ? "REFUSED" : "right"),
                  reason.has_value(), more.count()};
  for (const auto& size : judged->strict->sizes) line.text += " " + in_tolerances(size);
  line.text += fmt::format(" {:.2f} s", line.seconds);
  if (reason) line.text += " " + *reason;
  return line;
}

// A line for each record that is right by the recorded verdict, then how many are refused.
int judge_all_strictly(const std::vector<Record>& records, const EvaluationContext& context) {
  unsigned refused = 0, unchecked = 0, all = 0;
  std::vector<double> seconds;
  const auto checker = open_worker_device(cpu_device_name);
  if (!checker) return 2;
  for (const auto& record : records) {
    if (record.fate != Fate::right) continue;
    ++all;
    const auto line = strict_line(record, context, **checker);
    fmt::print("{}\n", line ? line->text
                            : fmt::format("{} {} UNCHECKED {}", record.id, record.task,
                                          line.error().message));
    std::fflush(stdout);
    refused += line && line->refused;
    unchecked += !line;
    if (line) seconds.push_back(line->seconds);
  }
  fmt::print("{} recorded as right: {} strictly refused, {} unchecked; {:.2f} s in the median\n",
             all, refused, unchecked, median(seconds));
  return 0;
}

void print(const std::vector<Compared>& all) {
  const auto groups = by_task(all);
  for (const auto& group : groups)
    fmt::print("{}\n", to_text(tally(group), group.front().record.task));
  if (groups.size() > 1) fmt::print("{}\n", to_text(tally(all), "in all"));
  const auto disagreements = list_disagreements(all);
  fmt::print("disagreements{}\n{}", disagreements.empty() ? ": none" : "", disagreements);
  fmt::print("{}", time_text(all));
}

// What is not reached, a line each.
std::string shortfalls(const Tally& tally, const Options& options) {
  struct Demand {
    const char* what;
    const Tally::Share& share;
    double least;
  };
  std::string text;
  for (const auto& [what, share, least] :
       {Demand{"refused or not", tally.acceptance, options.min_acceptance},
        Demand{"line of the first error", tally.error_lines, options.min_lines},
        Demand{"right or wrong", tally.verdicts, options.min_verdicts}})
    if (share.percent() < least)
      text +=
          fmt::format("{}: {:.1f} % agree; at least {} % should\n", what, share.percent(), least);
  return text;
}

int complain(const Error& error) {
  fmt::print(stderr, "msci-agree: {}\n", error.message);
  return 2;
}

int run(const Options& options) {
  auto records = read_all(options);
  if (!records) return complain(records.error());
  if (records->empty()) return complain({"no record is wanted; see msci-agree --help"});
  Cache cache(user_cache_folder());
  std::unique_ptr<Device> device;
  std::optional<EvaluationContext> context;
  if (!options.lint_only && !options.candidates.empty()) {
    const auto limit = std::chrono::milliseconds(static_cast<long>(options.time_limit * 1e3));
    auto opened = open_worker_device(options.device, {.run = limit});
    if (!opened) return complain(opened.error());
    device = *std::move(opened);
    context.emplace(EvaluationContext{.device = *device, .cache = cache});
  }

  if (options.strict && context) return judge_all_strictly(*records, *context);
  const auto all =
      compare(*std::move(records), context ? &*context : nullptr, options.execution, options.jobs);
  print(all);
  if (!options.output.empty()) {
    std::ofstream file(options.output, std::ios::binary);
    file << to_json_lines(all);
    if (!file.flush()) return complain({"cannot write " + options.output});
  }
  const auto missing = shortfalls(tally(all), options);
  fmt::print(stderr, "{}", missing);
  return missing.empty() ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Compares our verdicts on kernels with what Apple's compiler and a real chip said.",
               "msci-agree");
  app.footer(msci::examples);
  app.add_option("FILE", options.candidates, "recorded candidates");
  app.add_option("--accepted", options.accepted, "sources that must be accepted");
  app.add_option("--rejected", options.rejected, "sources that must be refused");
  app.add_option("--task", options.tasks, "only these tasks");
  app.add_option("--id", options.ids, "only these records");
  app.add_option("--every", options.every, "of the wanted records, only each Nth")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--strict", options.strict,
               "the strict verdict alone, on candidates that are recorded as right");
  app.add_flag("--lint-only", options.lint_only, "stop before anything runs");
  app.add_option("--device", options.device, "as in msci-eval");
  msci::declare(app, {{"", {msci::order_option(options.execution)}}});
  app.add_option("--time-limit", options.time_limit, "seconds for each run")->capture_default_str();
  app.add_option("--jobs", options.jobs, "candidates at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--output", options.output, "write one JSON object for each record to this file");
  app.add_option("--min-acceptance", options.min_acceptance,
                 "percent that must agree on refused or not");
  app.add_option("--min-lines", options.min_lines,
                 "percent that must agree on the first error's line");
  app.add_option("--min-verdicts", options.min_verdicts,
                 "percent that must agree on right or wrong");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}

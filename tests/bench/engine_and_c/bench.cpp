// msci-bench: what the engine's code costs beside code that a programmer writes in C. Seed kernels,
// the best recorded kernels and kernels in C (tests/bench/c) run in turns in one process, on the
// same threads, and their results are judged.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/json.h"
#include "base/statistics.h"
#include "engine/cpu_device.h"
#include "tasks/plan/task.h"
#include "tests/agreement/records.h"
#include "tests/bench/engine_and_c/c_device.h"
#include "tests/bench/engine_and_c/processor_counters.h"
#include "tests/bench/seed.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Each row is one size: the milliseconds of a pass in C, and the times of the others over it, each the
median of the rounds with their quartiles, and the ratio of the least times, which a busy machine
changes less. Each contender is judged by the task; WRONG stands beside a wrong one.

Examples:
  msci-bench                                      all tasks, all sizes
  msci-bench --task ising,lj --sizes 1            the first size of two tasks
  msci-bench --width 256                          with the vectors of AVX2
  msci-bench --recorded recorded_candidates.jsonl.gz    the best recorded kernels, too

Exit status: 0 success, 1 a result is wrong, 2 an error.
)";

struct Options {
  std::vector<std::string> tasks;
  unsigned sizes = 3;
  unsigned rounds = 9;
  unsigned width = 512;
  std::string recorded;
  bool json = false;
};

// One of those that run in turns.
struct Contender {
  std::string name;
  Translation translation;
  Device* device = nullptr;
  std::unique_ptr<Program> program;
};

// What came of a contender at a size.
struct Measured {
  std::string name;
  std::vector<double> seconds;  // the median of each round
  bool correct = true;
  std::optional<Counts> counts;  // of a pass
};

struct Row {
  std::string_view task;
  std::string size;
  std::vector<Measured> all;  // C first
};

// The quartiles of a contender's time over that in C, round by round.
struct Quotient {
  double low, middle, high;
  double of_least;  // the least time of each, over all rounds
};

Quotient quotient(const Measured& one, const Measured& c) {
  std::vector<double> values;
  for (std::size_t i = 0; i < one.seconds.size(); ++i)
    values.push_back(one.seconds[i] / c.seconds[i]);
  return {quantile(values, 0.25), median(values), quantile(values, 0.75),
          std::ranges::min(one.seconds) / std::ranges::min(c.seconds)};
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {}

  // The counters first: they count for threads that start later.
  std::optional<Error> open() {
    auto counters = ProcessorCounters::open();
    if (counters)
      counters_ = *std::move(counters);
    else
      why_no_counts_ = counters.error().message;
    if (!__builtin_cpu_supports("avx512f")) options_.width = std::min(options_.width, 256U);
    auto cpu = open_cpu_device(0);
    if (!cpu) return cpu.error();
    engine_ = *std::move(cpu);
    c_ = open_c_device(engine_->info(), options_.width, false);
    intrinsics_ = open_c_device(engine_->info(), options_.width, true);
    return options_.recorded.empty() ? std::nullopt : read_recorded();
  }

  Result<std::vector<Row>> measure(const Task& task,
                                   const std::function<void(const Row&)>& report) {
    auto contenders = contenders_of(task);
    if (!contenders) return contenders.error();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(options_.sizes, task.sizes.size()); ++i) {
      auto row = measure(task, task.sizes[i], *contenders);
      if (!row) return row.error();
      report(*row);
      rows.push_back(*std::move(row));
    }
    return rows;
  }

  std::string heading() const {
    const auto& info = engine_->info();
    return fmt::format("{}, {} threads, vectors of {} bits\ninstructions and cycles: {}\n\n",
                       info.name, info.compute_units, options_.width,
                       counters_ ? "of a pass, of all threads in user mode, with the reset of its "
                                   "buffers"
                                 : "not counted, because " + why_no_counts_);
  }

 private:
  std::optional<Error> read_recorded() {
    auto records = read_candidates(options_.recorded);
    if (!records) return records.error();
    std::map<std::string, double> least;
    for (auto& record : *records) {
      if (record.fate != Fate::right || record.times.empty()) continue;
      std::vector<double> seconds;
      for (const auto& time : record.times) seconds.push_back(time.seconds);
      const auto mean = geometric_mean(seconds);
      const auto [known, is_new] = least.try_emplace(record.task, mean);
      if (!is_new && known->second <= mean) continue;
      known->second = mean;
      best_[record.task] = std::move(record);
    }
    return std::nullopt;
  }

  Result<std::vector<Contender>> contenders_of(const Task& task) {
    auto seed = translated_seed(task, "");
    if (!seed) return seed.error();
    std::vector<Contender> all;
    const auto add = [&](std::string name, const Translation& translation,
                         Device& device) -> std::optional<Error> {
      auto built = device.build(translation);
      if (!built) return built.error();
      if (const auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
      all.push_back({std::move(name), translation, &device,
                     std::get<std::unique_ptr<Program>>(*std::move(built))});
      return std::nullopt;
    };
    if (auto error = add("C", *seed, *c_)) return *error;
    if (auto error = add("seed", *seed, *engine_)) return *error;
    if (const auto found = best_.find(std::string(task.name)); found != best_.end()) {
      const auto best = translated(found->second.id, found->second.source, "");
      if (!best) return best.error();
      if (auto error = add("best", *best, *engine_)) return *error;
    }
    if (has_intrinsics(*seed))
      if (auto error = add("intrinsics", *seed, *intrinsics_)) return *error;
    return all;
  }

  Result<Run> run(const Task& task, const Size& size, Contender& one, Repeats repeats) {
    auto plan = task.plan(size, one.translation);
    if (!plan) return plan.error();
    plan->execution.vector_bits = options_.width;
    auto ran = one.program->run(*plan, repeats);
    if (!ran) return ran.error();
    if (const auto* failure = std::get_if<Failure>(&*ran))
      return Error{
          fmt::format("{}, {}, {}: {}", task.name, size.label, one.name, failure->message)};
    return std::get<Run>(*std::move(ran));
  }

  Result<Row> measure(const Task& task, const Size& size, std::vector<Contender>& contenders) {
    Row row{task.name, size.label, {}};
    const auto reference = task.reference ? task.reference(size) : Bytes{};
    for (const auto& one : contenders) row.all.push_back({.name = one.name});
    for (unsigned round = 0; round < options_.rounds; ++round)
      for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
        const auto number = (turn + round) % contenders.size();
        const auto ran = run(task, size, contenders[number], {.warmup = 1, .timed = 3});
        if (!ran) return ran.error();
        auto& measured = row.all[number];
        measured.seconds.push_back(median(ran->seconds));
        if (round > 0) continue;
        const auto verdict = task.judge(size, reference, ran->outputs, *ran->timed_outputs);
        if (!verdict) return verdict.error();
        measured.correct = verdict->correct && ran->overruns.empty();
      }
    if (!counters_) return row;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const auto counts = count(task, size, contenders[i]);
      if (!counts) return counts.error();
      row.all[i].counts = *counts;
    }
    return row;
  }

  // A pass: what three more of them add.
  Result<Counts> count(const Task& task, const Size& size, Contender& one) {
    constexpr unsigned more = 3;
    Counts difference;
    for (const unsigned timed : {1U, 1U + more}) {
      const auto before = counters_->read();
      const auto ran = run(task, size, one, {.warmup = 0, .timed = timed});
      if (!ran) return ran.error();
      const auto after = counters_->read();
      const double sign = timed == 1 ? -1 : 1;
      difference.instructions += sign * (after.instructions - before.instructions) / more;
      difference.cycles += sign * (after.cycles - before.cycles) / more;
    }
    return difference;
  }

  Options options_;
  std::unique_ptr<ProcessorCounters> counters_;  // null if they are not allowed
  std::string why_no_counts_;
  std::unique_ptr<Device> engine_, c_, intrinsics_;
  std::map<std::string, Record> best_;  // by task
};

std::string to_text(const Row& row) {
  const auto& c = row.all.front();
  auto text = fmt::format("{:9} {:18} C {:9.3f} ms{}", row.task, row.size, 1e3 * median(c.seconds),
                          c.correct ? "" : " WRONG");
  for (const auto& one : row.all) {
    if (&one == &c) continue;
    const auto over_c = quotient(one, c);
    text += fmt::format("  {} {:5.2f} ({:.2f} to {:.2f}), least {:.2f}{}", one.name, over_c.middle,
                        over_c.low, over_c.high, over_c.of_least, one.correct ? "" : " WRONG");
  }
  text += '\n';
  for (const auto& one : row.all)
    if (one.counts)
      text += fmt::format("{:28} {:10} {:9.2f} M instructions {:9.2f} M cycles\n", "", one.name,
                          one.counts->instructions / 1e6, one.counts->cycles / 1e6);
  return text;
}

std::string to_json(const Row& row) {
  auto json = nlohmann::ordered_json{{"task", row.task}, {"size", row.size}};
  for (const auto& one : row.all) {
    auto& entry = json[one.name];
    const auto over_c = quotient(one, row.all.front());
    entry = {{"seconds", median(one.seconds)},
             {"over_c", over_c.middle},
             {"quartiles", {over_c.low, over_c.high}},
             {"least_over_c", over_c.of_least},
             {"correct", one.correct}};
    if (!one.counts) continue;
    entry["instructions"] = one.counts->instructions;
    entry["cycles"] = one.counts->cycles;
  }
  return json.dump() + "\n";
}

// The geometric mean and the largest of a contender's times over C.
std::string summary(const std::vector<Row>& rows, std::string_view name) {
  std::vector<double> values;
  std::string_view worst;
  for (const auto& row : rows)
    for (const auto& one : row.all)
      if (one.name == name) {
        values.push_back(quotient(one, row.all.front()).middle);
        if (values.back() == *std::ranges::max_element(values)) worst = row.task;
      }
  if (values.empty()) return "";
  return fmt::format("{:10} over C: geometric mean {:.2f} of {} sizes, most {:.2f} ({})\n", name,
                     geometric_mean(values), values.size(), *std::ranges::max_element(values),
                     worst);
}

int report_error(const Error& error) {
  fmt::print(stderr, "msci-bench: {}\n", error.message);
  return 2;
}

int run(const Options& options) {
  const auto tasks = find_tasks(options.tasks);
  if (!tasks) return report_error(tasks.error());
  Bench bench(options);
  if (const auto error = bench.open()) return report_error(*error);
  if (!options.json) fmt::print("{}", bench.heading());
  std::vector<Row> all;
  const auto report = [&](const Row& row) {
    fmt::print("{}", options.json ? to_json(row) : to_text(row));
    std::fflush(stdout);
  };
  for (const auto* task : *tasks) {
    auto rows = bench.measure(*task, report);
    if (!rows) return report_error(rows.error());
    std::ranges::move(*rows, std::back_inserter(all));
  }
  if (!options.json)
    fmt::print("\n{}{}{}", summary(all, "seed"), summary(all, "best"), summary(all, "intrinsics"));
  const bool all_correct = std::ranges::all_of(
      all, [](const Row& row) { return std::ranges::all_of(row.all, &Measured::correct); });
  return all_correct ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options{.tasks = {"all"}};
  CLI::App app("Times kernels on the processor's engine and the same in C, in turns.",
               "msci-bench");
  app.footer(msci::examples);
  app.add_option("--task,--tasks", options.tasks, "tasks, separated by commas (default: all)")
      ->delimiter(',');
  app.add_option("--sizes", options.sizes, "number of sizes, smallest first")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "turns of each contender")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--width", options.width, "most bits of vectors")
      ->check(CLI::IsMember({256, 512}))
      ->capture_default_str();
  app.add_option("--recorded", options.recorded,
                 "recorded candidates (JSON lines, may be compressed): times the best of each task")
      ->check(CLI::ExistingFile);
  app.add_flag("--json", options.json, "print one JSON object for each row");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}

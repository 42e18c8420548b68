// msci-check-cost [TASK...]: how much slower the seeds are when checked. Plain and checked
// passes take turns, so that whatever else the machine does slows down both.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "analysis/instruments.h"
#include "base/statistics.h"
#include "engine/device/worker.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

struct Options {
  std::vector<std::string> tasks = {};
  bool only_small = false;
  unsigned passes = 9;  // of a turn
};

constexpr unsigned most_turns = 40;
constexpr std::chrono::seconds long_enough(4);

// The fastest pass of several: what disturbs a pass makes it slower, never faster. The ratio is the
// median of those of the turns, each of which compares its fastest passes.
struct Costs {
  double plain = 1e30;
  double checked = 1e30;
  std::vector<double> ratios = {};
};

Result<std::unique_ptr<Program>> build(const Translation& translation, Device& device) {
  auto built = device.build(translation);
  if (!built) return built.error();
  if (auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
  return std::get<std::unique_ptr<Program>>(*std::move(built));
}

// The seconds of the fastest pass of a turn.
Result<double> time_turn(Program& program, const Plan& plan, unsigned passes) {
  const auto ran = program.run(plan, {.warmup = 1, .timed = passes});
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return Error{failure->message};
  return std::ranges::min(std::get<Run>(*ran).seconds);
}

Result<Translation> translation_of(const Task& task, TranslationPurpose purpose) {
  auto unit = parse({std::string(task.name), std::string(task.seed)});
  if (!unit) return unit.error();
  return translate(*unit, {}, {}, purpose);
}

Result<Costs> costs(const Task& task, const Size& size, Device& device, unsigned passes) {
  const auto plain = translation_of(task, TranslationPurpose::running);
  if (!plain) return plain.error();
  const auto checked = translation_of(task, TranslationPurpose::checking);
  if (!checked) return checked.error();
  const auto plan = task.plan(size, *plain);
  if (!plan) return plan.error();
  auto plain_program = build(*plain, device);
  if (!plain_program) return plain_program.error();
  auto checked_program = build(*checked, device);
  if (!checked_program) return checked_program.error();
  Costs costs;
  const auto start = std::chrono::steady_clock::now();
  for (unsigned turn = 0; turn < most_turns; ++turn) {
    if (turn > 0 && std::chrono::steady_clock::now() - start > long_enough) break;
    const auto plain_seconds = time_turn(**plain_program, *plan, passes);
    if (!plain_seconds) return plain_seconds.error();
    const auto checked_seconds = time_turn(**checked_program, *plan, passes);
    if (!checked_seconds) return checked_seconds.error();
    costs.plain = std::min(costs.plain, *plain_seconds);
    costs.checked = std::min(costs.checked, *checked_seconds);
    costs.ratios.push_back(*checked_seconds / *plain_seconds);
  }
  return costs;
}

int run(const Options& options) {
  const auto& wanted = options.tasks;
  auto device = open_worker_device(cpu_device_name);
  if (!device) return fmt::print(stderr, "msci-check-cost: {}\n", device.error().message), 2;
  for (const auto* task : all_tasks()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), task->name) == wanted.end())
      continue;
    for (const auto* size : {&task->small, &task->sizes.front()}) {
      if (options.only_small && size != &task->small) continue;
      const auto found = costs(*task, *size, **device, options.passes);
      if (!found) return fmt::print(stderr, "msci-check-cost: {}\n", found.error().message), 2;
      fmt::print("| {} | {} | {:.3g} ms | {:.3g} ms | {:.1f} |\n", task->name, size->label,
                 found->plain * 1e3, found->checked * 1e3, median(found->ratios));
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  CLI::App app("How much slower the seeds are when checked");
  msci::Options options;
  app.add_option("task", options.tasks, "only these tasks");
  app.add_flag("--small", options.only_small, "only the small size, where msci-eval checks");
  app.add_option("--passes", options.passes, "of a turn, of which the fastest counts (9)");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}

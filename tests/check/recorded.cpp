// msci-check-recorded: what the checked mode says of recorded kernels. One line a finding.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "analysis/instruments.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"
#include "tasks/plan/task.h"
#include "tests/agreement/records.h"

namespace msci {
namespace {

struct Options {
  std::string candidates;
  std::vector<std::string> tasks;
  std::vector<std::string> ids;
  bool wrong = false;
};

bool is_among(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

Result<Checked> check_record(const Record& record, Device& device) {
  auto unit = parse({record.id, record.source});
  if (!unit) return unit.error();
  if (!unit->compiled())
    return Error{"it does not compile: " + unit->diagnostics().front().message};
  const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  if (!translation) return translation.error();
  const auto task = find_task(record.task);
  if (!task) return task.error();
  const auto plan = (*task)->plan((*task)->small, *translation);
  if (!plan) return plan.error();
  return check(*plan, *translation, device);
}

void print(const Record& record, const Checked& checked) {
  const auto line = [&](const Place& place, const std::string& message) {
    fmt::print("{}: {}\n", to_string(place, record.id), message);
  };
  if (checked.failure) fmt::print("{}: {}\n", record.id, checked.failure->message);
  for (const auto& finding : checked.findings) {
    line(finding.place, fmt::format("{} [{}]", finding.message, finding.id));
    for (const auto& note : finding.notes) line(note.place, "note: " + note.message);
  }
  std::fflush(stdout);
}

int run(const Options& options) {
  const auto records = read_candidates(options.candidates);
  if (!records) return fmt::print(stderr, "msci-check-recorded: {}\n", records.error().message), 2;
  auto device = open_worker_device(cpu_device_name, {.run = std::chrono::minutes(10)});
  if (!device) return fmt::print(stderr, "msci-check-recorded: {}\n", device.error().message), 2;
  unsigned all = 0, faulty = 0, unchecked = 0;
  for (const auto& record : *records) {
    const bool wanted = options.wrong ? record.fate == Fate::wrong : record.fate == Fate::right;
    if (!wanted || !is_among(options.tasks, record.task) || !is_among(options.ids, record.id))
      continue;
    ++all;
    const auto checked = check_record(record, **device);
    if (!checked) {
      ++unchecked;
      fmt::print("{}: could not check: {}\n", record.id, checked.error().message);
      continue;
    }
    faulty += !checked->findings.empty() || checked->failure;
    print(record, *checked);
  }
  fmt::print("{} kernels, {} with findings, {} not checked\n", all, faulty, unchecked);
  return faulty + unchecked > 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app(
      "Runs recorded kernels that are right in the checked mode, each at its task's small size.",
      "msci-check-recorded");
  app.footer("\nExit status: 0 nothing found, 1 something found, 2 could not check.");
  app.add_option("FILE", options.candidates, "recorded_candidates.jsonl.gz")->required();
  app.add_option("--task", options.tasks, "only these tasks");
  app.add_option("--id", options.ids, "only these kernels");
  app.add_flag("--wrong", options.wrong, "those that were found wrong instead");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}

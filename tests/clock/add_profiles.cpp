#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/elapsed.h"
#include "engine/device/worker.h"
#include "evaluator/profile/profiled_run.h"
#include "evaluator/session/compile_kernel.h"
#include "tasks/plan/task.h"
#include "tests/agreement/records.h"
#include "tests/clock/profiles.h"

namespace msci {
namespace {

// Recorded kernels that take long, on one core, are profiled too.
constexpr WorkerLimits longest{.build = std::chrono::minutes(10), .run = std::chrono::minutes(10)};

// The kernels in post.metal beside a plan file; empty without it.
std::string added_kernels(const Task& task) {
  if (task.plan_file.empty()) return "";
  std::ifstream file(std::filesystem::path(task.plan_file).parent_path() / "post.metal");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of the launches of kernels that `source` has.
Result<Profile> profiled(const Task& task, const Size& size, const std::string& source,
                         const Translation& translation, Program& program) {
  auto plan = task.plan(size, translation);
  if (!plan) return plan.error();
  std::erase_if(plan->launches, [&](const Launch& launch) {
    return source.find(launch.kernel) == std::string::npos;
  });
  auto ran = run_profile(*std::move(plan), translation, program);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return Error{failure->message};
  return std::get<Profile>(*std::move(ran));
}

class Profiler {
 public:
  Profiler(Device& device, const std::vector<ProfiledRecord>& known, std::ofstream& file)
      : device_(device), file_(file) {
    for (const auto& each : known) known_.insert(each.id);
  }

  std::optional<Error> add(const Record& record) {
    if (known_.contains(record.id)) return std::nullopt;
    const auto task = find_task(record.task);
    if (!task) return task.error();
    if (auto error = load_task(**task, {.is_judged = false})) return *error;
    auto start = std::chrono::steady_clock::now();
    const auto prepared =
        compile({.name = record.id, .text = record.source + added_kernels(**task)}, {},
                {.purpose = TranslationPurpose::profiling});
    if (!prepared) return prepared.error();
    if (!prepared->translation) return Error{prepared->rejection};
    auto built = device_.build(*prepared->translation);
    if (!built) return built.error();
    if (const auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
    auto& program = *std::get<std::unique_ptr<Program>>(*built);
    for (const auto& [label, seconds] : record.times) {
      const auto size =
          std::find_if((*task)->sizes.begin(), (*task)->sizes.end(),
                       [&, &label = label](const Size& each) { return each.label == label; });
      if (size == (*task)->sizes.end()) continue;  // a plan may lack the larger ones
      auto profile = profiled(**task, *size, record.source, *prepared->translation, program);
      if (!profile) return profile.error();
      file_ << to_line({.id = record.id,
                        .task = record.task,
                        .run = record.run,
                        .size = label,
                        .seconds = seconds,
                        .profile_seconds = seconds_since(start),
                        .times = record.times,
                        .profile = *std::move(profile)})
            << std::endl;
      start = std::chrono::steady_clock::now();
    }
    return std::nullopt;
  }

 private:
  Device& device_;
  std::ofstream& file_;
  std::set<std::string> known_;
};

}  // namespace

std::optional<Error> add_profiles(const std::string& records, const std::string& path) {
  const auto candidates = read_candidates(records);
  if (!candidates) return candidates.error();
  const auto known = read_profiles(path);
  if (!known) return known.error();
  auto device = open_worker_device(cpu_device_name, longest);
  if (!device) return device.error();
  std::ofstream file(path, std::ios::app);
  Profiler profiler(**device, *known, file);
  for (const auto& record : *candidates)
    if (record.fate == Fate::right)
      if (const auto error = profiler.add(record))
        fmt::print(stderr, "msci-clock: {}: {}\n", record.id, error->message);
  return std::nullopt;
}

}  // namespace msci

// msci-handwritten: what translation costs. It compares each translated seed kernel with the same
// kernel written by hand in OpenCL C and, on an NVIDIA GPU, with that kernel compiled as CUDA.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/files/write_file.h"
#include "base/json.h"
#include "engine/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/measure/paired_comparison.h"
#include "evaluator/progress.h"
#include "evaluator/result/result_text.h"
#include "tests/bench/cuda_device.h"
#include "tests/bench/handwritten_kernels.h"
#include "tests/bench/seed.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Each row is one size: the milliseconds of the translated and of the hand-written kernel, and the
hand-written kernel's time over the translated one's, with its 99 % interval. More than 1 means that
the translated kernel is faster.

Examples:
  msci-handwritten                                       every task on the first OpenCL device
  msci-handwritten --task nbody,lj --held-out            the held-out size, too
  msci-handwritten --verify-only --sizes 1               only check the hand-written kernels' results
  msci-handwritten --least-mean 0.97 --least-worst 0.9   fail if translation costs more
  msci-handwritten --write-cuda cuda                     write TASK.cu for nvcc; then, in that folder,
    nvcc -arch=sm_90 -O3 -prec-div=false -prec-sqrt=false -cubin -o TASK.cubin TASK.cu
  msci-handwritten --cuda cuda --device NVIDIA --programs seeds

Exit status: 0 success, 1 a hand-written kernel is wrong or a ratio too low, 2 an error.
)";

struct Options {
  std::vector<std::string> tasks;
  std::string device = std::string(opencl_device_name);  // the kernels are OpenCL C
  std::string programs;
  std::string cuda;
  std::string write_cuda;
  unsigned sizes = 3;
  bool held_out = false;
  bool verify_only = false;
  bool json = false;
  Rounds rounds;
  std::optional<double> least_mean;
  std::optional<double> least_worst;
};

// A hand-written kernel, measured in turns with ours.
struct Baseline {
  double seconds = 0;          // median of its turns
  std::optional<Ratio> ratio;  // its time over ours; none after too few rounds
};

// One task at one size.
struct Row {
  std::string_view task;
  std::string size;
  bool held_out = false;
  double seconds = 0;  // ours, in turns with the OpenCL baseline
  Baseline opencl;
  std::optional<Baseline> cuda;
};

// A task's kernels in one language, and the device that runs them.
struct Candidate {
  std::string name;  // in messages
  Translation translation;
  Device& device;
};

// The translated kernels of a task, and the hand-written ones.
struct Candidates {
  Candidate ours;
  Candidate opencl;
  std::optional<Candidate> cuda;
};

struct Devices {
  std::unique_ptr<Device> opencl;
  std::unique_ptr<Device> cuda;  // null without --cuda
};

Result<Devices> open_devices(const Options& options) {
  Devices devices;
  auto opencl = open_worker_device(options.device);
  if (!opencl) return opencl.error();
  devices.opencl = *std::move(opencl);
  if (options.cuda.empty()) return devices;
  auto cuda = open_cuda_device();
  if (!cuda) return cuda.error();
  devices.cuda = *std::move(cuda);
  return devices;
}

// A cubin, which is binary.
Result<std::string> read_image(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string image(std::istreambuf_iterator<char>(file), {});
  if (!file || image.empty())
    return Error{fmt::format("cannot read {}; make it with nvcc (msci-handwritten --help)", path)};
  return image;
}

Result<Candidates> candidates_of(const Task& task, const Options& options, const Devices& devices) {
  auto seed = translated_seed(task, options.programs);
  if (!seed) return seed.error();
  auto opencl = handwritten_opencl(task.name, *seed);
  if (!opencl) return opencl.error();
  Candidates candidates{
      .ours = {fmt::format("{}: translated", task.name), *seed, *devices.opencl},
      .opencl = {fmt::format("{}: hand-written", task.name), *std::move(opencl), *devices.opencl}};
  if (devices.cuda) {
    auto image = read_image(fmt::format("{}/{}.cubin", options.cuda, task.name));
    if (!image) return image.error();
    candidates.cuda.emplace(Candidate{fmt::format("{}: hand-written, CUDA", task.name),
                                      handwritten_cuda(*std::move(image), *seed), *devices.cuda});
  }
  return candidates;
}

// The task with the sizes of --sizes and --held-out.
Task chosen_sizes(const Task& task, const Options& options) {
  Task chosen = task;
  if (chosen.sizes.size() > options.sizes) chosen.sizes.resize(options.sizes);
  if (options.held_out) chosen.sizes.push_back(*task.held_out);
  return chosen;
}

// Why the kernel is wrong at one of the task's sizes; nothing if it is correct.
Result<std::optional<std::string>> why_wrong(const Candidate& candidate, const Task& task,
                                             Cache& cache) {
  const auto evaluation =
      evaluate(task, candidate.translation, {candidate.device, std::nullopt, cache},
               {.repeats = verify_only, .stop_at_wrong = true});
  if (!evaluation) return evaluation.error();
  return fail_reason(evaluation->outcome);
}

// Ours at all sizes, in turns with one baseline.
Result<std::vector<PairedTimes>> compare(const Task& task, const Candidate& ours,
                                         const Candidate& baseline, Rounds rounds) {
  Cache references(user_cache_folder());
  auto compared = compare_paired(task, task.sizes, {ours.translation, ours.device},
                                 {baseline.translation, baseline.device}, references, rounds);
  if (!compared) return compared.error();
  if (auto* failure = std::get_if<Failure>(&*compared))
    return Error{
        fmt::format("{} in turns with {}: {}", ours.name, baseline.name, failure->message)};
  return std::get<PairedComparison>(*std::move(compared)).sizes;
}

Baseline baseline_of(const PairedTimes& times) {
  return {.seconds = median(times.rival), .ratio = PairedComparison{{times}}.at(0)};
}

Result<std::vector<Row>> measure(const Task& task, const Candidates& candidates,
                                 const Options& options) {
  const auto opencl = compare(task, candidates.ours, candidates.opencl, options.rounds);
  if (!opencl) return opencl.error();
  std::vector<Row> rows;
  for (const auto& times : *opencl)
    rows.push_back({.task = task.name,
                    .size = times.label,
                    .held_out = times.label == task.held_out->label,
                    .seconds = median(times.candidate),
                    .opencl = baseline_of(times)});
  if (!candidates.cuda) return rows;
  const auto cuda = compare(task, candidates.ours, *candidates.cuda, options.rounds);
  if (!cuda) return cuda.error();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].cuda = baseline_of((*cuda)[i]);
  return rows;
}

// ---- what was measured, as text

std::string cell_of(const std::optional<Ratio>& ratio) {
  if (!ratio) return "too few rounds";
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->median, ratio->interval.low,
                     ratio->interval.high);
}

std::string cells(const Baseline& baseline) {
  return fmt::format(" {:.4g} | {} |", 1e3 * baseline.seconds, cell_of(baseline.ratio));
}

std::string heading(bool with_cuda) {
  return fmt::format(
      "| task | size | translated, ms | hand-written, ms | hand-written / translated |{}\n"
      "|---|---|---:|---:|---:|{}\n",
      with_cuda ? " CUDA, ms | CUDA / translated |" : "", with_cuda ? "---:|---:|" : "");
}

std::string to_text(const Row& row) {
  return fmt::format("| {} | {}{} | {:.4g} |{}{}\n", row.task, row.size,
                     row.held_out ? " (held out)" : "", 1e3 * row.seconds, cells(row.opencl),
                     row.cuda ? cells(*row.cuda) : "");
}

nlohmann::ordered_json to_json(const Baseline& baseline) {
  const auto& [seconds, ratio] = baseline;
  nlohmann::ordered_json json = {{"ms", 1e3 * seconds}};
  if (!ratio) return json;
  json["ratio"] = ratio->median;
  json["interval"] = {ratio->interval.low, ratio->interval.high};
  return json;
}

std::string to_json(const Row& row) {
  nlohmann::ordered_json json = {{"task", row.task},
                                 {"size", row.size},
                                 {"held_out", row.held_out},
                                 {"translated_ms", 1e3 * row.seconds},
                                 {"handwritten", to_json(row.opencl)}};
  if (row.cuda) json["handwritten_cuda"] = to_json(*row.cuda);
  return json.dump() + "\n";
}

// All ratios to the baselines in one language.
struct Summary {
  double mean = 1;  // geometric
  double worst = 1;
};

Summary summary_of(const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  return {geometric_mean(ratios), *std::min_element(ratios.begin(), ratios.end())};
}

void print_summary(std::string_view language, const Summary& summary, bool json) {
  if (json)
    fmt::print("{}\n", nlohmann::ordered_json{{"handwritten", language},
                                              {"geometric_mean", summary.mean},
                                              {"worst", summary.worst}}
                           .dump());
  else
    fmt::print("\nhand-written {} / translated: geometric mean {:.3f}, worst {:.3f}\n", language,
               summary.mean, summary.worst);
}

// ---- the program

constexpr int success = 0;
constexpr int wrong_or_slow = 1;
constexpr int failure = 2;

int report_error(const Error& error) {
  fmt::print(stderr, "msci-handwritten: {}\n", error.message);
  return failure;
}

int write_cuda(const std::vector<const Task*>& tasks, const std::string& folder) {
  for (const auto* task : tasks) {
    const auto text = handwritten_cuda_text(task->name);
    if (!text) return report_error(text.error());
    if (const auto error = write_file(fmt::format("{}/{}.cu", folder, task->name), *text))
      return report_error(*error);
  }
  return success;
}

int conclude(const std::vector<Row>& rows, const Options& options) {
  std::vector<double> opencl, cuda;
  for (const auto& row : rows) {
    if (row.opencl.ratio) opencl.push_back(row.opencl.ratio->median);
    if (row.cuda && row.cuda->ratio) cuda.push_back(row.cuda->ratio->median);
  }
  const auto summary = summary_of(opencl);
  print_summary("OpenCL", summary, options.json);
  if (!cuda.empty()) print_summary("CUDA", summary_of(cuda), options.json);
  const bool good = summary.mean >= options.least_mean.value_or(0) &&
                    summary.worst >= options.least_worst.value_or(0);
  return good ? success : wrong_or_slow;
}

// Whether the hand-written kernels are correct; prints why not.
Result<bool> verify_baselines(const Task& task, const Candidates& candidates, Cache& cache) {
  for (const auto* each : {&candidates.opencl, candidates.cuda ? &*candidates.cuda : nullptr}) {
    if (!each) continue;
    const auto wrong = why_wrong(*each, task, cache);
    if (!wrong) return wrong.error();
    if (*wrong) {
      fmt::print(stderr, "msci-handwritten: {}: {}\n", each->name, **wrong);
      return false;
    }
  }
  return true;
}

int run(const std::vector<const Task*>& tasks, const Options& options) {
  const auto devices = open_devices(options);
  if (!devices) return report_error(devices.error());
  Cache cache(user_cache_folder());
  Progress progress(tasks.size());
  if (!options.json && !options.verify_only)
    fmt::print("{}\n\n{}", devices->opencl->info().name, heading(devices->cuda != nullptr));
  std::vector<Row> all;
  bool all_correct = true;
  for (const auto* each : tasks) {
    const auto task = chosen_sizes(*each, options);
    const auto candidates = candidates_of(task, options, *devices);
    if (!candidates) return report_error(candidates.error());
    progress.show(fmt::format("{}: checking the hand-written kernel", task.name));
    const auto correct = verify_baselines(task, *candidates, cache);
    if (!correct) return report_error(correct.error());
    all_correct = all_correct && *correct;
    if (options.verify_only || !*correct) continue;
    progress.show(fmt::format("{}: measuring in turns", task.name));
    const auto rows = measure(task, *candidates, options);
    if (!rows) return report_error(rows.error());
    progress.step_done();
    progress.erase();
    for (const auto& row : *rows) fmt::print("{}", options.json ? to_json(row) : to_text(row));
    std::fflush(stdout);
    all.insert(all.end(), rows->begin(), rows->end());
  }
  if (!all_correct) return wrong_or_slow;
  return options.verify_only ? success : conclude(all, options);
}

int run(const Options& options) {
  std::vector<const Task*> tasks;
  for (const auto& name : options.tasks) {
    const auto task = find_task(name);
    if (!task) return report_error(task.error());
    tasks.push_back(*task);
  }
  if (tasks.empty()) tasks.assign(all_tasks().begin(), all_tasks().end());
  return options.write_cuda.empty() ? run(tasks, options) : write_cuda(tasks, options.write_cuda);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--task,--tasks", options.tasks, "tasks, separated by commas (default: all)")
      ->delimiter(',');
  app.add_option("--device", options.device, "the device, as for msci-eval");
  app.add_option("--programs", options.programs,
                 "folder of the translated seeds, TASK.cl (msci-eval --emit opencl)")
      ->check(CLI::ExistingDirectory);
  app.add_option("--sizes", options.sizes, "number of sizes, smallest first")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  app.add_flag("--held-out", options.held_out, "measure the held-out size, too");
  app.add_option("--rounds", options.rounds.count, "turns of each kernel")
      ->check(CLI::Range(8, 1000))
      ->capture_default_str();
  app.add_flag("--verify-only", options.verify_only,
               "check the hand-written kernels and measure nothing");
  app.add_flag("--json", options.json,
               "print one JSON object for each row, then one for each summary");
  app.add_option("--least-mean", options.least_mean,
                 "fail if the geometric mean of the OpenCL ratios is lower");
  app.add_option("--least-worst", options.least_worst, "fail if one of these ratios is lower");
  app.add_option("--cuda", options.cuda, "measure the CUDA kernels, too: folder with TASK.cubin")
      ->check(CLI::ExistingDirectory);
  app.add_option("--write-cuda", options.write_cuda,
                 "write the CUDA kernels into a folder, TASK.cu, and do nothing else")
      ->check(CLI::ExistingDirectory);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Compares translated seed kernels with hand-written ones.", "msci-handwritten");
  app.footer(msci::examples);
  msci::declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}

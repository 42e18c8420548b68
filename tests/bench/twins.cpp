// msci-twins: what translation costs. Each seed kernel as we translate it, in turns with the same
// kernel written by hand in OpenCL C, and where there is an NVIDIA GPU, compiled as CUDA by nvcc.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "evaluator/device/worker.h"
#include "evaluator/evaluate.h"
#include "evaluator/progress.h"
#include "evaluator/report.h"
#include "evaluator/versus.h"
#include "lint/write_file.h"
#include "tests/bench/cuda_device.h"
#include "tests/bench/seed.h"
#include "tests/bench/twin.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Each row is one size: milliseconds of ours and of the twin, and the twin's time over ours with its 99 %
interval, so that more than 1 says that ours is the faster.

Examples:
  msci-twins                                       every task on the first device
  msci-twins --task nbody,lj --held-out            the held-out size too
  msci-twins --verify-only --sizes 1               only whether twins are right
  msci-twins --least-mean 0.97 --least-worst 0.9   fails where translation costs more
  msci-twins --write-cuda cuda                     TASK.cu for nvcc; then, in that folder,
    nvcc -arch=sm_90 -O3 -prec-div=false -prec-sqrt=false -cubin -o TASK.cubin TASK.cu
  msci-twins --cuda cuda --device NVIDIA --programs seeds

Exit status: 0 fine, 1 a twin is wrong or a ratio below what was asked for, 2 something could not be done.
)";

struct Options {
  std::vector<std::string> tasks;
  std::string device;
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

// A twin beside ours, measured in turns.
struct Against {
  double seconds = 0;  // the twin's, median of its turns
  Ratio ratio;         // the twin's time over ours
};

// One task at one size.
struct Row {
  std::string_view task;
  std::string size;
  bool held_out = false;
  double seconds = 0;  // ours, beside the OpenCL twin
  Against opencl;
  std::optional<Against> cuda;
};

// What one kernel of a task is called in messages, its text and the device that it runs on.
struct Subject {
  std::string name;
  Translation translation;
  Device& device;
};

// Ours and its twins.
struct Family {
  Subject ours;
  Subject opencl;
  std::optional<Subject> cuda;
};

struct Devices {
  std::unique_ptr<Device> opencl;
  std::unique_ptr<Device> cuda;  // null where nobody asked for it
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

// What nvcc wrote, which is no text.
Result<std::string> read_image(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string image(std::istreambuf_iterator<char>(file), {});
  if (!file || image.empty())
    return Error{fmt::format("cannot read {}; make it with nvcc (msci-twins --help)", path)};
  return image;
}

Result<Family> family_of(const Task& task, const Options& options, const Devices& devices) {
  auto seed = translated_seed(task, options.programs);
  if (!seed) return seed.error();
  auto twin = opencl_twin(task.name, *seed);
  if (!twin) return twin.error();
  Family family{.ours = {fmt::format("{}: ours", task.name), *seed, *devices.opencl},
                .opencl = {fmt::format("{}: twin", task.name), *std::move(twin), *devices.opencl}};
  if (devices.cuda) {
    auto image = read_image(fmt::format("{}/{}.cubin", options.cuda, task.name));
    if (!image) return image.error();
    family.cuda.emplace(Subject{fmt::format("{}: CUDA twin", task.name),
                                cuda_twin(*std::move(image), *seed), *devices.cuda});
  }
  return family;
}

// The task with the sizes that were asked for, those with the least work first.
Task chosen_sizes(const Task& task, const Options& options) {
  Task chosen = task;
  if (chosen.sizes.size() > options.sizes) chosen.sizes.resize(options.sizes);
  if (options.held_out) chosen.sizes.push_back(*task.held_out);
  return chosen;
}

// Why the kernel is not right at all of the task's sizes; nothing where it is.
Result<std::optional<std::string>> what_is_wrong(const Subject& subject, const Task& task,
                                                 Cache& cache) {
  const auto evaluation = evaluate(task, subject.translation, {subject.device, std::nullopt, cache},
                                   {.repeats = verify_only, .stop_at_wrong = true});
  if (!evaluation) return evaluation.error();
  return fail_reason(evaluation->outcome);
}

// Ours at all sizes, in turns with one twin.
Result<std::vector<PairedTimes>> in_turns(const Task& task, const Subject& ours,
                                          const Subject& twin, Rounds rounds) {
  auto compared = compare_in_turns(task, task.sizes, {ours.translation, ours.device},
                                   {twin.translation, twin.device}, rounds);
  if (!compared) return compared.error();
  if (auto* failure = std::get_if<Failure>(&*compared))
    return Error{fmt::format("{} in turns with {}: {}", ours.name, twin.name, failure->message)};
  return std::get<Versus>(*std::move(compared)).sizes;
}

Against against(const PairedTimes& times) {
  return {.seconds = median(times.rival), .ratio = Versus{{times}}.at(0)};
}

Result<std::vector<Row>> measure(const Task& task, const Family& family, const Options& options) {
  const auto opencl = in_turns(task, family.ours, family.opencl, options.rounds);
  if (!opencl) return opencl.error();
  std::vector<Row> rows;
  for (const auto& times : *opencl)
    rows.push_back({.task = task.name,
                    .size = times.label,
                    .held_out = times.label == task.held_out->label,
                    .seconds = median(times.candidate),
                    .opencl = against(times)});
  if (!family.cuda) return rows;
  const auto cuda = in_turns(task, family.ours, *family.cuda, options.rounds);
  if (!cuda) return cuda.error();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].cuda = against((*cuda)[i]);
  return rows;
}

// ---- what was measured, as text

std::string cell_of(const Ratio& ratio) {
  if (!ratio.interval) return fmt::format("{:.3f}", ratio.median);
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio.median, ratio.interval->low,
                     ratio.interval->high);
}

std::string cells(const Against& twin) {
  return fmt::format(" {:.4g} | {} |", 1e3 * twin.seconds, cell_of(twin.ratio));
}

std::string heading(bool with_cuda) {
  return fmt::format(
      "| task | size | ours, ms | twin, ms | twin / ours |{}\n|---|---|---:|---:|---:|{}\n",
      with_cuda ? " CUDA twin, ms | CUDA twin / ours |" : "", with_cuda ? "---:|---:|" : "");
}

std::string to_text(const Row& row) {
  return fmt::format("| {} | {}{} | {:.4g} |{}{}\n", row.task, row.size,
                     row.held_out ? " (held out)" : "", 1e3 * row.seconds, cells(row.opencl),
                     row.cuda ? cells(*row.cuda) : "");
}

nlohmann::ordered_json to_json(const Against& twin) {
  nlohmann::ordered_json json = {{"ms", 1e3 * twin.seconds}, {"ratio", twin.ratio.median}};
  if (twin.ratio.interval) json["interval"] = {twin.ratio.interval->low, twin.ratio.interval->high};
  return json;
}

std::string to_json(const Row& row) {
  nlohmann::ordered_json json = {{"task", row.task},
                                 {"size", row.size},
                                 {"held_out", row.held_out},
                                 {"ours_ms", 1e3 * row.seconds},
                                 {"twin", to_json(row.opencl)}};
  if (row.cuda) json["cuda_twin"] = to_json(*row.cuda);
  return json.dump() + "\n";
}

// All ratios to one kind of twin.
struct Summary {
  double mean = 1;  // geometric
  double worst = 1;
};

Summary summary_of(const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  return {geometric_mean(ratios), *std::min_element(ratios.begin(), ratios.end())};
}

void print_summary(std::string_view twin, const Summary& summary, bool json) {
  if (json)
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"twin", twin}, {"geometric_mean", summary.mean}, {"worst", summary.worst}}
                   .dump());
  else
    fmt::print("\n{} twin / ours: geometric mean {:.3f}, worst {:.3f}\n", twin, summary.mean,
               summary.worst);
}

// ---- the program

constexpr int fine = 0;
constexpr int below = 1;
constexpr int could_not = 2;

int complain(const Error& error) {
  fmt::print(stderr, "msci-twins: {}\n", error.message);
  return could_not;
}

int write_cuda(const std::vector<const Task*>& tasks, const std::string& folder) {
  for (const auto* task : tasks) {
    const auto text = cuda_text(task->name);
    if (!text) return complain(text.error());
    const auto written = write_file(fmt::format("{}/{}.cu", folder, task->name), *text);
    if (!written) return complain(written.error());
  }
  return fine;
}

int conclude(const std::vector<Row>& rows, const Options& options) {
  std::vector<double> opencl, cuda;
  for (const auto& row : rows) {
    opencl.push_back(row.opencl.ratio.median);
    if (row.cuda) cuda.push_back(row.cuda->ratio.median);
  }
  const auto summary = summary_of(opencl);
  print_summary("OpenCL", summary, options.json);
  if (!cuda.empty()) print_summary("CUDA", summary_of(cuda), options.json);
  const bool good = summary.mean >= options.least_mean.value_or(0) &&
                    summary.worst >= options.least_worst.value_or(0);
  return good ? fine : below;
}

// Says what is wrong with a task's twins.
Result<bool> twins_are_right(const Task& task, const Family& family, Cache& cache) {
  for (const auto* twin : {&family.opencl, family.cuda ? &*family.cuda : nullptr}) {
    if (!twin) continue;
    const auto wrong = what_is_wrong(*twin, task, cache);
    if (!wrong) return wrong.error();
    if (*wrong) {
      fmt::print(stderr, "msci-twins: {}: {}\n", twin->name, **wrong);
      return false;
    }
  }
  return true;
}

int run(const std::vector<const Task*>& tasks, const Options& options) {
  const auto devices = open_devices(options);
  if (!devices) return complain(devices.error());
  Cache cache(user_cache_folder());
  Progress progress(tasks.size());
  if (!options.json && !options.verify_only)
    fmt::print("{}\n\n{}", devices->opencl->info().name, heading(devices->cuda != nullptr));
  std::vector<Row> all;
  bool right = true;
  for (const auto* each : tasks) {
    const auto task = chosen_sizes(*each, options);
    const auto family = family_of(task, options, *devices);
    if (!family) return complain(family.error());
    progress.doing(fmt::format("{}: is the twin right?", task.name));
    const auto twins_right = twins_are_right(task, *family, cache);
    if (!twins_right) return complain(twins_right.error());
    right = right && *twins_right;
    if (options.verify_only || !*twins_right) continue;
    progress.doing(fmt::format("{}: in turns", task.name));
    const auto rows = measure(task, *family, options);
    if (!rows) return complain(rows.error());
    progress.step_done();
    progress.erase();
    for (const auto& row : *rows) fmt::print("{}", options.json ? to_json(row) : to_text(row));
    std::fflush(stdout);
    all.insert(all.end(), rows->begin(), rows->end());
  }
  if (!right) return below;
  return options.verify_only ? fine : conclude(all, options);
}

int run(const Options& options) {
  std::vector<const Task*> tasks;
  for (const auto& name : options.tasks) {
    const auto task = find_task(name);
    if (!task) return complain(task.error());
    tasks.push_back(*task);
  }
  if (tasks.empty()) tasks.assign(all_tasks().begin(), all_tasks().end());
  return options.write_cuda.empty() ? run(tasks, options) : write_cuda(tasks, options.write_cuda);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--task,--tasks", options.tasks, "tasks, with commas; all without")
      ->delimiter(',');
  app.add_option("--device", options.device, "as of msci-eval");
  app.add_option("--programs", options.programs,
                 "a folder with the translated seeds, TASK.cl (msci-eval --emit opencl)")
      ->check(CLI::ExistingDirectory);
  app.add_option("--sizes", options.sizes, "how many of the sizes, the smallest first")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  app.add_flag("--held-out", options.held_out, "the held-out size too");
  app.add_option("--rounds", options.rounds.count, "turns of each")
      ->check(CLI::Range(8, 1000))
      ->capture_default_str();
  app.add_flag("--verify-only", options.verify_only, "judge the twins and measure nothing");
  app.add_flag("--json", options.json, "one object a row, one a line, then one a kind of twin");
  app.add_option("--least-mean", options.least_mean,
                 "fail where the geometric mean of the ratios to OpenCL twins is lower");
  app.add_option("--least-worst", options.least_worst, "fail where one of these ratios is lower");
  app.add_option("--cuda", options.cuda, "measure CUDA twins too: a folder with TASK.cubin")
      ->check(CLI::ExistingDirectory);
  app.add_option("--write-cuda", options.write_cuda,
                 "write the CUDA twins into a folder, TASK.cu, and do nothing else")
      ->check(CLI::ExistingDirectory);
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Translated seed kernels against their hand-written twins.", "msci-twins");
  app.footer(msci::examples);
  msci::declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}

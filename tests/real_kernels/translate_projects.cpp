// msci-translate-projects: how many kernels of real projects can be translated, and built by a
// device. The failures are listed by cause.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <regex>

#include "base/elapsed.h"
#include "base/files/read_file.h"
#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/translate.h"
#include "engine/device/worker.h"
#include "tests/real_kernels/projects.h"
#include "tests/real_kernels/sample.h"

namespace msci {
namespace {

struct Options {
  std::string archive = default_archive().string();
  std::string project;
  std::string file;
  std::string device{pocl_device_name};
  std::size_t most_instantiations = 0;  // of one template; 0 for all
  std::size_t part = 0, parts = 1;      // kernels part, part + parts, … of each file
  std::size_t batch = 16;
  unsigned jobs = 2;
  unsigned seconds = 120;
  bool build = true;
  bool verbose = false;
};

// ---- what is asked

// Every n-th of the kernels, so that several machines or processes can share a run.
std::vector<std::string> part_of(const std::vector<std::string>& kernels, const Options& options) {
  std::vector<std::string> part;
  for (auto i = options.part; i < kernels.size(); i += options.parts) part.push_back(kernels[i]);
  return part;
}

// ---- the answer for one kernel, and for one file

struct KernelAnswer {
  std::string kernel;
  std::string problem;  // empty for a kernel that was translated and built
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelAnswer, kernel, problem)

using Answers = std::vector<KernelAnswer>;

struct FileAnswer {
  std::string problem;  // why the file was not read
  std::size_t kernels = 0;
  Answers sampled;
  double parse_seconds = 0;
  double seconds = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileAnswer, problem, kernels, sampled, parse_seconds, seconds)

std::optional<std::string> build_problem(const Translation& translation,
                                         const std::string& device_name) {
  auto device = open_worker_device(device_name);
  if (!device) return device.error().message;
  auto built = (*device)->build(translation);
  if (!built) return "device: " + built.error().message;
  if (const auto* failure = std::get_if<Failure>(&*built)) return "build: " + failure->message;
  return std::nullopt;
}

Answers all_alike(const std::vector<std::string>& kernels, const std::string& problem) {
  Answers answers;
  for (const auto& kernel : kernels) answers.push_back({kernel, problem});
  return answers;
}

Answers answer(Unit& unit, const std::vector<std::string>& kernels, const Options& options) {
  const auto translation = translate(unit, kernels, typical_constants(unit));
  if (!translation) return all_alike(kernels, translation.error().message);
  if (!options.build) return all_alike(kernels, "");
  return all_alike(kernels, build_problem(*translation, options.device).value_or(""));
}

bool all_right(const Answers& answers) {
  return std::all_of(answers.begin(), answers.end(),
                     [](const KernelAnswer& each) { return each.problem.empty(); });
}

// In a process of its own, since a translation may crash or exceed its limits.
Answers answer_isolated(Unit& unit, const std::vector<std::string>& kernels,
                        const Options& options) {
  const Limits limits{.seconds = options.seconds, .memory_bytes = std::size_t{4} << 30};
  const auto outcome =
      run_isolated([&] { return to_msgpack<Answers>(answer(unit, kernels, options)); }, limits);
  if (!outcome) return all_alike(kernels, outcome.error().message);
  if (const auto* failure = std::get_if<WorkFailure>(&*outcome))
    return all_alike(kernels, "translation: " + failure->reason);
  const auto answers = from_msgpack<Answers>(std::get<std::string>(*outcome));
  return answers ? *answers : all_alike(kernels, answers.error().message);
}

// A batch together; where one of it fails, each alone.
Answers answer_batch(Unit& unit, const std::vector<std::string>& kernels, const Options& options) {
  auto together = answer_isolated(unit, kernels, options);
  if (kernels.size() == 1 || all_right(together)) return together;
  Answers answers;
  for (const auto& kernel : kernels) {
    const auto alone = answer_isolated(unit, {kernel}, options);
    answers.insert(answers.end(), alone.begin(), alone.end());
  }
  return answers;
}

std::string first_error(const Unit& unit) {
  for (const auto& each : unit.diagnostics())
    if (each.severity == Severity::error) return each.message;
  return "an included file has an error";
}

FileAnswer answer_file(const std::filesystem::path& file, const Project& project,
                       const Options& options) {
  FileAnswer result;
  const auto start = std::chrono::steady_clock::now();
  const auto source = read_source(file.string());
  if (!source) return {.problem = source.error().message};
  auto unit = parse(*source, options_for(project, file));
  if (!unit) return {.problem = unit.error().message};
  if (!unit->compiled()) return {.problem = "front end: " + first_error(*unit)};
  result.parse_seconds = seconds_since(start);
  result.kernels = unit->kernels().size();
  const auto chosen = part_of(sample(*unit, options.most_instantiations), options);
  for (std::size_t i = 0; i < chosen.size(); i += options.batch) {
    const auto end = std::min(chosen.size(), i + options.batch);
    const auto answers = answer_batch(*unit, {chosen.begin() + i, chosen.begin() + end}, options);
    result.sampled.insert(result.sampled.end(), answers.begin(), answers.end());
  }
  result.seconds = seconds_since(start);
  return result;
}

// ---- the report

// The problem without names and numbers.
std::string cause_of(const std::string& problem) {
  auto cause = problem.substr(0, problem.find('\n'));
  cause = std::regex_replace(cause, std::regex("^line [0-9]+: "), "");
  cause = std::regex_replace(cause, std::regex("'[^']*'"), "'…'");
  cause = std::regex_replace(cause, std::regex("[0-9]+"), "N");
  return std::regex_replace(cause, std::regex("^cannot translate kernel '…' yet: "), "");
}

struct Sum {
  std::size_t files = 0, refused_files = 0, kernels = 0, sampled = 0, right = 0;
  double seconds = 0;
};

void print(const std::string& name, const Sum& sum) {
  fmt::print("| {} | {} | {} | {} | {} | {} | {:.2f} % | {:.0f} s |\n", name, sum.files,
             sum.refused_files, sum.kernels, sum.sampled, sum.right,
             sum.sampled == 0
                 ? 0.0
                 : 100.0 * static_cast<double>(sum.right) / static_cast<double>(sum.sampled),
             sum.seconds);
  std::fflush(stdout);
}

class Report {
 public:
  void add(const std::string& file, const FileAnswer& answer, bool verbose) {
    ++sum_.files;
    sum_.refused_files += !answer.problem.empty();
    sum_.kernels += answer.kernels;
    sum_.sampled += answer.sampled.size();
    if (!answer.problem.empty()) add_cause(answer.problem, file);
    std::size_t right = 0;
    for (const auto& [kernel, problem] : answer.sampled) {
      right += problem.empty();
      if (problem.empty()) continue;
      add_cause(problem, file + " " + kernel);
      if (verbose) fmt::print(stderr, "{} {}: {}\n", file, kernel, problem);
    }
    sum_.right += right;
    fmt::print(stderr, "{}: {} of {} kernels, {} right, parsed in {:.1f} s, {:.1f} s in all {}\n",
               file, answer.sampled.size(), answer.kernels, right, answer.parse_seconds,
               answer.seconds, answer.problem);
  }
  void set_seconds(double seconds) { sum_.seconds = seconds; }
  const Sum& sum() const { return sum_; }
  void print_causes() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> causes(causes_.begin(),
                                                                         causes_.end());
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
      return a.second.size() > b.second.size();
    });
    for (const auto& [cause, where] : causes)
      fmt::print("{:6} {}   (first: {})\n", where.size(), cause, where.front());
  }

 private:
  void add_cause(const std::string& problem, const std::string& where) {
    causes_[cause_of(problem)].push_back(where);
  }

  Sum sum_;
  std::map<std::string, std::vector<std::string>> causes_;
};

Report examine(const Project& project, const Options& options) {
  Report report;
  std::vector<std::filesystem::path> files;
  for (const auto& file : project.files)
    if (file.string().find(options.file) != std::string::npos) files.push_back(file);
  const auto start = std::chrono::steady_clock::now();
  const auto work_at = [&](std::size_t i) -> Work {
    return [&, i] { return to_msgpack<FileAnswer>(answer_file(files[i], project, options)); };
  };
  const Limits unlimited{.seconds = 24 * 3600, .memory_bytes = std::size_t{8} << 30};
  const auto outcomes = run_isolated(files.size(), work_at, options.jobs, unlimited);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto name = files[i].lexically_relative(project.folder).string();
    FileAnswer answer;
    if (!outcomes[i])
      answer.problem = outcomes[i].error().message;
    else if (const auto* failure = std::get_if<WorkFailure>(&*outcomes[i]))
      answer.problem = failure->reason;
    else
      answer = *from_msgpack<FileAnswer>(std::get<std::string>(*outcomes[i]));
    report.add(name, answer, options.verbose);
  }
  report.set_seconds(seconds_since(start));
  return report;
}

int run(const Options& options) {
  const auto projects = unpack_projects(options.archive);
  if (!projects) {
    fmt::print("{}\n", projects.error().message);
    return 2;
  }
  fmt::print(
      "| project | files | not read | kernels | tried | right | share | time |\n"
      "|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  std::vector<Report> reports;
  for (const auto& project : projects->all) {
    if (!options.project.empty() && project.name != options.project) continue;
    const auto& report = reports.emplace_back(examine(project, options));
    print(project.name, report.sum());
    all = all && report.sum().refused_files == 0 && report.sum().right == report.sum().sampled;
  }
  for (const auto& report : reports) report.print_causes();
  return all ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Translates the kernels of real projects and builds them on a device.");
  app.footer(
      "\nFunction constants are set to true, 4 and 1.0.\n"
      "Exit status: 0 all kernels were built, 1 some were not, 2 the archive cannot be read.");
  app.add_option("ARCHIVE", options.archive, "projects.tar.xz");
  app.add_option("--project", options.project, "only this one");
  app.add_option("--file", options.file, "only files whose paths contain this text");
  app.add_option("--device", options.device, "as in msci-eval --device")->capture_default_str();
  app.add_option("--most", options.most_instantiations,
                 "at most so many instantiations of one template, evenly spaced (default: all)");
  app.add_option("--parts", options.parts, "shares the kernels of each file among so many runs")
      ->check(CLI::PositiveNumber);
  app.add_option("--part", options.part, "the number of this run among them, from 0");
  app.add_option("--batch", options.batch, "kernels that are translated together");
  app.add_option("--jobs", options.jobs, "files at a time");
  app.add_option("--seconds", options.seconds, "processor time for a batch");
  app.add_flag("!--no-build", options.build, "translate only");
  app.add_flag("--verbose", options.verbose, "name each kernel that fails, with its problem");
  CLI11_PARSE(app, argc, argv);
  return msci::run(options);
}

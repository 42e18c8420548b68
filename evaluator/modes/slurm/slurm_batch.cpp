#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "base/json.h"
#include "base/process/failure_reason.h"
#include "base/process/run_command.h"
#include "base/process/slurm_array.h"
#include "base/sha256.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/server/verdict_cache.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files_of_job = 2000;  // a command line has a limited length
constexpr std::size_t most_part_bytes = std::size_t{4} << 30;

// One batch in its folder: batch.json says what it judges; part.K.jsonl has the results of job K,
// followed by {"ended": STATUS} if the job came to its end.
class SlurmBatch {
 public:
  // `plans` are the digests of the tasks' plans. Nodes run the same arguments.
  SlurmBatch(const EvaluatorOptions& options, std::map<std::string, std::string> plans)
      : options_(options),
        folder_(options.cluster.folder),
        key_{.program = program_build(),
             .settings = options.shared_arguments,
             .tasks = std::move(plans)} {}

  int run() {
    auto error = settle();
    if (!error) error = collect();
    if (!error) error = judge_rest();
    if (!error) error = collect();
    return error ? report_error(*error) : print();
  }

 private:
  // The results by file, as lines of JSON.
  using Lines = std::map<std::string, std::string>;

  fs::path part(std::size_t number, const char* extension) const {
    return folder_ / fmt::format("part.{}.{}", number, extension);
  }

  // Compares with the earlier runs in the folder, and remembers this one.
  std::optional<Error> settle() const {
    std::error_code problem;
    fs::create_directories(folder_, problem);
    OrderedJson batch = {{"arguments", key_.settings},
                         {"program", key_.program},
                         {"plans", key_.tasks},
                         {"files", OrderedJson::object()}};
    const auto path = (folder_ / "batch.json").string();
    if (fs::exists(path, problem)) {
      const auto text = read_text(path, most_part_bytes);
      if (!text) return text.error();
      auto before = parse_json<OrderedJson>(*text);
      if (!before || !before->is_object() || !before->contains("files") ||
          !before->at("files").is_object())
        return Error{path + " is damaged; give this batch its own folder"};
      if (auto refusal = refuse(*before, batch)) return *std::move(refusal);
      batch["files"] = (*before)["files"];
    }
    if (auto error = add_files(batch["files"])) return error;
    return write_file(path,
                      batch.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
  }

  // Why the results of that earlier batch do not belong to this one.
  std::optional<Error> refuse(const OrderedJson& before, const OrderedJson& batch) const {
    const auto differs = [&](const char* part) {
      return before.value(part, OrderedJson()) != batch.at(part);
    };
    if (differs("arguments"))
      return Error{
          fmt::format("{} belongs to a batch with other options; repeat those of its "
                      "batch.json, or give this one its own folder",
                      folder_.string())};
    if (differs("program"))
      return Error{fmt::format(
          "{} belongs to another build of msci-eval ({}), and this one is {}; "
          "results of two builds do not mix: give this batch its own folder",
          folder_.string(), before.value("program", OrderedJson()).dump(), key_.program)};
    if (differs("plans"))
      return Error{
          fmt::format("the plan {}, or a file that it names, such as its seed, has changed "
                      "since {} began; give this batch its own folder",
                      changed_plan(before.value("plans", OrderedJson())), folder_.string())};
    return std::nullopt;
  }

  // The first plan that is not as it was.
  std::string changed_plan(const OrderedJson& before) const {
    for (const auto& [file, digest] : key_.tasks)
      if (!before.is_object() || before.value(file, OrderedJson()) != digest) return file;
    return "";
  }

  // Adds the digests of this run's files to those of earlier ones.
  std::optional<Error> add_files(OrderedJson& files) const {
    for (const auto& file : options_.candidates.files) {
      const auto source = read_source(file);
      if (!source) return source.error();
      const auto digest = sha256_of(source->text);
      auto& known = files[file];
      if (known.is_string() && known != digest)
        return Error{
            fmt::format("{} has changed since {} judged it; give this batch its own folder", file,
                        folder_.string())};
      known = digest;
    }
    return std::nullopt;
  }

  // Reads the results of all parts. Of a job that did not come to its end, the last file may have
  // more results to come.
  std::optional<Error> collect() {
    lines_.clear();
    next_part_ = 0;
    std::error_code problem;
    for (; fs::exists(part(next_part_, "sh"), problem); ++next_part_) {
      const auto path = part(next_part_, "jsonl");
      if (!fs::exists(path, problem)) continue;
      const auto text = read_text(path.string(), most_part_bytes);
      if (!text) return text.error();
      read_part(*text);
    }
    return std::nullopt;
  }

  void read_part(const std::string& text) {
    Lines lines;
    std::string last;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      const auto json = parse_json<OrderedJson>(line);
      if (!json || !json->is_object()) break;  // a node was lost while it wrote
      if (const auto ended = json->find("ended"); ended != json->end()) {
        const bool is_whole = ended->is_number_unsigned() && *ended <= could_not_check;
        if (is_whole) last.clear();  // otherwise a signal ended it
        continue;
      }
      const auto file = json->find("file");
      if (file == json->end() || !file->is_string()) break;
      last = file->get<std::string>();
      lines[last] += line + "\n";
    }
    if (!last.empty()) lines.erase(last);
    for (auto& [file, its_lines] : lines) lines_[file] = std::move(its_lines);
  }

  // Submits the files without a result.
  std::optional<Error> judge_rest() {
    std::vector<std::string> open;
    for (const auto& file : options_.candidates.files)
      if (!lines_.contains(file)) open.push_back(file);
    if (open.empty()) return std::nullopt;
    const auto program = find_program("msci-eval");
    if (!program) return program.error();
    std::error_code problem;
    SlurmArray array{.name = "msci-eval",
                     .folder = fs::absolute(folder_, problem).string(),
                     .working_folder = fs::current_path(problem).string(),
                     .limit = std::chrono::hours(24 * 365),  // sbatch's --time is the user's limit
                     .jobs = {}};
    const auto jobs = std::min(
        open.size(),
        std::max<std::size_t>(options_.cluster.nodes, (open.size() - 1) / most_files_of_job + 1));
    for (std::size_t job = 0; job < jobs; ++job) {
      std::vector<std::string> share;
      for (std::size_t i = job; i < open.size(); i += jobs) share.push_back(open[i]);
      const auto number = next_part_ + job;
      const auto script = array.folder + "/" + part(number, "sh").filename().string();
      if (auto error = write_file(script, script_of(*program, share, number))) return error;
      array.jobs.push_back({fmt::format("job {}", number), {"/bin/sh", script}});
    }
    const SlurmOptions slurm{
        .sbatch = options_.cluster.sbatch,
        .poll = std::chrono::milliseconds(static_cast<long>(1000 * options_.cluster.poll))};
    const auto on_result = [&](std::size_t job, const CommandResult& result) {
      // Statuses up to 2 say how the kernels are, and results say that, too.
      const bool came_to_its_end = result.exit.code && *result.exit.code <= could_not_check;
      return came_to_its_end ? std::nullopt
                             : std::optional(Error{fmt::format(
                                   "job {} failed: {}", next_part_ + job, failure_reason(result))});
    };
    return run_slurm_array(array, slurm, on_result);
  }

  // A job that is submitted again starts its part anew.
  std::string script_of(const std::string& program, const std::vector<std::string>& files,
                        std::size_t number) const {
    std::error_code problem;
    const auto stem = fs::absolute(part(number, "jsonl"), problem).string();
    std::string text = fmt::format("{}", shell_quoted(program));
    for (const auto& word : options_.shared_arguments) text += " " + shell_quoted(word);
    // As without Slurm, where a batch has several kernels.
    const bool is_batch = options_.candidates.files.size() > 1 && !options_.output.skips_diagnosis;
    std::string flags = is_batch ? " --no-diagnosis" : "";
    for (const auto& word : files) flags += " " + shell_quoted(word);
    // Files come before the flags of Apple's compiler, which follow "--".
    const auto at = text.find(" '--'");
    text.insert(at == text.npos ? text.size() : at, flags);
    return text + fmt::format(
                      " >{0}\nstatus=$?\necho \"{{\\\"ended\\\": $status}}\" >>{0}\n"
                      "exit $status\n",
                      shell_quoted(stem));
  }

  int print() const {
    int status = all_right;
    for (const auto& file : options_.candidates.files) {
      const auto found = lines_.find(file);
      if (found == lines_.end()) {
        status = std::max(status, report_error({file + " has no result; run the batch again"}));
        continue;
      }
      std::fputs(found->second.c_str(), stdout);
      std::istringstream stream(found->second);
      for (std::string line; std::getline(stream, line);) {
        const auto result = evaluation_from_json(line);
        status = std::max(status, result ? exit_status(*result, options_.is_strict())
                                         : report_error(result.error()));
      }
    }
    return status;
  }

  const EvaluatorOptions& options_;
  fs::path folder_;
  ResultKey key_;  // of all results of the batch
  Lines lines_;
  std::size_t next_part_ = 0;  // the first number without a part
};

}  // namespace

int judge_on_slurm(const EvaluatorOptions& options) {
  const auto tasks = find_tasks(options.candidates.tasks);
  if (!tasks) return report_error(tasks.error());
  auto plans = plan_digests(*tasks);
  if (!plans) return report_error(plans.error());
  return SlurmBatch(options, *std::move(plans)).run();
}

}  // namespace msci

#include "base/process/slurm_array.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "base/process/failure_reason.h"
#include "base/process/run_command.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

Result<std::string> output_of(const std::vector<std::string>& arguments) {
  const auto result = run_command({.arguments = arguments, .time_limit = std::chrono::minutes(2)});
  if (!result) return result.error();
  if (!result->succeeded())
    return Error{fmt::format("{}: {}", arguments.front(), failure_reason(*result))};
  return result->out;
}

constexpr std::size_t most_output_bytes = std::size_t{64} << 20;

std::string contents_of(const fs::path& path) {
  auto text = read_text(path, most_output_bytes);
  return text ? *std::move(text) : std::string();
}

// One submission. It has a folder of its own, so that late output of an
// earlier submission is never read as its own.
class Submission {
 public:
  // Submits the jobs with these numbers.
  static Result<Submission> submit(const SlurmArray& array, const SlurmOptions& options,
                                   const std::set<std::size_t>& numbers) {
    std::string folder = array.folder + "/slurm.XXXXXX";
    std::error_code problem;
    if (!::mkdtemp(folder.data())) return Error{"cannot make " + folder};
    fs::permissions(folder, fs::perms::owner_all, problem);
    if (auto error = write_file(folder + "/run.sh", script(array, numbers, folder))) return *error;
    std::vector<std::string> arguments = {"sbatch",
                                          "--parsable",
                                          "--no-requeue",
                                          "--job-name=" + array.name,
                                          "--output=/dev/null",
                                          "--array=" + list(numbers)};
    arguments.insert(arguments.end(), options.sbatch.begin(), options.sbatch.end());
    arguments.push_back(folder + "/run.sh");
    auto id = output_of(arguments);
    if (!id) return id.error();
    return Submission(folder, id->substr(0, id->find_first_of(";\n")), seconds_of(array.limit));
  }

  // The result of a job; nothing if it still runs, or is lost.
  std::optional<CommandResult> result(std::size_t number) const {
    const auto stem = folder_ + "/" + std::to_string(number);
    std::error_code none;
    if (!fs::exists(stem + ".ended", none)) return std::nullopt;
    CommandResult result{.out = contents_of(stem + ".out"), .err = contents_of(stem + ".err")};
    std::istringstream words(contents_of(stem + ".ended"));
    int status = 0;
    words >> status >> result.seconds;
    // A shell reports a signal as 128 and its number. timeout kills itself with the same signal.
    result.timed_out = status == 128 + SIGKILL && result.seconds >= limit_seconds_;
    if (status > 128)
      result.exit.signal = status - 128;
    else
      result.exit.code = status;
    return result;
  }

  // The numbers of the jobs that wait or run.
  Result<std::set<std::size_t>> alive() const {
    auto listed = output_of({"squeue", "--noheader", "--array", "--jobs=" + id_,
                             "--states=PENDING,CONFIGURING,RUNNING,SUSPENDED", "--format=%K"});
    if (!listed && listed.error().message.find("Invalid job id") != std::string::npos)
      return std::set<std::size_t>();  // so long ago that Slurm has forgotten it
    if (!listed) return listed.error();
    std::set<std::size_t> numbers;
    std::istringstream words(*listed);
    for (std::size_t number = 0; words >> number;) numbers.insert(number);
    return numbers;
  }

  // Cancels the jobs that still run: they are lost, or late.
  void remove() const {
    [[maybe_unused]] const auto cancelled = output_of({"scancel", "--quiet", id_});
    std::error_code none;
    fs::remove_all(folder_, none);
  }

 private:
  Submission(std::string folder, std::string id, double limit_seconds)
      : folder_(std::move(folder)), id_(std::move(id)), limit_seconds_(limit_seconds) {}

  static double seconds_of(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
  }

  static std::string list(const std::set<std::size_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
  }

  // A job moves its files into place once they are whole; `.ended` comes last.
  static std::string script(const SlurmArray& array, const std::set<std::size_t>& numbers,
                            const std::string& folder) {
    std::string text = fmt::format("#!/bin/sh\ncd {} || exit 1\ncase $SLURM_ARRAY_TASK_ID in\n",
                                   shell_quoted(array.working_folder));
    for (const auto number : numbers)
      text += fmt::format("{}) set -- {} ;;\n", number, joined(array.jobs[number].arguments));
    return text + fmt::format(R"sh(esac
mine={}/$SLURM_ARRAY_TASK_ID
start=$(date +%s.%N)
timeout --signal=KILL {} "$@" >"$mine.out" 2>"$mine.err"
status=$?
echo "$status $(date +%s.%N | awk -v start="$start" '{{print $1 - start}}')" >"$mine.part"
mv "$mine.part" "$mine.ended"
)sh",
                              shell_quoted(folder), seconds_of(array.limit));
  }

  std::string folder_;
  std::string id_;
  double limit_seconds_;
};

// The jobs of one array, until all have ended.
class Batch {
 public:
  Batch(const SlurmArray& array, const SlurmOptions& options, const OnCommandResult& on_result)
      : array_(array), options_(options), on_result_(on_result) {
    for (std::size_t number = 0; number < array.jobs.size(); ++number) open_.insert(number);
  }

  std::optional<Error> run() {
    for (unsigned attempt = 0; attempt < options_.attempts && !open_.empty(); ++attempt) {
      auto submission = Submission::submit(array_, options_, open_);
      if (!submission) return submission.error();
      auto error = follow(*submission);
      submission->remove();
      if (error) return error;
    }
    if (open_.empty()) return std::nullopt;
    return Error{fmt::format("{} was lost {} times by Slurm; see the nodes' logs",
                             array_.jobs[*open_.begin()].name, options_.attempts)};
  }

 private:
  // Collects results until all are there, or the remaining jobs are lost.
  std::optional<Error> follow(const Submission& submission) {
    bool was_quiet = false;  // Slurm listed no open job the last time
    while (true) {
      const auto alive = submission.alive();
      if (!alive) return alive.error();
      if (auto error = collect(submission)) return error;
      if (open_.empty()) return std::nullopt;
      const bool is_quiet = std::none_of(open_.begin(), open_.end(),
                                         [&](auto number) { return alive->contains(number); });
      // Twice, because on a shared file system files may appear after their job has ended.
      if (is_quiet && was_quiet) return std::nullopt;
      was_quiet = is_quiet;
      std::this_thread::sleep_for(options_.poll);
    }
  }

  std::optional<Error> collect(const Submission& submission) {
    for (auto number = open_.begin(); number != open_.end();) {
      auto result = submission.result(*number);
      if (!result) {
        ++number;
        continue;
      }
      if (auto error = on_result_(*number, *std::move(result))) return error;
      number = open_.erase(number);
    }
    return std::nullopt;
  }

  const SlurmArray& array_;
  const SlurmOptions& options_;
  const OnCommandResult& on_result_;
  std::set<std::size_t> open_;  // the numbers of jobs without a result
};

}  // namespace

std::optional<Error> run_slurm_array(const SlurmArray& array, const SlurmOptions& options,
                                     const OnCommandResult& on_result) {
  return Batch(array, options, on_result).run();
}

}  // namespace msci

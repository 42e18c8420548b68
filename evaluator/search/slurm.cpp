#include "evaluator/search/slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "lint/write_file.h"

namespace msci::search {
namespace {

namespace fs = std::filesystem;
using Done = Result<std::monostate>;

// As one word of a shell's.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

Result<std::string> output_of(const std::vector<std::string>& words) {
  const auto ended = run_one({.words = words, .limit = std::chrono::minutes(2)});
  if (!ended) return ended.error();
  if (!ended->well())
    return Error{fmt::format("{}: {}", words.front(),
                             ended->status == 127 ? "it is not installed" : complaint(*ended))};
  return ended->out;
}

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One submission: a folder of its own beside the candidates, so that what a straggler of an earlier
// one still writes is never taken for an answer to this.
class Array {
 public:
  // Submits those of the jobs whose numbers are given.
  static Result<Array> submit(const JudgeCall& call, const SlurmJudge::Options& options,
                              std::span<const Job> jobs, const std::set<std::size_t>& numbers) {
    std::string folder = call.folder + "/slurm.XXXXXX";
    std::error_code problem;
    if (!::mkdtemp(folder.data())) return Error{"cannot make " + folder};
    fs::permissions(folder, fs::perms::owner_all, problem);
    if (auto done = write_file(folder + "/run.sh", script(call, options, jobs, numbers, folder));
        !done)
      return done.error();
    std::vector<std::string> words = {"sbatch",
                                      "--parsable",
                                      "--no-requeue",
                                      "--job-name=msci-search",
                                      "--output=/dev/null",
                                      "--array=" + list(numbers)};
    words.insert(words.end(), options.sbatch.begin(), options.sbatch.end());
    words.push_back(folder + "/run.sh");
    auto id = output_of(words);
    if (!id) return id.error();
    return Array(folder, id->substr(0, id->find_first_of(";\n")), seconds_of(call.limit));
  }

  // How a job ended; none where it has not, or is lost.
  std::optional<Ended> ended(std::size_t number) const {
    const auto stem = folder_ + "/" + std::to_string(number);
    std::error_code none;
    if (!fs::exists(stem + ".ended", none)) return std::nullopt;
    Ended ended{.out = contents_of(stem + ".out"), .err = contents_of(stem + ".err")};
    std::istringstream words(contents_of(stem + ".ended"));
    int status = 0;
    words >> status >> ended.seconds;
    // timeout kills, and itself with what it killed; a shell calls a signal 128 and its number.
    ended.timed_out = status == 128 + SIGKILL && ended.seconds >= limit_seconds_;
    if (status > 128)
      ended.signal = status - 128;
    else
      ended.status = status;
    return ended;
  }

  // The numbers of those that wait or run.
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

  // Nobody needs it any more: what still runs is lost, or late.
  void remove() const {
    [[maybe_unused]] const auto cancelled = output_of({"scancel", "--quiet", id_});
    std::error_code none;
    fs::remove_all(folder_, none);
  }

 private:
  Array(std::string folder, std::string id, double limit_seconds)
      : folder_(std::move(folder)), id_(std::move(id)), limit_seconds_(limit_seconds) {}

  static double seconds_of(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
  }

  static std::string list(const std::set<std::size_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
  }

  // Each job writes beside its place and moves there when whole; `.ended` comes last.
  static std::string script(const JudgeCall& call, const SlurmJudge::Options& options,
                            std::span<const Job> jobs, const std::set<std::size_t>& numbers,
                            const std::string& folder) {
    std::string text = fmt::format("#!/bin/sh\ncd {} || exit 1\ncase $SLURM_ARRAY_TASK_ID in\n",
                                   quoted(call.folder));
    for (const auto number : numbers)
      text += fmt::format("{}) set -- {} ;;\n", number,
                          joined(arguments_of(call, jobs[number], options.device)));
    return text + fmt::format(R"sh(esac
mine={}/$SLURM_ARRAY_TASK_ID
start=$(date +%s.%N)
timeout --signal=KILL {} {} >"$mine.out" 2>"$mine.err"
status=$?
echo "$status $(date +%s.%N | awk -v start="$start" '{{print $1 - start}}')" >"$mine.part"
mv "$mine.part" "$mine.ended"
)sh",
                              quoted(folder), seconds_of(call.limit),
                              joined({"/bin/sh", "-c", call.line + " \"$@\"", "sh"}) + " \"$@\"");
  }

  std::string folder_;
  std::string id_;
  double limit_seconds_;
};

// The jobs of one call, until all are judged.
class Batch {
 public:
  Batch(const JudgeCall& call, const SlurmJudge::Options& options, std::span<const Job> jobs,
        const TakeJudgement& take)
      : call_(call), options_(options), jobs_(jobs), take_(take) {
    for (std::size_t number = 0; number < jobs.size(); ++number) open_.insert(number);
  }

  Done run() {
    for (unsigned attempt = 0; attempt < options_.attempts && !open_.empty(); ++attempt) {
      auto array = Array::submit(call_, options_, jobs_, open_);
      if (!array) return array.error();
      auto done = follow(*array);
      array->remove();
      if (!done) return done;
    }
    if (open_.empty()) return std::monostate();
    return Error{fmt::format("{} was lost {} times by Slurm; see the nodes' logs",
                             jobs_[*open_.begin()].candidate, options_.attempts)};
  }

 private:
  // Until all are judged, or those that are not are lost.
  Done follow(const Array& array) {
    bool was_quiet = false;  // Slurm knew of none the last time
    while (true) {
      const auto alive = array.alive();
      if (!alive) return alive.error();
      if (auto done = collect(array); !done) return done;
      if (open_.empty()) return std::monostate();
      const bool is_quiet = std::none_of(open_.begin(), open_.end(),
                                         [&](auto number) { return alive->contains(number); });
      // Twice: on a shared file system an answer may come later than the word that it is there.
      if (is_quiet && was_quiet) return std::monostate();
      was_quiet = is_quiet;
      std::this_thread::sleep_for(options_.poll);
    }
  }

  Done collect(const Array& array) {
    for (auto number = open_.begin(); number != open_.end();) {
      const auto ended = array.ended(*number);
      if (!ended) {
        ++number;
        continue;
      }
      auto json = judgement_of(*ended);
      if (!json) return json.error();
      if (auto done = take_(*number, *std::move(json), ended->seconds); !done) return done;
      number = open_.erase(number);
    }
    return std::monostate();
  }

  const JudgeCall& call_;
  const SlurmJudge::Options& options_;
  std::span<const Job> jobs_;
  const TakeJudgement& take_;
  std::set<std::size_t> open_;  // numbers of those that are not judged
};

}  // namespace

Result<std::monostate> SlurmJudge::judge(std::span<const Job> jobs, const TakeJudgement& take) {
  return Batch(call_, options_, jobs, take).run();
}

}  // namespace msci::search

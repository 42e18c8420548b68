#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/files/read_file.h"
#include "base/process/child_process.h"
#include "base/process/temporary_folder.h"
#include "base/sha256.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/file/plan_results.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_word = "{folder}";
constexpr std::size_t most_described_files = 1000;

Result<ExitStatus> run(const PlanCommand& command, const fs::path& data) {
  std::vector<std::string> words;
  for (const auto& word : command.words)
    words.push_back(replace_all(word, folder_word, data.string()));
  auto process = ChildProcess::start({.arguments = words,
                                      .folder = command.working_folder.string(),
                                      // Our standard output is for reports.
                                      .descriptors = {-1, STDERR_FILENO, STDERR_FILENO}});
  if (!process) return process.error();
  const auto status = process->wait_for(command.limit);
  if (!status)
    return Error{fmt::format("'{}' took more than {:g} s at size {}", words.front(),
                             std::chrono::duration<double>(command.limit).count(), command.size)};
  return *status;
}

Error failure_of(const PlanCommand& command, const ExitStatus& status) {
  return {fmt::format("'{}' failed at size {}: {}", command.words.front(), command.size,
                      describe(status))};
}

Result<TemporaryFolder> folder_with(std::span<const DataFile> files) {
  auto folder = TemporaryFolder::make();
  if (!folder) return folder;
  for (const auto& file : files) {
    std::ofstream out(folder->path() / file.name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.contents.data()),
              static_cast<std::streamsize>(file.contents.size()));
    out.close();
    if (!out)
      return Error{fmt::format("cannot write {} in {}", file.name, folder->path().string())};
  }
  return folder;
}

Result<Bytes> read_output(const PlanCommand& command, const fs::path& data,
                          const ReferenceOutput& output) {
  const auto path = data / (output.name + ".out");
  std::error_code problem;
  if (!fs::exists(path, problem))
    return Error{fmt::format("it did not write {}.out at size {}", output.name, command.size)};
  // Compared before it is read, which may take long. read_bytes() rejects what has no size.
  const auto bytes = fs::file_size(path, problem);
  if (!problem && bytes != output.bytes)
    return Error{fmt::format("it wrote {} bytes to {}.out at size {}; the buffer has {}", bytes,
                             output.name, command.size, output.bytes)};
  auto contents = read_bytes(path, output.bytes);
  if (!contents) return contents.error();
  return Bytes{*std::move(contents)};
}

std::string digest_of(std::span<const std::byte> bytes) {
  return sha256_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Where the results of such a run are kept.
std::string cache_name(const PlanCommand& command, std::span<const DataFile> inputs,
                       std::span<const ReferenceOutput> outputs, const std::string& files) {
  std::string all = files;
  const auto add = [&](std::string_view text) { all += fmt::format("{}:{}\n", text.size(), text); };
  std::error_code problem;
  add(fs::absolute(command.working_folder, problem).string());
  for (const auto& word : command.words) add(word);
  for (const auto& input : inputs) add(input.name), add(digest_of(input.contents));
  for (const auto& output : outputs) add(fmt::format("{} {}", output.name, output.bytes));
  return fmt::format("references/plan-{}.bin", sha256_of(all));
}

}  // namespace

std::optional<std::string> describe_files(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code problem;
  const auto here = folder.empty() ? fs::path(".") : folder;
  for (fs::recursive_directory_iterator each(here, problem), end; !problem && each != end;
       each.increment(problem)) {
    if (each->path().filename() == "__pycache__") {  // which the reference itself writes
      each.disable_recursion_pending();
      continue;
    }
    if (!each->is_regular_file(problem) || problem) continue;
    if (lines.size() == most_described_files) return std::nullopt;
    // The time of the last change of the inode, too: no program can set it back.
    struct ::stat status = {};
    if (::stat(each->path().c_str(), &status) != 0) return std::nullopt;
    const auto nanoseconds = [](const ::timespec& time) {
      return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
    };
    lines.push_back(fmt::format("{} {} {} {}\n", each->path().string(), status.st_size,
                                nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)));
  }
  if (problem) return std::nullopt;
  std::ranges::sort(lines);
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

Result<std::vector<Bytes>> run_reference(const PlanCommand& command,
                                         std::span<const DataFile> inputs,
                                         std::span<const ReferenceOutput> outputs) {
  const auto data = folder_with(inputs);
  if (!data) return data.error();
  const auto status = run(command, data->path());
  if (!status) return status.error();
  if (!status->succeeded()) return failure_of(command, *status);
  std::vector<Bytes> results;
  for (const auto& output : outputs) {
    auto result = read_output(command, data->path(), output);
    if (!result) return result.error();
    results.push_back(*std::move(result));
  }
  return results;
}

Result<std::vector<Bytes>> find_reference(const PlanCommand& command,
                                          std::span<const DataFile> inputs,
                                          std::span<const ReferenceOutput> outputs, Cache& cache) {
  const auto files = describe_files(command.working_folder);
  if (!files) return run_reference(command, inputs, outputs);
  const auto name = cache_name(command, inputs, outputs, *files);
  std::size_t all_bytes = 0;
  for (const auto& output : outputs) all_bytes += output.bytes;
  if (const auto kept = cache.load(name); kept && kept->size() == all_bytes) {
    cache.touch(name);
    std::vector<Bytes> results;
    auto from = kept->begin();
    for (const auto& output : outputs) {
      const auto to = from + static_cast<std::ptrdiff_t>(output.bytes);
      results.push_back({{from, to}});
      from = to;
    }
    return results;
  }
  auto results = run_reference(command, inputs, outputs);
  if (!results) return results;
  std::vector<std::byte> all;
  all.reserve(all_bytes);
  for (const auto& result : *results) all.insert(all.end(), result.begin(), result.end());
  cache.store(name, all);
  return results;
}

Result<bool> run_check(const PlanCommand& command, std::span<const DataFile> files) {
  const auto data = folder_with(files);
  if (!data) return data.error();
  const auto status = run(command, data->path());
  if (!status) return status.error();
  if (!status->succeeded()) return failure_of(command, *status);
  constexpr std::size_t most_bytes = 64;
  const auto said = read_bytes(data->path() / "verdict", most_bytes);
  if (!said) return said.error();
  const std::string text(reinterpret_cast<const char*>(said->data()), said->size());
  const auto word = text.substr(0, text.find_last_not_of(" \n") + 1);
  if (word == "right" || word == "wrong") return word == "right";
  return Error{fmt::format("it wrote '{}' to the file \"verdict\" at size {}, not right or wrong",
                           word, command.size)};
}

}  // namespace msci

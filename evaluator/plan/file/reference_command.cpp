#include "evaluator/plan/file/reference_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/files/read_file.h"
#include "base/process/child_process.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::optional<Error> run(const ReferenceCommand& command) {
  auto process = ChildProcess::start({.arguments = command.words,
                                      .folder = command.working_folder.string(),
                                      // Our standard output is for reports.
                                      .descriptors = {-1, STDERR_FILENO, STDERR_FILENO}});
  if (!process) return process.error();
  const auto status = process->wait_for(command.limit);
  const auto& name = command.words.front();
  if (!status)
    return Error{fmt::format("'{}' took more than {:g} s at size {}", name,
                             std::chrono::duration<double>(command.limit).count(), command.size)};
  if (!status->succeeded())
    return Error{fmt::format("'{}' failed at size {}: {}", name, command.size, describe(*status))};
  return std::nullopt;
}

Result<Bytes> read_output(const ReferenceCommand& command, const ReferenceOutput& output) {
  const auto path = command.data_folder / (output.name + ".out");
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

}  // namespace

Result<std::vector<Bytes>> run_reference(const ReferenceCommand& command,
                                         std::span<const ReferenceInput> inputs,
                                         std::span<const ReferenceOutput> outputs) {
  for (const auto& input : inputs)
    std::ofstream(command.data_folder / (input.name + ".bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(input.contents.data()),
               static_cast<std::streamsize>(input.contents.size()));
  if (auto error = run(command)) return *error;
  std::vector<Bytes> results;
  for (const auto& output : outputs) {
    auto result = read_output(command, output);
    if (!result) return result.error();
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace msci

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/files/install_paths.h"
#include "base/io/report.h"
#include "base/text.h"
#include "engine/device/worker_protocol.h"

namespace msci {
namespace {

constexpr std::size_t quoted_characters = 300;  // of a dying driver's standard error

// Our variables that drivers read. The others may hold keys and passwords, which a kernel that
// breaks out of its driver must not find.
std::vector<std::string> inherited_variables() {
  constexpr std::array<std::string_view, 21> known = {
      "PATH=", "HOME=",        "LANG=",        "LC_",   "TZ=",   "LD_LIBRARY_PATH=",
      "OCL_",  "OPENCL_",      "CL_",          "POCL_", "CUDA_", "NVIDIA_",
      "HSA_",  "HIP_",         "ROCM_",        "GPU_",  "MESA_", "RUSTICL_",
      "IGC_",  "MSCI_ENGINE_", "ASAN_OPTIONS="};
  // The worker's folder takes the place of these.
  constexpr std::array<std::string_view, 3> replaced = {
      "POCL_CACHE_DIR=", "CUDA_CACHE_PATH=", "TMPDIR="};
  const auto begins_with_one_of = [](std::string_view variable, const auto& starts) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](std::string_view start) { return variable.starts_with(start); });
  };
  std::vector<std::string> variables;
  for (char** each = environ; *each; ++each)
    if (begins_with_one_of(*each, known) && !begins_with_one_of(*each, replaced))
      variables.emplace_back(*each);
  return variables;
}

// The drivers' caches of compiled kernels are in `folder`, so that no process loads what the
// process of another kernel wrote. PoCL 3.1 crashes on some kernels when it promises its vectoriser
// that threads are independent ("loopvec"), which makes none of the seeds faster; its plain loops
// do not crash.
std::vector<std::string> environment(const std::string& folder) {
  auto variables = inherited_variables();
  for (const auto* name : {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "TMPDIR"})
    variables.push_back(fmt::format("{}={}", name, folder));
  if (!std::getenv("POCL_WORK_GROUP_METHOD")) variables.push_back("POCL_WORK_GROUP_METHOD=loops");
  return variables;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(std::string_view program) {
  auto executable = find_program(program);
  if (!executable) return executable.error();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  auto ends = Channel::make_pair();
  if (!ends) return ends.error();
  Fd log(::memfd_create("msci-worker-log", MFD_CLOEXEC));
  auto process = ChildProcess::start(
      {.arguments = {*executable, folder->path().string()},
       .environment = environment(folder->path().string()),
       .inherits_environment = false,
       // worker_main.cpp expects its end of the channel after the standard streams.
       .descriptors = {-1, -1, log.get(), ends->second.socket().get()}});
  if (!process) return process.error();
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(*std::move(process), *std::move(folder),
                                                          std::move(ends->first), std::move(log)));
}

// If the process has died, ask() says so. Replies that are not received must not pile up.
void WorkerProcess::begin(const Json& request) {
  if (begun_ == 0 && channel_.send(request.dump())) ++begun_;
}

Attempt<Json> WorkerProcess::ask(const Json& request, std::span<const Fd> files,
                                 std::chrono::milliseconds limit, std::string_view doing,
                                 std::chrono::milliseconds grace) {
  const auto end = std::chrono::steady_clock::now() + limit + grace;
  if (!channel_.send(request.dump(), files)) return ended(doing);
  auto reply = channel_.receive(limit + grace);
  for (; begun_ > 0 && std::holds_alternative<Message>(reply); --begun_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    reply = channel_.receive(std::max(left, std::chrono::milliseconds(0)));
  }
  if (auto* message = std::get_if<Message>(&reply)) {
    if (auto json = parse_json<Json>(message->text)) return *std::move(json);
    return Failure{Failure::Cause::crash,
                   fmt::format("its process returned malformed data while {}", doing)};
  }
  if (std::get<Silence>(reply) == Silence::closed) return ended(doing);
  process_.kill();
  return Failure{Failure::Cause::time_out,
                 fmt::format("no result after {:g} s of {}",
                             std::chrono::duration<double>(limit).count(), doing)};
}

Failure WorkerProcess::ended(std::string_view doing) {
  const auto status = process_.kill();  // of a process that is already dying, the status is its own
  if (!status.signal)
    return {Failure::Cause::exit, fmt::format("its process ended with status {} while {}{}",
                                              status.code.value_or(0), doing, quoted_log())};
  const int signal = *status.signal;
  if (signal == SIGKILL)
    return {Failure::Cause::out_of_memory,
            fmt::format("its process was killed while {}, as for lack of memory", doing)};
  return {Failure::Cause::signal, fmt::format("its process died of signal {} ({}) while {}{}",
                                              signal, ::strsignal(signal), doing, quoted_log())};
}

// The end of the worker's standard error.
std::string WorkerProcess::quoted_log() const {
  std::array<char, quoted_characters> text = {};
  const auto size = ::lseek(log_.get(), 0, SEEK_END);
  const auto from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  const auto got = ::pread(log_.get(), text.data(), text.size(), from);
  if (got <= 0) return {};
  std::string log(text.data(), static_cast<std::size_t>(got));
  log.resize(log.find_last_not_of(" \n") + 1);
  return log.empty() ? "" : "; it said: " + report_text(log);
}

}  // namespace msci

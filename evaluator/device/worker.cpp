#include "evaluator/device/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "evaluator/device/channel.h"
#include "evaluator/device/messages.h"
#include "evaluator/device/scratch.h"
#include "lint/own_programs.h"

namespace msci {
namespace {

constexpr int worker_socket = 3;  // where worker_main.cpp expects it
constexpr std::chrono::seconds listing_limit(60);
constexpr std::size_t quoted_characters = 300;  // of what a dying driver said

// Our environment, with the drivers' caches of compiled kernels in `folder`: nothing that one
// kernel's process left there, half-written or worse, is ever loaded for another. PoCL 3.1 crashes
// on some kernels when it promises its vectoriser that threads are independent ("loopvec"), which
// makes none of the seeds faster; its plain loops know no such kernel.
std::vector<std::string> environment(const std::filesystem::path& folder) {
  constexpr std::array<std::string_view, 3> moved = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH", "TMPDIR"};
  std::vector<std::string> variables;
  for (const auto name : moved) variables.push_back(fmt::format("{}={}", name, folder.string()));
  if (!std::getenv("POCL_WORK_GROUP_METHOD")) variables.push_back("POCL_WORK_GROUP_METHOD=loops");
  for (char** each = environ; *each; ++each) {
    const std::string_view variable = *each;
    const auto name = variable.substr(0, variable.find('='));
    if (std::find(moved.begin(), moved.end(), name) == moved.end())
      variables.emplace_back(variable);
  }
  return variables;
}

// Becomes the worker; runs between fork and exec, so it may only make system calls.
[[noreturn]] void become(char** arguments, char** variables, int socket, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before it could tell us
  const int null = ::open("/dev/null", O_RDWR);
  socket = ::fcntl(socket, F_DUPFD, 10);  // out of the way of what follows
  log = ::fcntl(log, F_DUPFD, 10);
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::dup2(socket, worker_socket);
  ::close_range(worker_socket + 1, ~0U, 0);
  ::execve(arguments[0], arguments, variables);
  ::_exit(127);
}

// A running msci-worker.
class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> start() {
    auto executable = find_own_program("msci-worker");
    if (!executable) return executable.error();
    auto scratch = ScratchFolder::make();
    if (!scratch) return scratch.error();
    auto ends = Channel::make_pair();
    if (!ends) return ends.error();
    Fd log(::memfd_create("msci-worker-log", MFD_CLOEXEC));

    auto variables = environment(scratch->path());
    std::vector<char*> pointers;
    for (auto& variable : variables) pointers.push_back(variable.data());
    pointers.push_back(nullptr);
    auto folder = scratch->path().string();
    char* arguments[] = {executable->data(), folder.data(), nullptr};
    const auto parent = ::getpid();
    const auto pid = ::fork();
    if (pid < 0) return Error{fmt::format("cannot start msci-worker: {}", std::strerror(errno))};
    if (pid == 0)
      become(arguments, pointers.data(), ends->second.socket().get(), log.get(), parent);
    ::setpgid(pid, pid);  // the child does so too; whoever comes first
    return std::unique_ptr<WorkerProcess>(
        new WorkerProcess(pid, *std::move(scratch), std::move(ends->first), std::move(log)));
  }

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() { end(); }

  // The worker's answer, or how it ended instead; `doing` completes "it died while ...".
  Attempt<Json> ask(const Json& request, std::span<const Fd> files, std::chrono::milliseconds limit,
                    std::string_view doing) {
    if (!channel_.send(request.dump(), files)) return ended(doing);
    auto reply = channel_.receive(limit);
    if (auto* message = std::get_if<Message>(&reply)) {
      auto json = Json::parse(message->text, nullptr, false);
      if (!json.is_discarded()) return json;
      return Failure{Failure::Cause::crash,
                     fmt::format("its process answered nonsense while {}", doing)};
    }
    if (std::get<Silence>(reply) == Silence::closed) return ended(doing);
    end();
    return Failure{Failure::Cause::time_out,
                   fmt::format("no result after {:g} s of {}",
                               std::chrono::duration<double>(limit).count(), doing)};
  }

 private:
  WorkerProcess(pid_t pid, ScratchFolder scratch, Channel channel, Fd log)
      : pid_(pid),
        scratch_(std::move(scratch)),
        channel_(std::move(channel)),
        log_(std::move(log)) {}

  // Kills the process with all that it started; its wait status. Harmless for a process that is
  // already dying: the status is then its own.
  int end() {
    if (pid_ == 0) return 0;
    ::kill(-pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

  Failure ended(std::string_view doing) {
    const int status = end();
    if (WIFEXITED(status))
      return {Failure::Cause::exit, fmt::format("its process ended with status {} while {}{}",
                                                WEXITSTATUS(status), doing, last_words())};
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL)
      return {Failure::Cause::out_of_memory,
              fmt::format("its process was killed while {}, as for lack of memory", doing)};
    return {Failure::Cause::crash, fmt::format("its process died of signal {} ({}) while {}{}",
                                               signal, ::strsignal(signal), doing, last_words())};
  }

  // The end of what the worker wrote to its standard error.
  std::string last_words() const {
    std::array<char, quoted_characters> text = {};
    const auto size = ::lseek(log_.get(), 0, SEEK_END);
    const auto from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
    const auto got = ::pread(log_.get(), text.data(), text.size(), from);
    if (got <= 0) return {};
    std::string words(text.data(), static_cast<std::size_t>(got));
    words.resize(words.find_last_not_of(" \n") + 1);
    return words.empty() ? "" : "; it said: " + words;
  }

  pid_t pid_ = 0;  // 0: ended
  ScratchFolder scratch_;
  Channel channel_;
  Fd log_;
};

// What a well-formed reply holds: what was asked for, the program's failure, or the worker's error.
Result<Attempt<Json>> opened(const Json& reply) {
  try {
    if (reply.contains("error")) return Error{reply.at("error").get<std::string>()};
    if (reply.contains("failure")) return Attempt<Json>{reply.at("failure").get<Failure>()};
    return Attempt<Json>{reply.at("done")};
  } catch (const Json::exception& broken) {
    return Attempt<Json>{Failure{Failure::Cause::crash, "its process answered nonsense"}};
  }
}

Result<Attempt<Json>> opened(const Attempt<Json>& reply) {
  if (auto* failure = std::get_if<Failure>(&reply)) return Attempt<Json>{*failure};
  return opened(std::get<Json>(reply));
}

// Whether a failure may be the driver's: what the kernel's own doing would not explain is.
bool may_be_the_drivers(Failure::Cause cause) {
  return cause == Failure::Cause::build || cause == Failure::Cause::crash ||
         cause == Failure::Cause::exit || cause == Failure::Cause::run_time;
}

// A kernel that nothing is wrong with.
Translation plain_program() {
  return {.source_name = "plain",
          .text =
              "__kernel void plain(__global uchar *out, ulong out_at, uint gx, uint gy, uint gz, "
              "uint tx, uint ty, uint tz) { out[out_at + get_global_id(0)] = 1; }\n",
          .kernels = {{.name = "plain", .symbol = "plain", .arguments = {{.index = 0}}}}};
}

Plan plain_plan() {
  Plan plan;
  const auto out = plan.add({.name = "out", .bytes = 64});
  plan.launches = {{.kernel = "plain", .grid = {64}, .threadgroup = {64}, .bindings = {{0, out}}}};
  return plan;
}

// A device as its programs see it.
struct Driver {
  std::size_t place = 0;  // in find_worker_devices()
  WorkerLimits limits;
  bool works = false;  // it has been seen to run a kernel that nothing is wrong with
};

class WorkerProgram : public Program {
 public:
  WorkerProgram(Driver& driver, const Translation& translation)
      : driver_(driver), program_file_(to_program_file(translation)) {}

  // Builds in a process of its own, which goes with a failure.
  Result<Attempt<std::monostate>> start() { return believed(start_process()); }

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    return believed(carry_out(plan, repeats));
  }

 private:
  // A failure is the kernel's only where the driver carries out one that nothing is wrong with.
  template <typename T>
  Result<Attempt<T>> believed(Result<Attempt<T>> attempt) {
    const auto* failure = attempt ? std::get_if<Failure>(&*attempt) : nullptr;
    if (!failure || driver_.works || !may_be_the_drivers(failure->cause)) return attempt;
    const auto plain = WorkerProgram(driver_, plain_program()).carry_out(plain_plan(), verify_only);
    driver_.works = plain && std::holds_alternative<Run>(*plain);
    if (driver_.works) return attempt;
    return Error{"the driver fails on any kernel: " +
                 (plain ? std::get<Failure>(*plain).message : plain.error().message)};
  }

  Result<Attempt<Run>> carry_out(const Plan& plan, Repeats repeats) {
    if (!process_) {
      auto started = start_process();
      if (!started) return started.error();
      if (auto* failure = std::get_if<Failure>(&*started)) return Attempt<Run>{*failure};
    }
    auto ran = run_in_process(plan, repeats);
    // After a failure the process may be damaged without showing it.
    if (!ran || std::holds_alternative<Failure>(*ran)) process_.reset();
    return ran;
  }

  Result<Attempt<std::monostate>> start_process() {
    auto process = WorkerProcess::start();
    if (!process) return process.error();
    auto file = share(program_file_);
    if (!file) return file.error();
    const Json request = {{"do", "build"},
                          {"device", driver_.place},
                          {"memory", driver_.limits.memory},
                          {"bytes", program_file_.size()}};
    auto reply = opened((*process)->ask(request, {&*file, 1}, driver_.limits.build, "building"));
    if (!reply) return reply.error();
    if (auto* failure = std::get_if<Failure>(&*reply)) return Attempt<std::monostate>{*failure};
    process_ = *std::move(process);
    return Attempt<std::monostate>{};
  }

  static Result<Fd> share(std::string_view text) {
    auto file = make_shared_memory(text.size());
    if (!file) return file;
    const auto memory = Mapping::map(*file, text.size(), Mapping::Access::write);
    if (!memory) return memory.error();
    std::transform(text.begin(), text.end(), memory->bytes().begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return file;
  }

  Result<Attempt<Run>> run_in_process(const Plan& plan, Repeats repeats) {
    const auto bytes = output_bytes(plan, repeats);
    auto contents = share_contents(plan);
    if (!contents) return contents.error();
    auto outputs = make_shared_memory(bytes);
    if (!outputs) return outputs.error();
    std::array<Fd, 2> files = {*std::move(contents), *std::move(outputs)};

    const Json request = {{"do", "run"}, {"plan", to_json(plan)}, {"repeats", repeats}};
    const auto asked = std::chrono::steady_clock::now();
    auto reply = opened(process_->ask(request, files, driver_.limits.run, "running"));
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked;
    if (!reply) return reply.error();
    if (auto* failure = std::get_if<Failure>(&*reply)) return Attempt<Run>{*failure};
    auto run = run_from(std::get<Json>(*reply), repeats);
    if (!run) return Attempt<Run>{Failure{Failure::Cause::crash, "its process answered nonsense"}};
    // The kernel ran in the process that took the times.
    if (std::accumulate(run->seconds.begin(), run->seconds.end(), 0.0) > waited.count())
      return Attempt<Run>{
          Failure{Failure::Cause::crash, "its process reports more seconds than have passed"}};
    const auto memory = Mapping::map(files[1], bytes, Mapping::Access::read);
    if (!memory) return memory.error();
    take_outputs(plan, repeats, memory->bytes(), *run);
    return Attempt<Run>{*std::move(run)};
  }

  // Everything of a run but its outputs; nothing where the reply makes no sense. The kernel ran in
  // the process that wrote it, so it is checked like any input.
  static std::optional<Run> run_from(const Json& json, Repeats repeats) {
    Run run;
    try {
      json.at("seconds").get_to(run.seconds);
      json.at("overruns").get_to(run.overruns);
      json.at("faults").get_to(run.faults);
    } catch (const Json::exception& broken) {
      return std::nullopt;
    }
    const bool plausible = std::all_of(run.seconds.begin(), run.seconds.end(),
                                       [](double s) { return std::isfinite(s) && s >= 0; });
    const auto most =
        repeats.timed_seconds > 0 ? std::max(repeats.timed, most_timed_passes) : repeats.timed;
    if (!plausible || run.seconds.size() < repeats.timed || run.seconds.size() > most)
      return std::nullopt;
    return run;
  }

  Driver& driver_;
  std::string program_file_;
  std::unique_ptr<WorkerProcess> process_;
};

class WorkerDevice : public Device {
 public:
  WorkerDevice(DeviceInfo info, std::size_t place, WorkerLimits limits)
      : info_(std::move(info)), driver_{.place = place, .limits = limits} {}

  const DeviceInfo& info() const override { return info_; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    auto program = std::make_unique<WorkerProgram>(driver_, translation);
    auto started = program->start();
    if (!started) return started.error();
    if (auto* failure = std::get_if<Failure>(&*started))
      return Attempt<std::unique_ptr<Program>>{*failure};
    return Attempt<std::unique_ptr<Program>>{std::move(program)};
  }

 private:
  DeviceInfo info_;
  Driver driver_;
};

}  // namespace

Result<std::vector<DeviceInfo>> find_worker_devices() {
  auto process = WorkerProcess::start();
  if (!process) return process.error();
  auto reply = opened((*process)->ask({{"do", "list"}}, {}, listing_limit, "listing devices"));
  if (!reply) return reply.error();
  if (auto* failure = std::get_if<Failure>(&*reply))
    return Error{"cannot list the OpenCL devices: " + failure->message};
  return std::get<Json>(*reply).get<std::vector<DeviceInfo>>();  // no kernel ran: it is our own
}

Result<std::unique_ptr<Device>> open_worker_device(std::string_view wanted, WorkerLimits limits) {
  auto devices = find_worker_devices();
  if (!devices) return devices.error();
  const auto place = choose_device(*devices, wanted);
  if (!place) return place.error();
  return std::unique_ptr<Device>(
      std::make_unique<WorkerDevice>((*devices)[*place], *place, limits));
}

}  // namespace msci

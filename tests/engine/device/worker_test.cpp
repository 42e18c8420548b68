// Kernels that crash, hang or attack, each in its own process, on a real OpenCL device.
#include "engine/device/worker.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/json.h"
#include "engine/device/gpu_files.h"
#include "engine/device/worker_protocol.h"
#include "tests/engine/device/device_tests.h"

namespace msci {
namespace {

using Cause = Failure::Cause;

std::unique_ptr<Device> open(WorkerLimits limits = {}) {
  auto device = open_worker_device(opencl_device_name, limits);
  EXPECT_TRUE(device) << device.error().message;
  return device ? *std::move(device) : nullptr;
}

Failure failure_of(const std::string& body, WorkerLimits limits = {},
                   const std::string& before = "") {
  const auto device = open(limits);
  const auto ran = attempt(*device, saxpy_like(body, before), saxpy_plan(256));
  if (const auto* failure = std::get_if<Failure>(&ran)) return *failure;
  ADD_FAILURE() << "it ran";
  return {};
}

TEST(Worker, lists_devices_by_name) {
  const auto devices = find_worker_devices();
  ASSERT_TRUE(devices) << devices.error().message;
  ASSERT_FALSE(devices->empty());
  EXPECT_FALSE((*devices)[0].name.empty());
  EXPECT_GT((*devices)[0].max_buffer, 0u);
}

TEST(Worker, returns_the_same_run_as_the_device_in_this_process) {
  const auto device = open();
  const auto ran =
      attempt(*device, load_program("saxpy"), saxpy_plan(1000), {.warmup = 1, .timed = 3});
  ASSERT_EQ(ran.index(), 0u) << std::get<Failure>(ran).message;
  const auto& run = std::get<0>(ran);
  EXPECT_EQ(run.outputs, saxpy_expected(1000));
  EXPECT_EQ(run.timed_outputs, run.outputs);
  EXPECT_EQ(run.seconds.size(), 3u);
}

TEST(Worker, runs_many_launches_and_zero_filled_buffers) {
  auto plan = saxpy_plan(100);
  plan.buffers[1].initial = {};
  plan.launches.resize(600, plan.launches[0]);
  const auto ran = attempt(*open(), load_program("saxpy"), plan);
  ASSERT_EQ(ran.index(), 0u) << std::get<Failure>(ran).message;
  EXPECT_EQ(std::get<0>(ran).outputs, Outputs{Bytes::of<float>(ramp(100, 1200))});
}

// The processes that this one started and that still live.
std::set<pid_t> children() {
  std::set<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    const std::string stat((std::istreambuf_iterator<char>(file)), {});
    std::istringstream behind_name(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    char state = 'Z';
    pid_t parent = 0;
    if (behind_name >> state >> parent && state != 'Z' && parent == ::getpid())
      found.insert(std::stoi(name));
  }
  return found;
}

TEST(Worker, the_process_that_listed_the_devices_runs_the_first_program) {
  const auto before = children();
  {
    const auto device = open();
    const auto listing = children();
    EXPECT_EQ(listing.size(), before.size() + 1);
    auto first = device->build(load_program("saxpy"));
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(children(), listing);
    auto second = device->build(load_program("saxpy"));
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(children().size(), before.size() + 2);
  }
  EXPECT_EQ(children(), before);
}

TEST(Worker, a_process_that_dies_before_the_first_program_is_replaced) {
  const auto before = children();
  const auto device = open();
  for (const auto child : children())
    if (!before.contains(child)) ASSERT_EQ(::kill(child, SIGKILL), 0);
  const auto ran = attempt(*device, load_program("saxpy"), saxpy_plan(100));
  EXPECT_EQ(ran.index(), 0u);
}

TEST(Worker, a_program_of_another_thread_or_after_a_fork_has_a_process_of_its_own) {
  const auto device = open();
  const auto before = children();
  std::thread([&] {
    const auto ran = attempt(*device, load_program("saxpy"), saxpy_plan(100));
    EXPECT_EQ(ran.index(), 0u);
  }).join();
  const auto child = ::fork();
  if (child == 0) {
    const auto ran = attempt(*device, load_program("saxpy"), saxpy_plan(100));
    ::_exit(ran.index() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(children(), before) << "the process still waits";
  const auto ran = attempt(*device, load_program("saxpy"), saxpy_plan(100));
  EXPECT_EQ(ran.index(), 0u);
}

// Page faults of the child processes that have ended.
long faults_of_ended_children() {
  rusage used = {};
  ::getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_minflt;
}

// One of the two processes that list devices ends, unless there is only one.
TEST(Worker, a_system_without_gpus_starts_no_process_that_looks_for_them) {
  const auto before = faults_of_ended_children();
  const auto device = open_worker_device("");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(faults_of_ended_children() == before, gpu_files().empty());
}

TEST(Worker, returns_wrong_output_without_a_failure) {
  const auto ran = attempt(*open(), saxpy_like("y[i] = 7;"), saxpy_plan(256));
  ASSERT_EQ(ran.index(), 0u) << std::get<Failure>(ran).message;
  EXPECT_EQ(std::get<0>(ran).outputs, Outputs{Bytes::of<float>(std::vector<float>(256, 7))});
}

TEST(Worker, a_driver_that_runs_no_kernel_is_our_error) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);  // PoCL finds no linker there
  const auto device = open();
  auto program = device->build(load_program("saxpy"));
  std::string message;
  if (!program)
    message = program.error().message;
  else if (auto* built = std::get_if<std::unique_ptr<Program>>(&*program))
    if (const auto ran = (*built)->run(saxpy_plan(256), verify_only); !ran)
      message = ran.error().message;
  ::setenv("PATH", path.c_str(), 1);
  if (device->info().kind != DeviceInfo::Kind::cpu) GTEST_SKIP() << "not PoCL";
  EXPECT_TRUE(message.starts_with("the driver fails on any kernel: ")) << message;
}

TEST(Worker, kills_a_kernel_that_does_not_end) {
  const auto failure = failure_of("volatile uint k = 1; while (k) k |= 1; y[i] = k;",
                                  {.run = std::chrono::seconds(2)});
  EXPECT_EQ(failure, (Failure{Cause::time_out, "no result after 2 s of running"}));
}

TEST(Worker, survives_a_wild_write) {
  const auto failure = failure_of("y[(ulong)i * 0x100000000] = 1; x[-(long)1e15] = 2;");
  EXPECT_EQ(failure.cause, Cause::signal);
  EXPECT_NE(failure.message.find("signal 11"), std::string::npos) << failure.message;
}

// A kernel has no name for system calls, but a hostile one makes them all the same.
const std::string system_call = R"(
long system_call(long number, long a, __private char *b, long c) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("xor %%r10d, %%r10d; xor %%r8d, %%r8d; syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r8", "r10", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register __private char *x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = 0;
  register long x4 __asm__("x4") = 0;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
#endif
}
)";

TEST(Worker, reports_a_process_that_exits) {
  const auto exit_3 = "system_call(" + std::to_string(SYS_exit_group) + ", 3, 0, 0);";
  const auto failure = failure_of(exit_3, {}, system_call);
  EXPECT_EQ(failure.cause, Cause::exit);
  EXPECT_NE(failure.message.find("status 3"), std::string::npos) << failure.message;
}

TEST(Worker, quotes_the_standard_error_of_a_crash) {
  const auto failure =
      failure_of("char words[] = \"farewell\"; system_call(" + std::to_string(SYS_write) +
                     ", 2, words, 8); y[-(long)1e15] = 1;",
                 {}, system_call);
  EXPECT_EQ(failure.cause, Cause::signal);
  EXPECT_NE(failure.message.find("it said: farewell"), std::string::npos) << failure.message;
}

TEST(Worker, rejects_malformed_data_from_a_process_that_the_kernel_controls) {
  // The kernel answers in the worker's stead: eight bytes of length, then something that is not
  // reply.
  for (const std::string reply :
       {"junk", "\"\"", "{}", "{\"done\":{\"seconds\":[],\"overruns\":7}}"}) {
    SCOPED_TRACE(reply);
    std::string bytes = std::to_string(reply.size()) + ", 0, 0, 0, 0, 0, 0, 0";
    for (const auto c : reply) bytes += ", " + std::to_string(static_cast<int>(c));
    const auto failure = failure_of("char m[] = {" + bytes + "}; if (i == 0) system_call(" +
                                        std::to_string(SYS_write) + ", 3, m, " +
                                        std::to_string(8 + reply.size()) + ");",
                                    {}, system_call);
    EXPECT_EQ(failure, (Failure{Cause::crash, failure.message}));
    EXPECT_NE(failure.message.find("malformed data"), std::string::npos) << failure.message;
  }
}

TEST(Worker, has_no_network_no_new_privileges_and_no_core_dumps) {
  const auto number = [](long call) { return std::to_string(call); };
  const auto program = saxpy_like(
      "long limits[2] = {7, 7};"
      "if (i == 0) y[0] = system_call(" +
          number(SYS_socket) + ", " + number(AF_INET) +
          ", (__private char *)1, 0);"
          "if (i == 1) y[1] = system_call(" +
          number(SYS_prctl) + ", " + number(PR_GET_NO_NEW_PRIVS) +
          ", 0, 0);"
          "if (i == 2) {"
          "  system_call(" +
          number(SYS_getrlimit) + ", " + number(RLIMIT_CORE) +
          ", (__private char *)limits, 0);"
          "  y[2] = limits[0] + limits[1];"
          "}",
      system_call);
  const auto ran = attempt(*open(), program, saxpy_plan(3, 3));
  ASSERT_EQ(ran.index(), 0u) << std::get<Failure>(ran).message;
  const std::vector<float> expected = {-EACCES, 1, 0};
  EXPECT_EQ(std::get<0>(ran).outputs, Outputs{Bytes::of<float>(expected)});
}

TEST(Worker, returns_build_failures) {
  const auto failure = failure_of("y[i] = undeclared_name;");
  EXPECT_EQ(failure.cause, Cause::build);
  EXPECT_NE(failure.message.find("undeclared_name"), std::string::npos) << failure.message;
}

TEST(Worker, reports_a_changed_constant_buffer) {
  EXPECT_EQ(failure_of("x[i] = 0;").cause, Cause::wrote_constant);
}

TEST(Worker, a_program_runs_again_after_a_crash) {
  const auto device = open();
  auto built = device->build(saxpy_like("if (n == 1) y[-(long)1e15] = 1; y[i] += 2 * x[i];"));
  ASSERT_TRUE(built) << built.error().message;
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  const auto crashed = program.run(saxpy_plan(1, 1), verify_only);
  ASSERT_TRUE(crashed) << crashed.error().message;
  EXPECT_EQ(std::get<Failure>(*crashed).cause, Cause::signal);
  const auto ran = program.run(saxpy_plan(256), verify_only);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(std::get<0>(*ran).outputs, saxpy_expected(256));
}

// Children of a process, zombies included.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> found;
  const auto parent = "PPid:\t" + std::to_string(process);
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line == parent) found.push_back(std::stoi(entry.path().filename()));
  }
  return found;
}

// False also for a zombie, which stays where no init process collects orphans.
bool is_running(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos;
  return false;
}

// Looks again and again for as long as a slow machine may need.
template <typename Condition>
bool eventually(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  while (!holds() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return holds();
}

TEST(Worker, leaves_no_process_behind) {
  failure_of("volatile uint k = 1; while (k) k |= 1;", {.run = std::chrono::milliseconds(1500)});
  failure_of("y[-(long)1e15] = 1;");
  EXPECT_EQ(children_of(::getpid()), std::vector<pid_t>{});
}

// A kernel that breaks out of its driver can write to its standard error.
TEST(Worker, says_nothing_that_a_terminal_obeys) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto name = "worker_test_" + std::to_string(::getpid());
  const auto script = folder / name;  // where programs are looked for
  std::ofstream(script)
      << "#!/bin/sh\nprintf '\\033[2Jboom\\nmsci-eval: all is right\\n' >&2\nexit 3\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto process = WorkerProcess::start(name);
  ASSERT_TRUE(process) << process.error().message;
  const auto answer = (*process)->ask(Json::object(), {}, std::chrono::minutes(10), "building");
  std::filesystem::remove(script);
  ASSERT_TRUE(std::holds_alternative<Failure>(answer));
  EXPECT_TRUE(std::get<Failure>(answer).message.ends_with(
      " while building; it said: ?[2Jboom\n  msci-eval: all is right"))
      << std::get<Failure>(answer).message;
}

TEST(Worker, dies_with_the_process_that_started_it) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const auto tool = ::fork();
  if (tool == 0) {
    const auto device = open();
    const auto built = device->build(saxpy_like("volatile uint k = 1; while (k) k |= 1;"));
    if (::write(ready[1], "!", 1) != 1) ::_exit(1);
    (void)std::get<std::unique_ptr<Program>>(*built)->run(saxpy_plan(256), verify_only);
    ::_exit(0);
  }
  char mark = 0;
  ASSERT_EQ(::read(ready[0], &mark, 1), 1);
  const auto workers = children_of(tool);
  ASSERT_EQ(workers.size(), 1u);
  EXPECT_TRUE(is_running(workers[0]));
  ::kill(tool, SIGKILL);
  ::waitpid(tool, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !is_running(workers[0]); }));
}

TEST(Worker, the_error_for_an_unknown_device_lists_the_known_ones) {
  const auto device = open_worker_device("no such device");
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().message.find("known devices:\n0  0:0  "), std::string::npos)
      << device.error().message;
}

}  // namespace
}  // namespace msci

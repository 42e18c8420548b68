#include "base/process/run_command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/few_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A folder that the test may write to; removed at the end.
struct TestFolder {
  TestFolder() {
    std::string name = "/tmp/run_command_test.XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~TestFolder() { fs::remove_all(path); }
  fs::path path;
};

// Limits that no command reaches, however slow the machine is.
constexpr std::chrono::minutes long_enough(10);

CommandResult run(const std::string& line, std::chrono::milliseconds limit = long_enough) {
  auto result = run_command({.arguments = shell_arguments(line), .time_limit = limit});
  EXPECT_TRUE(result);
  return result ? *result : CommandResult{};
}

// The result of an endless command that reaches its time limit after it has printed `bytes`: a slow
// machine gets more time.
CommandResult run_to_the_limit(const std::string& line, std::size_t bytes,
                               std::size_t output_limit = 1 << 20) {
  for (std::chrono::milliseconds limit = std::chrono::seconds(1);; limit *= 2) {
    auto result = run_command(
        {.arguments = shell_arguments(line), .time_limit = limit, .output_limit = output_limit});
    EXPECT_TRUE(result);
    if (!result || !result->timed_out || result->out.size() >= bytes || limit > long_enough)
      return result ? *result : CommandResult{};
  }
}

// Whether the process is gone, or dead and not yet reaped, in time.
bool ends(pid_t process) {
  const auto end = std::chrono::steady_clock::now() + long_enough;
  while (std::chrono::steady_clock::now() < end) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    if (!(file >> number >> name >> state) || state == "Z" || state == "X") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(RunCommand, passes_input_arguments_and_environment) {
  const auto result = run_command(
      {.arguments = shell_arguments("cat; printf '%s|' \"$WORD\"; printf '%s|'", {"a b", "c'd"}),
       .environment = {"WORD=w"},
       .input = "in\n"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "in\nw|a b|c'd|");
  EXPECT_TRUE(result->succeeded());
}

TEST(RunCommand, replaces_our_variables_of_the_same_name) {
  ::setenv("MSCI_TEST_WORD", "ours", 1);
  const auto result = run_command({.arguments = {"env"}, .environment = {"MSCI_TEST_WORD=theirs"}});
  ASSERT_TRUE(result);
  EXPECT_NE(result->out.find("MSCI_TEST_WORD=theirs\n"), std::string::npos);
  EXPECT_EQ(result->out.find("MSCI_TEST_WORD=ours"), std::string::npos);
}

TEST(RunCommand, runs_in_the_given_folder) {
  const TestFolder folder;
  const auto result = run_command({.arguments = {"pwd"}, .folder = folder.path});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, fs::canonical(folder.path).string() + "\n");
}

TEST(RunCommand, reports_exit_codes_and_signals) {
  EXPECT_EQ(run("exit 3").exit, (ExitStatus{.code = 3}));
  EXPECT_EQ(run("kill -SEGV $$").exit, (ExitStatus{.signal = SIGSEGV}));
  EXPECT_EQ(run("no_such_program_of_ours").exit.code, 127);
  EXPECT_EQ(describe({.code = 3}), "it ended with status 3");
  EXPECT_EQ(describe({.signal = SIGSEGV}), "it was ended by signal 11 (Segmentation fault)");
}

TEST(RunCommand, separates_the_two_output_streams) {
  const auto result = run("echo out; echo err >&2");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
}

TEST(RunCommand, names_a_program_or_folder_that_does_not_exist) {
  const auto program = run_command({.arguments = {"no_such_program_of_ours"}});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message,
            "cannot start no_such_program_of_ours: No such file or directory");
  const auto folder = run_command({.arguments = {"true"}, .folder = "/no/such/folder"});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message,
            "cannot start true: /no/such/folder: No such file or directory");
}

TEST(RunCommand, kills_a_command_at_its_time_limit) {
  const auto result = run_to_the_limit("echo before; exec sleep 3600", 1);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.exit.signal, SIGKILL);
  EXPECT_EQ(result.out, "before\n");
}

TEST(RunCommand, kills_the_process_group_at_the_time_limit) {
  const auto result = run_to_the_limit("sleep 3600 & echo $!; wait", 1);
  EXPECT_TRUE(result.timed_out);
  const auto child = std::atoi(result.out.c_str());
  ASSERT_GT(child, 1);
  EXPECT_TRUE(ends(child));
}

TEST(RunCommand, kills_the_process_group_when_the_command_ends) {
  const auto result = run("sleep 3600 & echo $!");
  EXPECT_TRUE(result.succeeded());  // although the background process keeps the pipe open
  const auto child = std::atoi(result.out.c_str());
  ASSERT_GT(child, 1);
  EXPECT_TRUE(ends(child));
}

TEST(RunCommand, is_not_held_up_by_a_process_outside_of_the_group) {
  const TestFolder folder;
  const auto started = (folder.path / "started").string();
  const auto result = run("setsid sh -c 'echo $$; echo >" + started + "; exec sleep 3600' & " +
                          "while [ ! -e " + started + " ]; do sleep 0.02; done");
  EXPECT_TRUE(result.succeeded());
  const auto daemon = std::atoi(result.out.c_str());
  ASSERT_GT(daemon, 1);
  ::kill(daemon, SIGKILL);
}

TEST(RunCommand, keeps_output_up_to_the_limit) {
  const auto result = run_command(
      {.arguments = shell_arguments("head -c 3000000 /dev/zero; head -c 5000 /dev/zero >&2"),
       .time_limit = long_enough,
       .output_limit = 1000});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->truncated);
  EXPECT_EQ(result->out.size(), 1000u);
  EXPECT_EQ(result->err.size(), 1000u);
}

TEST(RunCommand, survives_endless_output_until_the_time_limit) {
  constexpr std::size_t kept = std::size_t{1} << 17;
  const auto result = run_to_the_limit("exec yes", kept, kept);
  EXPECT_TRUE(result.timed_out);
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.out.size(), kept);
}

TEST(RunCommand, keeps_all_of_a_large_output) {
  const auto result = run("head -c 5000000 /dev/zero");
  EXPECT_EQ(result.out.size(), 5'000'000u);
  EXPECT_FALSE(result.truncated);
}

TEST(RunCommand, passes_a_large_input) {
  const auto result =
      run_command({.arguments = {"wc", "-c"}, .input = std::string(5'000'000, 'x')});
  ASSERT_TRUE(result);
  EXPECT_EQ(std::atoi(result->out.c_str()), 5'000'000);
}

TEST(RunCommand, closes_our_other_descriptors) {
  const auto open_here = ::dup(STDIN_FILENO);  // not close-on-exec
  ASSERT_GT(open_here, 2);
  const auto result = run("ls /proc/self/fd | wc -l");
  EXPECT_EQ(std::atoi(result.out.c_str()), 4);  // 0, 1, 2, and the folder itself
  ::close(open_here);
}

TEST(RunCommand, resets_ignored_and_blocked_signals) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t some, old;
  ::sigemptyset(&some);
  ::sigaddset(&some, SIGUSR1);
  ::sigprocmask(SIG_BLOCK, &some, &old);
  const auto result = run("grep -E '^Sig(Blk|Ign)' /proc/self/status");
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(RunCommand, leads_its_own_process_group_unless_told_otherwise) {
  const auto group = [](bool own_group) {
    const auto result =
        run_command({.arguments = shell_arguments("ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 "
                                                  "/proc/$$/stat"),
                     .own_group = own_group});
    return std::atoi(result->out.c_str());
  };
  EXPECT_NE(group(true), ::getpgrp());
  EXPECT_EQ(group(false), ::getpgrp());
}

TEST(RunCommands, use_as_many_slots_as_there_are) {
  std::vector<int> used(2, 0);
  std::vector<std::string> out(6);
  const auto error = run_commands(
      6, 2,
      [&](std::size_t number, std::size_t slot) {
        ++used[slot];
        return Command{.arguments = shell_arguments("sleep 0.05; echo " + std::to_string(number))};
      },
      [&](std::size_t number, CommandResult result) -> std::optional<Error> {
        out[number] = result.out;
        return std::nullopt;
      });
  ASSERT_FALSE(error);
  EXPECT_EQ(used[0] + used[1], 6);
  EXPECT_GT(std::min(used[0], used[1]), 1);
  for (std::size_t number = 0; number < 6; ++number)
    EXPECT_EQ(out[number], std::to_string(number) + "\n");
}

TEST(RunCommands, stop_at_an_error_and_kill_the_others) {
  const TestFolder folder;
  const auto error = run_commands(
      2, 2,
      [&](std::size_t number, std::size_t) {
        return Command{.arguments = shell_arguments(
                           number == 0 ? "while [ ! -s other ]; do sleep 0.02; done"
                                       : "echo $$ > part; mv part other; exec sleep 3600"),
                       .folder = folder.path};
      },
      [&](std::size_t, CommandResult) -> std::optional<Error> { return Error{"enough"}; });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "enough");
  pid_t other = 0;
  std::ifstream(folder.path / "other") >> other;
  ASSERT_GT(other, 1);
  EXPECT_TRUE(ends(other));
}

TEST(ChildProcess, dies_with_its_parent) {
  int ends_of_pipe[2];
  ASSERT_EQ(::pipe(ends_of_pipe), 0);
  auto parent = ChildProcess::fork([&] {
    auto child = ChildProcess::start({.arguments = {"sleep", "3600"}});
    auto copy = ChildProcess::fork([] { return static_cast<int>(::sleep(3600)); });
    if (!child || !copy) return 1;
    // What a debugger or the out-of-memory killer would do: no destructor runs.
    const std::string line = "x";
    if (::write(ends_of_pipe[1], line.data(), 1) != 1) return 1;
    return static_cast<int>(::sleep(3600));
  });
  ASSERT_TRUE(parent);
  char x = 0;
  ASSERT_EQ(::read(ends_of_pipe[0], &x, 1), 1);
  ::close(ends_of_pipe[1]);
  EXPECT_EQ(parent->kill().signal, SIGKILL);
  // The copy holds the pipe's other end; it closes when the copy dies.
  EXPECT_EQ(::read(ends_of_pipe[0], &x, 1), 0);
  ::close(ends_of_pipe[0]);
}

TEST(ChildProcess, a_program_dies_with_its_parent) {
  const TestFolder folder;
  auto parent = ChildProcess::fork([&] {
    auto child = ChildProcess::start(
        {.arguments = shell_arguments("echo $$ > part; mv part pid; exec sleep 3600"),
         .folder = folder.path});
    return child ? static_cast<int>(::sleep(3600)) : 1;
  });
  ASSERT_TRUE(parent);
  pid_t child = 0;
  for (int i = 0; i < 1000 && child == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream(folder.path / "pid") >> child;
  }
  ASSERT_GT(child, 1);
  parent->kill();
  EXPECT_TRUE(ends(child));
}

TEST(ChildProcess, gives_its_descriptors_the_numbers_of_their_order) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  auto child = ChildProcess::start({.arguments = shell_arguments("echo three >&3"),
                                    .descriptors = {-1, -1, STDERR_FILENO, pipe[1]}});
  ASSERT_TRUE(child) << child.error().message;
  EXPECT_TRUE(child->wait().succeeded());
  ::close(pipe[1]);
  char text[16] = "";
  EXPECT_EQ(::read(pipe[0], text, sizeof text), 6);
  EXPECT_EQ(std::string(text), "three\n");
  ::close(pipe[0]);
}

TEST(ChildProcess, waits_for_at_most_a_time_limit) {
  auto quick = ChildProcess::start({.arguments = {"true"}});
  ASSERT_TRUE(quick);
  EXPECT_EQ(quick->wait_for(long_enough), (ExitStatus{.code = 0}));
  auto slow = ChildProcess::start({.arguments = {"sleep", "3600"}});
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->wait_for(std::chrono::milliseconds(100)), std::nullopt);
}

TEST(ChildProcess, does_not_report_success_if_the_status_is_lost) {
  ::signal(SIGCHLD, SIG_IGN);
  auto child = ChildProcess::start({.arguments = {"true"}});
  ASSERT_TRUE(child);
  const auto status = child->wait();
  ::signal(SIGCHLD, SIG_DFL);
  EXPECT_FALSE(status.succeeded());
  EXPECT_EQ(status, ExitStatus{});
}

TEST(RunCommands, says_that_it_cannot_wait) {
  std::optional<FewFiles> limit;
  std::size_t results = 0;
  const auto error = run_commands(
      2, 2,
      [&](std::size_t number, std::size_t) {
        return Command{.arguments = shell_arguments(number == 0 ? "exit" : "sleep 60")};
      },
      [&](std::size_t, const CommandResult&) -> std::optional<Error> {
        ++results;
        limit.emplace(1);
        return std::nullopt;
      });
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("cannot wait for"), std::string::npos) << error->message;
  EXPECT_EQ(results, 1u);
}

}  // namespace
}  // namespace msci

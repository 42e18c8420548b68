// Messages, shared memory and temporary folders of msci-eval and msci-worker.
#include "engine/device/worker_protocol.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/process/channel.h"
#include "base/process/temporary_folder.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

std::pair<Channel, Channel> channels() {
  auto ends = Channel::make_pair();
  EXPECT_TRUE(ends) << ends.error().message;
  return *std::move(ends);
}

TEST(ChannelTest, delivers_whole_messages_in_order) {
  const auto [near, far] = channels();
  const std::string large(3'000'000, 'x');
  std::thread sender([&near = near, &large] {
    EXPECT_TRUE(near.send("first"));
    EXPECT_TRUE(near.send(large));
    EXPECT_TRUE(near.send(""));
  });
  for (const auto& expected : {std::string("first"), large, std::string()}) {
    const auto received = far.receive(milliseconds(10'000));
    ASSERT_TRUE(std::holds_alternative<Message>(received));
    EXPECT_EQ(std::get<Message>(received).text, expected);
  }
  sender.join();
}

TEST(ChannelTest, carries_shared_memory) {
  const auto [near, far] = channels();
  auto file = make_shared_memory(5);
  ASSERT_TRUE(file);
  ASSERT_TRUE(near.send("take this", {&*file, 1}));
  auto received = far.receive(milliseconds(10'000));
  auto& message = std::get<Message>(received);
  ASSERT_EQ(message.files.size(), 1u);
  const auto theirs = Mapping::map(message.files[0], 5, Mapping::Access::write);
  ASSERT_TRUE(theirs);
  theirs->bytes()[4] = std::byte{42};
  const auto ours = Mapping::map(*file, 5, Mapping::Access::read);
  ASSERT_TRUE(ours);
  EXPECT_EQ(ours->bytes()[4], std::byte{42});
}

TEST(ChannelTest, mapped_memory_cannot_shrink) {
  const auto file = make_shared_memory(4096);
  ASSERT_TRUE(file);
  EXPECT_NE(::ftruncate(file->get(), 0), 0);
  EXPECT_EQ(errno, EPERM);
}

TEST(ChannelTest, distinguishes_a_time_out_from_a_closed_end) {
  auto [near, far] = channels();
  EXPECT_EQ(std::get<Silence>(near.receive(milliseconds(20))), Silence::timed_out);
  {
    const Channel closed = std::move(far);
  }
  EXPECT_EQ(std::get<Silence>(near.receive(milliseconds(10'000))), Silence::closed);
  EXPECT_FALSE(near.send("closed"));
}

TEST(ChannelTest, times_out_in_the_middle_of_a_message) {
  const auto [near, far] = channels();
  const std::uint64_t promised = 100;
  ASSERT_EQ(::send(near.socket().get(), &promised, sizeof promised, 0), 8);
  ASSERT_EQ(::send(near.socket().get(), "half", 4, 0), 4);
  EXPECT_EQ(std::get<Silence>(far.receive(milliseconds(20))), Silence::timed_out);
}

TEST(ChannelTest, rejects_a_huge_length) {
  const auto [near, far] = channels();
  const std::uint64_t monstrous = std::uint64_t{1} << 60;
  ASSERT_EQ(::send(near.socket().get(), &monstrous, sizeof monstrous, 0), 8);
  EXPECT_EQ(std::get<Silence>(far.receive(milliseconds(10'000))), Silence::closed);
}

TEST(ExecutionText, round_trips) {
  for (const std::string text : {"parallel", "forward", "reversed", "0", "12ab", "lanes:parallel",
                                 "lanes:reversed", "lanes:ffffffffffffffff"}) {
    const auto execution = execution_from(text);
    ASSERT_TRUE(execution) << execution.error().message;
    EXPECT_EQ(to_string(*execution), text);
  }
  for (const auto* text : {"", "lanes:", "backward", "12xy", "123456789abcdef01", "-1"})
    EXPECT_FALSE(execution_from(text)) << text;
}

TEST(PlanMessage, round_trips) {
  Plan plan;
  plan.add_scalar("scalar", 7u);
  plan.add({.name = "zeros", .bytes = 64, .reset = false});
  plan.add({.name = "data", .bytes = 3, .initial = {std::byte{1}, std::byte{2}, std::byte{3}}});
  plan.launches = {{.kernel = "first",
                    .grid = {5, 6, 7},
                    .threadgroup = {2, 3, 4},
                    .bindings = {{0, 2, 1}, {4, 0, 0}},
                    .threadgroup_memory = {{1, 256}}},
                   {.kernel = "second", .grid = {1}, .threadgroup = {1}}};
  plan.results = {2, 1};
  plan.execution = {.order = Execution::Order::keyed, .key = 9, .vector_bits = 256, .brief = true};
  plan.variants = 2;
  plan.buffers[2].variants = {{std::byte{4}, std::byte{5}, std::byte{6}},
                              {std::byte{7}, std::byte{8}, std::byte{9}}};
  plan.buffers[1].constant = true;
  const auto contents = share_contents(plan);
  ASSERT_TRUE(contents) << contents.error().message;
  const auto mapped = map_shared_memory(*contents);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_EQ(plan_from(Json::parse(to_json(plan).dump()), *mapped), plan);
}

TEST(RunMessage, has_only_known_kinds_of_faults) {
  msci::Run run;
  run.checks.faults = {{.kind = Fault::Kind::race, .kernel = "k"}};
  auto json = to_json(run);
  EXPECT_EQ(run_from(json), run);
  auto& kind = json["checks"]["faults"][0]["kind"];
  for (const auto number : {std::int64_t{-1}, std::int64_t{fault_kinds}, std::int64_t{1} << 32}) {
    kind = number;
    EXPECT_THROW(run_from(json), Json::exception) << number;
  }
}

TEST(OutputsMessage, round_trips) {
  Plan plan;
  plan.add_scalar("a", 1.0f);
  plan.add_scalar("b", 2.0);
  plan.results = {1, 0};
  const auto outputs = [](double b, float a) {
    return Outputs{Bytes::of<double>(std::vector{b}), Bytes::of<float>(std::vector{a})};
  };
  for (const Repeats repeats : {verify_only, Repeats{1, 2}}) {
    msci::Run sent{.outputs = outputs(3, 4)};
    if (repeats.timed > 0) {
      plan.variants = 1;
      sent.timed_outputs = outputs(5, 6);
      sent.variants = {{1, outputs(7, 8)}};
      sent.deviations = {{0, outputs(9, 1)}, {1, outputs(2, 3)}};
      sent.seconds = {1, 2};
      sent.overruns = {"a"};
      sent.changed_inputs = {"b"};
    }
    const auto bytes = output_bytes(plan, repeats);
    const auto file = make_shared_memory(bytes);
    ASSERT_TRUE(file);
    ResultMemory memory(*file, bytes);
    sent.outputs[1] = *memory.keep(sent.outputs[1]);
    const auto places = memory.places_of(sent);
    ASSERT_TRUE(places) << places.error().message;
    auto received = run_from(Json::parse(to_json(sent).dump()));
    ASSERT_TRUE(*take_outputs(plan, repeats, Json::parse(places->dump()), *file, received));
    EXPECT_EQ(received, sent);
  }
}

class ResultMemoryTest : public testing::Test {
 protected:
  static constexpr std::size_t bytes = std::size_t{4} << 20;
  static Plan plan_of(std::size_t bytes) {
    Plan plan;
    plan.add({.name = "a", .bytes = bytes});
    plan.results = {0};
    return plan;
  }

  Result<Fd> file_ = make_shared_memory(bytes);
  ResultMemory memory_{*file_, bytes};
};

TEST_F(ResultMemoryTest, holds_no_outputs_elsewhere) {
  auto plan = plan_of(bytes);
  plan.results = {0, 0};
  const auto refuses = [&](const char* places) {
    const auto file = make_shared_memory(2 * bytes);  // each is sealed once
    msci::Run run;
    return !*take_outputs(plan, verify_only, Json::parse(places), *file, run);
  };
  EXPECT_FALSE(refuses("[0, 4194304]"));
  EXPECT_FALSE(refuses("[4096, 0]"));
  for (const auto* place :
       {"8", "4198400", "-4096", "18446744073709547520", "\"0\"", "null", "[0]"})
    EXPECT_TRUE(refuses(("[0, " + std::string(place) + "]").c_str())) << place;
  for (const auto* places : {"[]", "[0]", "{}", "null"}) EXPECT_TRUE(refuses(places)) << places;
}

TEST_F(ResultMemoryTest, is_sealed_where_that_is_faster_than_a_copy) {
  ASSERT_TRUE(memory_.keep(std::vector(4096, std::byte{7})));
  memory_.seal();
  EXPECT_FALSE(is_sealed(*file_));
  ASSERT_TRUE(memory_.keep(std::vector(bytes - 4096, std::byte{7})));
  memory_.seal();
  EXPECT_TRUE(is_sealed(*file_));
  memory_.forget();
  EXPECT_FALSE(memory_.keep(std::vector(1, std::byte{7})));
}

// Seals may forbid less than all writes.
TEST_F(ResultMemoryTest, is_not_sealed_by_less) {
  for (const int seals : {F_SEAL_FUTURE_WRITE, F_SEAL_SEAL}) {
    ASSERT_EQ(::fcntl(file_->get(), F_ADD_SEALS, seals), 0);
    EXPECT_FALSE(is_sealed(*file_)) << seals;
  }
}

TEST_F(ResultMemoryTest, keeps_no_more_than_it_has_room_for) {
  EXPECT_TRUE(memory_.keep(std::vector(bytes, std::byte{1})));
  EXPECT_FALSE(memory_.keep(std::vector(1, std::byte{1})));
  memory_.forget();
  EXPECT_TRUE(memory_.keep(std::vector(bytes, std::byte{1})));
}

// --- Hostile processes

// What a process does with shared memory that msci-eval has sent to it.
struct LateWrite {
  const char* name;
  void* (*before)(int file, std::size_t bytes);  // msci-eval seals or copies the memory
  void (*later)(int file, std::size_t bytes, void* mapped);
};

void* map_shared(int file, std::size_t bytes, int protection) {
  void* mapped = ::mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

void* map_to_write(int file, std::size_t bytes) {
  return map_shared(file, bytes, PROT_READ | PROT_WRITE);
}

void* nothing(int, std::size_t) { return nullptr; }

void overwrite(void* mapped, std::size_t bytes) {
  if (mapped) std::memset(mapped, 9, bytes);
}

void write_all(int file, std::size_t bytes) {
  const std::vector<char> nines(bytes, 9);
  [[maybe_unused]] const auto written = ::pwrite(file, nines.data(), bytes, 0);
}

const LateWrite late_writes[] = {
    {"writes", nothing, [](int file, std::size_t bytes, void*) { write_all(file, bytes); }},
    {"maps_it_later", nothing,
     [](int file, std::size_t bytes, void*) { overwrite(map_to_write(file, bytes), bytes); }},
    {"keeps_a_mapping", map_to_write,
     [](int, std::size_t bytes, void* mapped) { overwrite(mapped, bytes); }},
    {"keeps_a_mapping_and_closes_the_file",
     [](int file, std::size_t bytes) {
       void* mapped = map_to_write(file, bytes);
       ::close(file);
       return mapped;
     },
     [](int, std::size_t bytes, void* mapped) { overwrite(mapped, bytes); }},
    {"makes_a_mapping_writable",
     [](int file, std::size_t bytes) { return map_shared(file, bytes, PROT_READ); },
     [](int, std::size_t bytes, void* mapped) {
       if (mapped && ::mprotect(mapped, bytes, PROT_READ | PROT_WRITE) == 0)
         overwrite(mapped, bytes);
     }},
    {"punches_a_hole", nothing,
     [](int file, std::size_t bytes, void*) {
       ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
     }},
    {"removes_pages", map_to_write,
     [](int, std::size_t bytes, void* mapped) {
       if (mapped) ::madvise(mapped, bytes, MADV_REMOVE);
     }},
    {"opens_it_again", nothing,
     [](int file, std::size_t bytes, void*) {
       const Fd again(::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDWR));
       write_all(again.get(), bytes);
     }},
    {"seals_it_against_seals",
     [](int file, std::size_t) -> void* {
       ::fcntl(file, F_ADD_SEALS, F_SEAL_SEAL);
       return nullptr;
     },
     [](int file, std::size_t bytes, void*) { write_all(file, bytes); }},
    {"keeps_a_mapping_and_forbids_others",
     [](int file, std::size_t bytes) {
       void* mapped = map_to_write(file, bytes);
       ::fcntl(file, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
       return mapped;
     },
     [](int, std::size_t bytes, void* mapped) { overwrite(mapped, bytes); }},
};

// A process that has the file, too. It acts once it exists, and again when it is told to.
class HostileProcess {
 public:
  HostileProcess(const LateWrite& write, const Fd& file, std::size_t bytes) {
    EXPECT_EQ(::pipe(ready_), 0);
    EXPECT_EQ(::pipe(go_), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::close(go_[1]);  // so that it ends with the test
      char byte = 0;
      void* mapped = write.before(file.get(), bytes);
      if (::write(ready_[1], &byte, 1) != 1 || ::read(go_[0], &byte, 1) != 1) ::_exit(1);
      write.later(file.get(), bytes, mapped);
      ::_exit(0);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready_[0], &byte, 1), 1);
  }
  ~HostileProcess() {
    for (const int end : {ready_[0], ready_[1], go_[0], go_[1]}) ::close(end);
  }

  void write() const {
    const char byte = 0;
    ASSERT_EQ(::write(go_[1], &byte, 1), 1);
    int status = -1;
    ASSERT_EQ(::waitpid(process_, &status, 0), process_);
    EXPECT_EQ(status, 0);
  }

 private:
  int ready_[2] = {-1, -1}, go_[2] = {-1, -1};
  pid_t process_ = 0;
};

class LateWriteTest : public ResultMemoryTest, public testing::WithParamInterface<LateWrite> {
 protected:
  static Bytes sevens(std::size_t bytes) { return std::vector(bytes, std::byte{7}); }
};

TEST_P(LateWriteTest, succeeds_while_nothing_protects_the_memory) {
  ASSERT_FALSE(write_shared_memory(*file_, 0, sevens(bytes)));
  HostileProcess(GetParam(), *file_, bytes).write();
  const auto mapped = map_shared_memory(*file_);
  ASSERT_TRUE(mapped);
  EXPECT_NE(*mapped, sevens(bytes));
}

TEST_P(LateWriteTest, changes_no_result_that_is_judged) {
  for (const auto size : {std::size_t{4096}, bytes}) {
    const auto file = make_shared_memory(size);
    ASSERT_TRUE(file);
    ResultMemory memory(*file, size);
    ASSERT_TRUE(memory.keep(sevens(size)));
    const HostileProcess process(GetParam(), *file, size);
    memory.seal();
    msci::Run run;
    ASSERT_TRUE(*take_outputs(plan_of(size), verify_only, Json::array({0U}), *file, run));
    EXPECT_EQ(run.outputs, Outputs{sevens(size)});
    process.write();
    EXPECT_EQ(run.outputs, Outputs{sevens(size)}) << size;
  }
}

TEST_P(LateWriteTest, changes_no_result_in_memory_that_is_not_sealed) {
  ASSERT_TRUE(memory_.keep(sevens(bytes)));
  const HostileProcess process(GetParam(), *file_, bytes);
  msci::Run run;
  ASSERT_TRUE(*take_outputs(plan_of(bytes), verify_only, Json::array({0U}), *file_, run));
  EXPECT_FALSE(is_sealed(*file_)) << "which would wait until the process does not write";
  process.write();
  EXPECT_EQ(run.outputs, Outputs{sevens(bytes)});
}

TEST_P(LateWriteTest, changes_no_input) {
  auto plan = plan_of(bytes);
  plan.buffers[0].initial = sevens(bytes);
  const auto file = share_contents(plan);
  ASSERT_TRUE(file) << file.error().message;
  const HostileProcess process(GetParam(), *file, bytes);
  const auto mapped = map_shared_memory(*file);
  ASSERT_TRUE(mapped);
  process.write();
  EXPECT_EQ(plan_from(to_json(plan), *mapped), plan);
}

INSTANTIATE_TEST_SUITE_P(Table, LateWriteTest, testing::ValuesIn(late_writes),
                         [](const auto& info) { return std::string(info.param.name); });

class TemporaryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void age(const fs::path& path) {
    const timespec times[] = {{.tv_sec = 1'000'000'000}, {.tv_sec = 1'000'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  fs::path folder_ = testing::TempDir() + "temporary_folder_test_" + std::to_string(::getpid());
};

TEST_F(TemporaryFolderTest, is_removed_by_its_owner) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    EXPECT_TRUE(fs::is_directory(path));
    fs::create_directories(path / "some" / "content");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, of_a_killed_owner_is_removed_by_the_next) {
  fs::create_directories(folder_ / "msci-worker-killed" / "content");
  fs::create_directories(folder_ / "msci-new-killed");
  fs::create_directories(folder_ / "msci-new-young");
  fs::create_directories(folder_ / "other");
  age(folder_ / "msci-new-killed");
  age(folder_ / "other");
  const auto living = TemporaryFolder::make();
  ASSERT_TRUE(living);
  age(living->path());
  const auto next = TemporaryFolder::make();
  ASSERT_TRUE(next);
  EXPECT_FALSE(fs::exists(folder_ / "msci-worker-killed"));
  EXPECT_FALSE(fs::exists(folder_ / "msci-new-killed"));
  EXPECT_TRUE(fs::exists(folder_ / "msci-new-young")) << "it may not be locked yet";
  EXPECT_TRUE(fs::exists(folder_ / "other"));
  EXPECT_TRUE(fs::exists(living->path()));
}

TEST_F(TemporaryFolderTest, is_removed_when_a_signal_ends_its_owner) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const auto child = ::fork();
    if (child == 0) {
      const auto folder = TemporaryFolder::make();
      std::ofstream(folder->path() / "file") << "content";
      ::raise(number);
      for (;;) ::pause();
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_TRUE(fs::is_empty(folder_)) << "after signal " << number;
  }
}

TEST_F(TemporaryFolderTest, an_error_names_the_remedy) {
  ::setenv("TMPDIR", (folder_ / "absent").c_str(), 1);
  const auto folder = TemporaryFolder::make();
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("set TMPDIR"), std::string::npos) << folder.error().message;
}

}  // namespace
}  // namespace msci

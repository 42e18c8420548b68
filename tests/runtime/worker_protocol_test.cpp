// Messages, shared memory and temporary folders of msci-eval and msci-worker.
#include "runtime/device/worker_protocol.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
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
    ASSERT_FALSE(take_outputs(plan, repeats, Json::parse(places->dump()), *file, received));
    EXPECT_EQ(received, sent);
  }
}

class ResultMemoryTest : public testing::Test {
 protected:
  static constexpr std::size_t bytes = std::size_t{4} << 20;
  void SetUp() override {
    plan_.add({.name = "large", .bytes = bytes});
    plan_.results = {0};
    ASSERT_TRUE(file_);
    sent_.outputs = {*memory_.keep(std::vector(bytes, std::byte{7}))};
  }

  Plan plan_;
  Result<Fd> file_ = make_shared_memory(2 * bytes);
  ResultMemory memory_{*file_, 2 * bytes};
  msci::Run sent_, received_;
};

TEST_F(ResultMemoryTest, cannot_change_once_the_outputs_are_taken) {
  const auto places = memory_.places_of(sent_);
  ASSERT_TRUE(places);
  ASSERT_FALSE(take_outputs(plan_, verify_only, *places, *file_, received_));
  EXPECT_TRUE(write_shared_memory(*file_, 0, std::vector(bytes, std::byte{9})));
  EXPECT_FALSE(Mapping::map(*file_, bytes, Mapping::Access::write));
  EXPECT_EQ(received_.outputs, Outputs{std::vector(bytes, std::byte{7})});
}

TEST_F(ResultMemoryTest, that_its_writer_has_mapped_is_refused) {
  const auto places = memory_.places_of(sent_);
  const auto mapped = Mapping::map(*file_, bytes, Mapping::Access::write);
  ASSERT_TRUE(places && mapped);
  EXPECT_TRUE(take_outputs(plan_, verify_only, *places, *file_, received_));
}

TEST_F(ResultMemoryTest, holds_no_outputs_elsewhere) {
  const auto refuses = [&](const char* places) {
    const auto file = make_shared_memory(2 * bytes);  // each is sealed once
    msci::Run run;
    return take_outputs(plan_, verify_only, Json::parse(places), *file, run).has_value();
  };
  EXPECT_FALSE(refuses("[0]"));
  EXPECT_FALSE(refuses("[4194304]"));
  for (const auto* places :
       {"[]", "[8]", "[4198400]", "[-4096]", "[18446744073709547520]", "[\"0\"]", "{}", "null"})
    EXPECT_TRUE(refuses(places)) << places;
}

TEST_F(ResultMemoryTest, keeps_no_more_than_it_has_room_for) {
  EXPECT_TRUE(memory_.keep(std::vector(bytes, std::byte{1})));
  EXPECT_FALSE(memory_.keep(std::vector(1, std::byte{1})));
}

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

// How often a kernel is parsed, linted, and proved with it, until it is checked or judged, and how
// many workers run it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <new>

#include "base/process/fd.h"
#include "base/process/temporary_folder.h"
#include "engine/device/worker.h"
#include "evaluator/evaluate_candidate.h"
#include "evaluator/modes/modes.h"
#include "evaluator/session/certify_kernel.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Shared with the processes that lint.
std::atomic<int>& lints() {
  static auto* const count = new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0);
  return *count;
}

const Rule counting{.check = [](const Unit&, Reporter&) { ++lints(); }};
const ListedRule rules[] = {
    {.id = "test.counting", .page = "# counting\nCounts.", .rule = &counting}};

// With a race, an infinite number and a number that is cut, each of which has a form of its own.
constexpr const char* faulty = R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  const short cut = 1000 * i;
  y[i] = exp(a * x[i] + 100 + cut);
  y[i + 1] = y[i];
}
)";

// A folder with a header, that knows how often any process has opened the header.
class IncludedFile {
 public:
  IncludedFile() {
    const auto file = folder_->path() / "included.h";
    std::ofstream(file) << "// nothing\n";
    EXPECT_GE(::inotify_add_watch(events_.get(), file.c_str(), IN_OPEN), 0);
  }
  std::string folder() const { return folder_->path(); }
  // Since the last call.
  std::size_t opened() {
    std::array<inotify_event, 100> read{};
    const auto bytes = ::read(events_.get(), read.data(), sizeof read);
    return bytes < 0 ? 0 : static_cast<std::size_t>(bytes) / sizeof(inotify_event);
  }

 private:
  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
  Fd events_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
};

// Another device that counts the programs it builds, each of which has a worker.
class CountingDevice : public Device {
 public:
  explicit CountingDevice(Device& device) : device_(device) {}
  const DeviceInfo& info() const override { return device_.info(); }
  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    ++built;
    return device_.build(translation);
  }

  int built = 0;

 private:
  Device& device_;
};

class CompileOnce : public testing::Test {
 protected:
  // A source that includes the file.
  Candidate compiled(std::string_view text, TranslationPurpose purpose) {
    const Source source{"k.metal", "#include \"included.h\"\n" + std::string(text)};
    auto candidate =
        candidate_of({.source = source}, rules,
                     {.purpose = purpose, .compile = {.include_folders = {included_.folder()}}});
    EXPECT_TRUE(candidate.compiled && candidate.compiled->translation);
    EXPECT_GT(included_.opened(), 0u);
    return candidate;
  }

  void SetUp() override {
    lints() = 0;
    auto opened = open_worker_device(cpu_device_name);
    ASSERT_TRUE(opened) << opened.error().message;
    processor_ = *std::move(opened);
  }

  std::unique_ptr<Device> processor_;
  IncludedFile included_;
};

TEST_F(CompileOnce, a_checked_run_has_one_front_end_whatever_it_finds) {
  const auto& task = **find_task("saxpy");
  const auto candidate = compiled(faulty, TranslationPurpose::checking);
  const auto result = check_candidate_on(candidate, &task, *processor_);
  const auto* checked = std::get_if<Checked>(&result.result);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->has_race());
  EXPECT_TRUE(checked->has_narrowed());
  EXPECT_TRUE(checked->has_not_finite);
  EXPECT_EQ(lints(), 1);
  EXPECT_EQ(included_.opened(), 0u);
}

TEST_F(CompileOnce, a_strict_verdict_has_one_front_end_one_judged_and_one_checked_worker) {
  const auto& task = **find_task("heat2d");
  const auto candidate = compiled(task.seed, TranslationPurpose::covering);
  CountingDevice device(*processor_);
  Cache cache(testing::TempDir() + "compile_once_test");
  const BatchOptions options{
      .tasks = {&task},
      .evaluation = {.repeats = verify_only,
                     .strict_nonce = 1,
                     .strict = {.thorough = true, .certify = certify_isolated},
                     .processor = &device}};
  const auto result = judge(candidate, &task, {.device = device, .cache = cache}, options);
  ASSERT_TRUE(result.strict);
  EXPECT_TRUE(result.strict->passed);
  EXPECT_TRUE(result.strict->certificate);
  EXPECT_EQ(device.built, 2);
  EXPECT_EQ(lints(), 1);
  EXPECT_EQ(included_.opened(), 0u);
}

TEST_F(CompileOnce, all_meanings_of_arithmetic_have_one_front_end) {
  const auto candidate = compiled((*find_task("saxpy"))->seed, TranslationPurpose::numerics);
  const auto contracted = compiled_for(TranslationPurpose::numerics, candidate,
                                       {.kind = NumericMeaning::Kind::contracted});
  ASSERT_TRUE(contracted.compiled && contracted.compiled->translation);
  EXPECT_NE(contracted.compiled->translation->ir, candidate.compiled->translation->ir);
  EXPECT_EQ(included_.opened(), 0u);
}

// The processes that this one has started and that still run.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::ifstream list(fmt::format("/proc/self/task/{}/children", ::gettid()));
  for (pid_t child = 0; list >> child;) all.push_back(child);
  return all;
}

TEST_F(CompileOnce, a_front_end_that_has_ended_is_replaced_without_linting_again) {
  const auto before = children();
  const auto candidate = compiled(faulty, TranslationPurpose::running);
  for (const auto child : children())
    if (std::ranges::find(before, child) == before.end()) ::kill(child, SIGKILL);
  const auto checked = compiled_for(TranslationPurpose::checking, candidate);
  ASSERT_TRUE(checked.compiled) << checked.compiled.error().message;
  EXPECT_TRUE(checked.compiled->translation);
  EXPECT_EQ(lints(), 1);
  EXPECT_GT(included_.opened(), 0u);
}

TEST_F(CompileOnce, a_translation_is_the_same_whatever_came_before_it) {
  for (const char* name : {"saxpy", "heat2d", "fft3d"}) {
    const Source source{"k.metal", std::string((*find_task(name))->seed)};
    const auto plain = FrontEnd(source, {}).compile(TranslationPurpose::running);
    FrontEnd front_end(source, {});
    for (const auto other : {TranslationPurpose::checking, TranslationPurpose::profiling})
      ASSERT_TRUE(front_end.compile(other));
    const auto later = front_end.compile(TranslationPurpose::running);
    ASSERT_TRUE(plain && later);
    EXPECT_EQ(plain->translation->ir, later->translation->ir) << name;
    EXPECT_EQ(plain->translation->text, later->translation->text) << name;
  }
}

}  // namespace
}  // namespace msci

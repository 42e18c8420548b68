// msci-differential: random kernels on a device, in all forms in which it can run them. Each kernel
// comes with the outputs that its meaning on the host gives (random_kernel.h).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "engine/device/worker.h"
#include "evaluator/options/verdict_options.h"
#include "tests/compiler/random_program.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string device;
  std::uint64_t seed = 1;
  std::uint64_t programs = 0;  // 0: as many as the seconds allow
  double seconds = 0;          // 0: until all programs have run
  unsigned jobs = 1;
  std::string save;  // the folder for the first program, which then does not run
  Execution only;    // the one way to run, unless it is the default
};

// The default, and one other form that the seed draws: narrower vectors or lane by lane, in another
// order. Each form must compute what the kernel means, so two forms a kernel find most in a time.
std::vector<Execution> ways_of(const DeviceInfo& device, std::uint64_t seed,
                               const Execution& only) {
  using enum Execution::Order;
  if (!device.chooses_order || only != Execution{}) return {only};
  const std::array<Execution, 4> others = {{{.order = reversed, .vector_bits = 256},
                                            {.order = keyed, .key = seed, .vector_bits = 128},
                                            {.order = forward, .lane_by_lane = true},
                                            {.order = keyed, .key = seed, .lane_by_lane = true}}};
  return {{.order = parallel}, others[seed % others.size()]};
}

// What all threads share.
class Progress {
 public:
  explicit Progress(const Options& options) : options_(options), next_(options.seed) {}

  // None when the run ends.
  std::optional<std::uint64_t> take() {
    const std::chrono::duration<double> passed = Clock::now() - start_;
    if (options_.seconds > 0 && passed.count() >= options_.seconds) return std::nullopt;
    const auto seed = next_++;
    if (options_.programs > 0 && seed >= options_.seed + options_.programs) return std::nullopt;
    return seed;
  }

  void report(std::uint64_t seed, const Result<std::optional<std::string>>& found) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!found) ++errors_;
    if (found && *found) ++disagreements_;
    if (!found || *found)
      fmt::print("seed {}: {}\n", seed, found ? **found : "error: " + found.error().message);
    constexpr std::chrono::seconds between(30);
    if (Clock::now() - said_ < between) return;
    said_ = Clock::now();
    say(stderr);
  }

  int conclude() {
    say(stdout);
    return errors_ > 0 ? 2 : disagreements_ > 0 ? 1 : 0;
  }

 private:
  void say(std::FILE* file) const {
    const std::chrono::duration<double> passed = Clock::now() - start_;
    fmt::print(
        file, "seeds from {}: {} programs, {} kernels, {} disagreements, {} errors in {:.0f} s\n",
        options_.seed, done_, done_ * kernels_per_program, disagreements_, errors_, passed.count());
    std::fflush(file);
  }

  const Options& options_;
  std::atomic<std::uint64_t> next_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point said_ = start_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t disagreements_ = 0;
};

int save_only(const Options& options) {
  const auto error = save(make_random_program(options.seed), options.save);
  if (error) fmt::print(stderr, "msci-differential: {}\n", error->message);
  return error ? 2 : 0;
}

int run(const Options& options) {
  std::vector<std::unique_ptr<Device>> devices;
  for (unsigned i = 0; i < options.jobs; ++i) {
    constexpr std::chrono::hours limit(1);  // beside other work, a driver may need minutes
    auto device = open_worker_device(options.device, {.build = limit, .run = limit});
    if (!device) {
      fmt::print(stderr, "msci-differential: {}\n", device.error().message);
      return 2;
    }
    devices.push_back(*std::move(device));
  }
  fmt::print("on {}\n", devices[0]->info().name);
  Progress progress(options);
  std::vector<std::thread> threads;
  for (auto& device : devices)
    threads.emplace_back([&] {
      while (const auto seed = progress.take())
        progress.report(*seed, find_disagreement(*device, make_random_program(*seed),
                                                 ways_of(device->info(), *seed, options.only)));
    });
  for (auto& thread : threads) thread.join();
  return progress.conclude();
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Runs random kernels on a device and compares their outputs with their meaning.",
               "msci-differential");
  app.footer(
      "A disagreement names its seed: --seed N --programs 1 shows it again, and --save\n"
      "writes its source, plan and data. Exit status: 0, 1 after a disagreement, 2 after an "
      "error.");
  app.add_option("--device", options.device, "as in msci-eval");
  app.add_option("--seed", options.seed, "of the first program; the next ones follow")
      ->capture_default_str();
  app.add_option("--programs", options.programs, "number of programs, of three kernels each");
  app.add_option(
      "--save", options.save,
      "write the program of --seed into this folder, for msci-eval --plan, and run none");
  app.add_option("--seconds", options.seconds, "begin no program after this time");
  msci::declare(app, {{"", {msci::order_option(options.only)}}});
  app.add_option("--width", options.only.vector_bits, "most bits of the vectors of cpu")
      ->check(CLI::IsMember({128, 256, 512}));
  app.add_option("--jobs", options.jobs, "programs at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    if (options.programs == 0 && options.seconds == 0 && options.save.empty())
      throw CLI::RequiredError("--programs, --seconds or --save");
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return options.save.empty() ? msci::run(options) : msci::save_only(options);
}

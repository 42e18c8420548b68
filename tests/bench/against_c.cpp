// msci-against-c: seed kernels on the processor and the same written in C with vectors
// (vector_c.cpp), in turns, both on all cores. It judges the results of both.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/statistics.h"
#include "plan/task.h"
#include "runtime/engine/cpu_device.h"
#include "runtime/engine/thread_pool.h"
#include "tests/bench/seed.h"
#include "tests/bench/vector_c.h"

namespace msci {
namespace {

constexpr Repeats repeats = {.warmup = 1, .timed = 5};

// Runs a plan's launches as calls of a function in C.
class InC {
 public:
  InC(const Plan& plan, VectorCKernel kernel, engine::ThreadPool& threads)
      : plan_(plan), kernel_(kernel), threads_(threads) {
    for (const auto& buffer : plan.buffers) {
      memory_.emplace_back(buffer.bytes + margin);
      reset(memory_.size() - 1);
    }
  }

  // The seconds of a pass.
  double run() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (plan_.buffers[i].reset) reset(i);
    const auto start = std::chrono::steady_clock::now();
    for (const auto& launch : plan_.launches) run(launch);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Outputs outputs() const {
    Outputs outputs;
    for (const auto result : plan_.results)
      outputs.push_back({{memory_[result].begin(), memory_[result].end() - margin}});
    return outputs;
  }

 private:
  static constexpr std::ptrdiff_t margin = 64;  // vectors may read beyond the end

  void reset(std::size_t buffer) {
    auto& memory = memory_[buffer];
    std::fill(memory.begin(), memory.end(), std::byte{0});
    const auto& initial = plan_.buffers[buffer].initial;
    std::copy(initial.begin(), initial.end(), memory.begin());
  }

  void run(const Launch& launch) {
    std::vector<std::byte*> bound(launch.bindings.size());
    for (const auto& binding : launch.bindings)
      bound.at(binding.index) = memory_[binding.buffer].data() + binding.offset;
    const auto count = kernel_.by_rows ? launch.grid.y : launch.grid.x;
    const auto threads = threads_.size();
    const auto whole = kernel_.by_rows ? 1U : 32U;
    const auto parts = (count + whole - 1) / whole;
    std::atomic<unsigned> next = 0;
    const auto step = std::max(1U, parts / (threads * 8));
    threads_.run(threads, [&](unsigned) {
      for (auto part = next.fetch_add(step); part < parts; part = next.fetch_add(step))
        kernel_.run(bound.data(), part * whole, std::min(count, (part + step) * whole));
    });
  }

  const Plan& plan_;
  VectorCKernel kernel_;
  engine::ThreadPool& threads_;
  std::vector<std::vector<std::byte>> memory_;
};

int report_error(const Error& error) {
  fmt::print(stderr, "msci-against-c: {}\n", error.message);
  return 2;
}

// Whether both are right.
Result<bool> compare(const Task& task, const Size& size, unsigned rounds) {
  const auto translation = translated_seed(task, "");
  if (!translation) return translation.error();
  const auto plan = task.plan(size, *translation);
  if (!plan) return plan.error();
  auto device = open_cpu_device(0);
  if (!device) return device.error();
  auto built = (*device)->build(*translation);
  if (!built) return built.error();
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  engine::ThreadPool threads((*device)->info().compute_units);
  InC in_c(*plan, vector_c_of(task.name), threads);
  std::vector<double> ours, theirs;
  const auto reference = task.reference ? task.reference(size) : Bytes{};
  bool right = true;
  for (unsigned round = 0; round < rounds; ++round) {
    const auto ran = program.run(*plan, repeats);
    if (!ran) return ran.error();
    if (const auto* failure = std::get_if<Failure>(&*ran)) return Error{failure->message};
    const auto& run = std::get<Run>(*ran);
    ours.insert(ours.end(), run.seconds.begin(), run.seconds.end());
    in_c.run();
    for (unsigned i = 0; i < repeats.timed; ++i) theirs.push_back(in_c.run());
    right = right && task.judge(size, reference, run.outputs, run.outputs)->correct &&
            task.judge(size, reference, in_c.outputs(), in_c.outputs())->correct;
  }
  const auto least = [](const std::vector<double>& seconds) {
    return *std::min_element(seconds.begin(), seconds.end());
  };
  fmt::print(
      "{:7} {:12} engine {:8.3f} ms, least {:8.3f}; C {:8.3f} ms, least {:8.3f}; engine / C "
      "{:.2f}, "
      "of the least {:.2f}{}\n",
      task.name, size.label, 1e3 * median(ours), 1e3 * least(ours), 1e3 * median(theirs),
      1e3 * least(theirs), median(ours) / median(theirs), least(ours) / least(theirs),
      right ? "" : "  WRONG");
  std::fflush(stdout);
  return right;
}

int run(unsigned sizes, unsigned rounds) {
  bool all_right = true;
  for (const auto* task : all_tasks()) {
    if (!vector_c_of(task->name).run) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(sizes, task->sizes.size()); ++i) {
      const auto right = compare(*task, task->sizes[i], rounds);
      if (!right) return report_error(right.error());
      all_right = all_right && *right;
    }
  }
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  unsigned sizes = 3, rounds = 5;
  CLI::App app("Times seed kernels on the processor and the same in C with vectors, in turns.");
  app.add_option("--sizes", sizes, "sizes of each task, from the least");
  app.add_option("--rounds", rounds, "how often both take turns");
  CLI11_PARSE(app, argc, argv);
  return msci::run(sizes, rounds);
}

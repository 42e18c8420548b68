#include "tests/engine/wild_run.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "engine/cpu_device.h"
#include "evaluator/session/compile_kernel.h"
#include "tests/engine/wild_kernel.h"

namespace msci {
namespace {

constexpr unsigned kernels_of_a_file = 16;
constexpr unsigned seconds_of_a_kernel = 3;

// Memory that no kernel may reach, of which the kernels know the addresses.
class Canaries {
 public:
  static constexpr std::uint32_t secret = 0xc0ffee11;

  Canaries() {
    // Private pages, shared pages, the heap, and the data of the program.
    pages_[0] = map(MAP_PRIVATE);
    pages_[1] = map(MAP_SHARED);
    heap_.resize(words);
    pages_[2] = heap_;
    pages_[3] = data_;
    for (auto page : pages_) std::ranges::fill(page, secret);
  }

  std::uint64_t address(unsigned i) const { return reinterpret_cast<std::uint64_t>(&pages_[i][8]); }

  bool are_intact() const {
    return std::ranges::all_of(pages_, [](auto page) {
      return std::ranges::all_of(page, [](auto word) { return word == secret; });
    });
  }

 private:
  static constexpr std::size_t words = 4096;

  static std::span<std::uint32_t> map(int sharing) {
    auto* page = ::mmap(nullptr, words * 4, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    return {static_cast<std::uint32_t*>(page), words};
  }

  static inline std::array<std::uint32_t, words> data_ = {};
  std::vector<std::uint32_t> heap_;
  std::array<std::span<std::uint32_t>, 4> pages_;
};

PlanBuffer filled(std::string name, std::span<const std::byte> contents) {
  return {.name = std::move(name),
          .bytes = contents.size(),
          .initial = {contents.begin(), contents.end()}};
}

Plan plan_of(const std::string& kernel, std::uint64_t seed, const Canaries& canaries) {
  std::array<std::uint32_t, wild_words> x = {};
  for (unsigned i = 0; i < x.size(); ++i) x[i] = i * 2654435761U;
  std::array<std::uint64_t, wild_numbers> numbers = {};
  for (unsigned i = 0; i < numbers.size(); ++i)
    numbers[i] = i < 4 ? canaries.address(i) : (seed + i) * 0x9e3779b97f4a7c15U >> (4 * i);
  Plan plan;
  Launch launch{.kernel = kernel, .grid = {wild_threads}, .threadgroup = {wild_group}};
  const std::array buffers = {filled("x", std::as_bytes(std::span(x))),
                              filled("at", std::as_bytes(std::span(numbers))),
                              PlanBuffer{.name = "out", .bytes = 4 * wild_words}};
  for (const auto& buffer : buffers)
    launch.bindings.push_back({static_cast<unsigned>(plan.buffers.size()), plan.add(buffer)});
  plan.launches = {launch};
  plan.results = {0, 2};
  static const std::array<Execution, 5> ways = {
      {{},
       {.vector_bits = 256},
       {.vector_bits = 128},
       {.order = Execution::Order::reversed},
       {.order = Execution::Order::forward, .lane_by_lane = true}}};
  plan.execution = ways[seed % ways.size()];
  return plan;
}

enum class End : int { ran, stopped, late, refused, leaves, broken };

bool holds_secret(const Run& run) {
  return std::ranges::any_of(run.outputs, [](const Bytes& output) {
    return std::ranges::count(output.as<std::uint32_t>(), Canaries::secret) > 0;
  });
}

End run_here(const Translation& translation, const std::string& kernel, std::uint64_t seed) {
  if (!translation.find(kernel)) return End::refused;
  const Canaries canaries;
  const auto device = open_cpu_device(0);
  if (!device) return End::broken;
  auto built = (*device)->build(translation);
  if (!built) return End::broken;
  ::alarm(seconds_of_a_kernel);
  const auto ran =
      std::get<std::unique_ptr<Program>>(*built)->run(plan_of(kernel, seed, canaries), verify_only);
  ::alarm(0);
  if (!canaries.are_intact()) return End::leaves;
  if (!ran) return End::broken;
  if (const auto* failure = std::get_if<Failure>(&*ran)) {
    if (failure->cause == Failure::Cause::time_out) return End::late;
    // A processor stops misaligned vectors, too.
    return failure->cause == Failure::Cause::outside || failure->cause == Failure::Cause::signal
               ? End::stopped
               : End::broken;
  }
  return holds_secret(std::get<Run>(*ran)) ? End::leaves : End::ran;
}

End run_apart(const Translation& translation, const std::string& kernel, std::uint64_t seed) {
  const auto child = ::fork();
  if (child == 0) ::_exit(static_cast<int>(run_here(translation, kernel, seed)));
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? static_cast<End>(WEXITSTATUS(status)) : End::broken;
}

}  // namespace

std::optional<std::string> run_wild_kernels(std::uint64_t seed, std::size_t count,
                                            WildResults& results) {
  const auto name = [](std::uint64_t number) { return fmt::format("wild{}", number); };
  results.next_seed = seed;
  while (results.kernels() < count) {
    const auto first = results.next_seed, end = first + kernels_of_a_file;
    std::string text = "#include <metal_stdlib>\nusing namespace metal;\n";
    for (auto i = first; i < end; ++i) text += wild_kernel(name(i), i);
    const auto translation = translate_unchecked({"wild.metal", text});
    if (!translation) return fmt::format("seed {}: {}", first, translation.error().message);
    for (auto& i = results.next_seed; i < end && results.kernels() < count; ++i) {
      switch (run_apart(*translation, name(i), i)) {
        case End::ran:
          ++results.ran;
          break;
        case End::stopped:
          ++results.stopped;
          break;
        case End::late:
          ++results.late;
          break;
        case End::refused:
          ++results.refused;
          break;
        case End::leaves:
          return fmt::format("the kernel of seed {} reaches memory outside", i);
        case End::broken:
          results.ended.push_back(i);
          break;
      }
    }
  }
  return std::nullopt;
}

}  // namespace msci

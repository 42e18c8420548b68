// msci-pipeline-registers SOURCE THREADS: registers of kernels, beside what Apple's compiler gave
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "analysis/profile/chip.h"
#include "base/json.h"
#include "base/source.h"
#include "compiler/frontend/unit.h"
#include "evaluator/find_kernel_resources.h"

namespace msci {
namespace {

// The most threads of a threadgroup: Metal's maxTotalThreadsPerThreadgroup of a pipeline.
constexpr unsigned most_threads_of_group = 1024;

std::string read(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

unsigned threads_with(unsigned registers) {
  return std::min(most_threads_of_group, 32 * occupancy_of(registers, 0, 1).simdgroups);
}

// A row of the table; whether the interval has what Apple gave.
bool print_row(const KernelResources& kernel, unsigned apple) {
  const auto interval = register_interval(kernel.registers);
  const auto most = threads_with(interval.low), least = threads_with(interval.high);
  const bool holds = least <= apple && apple <= most;
  fmt::print("| {} | {} | {} ({}) | {} to {} ({} to {}) | {} |\n", kernel.kernel, apple,
             threads_with(kernel.registers), kernel.registers, most, least, interval.low,
             interval.high, holds ? "yes" : "no");
  return holds;
}

int run(const char* source, const char* threads) {
  const auto json = parse_json<Json>(read(threads));
  auto unit = parse(Source{.name = source, .text = read(source)});
  if (!json || !unit) {
    fmt::print(stderr, "{}\n", !unit ? unit.error().message : json.error().message);
    return 2;
  }
  const auto known = json->at("threads").get<std::map<std::string, unsigned>>();
  fmt::print(
      "| kernel | Apple's threads | estimate (registers) | interval (registers) | holds |\n");
  fmt::print("|---|---|---|---|---|\n");
  unsigned held = 0, found = 0;
  for (const auto& kernel : find_kernel_resources(*unit)) {
    const auto apple = known.find(kernel.kernel);
    if (apple == known.end()) continue;
    ++found;
    held += print_row(kernel, apple->second);
  }
  fmt::print("\n{} of {} intervals hold\n", held, found);
  return found == known.size() && held == found ? 0 : 1;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  if (argc == 3) return msci::run(argv[1], argv[2]);
  fmt::print(stderr, "usage: msci-pipeline-registers SOURCE THREADS\n");
  return 2;
}

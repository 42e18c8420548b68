// Drives a fuzz target for a while where the compiler has no libFuzzer: seeds as they are, then
// seeds with random damage. `NAME --runs N [--seed S] FILE…`; folders stand for the files in them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/run_input.h"

namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> read_seeds(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const auto& path : paths) {
    if (!fs::is_directory(path))
      files.emplace_back(path);
    else
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(read(file));
  return seeds;
}

std::size_t below(std::size_t bound, Random& random) {
  return bound ? std::uniform_int_distribution<std::size_t>(0, bound - 1)(random) : 0;
}

// Bytes out, in, over, or from elsewhere.
void damage(std::string& text, const std::vector<std::string>& seeds, Random& random) {
  const auto at = below(text.size() + 1, random);
  const auto length = std::min(below(20, random) + 1, text.size() - at);
  const auto& other = seeds[below(seeds.size(), random)];
  const auto from = below(other.size() + 1, random);
  switch (below(5, random)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, text.substr(below(text.size() + 1, random), 40));
      break;
    case 2:
      if (at < text.size()) text[at] = static_cast<char>(below(256, random));
      break;
    case 3:
      text.replace(at, length, other.substr(from, 1 + below(60, random)));
      break;
    default:
      text.insert(at, 1, "(){}[]<>;,\"'\\/*#\n:"[below(18, random)]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::size_t runs = 1000;
  std::uint64_t seed = std::random_device()();
  CLI::App app("Runs a fuzz target on seeds, whole and damaged.");
  app.add_option("FILE", paths)->required()->check(CLI::ExistingPath);
  app.add_option("--runs", runs);
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);

  fmt::print("--seed {}\n", seed);
  std::fflush(stdout);
  const auto seeds = read_seeds(paths);
  Random random(seed);
  for (std::size_t i = 0; i < runs; ++i) {
    auto input = seeds[i % seeds.size()];
    if (i >= seeds.size())
      for (auto times = below(6, random) + 1; times > 0; --times) damage(input, seeds, random);
    if (msci::run_input(input)) continue;
    std::ofstream("failed_input") << input;
    fmt::print("run {} failed; its input is in ./failed_input\n", i);
    return 1;
  }
  fmt::print("{} runs\n", runs);
  return 0;
}

#include "tests/compiler/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/files/write_file.h"
#include "base/json.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"

namespace msci {
namespace {

std::optional<std::string> first_difference(const RandomProgram& program, const Outputs& outputs) {
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const auto got = outputs[k].as<std::uint32_t>();
    const auto& wanted = program.kernels[k].expected;
    const auto at = static_cast<std::size_t>(
        std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin());
    if (at < wanted.size())
      return fmt::format("thread {}, word {}: {} instead of {}, in\n{}", at / random_outputs,
                         at % random_outputs, got[at], wanted[at], program.kernels[k].text);
  }
  return std::nullopt;
}

}  // namespace

RandomProgram make_random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> input(random_inputs);
  for (auto& word : input) word = static_cast<std::uint32_t>(random());
  RandomProgram program{.source = {"random.metal", random_prelude()}};
  const auto in = program.plan.add({.name = "in",
                                    .bytes = random_inputs * sizeof(std::uint32_t),
                                    .initial = Bytes::of<std::uint32_t>(input)});
  for (unsigned k = 0; k < kernels_per_program; ++k) {
    program.kernels.push_back(make_random_kernel(fmt::format("k{}", k), random(), input));
    const auto& kernel = program.kernels.back();
    program.source.text += kernel.text + "\n";
    const auto out = program.plan.add(
        {.name = kernel.name, .bytes = kernel.expected.size() * sizeof(std::uint32_t)});
    program.plan.launches.push_back({.kernel = kernel.name,
                                     .grid = {random_groups * random_threads},
                                     .threadgroup = {random_threads},
                                     .bindings = {{0, in}, {1, out}}});
    program.plan.results.push_back(out);
  }
  return program;
}

std::optional<Error> save(const RandomProgram& program, const std::string& folder) {
  const auto contents = [](std::span<const std::byte> bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const auto& input = program.plan.buffers.front();
  nlohmann::ordered_json plan{{"sizes", {{{"label", "random"}}}}};
  plan["buffers"][input.name] = {{"type", "uint"}, {"file", "in.bin"}, {"read_only", true}};
  std::vector<std::pair<std::string, std::string_view>> files{{"random.metal", program.source.text},
                                                              {"in.bin", contents(input.initial)}};
  for (const auto& kernel : program.kernels) {
    plan["buffers"][kernel.name] = {{"type", "uint"}, {"count", kernel.expected.size()}};
    plan["launches"].push_back({{"kernel", kernel.name},
                                {"grid", {random_groups * random_threads}},
                                {"threadgroup", {random_threads}},
                                {"bind", {{"0", input.name}, {"1", kernel.name}}}});
    plan["expect"][kernel.name] = {{"file", kernel.name + ".bin"}};
    files.emplace_back(kernel.name + ".bin", contents(std::as_bytes(std::span(kernel.expected))));
  }
  const auto text = plan.dump(2) + "\n";
  files.emplace_back("plan.json", text);
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : files)
    if (auto error = write_file(folder + "/" + name, bytes)) return *error;
  return std::nullopt;
}

Result<std::optional<std::string>> find_disagreement(Device& device, const RandomProgram& program,
                                                     std::span<const Execution> ways) {
  using Answer = std::optional<std::string>;
  const auto failed = [&](const Failure& failure) {
    return Answer(fmt::format("{}, in one of\n{}", failure.message, program.source.text));
  };
  const auto prepared = compile(program.source, all_rules());
  if (!prepared) return prepared.error();
  if (!prepared->translation)
    return Answer(fmt::format("refused: {}\n{}", prepared->rejection, program.source.text));
  auto built = device.build(*prepared->translation);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built)) return failed(*failure);
  auto plan = program.plan;
  for (const auto& way : ways) {
    plan.execution = way;
    const auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, verify_only);
    if (!ran) return ran.error();
    const auto* failure = std::get_if<Failure>(&*ran);
    const auto difference =
        failure ? failed(*failure) : first_difference(program, std::get<Run>(*ran).outputs);
    if (difference)
      return Answer(
          fmt::format("{}, at most {} bits: {}", to_string(way), way.vector_bits, *difference));
  }
  return Answer();
}

}  // namespace msci

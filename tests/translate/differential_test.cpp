// Random kernels compute on each device what their meaning on the host says. MSCI_SEED is the first
// seed, MSCI_PROGRAMS the number of programs; a failure names the seed of its program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "evaluator/device/worker.h"
#include "evaluator/frontend.h"
#include "rules/rules.h"
#include "tests/translate/random_kernel.h"

namespace msci {
namespace {

constexpr unsigned kernels_per_program = 3;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct RandomProgram {
  Source source;
  std::vector<RandomKernel> kernels;
  Plan plan;
};

RandomProgram make_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> input(random_inputs);
  for (auto& word : input) word = static_cast<std::uint32_t>(random());
  RandomProgram program{.source = {"random.metal", random_prelude()}};
  const auto in = program.plan.add({.name = "in",
                                    .bytes = random_inputs * sizeof(std::uint32_t),
                                    .initial = Bytes::of<std::uint32_t>(input).data});
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

void expect_agreement(Device& device, const RandomProgram& program) {
  const auto prepared = prepare(program.source, all_rules());
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_TRUE(prepared->translation) << prepared->rejection;
  auto built = device.build(*prepared->translation);
  ASSERT_TRUE(built) << built.error().message;
  if (const auto* failure = std::get_if<Failure>(&*built))
    FAIL() << failure->message << ", of\n" << program.source.text;
  const auto ran = std::get<std::unique_ptr<Program>>(*built)->run(program.plan, verify_only);
  ASSERT_TRUE(ran) << ran.error().message;
  if (const auto* failure = std::get_if<Failure>(&*ran))
    FAIL() << failure->message << ", in one of\n" << program.source.text;
  const auto& outputs = std::get<Run>(*ran).outputs;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const auto got = outputs[k].as<std::uint32_t>();
    const auto& wanted = program.kernels[k].expected;
    const auto at = static_cast<std::size_t>(
        std::mismatch(got.begin(), got.end(), wanted.begin()).first - got.begin());
    if (at == wanted.size()) continue;
    ADD_FAILURE() << fmt::format("thread {}, word {}: {} instead of {}, in\n{}",
                                 at / random_outputs, at % random_outputs, got[at], wanted[at],
                                 program.kernels[k].text);
  }
}

// On the first OpenCL device and on the processor.
class Differential : public testing::TestWithParam<std::string> {};

TEST_P(Differential, random_kernels_give_the_expected_outputs) {
  const auto first = from_environment("MSCI_SEED", 1);
  const auto programs = from_environment("MSCI_PROGRAMS", 4);
  auto device = open_worker_device(GetParam());
  ASSERT_TRUE(device) << device.error().message;
  for (auto seed = first; seed < first + programs; ++seed) {
    SCOPED_TRACE(fmt::format("MSCI_SEED={} MSCI_PROGRAMS=1", seed));
    expect_agreement(**device, make_program(seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Differential, testing::Values("opencl", "cpu"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace msci

// What the tests of devices share: programs from files, a plan, and a way to run the one with the
// other.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/device/device.h"

namespace msci {

// A program of tests/engine/device/programs/, each written by hand.
inline Translation load_program(const std::string& name) {
  std::ifstream file(MSCI_PROGRAMS "/" + name + ".cl");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  auto translation = from_program_file(text);
  EXPECT_TRUE(translation) << name << ": " << translation.error().message;
  return translation ? *translation : Translation{};
}

// A program of one kernel with saxpy's interface and this body, in which `x` and `y` are float
// pointers, `n` is the count and `i` the thread's position in the grid.
inline Translation saxpy_like(const std::string& body, const std::string& before = "") {
  Translation made = load_program("saxpy");
  made.text = before + R"(
__kernel void saxpy(__global uchar *x_, ulong x_at, __global uchar *y_, ulong y_at, __global uchar *a_, ulong a_at,
                    __global uchar *n_, ulong n_at, uint gx, uint gy, uint gz, uint tx, uint ty, uint tz) {
  __global float *x = (__global float *)(x_ + x_at);
  __global float *y = (__global float *)(y_ + y_at);
  const uint n = *(__global uint *)(n_ + n_at);
  const uint i = get_global_id(0);
)" + body + "\n}\n";
  return made;
}

// Builds and runs; an Error of ours fails the test.
inline Attempt<Run> attempt(Device& device, const Translation& translation, const Plan& plan,
                            Repeats repeats = verify_only) {
  auto built = device.build(translation);
  if (!built) {
    ADD_FAILURE() << built.error().message;
    return Failure{};
  }
  if (auto* failure = std::get_if<Failure>(&*built)) return *failure;
  auto ran = std::get<std::unique_ptr<Program>>(*built)->run(plan, repeats);
  if (!ran) {
    ADD_FAILURE() << ran.error().message;
    return Failure{};
  }
  return *std::move(ran);
}

inline std::vector<float> ramp(unsigned n, float step) {
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<float>(i) * step;
  return values;
}

inline PlanBuffer floats(std::string name, const std::vector<float>& values) {
  return {.name = std::move(name),
          .bytes = values.size() * sizeof(float),
          .initial = Bytes::of<float>(values)};
}

// y = 2 x + y over small whole numbers, which float adds exactly; the grid is rounded up.
inline Plan saxpy_plan(unsigned n, unsigned threads = 256) {
  Plan plan;
  const auto x = plan.add(floats("x", ramp(n, 1)));
  const auto y = plan.add(floats("y", ramp(n, 3)));
  const auto a = plan.add_scalar("a", 2.0f);
  const auto count = plan.add_scalar("N", n);
  plan.launches.push_back({.kernel = "saxpy",
                           .grid = {(n + threads - 1) / threads * threads},
                           .threadgroup = {threads},
                           .bindings = {{0, x}, {1, y}, {2, a}, {3, count}}});
  plan.results = {y};
  return plan;
}

inline Outputs saxpy_expected(unsigned n) { return {Bytes::of<float>(ramp(n, 5))}; }

}  // namespace msci

// What the plans and references of tasks are made of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

// Array<T>: values that become the raw bytes of a buffer or a reference without a copy.

// `size` values, all bits zero at first.
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Array(std::size_t size) : bytes_(size * sizeof(T)) {}

  std::size_t size() const { return bytes_.size() / sizeof(T); }
  T* begin() { return reinterpret_cast<T*>(bytes_.data()); }
  T* end() { return begin() + size(); }
  const T* begin() const { return reinterpret_cast<const T*>(bytes_.data()); }
  const T* end() const { return begin() + size(); }
  T* data() { return begin(); }
  const T* data() const { return begin(); }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

  // The values' bytes, which leave the array empty.
  std::vector<std::byte> take_bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// The most threads that a threadgroup of `kernel` may have. Errors: the program lacks the kernel,
// or its limit is 0.
Result<unsigned> cap_of(const Translation& program, std::string_view kernel);

// `preferred` threads in a row, or as many as the cap allows.
Result<Extent> row_group(const Translation& program, std::string_view kernel, unsigned preferred);

// 16 x 16, its height halved until the cap holds. Errors: a cap below 16, for which no height is
// left.
Result<Extent> tile_group(const Translation& program, std::string_view kernel);

// 8 x 8 x 4, halved along z, then y, then x until the cap holds.
Result<Extent> brick_group(const Translation& program, std::string_view kernel);

// Exactly `width` threads in a row. Errors: a cap below that.
Result<Extent> fixed_group(const Translation& program, std::string_view kernel, unsigned width);

// The smallest grid of whole threadgroups that covers `problem`.
Extent cover(Extent problem, Extent threadgroup);

// Binds the given buffers of a plan to indices 0, 1, 2 and so on.
std::vector<Binding> bind(const std::vector<std::size_t>& buffers);

// A buffer that starts with `values`.
template <typename T>
PlanBuffer filled(std::string name, Array<T> values) {
  const std::size_t bytes = values.size() * sizeof(T);
  return {.name = std::move(name), .bytes = bytes, .initial = std::move(values).take_bytes()};
}

// A read-only buffer that holds just `value`.
template <typename T>
PlanBuffer scalar(std::string name, T value) {
  Array<T> values(1);
  values[0] = value;
  return filled(std::move(name), std::move(values));
}

// A buffer that starts with `count` zeros of type T.
template <typename T>
PlanBuffer zeros(std::string name, std::size_t count) {
  return {.name = std::move(name), .bytes = count * sizeof(T)};
}

// Loops shared among threads; what they compute must not depend on how they are shared.

// Calls body(begin, end) for consecutive parts of [0, count), and waits for all. `operations`:
// about how many arithmetic operations one of them takes. A thread starts only for more work than
// its start takes: a reference has many steps, and many references run beside each other.
template <typename Body>
void in_parallel(std::size_t count, std::size_t operations, const Body& body) {
  constexpr std::size_t least_operations = 200'000;  // of a thread
  constexpr std::size_t most_threads = 64;
  const auto processors =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  const auto parts = std::clamp<std::size_t>(count * operations / least_operations, 1, processors);
  std::vector<std::jthread> threads;  // joined when they leave scope
  for (std::size_t part = 1; part < parts; ++part)
    threads.emplace_back(body, count * part / parts, count * (part + 1) / parts);
  body(std::size_t{0}, count / parts);
}

// Scalar fields on a box: row-major with x fastest, so cell (x, y, z) is (z*Y + y)*X + x.

// A Gaussian bump of deviation `sigma` in the middle of the box, with zeros on all six faces.
Array<float> bump(Extent box, float sigma);

// The six-point Laplacian, added up as the task pages say: along x, y and z, then the cell itself.
template <typename Real>
Real laplacian(const Real* field, std::size_t at, std::size_t row, std::size_t layer) {
  const Real* u = field + at;
  return (((((u[-1] + u[1]) + *(u - row)) + u[row]) + *(u - layer)) + u[layer]) - 6 * u[0];
}

// Calls update(at) for every cell that lies on no face; the calls must not depend on each other.
template <typename Update>
void for_each_interior(Extent box, const Update& update) {
  constexpr std::size_t operations_of_cell = 10;
  if (box.z < 3) return;
  in_parallel(box.z - 2, operations_of_cell * box.x * box.y,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t z = begin + 1; z < end + 1; ++z)
                  for (std::size_t y = 1; y + 1 < box.y; ++y) {
                    const std::size_t row = (z * box.y + y) * box.x;
                    for (std::size_t x = 1; x + 1 < box.x; ++x) update(row + x);
                  }
              });
}

// Points in space, as arrays of x, y, z and as Metal's float4 with w = 0.

// Metal's float4.
struct Float4 {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 0;
};

// x, y, z, x, y, z ... to one float4 per point.
inline Array<Float4> pack(std::span<const float> xyz) {
  Array<Float4> points(xyz.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], 0};
  return points;
}

// The inverse; w is dropped, because no task uses it.
inline std::vector<float> unpack(std::span<const Float4> points) {
  std::vector<float> xyz;
  xyz.reserve(points.size() * 3);
  for (const Float4& point : points) xyz.insert(xyz.end(), {point.x, point.y, point.z});
  return xyz;
}

// NumPy's default_rng(seed), bit for bit: the generator of task inputs. The known results of ising
// and hmc depend on exactly these numbers.

// The finaliser of MurmurHash3, from which ising and hmc compute their random numbers.
constexpr std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x85EBCA6B;
  x ^= x >> 13;
  x *= 0xC2B2AE35;
  x ^= x >> 16;
  return x;
}

// The words that NumPy's SeedSequence derives from one 32-bit seed.
std::array<std::uint32_t, 8> seed_words(std::uint32_t seed);

// PCG64 (a 128-bit linear congruential generator, XSL-RR output) and the distributions over it.
class Random {
 public:
  explicit Random(std::uint32_t seed);

  std::uint64_t draw64();
  std::uint32_t draw32();  // halves of a 64-bit draw, the low one first
  double uniform();        // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  float uniform_float();  // [0, 1)
  double normal();        // mean 0, deviation 1
  float normal_float();   // the same with single-precision tables: other values, not rounded ones

 private:
  void step();

  unsigned __int128 state_ = 0;
  unsigned __int128 increment_ = 0;
  std::optional<std::uint32_t> spare_;  // the high half, kept for the next 32-bit draw
};

// Verdicts by the largest difference. A NaN anywhere makes the difference NaN and the output wrong.

// max |got - expected|, each difference rounded to float; NaN where any is. Both have the same
// length.
double max_difference(std::span<const float> got, std::span<const float> expected);

// max |value|.
double max_magnitude(std::span<const float> values);

// Correct if the error is at most `tolerance`; a NaN is not.
Verdict within(std::string error_kind, double error_value, double tolerance);

// The same of max_difference(got, expected); a wrong verdict names the first element beyond the
// tolerance. `components`: "xyz" if three numbers after each other are one element.
Verdict within(std::string error_kind, std::span<const float> got, std::span<const float> expected,
               double tolerance, std::string_view components = {});

// Task::judge by the first result, an array of floats: within `absolute`, plus `relative` of the
// largest expected magnitude.
decltype(Task::judge) within_first(std::string error_kind, double absolute, double relative);

}  // namespace msci

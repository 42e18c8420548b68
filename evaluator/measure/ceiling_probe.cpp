#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

// Kernels by the calling convention of program.h. fma_wide suits processors with wide vectors,
// fma_narrow devices that run one thread per lane; both keep enough independent chains in flight to
// hide latency.
constexpr const char* probe_text = R"(
#define TAIL uint gx, uint gy, uint gz, uint tx, uint ty, uint tz
__kernel void copy(__global uchar *from, ulong from_at, __global uchar *to, ulong to_at, TAIL) {
  const size_t i = get_global_id(0);
  ((__global float4 *)(to + to_at))[i] = ((__global float4 *)(from + from_at))[i];
}
__kernel void update(__global uchar *from, ulong from_at, __global uchar *to, ulong to_at, TAIL) {
  const size_t i = get_global_id(0);
  ((__global float4 *)(to + to_at))[i] += ((__global float4 *)(from + from_at))[i];
}
#define CHAINS(type)                                                                              \
  const __global float *given = (const __global float *)(in + in_at);                             \
  const type a = given[0];                                                                        \
  const type b = given[1];                                                                        \
  type c0 = get_global_id(0), c1 = c0 + 1, c2 = c0 + 2, c3 = c0 + 3, c4 = c0 + 4, c5 = c0 + 5,     \
       c6 = c0 + 6, c7 = c0 + 7, c8 = c0 + 8, c9 = c0 + 9, c10 = c0 + 10, c11 = c0 + 11;           \
  const uint count = *(const __global uint *)(n + n_at);                                          \
  for (uint i = 0; i < count; ++i) {                                                              \
    c0 = fma(c0, a, b), c1 = fma(c1, a, b), c2 = fma(c2, a, b), c3 = fma(c3, a, b);                \
    c4 = fma(c4, a, b), c5 = fma(c5, a, b), c6 = fma(c6, a, b), c7 = fma(c7, a, b);                \
    c8 = fma(c8, a, b), c9 = fma(c9, a, b), c10 = fma(c10, a, b), c11 = fma(c11, a, b);            \
  }                                                                                               \
  const type sum = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;                    \
  __global float *result = (__global float *)(out + out_at) + get_global_id(0);
#define PARAMETERS __global uchar *in, ulong in_at, __global uchar *n, ulong n_at, \
                   __global uchar *out, ulong out_at, TAIL
__kernel void fma_narrow(PARAMETERS) {
  CHAINS(float)
  *result = sum;
}
__kernel void fma_wide(PARAMETERS) {
  CHAINS(float16)
  const float8 half_sum = sum.lo + sum.hi;
  const float4 quarter = half_sum.lo + half_sum.hi;
  *result = quarter.x + quarter.y + quarter.z + quarter.w;
}
)";

constexpr unsigned probe_threads = 256;  // per threadgroup
constexpr unsigned fma_threads = 1 << 16;
constexpr std::size_t memory_bytes = std::size_t{512} << 20;  // of both arrays: beyond every cache
constexpr std::size_t least_bytes = std::size_t{1} << 16;     // of both arrays
constexpr std::size_t pass_bytes = std::size_t{16} << 20;     // that a pass moves at least
// Seconds, so that starting does not count; and short, so that some of many passes are undisturbed
// even on a busy machine.
constexpr double long_enough = 0.002;
constexpr Repeats calibration = {.warmup = 1, .timed = 2};
constexpr Repeats probe_repeats = {.warmup = 1, .timed = 24};
constexpr Repeats memory_repeats = {.warmup = 1, .timed = 4};

constexpr unsigned chains = 12;
constexpr unsigned wide_lanes = 16;  // of fma_wide

// The same as LLVM IR, for devices that take no OpenCL C.
constexpr std::string_view probe_tail_ir = "i32 %gx, i32 %gy, i32 %gz, i32 %tx, i32 %ty, i32 %tz";

// `update` adds what it reads to what is there; otherwise it replaces it.
std::string stream_ir(std::string_view name, bool update) {
  return fmt::format(R"(
define void @{}(ptr addrspace(1) %from, i64 %from_at, ptr addrspace(1) %to, i64 %to_at, {}) {{
  %i = call i64 @get_global_id(i32 0)
  %source = getelementptr i8, ptr addrspace(1) %from, i64 %from_at
  %target = getelementptr i8, ptr addrspace(1) %to, i64 %to_at
  %read = getelementptr <4 x float>, ptr addrspace(1) %source, i64 %i
  %write = getelementptr <4 x float>, ptr addrspace(1) %target, i64 %i
  %value = load <4 x float>, ptr addrspace(1) %read, align 16
{}  store <4 x float> %{}, ptr addrspace(1) %write, align 16
  ret void
}}
)",
                     name, probe_tail_ir,
                     update ? "  %before = load <4 x float>, ptr addrspace(1) %write, align 16\n"
                              "  %sum = fadd <4 x float> %before, %value\n"
                            : "",
                     update ? "sum" : "value");
}

// Adds the values one after the other; %`to` is their sum.
std::string sum_ir(std::string_view type, const std::vector<std::string>& values,
                   std::string_view to) {
  std::string text, sum = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    auto next = i + 1 == values.size() ? std::string(to) : fmt::format("{}{}", to, i);
    text += fmt::format("  %{} = fadd {} %{}, %{}\n", next, type, sum, values[i]);
    sum = std::move(next);
  }
  return text;
}

// Chains of numbers, or of vectors with so many lanes: %a1, %b1 and %id1 are numbers that become
// vectors.
std::string fma_ir(std::string_view name, unsigned lanes) {
  const bool is_wide = lanes > 1;
  const auto type = is_wide ? fmt::format("<{} x float>", lanes) : std::string("float");
  std::string vectors, starts, phis, steps;
  std::vector<std::string> nexts, parts;
  if (is_wide)
    for (const auto* each : {"a", "b", "id"})
      vectors += fmt::format(
          "  %{0}0 = insertelement {1} poison, float %{0}1, i32 0\n"
          "  %{0} = shufflevector {1} %{0}0, {1} poison, <{2} x i32> zeroinitializer\n",
          each, type, lanes);
  for (unsigned c = 0; c < chains; ++c) {
    starts += fmt::format("  %start{} = fadd {} %id, {}\n", c, type,
                          is_wide ? fmt::format("splat (float {}.0)", c) : fmt::format("{}.0", c));
    phis += fmt::format("  %c{0} = phi {1} [ %start{0}, %entry ], [ %next{0}, %loop ]\n", c, type);
    steps += fmt::format("  %next{0} = call {1} @llvm.fma.{2}({1} %c{0}, {1} %a, {1} %b)\n", c,
                         type, is_wide ? fmt::format("v{}f32", lanes) : "f32");
    nexts.push_back(fmt::format("next{}", c));
  }
  auto sums = sum_ir(type, nexts, is_wide ? "sum" : "total");
  for (unsigned lane = 0; is_wide && lane < lanes; ++lane) {
    sums += fmt::format("  %part{0} = extractelement {1} %sum, i32 {0}\n", lane, type);
    parts.push_back(fmt::format("part{}", lane));
  }
  if (is_wide) sums += sum_ir("float", parts, "total");
  return fmt::format(R"(
define void @{0}(ptr addrspace(1) %in, i64 %in_at, ptr addrspace(1) %n, i64 %n_at,
                 ptr addrspace(1) %out, i64 %out_at, {1}) {{
entry:
  %given = getelementptr i8, ptr addrspace(1) %in, i64 %in_at
  %a{2} = load float, ptr addrspace(1) %given
  %second = getelementptr i8, ptr addrspace(1) %given, i64 4
  %b{2} = load float, ptr addrspace(1) %second
  %count_at = getelementptr i8, ptr addrspace(1) %n, i64 %n_at
  %count = load i32, ptr addrspace(1) %count_at
  %thread = call i64 @get_global_id(i32 0)
  %id{2} = uitofp i64 %thread to float
{3}{4}  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %following, %loop ]
{5}{6}  %following = add i32 %i, 1
  %more = icmp ult i32 %following, %count
  br i1 %more, label %loop, label %done
done:
{7}  %results = getelementptr i8, ptr addrspace(1) %out, i64 %out_at
  %result = getelementptr float, ptr addrspace(1) %results, i64 %thread
  store float %total, ptr addrspace(1) %result
  ret void
}}
)",
                     name, probe_tail_ir, is_wide ? "1" : "", vectors, starts, phis, steps, sums);
}

std::string probe_ir() {
  return fmt::format(
             "declare i64 @get_global_id(i32)\n"
             "declare float @llvm.fma.f32(float, float, float)\n"
             "declare {0} @llvm.fma.v{1}f32({0}, {0}, {0})\n",
             fmt::format("<{} x float>", wide_lanes), wide_lanes) +
         stream_ir("copy", false) + stream_ir("update", true) + fma_ir("fma_narrow", 1) +
         fma_ir("fma_wide", wide_lanes);
}

KernelArgument buffer_argument(unsigned index) { return {.index = index}; }

Translation probe() {
  const std::vector<KernelArgument> two = {buffer_argument(0), buffer_argument(1)};
  const std::vector<KernelArgument> three = {buffer_argument(0), buffer_argument(1),
                                             buffer_argument(2)};
  return {.source_name = "ceilings",
          .text = probe_text,
          .ir = probe_ir(),
          .kernels = {{.name = "copy", .symbol = "copy", .arguments = two},
                      {.name = "update", .symbol = "update", .arguments = two},
                      {.name = "fma_narrow", .symbol = "fma_narrow", .arguments = three},
                      {.name = "fma_wide", .symbol = "fma_wide", .arguments = three}}};
}

// The kernel over two arrays that have so many bytes together, often enough that starting does not
// count.
Plan stream_plan(std::string kernel, std::size_t working_set) {
  Plan plan;
  const auto bytes = working_set / 2;
  const auto from = plan.add({.name = "from", .bytes = bytes, .reset = false});
  const auto to = plan.add({.name = "to", .bytes = bytes, .reset = false});
  const Launch launch{.kernel = std::move(kernel),
                      .grid = {static_cast<unsigned>(bytes / 16)},
                      .threadgroup = {probe_threads},
                      .bindings = {{0, from}, {1, to}}};
  plan.launches.assign(std::max<std::size_t>(1, pass_bytes / working_set), launch);
  return plan;
}

Plan fma_plan(std::string kernel, unsigned count) {
  Plan plan;
  const auto given = plan.add_scalar("given", std::array{0.999F, 0.001F});
  const auto n = plan.add_scalar("n", count);
  const auto out = plan.add({.name = "out", .bytes = fma_threads * sizeof(float)});
  plan.launches = {{.kernel = std::move(kernel),
                    .grid = {fma_threads},
                    .threadgroup = {probe_threads},
                    .bindings = {{0, given}, {1, n}, {2, out}}}};
  return plan;
}

// The fewest seconds, of the first and of the second half of the passes. Our own kernels are
// correct, so their failures are Errors.
struct Halves {
  double first = 0;
  double second = 0;
};

Result<Halves> fewest_seconds(Program& program, const Plan& plan, Repeats repeats) {
  const auto ran = program.run(plan, repeats);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran))
    return Error{"measuring what the device can do: " + failure->message};
  const auto& seconds = std::get<Run>(*ran).seconds;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>((seconds.size() + 1) / 2);
  const Halves halves{
      *std::min_element(seconds.begin(), middle),
      *std::min_element(middle == seconds.end() ? seconds.begin() : middle, seconds.end())};
  if (std::min(halves.first, halves.second) <= 0)
    return Error{"measuring what the device can do: its clock stands still"};
  return halves;
}

// The rate at which `work` was done in those times.
ProbedRate rate_of(double work, const Halves& halves) {
  const auto [low, high] = std::minmax(halves.first, halves.second);
  return {.rate = work / low * 1e-9, .is_steady = high <= low * most_unsteady};
}

const ProbedRate& faster_of(const ProbedRate& one, const ProbedRate& other) {
  return one.rate < other.rate ? other : one;
}

Result<ProbedRate> measure_fma(Program& program, const std::string& kernel, unsigned width) {
  for (unsigned count = 64 / width;; count *= 2) {
    const auto plan = fma_plan(kernel, count);
    const auto tried = fewest_seconds(program, plan, calibration);
    if (!tried) return tried.error();
    if (std::min(tried->first, tried->second) < long_enough && count < 1u << 20) continue;
    const auto halves = fewest_seconds(program, plan, probe_repeats);
    if (!halves) return halves.error();
    return rate_of(2.0 * chains * width * count * fma_threads, *halves);
  }
}

}  // namespace

Result<CeilingProbe> CeilingProbe::build(Device& device) {
  auto built = device.build(probe());
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built))
    return Error{"measuring what the device can do: " + failure->message};
  return CeilingProbe(device.info(), std::get<0>(*std::move(built)));
}

Result<ProbedRate> CeilingProbe::gbps(std::size_t working_set) {
  // A multiple of what one threadgroup takes of both arrays.
  constexpr std::size_t step = 2 * 16 * probe_threads;
  const auto bytes = std::max(step, std::min(working_set, most_probed(info_)) / step * step);
  const auto& repeats = bytes < memory_bytes / 8 ? probe_repeats : memory_repeats;
  const auto measured = [&](const char* kernel, double moved) -> Result<ProbedRate> {
    const auto plan = stream_plan(kernel, bytes);
    const auto halves = fewest_seconds(*program_, plan, repeats);
    if (!halves) return halves.error();
    return rate_of(moved * static_cast<double>(plan.launches.size()), *halves);
  };
  const auto copy = measured("copy", static_cast<double>(bytes));
  if (!copy) return copy;
  const auto update = measured("update", 1.5 * static_cast<double>(bytes));
  if (!update) return update;
  return faster_of(*copy, *update);
}

Result<ProbedRate> CeilingProbe::gflops() {
  const auto narrow = measure_fma(*program_, "fma_narrow", 1);
  // The engine makes its own vectors of the narrow form, so that the wide one only takes time.
  if (!narrow || info_.platform == cpu_platform_name) return narrow;
  const auto wide = measure_fma(*program_, "fma_wide", wide_lanes);
  if (!wide) return wide;
  return faster_of(*narrow, *wide);
}

std::size_t most_probed(const DeviceInfo& device) {
  // Small devices keep room for others.
  return std::min({memory_bytes, device.max_buffer, device.global_memory / 4});
}

std::size_t probed_set(std::size_t working_set) {
  const auto set = std::max(working_set, least_bytes);
  const auto power = std::bit_floor(set);
  return set >= power + power / 2 ? power + power / 2 : power;
}

}  // namespace msci

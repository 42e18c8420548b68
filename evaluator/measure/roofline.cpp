#include "evaluator/measure/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "base/json.h"

namespace msci {
namespace {

struct Row {
  std::string_view name;
  double gflops;
  double gbps;
};

// What the benchmark takes for an Apple GPU that its table (profile/chip.h) does not list.
constexpr Row other_apple = {"any other", 2000, 80};

// Devices that the benchmark does not list, by their full name.
constexpr std::array other_rows = {
    Row{"NVIDIA H200", 67000, 4300},  // data sheet; what a device copy reaches of its 4,800
    Row{"NVIDIA H100 80GB HBM3", 67000, 3350},  // data sheet
};

Ceilings from(const Row& row) { return {row.gflops, row.gbps, Ceilings::Source::table}; }

// The benchmark's rule: the exact name, else the first chip whose title is part of it, so that an
// unlisted variant of a chip gets its base model's ceilings.
Ceilings known_apple(std::string_view name) {
  for (const auto& chip : all_chips())
    if (chip.title == name) return ceilings_of(chip);
  for (const auto& chip : all_chips())
    if (name.find(chip.title) != std::string_view::npos) return ceilings_of(chip);
  return from(other_apple);
}

// Kernels by the calling convention of program.h. fma_wide suits processors with wide vectors,
// fma_narrow devices that run one thread per lane; both keep enough independent chains in flight to
// hide latency.
constexpr const char* probe_text = R"(
#define TAIL uint gx, uint gy, uint gz, uint tx, uint ty, uint tz
__kernel void copy(__global uchar *from, ulong from_at, __global uchar *to, ulong to_at, TAIL) {
  const size_t i = get_global_id(0);
  ((__global float4 *)(to + to_at))[i] = ((__global float4 *)(from + from_at))[i];
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
constexpr unsigned fma_threads = 1 << 18;
constexpr std::size_t copy_bytes = std::size_t{256} << 20;  // beyond every cache
constexpr double long_enough = 0.02;  // seconds, so that starting does not count
constexpr Repeats probe_repeats = {.warmup = 1, .timed = 8};

constexpr unsigned chains = 12;

// The same as LLVM IR, for devices that take no OpenCL C.
constexpr std::string_view probe_tail_ir = "i32 %gx, i32 %gy, i32 %gz, i32 %tx, i32 %ty, i32 %tz";

std::string copy_ir() {
  return fmt::format(R"(
define void @copy(ptr addrspace(1) %from, i64 %from_at, ptr addrspace(1) %to, i64 %to_at, {}) {{
  %i = call i64 @get_global_id(i32 0)
  %source = getelementptr i8, ptr addrspace(1) %from, i64 %from_at
  %target = getelementptr i8, ptr addrspace(1) %to, i64 %to_at
  %read = getelementptr <4 x float>, ptr addrspace(1) %source, i64 %i
  %write = getelementptr <4 x float>, ptr addrspace(1) %target, i64 %i
  %value = load <4 x float>, ptr addrspace(1) %read, align 16
  store <4 x float> %value, ptr addrspace(1) %write, align 16
  ret void
}}
)",
                     probe_tail_ir);
}

std::string fma_ir() {
  std::string starts, phis, steps, sums;
  for (unsigned c = 0; c < chains; ++c) {
    starts += fmt::format("  %start{0} = fadd float %first, {0}.0\n", c);
    phis += fmt::format("  %c{0} = phi float [ %start{0}, %entry ], [ %next{0}, %loop ]\n", c);
    steps +=
        fmt::format("  %next{0} = call float @llvm.fma.f32(float %c{0}, float %a, float %b)\n", c);
    if (c > 0)
      sums += fmt::format("  %sum{0} = fadd float %{1}, %next{0}\n", c,
                          c == 1 ? "next0" : fmt::format("sum{}", c - 1));
  }
  return fmt::format(R"(
define void @fma_narrow(ptr addrspace(1) %in, i64 %in_at, ptr addrspace(1) %n, i64 %n_at,
                        ptr addrspace(1) %out, i64 %out_at, {}) {{
entry:
  %given = getelementptr i8, ptr addrspace(1) %in, i64 %in_at
  %a = load float, ptr addrspace(1) %given
  %second = getelementptr i8, ptr addrspace(1) %given, i64 4
  %b = load float, ptr addrspace(1) %second
  %count_at = getelementptr i8, ptr addrspace(1) %n, i64 %n_at
  %count = load i32, ptr addrspace(1) %count_at
  %id = call i64 @get_global_id(i32 0)
  %first = uitofp i64 %id to float
{}  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %following, %loop ]
{}{}  %following = add i32 %i, 1
  %more = icmp ult i32 %following, %count
  br i1 %more, label %loop, label %done
done:
{}  %results = getelementptr i8, ptr addrspace(1) %out, i64 %out_at
  %result = getelementptr float, ptr addrspace(1) %results, i64 %id
  store float %sum{}, ptr addrspace(1) %result
  ret void
}}
)",
                     probe_tail_ir, starts, phis, steps, sums, chains - 1);
}

std::string probe_ir() {
  return "declare i64 @get_global_id(i32)\ndeclare float @llvm.fma.f32(float, float, float)\n" +
         copy_ir() + fma_ir();
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
                      {.name = "fma_narrow", .symbol = "fma_narrow", .arguments = three},
                      {.name = "fma_wide", .symbol = "fma_wide", .arguments = three}}};
}

Plan copy_plan(std::size_t bytes) {
  Plan plan;
  const auto from = plan.add({.name = "from", .bytes = bytes, .reset = false});
  const auto to = plan.add({.name = "to", .bytes = bytes, .reset = false});
  plan.launches = {{.kernel = "copy",
                    .grid = {static_cast<unsigned>(bytes / 16)},
                    .threadgroup = {probe_threads},
                    .bindings = {{0, from}, {1, to}}}};
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

// Our own kernels are correct, so their failures are Errors.
Result<double> best_seconds(Program& program, const Plan& plan) {
  const auto ran = program.run(plan, probe_repeats);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran))
    return Error{"measuring what the device can do: " + failure->message};
  const auto& seconds = std::get<Run>(*ran).seconds;
  const auto best = *std::min_element(seconds.begin(), seconds.end());
  if (best <= 0) return Error{"measuring what the device can do: its clock stands still"};
  return best;
}

Result<double> measure_bandwidth(Program& program, const DeviceInfo& device) {
  // Leave room on small devices; a multiple of what one threadgroup copies.
  const auto most = std::min({copy_bytes, device.max_buffer / 2, device.global_memory / 8});
  const auto bytes = most / (16 * probe_threads) * (16 * probe_threads);
  const auto seconds = best_seconds(program, copy_plan(bytes));
  if (!seconds) return seconds;
  return 2 * static_cast<double>(bytes) / *seconds * 1e-9;
}

Result<double> measure_fma(Program& program, const std::string& kernel, unsigned width) {
  for (unsigned count = 64;; count *= 4) {
    const auto seconds = best_seconds(program, fma_plan(kernel, count));
    if (!seconds) return seconds;
    if (*seconds < long_enough && count < 1u << 20) continue;
    return 2.0 * chains * width * count * fma_threads / *seconds * 1e-9;
  }
}

std::string entry_name(const DeviceInfo& device) {
  auto name =
      fmt::format("{}-{}-{}-{}", device.platform, device.name, device.driver, device.compute_units);
  for (auto& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  return "ceilings/" + name + ".json";
}

std::optional<Ceilings> kept(const Cache& cache, const std::string& name) {
  const auto contents = cache.load(name);
  if (!contents) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(contents->data());
  const auto json = parse_json<Json>({text, contents->size()});
  if (!json || !json->is_object() || !json->contains("gflops") || !json->contains("gbps"))
    return std::nullopt;
  const auto& gflops = json->at("gflops");
  const auto& gbps = json->at("gbps");
  if (!gflops.is_number() || !gbps.is_number()) return std::nullopt;
  return Ceilings{gflops, gbps, Ceilings::Source::measured};
}

void keep(Cache& cache, const std::string& name, const Ceilings& ceilings) {
  const auto text = Json{{"gflops", ceilings.gflops}, {"gbps", ceilings.gbps}}.dump();
  cache.store(name, std::as_bytes(std::span(text)));
}

}  // namespace

std::string_view to_string(Ceilings::Source source) {
  switch (source) {
    case Ceilings::Source::table:
      return "table";
    case Ceilings::Source::measured:
      return "measured";
    case Ceilings::Source::plan:
      return "plan";
  }
  return "";
}

std::string_view unit_of(Ceiling kind) { return kind == Ceiling::bandwidth ? "GB/s" : "GFLOPS"; }

Ceilings ceilings_for(const Task& task, Ceilings of_device) {
  if (!task.best_rate) return of_device;
  (task.ceiling == Ceiling::bandwidth ? of_device.gbps : of_device.gflops) = *task.best_rate;
  of_device.source = Ceilings::Source::plan;
  return of_device;
}

double ceiling_of(const Task& task, const Ceilings& of_device) {
  return ceilings_for(task, of_device).of(task.ceiling);
}

std::string ceiling_unit_of(const Task& task) {
  return std::string(task.best_rate ? task.unit : unit_of(task.ceiling));
}

Ceilings ceilings_of(const Chip& chip) {
  return {chip.peak_flops / 1e9, chip.dram_bandwidth / 1e9, Ceilings::Source::table};
}

std::optional<Ceilings> known_ceilings(std::string_view device_name) {
  if (device_name.find("Apple") != std::string_view::npos) return known_apple(device_name);
  for (const auto& row : other_rows)
    if (row.name == device_name) return from(row);
  return std::nullopt;
}

Result<Ceilings> measure_ceilings(Device& device) {
  auto built = device.build(probe());
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built))
    return Error{"measuring what the device can do: " + failure->message};
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  const auto gbps = measure_bandwidth(program, device.info());
  if (!gbps) return gbps.error();
  const auto narrow = measure_fma(program, "fma_narrow", 1);
  if (!narrow) return narrow.error();
  // The engine makes its own vectors of the narrow form.
  const auto wide =
      device.info().platform == cpu_platform_name ? narrow : measure_fma(program, "fma_wide", 16);
  if (!wide) return wide.error();
  return Ceilings{std::max(*narrow, *wide), *gbps, Ceilings::Source::measured};
}

Result<Ceilings> find_ceilings(Device& device, Cache& cache) {
  if (const auto known = known_ceilings(device.info().name)) return *known;
  const auto name = entry_name(device.info());
  auto ceilings = kept(cache, name);
  if (!ceilings) {
    const auto measured = measure_ceilings(device);
    if (!measured) return measured;
    keep(cache, name, *measured);
    ceilings = *measured;
  }
  ceilings->file = cache.path_of(name);
  return *ceilings;
}

}  // namespace msci

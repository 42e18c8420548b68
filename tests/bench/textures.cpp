// msci-texture-speed: a 2-D blur through textures, and the same on float4 buffers, on the devices
// that the command line names. It prints milliseconds per pass and how fast textures are beside
// buffers.
#include <fmt/format.h>

#include <string>

#include "base/statistics.h"
#include "engine/device/worker.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"
#include "tasks/plan/texture/sampler_bits.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {
namespace {

constexpr unsigned width = 1024, height = 1024;

constexpr const char* kernels = R"(#include <metal_stdlib>
using namespace metal;
constant int radius = 2;

kernel void on_buffers(device const float4* from [[buffer(0)]], device float4* to [[buffer(1)]],
                       constant uint2& size [[buffer(2)]], uint2 at [[thread_position_in_grid]]) {
  float4 sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const int2 p = clamp(int2(at) + int2(dx, dy), int2(0), int2(size) - 1);
      sum += from[p.y * int(size.x) + p.x];
    }
  to[at.y * size.x + at.x] = sum / 25;
}

kernel void through_textures(texture2d<float, access::read> from [[texture(0)]],
                             texture2d<float, access::write> to [[texture(1)]],
                             uint2 at [[thread_position_in_grid]]) {
  const int2 last = int2(from.get_width(), from.get_height()) - 1;
  float4 sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += from.read(uint2(clamp(int2(at) + int2(dx, dy), int2(0), last)));
  to.write(sum / 25, at);
}

kernel void sampled(texture2d<float> from [[texture(0)]],
                    texture2d<float, access::write> to [[texture(1)]],
                    uint2 at [[thread_position_in_grid]]) {
  constexpr sampler nearest(coord::pixel, address::clamp_to_edge, filter::nearest);
  float4 sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += from.sample(nearest, float2(at) + float2(dx, dy) + 0.5f);
  to.write(sum / 25, at);
}
)";

Plan plan_of(const std::string& kernel) {
  Plan plan;
  Launch launch{.kernel = kernel, .grid = {width, height}, .threadgroup = {16, 16}};
  const TextureShape shape{.width = width, .height = height};
  std::vector<float> values(std::size_t{4} * width * height);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1013) / 1013;
  const auto bytes = std::as_bytes(std::span(values));
  std::vector<std::byte> contents(bytes.begin(), bytes.end());
  const bool is_texture = kernel != "on_buffers";
  if (is_texture) contents = *texture_memory(shape, contents);
  const auto kind = is_texture ? ArgumentKind::texture : ArgumentKind::buffer;
  for (unsigned i = 0; i < 2; ++i)
    launch.bindings.push_back(
        {.index = i,
         .buffer = plan.add(
             {.name = i == 0 ? "from" : "to", .bytes = contents.size(), .initial = contents}),
         .kind = kind});
  if (!is_texture)
    launch.bindings.push_back(
        {.index = 2, .buffer = plan.add_scalar("size", std::array{width, height})});
  plan.launches = {launch};
  plan.results = {1};
  return plan;
}

// Milliseconds of one pass.
Result<double> measure(Program& program, const std::string& kernel) {
  const auto ran = program.run(plan_of(kernel), {.warmup = 2, .timed = 15});
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return Error{failure->message};
  return 1e3 * median(std::get<Run>(*ran).seconds);
}

std::optional<Error> compare_on(const std::string& wanted, const Translation& translation) {
  auto device = open_worker_device(wanted);
  if (!device) return device.error();
  auto built = (*device)->build(translation);
  if (!built) return built.error();
  if (const auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  const auto buffers = measure(program, "on_buffers");
  if (!buffers) return buffers.error();
  for (const char* kernel : {"through_textures", "sampled"}) {
    const auto textures = measure(program, kernel);
    if (!textures) return textures.error();
    fmt::print("{:8} {:18} {:8.3f} ms  on buffers {:8.3f} ms  speed {:.2f}\n", wanted, kernel,
               *textures, *buffers, *buffers / *textures);
  }
  return std::nullopt;
}

int run(std::vector<std::string> devices) {
  const auto report = [](const std::string& message) {
    fmt::print(stderr, "msci-texture-speed: {}\n", message);
    return 2;
  };
  const auto prepared = compile({"blur.metal", kernels}, all_rules());
  if (!prepared) return report(prepared.error().message);
  if (!prepared->translation) return report(prepared->rejection);
  for (const auto& device : devices)
    if (auto error = compare_on(device, *prepared->translation)) return report(error->message);
  return 0;
}

}  // namespace
}  // namespace msci

int main(int count, char** arguments) {
  std::vector<std::string> devices(arguments + 1, arguments + count);
  if (devices.empty()) devices = {"cpu", "pocl"};
  return msci::run(std::move(devices));
}

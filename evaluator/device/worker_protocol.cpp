#include "evaluator/device/worker_protocol.h"

#include <algorithm>

namespace msci {
namespace {

std::size_t contents_bytes(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) bytes += buffer.initial.size();
  return bytes;
}

void put(const Outputs& outputs, std::span<std::byte>& to) {
  for (const auto& output : outputs) {
    std::copy(output.data.begin(), output.data.end(), to.begin());
    to = to.subspan(output.data.size());
  }
}

Outputs take(const Plan& plan, std::span<const std::byte>& from) {
  Outputs outputs;
  for (const auto result : plan.results) {
    const auto bytes = plan.buffers[result].bytes;
    outputs.push_back({{from.begin(), from.begin() + static_cast<std::ptrdiff_t>(bytes)}});
    from = from.subspan(bytes);
  }
  return outputs;
}

}  // namespace

void to_json(Json& json, const Fault& fault) {
  json = {{"kind", fault.kind},     {"kernel", fault.kernel}, {"doing", fault.doing},
          {"object", fault.object}, {"offset", fault.offset}, {"bytes", fault.bytes}};
  if (fault.other) json["other"] = *fault.other;
}

void from_json(const Json& json, Fault& fault) {
  json.at("kind").get_to(fault.kind);
  json.at("kernel").get_to(fault.kernel);
  json.at("doing").get_to(fault.doing);
  json.at("object").get_to(fault.object);
  json.at("offset").get_to(fault.offset);
  json.at("bytes").get_to(fault.bytes);
  if (json.contains("other")) fault.other = json.at("other").get<Doing>();
}

Json to_json(const Plan& plan) {
  Json buffers = Json::array();
  for (const auto& buffer : plan.buffers)
    buffers.push_back({{"name", buffer.name},
                       {"bytes", buffer.bytes},
                       {"contents", !buffer.initial.empty()},
                       {"reset", buffer.reset},
                       {"poison", buffer.poison}});
  return {{"buffers", buffers},
          {"launches", plan.launches},
          {"results", plan.results},
          {"vary_slack", plan.vary_slack},
          {"execution", plan.execution}};
}

Result<Fd> share_contents(const Plan& plan) {
  const auto bytes = contents_bytes(plan);
  auto file = make_shared_memory(bytes);
  if (!file) return file;
  auto memory = Mapping::map(*file, bytes, Mapping::Access::write);
  if (!memory) return memory.error();
  auto to = memory->bytes().begin();
  for (const auto& buffer : plan.buffers)
    to = std::copy(buffer.initial.begin(), buffer.initial.end(), to);
  return file;
}

Result<Plan> plan_from(const Json& json, const Fd& contents) {
  Plan plan;
  std::size_t bytes = 0;
  for (const auto& each : json.at("buffers")) {
    plan.add({.name = each.at("name"),
              .bytes = each.at("bytes"),
              .reset = each.at("reset"),
              .poison = each.at("poison")});
    if (each.at("contents").get<bool>()) bytes += plan.buffers.back().bytes;
  }
  json.at("launches").get_to(plan.launches);
  json.at("results").get_to(plan.results);
  json.at("vary_slack").get_to(plan.vary_slack);
  json.at("execution").get_to(plan.execution);

  const auto memory = Mapping::map(contents, bytes, Mapping::Access::read);
  if (!memory) return memory.error();
  auto from = memory->bytes().begin();
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (!json.at("buffers")[i].at("contents").get<bool>()) continue;
    const auto end = from + static_cast<std::ptrdiff_t>(plan.buffers[i].bytes);
    plan.buffers[i].initial.assign(from, end);
    from = end;
  }
  return plan;
}

std::size_t output_bytes(const Plan& plan, Repeats repeats) {
  std::size_t bytes = 0;
  for (const auto result : plan.results) bytes += plan.buffers[result].bytes;
  return repeats.timed > 0 ? 2 * bytes : bytes;
}

void put_outputs(const Run& run, std::span<std::byte> to) {
  put(run.outputs, to);
  if (run.timed_outputs) put(*run.timed_outputs, to);
}

void take_outputs(const Plan& plan, Repeats repeats, std::span<const std::byte> from, Run& run) {
  run.outputs = take(plan, from);
  if (repeats.timed > 0) run.timed_outputs = take(plan, from);
}

}  // namespace msci

#include "runtime/device/worker_protocol.h"

#include <algorithm>

namespace msci {
namespace {

std::size_t contents_bytes(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) {
    bytes += buffer.initial.size();
    for (const auto& variant : buffer.variants) bytes += variant.size();
  }
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

Json to_json(const Plan& plan) {
  Json buffers = Json::array();
  for (const auto& buffer : plan.buffers)
    buffers.push_back({{"name", buffer.name},
                       {"bytes", buffer.bytes},
                       {"contents", !buffer.initial.empty()},
                       {"reset", buffer.reset},
                       {"poison", buffer.poison},
                       {"constant", buffer.constant},
                       {"pointers", buffer.pointers},
                       {"functions", buffer.functions},
                       {"variants", buffer.variants.size()}});
  return {{"buffers", buffers},        {"launches", plan.launches},
          {"results", plan.results},   {"vary_slack", plan.vary_slack},
          {"variants", plan.variants}, {"execution", plan.execution}};
}

Result<Fd> share_contents(const Plan& plan) {
  const auto bytes = contents_bytes(plan);
  auto file = make_shared_memory(bytes);
  if (!file) return file;
  auto memory = Mapping::map(*file, bytes, Mapping::Access::write);
  if (!memory) return memory.error();
  auto to = memory->bytes().begin();
  for (const auto& buffer : plan.buffers) {
    to = std::copy(buffer.initial.begin(), buffer.initial.end(), to);
    for (const auto& variant : buffer.variants) to = std::copy(variant.begin(), variant.end(), to);
  }
  return file;
}

Result<Plan> plan_from(const Json& json, const Fd& contents) {
  Plan plan;
  std::size_t bytes = 0;
  for (const auto& each : json.at("buffers")) {
    plan.add({.name = each.at("name"),
              .bytes = each.at("bytes"),
              .reset = each.at("reset"),
              .poison = each.at("poison"),
              .constant = each.at("constant"),
              .pointers = each.at("pointers"),
              .functions = each.at("functions")});
    auto& buffer = plan.buffers.back();
    buffer.variants.resize(each.at("variants").get<std::size_t>());
    bytes += (buffer.variants.size() + each.at("contents").get<bool>()) * buffer.bytes;
  }
  json.at("launches").get_to(plan.launches);
  json.at("results").get_to(plan.results);
  json.at("vary_slack").get_to(plan.vary_slack);
  json.at("variants").get_to(plan.variants);
  json.at("execution").get_to(plan.execution);

  const auto memory = Mapping::map(contents, bytes, Mapping::Access::read);
  if (!memory) return memory.error();
  auto from = memory->bytes().begin();
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    auto& buffer = plan.buffers[i];
    const auto take = [&](std::vector<std::byte>& contents) {
      const auto end = from + static_cast<std::ptrdiff_t>(buffer.bytes);
      contents.assign(from, end);
      from = end;
    };
    if (json.at("buffers")[i].at("contents").get<bool>()) take(buffer.initial);
    for (auto& variant : buffer.variants) take(variant);
  }
  return plan;
}

std::size_t output_bytes(const Plan& plan, Repeats repeats) {
  std::size_t bytes = 0;
  for (const auto result : plan.results) bytes += plan.buffers[result].bytes;
  return repeats.timed > 0 ? (2 + plan.variants + most_deviations(plan, repeats)) * bytes : bytes;
}

void put_outputs(const Run& run, std::span<std::byte> to) {
  put(run.outputs, to);
  if (run.timed_outputs) put(*run.timed_outputs, to);
  for (const auto* passes : {&run.variants, &run.deviations})
    for (const auto& pass : *passes) put(pass.outputs, to);
}

void take_outputs(const Plan& plan, Repeats repeats, std::span<const std::byte> from, Run& run) {
  run.outputs = take(plan, from);
  if (repeats.timed == 0) return;
  run.timed_outputs = take(plan, from);
  for (auto* passes : {&run.variants, &run.deviations})
    for (auto& pass : *passes) pass.outputs = take(plan, from);
}

Json to_json(const Run& run) {
  const auto variants_of = [](const std::vector<VariantOutputs>& passes) {
    std::vector<std::size_t> variants;
    for (const auto& each : passes) variants.push_back(each.variant);
    return variants;
  };
  return {{"seconds", run.seconds},
          {"overruns", run.overruns},
          {"changed_inputs", run.changed_inputs},
          {"variants", variants_of(run.variants)},
          {"deviations", variants_of(run.deviations)},
          {"checks", run.checks},
          {"counts", run.counts}};
}

Run run_from(const Json& json) {
  Run run;
  json.at("seconds").get_to(run.seconds);
  json.at("overruns").get_to(run.overruns);
  json.at("changed_inputs").get_to(run.changed_inputs);
  json.at("checks").get_to(run.checks);
  json.at("counts").get_to(run.counts);
  for (const auto& variant : json.at("variants"))
    run.variants.push_back({.variant = variant.get<std::size_t>()});
  for (const auto& variant : json.at("deviations"))
    run.deviations.push_back({.variant = variant.get<std::size_t>()});
  return run;
}

}  // namespace msci

#include "runtime/device/worker_protocol.h"

#include <algorithm>
#include <memory>

namespace msci {
namespace {

// The members of a message, each by its name: visit("name", member). A new member does not compile
// until it is here.
template <typename Buffer, typename Visit>
void visit_members(Buffer& buffer, const Visit& visit) {
  // The contents lie in shared memory.
  auto& [name, bytes, initial, reset, poison, constant, variants, open_type, pointers, functions] =
      buffer;
  visit("name", name);
  visit("bytes", bytes);
  visit("reset", reset);
  visit("poison", poison);
  visit("constant", constant);
  visit("open_type", open_type);
  visit("pointers", pointers);
  visit("functions", functions);
}

template <typename Value, typename Visit>
void visit_plan(Value& plan, const Visit& visit) {
  auto& [buffers, launches, results, vary_slack, variants, execution] = plan;
  visit("launches", launches);
  visit("results", results);
  visit("vary_slack", vary_slack);
  visit("variants", variants);
  visit("execution", execution);
}

// Without the outputs, which lie in shared memory.
template <typename Value, typename Visit>
void visit_run(Value& run, const Visit& visit) {
  auto& [outputs, timed_outputs, variants, deviations, seconds, overruns, changed_inputs, checks,
         counts] = run;
  visit("seconds", seconds);
  visit("overruns", overruns);
  visit("changed_inputs", changed_inputs);
  visit("checks", checks);
  visit("counts", counts);
  visit("variants", variants);
  visit("deviations", deviations);
}

auto writer_to(Json& json) {
  return [&json](const char* name, const auto& member) { json[name] = member; };
}

auto reader_of(const Json& json) {
  return [&json](const char* name, auto& member) { json.at(name).get_to(member); };
}

std::size_t contents_bytes(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) {
    bytes += buffer.initial.size();
    for (const auto& variant : buffer.variants) bytes += variant.size();
  }
  return bytes;
}

// Puts contents into shared memory, one after another.
class Putting {
 public:
  explicit Putting(const Fd& to) : to_(to) {}

  void put(std::span<const std::byte> contents) {
    if (!error_) error_ = write_shared_memory(to_, offset_, contents);
    offset_ += contents.size();
  }
  void put(const Outputs& outputs) {
    for (const auto& output : outputs) put(output);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const Fd& to_;
  std::size_t offset_ = 0;
  std::optional<Error> error_;  // the first
};

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

void to_json(Json& json, const VariantOutputs& pass) { json = pass.variant; }
void from_json(const Json& json, VariantOutputs& pass) { json.get_to(pass.variant); }

Json to_json(const Plan& plan) {
  Json json = {{"buffers", Json::array()}};
  for (const auto& buffer : plan.buffers) {
    Json each = {{"contents", !buffer.initial.empty()}, {"variants", buffer.variants.size()}};
    visit_members(buffer, writer_to(each));
    json["buffers"].push_back(std::move(each));
  }
  visit_plan(plan, writer_to(json));
  return json;
}

Result<Fd> share_contents(const Plan& plan) {
  auto file = make_shared_memory(contents_bytes(plan));
  if (!file) return file;
  Putting putting(*file);
  for (const auto& buffer : plan.buffers) {
    putting.put(buffer.initial);
    for (const auto& variant : buffer.variants) putting.put(variant);
  }
  if (putting.error()) return *putting.error();
  return file;
}

Result<Plan> plan_from(const Json& json, const Fd& contents) {
  Plan plan;
  std::size_t bytes = 0;
  for (const auto& each : json.at("buffers")) {
    auto& buffer = plan.buffers.emplace_back();
    visit_members(buffer, reader_of(each));
    buffer.variants.resize(each.at("variants").get<std::size_t>());
    bytes += (buffer.variants.size() + each.at("contents").get<bool>()) * buffer.bytes;
  }
  visit_plan(plan, reader_of(json));

  auto mapped = Mapping::map(contents, bytes, Mapping::Access::read);
  if (!mapped) return mapped.error();
  const auto memory = std::make_shared<const Mapping>(*std::move(mapped));
  std::span<const std::byte> from = memory->bytes();
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    auto& buffer = plan.buffers[i];
    const auto take = [&](Bytes& contents) {
      contents = Bytes(memory, from.first(buffer.bytes));
      from = from.subspan(buffer.bytes);
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

std::optional<Error> put_outputs(const Run& run, const Fd& to) {
  Putting putting(to);
  putting.put(run.outputs);
  if (run.timed_outputs) putting.put(*run.timed_outputs);
  for (const auto* passes : {&run.variants, &run.deviations})
    for (const auto& pass : *passes) putting.put(pass.outputs);
  return putting.error();
}

void take_outputs(const Plan& plan, Repeats repeats, std::span<const std::byte> from, Run& run) {
  run.outputs = take(plan, from);
  if (repeats.timed == 0) return;
  run.timed_outputs = take(plan, from);
  for (auto* passes : {&run.variants, &run.deviations})
    for (auto& pass : *passes) pass.outputs = take(plan, from);
}

Json to_json(const Run& run) {
  Json json;
  visit_run(run, writer_to(json));
  return json;
}

Run run_from(const Json& json) {
  Run run;
  visit_run(run, reader_of(json));
  return run;
}

}  // namespace msci

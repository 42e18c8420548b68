#include "engine/device/worker_protocol.h"

#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "engine/device/page_size.h"

namespace msci {
namespace {

constexpr std::size_t most_copied = std::size_t{1} << 20;  // bytes; sealing fewer takes longer

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

Result<Bytes> map_bytes(const Fd& file, std::size_t bytes, std::size_t offset = 0) {
  auto mapped = Mapping::map(file, bytes, Mapping::Access::read, offset);
  if (!mapped) return mapped.error();
  auto memory = std::make_shared<const Mapping>(*std::move(mapped));
  const auto all = memory->bytes();
  return Bytes(std::move(memory), all);
}

std::size_t contents_bytes(const Plan& plan) {
  std::size_t bytes = 0;
  for (const auto& buffer : plan.buffers) {
    bytes += in_pages(buffer.initial.size());
    for (const auto& variant : buffer.variants) bytes += in_pages(variant.size());
  }
  return bytes;
}

// Puts contents into shared memory, one after another, each on pages of its own.
class Putting {
 public:
  explicit Putting(const Fd& to) : to_(to) {}

  void put(std::span<const std::byte> contents) {
    if (!error_) error_ = write_shared_memory(to_, offset_, contents);
    offset_ += in_pages(contents.size());
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const Fd& to_;
  std::size_t offset_ = 0;
  std::optional<Error> error_;  // the first
};

// All outputs of a run, in a fixed order: visit(outputs).
template <typename Value, typename Visit>
void visit_outputs(Value& run, const Visit& visit) {
  visit(run.outputs);
  if (run.timed_outputs) visit(*run.timed_outputs);
  for (auto* passes : {&run.variants, &run.deviations})
    for (auto& pass : *passes) visit(pass.outputs);
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
  if (auto error = seal_unshared_memory(*file)) return *error;
  return file;
}

Result<Bytes> map_shared_memory(const Fd& file) {
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return Error{"the size of shared memory is not known"};
  return map_bytes(file, static_cast<std::size_t>(status.st_size));
}

Plan plan_from(const Json& json, const Bytes& contents) {
  Plan plan;
  std::size_t at = 0;
  for (const auto& each : json.at("buffers")) {
    auto& buffer = plan.buffers.emplace_back();
    visit_members(buffer, reader_of(each));
    const auto take = [&] {
      const auto first = at;
      at += in_pages(buffer.bytes);
      return contents.part(first, buffer.bytes);
    };
    if (each.at("contents").get<bool>()) buffer.initial = take();
    buffer.variants.resize(each.at("variants").get<std::size_t>());
    for (auto& variant : buffer.variants) variant = take();
  }
  visit_plan(plan, reader_of(json));
  return plan;
}

std::size_t output_bytes(const Plan& plan, Repeats repeats) {
  std::size_t bytes = 0;
  for (const auto result : plan.results) bytes += in_pages(plan.buffers[result].bytes);
  return repeats.timed > 0 ? (2 + plan.variants + most_deviations(plan, repeats)) * bytes : bytes;
}

Result<Bytes> ResultMemory::keep(std::span<const std::byte> contents) {
  if (contents.size() > bytes_ - used_) return Error{"a run keeps too many results"};
  if (auto error = write_shared_memory(file_, used_, contents)) return *error;
  const auto kept = map_bytes(file_, contents.size(), used_);
  if (!kept) return kept.error();
  kept_.push_back({*kept, used_});
  used_ += in_pages(contents.size());
  return *kept;
}

Result<std::size_t> ResultMemory::place_of(const Bytes& output) {
  if (output.empty()) return std::size_t{0};
  const auto is_same = [&](const Kept& each) { return each.bytes.data() == output.data(); };
  const auto known = std::ranges::find_if(kept_, is_same);
  if (known != kept_.end()) return known->place;
  const auto kept = keep(output);
  if (!kept) return kept.error();
  return kept_.back().place;
}

Result<Json> ResultMemory::places_of(const Run& run) {
  auto places = Json::array();
  std::optional<Error> error;
  visit_outputs(run, [&](const Outputs& outputs) {
    for (const auto& output : outputs) {
      const auto place = place_of(output);
      if (!place) error = place.error();
      places.push_back(place ? *place : 0);
    }
  });
  if (error) return *error;
  return places;
}

void ResultMemory::forget() {
  kept_.clear();
  used_ = 0;
}

void ResultMemory::seal() const {
  // If it fails, the memory stays as it is, to be copied.
  if (used_ > most_copied) static_cast<void>(seal_shared_memory(file_));
}

Result<bool> take_outputs(const Plan& plan, Repeats repeats, const Json& places, const Fd& file,
                          Run& run) {
  const auto size = output_bytes(plan, repeats);
  const bool copies = !is_sealed(file);  // and reads each byte once
  const auto memory = map_bytes(file, size);
  if (!memory) return memory.error();
  if (repeats.timed > 0) run.timed_outputs.emplace();
  auto place = places.begin();
  bool are_valid = places.is_array();
  visit_outputs(run, [&](Outputs& outputs) {
    for (const auto result : plan.results) {
      are_valid = are_valid && place != places.end() && place->is_number_unsigned();
      if (!are_valid) return;
      const auto at = (place++)->get<std::size_t>(), bytes = plan.buffers[result].bytes;
      are_valid = at % largest_page == 0 && at <= size && bytes <= size - at;
      if (!are_valid) return;
      const auto output = memory->part(at, bytes);
      outputs.push_back(copies ? Bytes(output.begin(), output.end()) : output);
    }
  });
  return are_valid;
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

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/files/read_file.h"
#include "evaluator/modes/inputs/check_inputs.h"
#include "lint/host/embedded/composed_sources.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

Result<OrderedJson> read_plan(const std::string& file) {
  const auto source = metal_in(read_source(file));
  if (!source) return source.error();
  return parse_plan(*source);
}

// The range of a uniform fill: integers lie below its upper end.
std::optional<std::pair<double, double>> range_of_fill(const OrderedJson& field,
                                                       const std::string& type) {
  if (!field.contains("fill") || !field["fill"].is_object() || !field["fill"].contains("uniform"))
    return std::nullopt;
  const auto& ends = field["fill"]["uniform"];
  if (!ends.is_array() || ends.size() != 2 || !ends[0].is_number() || !ends[1].is_number())
    return std::nullopt;
  const auto low = ends[0].get<double>(), high = ends[1].get<double>();
  if (is_floating(type)) return std::pair(low, high);
  const auto integers = integers_between(low, high);
  return std::pair(integers.first, std::max(integers.first, integers.last));
}

std::optional<std::pair<double, double>> range_of(const OrderedJson& field, const std::string& type,
                                                  const PlanBuffer& buffer) {
  if (auto range = range_of_fill(field, type)) return range;
  const bool is_length =
      buffer.bytes == element_bytes(type) && !is_floating(type) && field.contains("values");
  if (!is_length) return std::nullopt;
  const auto number = get_element(type, buffer.initial, 0);
  return std::pair(std::min(number, 0.0), std::max(number, 0.0));
}

std::optional<SearchedBuffer> searched(const OrderedJson& fields, const Plan& plan,
                                       std::size_t index) {
  const auto& buffer = plan.buffers[index];
  if (!fields.contains(buffer.name) || !buffer.has_contents() || !buffer.pointers.empty())
    return std::nullopt;
  const auto& field = fields[buffer.name];
  if (!field.is_object() || !field.contains("type") || !field["type"].is_string())
    return std::nullopt;
  const auto type = field["type"].get<std::string>();
  if (!element_bytes(type) || type == "bool" || field.contains("struct")) return std::nullopt;
  const auto range = range_of(field, type, buffer);
  if (!range || !fits_element(type, range->first) || !fits_element(type, range->second))
    return std::nullopt;
  return SearchedBuffer{index, buffer.name, type, range->first, range->second};
}

// Files are named from the folder of the new plan.
void move_files(OrderedJson& json, const fs::path& from, const fs::path& to) {
  if (json.is_object() && json.contains("file") && json["file"].is_string()) {
    const auto file = (from / json["file"].get<std::string>()).lexically_normal();
    json["file"] = file.lexically_proximate(to).string();
  }
  if (json.is_structured())
    for (auto& each : json) move_files(each, from, to);
}

OrderedJson numbers_of(const ChangedBuffer& change) {
  auto numbers = OrderedJson::array();
  const auto count = change.contents.size() / element_bytes(change.of.type).value_or(1);
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(OrderedJson::parse(element_text(change.of.type, change.contents, i)));
  return numbers;
}

// The one size of the new plan.
OrderedJson size_of(const OrderedJson& plan, const std::string& label) {
  for (const auto& each : plan["sizes"])
    if (each.value("label", "") == label) return each;
  return plan["small"];
}

}  // namespace

std::size_t SearchedBuffer::count_in(const Plan& plan) const {
  return plan.buffers[buffer].bytes / element_bytes(type).value_or(1);
}

std::size_t ChangedBuffer::changed_in(const Plan& plan) const {
  const auto bytes = element_bytes(of.type).value_or(1);
  const auto& before = plan.buffers[of.buffer].initial;
  std::size_t changed = 0;
  for (std::size_t at = 0; at + bytes <= before.size(); at += bytes)
    if (std::memcmp(before.data() + at, contents.data() + at, bytes) != 0) ++changed;
  return changed;
}

Result<std::vector<SearchedBuffer>> searched_buffers(const std::string& plan_file,
                                                     const Plan& plan) {
  const auto json = read_plan(plan_file);
  if (!json) return json.error();
  std::vector<SearchedBuffer> found;
  if (!json->contains("buffers")) return found;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (auto buffer = searched((*json)["buffers"], plan, i)) found.push_back(*std::move(buffer));
  return found;
}

Result<std::string> plan_with(const std::string& plan_file, const std::string& size_label,
                              const std::vector<ChangedBuffer>& changes,
                              const std::string& saved_as) {
  auto json = read_plan(plan_file);
  if (!json) return json.error();
  const auto size = size_of(*json, size_label);
  for (const auto* key :
       {"seed", "page", "held_out", "small", "stress", "reference", "check", "tolerance", "work"})
    json->erase(key);
  (*json)["sizes"] = OrderedJson::array({size});
  // Which buffers are results stays: the checked mode looks for elements that no thread stores.
  if (json->contains("expect"))
    for (auto& each : (*json)["expect"]) each = OrderedJson::object();
  for (const auto& change : changes) {
    auto& field = (*json)["buffers"][change.of.name];
    for (const auto* key : {"fill", "file", "count", "values"}) field.erase(key);
    field["values"] = numbers_of(change);
  }
  move_files(*json, fs::absolute(plan_file).parent_path(), fs::absolute(saved_as).parent_path());
  return json->dump(2) + "\n";
}

}  // namespace msci

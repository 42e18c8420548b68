#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "tasks/plan/file/plan_description.h"

namespace msci {
namespace {

constexpr std::size_t most_shown_members = 16;  // of one struct

// A number, a formula or a name, as the file has it.
std::string text_of(const OrderedJson& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

std::string code(std::string_view text) { return fmt::format("`{}`", printable(text)); }
std::string code_of(const OrderedJson& json) { return code(text_of(json)); }

// "`float`", "`float[n]`"
std::string array_of(std::string_view type, const std::string& count) {
  return code(count == "1" ? std::string(type) : fmt::format("{}[{}]", type, count));
}

// "`uint[2]` (`nodes`, `buckets`)" of a type and numbers, of which formulas are shown: they say
// what the numbers mean.
std::string numbers_text(std::string_view type, const OrderedJson& values, std::size_t first) {
  std::vector<std::string> formulas;
  for (std::size_t i = first; i < std::min(values.size(), first + most_shown_members); ++i)
    if (values[i].is_string()) formulas.push_back(code_of(values[i]));
  const auto numbers = array_of(type, std::to_string(values.size() - first));
  return formulas.empty() ? numbers : fmt::format("{} ({})", numbers, fmt::join(formulas, ", "));
}

std::string functions_text(const OrderedJson& functions) {
  std::vector<std::string> names;
  for (const auto& each : functions) names.push_back(each.is_null() ? "none" : code_of(each));
  return fmt::format("a table of functions ({})", fmt::join(names, ", "));
}

// The words of a sampler: "filter `linear`, address `repeat`".
std::string sampler_words(const OrderedJson& sampler) {
  std::vector<std::string> words;
  for (const auto& [key, value] : sampler.items())
    if (key != "meaning") words.push_back(fmt::format("{} {}", key, code_of(value)));
  return words.empty() ? "Metal's defaults" : fmt::format("{}", fmt::join(words, ", "));
}

std::string member_text(const OrderedJson& member);

std::string members_text(const OrderedJson& members) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(members.size(), most_shown_members); ++i)
    texts.push_back(member_text(members[i]));
  if (members.size() > most_shown_members)
    texts.push_back(fmt::format("and {} more", members.size() - most_shown_members));
  return fmt::format("{{{}}}", fmt::join(texts, "; "));
}

std::string pointer_text(const OrderedJson& member) {
  if (member.at("buffer").is_null()) return "a null pointer";
  const auto target = fmt::format("a pointer to {}", code_of(member.at("buffer")));
  if (!member.contains("offset")) return target;
  return fmt::format("{} from byte {}", target, code_of(member.at("offset")));
}

std::string member_text(const OrderedJson& member) {
  if (member.is_array()) {
    const bool is_numbers = !member.empty() && member.front().is_string();
    return is_numbers ? numbers_text(text_of(member.front()), member, 1) : members_text(member);
  }
  if (member.contains("struct")) {
    const auto members = fmt::format("a struct {}", members_text(member.at("struct")));
    return member.contains("times") ? fmt::format("{} {} times", members, code_of(member["times"]))
                                    : members;
  }
  if (member.contains("functions")) return functions_text(member.at("functions"));
  if (member.contains("texture"))
    return member.at("texture").is_null() ? "no texture"
                                          : fmt::format("texture {}", code_of(member["texture"]));
  if (!member.contains("sampler")) return pointer_text(member);
  const auto& sampler = member.at("sampler");
  return sampler.is_object() ? fmt::format("a sampler ({})", sampler_words(sampler))
                             : fmt::format("sampler {}", code_of(sampler));
}

std::string buffer_text(const OrderedJson& buffer) {
  if (buffer.contains("struct")) return fmt::format("a struct {}", members_text(buffer["struct"]));
  if (!buffer.contains("type")) return "the array of a .npy file";
  const auto type = text_of(buffer.at("type"));
  if (buffer.contains("values")) return numbers_text(type, buffer.at("values"), 0);
  return array_of(type, buffer.contains("count") ? text_of(buffer.at("count")) : "");
}

std::string texture_text(const OrderedJson& texture) {
  auto text = fmt::format("a {} texture of {}",
                          texture.contains("kind") ? text_of(texture.at("kind")) : "2d",
                          code_of(texture.at("format")));
  const char* before = ", ";
  for (const auto* side : {"width", "height", "depth"}) {
    if (!texture.contains(side)) continue;
    text += before + code_of(texture[side]);
    before = " x ";
  }
  constexpr std::pair<const char*, const char*> counts[] = {
      {"array_length", "layers"}, {"mip_levels", "mip levels"}, {"samples", "samples"}};
  for (const auto& [key, word] : counts)
    if (texture.contains(key)) text += fmt::format(", {} {}", code_of(texture[key]), word);
  return text;
}

// Calls `visit` for each launch of the list, also in groups.
template <typename Visit>
void visit_launches(const OrderedJson& launches, Visit visit) {
  for (const auto& each : launches)
    if (each.contains("launches"))
      visit_launches(each.at("launches"), visit);
    else if (each.contains("kernel"))
      visit(each);
}

std::string extent_text(const OrderedJson& extent) {
  std::vector<std::string> sides;
  for (const auto& each : extent) sides.push_back(code_of(each));
  return fmt::format("{}", fmt::join(sides, " x "));
}

}  // namespace

std::vector<TaskData> describe_data(const PlanDocument& document) {
  const auto& root = document.json;
  std::vector<TaskData> data;
  const auto add = [&](const char* key, auto text) {
    if (!root.contains(key)) return;
    for (const auto& [name, field] : root.at(key).items()) {
      auto holds = text(field);
      if (field.contains("read_only") && field.at("read_only") == true) holds += ", read-only";
      if (root.contains("expect") && root.at("expect").contains(name)) holds += ", a result";
      data.push_back(
          {name, std::move(holds), field.contains("meaning") ? text_of(field.at("meaning")) : ""});
    }
  };
  add("buffers", buffer_text);
  add("textures", texture_text);
  add("samplers", [](const OrderedJson& field) { return "a sampler: " + sampler_words(field); });
  return data;
}

std::vector<std::string> describe_launches(const PlanDocument& document) {
  std::vector<std::string> lines;
  visit_launches(document.json.at("launches"), [&](const OrderedJson& launch) {
    auto line =
        fmt::format("{}: a grid of {} threads, in threadgroups of {}", code_of(launch.at("kernel")),
                    extent_text(launch.at("grid")), extent_text(launch.at("threadgroup")));
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  });
  return lines;
}

}  // namespace msci

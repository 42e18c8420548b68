#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "tasks/plan/file/plan_instance.h"

namespace msci {
namespace {

// The source may have many functions.
constexpr std::size_t most_listed = 8;

std::string not_found(const std::string& name, const FunctionTables& tables) {
  std::vector<std::string_view> marked, all;
  for (const auto& function : tables.functions) marked.push_back(function.name);
  all = marked;
  all.insert(all.end(), tables.unmarked.begin(), tables.unmarked.end());
  if (const auto near = nearest(name, all); !near.empty())
    return fmt::format("function '{}' not found in the source{}", name, did_you_mean(near));
  if (marked.empty())
    return fmt::format("function '{}' not found: the source marks none as [[visible]]", name);
  const auto rest = marked.size() - std::min(marked.size(), most_listed);
  marked.resize(marked.size() - rest);
  return fmt::format("function '{}' not found in the source; its [[visible]] functions are {}{}",
                     name, fmt::join(marked, ", "), rest ? fmt::format(" and {} more", rest) : "");
}

}  // namespace

std::optional<std::string> type_in_table(const KernelArgument& argument) {
  constexpr std::string_view opening = "visible_function_table<";
  if (!argument.type.starts_with(opening) || !argument.type.ends_with('>')) return std::nullopt;
  return argument.type.substr(opening.size(), argument.type.size() - opening.size() - 1);
}

std::optional<std::string> refuse_function(const std::string& name,
                                           const std::vector<std::string>& types,
                                           const FunctionTables& tables) {
  const auto* function = tables.find(name);
  if (!function && std::ranges::find(tables.unmarked, name) != tables.unmarked.end())
    return fmt::format(
        "function '{}' is not [[visible]], so a table cannot hold it; mark it [[visible]]", name);
  if (!function) return not_found(name, tables);
  const auto is_type = [&](const std::string& type) { return type == function->type; };
  if (const auto other = std::ranges::find_if_not(types, is_type); other != types.end())
    return fmt::format(
        "function '{}' is {}, and the table of the kernel holds {}; change one of "
        "them",
        name, function->type, *other);
  if (types.empty() && !tables.types.empty() && std::ranges::none_of(tables.types, is_type))
    return fmt::format(
        "function '{}' is {}, and the tables of the source hold {}; change one of "
        "them",
        name, function->type, fmt::join(tables.types, ", "));
  return std::nullopt;
}

}  // namespace msci

#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lint/ide/protocol/replies.h"

namespace msci {
namespace {

std::optional<Range> lens_range(const Unit& unit, std::string_view kernel) {
  for (const auto& each : unit.kernels()) {
    if (each.name != kernel) continue;
    const auto place = unit.locate(each.declaration->getLocation());
    if (place.is_known() && place.file.empty()) return place.range;
  }
  return std::nullopt;
}

// Where the first kernel of a task stands; nothing unless the source has all of them.
std::optional<Range> lens_range(const Unit& unit, const TaskContract& task) {
  std::optional<Range> first;
  for (const auto& kernel : task.kernels) {
    const auto place = lens_range(unit, kernel.name);
    if (!place) return std::nullopt;
    if (!first || *place < *first) first = place;
  }
  return first;
}

}  // namespace

std::vector<TaskContract> tasks_of(const Contract& contract, std::span<const TaskContract> tasks) {
  std::vector<TaskContract> found;
  for (const auto& task : tasks)
    if (contract.kernels.empty() || contract.kernels == task.kernels) found.push_back(task);
  return found;
}

Json code_lenses(const Unit& unit, const Converter& converter, const std::string& uri,
                 const std::vector<TaskContract>& tasks) {
  Json lenses = Json::array();
  if (!uri.starts_with("file:")) return lenses;  // msci-eval reads files
  for (const auto& task : tasks) {
    const auto place = lens_range(unit, task);
    if (!place) continue;
    for (const auto& [word, command] :
         {std::pair("evaluate", evaluate_command), std::pair("check", check_command)})
      lenses.push_back({{"range", converter.range(*place)},
                        {"command",
                         {{"title", fmt::format("{} as {}", word, task.task)},
                          {"command", command},
                          {"arguments", {{{"uri", uri}, {"task", task.task}}}}}}});
  }
  return lenses;
}

}  // namespace msci

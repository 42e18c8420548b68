#include "tasks/describe.h"

#include <fmt/format.h>

#include "base/json.h"

namespace msci {
namespace {

OrderedJson to_json(const KernelContract& kernel) {
  OrderedJson arguments = OrderedJson::array();
  for (const auto& argument : kernel.arguments)
    arguments.push_back({{"kind", to_string(argument.kind)},
                         {"index", argument.index},
                         {"type", argument.type},
                         {"name", argument.name},
                         {"meaning", argument.meaning}});
  return {{"name", kernel.name}, {"arguments", std::move(arguments)}};
}

OrderedJson to_json(const Size& size) {
  OrderedJson parameters = OrderedJson::object();
  for (const auto& [name, value] : size.parameters) parameters[std::string(name)] = value;
  return {{"label", size.label}, {"parameters", std::move(parameters)}};
}

void remove_section(std::string& page, std::string_view title) {
  const auto begin = page.find(fmt::format("\n## {}\n", title));
  if (begin != std::string::npos) page.erase(begin, page.find("\n## ", begin + 1) - begin);
}

// What a plan without a page says about itself.
std::string page_of_plan(const Task& task) {
  std::string page =
      fmt::format("# {}{}\n", task.name, task.title.empty() ? "" : fmt::format(": {}", task.title));
  for (const auto& kernel : task.kernels) {
    page +=
        fmt::format("\n## Kernel `{}`\n\n| binding | type | name | meaning |\n|---|---|---|---|\n",
                    kernel.name);
    for (const auto& argument : kernel.arguments)
      page += fmt::format("| {}({}) | `{}` | {} | {} |\n", to_string(argument.kind), argument.index,
                          argument.type, argument.name, argument.meaning);
  }
  page += "\n## Data\n\n";
  for (const auto& [name, holds, meaning] : task.data)
    page += fmt::format("- `{}`: {}{}\n", name, holds, meaning.empty() ? "" : ": " + meaning);
  page += "\n## Grids\n\n";
  for (const auto& launch : task.launches) page += fmt::format("- {}\n", launch);
  page += "\n## Sizes\n\n";
  for (const auto& size : task.sizes) {
    page += fmt::format("- {}:", size.label);
    for (const auto& [name, value] : size.parameters) page += fmt::format(" {} = {}", name, value);
    page += "\n";
  }
  return page;
}

}  // namespace

std::string describe(const Task& task) {
  auto page = task.page.empty() ? page_of_plan(task) : std::string(task.page);
  for (const auto* section : {"Held out", "Launches", "Wrong kernels"})
    remove_section(page, section);
  return page;
}

std::string describe_as_json(const Task& task) {
  OrderedJson json = {{"name", task.name},
                      {"title", task.title},
                      {"ceiling", task.ceiling == Ceiling::bandwidth ? "bandwidth" : "compute"},
                      {"unit", task.unit},
                      {"kernels", OrderedJson::array()},
                      {"data", OrderedJson::array()},
                      {"launches", task.launches},
                      {"sizes", OrderedJson::array()},
                      {"description", describe(task)},
                      {"seed", task.seed}};
  for (const auto& kernel : task.kernels) json["kernels"].push_back(to_json(kernel));
  for (const auto& [name, holds, meaning] : task.data)
    json["data"].push_back({{"name", name}, {"holds", holds}, {"meaning", meaning}});
  for (const auto& size : task.sizes) json["sizes"].push_back(to_json(size));
  return json.dump();
}

std::string list_tasks(std::span<const Task* const> tasks) {
  std::string text;
  for (const auto* task : tasks) text += fmt::format("{:<10} {}\n", task->name, task->title);
  return text;
}

}  // namespace msci

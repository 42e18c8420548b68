#include "tasks/plan/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/sha256.h"

namespace msci {
namespace {

constexpr std::string_view program_mark = "/* msci-program 1\n";
constexpr std::string_view closing = "\n*/\n";

OrderedJson to_json(const KernelArgument& argument) {
  return {{"kind", to_string(argument.kind)},
          {"index", argument.index},
          {"constant", argument.constant},
          {"name", argument.name},
          {"type", argument.type}};
}

OrderedJson to_json(const KernelSignature& kernel) {
  OrderedJson arguments = OrderedJson::array();
  for (const auto& argument : kernel.arguments) arguments.push_back(to_json(argument));
  OrderedJson limit =
      kernel.thread_limit ? OrderedJson(*kernel.thread_limit) : OrderedJson(nullptr);
  OrderedJson json = {{"name", kernel.name},
                      {"symbol", kernel.symbol},
                      {"threadgroup_bytes", kernel.threadgroup_bytes},
                      {"thread_limit", limit},
                      {"uses_simdgroups", kernel.uses_simdgroups},
                      {"arguments", arguments}};
  if (kernel.loads_pointers) json["loads_pointers"] = true;
  if (kernel.stores_pointers) json["stores_pointers"] = true;
  return json;
}

Result<KernelArgument> argument_from(const OrderedJson& json) {
  const auto kind = json.at("kind").get<std::string>();
  const auto known = argument_kind_from(kind);
  if (!known)
    return Error{fmt::format(
        "the translated program's manifest is broken: unknown kind of argument '{}'", kind)};
  return KernelArgument{.kind = *known,
                        .index = json.at("index").get<unsigned>(),
                        .constant = json.at("constant").get<bool>(),
                        .name = json.at("name").get<std::string>(),
                        .type = json.at("type").get<std::string>()};
}

Result<KernelSignature> kernel_from(const OrderedJson& json) {
  KernelSignature kernel{.name = json.at("name").get<std::string>(),
                         .symbol = json.at("symbol").get<std::string>(),
                         .threadgroup_bytes = json.at("threadgroup_bytes").get<std::size_t>(),
                         .uses_simdgroups = json.at("uses_simdgroups").get<bool>(),
                         .loads_pointers = json.value("loads_pointers", false),
                         .stores_pointers = json.value("stores_pointers", false)};
  if (!json.at("thread_limit").is_null())
    kernel.thread_limit = json.at("thread_limit").get<unsigned>();
  for (const auto& each : json.at("arguments")) {
    auto argument = argument_from(each);
    if (!argument) return argument.error();
    kernel.arguments.push_back(*std::move(argument));
  }
  return kernel;
}

OrderedJson to_json(const FunctionTables& tables) {
  OrderedJson functions = OrderedJson::array();
  for (const auto& [name, type] : tables.functions)
    functions.push_back({{"name", name}, {"type", type}});
  return {{"functions", functions}, {"types", tables.types}, {"unmarked", tables.unmarked}};
}

FunctionTables tables_from(const OrderedJson& json) {
  FunctionTables tables{.types = json.at("types").get<std::vector<std::string>>(),
                        .unmarked = json.at("unmarked").get<std::vector<std::string>>()};
  for (const auto& each : json.at("functions"))
    tables.functions.push_back(
        {each.at("name").get<std::string>(), each.at("type").get<std::string>()});
  return tables;
}

constexpr std::array<std::string_view, 6> debug_kinds{"assertion", "log",   "debug",
                                                      "info",      "error", "fault"};

// "*/" inside a name would end the comment; JSON may write "/" as "\/".
std::string escape_comment_end(std::string json) {
  for (auto at = json.find("*/"); at != std::string::npos; at = json.find("*/", at + 3))
    json.replace(at, 2, "*\\/");
  return json;
}

}  // namespace

std::string_view to_string(DebugCall::Kind kind) {
  return debug_kinds[static_cast<std::size_t>(kind)];
}

const KernelSignature* Translation::find(std::string_view kernel) const {
  auto found = std::find_if(kernels.begin(), kernels.end(),
                            [&](const KernelSignature& each) { return each.name == kernel; });
  return found == kernels.end() ? nullptr : &*found;
}

const TableFunction* FunctionTables::find(std::string_view function) const {
  const auto found = std::ranges::find(functions, function, &TableFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

const RefusedKernel* Translation::find_refused(std::string_view kernel) const {
  auto found = std::find_if(refused.begin(), refused.end(),
                            [&](const RefusedKernel& each) { return each.name == kernel; });
  return found == refused.end() ? nullptr : &*found;
}

std::string to_program_file(const Translation& translation) {
  OrderedJson kernels = OrderedJson::array();
  for (const auto& kernel : translation.kernels) kernels.push_back(to_json(kernel));
  OrderedJson manifest = {{"source", translation.source_name},
                          {"sha256", sha256_of(translation.text)},
                          {"kernels", kernels}};
  for (const auto& [name, reason] : translation.refused)
    manifest["refused"].push_back({{"name", name}, {"reason", reason}});
  if (translation.tables != FunctionTables()) manifest["tables"] = to_json(translation.tables);
  const auto json = manifest.dump(1, ' ', false, OrderedJson::error_handler_t::replace);
  return fmt::format("{}{}{}{}", program_mark, escape_comment_end(json), closing, translation.text);
}

bool is_program_file(std::string_view text) { return text.starts_with(program_mark); }

Result<Translation> from_program_file(std::string_view file) {
  if (!is_program_file(file))
    return Error{
        "not a translated program: it does not begin with \"/* msci-program 1\"; make one with "
        "msci-eval --emit opencl"};
  const auto end = file.find(closing);
  if (end == std::string_view::npos)
    return Error{"the translated program is truncated: its manifest has no end; write it again"};
  const auto parsed =
      parse_json<OrderedJson>(file.substr(program_mark.size(), end - program_mark.size()));
  if (!parsed)
    return Error{
        fmt::format("the translated program's manifest is broken: {}", parsed.error().message)};
  const auto& manifest = *parsed;
  try {
    Translation translation{.source_name = manifest.at("source").get<std::string>(),
                            .text = std::string(file.substr(end + closing.size()))};
    if (manifest.at("sha256").get<std::string>() != sha256_of(translation.text))
      return Error{
          "the text of the translated program is not the one that its manifest describes: the file "
          "was changed or cut off; write it again"};
    for (const auto& each : manifest.at("kernels")) {
      auto kernel = kernel_from(each);
      if (!kernel) return kernel.error();
      translation.kernels.push_back(*std::move(kernel));
    }
    if (manifest.contains("refused"))
      for (const auto& each : manifest.at("refused"))
        translation.refused.push_back(
            {each.at("name").get<std::string>(), each.at("reason").get<std::string>()});
    if (manifest.contains("tables")) translation.tables = tables_from(manifest.at("tables"));
    return translation;
  } catch (const OrderedJson::exception& broken) {
    return Error{fmt::format("the translated program's manifest is broken: {}", broken.what())};
  }
}

Result<Translation> load_program_file(std::string_view file) {
  auto translation = from_program_file(file);
  if (!translation) return translation;
  if (auto foreign = find_foreign_text(translation->text)) return *std::move(foreign);
  return translation;
}

}  // namespace msci

#include "base/json.h"
#include "lint/cli/options.h"

namespace msci {
namespace {

OrderedJson severities(const LintRequest& request, std::span<const ListedRule> rules) {
  auto json = OrderedJson::object();
  for (const auto& rule : rules)
    json[std::string(rule.id)] = selected(rule, request)
                                     ? to_string(severity_of(rule.rule->severity, rule, request))
                                     : std::string_view("off");
  return json;
}

OrderedJson macros(const CompileOptions& compile) {
  auto json = OrderedJson::array();
  for (const auto& macro : compile.macros)
    json.push_back((macro.undefines ? "-U" : "-D") + macro.text);
  return json;
}

}  // namespace

// One version, or a list of several as --std takes it.
static std::string versions_of(const LintRequest& request) {
  if (request.versions.empty()) return spelling_of(request.compile.version);
  std::string text;
  for (const auto& each : request.versions) text += (text.empty() ? "" : ",") + spelling_of(each);
  return text;
}

static std::string targets_of(const LintRequest& request) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ",") + name; };
  for (const auto& each : request.contract.targets.gpus) add(each.name);
  for (const auto& each : request.contract.targets.systems) add(each.name);
  return text;
}

Result<std::string> settings_of(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules) {
  const auto config = configs.of(file);
  if (!config) return config.error();
  const auto request = request_for(file, lint_options, configs, rules);
  if (!request) return request.error();
  const auto& compile = request->compile;
  const OrderedJson json{
      {"file", file},
      {"config", config->path.empty() ? OrderedJson(nullptr) : OrderedJson(config->path)},
      {"excluded", excludes(*config, file)},
      {"std", versions_of(*request)},
      {"target", targets_of(*request)},
      {"fast_math", compile.fast_math},
      {"include_folders", compile.include_folders},
      {"system_folders", compile.system_folders},
      {"macros", macros(compile)},
      {"prelude", compile.prelude},
      {"include", compile.includes},
      {"readable_folders", compile.readable_folders},
      {"rules", severities(*request, rules)}};
  return json.dump(2) + "\n";
}

}  // namespace msci

#include "lint/service/protocol.h"

#include <fmt/format.h>

#include "base/files/read_file.h"
#include "base/json.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

constexpr JsonOptions json_options{.max_depth = 4};

// The host's files, if the request names any.
std::optional<std::vector<Source>> read_hosts(ObjectReader& reader) {
  std::vector<std::string> files;
  if (!reader.read("host", files)) return std::nullopt;
  std::vector<Source> hosts;
  for (const auto& file : files) {
    auto host = file == "-" ? Result<Source>(Error{"standard input holds requests; name a file"})
                            : read_source(file);
    if (!host) {
      reader.report_error("host", host.error().message);
      return std::nullopt;
    }
    hosts.push_back(*std::move(host));
  }
  return hosts;
}

// The name of a file, or false for no configuration.
void read_configuration(ObjectReader& reader, Configs& configs) {
  const auto* value = reader.find("config");
  if (!value) return;
  if (*value == false) {
    configs.use({});
    return;
  }
  if (!value->is_string()) {
    reader.report_kind("config", "the name of a file, or false");
    return;
  }
  auto config = read_config(value->get<std::string>());
  if (config)
    configs.use(*std::move(config));
  else
    reader.report_error("config", config.error().message);
}

// What to lint: the member "file", or "source" with an optional "name".
struct Target {
  std::optional<std::string> file;
  std::optional<std::string> text;
  std::optional<std::string> name;
};

std::optional<std::string> read_string(ObjectReader& reader, std::string_view key) {
  std::string text;
  return reader.read(key, text) ? std::optional(std::move(text)) : std::nullopt;
}

Result<Source> source_of(Target target) {
  if (target.file.has_value() == target.text.has_value())
    return Error{"a request has a \"file\", or a \"source\" with its text"};
  if (target.file && target.name)
    return Error{"\"name\" belongs to a \"source\"; a \"file\" has its own name"};
  if (target.file == "-")
    return Error{"\"file\": standard input holds requests; send the text as \"source\""};
  if (target.file) return read_source(*target.file);
  return source_from(target.name.value_or("<source>"), *std::move(target.text));
}

Result<LintJob> job_of(const OrderedJson& json, const ServerOptions& options) {
  auto lint_options = options.lint_options;
  auto configs = options.configs;
  ObjectReader reader(json, "a request");
  reader.find("id");
  Target target{.file = read_string(reader, "file"),
                .text = read_string(reader, "source"),
                .name = read_string(reader, "name")};
  std::string task;
  std::vector<std::string> kernels;
  reader.read("task", task);
  reader.read("kernel", kernels);
  auto hosts = read_hosts(reader);
  read_rule_members(reader, lint_options.select, lint_options.ignore, lint_options.severity,
                    lint_options.compile);
  read_configuration(reader, configs);
  if (auto error = reader.finish()) return *error;
  if (!task.empty() || !kernels.empty()) {
    auto contract = contract_from(task, kernels, "the request", options.find_task);
    if (!contract) return contract.error();
    contract->host = std::move(lint_options.contract.host);
    lint_options.contract = *std::move(contract);
  }
  if (hosts) lint_options.contract.host = nullptr;
  auto source = source_of(std::move(target));
  if (!source) return source.error();
  const auto config = configs.of(source->name);
  if (!config) return config.error();
  auto request = request_from(lint_options, *config, options.rules);
  if (!request) return request.error();
  return LintJob{.source = *std::move(source),
                 .request = *std::move(request),
                 .host = std::move(hosts).value_or(std::vector<Source>())};
}

}  // namespace

ServerRequest parse_request(std::string_view line, const ServerOptions& options) {
  const auto json = parse_json<OrderedJson>(line, json_options);
  if (!json)
    return {.job = Error{fmt::format("the line is not a JSON object: {}", json.error().message)}};
  if (!json->is_object()) return {.job = Error{"a request must be a JSON object"}};
  if (!json->contains("id")) return {.job = job_of(*json, options)};
  const auto& id = json->at("id");
  if (!id.is_string() && !id.is_number_integer())
    return {.job = Error{"\"id\": expected a string or an integer"}};
  return {.id = to_line(id), .job = job_of(*json, options)};
}

std::string to_response(const std::string& id, const Result<LintResult>& result,
                        const RulePages& rule_pages) {
  if (!result)
    return fmt::format("{{\"id\":{},\"error\":{}}}\n", id,
                       to_line(OrderedJson(result.error().message)));
  return fmt::format("{{\"id\":{},\"report\":{}}}\n", id, to_json(result->report, rule_pages));
}

}  // namespace msci

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/files/read_file.h"
#include "base/files/uri.h"
#include "lint/ide/protocol/code_actions.h"
#include "lint/ide/protocol/replies.h"
#include "lint/ide/server/documents.h"
#include "lint/output/rule_pages.h"

namespace msci {

void Commands::execute(const Json& id, const Json& params) {
  const std::string command = params.at("command");
  if (command == explain_command) return explain(id, params.at("arguments").at(0).at("rule"));
  const bool checks = command == check_command;
  if (!checks && command != evaluate_command)
    return session_.client.respond_error(id, ProtocolError::invalid_params,
                                         fmt::format("unknown command \"{}\"", command));
  const auto& argument = params.at("arguments").at(0);
  const std::string uri = argument.at("uri");
  const std::string task = argument.at("task");
  const auto path = path_of(uri);
  const auto* open = documents_.find(uri);
  const auto saved = read_source(path);
  if (!saved)
    return session_.client.respond_error(id, ProtocolError::request_failed, saved.error().message);
  if (open && open->source.text != saved->text)
    return session_.client.respond_error(id, ProtocolError::request_failed,
                                         "save the file first: msci-eval reads it from the disk");
  std::vector<std::string> arguments{path, "--task", task};
  if (checks) arguments.push_back("--check");
  session_.requests.evaluate(id, WorkDoneProgress(session_.client, progress_token(params)),
                             fmt::format("{} {} as {}", checks ? "check" : "evaluate",
                                         std::filesystem::path(path).filename().string(), task),
                             std::move(arguments));
}

void Commands::explain(const Json& id, const std::string& name) {
  const auto* rule = find_rule(session_.options.rules, name);
  if (!rule)
    return session_.client.respond_error(id, ProtocolError::invalid_params,
                                         fmt::format("unknown rule \"{}\"", name));
  const auto& pages = session_.options.rule_pages;
  if (session_.can_show_document && !pages.is_unknown())
    session_.client.request(
        "window/showDocument",
        {{"uri", pages.url_of(name)}, {"external", pages.is_on_the_web()}, {"takeFocus", true}});
  else
    session_.client.show(MessageType::information, beginning_of(page_of(*rule)));
  session_.client.respond(id, nullptr);
}

Json Commands::progress_token(const Json& params) {
  if (params.contains("workDoneToken") || !session_.can_show_progress)
    return params.value("workDoneToken", Json());
  const auto token = fmt::format("msci-progress-{}", ++progress_tokens_);
  session_.client.request("window/workDoneProgress/create", {{"token", token}});
  return token;
}

}  // namespace msci

// The messages between the server and its clients: JSON, one object on a line
// (docs/reference/server.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/output/rule_pages.h"
#include "lint/run/lint_files.h"

namespace msci {

// The kernels that the host of a task dispatches.
struct TaskContract {
  std::string task;
  std::vector<KernelContract> kernels;
};

// What a server lints with; options and configurations apply unless a request says otherwise.
struct ServerOptions {
  std::span<const ListedRule> rules;
  FindTask find_task = nullptr;
  LintOptions lint_options;
  Configs configs;
  RulePages rule_pages;
  std::vector<TaskContract> tasks;  // all of them
};

// A client's request.
struct ServerRequest {
  std::string id = "null";  // as JSON; the response repeats it
  Result<LintJob> job;
};

// Errors: malformed JSON, an unknown or missing key, a wrong value, a file that cannot be read.
ServerRequest parse_request(std::string_view line, const ServerOptions& options);

// A response, with its line feed.
std::string to_response(const std::string& id, const Result<LintResult>& result,
                        const RulePages& rule_pages);

}  // namespace msci

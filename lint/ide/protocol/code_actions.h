// Code actions: what an editor offers for the findings at a place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/ide/protocol/replies.h"
#include "lint/lint.h"

namespace msci {

// Opens the page of a rule; its argument is {"rule": id}.
constexpr std::string_view explain_command = "msci.explainRule";

struct CodeActionRequest {
  const FileReport& report;
  const Converter& converter;
  const std::string& uri;  // of the source
  Range range;
  std::vector<std::string> only;  // kinds of actions that the editor wants; empty: all
};

// For each finding in the range: its fixes, a comment that suppresses it unless it is an error, and
// its rule's page. For the source: all safe fixes.
Json code_actions(const CodeActionRequest& request);

}  // namespace msci

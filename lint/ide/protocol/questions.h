// Requests about one document that its parsed form answers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/ide/protocol/converter.h"
#include "lint/selection.h"
#include "lint/service/protocol.h"

namespace msci {

// A request, and what an isolated process knows that answers it.
struct Question {
  const Json& params;
  const Unit& unit;
  const Converter& converter;  // of the document
  std::string uri;             // of the document
  const OpenFiles& open;
  const LintRequest& request;
  std::span<const TaskContract> tasks;
};

// The result of a request; {"error": why} where the editor is to show a reason.
using Answer = Json (*)(const Question&);

// For a method such as "textDocument/documentSymbol"; null for methods of another kind.
Answer answer_to(std::string_view method);

// What the methods of answer_to() need in the server's capabilities.
Json question_capabilities();

}  // namespace msci

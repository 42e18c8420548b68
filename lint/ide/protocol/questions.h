// Requests about one document that its parsed form answers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/ide/protocol/converter.h"
#include "lint/selection.h"
#include "lint/service/protocol.h"

namespace msci {

// The input of an answer, in the process that has parsed the document.
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

// The answers to the questions of lint/ide/requests.def.
namespace answers {
#define MSCI_QUESTION(method, function, capability, options) \
  Json function(const Question& question);
#define MSCI_REQUEST(method, member, function, capability, options)
#include "lint/ide/requests.def"
#undef MSCI_REQUEST
#undef MSCI_QUESTION
Json all_tokens(const Question& question);
Json hover(const Question& question);
}  // namespace answers

}  // namespace msci

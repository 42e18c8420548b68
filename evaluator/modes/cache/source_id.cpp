#include <fmt/format.h>

#include <utility>

#include "evaluator/modes/cache/result_memo.h"

namespace msci {
namespace {

using Messages = std::vector<std::string*>;

void add_failures(std::vector<SizeResult>& sizes, Messages& messages) {
  for (auto& size : sizes)
    if (auto* failure = std::get_if<Failure>(&size.answer)) messages.push_back(&failure->message);
}

// Those that may name the source.
Messages messages_of(EvaluationResult& result) {
  Messages messages;
  auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) messages.push_back(&std::get<Error>(result.result).message);
  if (auto* rejected = outcome ? std::get_if<Rejected>(outcome) : nullptr)
    messages.push_back(&rejected->reason);
  if (auto* wrong = outcome ? std::get_if<Wrong>(outcome) : nullptr) {
    messages.push_back(&wrong->reason);
    add_failures(wrong->sizes, messages);
  }
  auto* scored = outcome ? std::get_if<Scored>(outcome) : nullptr;
  if (auto* held_out = scored && scored->held_out ? &*scored->held_out : nullptr)
    if (auto* failure = std::get_if<Failure>(&held_out->answer))
      messages.push_back(&failure->message);
  if (auto& strict = result.strict) {
    add_failures(strict->sizes, messages);
    for (auto& fault : strict->faults) messages.push_back(&fault);
    if (strict->not_checked) messages.push_back(&*strict->not_checked);
  }
  for (auto& diagnostic : result.diagnostics) messages.push_back(&diagnostic.message);
  return messages;
}

}  // namespace

std::string source_id(const std::string& digest) {
  return fmt::format("source-{}.metal", digest.substr(0, 32));
}

EvaluationResult named(EvaluationResult result, const std::string& file) {
  const auto id = std::exchange(result.file, file);
  for (auto* message : messages_of(result))
    for (auto at = message->find(id); at != message->npos; at = message->find(id, at + file.size()))
      message->replace(at, id.size(), file);
  return result;
}

}  // namespace msci

#include <fmt/format.h>

#include "lint/ide/server/documents.h"

namespace msci {

void EditorSession::show_error(std::string_view message) {
  client.show(MessageType::error, fmt::format("msci-lint: {}", message));
}

void EditorSession::respond_or_fail(const Json& id, Json result) {
  if (!result.is_object() || !result.contains("error"))
    return client.respond(id, std::move(result));
  client.respond_error(id, ProtocolError::request_failed, result["error"].get<std::string>());
}

Then EditorSession::responding_to(const Json& id) {
  return [this, id](Json result) { respond_or_fail(id, std::move(result)); };
}

void EditorSession::start_process(const Json& id, Then then, const std::function<Json()>& work) {
  requests.start(id, std::move(then), [&] { return to_line(work()); });
}

void EditorSession::start_request(const Json& id, const Preamble& preamble, Then then,
                                  const std::function<Json(PrecompiledPreamble)>& work) {
  preambles.prepare(preamble);
  start_process(id, std::move(then), [&] {
    auto start = preambles.take(preamble);
    return start ? work(*std::move(start)) : Json();
  });
}

}  // namespace msci

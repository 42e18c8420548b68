// What all requests of an editor share: the editor, and processes that work for it.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "compiler/frontend/preamble/preamble_cache.h"
#include "lint/ide/protocol/client.h"
#include "lint/ide/protocol/positions.h"
#include "lint/ide/protocol/requests.h"
#include "lint/service/server.h"

namespace msci {

struct EditorSession {
  explicit EditorSession(const ServerOptions& options) : options(options) {}

  const ServerOptions& options;
  PreambleCache preambles{4};
  Client client{STDOUT_FILENO};
  Requests requests{client, std::max(options.lint_options.jobs, 1u)};

  // What the editor takes, as "initialize" says.
  ColumnUnit unit = ColumnUnit::utf16;
  bool can_watch = false;
  bool can_show_progress = false;
  bool can_show_document = false;
  bool takes_versions = false;

  void show_error(std::string_view message);
  // Responds with a result, or with the reason of {"error": reason}.
  void respond_or_fail(const Json& id, Json result);
  Then responding_to(const Json& id);

  // Gives the result of `work`, which runs in an isolated process, to `then`.
  void start_process(const Json& id, Then then, const std::function<Json()>& work);
  // The same for work that goes on with a source that has this preamble.
  void start_request(const Json& id, const Preamble& preamble, Then then,
                     const std::function<Json(PrecompiledPreamble)>& work);
};

}  // namespace msci

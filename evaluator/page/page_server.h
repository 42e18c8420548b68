// msci-eval --page: a page in the browser on which a person edits kernels and sees what msci says
// about them (docs/guide/page.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/source.h"

namespace msci {

// A text that pages embed in the program: the page, its script and its style.
struct WebFile {
  std::string_view name;
  std::string_view text;
};
extern const std::vector<WebFile> web_files;

// What a page shows and may ask for.
struct PageContent {
  std::vector<Source> files;               // that the user named, by their absolute paths
  std::vector<std::string> tasks;          // the only ones of requests
  std::vector<std::string_view> verdicts;  // likewise
  OrderedJson gallery;                     // for the page: tasks with their seeds, rules, version
  std::vector<std::pair<std::string, std::string>> rule_pages;  // by id, in Markdown
};

struct PageServerOptions {
  std::uint16_t port = 0;  // 0: a free one
  PageContent content;
  std::vector<std::string> judge_command;     // msci-eval --server …
  std::vector<std::string> language_command;  // msci-lint --lsp …
};

// Prints the address of the page and serves it until SIGTERM or SIGINT. Errors: the port is taken.
[[nodiscard]] std::optional<Error> serve_page(const PageServerOptions& options);

}  // namespace msci

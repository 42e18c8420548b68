// msci-generate: generators for msci-search.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>

#include "base/command_line/option_table.h"
#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/install_paths.h"
#include "base/files/write_file.h"
#include "base/io/report.h"
#include "base/json.h"
#include "evaluator/server/answer_source.h"
#include "search/generate/endpoint.h"
#include "search/loop.h"

namespace msci::search {
namespace {

constexpr int will_not_answer = 78;  // EX_CONFIG of sysexits.h, which ends a search

constexpr const char* asks_for_code =
    "\n\nAn earlier answer held no code. Answer with the whole kernel in one fenced code block.\n";

constexpr const char* examples = R"(
A generator for msci-search: reads a prompt on standard input and prints an answer. "rewrite" takes
the kernel that the prompt asks to improve, or a kernel alone, and transforms it; the others print
the answer of a language model. They write the number of tokens and the cost to the file that
MSCI_USAGE names, and as one line per answer to --log, and take the key from the environment only.

Examples:
  msci-generate openai --url http://localhost:8000/v1/chat/completions --model NAME < prompt.md
  KEY=... msci-generate anthropic --url https://HOST/v1/messages --model NAME \
          --key-env KEY --set max_tokens=32000
  msci-generate rewrite --seed 1 --number 3 < kernel.metal

Exit status: 0 an answer, 1 no answer, or one without code, 2 invalid options, 78 the server refuses
the key or knows no such address or model (401, 403, 404), which ends a search.
)";

struct Options {
  Endpoint endpoint;
  std::string key_variable = "MSCI_API_KEY";
  std::vector<std::string> more;
  double limit = 300;
  double first_wait = 2;
  double input_price = 0;   // for a million tokens
  double output_price = 0;  // for a million tokens
  unsigned ask_again = 1;   // after an answer without code
  std::string log;
};

int report_error(const Error& error, int status = 1) {
  msci::report_error("msci-generate", error);
  return status;
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// One write, so that the lines of concurrent generators do not mix.
std::optional<Error> append_line(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const auto line = text + "\n";
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (file >= 0) ::close(file);
  if (!written) return Error{fmt::format("cannot write {}", path)};
  return std::nullopt;
}

std::optional<Error> write_usage(const Options& options, const Reply& reply, double seconds) {
  const double cost = (static_cast<double>(reply.input_tokens) * options.input_price +
                       static_cast<double>(reply.output_tokens) * options.output_price) /
                      1e6;
  const OrderedJson json = {{"model", options.endpoint.model},
                            {"iteration", variable("MSCI_ITERATION")},
                            {"input_tokens", reply.input_tokens},
                            {"output_tokens", reply.output_tokens},
                            {"cost", cost},
                            {"seconds", seconds},
                            {"attempts", reply.attempts}};
  if (const auto path = variable("MSCI_USAGE"); !path.empty())
    if (auto error = write_file(path, json.dump() + "\n")) return error;
  if (options.log.empty()) return std::nullopt;
  return append_line(options.log, json.dump());
}

Result<std::vector<std::pair<std::string, std::string>>> fields_of(
    const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      return Error{fmt::format("--set needs FIELD=JSON, not {}", setting)};
    fields.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return fields;
}

// An answer without code is asked for again; one that was cut would be cut again.
Result<Reply> ask_for_code(const Options& options, const std::string& prompt, bool& is_refused) {
  const auto say = [](const std::string& why) { msci::report_error("msci-generate", {why}); };
  auto reply = ask(options.endpoint, prompt, say, &is_refused);
  for (unsigned i = 0; reply && i < options.ask_again; ++i) {
    const auto source = find_source(reply->text);
    if (source || reply->was_cut) break;
    say(source.error().message + "; asking again");
    auto again = ask(options.endpoint, prompt + asks_for_code, say, &is_refused);
    if (!again) break;  // the first answer is what there is
    again->input_tokens += reply->input_tokens;
    again->output_tokens += reply->output_tokens;
    again->attempts += reply->attempts;
    reply = std::move(again);
  }
  return reply;
}

int ask_endpoint(Options& options) {
  auto more = fields_of(options.more);
  if (!more) return report_error(more.error(), 2);
  options.endpoint.more = *std::move(more);
  options.endpoint.key = variable(options.key_variable.c_str());
  options.endpoint.limit = milliseconds(options.limit);
  options.endpoint.first_wait = milliseconds(options.first_wait);
  const std::string prompt(std::istreambuf_iterator<char>(std::cin), {});
  const auto start = std::chrono::steady_clock::now();
  bool is_refused = false;
  const auto reply = ask_for_code(options, prompt, is_refused);
  if (!reply) return report_error(reply.error(), is_refused ? will_not_answer : 1);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (auto error = write_usage(options, *reply, seconds.count())) return report_error(*error);
  fmt::print("{}", reply->text);
  if (find_source(reply->text) || !reply->was_cut) return 0;
  std::fflush(stdout);
  return report_error(
      {"the answer was cut at the token limit before its code ended; allow more, as in --set "
       "max_tokens=32000"});
}

struct Rewriting {
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> number;
  std::string only;
};

// Becomes the program that has Clang; returns only if that fails.
int start_rewriter(const Rewriting& options) {
  const auto program = find_program("msci");
  if (!program) return report_error(program.error(), will_not_answer);
  const auto iteration = variable("MSCI_ITERATION");
  const auto number =
      options.number ? fmt::format("{}", *options.number) : (iteration.empty() ? "1" : iteration);
  ::execl(program->c_str(), "msci-rewrite", fmt::format("{}", options.seed).c_str(), number.c_str(),
          options.only.c_str(), nullptr);
  return report_error({fmt::format("cannot start {}: {}", *program, std::strerror(errno))},
                      will_not_answer);
}

std::vector<OptionRow> rewriting_rows(Rewriting& options) {
  return {
      option("--seed", &options.seed, "the order in which rewrites are tried",
             {.value = "N", .shows_default = true}),
      option("--number", &options.number,
             "which rewrite in that order, from 1 (default: MSCI_ITERATION, which a search sets)",
             {.value = "N", .check = OptionRange{1}}),
      option("--only", &options.only, "use this transformation alone (docs/guide/rewriting.md)",
             {.value = "NAME"}),
  };
}

std::vector<OptionRow> endpoint_rows(Options& options) {
  auto& endpoint = options.endpoint;
  const OptionTraits count{.value = "N", .shows_default = true};
  return {
      option("--url", &endpoint.url, "URL of the endpoint, with its path",
             {.value = "URL", .is_required = true}),
      option("--model", &endpoint.model, "name of the model",
             {.value = "NAME", .is_required = true}),
      option("--key-env", &options.key_variable, "environment variable that holds the key",
             {.value = "NAME", .shows_default = true}),
      option("--set", &options.more,
             "FIELD=VALUE: another field of the request, such as temperature=0.7",
             {.value = "FIELD=VALUE"}),
      option("--limit", &options.limit, "seconds per attempt",
             {.value = "SECONDS", .check = OptionRange{0.001, 1e6}, .shows_default = true}),
      option("--retries", &endpoint.retries,
             "number of retries after a failed connection or status 408, 429 or 5xx", count),
      option("--first-wait", &options.first_wait,
             "seconds before the first retry; each further wait is twice as long",
             {.value = "SECONDS", .check = OptionRange{}, .shows_default = true}),
      option("--ask-again", &options.ask_again,
             "number of times to ask again after an answer without a code block", count),
      option("--input-price", &options.input_price, "price of a million tokens of prompts",
             {.value = "PRICE"}),
      option("--output-price", &options.output_price, "price of a million tokens of answers",
             {.value = "PRICE"}),
      option("--log", &options.log, "append a line of JSON per answer to this file",
             {.value = "FILE"}),
  };
}

}  // namespace
}  // namespace msci::search

int main(int argc, char** argv) {
  using msci::search::Endpoint;
  msci::search::Options options;
  msci::search::Rewriting rewriting;
  CLI::App app("Writes a kernel: asks a language model, or rewrites one.", "msci-generate");
  app.footer(msci::search::examples);
  app.require_subcommand(1);
  auto* openai = app.add_subcommand("openai", "an endpoint for chat completions");
  auto* anthropic = app.add_subcommand("anthropic", "an endpoint for messages");
  for (auto* endpoint : {openai, anthropic})
    msci::declare(*endpoint, {{"", msci::search::endpoint_rows(options)}});
  auto* rewrite = app.add_subcommand("rewrite", "transform the kernel, without a model");
  msci::declare(*rewrite, {{"", msci::search::rewriting_rows(rewriting)}});
  msci::describe_itself(app);
  msci::shorten_help(app, {.page = "docs/guide/search.md"});
  const auto parsed = msci::parse_command_line(app, argc, argv);
  if (!parsed) return msci::search::report_error(parsed.error(), 2);
  if (*parsed == msci::Parsed::answered) return 0;
  if (*rewrite) return msci::search::start_rewriter(rewriting);
  options.endpoint.style = *openai ? Endpoint::Style::openai : Endpoint::Style::anthropic;
  return msci::search::ask_endpoint(options);
}

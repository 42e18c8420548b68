#include "evaluator/modes/page/open_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/source_files.h"
#include "engine/device/device.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/page/page_server.h"
#include "evaluator/server/judge_request.h"
#include "lint/output/rule_pages.h"
#include "rules/rules.h"
#include "tasks/describe.h"
#include "tasks/plan/plan_file.h"

namespace msci {
namespace {

constexpr std::size_t most_files = 200;
// Of a page, where a person waits; a kernel that never ends is stopped sooner.
constexpr double default_time_limit = 30;

// The sources that the user named, under their absolute paths. Errors: one cannot be read, or a
// folder has none or too many.
Result<std::vector<Source>> named_sources(const std::vector<std::string>& arguments) {
  const auto files = expand(arguments, [](const std::string&, bool) { return std::string(); });
  if (!files.errors.empty()) return files.errors.front();
  if (files.names.size() > most_files)
    return Error{
        fmt::format("the folder has {} Metal sources, and a page holds {}; name a smaller one",
                    files.names.size(), most_files)};
  std::vector<Source> sources;
  for (const auto& name : files.names) {
    auto source = read_source(name);
    if (!source) return source.error();
    if (name != "-") source->name = std::filesystem::absolute(name).lexically_normal();
    sources.push_back(*std::move(source));
  }
  return sources;
}

// What requests call a task. The names of two plans may be the same.
std::string id_of(const Task& task) {
  return std::string(task.plan_file.empty() ? task.name : task.plan_file);
}

OrderedJson gallery_entry(const Task& task) {
  auto json = parse_json<OrderedJson>(describe_as_json(task)).value();
  json["id"] = id_of(task);
  return json;
}

// What follows "// KEY: " in the first lines of a kernel of the corpus.
std::string header_field(std::string_view text, std::string_view key) {
  const auto mark = fmt::format("// {}: ", key);
  auto begin = text.find(mark);
  if (begin == std::string_view::npos) return "";
  begin += mark.size();
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

// The words about a kernel of the corpus and its text, without the lines for tests before them.
OrderedJson gallery_entry(const ExampleBug& bug) {
  constexpr std::string_view end_of_header = "\n//\n";
  const auto end = bug.text.find(end_of_header);
  const auto text =
      end == std::string_view::npos ? bug.text : bug.text.substr(end + end_of_header.size());
  std::string title(bug.name);
  std::ranges::replace(title, '_', ' ');
  return {{"name", bug.name},
          {"title", std::move(title)},
          {"task", header_field(bug.text, "task")},
          {"class", header_field(bug.text, "class")},
          {"text", text}};
}

// Those that the options name come first.
std::vector<const Task*> tasks_of_page(std::vector<const Task*> named) {
  for (const auto* task : all_tasks())
    if (std::ranges::find(named, task) == named.end()) named.push_back(task);
  return named;
}

Result<PageContent> content_of(const EvaluatorOptions& options) {
  auto sources = named_sources(options.candidates.files);
  if (!sources) return sources.error();
  const auto named = find_tasks(options.candidates.tasks);
  if (!named) return named.error();
  PageContent content{.files = *std::move(sources), .verdicts = verdicts_on_page()};
  auto& gallery = content.gallery;
  gallery["version"] = program_version();
  for (const char* list : {"files", "tasks", "bugs", "rules"}) gallery[list] = OrderedJson::array();
  for (const auto& source : content.files)
    gallery["files"].push_back({{"name", source.name}, {"text", source.text}});
  for (const auto* task : tasks_of_page(*named)) {
    content.tasks.push_back(id_of(*task));
    gallery["tasks"].push_back(gallery_entry(*task));
  }
  gallery["task"] = named->size() == 1 ? id_of(*named->front()) : "";
  for (const auto& bug : example_bugs) gallery["bugs"].push_back(gallery_entry(bug));
  for (const auto& rule : all_rules()) {
    gallery["rules"].push_back({{"id", rule.id}, {"summary", rule.summary()}});
    content.rule_pages.emplace_back(rule.id, page_of(rule));
  }
  return content;
}

// The words of the command line that say how sources are compiled.
std::vector<std::string> words_of(const CompileArguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const auto& value : values) words.insert(words.end(), {option, value});
  };
  if (!arguments.standard.empty()) add("--std", {arguments.standard});
  add("-I", arguments.include_folders);
  add("--isystem", arguments.system_folders);
  add("-D", arguments.defines);
  add("-U", arguments.undefines);
  add("--include", arguments.includes);
  if (arguments.fast_math)
    words.emplace_back(*arguments.fast_math ? "--fast-math" : "--no-fast-math");
  if (!arguments.flags.empty()) words.emplace_back("--");
  words.insert(words.end(), arguments.flags.begin(), arguments.flags.end());
  return words;
}

// The options of devices and compilation go on to the servers.
Result<PageServerOptions> page_options(const EvaluatorOptions& options) {
  const auto eval = find_program("msci-eval");
  if (!eval) return eval.error();
  const auto lint = find_program("msci-lint");
  if (!lint) return lint.error();
  const auto& devices = options.devices;
  PageServerOptions page{.port = static_cast<std::uint16_t>(options.page.port),
                         .judge_command = {*eval, "--server"},
                         .language_command = {*lint, "--lsp"}};
  for (const auto& name : devices.names) {
    page.judge_command.push_back("--device");
    page.judge_command.push_back(name.empty() ? std::string(cpu_device_name) : name);
  }
  page.judge_command.push_back("--time-limit");
  page.judge_command.push_back(fmt::format("{}", devices.time_limit.value_or(default_time_limit)));
  const auto shared = words_of(options.compile_arguments);
  for (auto* command : {&page.judge_command, &page.language_command})
    command->insert(command->end(), shared.begin(), shared.end());
  return page;
}

}  // namespace

int open_page(const EvaluatorOptions& options) {
  if (options.candidates.files.size() > 1)
    return report_error({"--page opens one FILE or one folder"});
  auto page = page_options(options);
  if (!page) return report_error(page.error());
  auto content = content_of(options);
  if (!content) return report_error(content.error());
  page->content = *std::move(content);
  const auto error = serve_page(*page);
  return error ? report_error(*error) : all_right;
}

}  // namespace msci

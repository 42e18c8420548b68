#include "base/command_line/short_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/files/install_paths.h"

namespace msci {
namespace {

constexpr std::size_t text_column = 28;  // where the descriptions of options begin

using Lines = std::vector<std::string>;

// Words in lines that start in that column; the first line continues `start`.
Lines wrapped(std::string start, const std::string& text, std::size_t column) {
  Lines lines;
  const auto begin_line = [&] {
    lines.push_back(std::move(start));
    start = std::string(column, ' ');
  };
  if (start.size() + 1 > column && column > 0) begin_line();
  start.resize(std::max(start.size(), column), ' ');
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    at = end + 1;
    if (start.size() > column && start.size() + 1 + word.size() > help_columns) begin_line();
    if (start.size() > column) start += ' ';
    start += word;
  }
  begin_line();
  return lines;
}

void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

// "--jobs UINT", "FILE..."
std::string heading(const OptionText& option) {
  if (option.is_positional) return option.names.front() + (option.may_repeat ? "..." : "");
  auto text = fmt::format("{}", fmt::join(option.names, ","));
  return option.value.empty() ? text : text + " " + option.value;
}

Lines lines_of(const OptionText& option) {
  return wrapped("  " + heading(option), explanation_of(option), text_column);
}

// Where the first "; " stands that no parenthesis holds, or the end.
std::size_t end_of_clause(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && text.substr(i).starts_with("; ")) return i;
  }
  return text.size();
}

// The same with the first clause of a long text; --help-all has the rest. Clauses about the choices
// stay together.
OptionText shortened(OptionText option) {
  constexpr std::size_t long_text = 160;
  if (option.text.size() > long_text && option.choices.empty())
    option.text.resize(end_of_clause(option.text));
  return option;
}

// The first lines: what the program does, and how to call it.
Lines introduction(const ProgramText& program) {
  auto lines = wrapped("", program.summary, 0);
  auto usage = fmt::format("Usage: {} [OPTIONS]", program.name);
  if (!program.commands.empty()) usage += " COMMAND";
  for (const auto& option : program.options)
    if (option.is_positional)
      usage += option.is_required ? " " + heading(option) : fmt::format(" [{}]", heading(option));
  lines.push_back(usage);
  lines.emplace_back();
  for (const auto& option : program.options)
    if (option.is_positional) append(lines, lines_of(option));
  return lines;
}

Lines commands_of(const ProgramText& program) {
  if (program.commands.empty()) return {};
  Lines lines = {"", "Subcommands:"};
  for (const auto& command : program.commands)
    append(lines, wrapped("  " + command.name, command.summary, text_column));
  return lines;
}

// Remarks and exit statuses.
Lines paragraphs(const std::vector<std::string>& texts, std::string_view title = {}) {
  Lines lines;
  for (const auto& text : texts) {
    lines.emplace_back();
    append(lines, wrapped("", fmt::format("{}{}", title, text), 0));
  }
  return lines;
}

// The examples of a program that start this command, with their further lines.
Lines examples_with(const Lines& all, const std::string& command) {
  Lines chosen;
  bool is_chosen = false;
  for (const auto& line : all) {
    if (!line.starts_with("   ")) is_chosen = line.find(command) != line.npos;
    if (is_chosen) chosen.push_back(line);
  }
  return chosen;
}

// The first examples, in at most that many lines; an example's further lines are indented more.
Lines examples_of(const ProgramText& program, std::size_t most) {
  const auto& all = program.examples;
  std::size_t taken = 0;
  for (std::size_t next = 0; next < all.size() && next + 2 <= most;) {
    for (++next; next < all.size() && all[next].starts_with("   ");) ++next;
    if (next + 2 <= most) taken = next;
  }
  if (taken == 0) return {};
  Lines lines = {"", "Examples:"};
  lines.insert(lines.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(taken));
  return lines;
}

std::string joined(const Lines& lines) { return fmt::format("{}\n", fmt::join(lines, "\n")); }

Lines ending(std::string_view page) { return {"", fmt::format("Page: {}", page)}; }

bool is_short(const OptionText& option, const ShortHelp& help) {
  return std::any_of(option.names.begin(), option.names.end(), [&](const std::string& name) {
    return name == "--help" || name == "--help-all" || std::ranges::count(help.options, name) > 0;
  });
}

// Where the page is on this system, or its name in the documentation.
std::string place_of(const std::string& page) {
  const auto folder = documentation_folder();
  return folder.empty() ? page : folder + "/" + page;
}

}  // namespace

std::string to_short_help(const ProgramText& program, const ShortHelp& help,
                          std::string_view page) {
  auto lines = introduction(program);
  if (!lines.back().empty()) lines.emplace_back();
  lines.emplace_back("Options:");
  for (const auto& option : program.options)
    if (!option.is_positional && (help.options.empty() || is_short(option, help)))
      append(lines, lines_of(help.options.empty() ? option : shortened(option)));
  append(lines, commands_of(program));
  auto end = paragraphs(program.exits, "Exit status: ");
  append(end, ending(page));
  const auto remarks = paragraphs(program.remarks);
  if (lines.size() + remarks.size() + end.size() + 3 <= help_lines) append(lines, remarks);
  const auto used = std::min(lines.size() + end.size(), help_lines);
  append(lines, examples_of(program, help_lines - used));
  append(lines, end);
  return joined(lines);
}

std::string to_full_help(const ProgramText& program, std::string_view page) {
  auto lines = introduction(program);
  for (const auto& group : groups_of(program.options)) {
    if (!lines.back().empty()) lines.emplace_back();
    lines.push_back(group + ":");
    for (const auto& option : program.options)
      if (!option.is_positional && option.group == group) append(lines, lines_of(option));
  }
  append(lines, commands_of(program));
  append(lines, paragraphs(program.remarks));
  if (!program.tables.empty()) lines.emplace_back();
  append(lines, program.tables);
  append(lines, examples_of(program, program.examples.size() + 2));
  append(lines, paragraphs(program.exits, "Exit status: "));
  append(lines, ending(page));
  return joined(lines);
}

void shorten_help(CLI::App& app, const ShortHelp& help) {
  app.set_help_all_flag("--help-all", "print the help with all options and exit");
  app.get_help_ptr()->description("print this help and exit");
  const auto print = [help](const CLI::App* each, const std::string&, CLI::AppFormatMode mode) {
    const auto page = place_of(help.page);
    return mode == CLI::AppFormatMode::All ? to_full_help(text_of(*each), page)
                                           : to_short_help(text_of(*each), help, page);
  };
  app.formatter_fn(print);
  const auto print_command = [page = help.page](const CLI::App* each, const std::string&,
                                                CLI::AppFormatMode) {
    auto text = text_of(*each);
    text.name = fmt::format("{} {}", each->get_parent()->get_name(), text.name);
    text.examples = examples_with(text.examples, text.name);
    return to_short_help(text, {.page = page}, place_of(page));
  };
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->formatter_fn(print_command);
    command->get_help_ptr()->description("print this help and exit");
  }
}

}  // namespace msci

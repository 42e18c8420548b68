#include <fmt/format.h>

#include <algorithm>

#include "base/command_line/self_description.h"

namespace msci {
namespace {

// Escapes a text for roff.
std::string plain(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else
      escaped += c;
  }
  return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

// "-j, --jobs UINT", the names in bold.
std::string manual_heading(const OptionText& option) {
  std::string text;
  for (const auto& name : option.names)
    text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ", plain(name));
  if (option.is_positional || option.value.empty()) return text;
  return text + fmt::format(" \\fI{}\\fR", option.value);
}

std::string item(const OptionText& option) {
  return fmt::format(".TP\n{}\n{}\n", manual_heading(option), plain(explanation_of(option)));
}

std::string manual_paragraphs(const char* title, const std::vector<std::string>& texts) {
  std::string text;
  for (const auto& each : texts)
    text += text.empty() ? fmt::format(".SH {}\n{}\n", title, plain(each))
                         : fmt::format(".PP\n{}\n", plain(each));
  return text;
}

// Lines that keep their breaks and spaces.
std::string as_they_are(const std::vector<std::string>& lines) {
  std::string text = ".nf\n";
  for (const auto& line : lines) text += plain(line) + "\n";
  return text + ".fi\n";
}

// By group, with headings if there are several.
std::string items(const std::vector<OptionText>& options) {
  std::string text;
  for (const auto& group : groups_of(options)) {
    if (group != options.front().group) text += fmt::format(".SS {}\n", plain(group));
    for (const auto& option : options)
      if (option.group == group) text += item(option);
  }
  return text;
}

std::string synopsis(const ProgramText& program) {
  std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", plain(program.name));
  if (!program.commands.empty()) text += " \\fICOMMAND\\fR";
  for (const auto& option : program.options) {
    if (!option.is_positional) continue;
    const auto name =
        fmt::format("\\fI{}\\fR{}", option.names.front(), option.may_repeat ? "..." : "");
    text += option.is_required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

// Lists of programs have no full stops.
std::string short_summary(const ProgramText& program) {
  return program.summary.substr(0, program.summary.find_last_not_of('.') + 1);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::string to_man(const ProgramText& program) {
  auto text = fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n", upper(plain(program.name)),
                          plain(program.version));
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", plain(program.name),
                      plain(short_summary(program)), synopsis(program));
  text += manual_paragraphs("DESCRIPTION", program.remarks);
  text += ".SH OPTIONS\n" + items(program.options);
  if (!program.commands.empty()) text += ".SH COMMANDS\n";
  for (const auto& command : program.commands)
    text += fmt::format(".SS {}\n{}\n{}", plain(command.name), plain(command.summary),
                        items(command.options));
  if (!program.tables.empty()) text += ".SH TABLES\n" + as_they_are(program.tables);
  if (!program.examples.empty()) text += ".SH EXAMPLES\n" + as_they_are(program.examples);
  text += manual_paragraphs("EXIT STATUS", program.exits);
  return text +
         ".SH SEE ALSO\n.BR msci\\-lint (1),\n.BR msci\\-eval (1),\n.BR msci\\-tasks (1),\n"
         ".BR msci\\-search (1),\n.BR msci\\-report (1),\n.BR msci\\-generate (1)\n";
}

}  // namespace msci

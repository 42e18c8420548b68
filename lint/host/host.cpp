#include "lint/host/host.h"

#include <algorithm>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/readers/readers.h"
#include "lint/host/syntax/parser.h"

namespace msci {
namespace {

// The text with a line break at its end, so that the next file starts on a new line.
std::string whole_lines(const Source& file) {
  return file.text.empty() || file.text.ends_with('\n') ? file.text : file.text + '\n';
}

// The language of a file whose words are read; nothing for one that is interpreted.
std::optional<host::HostLanguage> language_of_text(const Source& file) {
  const auto language = host::language_of(file.name);
  return language == host::HostLanguage::c_family ? std::nullopt : language;
}

// All files in C++ and its relatives as one source. The lines of others are empty.
Source joined(const std::vector<Source>& files) {
  Source all{.name = files.front().name};
  for (const auto& file : files) {
    const auto text = whole_lines(file);
    all.text += language_of_text(file)
                    ? std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n')
                    : text;
  }
  return all;
}

}  // namespace

std::pair<const Source*, Range> Host::place(const Range& range) const {
  auto place = range;
  for (const auto& file : files) {
    const auto text = whole_lines(file);
    const auto lines = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
    if (place.begin.line <= lines || &file == &files.back()) return {&file, place};
    place.begin.line -= lines;
    place.end.line -= lines;
  }
  return {nullptr, range};
}

Host read_host(std::vector<Source> files) {
  Host host{.files = std::move(files)};
  const auto is_c = [](const Source& file) { return !language_of_text(file); };
  if (std::ranges::any_of(host.files, is_c)) host::interpret(host::parse(joined(host.files)), host);
  unsigned lines_before = 0;
  for (const auto& file : host.files) {
    if (const auto language = language_of_text(file))
      host::read_text_host(file, *language, lines_before, host);
    lines_before += static_cast<unsigned>(std::ranges::count(whole_lines(file), '\n'));
  }
  return host;
}

}  // namespace msci

#include "lint/host/host.h"

#include <algorithm>

#include "lint/host/interpreter/interpreter.h"
#include "lint/host/syntax/parser.h"

namespace msci {
namespace {

// The text with a line break at its end, so that the next file starts on a new line.
std::string whole_lines(const Source& file) {
  return file.text.empty() || file.text.ends_with('\n') ? file.text : file.text + '\n';
}

// All files as one source.
Source joined(const std::vector<Source>& files) {
  Source all{.name = files.front().name};
  for (const auto& file : files) all.text += whole_lines(file);
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
  host::interpret(host::parse(joined(host.files)), host);
  return host;
}

}  // namespace msci

#include "lint/host/host.h"

#include <algorithm>

#include "lint/host/follow.h"

namespace msci {
namespace {

// With an end to the last line, so that the next file starts on one of its own.
std::string text_in_lines(const Source& file) {
  return file.text.empty() || file.text.ends_with('\n') ? file.text : file.text + '\n';
}

Source joined(const std::vector<Source>& files) {
  Source all{.name = files.front().name};
  for (const auto& file : files) all.text += text_in_lines(file);
  return all;
}

}  // namespace

std::pair<const Source*, Range> Host::place(const Range& range) const {
  auto place = range;
  for (const auto& file : files) {
    const auto text = text_in_lines(file);
    const auto lines = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
    if (place.begin.line <= lines || &file == &files.back()) return {&file, place};
    place.begin.line -= lines;
    place.end.line -= lines;
  }
  return {nullptr, range};
}

Host read_host(std::vector<Source> files) {
  Host host{.files = std::move(files)};
  host::follow(host::syntax_of(joined(host.files)), host);
  return host;
}

}  // namespace msci

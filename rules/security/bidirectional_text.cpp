#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

#include <algorithm>
#include <array>

#include "lint/analysis/raw_tokens.h"
#include "lint/rule.h"

namespace msci {
namespace {

// The embeddings, overrides and isolates of the Unicode bidirectional algorithm, and their ends.
constexpr std::array<std::string_view, 9> controls = {
    "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"};
constexpr std::size_t control_bytes = 3;

bool is_control_at(std::string_view text, std::size_t at) {
  return std::ranges::find(controls, text.substr(at, control_bytes)) != controls.end();
}

// The beginnings of the user's files: the source, and those that it includes.
std::vector<Place> files_of(const Unit& unit) {
  const auto& sources = unit.compiler().getSourceManager();
  std::vector<Place> files;
  for (unsigned i = 1; i < sources.local_sloc_entry_size(); ++i) {
    const auto& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const auto begin = clang::SourceLocation::getFromRawEncoding(entry.getOffset());
    const auto place = unit.locate(begin);
    if (place.is_known()) files.push_back(place);
  }
  return files;
}

// Reports the first control of the line from `begin` up to `end`; the fix removes all of it. It is
// safe in comments and between words: a string may mean them.
void report_line(const FileTokens& tokens, const std::string& file, std::size_t begin,
                 std::size_t end, Reporter& report) {
  const auto& source = tokens.source();
  std::vector<Edit> edits;
  bool is_safe = true;
  for (auto at = begin; at < end; ++at) {
    if (!is_control_at(source.text, at)) continue;
    const Range range{location_at(source, at), location_at(source, at + control_bytes)};
    edits.push_back({{.file = file, .range = range}, ""});
    is_safe = is_safe && std::ranges::none_of(tokens.words(), [&](const RawToken& word) {
                return word.offset <= at && at < word.end();
              });
  }
  if (edits.empty()) return;
  const auto place = edits.front().place;
  auto draft = report(place, "a control character turns the direction of the text behind it");
  if (is_safe) draft.fix(std::move(edits));
}

void check_file(const Unit& unit, const Place& file, Reporter& report) {
  const std::string_view text = unit.source_of(file).text;
  if (text.find("\xe2\x80") == text.npos && text.find("\xe2\x81") == text.npos) return;
  const FileTokens tokens(unit, file);
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    report_line(tokens, file.file, begin, end, report);
    begin = end + 1;
  }
}

}  // namespace

extern constinit const Rule bidirectional_text{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& file : files_of(unit)) check_file(unit, file, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci

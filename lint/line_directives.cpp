#include "lint/line_directives.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"
#include "lint/analysis/raw_tokens.h"

namespace msci {
namespace {

// No source has more lines; larger numbers are not places in it.
constexpr unsigned most_lines = 1'000'000;

struct LineDirective {
  unsigned line = 0;    // where it stands
  unsigned number = 0;  // of the next line
  std::string file;
};

bool may_have_directives(std::string_view text) {
  for (auto at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    const auto rest = trimmed(text.substr(at + 1, 16));
    if (rest.starts_with("line") ||
        (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]))))
      return true;
  }
  return false;
}

std::vector<LineDirective> directives_in(const Source& source) {
  std::vector<LineDirective> found;
  if (!may_have_directives(source.text)) return found;
  const auto words = raw_tokens(source);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!words[i].is("#") || !words[i].starts_line) continue;
    const auto at = words[i + 1].is("line") ? i + 2 : i + 1;
    if (at >= words.size() || words[at].starts_line) continue;
    const auto digits = words[at].text;
    LineDirective each{.line = location_at(source, words[i].offset).line,
                       .file = found.empty() ? source.name : found.back().file};
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), each.number);
    if (error != std::errc() || end != digits.data() + digits.size()) continue;
    const auto name = at + 1 < words.size() && !words[at + 1].starts_line ? words[at + 1].text : "";
    if (name.size() > 2 && name.front() == '"') each.file = name.substr(1, name.size() - 2);
    found.push_back(std::move(each));
  }
  return found;
}

// A file that directives name, made of the lines that findings mention.
struct NamedFile {
  std::map<unsigned, std::string> lines;
  std::vector<Note*> notes;  // in it

  Source source(const std::string& name) const {
    Source made{.name = name};
    unsigned line = 1;
    for (const auto& [number, text] : lines) {
      made.text.append(number - line, '\n');
      line = number;
      made.text += text;
    }
    return made;
  }
};

class Mover {
 public:
  explicit Mover(Report& report) : report_(report) {}

  void move(Finding& finding) {
    const auto places = places_of(finding);
    const auto* file = move(finding.range, report_.source_of(finding));
    if (file) {
      finding.file = *file;
      finding.fixes.clear();
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto& note = finding.notes[i];
      auto range = places[i].range;
      const auto* named = move(range, places[i].source);
      if (!named) continue;
      note.range = range;
      files_[*named].notes.push_back(&note);
    }
  }

  // Adds the named files to the report, and gives the notes in them their lines.
  void finish() {
    auto last = Lines(report_.source.text).at(report_.source.text.size()).line;
    for (const auto& each : report_.included) last = std::max(last, each.last_line);
    for (auto& [name, file] : files_) {
      auto source = file.source(name);
      const auto lines = file.lines.rbegin()->first;
      for (auto* note : file.notes) {
        note->range.begin.line += last;
        note->range.end.line += last;
      }
      report_.included.push_back({std::move(source), last + 1, last + lines});
      last += lines;
    }
  }

 private:
  std::vector<Place> places_of(const Finding& finding) const {
    std::vector<Place> places;
    for (const auto& note : finding.notes) places.push_back(report_.place_of(finding, note));
    return places;
  }

  // Changes a range of the source to what the directives before it say. Returns the file that they
  // name, or null without any.
  const std::string* move(Range& range, const Source& source) {
    const auto& directives = directives_of(source);
    const auto next = std::partition_point(
        directives.begin(), directives.end(),
        [&](const LineDirective& each) { return each.line < range.begin.line; });
    if (next == directives.begin()) return nullptr;
    const auto& last = *std::prev(next);
    const auto height = range.end.line - range.begin.line;
    const auto first = last.number + (range.begin.line - last.line - 1);
    if (first == 0 || last.number > most_lines || first + height > most_lines) return nullptr;
    auto& lines = files_[last.file].lines;
    for (unsigned i = 0; i <= height; ++i)
      lines[first + i] = line_at(source.text, range.begin.line + i);
    range.begin.line = first;
    range.end.line = first + height;
    return &last.file;
  }

  const std::vector<LineDirective>& directives_of(const Source& source) {
    const auto known = directives_.find(&source);
    if (known != directives_.end()) return known->second;
    return directives_.emplace(&source, directives_in(source)).first->second;
  }

  Report& report_;
  std::map<std::string, NamedFile> files_;
  std::map<const Source*, std::vector<LineDirective>> directives_;
};

}  // namespace

void apply_line_directives(Report& report) {
  Mover mover(report);
  const auto is_in_text = [&](const Finding& finding) {
    const auto& source = report.source_of(finding);
    return &source == &report.source ||
           std::any_of(report.included.begin(), report.included.end(),
                       [&](const IncludedText& each) { return &each.source == &source; });
  };
  for (auto& finding : report.findings)
    if (is_in_text(finding)) mover.move(finding);  // not in a host
  for (auto& each : report.suppressed)
    if (is_in_text(each.finding)) mover.move(each.finding);
  mover.finish();
}

}  // namespace msci

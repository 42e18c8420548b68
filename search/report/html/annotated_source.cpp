#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/diagnostic.h"
#include "base/formats/xml.h"
#include "base/text.h"
#include "search/report/html/pages.h"
#include "search/report/summary.h"

namespace msci {
namespace {

// "line 3", or "line 3 of common.h".
std::string line_text(const Place& place) {
  const auto line = fmt::format("line {}", place.range.begin.line);
  return place.file.empty() ? line : fmt::format("{} of {}", line, escape_xml(place.file));
}

// "<b>error</b> column 42: message [rule]", with the notes behind it.
std::string described(const Diagnostic& finding) {
  const auto severity = to_string(finding.severity);
  auto text = fmt::format("<b class=\"{0}\">{0}</b> ", severity);
  if (finding.place.range.begin.column > 0)
    text += fmt::format("column {}: ", finding.place.range.begin.column);
  text += fmt::format("{} [{}]", escape_xml(finding.message), escape_xml(finding.id));
  for (const auto& note : finding.notes)
    text += note.place.is_known()
                ? fmt::format("<br>{}: {}", line_text(note.place), escape_xml(note.message))
                : fmt::format("<br>{}", escape_xml(note.message));
  return text;
}

// By line.
using Findings = std::multimap<unsigned, const Diagnostic*>;

class SourceTable {
 public:
  SourceTable(const std::string& source, const std::vector<Diagnostic>& findings,
              const ProfilePage* profile)
      : source_(source) {
    for (const auto& finding : findings)
      if (finding.place.file.empty()) findings_.emplace(finding.place.range.begin.line, &finding);
    if (profile && !profile->sizes.empty()) profile_.emplace(*profile);
  }

  std::string str() const {
    std::string text;
    if (profile_) text += fmt::format("<p>{}</p>\n", escape_xml(profile_->note()));
    text +=
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"source\">\n<thead><tr><th>line</th>"
        "<th class=\"words\">source</th>";
    if (profile_)
      for (const auto& column : ProfileLines::columns()) text += fmt::format("<th>{}</th>", column);
    text += "</tr></thead>\n<tbody>\n";
    for (unsigned line = 1; line <= lines_in(source_); ++line) text += rows_of(line);
    return text + "</tbody></table></div>\n";
  }

 private:
  std::string rows_of(unsigned line) const {
    const auto [begin, end] = findings_.equal_range(line);
    auto text = fmt::format(
        "<tr id=\"L{0}\"{1}><td class=\"number\"><a href=\"#L{0}\">{0}</a></td>"
        "<td class=\"words\">{2}</td>{3}</tr>\n",
        line, begin == end ? "" : " class=\"flagged\"",
        escape_xml(printable(line_at(source_, line))), profile_cells(line));
    const auto columns = profile_ ? ProfileLines::columns().size() + 1 : 1;
    for (auto finding = begin; finding != end; ++finding)
      text += fmt::format(
          "<tr class=\"finding\"><td></td><td class=\"words\" "
          "colspan=\"{}\"><div>{}</div></td></tr>\n",
          columns, described(*finding->second));
    return text;
  }

  std::string profile_cells(unsigned line) const {
    if (!profile_) return {};
    std::string text;
    for (const auto& cell : profile_->cells(line))
      text += text.empty() && !cell.empty()
                  ? fmt::format("<td class=\"share\" style=\"--share:{:.1f}%\">{}</td>",
                                100 * profile_->share(line), cell)
                  : fmt::format("<td>{}</td>", cell);
    return text;
  }

  const std::string& source_;
  Findings findings_;
  std::optional<ProfileLines> profile_;
};

}  // namespace

std::string annotated_source(const std::string& source, const std::vector<Diagnostic>& findings,
                             const ProfilePage* profile) {
  return SourceTable(source, findings, profile).str();
}

std::string finding_list(const std::vector<Diagnostic>& findings, bool links) {
  if (findings.empty()) return {};
  std::string text = "<ul class=\"findings\">\n";
  for (const auto& finding : findings) {
    const bool is_shown = links && finding.place.file.empty();
    std::string place;
    if (finding.place.is_known())
      place = is_shown
                  ? fmt::format("<a href=\"#L{0}\">line {0}</a>: ", finding.place.range.begin.line)
                  : line_text(finding.place) + ": ";
    text += fmt::format("<li>{}{}</li>\n", place, described(finding));
  }
  return text + "</ul>\n";
}

}  // namespace msci

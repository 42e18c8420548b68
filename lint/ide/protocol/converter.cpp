#include "base/files/uri.h"
#include "lint/at_versions.h"
#include "lint/ide/protocol/replies.h"

namespace msci {

std::string uri_in(const OpenFiles& open, const std::string& path) {
  const auto found = open.find(path);
  return found == open.end() ? uri_of(path) : found->second;
}

int number_of(Severity severity) {
  return severity == Severity::error ? 1 : severity == Severity::warning ? 2 : 3;
}

Json markdown(std::string text) { return {{"kind", "markdown"}, {"value", std::move(text)}}; }

std::string_view Converter::line(unsigned number) const {
  if (number == 0 || number > line_begins_.size()) return {};
  const auto begin = line_begins_[number - 1];
  const auto end = number < line_begins_.size() ? line_begins_[number] : std::string_view::npos;
  auto text = std::string_view(source_.text).substr(begin, end - begin);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Json Converter::position(Location location) const {
  if (location.line == 0) return {{"line", 0}, {"character", 0}};
  return {{"line", location.line - 1},
          {"character", columns_before(location.column - 1, line(location.line), unit_)}};
}

Json Converter::range(const Range& range) const {
  return {{"start", position(range.begin)}, {"end", position(range.end)}};
}

Location Converter::location(const Json& position) const {
  return location_of(position_from(position), source_, unit_);
}

Range Converter::range_from(const Json& range) const {
  return {location(range.at("start")), location(range.at("end"))};
}

Json Converter::diagnostic(const FileReport& report, const Finding& finding,
                           const std::string& uri) const {
  Json json{{"range", range(finding.place.range)},
            {"severity", number_of(finding.severity)},
            {"code", finding.rule},
            {"source", "msci"},
            {"message", message_with_versions(finding)}};
  if (!rule_pages_.is_unknown()) json["codeDescription"]["href"] = rule_pages_.url_of(finding.rule);
  for (const auto& note : finding.notes) {
    const auto& file = report.source_of(note.place);
    const auto there = note.place.file.empty() ? uri : uri_of(file.name);
    json["relatedInformation"].push_back(
        {{"location", {{"uri", there}, {"range", Converter(file, unit_).range(note.place.range)}}},
         {"message", note.message}});
  }
  return json;
}

Json Converter::edits(const std::vector<Edit>& edits) const {
  Json json = Json::array();
  for (const auto& edit : edits)
    json.push_back({{"range", range(edit.place.range)}, {"newText", edit.replacement}});
  return json;
}

Json location_in(const Unit& unit, const Place& place, const Converter& converter,
                 const std::string& uri, const OpenFiles& open) {
  if (place.file.empty()) return {{"uri", uri}, {"range", converter.range(place.range)}};
  return {{"uri", uri_in(open, place.file)},
          {"range", Converter(unit.source_of(place), converter.unit()).range(place.range)}};
}

}  // namespace msci

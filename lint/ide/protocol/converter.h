// Our values as the protocol's JSON, in the editor's column unit.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "compiler/frontend/unit.h"
#include "lint/ide/protocol/positions.h"
#include "lint/lint.h"
#include "lint/output/rule_pages.h"

namespace msci {

// What an editor calls the files that are open in it, by path.
using OpenFiles = std::map<std::string, std::string>;
std::string uri_in(const OpenFiles& open, const std::string& path);

// Converts places of one source.
class Converter {
 public:
  Converter(const Source& source, ColumnUnit unit, const RulePages& rule_pages = {})
      : source_(source), unit_(unit), rule_pages_(rule_pages) {
    for (std::size_t i = 0; i < source.text.size(); ++i)
      if (source.text[i] == '\n') line_begins_.push_back(i + 1);
  }

  ColumnUnit unit() const { return unit_; }
  Json range(const Range& range) const;
  Json position(Location location) const;
  Location location(const Json& position) const;
  Range range_from(const Json& range) const;

  // Of a finding in the source; `uri` is the source's. Notes can lie in files that it includes.
  Json diagnostic(const FileReport& report, const Finding& finding, const std::string& uri) const;
  Json edits(const std::vector<Edit>& edits) const;

 private:
  std::string_view line(unsigned number) const;

  const Source& source_;
  std::vector<std::size_t> line_begins_{0};
  ColumnUnit unit_;
  RulePages rule_pages_;
};

int number_of(Severity severity);
Json markdown(std::string text);

// A place of a unit, which may lie in an included file: {"uri", "range"}. `converter` and `uri` are
// the source's.
Json location_in(const Unit& unit, const Place& place, const Converter& converter,
                 const std::string& uri, const OpenFiles& open);

}  // namespace msci

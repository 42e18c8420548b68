// The profile of a kernel by line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "search/report/profile_page.h"
#include "search/report/tables.h"

namespace msci {

// What the lines of the largest size do, for a reader.
class ProfileLines {
 public:
  // The page has at least one size.
  explicit ProfileLines(const ProfilePage& page);

  // "cycles", "active lanes", ...
  static std::vector<std::string> columns();

  // One cell for each column; empty ones where the line does nothing.
  std::vector<std::string> cells(unsigned line) const;

  // The line's share of the cycles, from 0 to 1.
  double share(unsigned line) const;

  // "2 ms a pass at SIZE on CHIP, as predicted. ..." with the meaning of the columns.
  std::string note() const;

 private:
  const ProfilePage& page_;
  std::map<unsigned, LineProfile> lines_;
  double cycles_ = 0;  // of all lines
};

// The number of lines of a text; a last one without an end counts, too.
unsigned lines_in(std::string_view text);

// The source of a profiled kernel, line by line, with what the lines of the largest size do.
Table profile_table(const ProfilePage& page);

}  // namespace msci

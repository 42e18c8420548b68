// A source as a table: its lines with their profile, and below each line what was found there.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "search/report/profile_page.h"

namespace msci {

// `profile` may be null. Each line has the id "L" and its number.
std::string annotated_source(const std::string& source, const std::vector<Diagnostic>& findings,
                             const ProfilePage* profile);

// The findings as a list. With `links`, they lead to the lines of annotated_source().
std::string finding_list(const std::vector<Diagnostic>& findings, bool links);

}  // namespace msci

// A summary for people and for programs: Markdown, JSON, and HTML pages that need nothing else.
#pragma once

#include <string>
#include <vector>

#include "search/report/summary.h"

namespace msci {

std::string to_markdown(const Summary& summary);

// One object; docs/schemas/report.schema.json tells its fields.
std::string to_json(const Summary& summary);

// The page loads nothing, and suits light and dark, wide and narrow screens, and paper. One script
// of its own sorts and filters the tables; the page's policy allows no other.
std::string to_html(const Summary& summary, const std::string& title);

// The same page with a page of its own for each candidate: its sizes, its place below the roofline,
// and its source with findings and profile. They link to each other.
struct ReportPage {
  std::string file;  // "index.html", "candidate-1.html"
  std::string text;
};
std::vector<ReportPage> pages_of(const Summary& summary, const std::string& title);

}  // namespace msci

// The pages of a report: of a candidate, and of all.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "search/report/summary.h"

namespace msci {

// A source as a table: its lines with their profile, and below each line what was found there.

// `profile` may be null. Each line has the id "L" and its number.
std::string annotated_source(const std::string& source, const std::vector<Diagnostic>& findings,
                             const ProfilePage* profile);

// The findings as a list. With `links`, they lead to the lines of annotated_source().
std::string finding_list(const std::vector<Diagnostic>& findings, bool links);

// The tables of a report in HTML, with links to candidates.

// Where the candidates of a summary are described.
class CandidateLinks {
 public:
  // In one page: to their rows in the table of candidates. In several: to their own pages.
  enum class Target { row, page };
  CandidateLinks(const Summary& summary, Target target);

  Target target() const { return target_; }

  // "candidate-demo-03": the id of the row, and the stem of the page's name. It follows from the
  // candidate's name, so that it stays when the ranks change.
  const std::string& id(std::size_t candidate) const { return ids_[candidate]; }

  // Where to find the candidate of that number or name; empty if there is none. Of two with one
  // name, the name leads to the first.
  std::string of(std::size_t candidate) const;
  std::string of(const std::string& name) const;

 private:
  Target target_;
  std::vector<std::string> ids_;  // by the place of the candidate
  std::map<std::string, std::size_t> by_name_;
};

std::string html_table(const Table& table, const CandidateLinks& links);

// The best kernels of a report, with what they change of their seeds.

// A section for the best candidate of each task whose source is at hand: a diff to its seed, and
// the whole text. Empty without one, and with more tasks than a page can show.
std::string best_kernels(const Summary& summary, const CandidateLinks& links);

// The page of one candidate: what came of it, and its source with findings and profile.

// The page of the candidate at that place in the summary. `title` is that of the report.
std::string candidate_page(const Summary& summary, std::size_t candidate, const std::string& title,
                           const CandidateLinks& links);

// What all pages of a report share: the head with its policy, the style, and the script.

// A file of this folder inside the program.
struct PagePart {
  std::string_view name;
  std::string_view text;
};
extern const std::vector<PagePart> page_parts;

// A whole page around that HTML. Its policy allows the page's own script and nothing else, so that
// a text of a candidate that got through the escaping could neither run nor load anything.
std::string html_page(std::string_view title, std::string_view body);

// The text of a figure's charts: the narrow one for phones, the wide one for other screens and
// paper. With one chart only, all have that.
std::string html_figure(std::string_view id, std::string_view title, std::string_view note,
                        std::string_view narrow, std::string_view wide = {});

}  // namespace msci

// The tables of a report in HTML, with links to candidates.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "search/report/summary.h"
#include "search/report/tables.h"

namespace msci {

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

}  // namespace msci

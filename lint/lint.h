// Rules × source → findings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/finding.h"
#include "lint/metal/head_starts.h"
#include "lint/rule.h"
#include "lint/selection.h"
#include "lint/suppression.h"

namespace msci {

// What lint says about one file.
struct Report {
  Source source;
  bool compiled = false;
  std::vector<std::string> kernels;  // as the host calls them, in order of appearance
  std::vector<Finding> findings;     // by position
  std::vector<Allowed> allowed;      // findings that comments in the source allow
  Expectation expectation;

  // The text that a finding's range lies in.
  const Source& source_of(const Finding& finding) const;
  bool valid() const;  // no finding of severity error
};

// Findings on a parsed source, sorted by position; one for each cause at one place, and none that a
// comment allows.
std::vector<Finding> lint(const Unit& unit, std::span<const ListedRule> rules,
                          const Request& request);

// The whole way of one file; takes a head start where one of those fits. Errors are ours alone;
// what is wrong with the source is in the report.
Result<Report> examine(Source source, std::span<const ListedRule> rules, const Request& request,
                       HeadStarts* head_starts = nullptr);

// The report on a source that cannot even be read: it drove the compiler to a limit of its process.
Report refused(Source source, const Request& request, std::string_view reason);

}  // namespace msci

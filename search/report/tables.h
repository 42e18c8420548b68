// The tables of a report, as text in cells: what Markdown and HTML both print.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/report/summary.h"

namespace msci {

struct Table {
  struct Row {
    std::vector<std::string> cells;
    bool warn = false;  // something a reader should not overlook
    // The place in the summary of the candidate that the row is about.
    std::optional<std::size_t> candidate = std::nullopt;
  };
  std::string title;
  std::string note;  // a sentence under the title; may be empty
  std::vector<std::string> columns;
  std::size_t text_columns = 1;  // the first ones hold words, the others numbers
  std::size_t name_column = 0;   // that names the candidate of a row
  std::optional<std::size_t> code_column = std::nullopt;  // that holds lines of a source
  std::vector<Row> rows;
  bool is_long = false;  // a page may fold it
};

// The cell of a missing value.
inline constexpr const char* no_value = "–";

// A time in a cell, without its unit.
std::string milliseconds_text(double seconds);

// The title of the table with a row for each candidate, whose first cell is its name.
inline constexpr std::string_view candidates_title = "Candidates";

// The seeds, then the candidates.
std::vector<const ResultRecord*> judged(const Summary& summary);

// The sizes of one candidate, with the held-out one and those of the strict verdict.
Table size_table(const ResultRecord& record);

// What is known of a candidate: pairs of a name and a value, in the order of reading.
std::vector<std::pair<std::string, std::string>> facts_of(const RatedCandidate& candidate);

// Those with rows, in the order of reading.
std::vector<Table> tables_of(const Summary& summary);

}  // namespace msci

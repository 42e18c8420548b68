#include "lint/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/text.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr int format_version = 1;
constexpr std::size_t largest_baseline = std::size_t{256} << 20;

// Apple's compiler reports errors of these families too: a kernel that does not build stays an
// error.
bool is_refusal(const Finding& finding) {
  constexpr std::array<std::string_view, 3> families = {"metal.", "resource.", "security."};
  return finding.severity == Severity::error &&
         std::any_of(families.begin(), families.end(),
                     [&](std::string_view family) { return finding.rule.starts_with(family); });
}

fs::path absolute_path(const fs::path& file) {
  std::error_code none;
  return fs::absolute(file, none).lexically_normal();
}

fs::path folder_around(const std::string& baseline) {
  return absolute_path(baseline).parent_path();
}

BaselineEntry entry_of(const Finding& finding, const FileReport& report) {
  const auto line = line_at(report.source_of(finding.place).text, finding.place.range.begin.line);
  return {.file = valid_utf8(absolute_path(report.shown(finding.place).file).string()),
          .rule = finding.rule,
          .message = valid_utf8(finding.message),
          .line = valid_utf8(trimmed(line))};
}

Severity severity_from(std::string_view word) {
  for (const auto each : {Severity::error, Severity::note})
    if (to_string(each) == word) return each;
  return Severity::warning;
}

Baseline from_json(const OrderedJson& json, const fs::path& folder) {
  Baseline baseline;
  for (const auto& each : json.at("findings")) {
    const auto file = folder / each.at("file").get<std::string>();
    auto& known = baseline[{.file = file.lexically_normal().string(),
                            .rule = each.at("rule"),
                            .message = each.at("message"),
                            .line = each.at("line")}];
    known.severity = severity_from(each.value("severity", ""));
    known.count += each.at("count").get<std::size_t>();
  }
  return baseline;
}

// A finding of this run, and where reports have it.
struct Found {
  ComparedFinding finding;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // report, and number in it
};

// Those that reports share once.
std::vector<Found> findings_of(const std::vector<FileReport>& reports) {
  std::vector<Found> all;
  std::map<std::pair<BaselineEntry, Range>, std::size_t> known;
  for (std::size_t r = 0; r < reports.size(); ++r)
    for (std::size_t f = 0; f < reports[r].findings.size(); ++f) {
      const auto& each = reports[r].findings[f];
      auto place = reports[r].shown(each.place);
      place.file = valid_utf8(place.file);
      auto entry = entry_of(each, reports[r]);
      const auto [at, is_new] = known.try_emplace({entry, place.range}, all.size());
      if (is_new) all.push_back({{std::move(entry), each.severity, std::move(place)}, {}});
      all[at->second].places.emplace_back(r, f);
    }
  return all;
}

// Each finding of the baseline by itself.
std::vector<ComparedFinding> findings_in(const Baseline& baseline) {
  std::error_code none;
  const auto here = fs::current_path(none);
  std::vector<ComparedFinding> findings;
  for (const auto& [entry, known] : baseline) {
    const Place place{.file = fs::path(entry.file).lexically_proximate(here).string(), .range = {}};
    findings.insert(findings.end(), known.count, {entry, known.severity, place});
  }
  return findings;
}

class Comparer {
 public:
  Comparer(const Baseline& earlier, const std::vector<FileReport>& reports)
      : earlier_(findings_in(earlier)), found_(findings_of(reports)) {
    for (const auto& each : reports)
      (each.error ? unfinished_ : linted_).insert(absolute_path(each.source.name).string());
    is_known_.resize(earlier_.size());
    is_old_.resize(found_.size());
  }

  Comparison run() {
    pair(false, [](const BaselineEntry& a) { return a; });
    pair(false, [](const BaselineEntry& a) { return std::tuple(a.file, a.rule, a.message); });
    // A file that was renamed can have a name of its own in another folder.
    pair(true, [](const BaselineEntry& a) {
      return std::tuple(a.rule, a.message, fs::path(a.file).filename().string());
    });
    pair(true, [](const BaselineEntry& a) { return std::tuple(a.rule, a.message); });
    std::set<std::string> with_findings;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      with_findings.insert(found_[i].finding.entry.file);
      if (!is_old_[i]) result_.added.push_back(found_[i].finding);
    }
    for (std::size_t i = 0; i < earlier_.size(); ++i)
      if (!is_known_[i] && can_tell(earlier_[i].entry.file, with_findings))
        result_.gone.push_back(earlier_[i]);
    return std::move(result_);
  }

  // By report, the numbers of the findings that are not kept.
  std::set<std::pair<std::size_t, std::size_t>> dropped(Keep keep) const {
    std::set<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (is_old_[i] && (keep == Keep::only_new || !moved_.contains(i)))
        all.insert(found_[i].places.begin(), found_[i].places.end());
    return all;
  }

 private:
  // Pairs findings of equal keys in their order; with `moved`, those of files that are gone.
  template <typename KeyOf>
  void pair(bool moved, KeyOf key_of) {
    std::multimap<decltype(key_of(earlier_.front().entry)), std::size_t> waiting;
    for (std::size_t i = 0; i < earlier_.size(); ++i)
      if (!is_known_[i] && (!moved || is_gone(earlier_[i].entry.file)))
        waiting.emplace(key_of(earlier_[i].entry), i);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (is_old_[i]) continue;
      const auto match = waiting.find(key_of(found_[i].finding.entry));
      if (match == waiting.end()) continue;
      is_old_[i] = is_known_[match->second] = true;
      if (moved) {
        moved_.insert(i);
        result_.moved.emplace_back(earlier_[match->second], found_[i].finding);
      } else {
        ++result_.same;
      }
      waiting.erase(match);
    }
  }

  // Asks the disk once for each file.
  bool is_gone(const std::string& file) {
    const auto [known, is_new] = gone_.try_emplace(file, false);
    std::error_code none;
    if (is_new) known->second = !fs::exists(file, none);
    return known->second;
  }

  // Whether this run would find again what an earlier one found in the file. `with_findings`: files
  // in which this run has findings, also if they are included and not sources of their own.
  bool can_tell(const std::string& file, const std::set<std::string>& with_findings) {
    if (unfinished_.contains(file)) return false;
    return linted_.contains(file) || is_gone(file) || with_findings.contains(file);
  }

  const std::vector<ComparedFinding> earlier_;
  const std::vector<Found> found_;
  std::set<std::string> linted_, unfinished_;
  std::map<std::string, bool> gone_;  // by file
  std::vector<bool> is_known_, is_old_;
  std::set<std::size_t> moved_;
  Comparison result_;
};

}  // namespace

Baseline baseline_of(const std::vector<FileReport>& reports) {
  Baseline baseline;
  for (const auto& [finding, places] : findings_of(reports)) {
    auto& known = baseline[finding.entry];
    known.severity = finding.severity;
    ++known.count;
  }
  return baseline;
}

std::string to_json(const Baseline& baseline, const std::string& path) {
  const auto folder = folder_around(path);
  std::vector<std::string> lines;
  for (const auto& [entry, known] : baseline)
    lines.push_back("    " +
                    OrderedJson{{"file", fs::path(entry.file).lexically_relative(folder).string()},
                                {"rule", entry.rule},
                                {"severity", to_string(known.severity)},
                                {"message", entry.message},
                                {"line", entry.line},
                                {"count", known.count}}
                        .dump());
  return fmt::format("{{\n  \"msci_baseline\": {},\n  \"findings\": [\n{}\n  ]\n}}\n",
                     format_version, fmt::join(lines, ",\n"));
}

Result<Baseline> read_baseline(const std::string& path) {
  const auto text = read_text(path, largest_baseline);
  if (!text) return text.error();
  const Error malformed{fmt::format(
      "{}: this is not a baseline; write one with msci-lint --write-baseline {}", path, path)};
  const auto json = parse_json<OrderedJson>(*text, {.max_bytes = largest_baseline});
  if (!json) return malformed;
  try {
    if (json->at("msci_baseline") != format_version)
      return Error{fmt::format(
          "{}: this baseline has another format version; write it anew with --write-baseline",
          path)};
    return from_json(*json, folder_around(path));
  } catch (const OrderedJson::exception&) {
    return malformed;
  }
}

std::vector<Finding> remove_known(FileReport& report, const Baseline& baseline) {
  std::vector<Finding> removed;
  std::map<BaselineEntry, std::size_t> own;
  std::erase_if(report.findings, [&](const Finding& finding) {
    if (is_refusal(finding)) return false;
    const auto known = baseline.find(entry_of(finding, report));
    if (known == baseline.end() || own[known->first] == known->second.count) return false;
    ++own[known->first];
    removed.push_back(finding);
    return true;
  });
  return removed;
}

Comparison compare(const Baseline& earlier, std::vector<FileReport>& reports, Keep keep) {
  Comparer comparer(earlier, reports);
  auto comparison = comparer.run();
  if (keep == Keep::all) return comparison;
  const auto dropped = comparer.dropped(keep);
  for (std::size_t r = 0; r < reports.size(); ++r) {
    std::size_t number = 0;
    std::erase_if(reports[r].findings,
                  [&](const Finding&) { return dropped.contains({r, number++}); });
  }
  return comparison;
}

}  // namespace msci

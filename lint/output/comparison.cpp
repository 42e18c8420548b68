#include "lint/output/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/text.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_report = std::size_t{256} << 20;

Severity severity_from(const std::string& word) {
  for (const auto each : {Severity::error, Severity::warning})
    if (to_string(each) == word) return each;
  return Severity::note;
}

KnownFinding known_finding(const OrderedJson& json) {
  const auto number = [&](const char* key) { return json.at(key).get<unsigned>(); };
  return {
      .rule = json.at("rule"),
      .severity = severity_from(json.at("severity")),
      .message = json.at("message"),
      .place = {json.at("file"),
                {{number("line"), number("column")}, {number("end_line"), number("end_column")}}}};
}

// Returns false if the line has not the form of results.
bool add_line(const std::string& line, EarlierResults& results) {
  const auto json = parse_json<OrderedJson>(line);
  if (!json) return false;
  try {
    if (json->contains("since")) return true;  // of a run that compared
    for (const auto& each : json->at("diagnostics"))
      results.findings.push_back(known_finding(each));
  } catch (const OrderedJson::exception&) {
    return false;
  }
  return true;
}

std::string normal(const std::string& file) {
  std::error_code none;
  return fs::absolute(file, none).lexically_normal().string();
}

// A finding of this run, and where reports have it.
struct Found {
  KnownFinding finding;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // report, and number in it
};

using Identity = std::tuple<std::string, std::string, Range, std::string>;

Identity identity_of(const KnownFinding& finding) {
  return {finding.rule, normal(finding.place.file), finding.place.range, finding.message};
}

// Those that reports share once.
std::vector<Found> findings_of(const std::vector<FileReport>& reports) {
  std::vector<Found> all;
  std::map<Identity, std::size_t> known;
  for (std::size_t r = 0; r < reports.size(); ++r)
    for (std::size_t f = 0; f < reports[r].findings.size(); ++f) {
      const auto& each = reports[r].findings[f];
      auto place = reports[r].shown(each.place);
      place.file = valid_utf8(place.file);
      KnownFinding finding{each.rule, each.severity, valid_utf8(each.message), place};
      const auto [at, is_new] = known.try_emplace(identity_of(finding), all.size());
      if (is_new) all.push_back({std::move(finding), {}});
      all[at->second].places.emplace_back(r, f);
    }
  return all;
}

std::vector<KnownFinding> without_repeated(const std::vector<KnownFinding>& findings) {
  std::vector<KnownFinding> once;
  std::set<Identity> known;
  for (const auto& each : findings)
    if (known.insert(identity_of(each)).second) once.push_back(each);
  return once;
}

class Comparer {
 public:
  Comparer(const EarlierResults& earlier, const std::vector<FileReport>& reports)
      : earlier_(without_repeated(earlier.findings)), found_(findings_of(reports)) {
    result_.path = earlier.path;
    for (const auto& each : reports)
      (each.error ? unfinished_ : linted_).insert(normal(each.source.name));
    is_known_.resize(earlier_.size());
    is_old_.resize(found_.size());
  }

  Comparison run() {
    pair(identity_of);
    pair([](const KnownFinding& a) { return std::tuple(a.rule, normal(a.place.file), a.message); });
    // A file that was renamed can have a name of its own in another folder.
    pair_moved([](const KnownFinding& a) {
      return std::tuple(a.rule, a.message, fs::path(a.place.file).filename().string());
    });
    pair_moved([](const KnownFinding& a) { return std::tuple(a.rule, a.message); });
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (!is_old_[i]) result_.added.push_back(found_[i].finding);
    std::set<std::string> with_findings;
    for (const auto& each : found_) with_findings.insert(each.finding.place.file);
    for (std::size_t i = 0; i < earlier_.size(); ++i)
      if (!is_known_[i] && can_tell(earlier_[i], with_findings))
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
  // Pairs findings of equal keys in their order.
  template <typename KeyOf>
  void pair(KeyOf key_of) {
    std::multimap<decltype(key_of(earlier_.front())), std::size_t> waiting;
    for (std::size_t i = 0; i < earlier_.size(); ++i)
      if (!is_known_[i]) waiting.emplace(key_of(earlier_[i]), i);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (is_old_[i]) continue;
      const auto match = waiting.find(key_of(found_[i].finding));
      if (match == waiting.end()) continue;
      is_old_[i] = is_known_[match->second] = true;
      ++result_.same;
      waiting.erase(match);
    }
  }

  // The same for findings of files that are gone.
  template <typename KeyOf>
  void pair_moved(KeyOf key_of) {
    std::multimap<decltype(key_of(earlier_.front())), std::size_t> waiting;
    for (std::size_t i = 0; i < earlier_.size(); ++i)
      if (!is_known_[i] && is_gone(earlier_[i].place.file)) waiting.emplace(key_of(earlier_[i]), i);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (is_old_[i]) continue;
      const auto& now = found_[i].finding;
      const auto match = waiting.find(key_of(now));
      if (match == waiting.end()) continue;
      result_.moved.emplace_back(earlier_[match->second], now);
      is_old_[i] = is_known_[match->second] = true;
      moved_.insert(i);
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

  // Whether this run would have found it again. `with_findings`: files in which this run has other
  // findings, also if they are included and not sources of their own.
  bool can_tell(const KnownFinding& each, const std::set<std::string>& with_findings) {
    const auto file = normal(each.place.file);
    if (unfinished_.contains(file)) return false;
    return linted_.contains(file) || is_gone(each.place.file) ||
           with_findings.contains(each.place.file);
  }

  const std::vector<KnownFinding> earlier_;
  const std::vector<Found> found_;
  std::set<std::string> linted_, unfinished_;
  std::map<std::string, bool> gone_;  // by file
  std::vector<bool> is_known_, is_old_;
  std::set<std::size_t> moved_;
  Comparison result_;
};

}  // namespace

Result<EarlierResults> read_results(const std::string& path) {
  const auto text = read_text(path, largest_report);
  if (!text) return text.error();
  EarlierResults results{.path = path};
  std::istringstream lines(*text);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!trimmed(line).empty() && !add_line(line, results))
      return Error{
          fmt::format("{}:{}: this is not a line of msci-lint --json; write the results with "
                      "msci-lint --json --output {}",
                      path, number, path)};
  }
  return results;
}

Comparison compare(const EarlierResults& earlier, std::vector<FileReport>& reports, Keep keep) {
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

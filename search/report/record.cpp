#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/files/read_file.h"
#include "base/process/redacted_command.h"
#include "evaluator/result/json_fields.h"
#include "search/report/summary.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Records = std::vector<ResultRecord>;

// --- JSON

// Older tools write NaN, Infinity and -Infinity bare, which JSON does not know: outside strings
// they become null.
std::string without_bare_infinities(std::string_view text) {
  constexpr std::array<std::string_view, 3> words = {"-Infinity", "Infinity", "NaN"};
  std::string clean;
  clean.reserve(text.size());
  bool quoted = false;
  while (!text.empty()) {
    const auto word = std::find_if(words.begin(), words.end(),
                                   [&](auto each) { return !quoted && text.starts_with(each); });
    if (word != words.end()) {
      clean += "null";
      text.remove_prefix(word->size());
      continue;
    }
    const std::size_t taken = quoted && text[0] == '\\' ? std::min<std::size_t>(2, text.size()) : 1;
    quoted ^= text[0] == '"';
    clean += text.substr(0, taken);
    text.remove_prefix(taken);
  }
  return clean;
}

// A file may hold the results of many thousand kernels.
constexpr std::size_t max_bytes = std::size_t{1} << 30;

std::optional<OrderedJson> parse(std::string_view text) {
  auto json = parse_json<OrderedJson>(text, {.max_bytes = max_bytes});
  if (!json) return std::nullopt;
  return *std::move(json);
}

template <typename T>
bool is_integer_of(const OrderedJson& json) {
  if (json.is_number_unsigned()) return std::in_range<T>(json.get<std::uint64_t>());
  return json.is_number_integer() && std::in_range<T>(json.get<std::int64_t>());
}

// The value of that field; none if it is absent, or of another type or range.
template <typename T>
std::optional<T> get(const OrderedJson& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end()) return std::nullopt;
  bool fits = false;
  if constexpr (std::is_same_v<T, bool>)
    fits = found->is_boolean();
  else if constexpr (std::is_same_v<T, std::string>)
    fits = found->is_string();
  else if constexpr (std::is_same_v<T, double>)
    fits = found->is_number();
  else
    fits = is_integer_of<T>(*found);
  return fits ? std::optional(found->get<T>()) : std::nullopt;
}

std::string text(const OrderedJson& json, const char* field) {
  return get<std::string>(json, field).value_or("");
}

const OrderedJson& list(const OrderedJson& json, const char* field) {
  static const OrderedJson none = OrderedJson::array();
  const auto found = json.find(field);
  return found != json.end() && found->is_array() ? *found : none;
}

// The result of msci-eval. Other tools write such results, too: what does not fit is left out.
ResultRecord evaluation_from(const OrderedJson& json) {
  ResultRecord record{read_leniently<EvaluationResult>(json)};
  record.name = record.file;
  record.source_file = record.file;
  record.generator = text(json, "generator");
  return record;
}

// The output of msci-lint for a file that was not evaluated.
ResultRecord linting_from(const OrderedJson& json) {
  ResultRecord record;
  record.name = text(json, "file");
  record.is_judged = false;
  record.regression_type = get<int>(json, "regression_type");
  for (const auto& each : list(json, "diagnostics")) {
    if (!each.is_object()) continue;
    auto& diagnostic = record.diagnostics.emplace_back(read_leniently<Diagnostic>(each));
    diagnostic.id = text(each, "rule");
    if (diagnostic.place.file == record.name) diagnostic.place.file.clear();
  }
  return record;
}

// The output of msci-eval --profile.
ResultRecord profile_from(const OrderedJson& json) {
  ResultRecord record;
  record.profile = read_leniently<ProfilePage>(json);
  record.name = record.profile->file;
  record.is_judged = false;
  return record;
}

// The ratio of a history's entry, where it is over the seed. Older histories have none.
std::optional<Ratio> speed_up_over_seed(const OrderedJson& json) {
  const auto found = json.find("speedup");
  if (found == json.end() || !found->is_object() || get<unsigned>(*found, "over") != 0u)
    return std::nullopt;
  const auto low = get<double>(*found, "low");
  const auto estimate = get<double>(*found, "estimate");
  const auto high = get<double>(*found, "high");
  if (!low || !estimate || !high) return std::nullopt;
  return Ratio{*estimate, {*low, *high}};
}

// One entry of a search's history: the outcome without its sizes.
ResultRecord entry_from(const OrderedJson& json, const std::string& run) {
  auto record = evaluation_from(json);
  record.iteration = get<unsigned>(json, "iteration");
  record.run = run;
  record.source_file = text(json, "source_path");
  record.is_new_best = get<bool>(json, "is_new_best").value_or(false);
  record.speed_up = speed_up_over_seed(json);
  if (record.iteration) record.name = fmt::format("{}/{:02}", run, *record.iteration);
  return record;
}

// A summary.json, or one of a list of them; `name` is the run unless the summary names it.
Records summary_from(const OrderedJson& json, const std::string& name) {
  Records records;
  const auto run = get<std::string>(json, "run").value_or(name);
  for (const auto& each : list(json, "history")) {
    if (!each.is_object()) continue;
    records.push_back(entry_from(each, run));
    records.back().task = text(json, "task");
    records.back().device = text(json, "chip");
    // Older summaries have the command as it was given.
    records.back().generator =
        json.contains("generator") ? text(json, "model") : redact_command(text(json, "model")).text;
  }
  return records;
}

// The records of one JSON value; empty if it is not a result.
Records from(const OrderedJson& json, const std::string& name) {
  Records records;
  if (json.is_array()) {
    for (const auto& each : json)
      for (auto& record : from(each, name)) records.push_back(std::move(record));
  } else if (json.is_object() && json.contains("history")) {
    return summary_from(json, name);
  } else if (json.is_object() && json.contains("compile_ok")) {
    records.push_back(evaluation_from(json));
    if (records.back().name.empty()) records.back().name = name;
  } else if (json.is_object() && json.contains("checks") && json.contains("diagnostics")) {
    records.push_back(linting_from(json));
  } else if (json.is_object() && json.contains("chip") && json.contains("sizes")) {
    records.push_back(profile_from(json));
  }
  return records;
}

// The values in a text: one, or one a line. None where a line is not JSON.
std::optional<std::vector<OrderedJson>> values_in(const std::string& text) {
  if (auto whole = parse(text)) return std::vector<OrderedJson>{*std::move(whole)};
  std::vector<OrderedJson> values;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto value = parse(line);
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

// --- Folders

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_search(const fs::path& folder) {
  std::error_code problem;
  return fs::exists(folder / "history.json", problem) ||
         fs::exists(folder / "summary.json", problem);
}

// The NN of "NN_result.json".
std::optional<unsigned> iteration_of(const fs::path& file) {
  const auto name = file.filename().string();
  unsigned iteration = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), iteration);
  if (problem != std::errc() || std::string_view(end) != "_result.json") return std::nullopt;
  return iteration;
}

Result<Records> read_file(const fs::path& path) {
  auto source = read_source(path.string());
  if (!source) return source.error();
  return records_in(source->text, path.string());
}

// Adds a search's gate.json to the record of its iteration. A file without a verdict is ignored.
// Errors: it cannot be read.
std::optional<Error> add_gate(const fs::path& file, Records& history) {
  std::error_code problem;
  if (!fs::exists(file, problem)) return std::nullopt;
  const auto source = read_source(file.string());
  if (!source) return source.error();
  auto gate = gate_from_json(source->text);
  if (!gate) return std::nullopt;
  const auto entry = std::find_if(history.begin(), history.end(), [&](const auto& record) {
    return gate->iteration && record.iteration == gate->iteration;
  });
  if (entry != history.end()) entry->gate = *std::move(gate);
  return std::nullopt;
}

// The history has every iteration; the result files, where they exist, have more fields.
Result<Records> read_search(const fs::path& folder) {
  std::error_code problem;
  const auto run = fs::absolute(folder / ".", problem).lexically_normal().parent_path().string();
  const bool has_summary = fs::exists(folder / "summary.json", problem);
  const auto source =
      read_source((folder / (has_summary ? "summary.json" : "history.json")).string());
  if (!source) return source.error();
  auto json = parse(without_bare_infinities(source->text));
  if (!json) return Error{fmt::format("{}: it is not JSON", source->name)};
  auto history = summary_from(json->is_array() ? OrderedJson{{"history", *json}} : *json, run);
  for (const auto& path : sorted_entries(folder)) {
    const auto iteration = iteration_of(path);
    if (!iteration) continue;
    auto results = read_file(path);
    if (!results) return results.error();
    const auto entry = std::find_if(history.begin(), history.end(), [&](const auto& record) {
      return record.iteration == iteration;
    });
    if (entry == history.end() || results->empty()) continue;
    auto& result = results->front();
    result.name = entry->name;
    result.run = run;
    result.iteration = iteration;
    result.role = entry->role;
    if (result.task.empty()) result.task = entry->task;
    if (result.device.empty()) result.device = entry->device;
    result.generator = entry->generator;
    result.source_file = entry->source_file;
    result.is_new_best = entry->is_new_best;
    result.speed_up = entry->speed_up;
    *entry = std::move(result);
  }
  for (auto& record : history)
    if (!record.source_file.empty())
      record.source_file = (folder / fs::path(record.source_file).filename()).string();
  if (auto problem = add_gate(folder / "gate.json", history)) return *problem;
  return history;
}

bool looks_like_results(const fs::path& path) {
  const auto extension = path.extension();
  return extension == ".json" || extension == ".jsonl";
}

Result<Records> read_folder(const fs::path& folder) {
  if (is_search(folder)) return read_search(folder);
  Records records;
  for (const auto& path : sorted_entries(folder)) {
    std::error_code problem;
    const bool is_folder = fs::is_directory(path, problem);
    if (!is_folder && !looks_like_results(path)) continue;
    auto found = is_folder ? read_folder(path) : read_file(path);
    // A folder may hold other JSON as well; only a path in the arguments must be a result.
    if (!found) continue;
    std::move(found->begin(), found->end(), std::back_inserter(records));
  }
  return records;
}

// The last `count` names of a path.
std::string end_of(const fs::path& path, std::ptrdiff_t count) {
  fs::path end;
  const auto names = std::distance(path.begin(), path.end());
  for (auto name = std::next(path.begin(), names - std::min(count, names)); name != path.end();
       ++name)
    end /= *name;
  return end.string();
}

// As many names of the folder's path as tell it from the others.
std::string short_run(const std::string& run, const std::set<std::string>& runs) {
  for (std::ptrdiff_t count = 1;; ++count) {
    auto end = end_of(run, count);
    const auto same = std::count_if(runs.begin(), runs.end(),
                                    [&](const auto& each) { return end_of(each, count) == end; });
    if (same <= 1 || end == run) return end;
  }
}

// Searches are named by the whole paths of their folders at first.
void shorten_runs(Records& records) {
  std::set<std::string> runs;
  for (const auto& record : records)
    if (record.run.starts_with('/')) runs.insert(record.run);
  std::map<std::string, std::string> short_runs;
  for (const auto& run : runs) short_runs[run] = short_run(run, runs);
  for (auto& record : records) {
    const auto found = short_runs.find(record.run);
    if (found == short_runs.end()) continue;
    if (record.name.starts_with(record.run))
      record.name.replace(0, record.run.size(), found->second);
    record.run = found->second;
  }
}

}  // namespace

std::optional<std::string> source_of(const ResultRecord& record) {
  if (fs::path(record.source_file).extension() != ".metal") return std::nullopt;
  auto source = read_source(record.source_file);
  if (!source) return std::nullopt;
  // The history of a search alone does not tell the size.
  const bool fits =
      record.source_bytes == 0 ? !record.run.empty() : source->text.size() == record.source_bytes;
  if (!fits) return std::nullopt;
  return std::move(source->text);
}

Result<Records> records_in(std::string_view text, const std::string& name) {
  const auto values = values_in(without_bare_infinities(text));
  if (!values) return Error{fmt::format("{}: it is not JSON, nor one JSON object a line", name)};
  Records records;
  for (const auto& value : *values)
    for (auto& record : from(value, name)) records.push_back(std::move(record));
  if (records.empty())
    return Error{fmt::format("{}: it holds no result; msci-eval --json writes results", name)};
  return records;
}

Result<Records> read_records(const std::vector<std::string>& paths) {
  Records records;
  for (const auto& path : paths) {
    std::error_code problem;
    const bool is_folder = fs::is_directory(path, problem);
    auto found = is_folder ? read_folder(path) : read_file(path);
    if (!found) return found.error();
    if (found->empty()) return Error{fmt::format("{}: no result in this folder or below it", path)};
    std::move(found->begin(), found->end(), std::back_inserter(records));
  }
  shorten_runs(records);
  return records;
}

void describe(Fields& field, ProfilePage::Launch& launch) {
  field("kernel", launch.kernel);
  field("launches", launch.launches);
  field("predicted_seconds", launch.seconds);
  field("advice", launch.advice);
  field("lines", launch.lines);
}

void describe(Fields& field, ProfilePage::Size& size) {
  field("label", size.label);
  field("predicted_seconds", size.seconds);
  field("launches", size.launches);
}

void describe(Fields& field, ProfilePage& page) {
  field("file", page.file);
  field("source", page.source);
  field("task", page.task);
  field("chip", page.chip);
  field("sizes", page.sizes);
}

}  // namespace msci

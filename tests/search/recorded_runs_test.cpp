// Recorded searches, run again with their candidates and their verdicts: the same are promoted.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/json.h"
#include "search/loop.h"
#include "tests/search/stand_ins.h"
#include "tests/support/folder.h"

namespace msci::search {
namespace {

using Json = nlohmann::json;

const std::string folder_of_records = MSCI_RECORDS;

std::string read_gzip(const std::string& path) {
  std::string text;
  char chunk[1 << 16];
  auto* file = gzopen(path.c_str(), "rb");
  if (!file) return "";
  for (int got = 0; (got = gzread(file, chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

// Python writes numbers that JSON does not have.
std::string without_odd_numbers(std::string text) {
  for (const std::string odd : {": NaN", ": Infinity", ": -Infinity"})
    for (auto at = text.find(odd); at != std::string::npos; at = text.find(odd, at))
      text.replace(at, odd.size(), ": null");
  return text;
}

// By id: "nbody-r02-03".
std::map<std::string, Json> read_candidates() {
  std::map<std::string, Json> candidates;
  std::istringstream lines(
      without_odd_numbers(read_gzip(folder_of_records + "/recorded_candidates.jsonl.gz")));
  for (std::string line; std::getline(lines, line);) {
    auto json = Json::parse(line);
    const auto id = json.at("id").get<std::string>();
    candidates[id] = std::move(json);
  }
  return candidates;
}

std::string id_of(const std::string& run, unsigned iteration) {
  return run + (iteration < 10 ? "-0" : "-") + std::to_string(iteration);
}

// The iterations that were promoted.
std::vector<unsigned> promoted(const History& history) {
  std::vector<unsigned> list;
  for (const auto& record : history)
    if (record.is_new_best) list.push_back(record.iteration);
  return list;
}

std::vector<unsigned> recorded_promotions(const Json& run) {
  std::vector<unsigned> list;
  for (const auto& record : run.at("history"))
    if (record.at("is_new_best").get<bool>())
      list.push_back(record.at("iteration").get<unsigned>());
  return list;
}

Result<History> search_again(const Json& run, const std::map<std::string, Json>& candidates) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  const auto strategy = make_strategy({.name = "strict"});
  const auto name = run.at("run").get<std::string>();
  TableGenerator generator([&](const GeneratorRequest& question) -> std::optional<std::string> {
    const auto found = candidates.find(id_of(name, question.iteration));
    if (found == candidates.end()) return std::nullopt;
    return "```metal\n" + found->second.at("source").get<std::string>() + "\n```\n";
  });
  TableJudge judge([&](const JudgeRequest& job) {
    const auto iteration = static_cast<unsigned>(std::stoul(job.candidate));
    if (iteration == 0)
      return Json{{"compile_ok", true}, {"correct", true}, {"score", run.at("seed_score")}}.dump();
    const auto& recorded = candidates.at(id_of(name, iteration));
    // It is that very source that came through the prompt, the answer and the file.
    EXPECT_EQ(folder.contents("out/" + job.candidate),
              recorded.at("source").get<std::string>() + "\n");
    return recorded.dump();
  });
  return search::run({.task = **find_task(run.at("task").get<std::string>()),
                      .generator = generator,
                      .judge = judge,
                      .strategy = **strategy,
                      .store = *store,
                      .budget = {.iterations = run.at("n_iterations").get<unsigned>()}});
}

TEST(RecordedRuns, promote_at_the_same_iterations) {
  if (!std::filesystem::is_directory(folder_of_records))
    GTEST_SKIP() << "the recorded data is not at " << folder_of_records;
  std::ifstream file(folder_of_records + "/recorded_runs.json");
  ASSERT_TRUE(file) << "recorded_runs.json is not in " << folder_of_records;
  const auto runs = Json::parse(without_odd_numbers({std::istreambuf_iterator<char>(file), {}}));
  const auto candidates = read_candidates();
  ASSERT_FALSE(candidates.empty())
      << "recorded_candidates.jsonl.gz is not in " << folder_of_records;
  ASSERT_GT(runs.size(), 0u);
  for (const auto& run : runs) {
    const auto history = search_again(run, candidates);
    ASSERT_TRUE(history) << run.at("run") << ": " << history.error().message;
    EXPECT_EQ(promoted(*history), recorded_promotions(run)) << run.at("run");
    ASSERT_EQ(history->size(), run.at("history").size()) << run.at("run");
    for (std::size_t i = 0; i < history->size(); ++i)
      EXPECT_EQ(to_string((*history)[i].role), run.at("history")[i].at("role").get<std::string>())
          << run.at("run");
    EXPECT_EQ(incumbent(*history).score, run.at("best_score").get<double>()) << run.at("run");
  }
}

}  // namespace
}  // namespace msci::search

// The whole loop, with tables in the places of the generator and the judge.
#include "search/loop.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/json.h"
#include "tests/search/stand_ins.h"
#include "tests/support/folder.h"

namespace msci::search {
namespace {

using Json = nlohmann::json;

std::string right(double score) {
  return Json{{"compile_ok", true}, {"correct", true}, {"score", score}}.dump();
}

std::string kernel(const std::string& words) {
  return "```metal\nkernel void " + words + "\n```\n";
}

// A search of some iterations in a folder; scores are the table's, by the candidate's file.
struct Table {
  const Folder& folder;
  std::map<std::string, std::string> judgements;
  std::string strategy = "strict";
  Budget budget = {};
  bool is_strict = false;
  bool is_predicted = false;
  unsigned asked = 0;
  unsigned judged = 0;
  std::vector<JudgeRequest> jobs = {};
  std::vector<std::string> activities = {};

  Result<History> run() {
    const auto store = Store::open(folder / "out");
    const auto made = make_strategy({.name = strategy, .lambda = 3});
    TableGenerator generator([&](const GeneratorRequest& question) {
      ++asked;
      return kernel("f" + std::to_string(question.iteration) + "();");
    });
    TableJudge judge([&](const JudgeRequest& job) {
      ++judged;
      jobs.push_back(job);
      const auto found = judgements.find(job.candidate);
      return found == judgements.end() ? right(0.1) : found->second;
    });
    return search::run({.task = **find_task("saxpy"),
                        .generator = generator,
                        .judge = judge,
                        .strategy = **made,
                        .store = *store,
                        .budget = budget,
                        .is_strict = is_strict,
                        .is_predicted = is_predicted,
                        .on_activity = [&](auto what) { activities.emplace_back(what); }});
  }
};

TEST(Loop, keeps_everything_on_disk) {
  const Folder folder;
  Table table{.folder = folder,
              .judgements = {{"00_seed.metal", right(0.2)}, {"02_candidate.metal", right(0.3)}},
              .budget = {.iterations = 3}};
  const auto history = table.run();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(incumbent(*history).iteration, 2u);
  for (const char* file :
       {"00_seed.metal", "00_result.json", "01_prompt.md", "01_response.md", "01_candidate.metal",
        "01_result.json", "03_generator.json", "history.json", "best.metal", "best_result.json"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("out/" + std::string(file)))) << file;
  EXPECT_EQ(folder.contents("out/best.metal"), "kernel void f2();\n");
  const auto list = Json::parse(folder.contents("out/history.json"));
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["role"], "seed");
  EXPECT_EQ(list[2]["is_new_best"], true);
  EXPECT_EQ(list[2]["elapsed_s"], 0.25);
  EXPECT_EQ(list[2]["usage"]["output_tokens"], 5);
}

TEST(Loop, promotes_no_program_that_it_has_already) {
  const Folder folder;
  const auto judged = [](double score, const char* program) {
    return Json{{"compile_ok", true}, {"correct", true}, {"score", score}, {"program", program}}
        .dump();
  };
  Table table{.folder = folder,
              .judgements = {{"00_seed.metal", judged(0.2, "aa")},
                             {"01_candidate.metal", judged(0.9, "aa")},
                             {"02_candidate.metal", judged(0.3, "bb")},
                             {"03_candidate.metal", judged(0.8, "bb")},
                             {"04_candidate.metal", judged(0.7, "aa")},
                             {"05_candidate.metal", judged(0.4, "cc")},
                             {"06_candidate.metal", judged(0.1, "dd")},
                             {"07_candidate.metal", judged(0.9, "dd")}},
              .budget = {.iterations = 7}};
  const auto history = table.run();
  ASSERT_TRUE(history) << history.error().message;
  using Same = std::optional<unsigned>;
  const Same same[] = {{}, 0, {}, 2, 0, {}, {}, 6};
  const bool promoted[] = {true, false, true, false, false, true, false, false};
  for (unsigned i = 0; i <= 7; ++i) {
    EXPECT_EQ(history->at(i).same_program_as, same[i]) << i;
    EXPECT_EQ(history->at(i).is_new_best, promoted[i]) << i;
  }
  const auto json = Json::parse(folder.contents("out/history.json"));
  EXPECT_EQ(json[1]["same_program_as"], 0);
  EXPECT_EQ(json[1]["speedup"], (Json{{"over", 0}, {"low", 1}, {"estimate", 1}, {"high", 1}}));
  EXPECT_EQ(json[3]["speedup"]["over"], 2);
  EXPECT_FALSE(json[5].contains("speedup")) << "it was not measured in turns";
  EXPECT_NE(folder.contents("out/04_prompt.md").find(", the same program as that of iteration 2\n"),
            std::string::npos);
}

TEST(Loop, takes_the_score_of_an_equal_program_that_was_not_judged_again) {
  const Folder folder;
  const auto judged = [](double score, const char* program) {
    return Json{{"compile_ok", true}, {"correct", true}, {"score", score}, {"program", program}}
        .dump();
  };
  Table table{
      .folder = folder,
      .judgements = {{"00_seed.metal", judged(0.2, "aa")},
                     {"01_candidate.metal", judged(0.3, "bb")},
                     {"02_candidate.metal",
                      Json{{"compile_ok", nullptr}, {"error", "again"}, {"program", "bb"}}.dump()}},
      .budget = {.iterations = 3}};
  const auto history = table.run();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(table.jobs[2].judged_programs, (std::vector<std::string>{"aa", "bb"}));
  EXPECT_EQ(history->at(2).same_program_as, 1u);
  EXPECT_EQ(history->at(2).score, 0.3);
  EXPECT_FALSE(history->at(2).is_new_best);
  const auto result = Json::parse(folder.contents("out/02_result.json"));
  EXPECT_EQ(result["score"], 0.3) << "reports read it";
  EXPECT_EQ(result["file"], "02_candidate.metal");
  EXPECT_NE(folder.contents("out/03_prompt.md").find(", the same program as that of iteration 1"),
            std::string::npos);
  Table again = table;
  EXPECT_EQ((*again.run())[2].score, 0.3);
}

TEST(Loop, refuses_fewer_iterations_than_it_has_made) {
  const Folder folder;
  Table table{.folder = folder,
              .judgements = {{"02_candidate.metal", right(0.9)}},
              .budget = {.iterations = 3}};
  ASSERT_TRUE(table.run());
  ASSERT_EQ(folder.contents("out/best.metal"), "kernel void f2();\n");
  table.budget.iterations = 1;
  const auto history = table.run();
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().message.find("holds 3 iterations, and --iterations 1 would replace"),
            std::string::npos)
      << history.error().message;
  EXPECT_EQ(folder.contents("out/best.metal"), "kernel void f2();\n");
  table.budget = {.iterations = 3, .tokens = 1};
  const auto limited = table.run();
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->size(), 4u) << "a lower limit on tokens drops nothing, either";
  EXPECT_EQ(table.asked, 3u);
}

TEST(Loop, tells_what_it_waits_for) {
  const Folder folder;
  Table table{.folder = folder, .judgements = {}, .budget = {.iterations = 2}};
  ASSERT_TRUE(table.run());
  const std::vector<std::string> expected = {
      "judging the seed",          "", "asking the generator, iteration 1 of 2", "",
      "judging, iteration 1 of 2", "", "asking the generator, iteration 2 of 2", "",
      "judging, iteration 2 of 2", ""};
  EXPECT_EQ(table.activities, expected);
}

TEST(Loop, does_again_only_what_is_not_there) {
  const Folder folder;
  Table table{.folder = folder, .judgements = {}, .budget = {.iterations = 3}};
  ASSERT_TRUE(table.run());
  EXPECT_EQ(table.asked, 3u);
  EXPECT_EQ(table.judged, 4u);
  ASSERT_TRUE(table.run());
  EXPECT_EQ(table.asked, 3u);
  EXPECT_EQ(table.judged, 4u);
  std::filesystem::remove(folder / "out/03_result.json");
  table.budget.iterations = 4;
  ASSERT_TRUE(table.run());
  EXPECT_EQ(table.asked, 4u);
  EXPECT_EQ(table.judged, 6u);
}

TEST(Loop, stops_where_the_generator_alters_its_files) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  const auto strategy = make_strategy({});
  TableGenerator generator([&](const GeneratorRequest& question) {
    if (question.iteration == 2) folder.write("out/00_result.json", right(0.001));
    return kernel("f();");
  });
  TableJudge judge([](const JudgeRequest&) { return right(0.1); });
  const auto history = search::run({.task = **find_task("saxpy"),
                                    .generator = generator,
                                    .judge = judge,
                                    .strategy = **strategy,
                                    .store = *store,
                                    .budget = {.iterations = 3}});
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().message.find("00_result.json"), std::string::npos);
}

TEST(Loop, lets_the_strict_verdict_decide_where_it_is_told_to) {
  const Folder folder;
  Table table{.folder = folder, .judgements = {}, .budget = {.iterations = 1}};
  auto overrun = Json::parse(right(0.9));
  overrun["sizes"] = Json::array({{{"label", "1M"},
                                   {"correct", true},
                                   {"error_kind", "max_abs"},
                                   {"overruns", Json::array({"y"})}}});
  table.judgements["01_candidate.metal"] = overrun.dump();
  table.is_strict = true;
  const auto history = table.run();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_FALSE((*history)[1].correct);
  EXPECT_FALSE((*history)[1].score);
  EXPECT_EQ((*history)[1].fail_reason, "strict: it writes beside the ends of y at size 1M");
}

// Right, with a predicted share of the ceiling.
std::string foreseen(double fraction, bool extrapolated = false) {
  const Json size = {{"label", "1M"},
                     {"correct", true},
                     {"error_kind", "max_abs"},
                     {"predicted_seconds", 1e-3},
                     {"predicted_interval", {5e-4, 2e-3}},
                     {"predicted_fraction", fraction},
                     {"bound_by", "memory"},
                     {"extrapolated", extrapolated}};
  return Json{{"compile_ok", true}, {"correct", true}, {"chip", "m1-pro"}, {"sizes", {size}}}
      .dump();
}

TEST(Loop, never_promotes_a_prediction_outside_of_what_the_model_was_calibrated_on) {
  const Folder folder;
  Table table{.folder = folder,
              .judgements = {{"00_seed.metal", foreseen(0.01)},
                             {"01_candidate.metal", foreseen(0.9, true)},
                             {"02_candidate.metal", foreseen(0.5)},
                             {"03_candidate.metal", foreseen(0.500001)}},
              .budget = {.iterations = 3},
              .is_predicted = true};
  const auto history = table.run();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_DOUBLE_EQ(*(*history)[1].score, 0.9);
  EXPECT_FALSE((*history)[1].is_new_best);
  EXPECT_TRUE((*history)[2].is_new_best);
  EXPECT_FALSE((*history)[3].is_new_best);
  const auto list = Json::parse(folder.contents("out/history.json"));
  EXPECT_EQ(list[1]["extrapolated"], true);
  EXPECT_EQ(list[2]["extrapolated"], false);
  EXPECT_EQ(list[1]["claim"], "none");
  EXPECT_EQ(list[2]["claim"], "faster");
  EXPECT_GT(list[2]["confidence"], 0.9);
  EXPECT_TRUE(list[3]["reason"].get<std::string>().starts_with("too close")) << list[3];
}

TEST(Loop, does_not_start_where_the_seed_is_outside_of_the_calibration) {
  const Folder folder;
  Table table{.folder = folder,
              .judgements = {{"00_seed.metal", foreseen(0.01, true)}},
              .is_predicted = true};
  const auto history = table.run();
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().message.find("--score measured"), std::string::npos)
      << history.error().message;
}

TEST(Loop, skips_an_iteration_without_a_source) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  const auto strategy = make_strategy({});
  TableGenerator generator([](const GeneratorRequest& question) -> std::optional<std::string> {
    if (question.iteration == 1) return std::nullopt;
    if (question.iteration == 2) return "I would rather not.";
    if (question.iteration == 3) return kernel(std::string("f\0\xff", 3));
    if (question.iteration == 4) return "```metal\n```\n";
    if (question.iteration == 5) {
      for (const char* line :
           {"- iteration 1: no answer\n", "- iteration 2: no code block in the answer\n",
            "- iteration 3: the code block in the answer is not text\n",
            "- iteration 4: the code block in the answer is empty\n"})
        EXPECT_NE(question.prompt.find(line), std::string::npos) << line << question.prompt;
      EXPECT_NO_THROW(Json(question.prompt).dump()) << "it is UTF-8";
    }
    return kernel("f();");
  });
  TableJudge judge([](const JudgeRequest&) { return right(0.5); });
  const auto history = run({.task = **find_task("saxpy"),
                            .generator = generator,
                            .judge = judge,
                            .strategy = **strategy,
                            .store = *store,
                            .budget = {.iterations = 6}});
  ASSERT_TRUE(history);
  EXPECT_EQ((*history)[1].role, Record::Role::skipped);
  EXPECT_EQ((*history)[1].fail_reason, "the table has no answer");
  EXPECT_EQ((*history)[2].role, Record::Role::skipped);
  EXPECT_EQ((*history)[3].role, Record::Role::skipped);
  EXPECT_EQ((*history)[3].fail_reason, "the code block in the answer is not text");
  EXPECT_EQ((*history)[4].fail_reason, "the code block in the answer is empty");
  EXPECT_EQ((*history)[5].role, Record::Role::candidate);
  EXPECT_FALSE(store->has("02_candidate.metal"));
  EXPECT_FALSE(store->has("03_candidate.metal"));
}

TEST(Loop, ends_with_its_budget) {
  const Folder one, other;
  Table seconds{.folder = one, .judgements = {}, .budget = {.iterations = 50, .seconds = 1.0}};
  EXPECT_EQ(seconds.run()->size(), 4u);  // the seed and three candidates, 0.25 s each
  Table tokens{.folder = other, .judgements = {}, .budget = {.iterations = 50, .tokens = 31}};
  EXPECT_EQ(tokens.run()->size(), 4u);  // three answers, 15 tokens each
}

TEST(Loop, does_not_start_from_a_wrong_seed) {
  const Folder folder;
  Table table{
      .folder = folder,
      .judgements = {{"00_seed.metal", R"({"compile_ok": true, "fail_reason": "it is wrong"})"}}};
  const auto history = table.run();
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().message.find("it is wrong"), std::string::npos);
}

TEST(Loop, hands_a_generation_over_at_once_and_pairs_to_the_paired_rule) {
  const Folder one, other;
  Table plus{.folder = one, .judgements = {}, .strategy = "plus", .budget = {.iterations = 7}};
  const auto history = plus.run();
  ASSERT_TRUE(history);
  EXPECT_EQ((*history)[3].generation, 1u);
  EXPECT_EQ((*history)[4].generation, 2u);
  EXPECT_EQ((*history)[7].generation, 3u);

  const std::vector<double> ones(12, 1), twos(12, 2);
  const Json faster = {{"compile_ok", true},
                       {"correct", true},
                       {"score", 0.01},  // whatever the score says
                       {"versus",
                        {{"rival", "00_seed.metal"},
                         {"sizes", {{{"label", "1M"}, {"candidate", ones}, {"rival", twos}}}}}}};
  Table paired{.folder = other,
               .judgements = {{"01_candidate.metal", faster.dump()}},
               .strategy = "paired",
               .budget = {.iterations = 2}};
  const auto second = paired.run();
  ASSERT_TRUE(second);
  EXPECT_TRUE((*second)[1].is_new_best);
  EXPECT_FALSE((*second)[2].is_new_best);
  ASSERT_TRUE((*second)[1].speedup);
  EXPECT_EQ((*second)[1].speedup->over, 0u);
  EXPECT_NEAR((*second)[1].speedup->ratio.median, 2, 1e-9);
  EXPECT_FALSE((*second)[2].speedup) << "the judge did not compare it";
  EXPECT_FALSE(paired.jobs[0].rival);
  EXPECT_EQ(paired.jobs[1].rival, "00_seed.metal");
  EXPECT_EQ(paired.jobs[2].rival, "01_candidate.metal");
}

// A judgement of each kind, by the iteration.
std::string some_judgement(const Task& task, unsigned iteration) {
  Json sizes = Json::array();
  for (const auto& size : task.sizes)
    sizes.push_back({{"label", size.label},
                     {"correct", iteration % 3 != 1},
                     {"error_kind", "max_abs"},
                     {"error_value", 0.5},
                     {"gpu_seconds", 0.001},
                     {"achieved", 3.0},
                     {"achieved_unit", task.unit},
                     {"ceiling", 200.0},
                     {"ceiling_unit", "GB/s"},
                     {"fraction_of_ceiling", 0.015}});
  if (iteration % 3 == 2)
    return R"({"compile_ok": false, "fail_reason": "compile error: 1:1: no"})";
  Json json = {{"compile_ok", true}, {"correct", iteration % 3 == 0}, {"sizes", sizes}};
  if (iteration % 3 == 0) json["score"] = 0.5 + 0.001 * iteration;
  return json.dump();
}

// The prompts of a search whose candidates come to all kinds of ends.
std::vector<std::string> prompts_of(const Task& task, const std::string& strategy_name) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  const auto strategy = make_strategy({.name = strategy_name, .lambda = 2, .islands = 2});
  std::vector<std::string> prompts;
  TableGenerator generator([&](const GeneratorRequest& question) {
    prompts.push_back(question.prompt);
    EXPECT_EQ(question.prompt, *store->read(file_of(question.iteration, "prompt.md")));
    return kernel("f();");
  });
  unsigned judged = 0;
  TableJudge judge([&](const JudgeRequest&) { return some_judgement(task, judged++); });
  const auto history = run({.task = task,
                            .generator = generator,
                            .judge = judge,
                            .strategy = **strategy,
                            .store = *store,
                            .budget = {.iterations = 6}});
  EXPECT_TRUE(history) << history.error().message;
  return prompts;
}

void expect_no_held_out_size(const Task& task, const std::string& strategy) {
  const std::regex label("\\b" + std::string(task.held_out->label) + "\\b");
  const std::regex words("held.out", std::regex::icase);
  const auto prompts = prompts_of(task, strategy);
  EXPECT_EQ(prompts.size(), 6u);
  for (const auto& prompt : prompts) {
    EXPECT_FALSE(std::regex_search(prompt, label)) << task.name << ", " << strategy;
    EXPECT_FALSE(std::regex_search(prompt, words)) << task.name << ", " << strategy;
    EXPECT_NE(prompt.find(task.sizes.front().label), std::string::npos) << task.name;
  }
}

TEST(Loop, tells_no_generator_of_the_held_out_size) {
  for (const auto* task : all_tasks()) expect_no_held_out_size(*task, "strict");
  for (const auto& name : strategy_names()) expect_no_held_out_size(**find_task("hmc"), name);
}

}  // namespace
}  // namespace msci::search

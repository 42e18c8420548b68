// Small sets of results, summarised by hand.
#include "search/report/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/report/charts/charts.h"

namespace msci {
namespace {

using Role = EvaluationResult::Role;

SizeResult size_result(double seconds, double fraction, bool correct = true) {
  return {.label = "s",
          .answer = Verdict{.correct = correct},
          .timing = Timing{.seconds = seconds,
                           .achieved = 10 * fraction,
                           .ceiling = 10,
                           .fraction = fraction,
                           .intensity = 0.5},
          .ceiling_unit = "GB/s"};
}

ResultRecord record_of(std::string name, Outcome outcome) {
  ResultRecord record;
  record.name = std::move(name);
  record.task = "heat2d";
  record.device = "cpu";
  record.result = std::move(outcome);
  return record;
}

Scored& scored(ResultRecord& record) { return std::get<Scored>(std::get<Outcome>(record.result)); }

// A right one: two sizes of that time each, a score, and a fraction at the held-out size.
ResultRecord right(std::string name, double seconds, double score,
                   std::optional<double> held_out = std::nullopt) {
  Scored outcome{.sizes = {size_result(seconds, score), size_result(seconds, score)},
                 .score = score};
  if (held_out) outcome.held_out = size_result(seconds, *held_out);
  auto record = record_of(std::move(name), std::move(outcome));
  record.ceilings = Ceilings{.gflops = 100, .gbps = 10};
  return record;
}

ResultRecord seed() {
  auto record = right("seed", 2, 0.2, 0.4);
  record.role = Role::seed;
  return record;
}

ResultRecord refused(std::string name, std::string reason = {},
                     Rejected::Stage stage = Rejected::Stage::compile) {
  return record_of(std::move(name), Rejected{stage, std::move(reason)});
}

ResultRecord wrong(std::string name, std::string reason = {}) {
  return record_of(std::move(name), Wrong{.reason = std::move(reason)});
}

TEST(Stages, follow_what_a_record_says) {
  EXPECT_EQ(stage_of(refused("a")), Stage::none);
  EXPECT_EQ(stage_of(refused("a", "too much memory", Rejected::Stage::pipeline)), Stage::none);
  EXPECT_EQ(stage_of(wrong("a", "correctness failed at size s: max_abs=1")), Stage::degeneracy);
  auto stand_in = refused("a");
  stand_in.regression_type = 3;
  EXPECT_EQ(stage_of(stand_in), Stage::syntax);
  EXPECT_EQ(stage_of(right("a", 1, 1)), Stage::function);
  EXPECT_EQ(stage_of(right("a", 1, 1, 0.5)), Stage::generalisation);
  auto overfitted = right("a", 1, 1, 0.5);
  scored(overfitted).held_out->answer = Verdict{.correct = false};
  EXPECT_EQ(stage_of(overfitted), Stage::function);
}

TEST(Summary, takes_nothing_for_the_best_that_the_strict_verdict_refuses) {
  auto cheat = right("cheat", 1, 0.9);
  cheat.strict = StrictResult{.passed = false};
  auto honest = right("honest", 1, 0.5);
  honest.strict = StrictResult{.passed = true};
  const auto summary = summarise({seed(), cheat, honest});
  ASSERT_TRUE(summary.tasks.at(0).best);
  EXPECT_EQ(summary.candidates[*summary.tasks[0].best].record.name, "honest");
  EXPECT_FALSE(summarise({seed(), cheat}).tasks.at(0).best);
}

TEST(Summary, rates_candidates_against_their_seed) {
  const auto summary = summarise({seed(), right("a", 1, 0.4, 0.2), refused("b")});
  ASSERT_EQ(summary.candidates.size(), 2u);
  EXPECT_EQ(summary.candidates[0].record.name, "a");
  EXPECT_FALSE(summary.candidates[0].speed_up) << "two scores are no speed-up";
  EXPECT_FALSE(summary.candidates[0].held_out_speed_up);
  EXPECT_TRUE(summary.candidates[0].has_low_held_out_rate);
  EXPECT_TRUE(summary.candidates[0].is_silent_regression());
  EXPECT_DOUBLE_EQ(*summary.total.at_1.function, 0.5);
  EXPECT_DOUBLE_EQ(*summary.total.at_1.generalisation, 0.5);
  // Half the time scores 1.5, failure 0; sizes of 1 s against 2 s.
  ASSERT_EQ(summary.total.performance.kinds.size(), 1u);
  EXPECT_EQ(summary.total.performance.kinds[0].name, "device time");
  EXPECT_DOUBLE_EQ(*summary.total.performance.percent, 75);
}

TEST(Summary, all_failed_scores_nothing) {
  const auto summary = summarise({seed(), refused("a"), wrong("b")});
  EXPECT_EQ(*summary.total.at_1.function, 0);
  EXPECT_EQ(*summary.total.performance.percent, 0);
  EXPECT_FALSE(summary.tasks.at(0).best);
}

TEST(Summary, without_a_seed_there_is_no_ratio) {
  auto elsewhere = seed();
  elsewhere.device = "another";
  const auto summary = summarise({elsewhere, right("a", 1, 0.4)});
  EXPECT_FALSE(summary.candidates.at(0).speed_up);
  EXPECT_FALSE(summary.total.performance.percent);
  EXPECT_EQ(summary.tasks.at(0).unseeded, 1u);
  const auto note = "No seed was scored for heat2d on the candidates' device";
  EXPECT_NE(to_markdown(summary).find(note), std::string::npos);
  EXPECT_NE(to_html(summary, "t").find("No seed was scored for heat2d"), std::string::npos);
  EXPECT_EQ(to_markdown(summarise({seed(), right("a", 1, 0.4)})).find("No seed"),
            std::string::npos);
}

TEST(Summary, what_fits_no_task_is_no_task_and_in_no_rate) {
  auto stray = refused("stray", "none of the tasks dispatches a kernel", Rejected::Stage::pipeline);
  stray.task.clear();
  stray.generator = "g";
  const auto summary = summarise({seed(), right("a", 1, 0.4), stray});
  EXPECT_EQ(summary.tasks.size(), 1u);
  EXPECT_EQ(summary.total.at_1.problems, 1u);
  EXPECT_EQ(summary.total.at_1.samples, 1u);
  EXPECT_EQ(summary.total.at_1.function, 1);
  EXPECT_EQ(summary.total.performance.kinds.at(0).samples, 1u);
  EXPECT_TRUE(summary.by_generator.empty());
  EXPECT_EQ(summary.candidates.size(), 2u) << "it is listed all the same";
  EXPECT_NE(headline(summary).find("; 1 candidate fits no task and enters no rate."),
            std::string::npos)
      << headline(summary);
  const auto alone = summarise({stray});
  EXPECT_FALSE(alone.total.at_1.syntax);
  EXPECT_EQ(to_markdown(alone).find("Cascade"), std::string::npos);
}

TEST(Summary, the_seed_of_the_same_search_comes_first) {
  auto other = seed();
  auto own = seed();
  own.run = "r";
  scored(own).score = 0.1;
  auto candidate = right("a", 1, 0.4);
  candidate.run = "r";
  EXPECT_DOUBLE_EQ(*summarise({other, own, candidate}).candidates.at(0).seed_score, 0.1);
}

// The seed of a search, and a candidate that the search names its best.
std::vector<ResultRecord> searched(std::string run, ResultRecord candidate) {
  auto own = seed();
  own.name = run + "/00";
  own.file = "00_seed.metal";
  own.program = "aa";
  own.is_new_best = true;
  own.iteration = 0;
  candidate.iteration = 1;
  candidate.program = "bb";
  candidate.is_new_best = true;
  for (auto* each : {&own, &candidate}) each->run = run;
  return {own, candidate};
}

PairedTimes twelve_times(double candidate, double rival) {
  return {"s", std::vector<double>(12, candidate), std::vector<double>(12, rival)};
}

// The scores of a busy machine may say the contrary.
TEST(Summary, takes_the_speed_up_that_a_search_measured_in_turns_with_the_seed) {
  auto records = searched("r", right("r/01", 1, 0.4));
  auto& candidate = records[1];
  candidate.comparison =
      ComparisonResult{.rival = "00_seed.metal", .times = {{twelve_times(2, 1)}}};
  const auto rated = [&] { return summarise(records).candidates.at(0).speed_up; };
  EXPECT_EQ(rated(), (Ratio{0.5, {0.5, 0.5}}));
  EXPECT_EQ(conclusions(summarise(records)).at(0),
            "heat2d: the best candidate, r/01, has 0.50 times the seed's speed (99 %: 0.50 to "
            "0.50), slower.");
  candidate.comparison->times = {{{"s", {1, 1}, {2, 2}}}};
  EXPECT_FALSE(rated()) << "two rounds have no interval";
  candidate.comparison = ComparisonResult{.rival = "02_candidate.metal", .same_program = true};
  EXPECT_FALSE(rated()) << "that is not the seed";
  candidate.speed_up = Ratio{1.5, {1.4, 1.6}};
  EXPECT_EQ(rated(), candidate.speed_up) << "as the history has it";
  candidate.program = "aa";
  EXPECT_EQ(rated(), same_program_ratio);
}

// A generator that returns the seed with comments: whatever the noise of the scores says.
TEST(Summary, a_search_whose_candidates_were_not_promoted_has_no_best_one) {
  auto records = searched("r", right("r/01", 1, 0.9));
  records[1].is_new_best = false;
  records[1].program = "aa";
  auto other = right("r/02", 1, 0.8);
  other.run = "r";
  other.iteration = 2;
  other.speed_up = Ratio{1.16, {0.98, 1.2}};
  records.push_back(other);
  const auto summary = summarise(records);
  EXPECT_FALSE(summary.tasks.at(0).best);
  EXPECT_EQ(conclusions(summary).at(0),
            "heat2d: no candidate was better than the seed among 2 candidates.");
  EXPECT_EQ(*summary.searches.at(0).steps.back().best, 0.2) << "the seed's";
  const auto text = to_markdown(summary);
  EXPECT_NE(text.find("| r/01 | heat2d | right | FNC: right | 0.9000 | 1 (the same program) |"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| 1.16 (99 %: 0.98 to 1.20), not shown to be faster |"), std::string::npos);
  EXPECT_EQ(text.find("4.50"), std::string::npos) << "the ratio of the scores";
  EXPECT_NE(to_html(summary, "t").find("<td>1 (the same program)</td>"), std::string::npos);
  EXPECT_NE(to_json(summary).find("\"best\": null"), std::string::npos);
}

TEST(Summary, the_best_of_a_search_is_the_last_that_it_promoted) {
  auto records = searched("r", right("r/01", 1, 0.5));
  auto later = records[1];
  later.name = "r/02";
  later.iteration = 2;
  scored(later).score = 0.4;  // on a busier machine
  records.push_back(later);
  const auto summary = summarise(records);
  EXPECT_EQ(summary.candidates[summary.tasks.at(0).best.value()].record.name, "r/02");
  std::vector<double> best;
  for (const auto& step : summary.searches.at(0).steps) best.push_back(*step.best);
  EXPECT_EQ(best, (std::vector<double>{0.2, 0.5, 0.4}));
}

TEST(Summary, takes_a_task_s_scores_from_one_search_in_whatever_order_they_come) {
  auto records = searched("run_a", right("run_a/01", 1, 0.25));
  for (auto& each : searched("run_b", right("run_b/01", 1, 0.3))) records.push_back(each);
  scored(records[2]).score = 0.1;
  const auto summary = summarise(records);
  const auto& task = summary.tasks.at(0);
  ASSERT_TRUE(task.best);
  EXPECT_EQ(summary.candidates[*task.best].record.name, "run_b/01");
  EXPECT_DOUBLE_EQ(*task.seed_score, 0.1);
  const auto text = to_markdown(summary);
  EXPECT_NE(text.find("| run_b/01 | 2 | 0.1000 | 0.3000 | – |"), std::string::npos) << text;
  EXPECT_NE(text.find("| run_a/00 | heat2d | s |"), std::string::npos) << text;
  EXPECT_NE(text.find("| run_b/00 | heat2d | s |"), std::string::npos) << text;
  std::swap(records[0], records[2]);
  std::swap(records[1], records[3]);
  EXPECT_EQ(summarise(records), summary);
}

TEST(Summary, says_of_many_tasks_how_many_are_shown_to_be_faster) {
  std::vector<ResultRecord> records;
  for (const auto* task : {"a", "b", "c", "d"})
    for (auto& each : searched(task, right(std::string(task) + "/01", 1, 0.4))) {
      each.task = task;
      records.push_back(each);
    }
  EXPECT_TRUE(conclusions(summarise(records)).empty()) << "nothing was measured in turns";
  records[1].speed_up = Ratio{1.5, {1.4, 1.6}};
  records[3].speed_up = Ratio{1.1, {0.9, 1.2}};
  EXPECT_EQ(conclusions(summarise(records)).at(0),
            "The best candidates of 2 of 4 tasks were measured in turns with their seeds; 1 is "
            "shown to be faster.");
}

TEST(Summary, without_seeds_the_highest_score_is_the_best) {
  const auto summary = summarise({right("a", 1, 0.3), right("b", 1, 0.4)});
  EXPECT_EQ(summary.candidates[summary.tasks.at(0).best.value()].record.name, "b");
  EXPECT_FALSE(summary.tasks.at(0).seed_score);
}

TEST(Summary, a_candidate_that_never_ran_has_its_tasks_regime) {
  const auto summary = summarise({seed(), refused("a")});
  ASSERT_EQ(summary.by_regime.size(), 1u);
  EXPECT_EQ(summary.by_regime[0].name, "bandwidth");
  EXPECT_EQ(summary.by_regime[0].at_1.samples, 1u);
}

TEST(Summary, what_could_not_be_checked_is_no_sample) {
  auto unknown = refused("a");
  unknown.result = Error{"no device"};
  const auto summary = summarise({unknown});
  EXPECT_EQ(summary.total.at_1.samples, 0u);
  EXPECT_EQ(summary.unchecked.size(), 1u);
}

TEST(Summary, follows_a_search_through_failures) {
  auto second = refused("r/01");
  auto third = right("r/02", 1, 0.4);
  auto fourth = right("r/03", 1, 0.3);
  auto first = seed();
  third.gate = GateResult{.verdict = GateVerdict::silent_regression,
                          .speed_up = Ratio{0.8, ConfidenceInterval{0.746, 0.85}}};
  unsigned iteration = 0;
  for (auto* each : {&first, &second, &third, &fourth}) {
    each->run = "r";
    each->iteration = iteration++;
  }
  third.is_new_best = true;
  const auto summary = summarise({third, first, fourth, second});
  ASSERT_EQ(summary.searches.size(), 1u);
  std::vector<double> best;
  for (const auto& step : summary.searches[0].steps) best.push_back(*step.best);
  EXPECT_EQ(best, (std::vector<double>{0.2, 0.2, 0.4, 0.4}));
  EXPECT_FALSE(summary.searches[0].steps[1].score);
  const auto tables = tables_of(summary);
  const auto searches = std::find_if(tables.begin(), tables.end(),
                                     [](const Table& table) { return table.title == "Searches"; });
  ASSERT_NE(searches, tables.end());
  EXPECT_EQ(searches->rows[0].cells.back(), "silent-regression, 0.80 (99 %: 0.75 to 0.85), slower");
  EXPECT_TRUE(searches->rows[0].warn);
}

TEST(Summary, shows_the_verdict_of_a_gate_in_the_cascade) {
  auto best = right("r/01", 1, 0.4);
  best.gate = GateResult{.verdict = GateVerdict::generalises};
  const auto one = summarise({seed(), best, right("r/02", 1, 0.3)});
  EXPECT_EQ(gates_text(one.total), "generalises");
  const auto text = to_markdown(one);
  EXPECT_NE(text.find("| GEN: right held out | gate |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 1 of 1 | generalises |"), std::string::npos) << text;
  EXPECT_NE(to_html(one, "t").find(">generalises</text>"), std::string::npos) << "in the chart";
  auto other = right("q/01", 1, 0.4);
  other.gate = GateResult{.verdict = GateVerdict::silent_regression};
  EXPECT_EQ(gates_text(summarise({best, other, best}).total),
            "generalises: 2, silent-regression: 1");
  EXPECT_EQ(to_markdown(summarise({seed(), right("a", 1, 0.4)})).find("| gate |"),
            std::string::npos);
}

TEST(Summary, takes_the_held_out_verdict_from_the_gate) {
  auto fast = right("fast", 1, 0.4);
  fast.gate = GateResult{.verdict = GateVerdict::generalises,
                         .speed_up = Ratio{1.5, ConfidenceInterval{1.4, 1.6}}};
  auto slow = right("slow", 1, 0.39, 0.8);  // twice as fast there, but for the gate
  slow.gate = GateResult{.verdict = GateVerdict::silent_regression,
                         .speed_up = Ratio{0.9, ConfidenceInterval{0.85, 0.95}}};
  auto wrong = right("wrong", 1, 0.38);
  wrong.gate = GateResult{.verdict = GateVerdict::silent_incorrect};
  const auto summary = summarise({seed(), fast, slow, wrong});
  ASSERT_EQ(summary.candidates.size(), 3u);
  EXPECT_EQ(summary.candidates[0].held_out_speed_up, fast.gate->speed_up);
  EXPECT_EQ(summary.candidates[0].passed, Stage::generalisation);
  EXPECT_FALSE(summary.candidates[0].is_silent_regression());
  EXPECT_EQ(summary.candidates[1].held_out_speed_up, slow.gate->speed_up);
  EXPECT_TRUE(summary.candidates[1].is_silent_regression());
  EXPECT_EQ(summary.candidates[2].passed, Stage::function);
  EXPECT_TRUE(summary.candidates[2].is_silent_regression());
  EXPECT_DOUBLE_EQ(*summary.total.at_1.generalisation, 2 / 3.0);

  auto shaky = right("shaky", 1, 0.4);  // and wrong at a shown size when the gate asked again
  shaky.gate = GateResult{.verdict = GateVerdict::incorrect};
  EXPECT_EQ(shaky.is_right_held_out(), std::nullopt);
  const auto rated = summarise({seed(), shaky});
  EXPECT_EQ(rated.candidates.at(0).passed, Stage::function);
  EXPECT_FALSE(rated.candidates.at(0).is_silent_regression());
  const auto text = to_markdown(summary);
  EXPECT_NE(text.find("| – | 1.50 (99 %: 1.40 to 1.60) |"), std::string::npos) << text;
  EXPECT_NE(text.find("| wrong | heat2d | 0.3800 | 0.2000 | – | wrong |"), std::string::npos)
      << text;
}

TEST(Summary, counts_findings_and_the_files_they_are_in) {
  auto a = refused("a");
  const Diagnostic error{.severity = Severity::error, .id = "x.y"};
  const Diagnostic warning{.severity = Severity::warning, .id = "x.z"};
  a.diagnostics = {error, error, warning};
  auto b = refused("b");
  b.diagnostics = {warning};
  const auto summary = summarise({a, b});
  EXPECT_EQ(summary.diagnostics,
            (std::vector<DiagnosticCount>{{"x.z", "warning", 2, 2}, {"x.y", "error", 2, 1}}));
}

// One size that took that long, and its prediction.
ResultRecord predicted(std::string name, double measured, double foreseen) {
  auto record = right(std::move(name), measured, 0.5);
  record.chip = "m1-pro";
  for (auto& each : scored(record).sizes)
    each.predicted = PredictedTime{.seconds = foreseen, .bound_by = Bound::latency};
  return record;
}

TEST(Predictions, stand_beside_measured_times_with_the_correlation_of_their_ranks) {
  const auto checks = [](std::vector<ResultRecord> records) {
    return check_predictions(judged(summarise(std::move(records))));
  };
  const auto same = checks({predicted("a", 1, 3), predicted("b", 2, 4), predicted("c", 4, 8)});
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0].chip, "m1-pro");
  EXPECT_EQ(same[0].kernels, 3u);
  EXPECT_NEAR(*same[0].rank_correlation, 1, 1e-12);
  EXPECT_NEAR(same[0].ratio, 2, 1e-12);
  EXPECT_NEAR(*checks({predicted("a", 1, 9), predicted("b", 2, 4), predicted("c", 4, 3)})[0]
                   .rank_correlation,
              -1, 1e-12);
  EXPECT_FALSE(checks({predicted("a", 1, 3), predicted("b", 2, 4)})[0].rank_correlation);
  EXPECT_FALSE(checks({predicted("a", 1, 3), predicted("b", 2, 3), predicted("c", 3, 3)})[0]
                   .rank_correlation);
  EXPECT_TRUE(checks({seed(), right("a", 1, 0.4)}).empty());
  const auto text = to_markdown(summarise({predicted("a", 1, 3)}));
  EXPECT_NE(text.find("| a | heat2d | m1-pro | s | latency | 3e+03 |"), std::string::npos) << text;
}

TEST(Predictions, of_a_search_are_its_scores) {
  auto record = predicted("run/01", 1, 3);
  scored(record).score.reset();
  for (auto& each : scored(record).sizes) {
    each.timing.reset();
    each.predicted->fraction = 0.25;
  }
  record.run = "run";
  record.iteration = 1;
  const auto summary = summarise({record});
  EXPECT_NEAR(*summary.searches.at(0).steps.at(0).score, 0.25, 1e-12);
}

TEST(Profile, shows_the_source_line_by_line) {
  ResultRecord record;
  record.is_judged = false;
  record.profile = ProfilePage{
      .file = "k.metal",
      .source = "kernel void k() {\n  float x = sin(1 < 2 ? y : z);\n}\n",
      .task = "nbody",
      .chip = "m2",
      .sizes = {{.label = "small"},
                {.label = "large",
                 .seconds = 2e-3,
                 .launches = {{.kernel = "k",
                               .launches = 2,
                               .advice = "bound by instructions; compute less",
                               .lines = {{.line = 2,
                                          .instructions = 10,
                                          .cycles = 30,
                                          .active_lanes = 16,
                                          .lines = 8,
                                          .least_lines = 2},
                                         {.line = 3, .instructions = 10, .cycles = 10}}},
                              {.kernel = "k",
                               .launches = 1,
                               .advice = "bound by instructions; compute less",
                               .lines = {{.line = 3, .instructions = 1, .cycles = 20}}}}}}};
  const auto summary = summarise({record});
  EXPECT_TRUE(summary.candidates.empty());
  const auto table = profile_table(summary.profiles.at(0));
  EXPECT_EQ(table.title, "Profile of k.metal: nbody large on m2");
  EXPECT_NE(table.note.find("2 ms a pass, as predicted. k: bound by instructions; compute less. C"),
            std::string::npos)
      << table.note;
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].cells,
            (std::vector<std::string>{"1", "kernel void k() {", "", "", "", ""}));
  EXPECT_EQ(table.rows[1].cells,
            (std::vector<std::string>{"2", "\u00a0\u00a0float x = sin(1 < 2 ? y : z);", "60.0 %",
                                      "16", "4.0", "–"}));
  EXPECT_EQ(table.rows[2].cells[2], "40.0 %");
  EXPECT_NE(to_html(summary, "t").find("sin(1 &lt; 2 ? y : z)"), std::string::npos);
}

TEST(Markdown, keeps_cells_in_their_columns) {
  auto odd = wrong("a|b", "line one\nline <two>");
  const auto text = to_markdown(summarise({odd}));
  EXPECT_NE(text.find("| a\\|b | heat2d | line one line \\<two> |"), std::string::npos) << text;
}

TEST(Html, quotes_whatever_a_name_holds) {
  auto odd = refused("<script>\"&'", "<img src=x>");
  const auto text = to_html(summarise({odd}), "<title>");
  EXPECT_EQ(text.find("<script>\"&'"), std::string::npos);
  EXPECT_EQ(text.find("<script"), text.rfind("<script")) << "a script beside the page's own";
  EXPECT_NE(text.find("script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(text.find("<img"), std::string::npos);
  EXPECT_NE(text.find("&lt;script&gt;&quot;&amp;&#39;"), std::string::npos);
}

TEST(Labels, keep_clear_of_each_other_and_of_the_frame) {
  Svg svg(400, 340, "t");
  const Frame frame{.width = 400, .height = 340, .left = 0, .right = 100, .top = 0, .bottom = 100};
  Labels labels(svg, frame);
  EXPECT_TRUE(labels.place({10, 50}, "one"));
  EXPECT_TRUE(labels.place({95, 50}, "two")) << "to the left of its point";
  EXPECT_FALSE(labels.place({50, 50}, "a name that is wider than the frame"));
  int placed = 0;
  for (int i = 0; i < 10; ++i) placed += labels.place({50, 20}, "again") ? 1 : 0;
  EXPECT_EQ(placed, 3) << "right, left and below; above, it would touch these";
  Labels others(svg, frame);
  others.reserve({0, 50}, {100, 50});
  EXPECT_FALSE(others.place({50, 50}, "one"));
}

TEST(Scale, has_round_ticks_within_it) {
  EXPECT_EQ(Scale(Scale::Kind::linear, 0, 1, 0, 100).ticks(),
            (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(Scale(Scale::Kind::logarithmic, 1, 10000, 0, 100).ticks(),
            (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_DOUBLE_EQ(Scale(Scale::Kind::logarithmic, 1, 100, 0, 100)(10), 50);
  EXPECT_DOUBLE_EQ(Scale(Scale::Kind::linear, 0, 4, 100, 0)(1), 75);
}

TEST(Scale, has_room_for_any_values) {
  for (const auto kind : {Scale::Kind::linear, Scale::Kind::logarithmic})
    for (const auto& values :
         std::vector<std::vector<double>>{{}, {0, -1}, {3}, {3, 3}, {1e-9, 1e9}}) {
      const auto scale = Scale::around(kind, values, 0, 100);
      EXPECT_LT(scale.low(), scale.high());
      for (const auto value : values)
        EXPECT_TRUE(value <= 0 || (scale(value) > 0 && scale(value) < 100)) << value;
    }
}

}  // namespace
}  // namespace msci

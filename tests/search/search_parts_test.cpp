// The pieces of a search, each alone.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <set>
#include <thread>

#include "analysis/profile/predict.h"
#include "base/process/failure_reason.h"
#include "evaluator/measure/paired_comparison.h"
#include "evaluator/result/gate_result.h"
#include "evaluator/result/result_text.h"
#include "evaluator/server/answer_source.h"
#include "search/loop.h"
#include "tests/support/exchange_hook.h"
#include "tests/support/folder.h"

namespace msci::search {
namespace {

// --- The source in an answer

TEST(FindSource, takes_the_longest_block_that_looks_like_a_kernel) {
  const struct {
    const char* answer;
    std::optional<std::string> source;
    std::string why = "no code block in the answer";
  } cases[] = {
      {"no block at all", std::nullopt},
      {"```metal\nkernel void f() {}\n```\n", "kernel void f() {}\n"},
      {"```MSL\nkernel void f() {}\n```", "kernel void f() {}\n"},
      {"```\n#include <metal_stdlib>\n```\n", "#include <metal_stdlib>\n"},
      {"```python\nkernel = 3\n```\n", std::nullopt},
      {"```cpp\nint a;\n```\nand\n```c++\nint ab;\n```\n", "int ab;\n"},
      {"```c\nkernel void f();\n```\n```c\nfloat x = 1; // this is much longer\n```\n",
       "kernel void f();\n"},
      {"```metal\nkernel void cut_off() {", std::nullopt},
      {"  ```metal  \nkernel void f();\n  ```\n", "kernel void f();\n"},
      {"```metal\n\n```\n", std::nullopt, "the code block in the answer is empty"},
      {"```metal\n\n```\n```\n \n```\n", std::nullopt, "the code block in the answer is empty"},
      {"```metal\nkernel \x01\n```\n", std::nullopt, "the code block in the answer is not text"},
      {"```metal\nkernel \xff\xfe\n```\n", std::nullopt,
       "the code block in the answer is not text"},
      {"```metal\nkernel \xff\xfe, longer\n```\nand\n```\nint a;\n```\n", "int a;\n"},
      {"```metal\n// \xc3\xa9\n```\n", "// \xc3\xa9\n"},
      {"", std::nullopt},
  };
  for (const auto& each : cases) {
    const auto found = find_source(each.answer);
    EXPECT_EQ(found ? std::optional(*found) : std::nullopt, each.source) << each.answer;
    EXPECT_TRUE(found || found.error().message == each.why) << each.answer;
  }
}

// --- What a source uses

TEST(Regime, names_the_means_and_ignores_comments) {
  EXPECT_EQ(regime_of("kernel void f(device float* x) {}"), "plain");
  EXPECT_EQ(regime_of("// threadgroup float t[4];\n/* simd_sum(x) */ float y;"), "plain");
  EXPECT_EQ(regime_of("threadgroup float t[4]; x = simd_sum(x);"), "tiles+simdgroups");
  EXPECT_EQ(regime_of("device const float4* x"), "vectors");
  EXPECT_EQ(regime_of("uint2 p [[threads_per_threadgroup]]"), "plain");
}

// --- Judgements

constexpr const char* wrong_json = R"json({"compile_ok": true, "correct": false, "score": null,
  "fail_reason": "correctness failed at size B: max_abs=nan",
  "sizes": [
    {"label": "A", "correct": true, "error_value": 1e-8, "error_kind": "max_abs", "tolerance": 1e-3,
     "gpu_seconds": 0.0025, "achieved": 12.25, "achieved_unit": "GB/s (8 B/cell)", "ceiling": 200,
     "ceiling_unit": "GB/s", "fraction_of_ceiling": 0.06125, "message": null},
    {"label": "B", "correct": false, "error_value": null, "error_text": "NaN",
     "error_kind": "max_abs", "tolerance": null, "gpu_seconds": null, "message": null},
    {"label": "C", "correct": false, "error_value": null, "error_text": "Infinity",
     "error_kind": "exception", "tolerance": null, "message": "no result after 2 s"}],
  "diagnostics": [{"severity": "warning", "id": "slow.uncoalesced", "line": 3, "column": 9,
                   "message": "far apart"}]})json";

TEST(Judgement, reads_what_msci_eval_prints_and_tells_it) {
  const auto judgement = evaluation_from_json(wrong_json);
  ASSERT_TRUE(judgement) << judgement.error().message;
  EXPECT_TRUE(judgement->compile_ok());
  EXPECT_FALSE(judgement->score());
  EXPECT_TRUE(std::isnan(std::get<Verdict>(judgement->sizes()[1].answer).error_value));
  EXPECT_EQ(std::get<Failure>(judgement->sizes()[2].answer).message, "no result after 2 s");
  EXPECT_EQ(prompt_text(*judgement),
            "               A  correct, 2.50 ms, 12.2 GB/s (8 B/cell) (6.1% of 200 GB/s)\n"
            "               B  INCORRECT (max_abs=nan, tolerance n/a)\n"
            "               C  INCORRECT (no result after 2 s)\n"
            "correctness failed at size B: max_abs=nan\n"
            "what the linter says, as LINE:COLUMN:\n"
            "  3:9: warning: far apart [slow.uncoalesced]\n");
}

TEST(Judgement, is_no_broken_or_foreign_json) {
  for (const char* text : {"", "[]", "{\"sizes\": [{}]}", "{\"score\": \"high\"}", "nonsense"})
    EXPECT_FALSE(evaluation_from_json(text)) << text;
}

TEST(Judgement, a_source_that_msci_eval_crashes_on_has_no_verdict) {
  const auto crash = judgement_of({.exit = {.signal = SIGSEGV}});
  ASSERT_TRUE(crash);
  const auto judgement = evaluation_from_json(*crash);
  ASSERT_TRUE(judgement);
  EXPECT_FALSE(judgement->is_checked());
  EXPECT_NE(judgement->fail_reason()->find("crashed"), std::string::npos);
  EXPECT_TRUE(judgement_of({.timed_out = true, .seconds = 3}));
  EXPECT_FALSE(judgement_of({.exit = {.signal = SIGKILL}}));  // a signal from outside
  EXPECT_FALSE(
      judgement_of({.exit = {.code = 2}, .err = "no device"}));  // would fail for any source
}

// --- Strategies

// A history with those scores; none where it was wrong. Each is promoted as its strategy says.
History history_of(const Strategy& strategy, const std::vector<std::optional<double>>& scores,
                   const std::vector<std::string>& regimes = {}) {
  History history;
  while (history.size() < scores.size()) {
    const bool is_seed = history.empty();
    const auto requests = is_seed ? std::vector<CandidateRequest>(1) : strategy.next(history);
    const auto generation = is_seed ? 0 : history.back().generation + 1;
    for (const auto& request : requests) {
      const auto i = history.size();
      if (i == scores.size()) break;
      Record record{.iteration = static_cast<unsigned>(i),
                    .role = is_seed ? Record::Role::seed : Record::Role::candidate,
                    .parent = request.parent,
                    .generation = generation,
                    .compile_ok = true,
                    .correct = scores[i].has_value(),
                    .score = scores[i],
                    .regime = i < regimes.size() ? regimes[i] : "plain"};
      record.is_new_best = is_seed || strategy.promotes(history, record);
      history.push_back(record);
    }
  }
  return history;
}

std::unique_ptr<Strategy> made(StrategyOptions options) {
  auto strategy = make_strategy(options);
  EXPECT_TRUE(strategy);
  return *std::move(strategy);
}

std::vector<unsigned> parents(const std::vector<CandidateRequest>& requests) {
  std::vector<unsigned> list;
  for (const auto& request : requests) list.push_back(request.parent);
  return list;
}

TEST(Strict, promotes_only_what_is_higher) {
  const auto strategy = made({.name = "strict"});
  const auto history = history_of(*strategy, {0.5, 0.5, std::nullopt, 0.6, 0.55});
  EXPECT_FALSE(history[1].is_new_best);  // equal
  EXPECT_FALSE(history[2].is_new_best);
  EXPECT_TRUE(history[3].is_new_best);
  EXPECT_EQ(strategy->next(history), (std::vector<CandidateRequest>{{.parent = 3, .previous = 4}}));
}

TEST(Strict, tells_of_the_last_attempt_that_was_judged) {
  const auto strategy = made({.name = "strict"});
  auto history = history_of(*strategy, {0.5, 0.4, 0.3});
  history[2].role = Record::Role::skipped;
  EXPECT_EQ(strategy->next(history), (std::vector<CandidateRequest>{{.parent = 0, .previous = 1}}));
}

TEST(Comma, forgets_all_but_the_last_generation) {
  const auto strategy = made({.name = "comma", .lambda = 2});
  EXPECT_EQ(parents(strategy->next(history_of(*strategy, {0.5, 0.2, 0.3}))),
            (std::vector<unsigned>{2, 2}));  // worse than the seed, and yet the parent
  EXPECT_EQ(
      parents(strategy->next(history_of(*strategy, {0.5, 0.2, 0.3, std::nullopt, std::nullopt}))),
      (std::vector<unsigned>{2, 2}));
}

TEST(Plus, keeps_the_best_ones) {
  const auto strategy = made({.name = "plus", .lambda = 3, .mu = 2});
  EXPECT_EQ(parents(strategy->next(history_of(*strategy, {0.5}))),
            (std::vector<unsigned>{0, 0, 0}));
  EXPECT_EQ(parents(strategy->next(history_of(*strategy, {0.5, 0.7, 0.6, std::nullopt}))),
            (std::vector<unsigned>{1, 2, 1}));
}

TEST(Islands, live_apart_until_they_meet) {
  const auto strategy = made({.name = "islands", .islands = 2, .migrate_every = 2});
  auto requests = strategy->next(history_of(*strategy, {0.5, 0.7, 0.4}));
  EXPECT_EQ(requests, (std::vector<CandidateRequest>{{1, 1}, {0, 2}}));
  // After two generations the second island, the worse one, takes the kernel of the first.
  requests = strategy->next(history_of(*strategy, {0.5, 0.7, 0.4, 0.6, 0.3}));
  EXPECT_EQ(requests, (std::vector<CandidateRequest>{{1, 3}, {1, 1}}));
}

TEST(Islands, keep_their_places_after_a_generation_that_was_cut_short) {
  const auto strategy = made({.name = "islands", .islands = 3});
  EXPECT_EQ(strategy->next(history_of(*strategy, {0.5, 0.7})),
            (std::vector<CandidateRequest>{{0, 0}, {0, 0}}));
}

TEST(Features, follow_from_the_profile_at_the_last_size) {
  const auto features = [](std::vector<SizeResult> sizes) {
    EvaluationResult judgement;
    judgement.result = Outcome{Scored{.sizes = std::move(sizes)}};
    return features_of(judgement);
  };
  const auto size = [](unsigned threads, unsigned registers, double traffic) {
    return SizeResult{
        .predicted = PredictedTime{.threads = threads, .registers = registers, .traffic = traffic}};
  };
  EXPECT_EQ(features({}), "");
  EXPECT_EQ(features({SizeResult{}}), "");
  EXPECT_EQ(features({size(1, 1, 1), size(256, 33, 1.2e6)}),
            ", 256 threads, 64 registers, 2^20 bytes");
  EXPECT_EQ(features({size(64, 64, 3e6)}), ", 64 threads, 64 registers, 2^22 bytes");
}

TEST(Judges, profile_measured_kernels_for_their_features) {
  const auto predicts = [](const JudgeCall& call, bool gate) {
    const auto words = arguments_of(call, {.candidate = "k.metal", .gate = gate}, "");
    const auto found = std::ranges::find(words, "--predict");
    return found == words.end() ? "" : *(found + 1);
  };
  EXPECT_EQ(predicts({}, false), "");
  EXPECT_EQ(predicts({.profiles = true}, false), "m1-pro");
  EXPECT_EQ(predicts({.profiles = true}, true), "");
  EXPECT_EQ(predicts({.chip = "m2", .profiles = true}, false), "m2");
}

TEST(Archive, keeps_the_best_of_each_regime) {
  const auto strategy = made({.name = "archive", .lambda = 50, .seed = 7});
  const auto history = history_of(*strategy, {0.5, 0.3, 0.4, 0.2, 0.6},
                                  {"plain", "tiles", "tiles", "vectors", "plain"});
  const auto list = parents(strategy->next(history));
  EXPECT_EQ(std::set<unsigned>(list.begin(), list.end()), (std::set<unsigned>{2, 3, 4}));
  EXPECT_EQ(parents(strategy->next(history)), list);
  EXPECT_NE(parents(made({.name = "archive", .lambda = 50, .seed = 8})->next(history)), list);
}

TEST(MakeStrategy, refuses_what_makes_no_sense) {
  EXPECT_FALSE(make_strategy({.name = "annealing"}));
  EXPECT_FALSE(make_strategy({.name = "plus", .lambda = 0}));
  for (const auto& name : strategy_names()) EXPECT_TRUE(make_strategy({.name = name})) << name;
}

// --- The paired rule

// Three sizes with twelve pairs each; drift that both of a pair share, and noise of each alone.
std::vector<PairedTimes> noisy_times(std::mt19937_64& random, double speedup) {
  std::normal_distribution<double> drift(0, 0.2), noise(0, 0.05);
  std::vector<PairedTimes> sizes(3);
  for (auto& size : sizes)
    for (int i = 0; i < 12; ++i) {
      const double both = std::exp(drift(random));
      size.candidate.push_back(1e-3 * both * std::exp(noise(random)) / speedup);
      size.rival.push_back(1e-3 * both * std::exp(noise(random)));
    }
  return sizes;
}

double promoted_share(double speedup, double margin) {
  std::mt19937_64 random(20261121);
  constexpr int trials = 2000;
  int promoted = 0;
  for (int i = 0; i < trials; ++i)
    promoted += PairedComparison{noisy_times(random, speedup)}.is_faster(margin);
  return static_cast<double>(promoted) / trials;
}

TEST(Paired, promotes_equals_less_than_one_time_in_a_hundred) {
  EXPECT_GT(promoted_share(1.0, 0), 0);
  EXPECT_LT(promoted_share(1.0, 0), 0.01);
  EXPECT_LT(promoted_share(1.0, least_gain), 0.001);
}

TEST(Paired, sees_a_tenth_through_noise_that_hides_it_from_scores) {
  EXPECT_GT(promoted_share(1.10, least_gain), 0.85);
  EXPECT_EQ(promoted_share(0.90, least_gain), 0);
}

TEST(Paired, says_nothing_without_pairs_or_of_times_that_are_none) {
  std::vector<double> ones(12, 1), halves(12, 0.5);
  EXPECT_TRUE((PairedComparison{{{"A", halves, ones}}}.is_faster()));
  EXPECT_FALSE(PairedComparison{}.is_faster());
  EXPECT_FALSE((PairedComparison{{{"A", {0.5}, {1}}}}.is_faster()));
  EXPECT_FALSE((PairedComparison{{{"A", halves, {}}}}.is_faster()));
  EXPECT_FALSE((PairedComparison{{{"A", halves, ones}, {"B", {0.5}, {1}}}}.is_faster()));
  halves.back() = 0;
  EXPECT_FALSE((PairedComparison{{{"A", halves, ones}}}.is_faster()));
  const auto strategy = made({.name = "paired"});
  EXPECT_FALSE(strategy->promotes(history_of(*strategy, {0.5}), Record{.score = 0.9}));
}

// --- Predicted scores

Record predicted(double score, const std::string& unlike = "") {
  return {.score = score, .predicted = {{{.seconds = 1 / score, .unlike = unlike}}}};
}

TEST(Predicted, promotes_only_where_the_ratio_is_claimed_to_be_above_one) {
  History history = {predicted(0.1)};
  history[0].is_new_best = true;
  const double width = std::exp(m1_pro_calibration.claim_width);
  ASSERT_GT(width, 1);
  for (const auto* name : {"strict", "comma", "plus", "islands", "archive"}) {
    const auto strategy = made({.name = name});
    EXPECT_FALSE(strategy->promotes(history, predicted(0.1 * width * 0.99))) << name;
    EXPECT_TRUE(strategy->promotes(history, predicted(0.1 * width * 1.01))) << name;
    EXPECT_FALSE(strategy->promotes(history, predicted(0.1 * width * 100, "x"))) << name;
  }
  history[0].predicted->front().unlike = "x";
  EXPECT_FALSE(made({.name = "strict"})->promotes(history, predicted(0.9)));
}

TEST(Predicted, asks_the_judge_for_predictions_instead_of_times) {
  using Words = std::vector<std::string>;
  JudgeCall call{.line = "msci-eval", .task = "lj", .folder = ".", .chip = "m2", .explains = true};
  EXPECT_EQ(arguments_of(call, {.candidate = "a.metal"}, ""),
            (Words{"--task", "lj", "--json", "--verdict", "strict", "--stop-at-wrong",
                   "--verify-only", "--predict", "m2", "a.metal"}));
  EXPECT_EQ(arguments_of(call, {.candidate = "a.metal", .rival = "s.metal", .gate = true}, "0"),
            (Words{"--task", "lj", "--json", "--verdict", "strict", "--gate", "--predict", "m2",
                   "--vs", "s.metal", "--device", "0", "a.metal"}));
  call.chip.clear();
  EXPECT_EQ(arguments_of(call, {.candidate = "a.metal"}, ""),
            (Words{"--task", "lj", "--json", "--verdict", "strict", "--stop-at-wrong", "--protocol",
                   "metal-sci", "a.metal"}));
}

TEST(Judges, look_for_causes_where_a_generator_reads_of_them) {
  const auto skips = [](const JudgeCall& call, bool gate) {
    const auto words = arguments_of(call, {.candidate = "k.metal", .gate = gate}, "");
    return std::ranges::count(words, "--no-diagnosis");
  };
  EXPECT_EQ(skips({}, false), 1);
  EXPECT_EQ(skips({.explains = true}, false), 0);
  EXPECT_EQ(skips({}, true), 0);
}

// Right at one size, which a model predicts.
EvaluationResult predicted_result(double fraction, const std::string& unlike = "") {
  EvaluationResult result{.chip = "m1-pro"};
  result.result = Outcome{Scored{
      .sizes = {{.label = "256_10",
                 .answer = Verdict{.correct = true},
                 .predicted = PredictedTime{.seconds = 2e-3,
                                            .low = 1e-3,
                                            .high = 4e-3,
                                            .fraction = fraction,
                                            .bound_by = Bound::latency,
                                            .advice = "nbody_step is bound by latency; use more",
                                            .unlike = unlike}}}}};
  return result;
}

TEST(Predicted, prompts_say_what_bounds_the_kernel_and_that_times_are_a_models) {
  EXPECT_EQ(prompt_text(predicted_result(0.25)),
            "          256_10  correct, 2.00 ms as predicted (25.0% of the ceiling); nbody_step is "
            "bound by latency; use more\npredicted score 0.2500\n");
  EXPECT_NE(prompt_text(predicted_result(0.25, "x")).find("unlike what was measured"),
            std::string::npos);
  const PromptAttempt seed{.source = "text", .judgement = predicted_result(0.25)};
  const auto strategy = made({.name = "strict"});
  const auto prompt = write_prompt(**find_task("nbody"), seed, seed, history_of(*strategy, {0.25}));
  EXPECT_NE(prompt.find("a model predicts for an Apple M1 Pro"), std::string::npos) << prompt;
  EXPECT_EQ(prompt.find("100% is no reason to stop"), std::string::npos);
}

TEST(Predicted, lines_of_a_search_say_that_scores_are_predictions) {
  auto best = predicted(0.5);
  best.is_new_best = true;
  EXPECT_EQ(score_text(best), "predicted score 0.5000  *");
  auto large = predicted(0.9, "large");
  large.claim = claim_over(large, best);
  EXPECT_EQ(score_text(large),
            "predicted score 0.9000  not promoted: unlike what was measured: large");
  EXPECT_EQ(score_text({.score = 0.25}), "score 0.2500");
  EXPECT_EQ(score_text({.fail_reason = "it is wrong"}), "it is wrong");
  EXPECT_EQ(best_text({best}),
            "best: the seed itself, predicted score 0.5000; no candidate was judged");
}

// --- The end

TEST(Conclusion, says_that_no_candidate_was_made_and_why) {
  const auto failed = [](unsigned iteration) {
    return Record{.iteration = iteration,
                  .role = Record::Role::skipped,
                  .fail_reason = "it ended with status " + std::to_string(iteration)};
  };
  History history = {{.role = Record::Role::seed, .score = 0.5, .is_new_best = true}};
  EXPECT_FALSE(made_nothing(history));  // nor was one asked for
  history.push_back(failed(1));
  history.push_back(failed(2));
  ASSERT_TRUE(made_nothing(history));
  EXPECT_EQ(made_nothing(history)->message,
            "no candidate was made in 2 iterations; fix the generator, and search into another "
            "--out. What failed last: it ended with status 2");
  history.push_back({.iteration = 3, .checked = false, .fail_reason = "no device"});
  ASSERT_TRUE(made_nothing(history));
  EXPECT_EQ(made_nothing(history)->message,
            "no candidate was judged in 3 iterations; fix what failed, and search into another "
            "--out. What failed last: no device");
  history.push_back({.iteration = 4, .fail_reason = "compile error: no"});
  EXPECT_FALSE(made_nothing(history));
}

TEST(Conclusion, says_what_the_best_is) {
  const auto strategy = made({.name = "strict"});
  EXPECT_EQ(best_text(history_of(*strategy, {0.5, 0.4, std::nullopt})),
            "best: the seed itself, score 0.5000; no candidate was better");
  EXPECT_EQ(best_text(history_of(*strategy, {0.5})),
            "best: the seed itself, score 0.5000; no candidate was judged");
  EXPECT_EQ(best_text(history_of(*strategy, {0.3, 0.4, 0.2})),
            "best: iteration 1, score 0.4000 (the seed: 0.3000)")
      << "scores are measured one after another";
}

TEST(Conclusion, says_how_much_faster_the_best_is_where_it_was_measured_in_turns) {
  auto history = history_of(*made({.name = "strict"}), {0.3, 0.4, 0.5});
  history[1].speedup = Speedup{0, {1.25, {1.21, 1.31}}};
  history[2].is_new_best = false;
  EXPECT_EQ(best_text(history),
            "best: iteration 1, score 0.4000 (the seed: 0.3000), 1.25 times the seed's speed (99 "
            "%: 1.21 to 1.31)");
  history[2].is_new_best = true;
  history[2].speedup = Speedup{1, {1.12, {1.05, 1.2}}};
  EXPECT_EQ(best_text(history),
            "best: iteration 2, score 0.5000 (the seed: 0.3000), 1.12 times the speed of iteration "
            "1 (99 %: 1.05 to 1.20)");
  for (auto& record : history) record.predicted = predicted(*record.score).predicted;
  EXPECT_EQ(best_text(history),
            "best: iteration 2, predicted score 0.5000 (the seed: 0.3000), as predicted " +
                text_of(*claim_over(history[2], history[0]), "times the seed's speed"));
}

TEST(Conclusion, sums_up_time_tokens_and_cost) {
  History history = {
      {.role = Record::Role::seed, .score = 0.5, .elapsed_s = 1, .is_new_best = true},
      {.iteration = 1, .elapsed_s = 2.25}};
  EXPECT_EQ(totals_text(history), "1 iteration: 3.2 s in generators and judges");
  history.push_back(
      {.iteration = 2, .usage = {.input_tokens = 10, .output_tokens = 5, .cost = 0.5}});
  EXPECT_EQ(totals_text(history),
            "2 iterations: 3.2 s in generators and judges; 10 tokens read, 5 written; cost 0.5");
}

TEST(Conclusion, says_whose_program_a_candidate_has) {
  Record record{.iteration = 3, .score = 0.25, .same_program_as = 0};
  EXPECT_EQ(score_text(record), "score 0.2500  not promoted: compiles to the seed's own program");
  record.same_program_as = 2;
  EXPECT_EQ(score_text(record),
            "score 0.2500  not promoted: compiles to the program of iteration 2");
}

TEST(Conclusion, says_what_the_turns_with_the_best_gave) {
  Record record{.iteration = 3, .score = 0.4, .pairs = {{"s", {2, 2}, {1, 1}}}};
  EXPECT_EQ(score_text(record),
            "score 0.4000  not promoted: not shown to be 2 % faster in 2 rounds in turns with the "
            "best");
  std::vector<double> ones(12, 1), times(12, 1.16);
  times[0] = times[1] = 0.95;
  record.pairs = {{"s", ones, times}};
  EXPECT_EQ(score_text(record),
            "score 0.4000  not promoted: 1.16 times as fast in turns with the best (99 %: 0.95 to "
            "1.16): not shown to be 2 % faster");
  record.pairs = {{"s", times, ones}};
  record.pairs[0].candidate = std::vector<double>(12, 2);
  EXPECT_EQ(score_text(record),
            "score 0.4000  not promoted: 0.50 times as fast in turns with the best (99 %: 0.50 to "
            "0.50): slower");
  record.is_new_best = true;
  EXPECT_EQ(score_text(record), "score 0.4000  *");
}

TEST(Conclusion, passes_no_control_characters_of_a_candidate) {
  EXPECT_EQ(score_text({.fail_reason = "compile error: \033[2Jred"}), "compile error: ?[2Jred");
}

TEST(Conclusion, gives_the_gates_ratio_with_its_interval) {
  EXPECT_EQ(gate_text({.size = "S",
                       .verdict = GateVerdict::generalises,
                       .speed_up = Ratio{3.0204, ConfidenceInterval{2.968, 3.0611}}}),
            "held out S: generalises, 3.02 times the seed's speed (99 %: 2.97 to 3.06)");
  EXPECT_EQ(gate_text({.size = "S", .verdict = GateVerdict::silent_incorrect}),
            "held out S: silent-incorrect");
  EXPECT_EQ(gate_text({.size = "S", .verdict = GateVerdict::generalises, .same_program = true}),
            "held out S: generalises; it compiles to the same program as the seed: no gain");
  EXPECT_EQ(gate_text({.size = "S",
                       .verdict = GateVerdict::generalises,
                       .speed_up = Ratio{1.22, ConfidenceInterval{0.74, 1.4}}}),
            "held out S: generalises, 1.22 times the seed's speed (99 %: 0.74 to 1.40), not shown "
            "to be faster");
  GateResult both{.device = "a processor",
                  .size = "S",
                  .verdict = GateVerdict::generalises,
                  .speed_up = Ratio{3.0204, ConfidenceInterval{2.968, 3.0611}},
                  .predicted = PredictedComparison{
                      .chip = "m1-pro", .sizes = {{"S", {.seconds = 1}, {.seconds = 2}}}}};
  EXPECT_EQ(gate_text(both),
            "held out S: generalises, as predicted for m1-pro " +
                text_of(both.predicted->claim(), "times the seed's speed") +
                ", 3.02 times the seed's speed (99 %: 2.97 to 3.06) as measured on a processor");
}

// --- Prompts

TEST(Stagnation, is_three_attempts_near_the_best) {
  const auto strategy = made({.name = "strict"});
  EXPECT_TRUE(stagnates(history_of(*strategy, {1.0, 0.9, 0.86, 1.0})));
  EXPECT_TRUE(stagnates(history_of(*strategy, {1.0, 0.9, std::nullopt, 0.86, 0.95})));
  EXPECT_FALSE(stagnates(history_of(*strategy, {1.0, 0.9, 0.86})));
  EXPECT_FALSE(stagnates(history_of(*strategy, {1.0, 0.9, 0.84, 1.0})));
  EXPECT_FALSE(stagnates(history_of(*strategy, {1.0, 0.9, 1.1, 1.05})));
}

PromptAttempt attempt_with(std::string source, Outcome outcome) {
  PromptAttempt attempt{.source = std::move(source), .judgement = {}};
  attempt.judgement.result = std::move(outcome);
  return attempt;
}

TEST(Prompt, has_the_parts_in_their_order) {
  const auto& task = **find_task("nbody");
  const auto strategy = made({.name = "strict"});
  const auto seed = attempt_with("the seed's text", Scored{.score = 0.5});
  const auto failed = attempt_with("the failed text", Rejected{Rejected::Stage::compile, "no"});
  const auto first = write_prompt(task, seed, seed, history_of(*strategy, {0.5}));
  EXPECT_NE(first.find("The seed kernel"), std::string::npos);
  EXPECT_NE(first.find("nbody_step"), std::string::npos);
  EXPECT_EQ(first.find("last iterations"), std::string::npos);
  const auto later = write_prompt(task, failed, seed, history_of(*strategy, {0.5, std::nullopt}));
  std::size_t at = 0;
  for (const char* part :
       {"# How to answer", "# The task", "the failed text", "compile error: no", "the seed's text",
        "iteration 0 (seed): compile OK, correct True, score 0.5",
        "iteration 1: compile OK, correct False, score N/A", "Mend what failed"}) {
    at = later.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << "\n" << later;
  }
  EXPECT_NE(first.find("100% is no reason to stop"), std::string::npos);
  EXPECT_EQ(write_prompt(task, seed, seed, history_of(*strategy, {0.5, 0.4}))
                .find("The kernel to improve on"),
            std::string::npos);
}

TEST(Prompt, quotes_eight_records) {
  const auto strategy = made({.name = "strict"});
  const auto seed = attempt_with("text", Scored{.score = 1});
  const auto prompt =
      write_prompt(**find_task("saxpy"), seed, seed,
                   history_of(*strategy, std::vector<std::optional<double>>(12, 1)));
  const std::regex line("- iteration (\\d+)");
  const auto begin = std::sregex_iterator(prompt.begin(), prompt.end(), line);
  EXPECT_EQ(std::distance(begin, std::sregex_iterator()), 8);
  EXPECT_EQ((*begin)[1], "4");
}

TEST(Prompt, cites_rules_that_are_in_the_catalogue) {
  const auto seed = attempt_with("text", Scored{.score = 1});
  const auto strategy = made({.name = "strict"});
  const auto prompt = write_prompt(**find_task("saxpy"), seed, seed, history_of(*strategy, {1}));
  const std::regex id(R"(\b(metal|hazard|generalise|resource|slow)\.([a-z_]+)\b)");
  std::size_t cited = 0;
  for (std::sregex_iterator each(prompt.begin(), prompt.end(), id), end; each != end;
       ++each, ++cited)
    EXPECT_TRUE(std::filesystem::exists(std::string(MSCI_RULES "/") + (*each)[1].str() + "/" +
                                        (*each)[2].str() + ".md"))
        << each->str();
  EXPECT_GT(cited, 15u);
}

// --- The folder

TEST(Store, belongs_to_one_search_and_sweeps_what_was_half_written) {
  const Folder folder;
  folder.write("03_result.json.aB3xYz", "{");
  folder.write("notes.txt", "mine");
  folder.write("search.json", "{}");
  const auto store = Store::open(folder / ".");
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_FALSE(store->has("03_result.json.aB3xYz"));
  EXPECT_TRUE(store->has("notes.txt"));
  const auto other = ::fork();  // another process: the lock is this one's
  if (other == 0) ::_exit(Store::open(folder / ".") ? 1 : 0);
  int status = -1;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(store->read("nothing")->has_value());
}

TEST(Store, says_why_it_cannot_make_its_folder) {
  const Folder folder;
  folder.write("file", "");
  const auto store = Store::open(folder / "file/run");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message, "cannot create " + (folder / "file/run") + ": Not a directory");
}

TEST(Store, refuses_a_folder_of_other_files) {
  const Folder folder;
  folder.write("thesis.tex", "mine");
  const auto store = Store::open(folder / ".");
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("thesis.tex"), std::string::npos) << store.error().message;
}

TEST(Store, notices_what_another_program_did_to_its_files) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  ASSERT_TRUE(store);
  ASSERT_FALSE(store->write("00_result.json", "{}"));
  ASSERT_FALSE(store->write("01_prompt.md", "faster"));
  folder.write("out/01_usage.json", "{}");
  folder.write("out/log.txt", "the generator's own");
  EXPECT_FALSE(store->check_unaltered());
  const auto expect_noticed = [&](const std::string& file) {
    const auto error = store->check_unaltered();
    ASSERT_TRUE(error);
    EXPECT_NE(error->message.find(file), std::string::npos) << error->message;
  };
  folder.write("out/02_result.json", R"({"score": 1000})");
  expect_noticed("added ");
  std::filesystem::remove(folder / "out/02_result.json");
  folder.write("out/00_result.json", R"({"score": 1000})");
  expect_noticed("altered ");
  folder.write("out/00_result.json", "{}");
  EXPECT_FALSE(store->check_unaltered());
  std::filesystem::remove(folder / "out/01_prompt.md");
  expect_noticed("removed ");
}

TEST(Store, writes_over_no_edit) {
  const Folder folder;
  const auto store = Store::open(folder / "out");
  ASSERT_TRUE(store);
  ASSERT_FALSE(store->write_derived("best.metal", "first"));
  ASSERT_FALSE(store->write_derived("best.metal", "second"));
  folder.write("out/best.metal", "edited");
  folder.write("out/gate.json", "{}");
  EXPECT_TRUE(store->write_derived("best.metal", "third"));
  EXPECT_TRUE(store->write("gate.json", "[]"));
  EXPECT_EQ(folder.contents("out/best.metal"), "edited");
  EXPECT_EQ(folder.contents("out/gate.json"), "{}");
}

TEST(Store, sweeps_no_edit_that_a_message_named) {
  const Folder folder;
  {
    const auto store = Store::open(folder / "out");
    ASSERT_TRUE(store);
    ASSERT_FALSE(store->write_derived("best.metal", "first"));
    const ExchangeHook hook(
        [](const std::string& old) { std::ofstream(old) << "edit of " << old; });
    EXPECT_TRUE(store->write_derived("best.metal", "second"));
  }
  ASSERT_TRUE(Store::open(folder / "out"));
  std::size_t edits = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder / "out"))
    edits += contents(each.path()).starts_with("edit of ");
  EXPECT_EQ(edits, 2u);
}

// --- Failures

TEST(FailureReason, holds_the_status_and_the_message) {
  const auto result = run_command({.arguments = shell_arguments("echo no key >&2; exit 3")});
  ASSERT_TRUE(result);
  EXPECT_EQ(failure_reason(*result), "it ended with status 3: no key");
}

TEST(FailureReason, quotes_the_most_relevant_line_of_standard_error) {
  const struct {
    const char* err;
    const char* reason;
  } cases[] = {
      {"", "it ended with status 2"},
      {"one\ntwo\n\n", "it ended with status 2: two"},
      {"--url is required\nRun with --help for more information.\n",
       "it ended with status 2: --url is required"},
      {"curl: no URL specified\ncurl: try 'curl --help' for more information\n",
       "it ended with status 2: curl: no URL specified"},
      {"usage: m.py [-h]\nm.py: error: no key\nbye\n",
       "it ended with status 2: m.py: error: no key"},
      {"  raise ValueError(x)\nValueError: no key\n", "it ended with status 2: ValueError: no key"},
      {"asking\nmsci-generate: --url is required; see msci-generate openai --help\n",
       "it ended with status 2: msci-generate: --url is required; see msci-generate openai --help"},
      {"msci-eval: no device matches \"5\"; known devices:\n0  0:0  pthread-x86 (PoCL)\n\n",
       "it ended with status 2: msci-eval: no device matches \"5\""},
      {"curl: (6) could not resolve\nwarning: slow\nbye\n",
       "it ended with status 2: curl: (6) could not resolve"},
      {"Try 'it --help'.", "it ended with status 2: Try 'it --help'."},
  };
  for (const auto& each : cases)
    EXPECT_EQ(failure_reason({.exit = {.code = 2}, .err = each.err}), each.reason);
}

// ---- the gate

TEST(Gate, what_it_writes_is_read_back) {
  for (const auto verdict : {GateVerdict::incorrect, GateVerdict::generalises,
                             GateVerdict::silent_incorrect, GateVerdict::silent_regression}) {
    const GateResult result{.size = "512_10", .verdict = verdict};
    const auto read = gate_from_json(to_json(result));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->verdict, verdict);
    EXPECT_EQ(read->size, "512_10");
  }
}

}  // namespace
}  // namespace msci::search

// msci-search and msci-generate as their users meet them, killed and real.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "base/json.h"
#include "tests/support/folder.h"

namespace msci::search {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

fs::path tool(const char* name) { return fs::read_symlink("/proc/self/exe").parent_path() / name; }

// A generator and a judge whose every answer depends on every byte of what they are asked: where
// one search differs from another in anything, all that comes later differs, too. The iteration is
// told apart, or after one failure the same prompt would fail for ever.
constexpr const char* generator_script = R"sh(
sum=$({ cat; echo "$MSCI_ITERATION"; } | cksum | cut -d' ' -f1)
case $sum in *7) exit 1 ;; *8) echo "no source"; exit ;; esac
echo "{\"input_tokens\": $((sum % 100)), \"output_tokens\": 1, \"cost\": 0.5}" >"$MSCI_USAGE"
printf '```metal\nkernel void f_%s_%s(); // %s\n```\n' "$sum" "$MSCI_SEED" "$MSCI_ITERATION"
)sh";
constexpr const char* judge_script = R"sh(
for file; do :; done
sum=$(cksum <"$file" | cut -d' ' -f1)
case "$*" in
*--gate*) echo '{"size": "S", "verdict": "generalises", "speedup": {"estimate": 1.5}}' ;;
*) case "$file $sum" in
   *candidate*3) echo "{\"compile_ok\": false, \"fail_reason\": \"compile error: $sum\"}"; exit 1 ;;
   *) echo "{\"compile_ok\": true, \"correct\": true, \"score\": 0.$sum}" ;;
   esac ;;
esac
)sh";

class MsciSearch : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("generator.sh", generator_script);
    folder_.write("judge.sh", judge_script);
  }

  std::vector<std::string> arguments(const std::string& out) const {
    return {tool("msci-search").string(),
            "--task",
            "saxpy",
            "--generator",
            "sh " + folder_ / "generator.sh",
            "--judge",
            "sh " + folder_ / "judge.sh",
            "--out",
            folder_ / out,
            "--seed",
            "7",
            "--strategy",
            strategy_,
            "--iterations",
            "12"};
  }

  pid_t start(const std::string& out) const {
    auto words = arguments(out);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const auto log = folder_ / "log";
    const auto child = ::fork();
    if (child != 0) return child;
    std::freopen(log.c_str(), "w", stdout);
    std::freopen(log.c_str(), "w", stderr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }

  // With a generator and the stand-in for the judge; what it prints goes to the log.
  int run(const std::string& words, const std::string& out, const std::string& generator) const {
    const auto line = tool("msci-search").string() + " --task saxpy --judge 'sh " +
                      folder_ / "judge.sh" + "' --generator '" + generator + "' --out " +
                      folder_ / out + " " + words + " >" + folder_ / "log" + " 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  }

  static int wait(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // All that a search leaves, but for times and logs.
  std::map<std::string, std::string> leavings(const std::string& out) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder_ / out)) {
      const auto name = entry.path().filename().string();
      auto text = folder_.contents(out + "/" + name);
      if (name.ends_with(".json")) {
        auto json = Json::parse(text);
        forget_times(json);
        text = json.dump();
      }
      files[name] = text;
    }
    return files;
  }

  static void forget_times(Json& json) {
    if (json.is_object()) {
      json.erase("elapsed_s");
      json.erase("seconds");
    }
    if (json.is_structured())
      for (auto& each : json) forget_times(each);
  }

  Folder folder_;
  std::string strategy_ = "strict";
};

// Kills a search until it has come to its end; how often.
TEST_F(MsciSearch, killed_at_any_moment_and_run_again_ends_the_same) {
  const auto seed = std::random_device()();
  std::cout << "seed " << seed << std::endl;  // before a fork copies what is buffered
  std::mt19937 random(seed);
  for (const std::string strategy : {"strict", "plus"}) {
    strategy_ = strategy;
    const auto begin = Clock::now();
    ASSERT_EQ(wait(start(strategy)), 0) << folder_.contents("log");
    const auto whole = Clock::now() - begin;
    const auto expected = leavings(strategy);
    ASSERT_TRUE(expected.contains("12_prompt.md"));
    ASSERT_TRUE(expected.contains("gate.json"));

    for (unsigned kills = 0, round = 0; kills < 25; ++round) {
      const auto out = strategy + std::to_string(round);
      while (true) {
        const auto child = start(out);
        const auto span = std::chrono::duration<double>(whole).count() / 2;
        const auto moment = std::uniform_real_distribution<double>(0, span)(random);
        std::this_thread::sleep_for(std::chrono::duration<double>(moment));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFEXITED(status)) {
          ASSERT_EQ(WEXITSTATUS(status), 0) << folder_.contents("log");
          break;
        }
        ++kills;
      }
      ASSERT_EQ(leavings(out), expected) << "seed " << seed << ", round " << round;
    }
  }
}

TEST_F(MsciSearch, goes_on_with_more_iterations_and_refuses_other_settings) {
  ASSERT_EQ(wait(start("out")), 0) << folder_.contents("log");
  const auto before = leavings("out");
  const auto rerun = [&](const std::string& more) {
    std::string line;
    for (const auto& word : arguments("out")) line += "'" + word + "' ";
    const int status = std::system((line + more + " >" + folder_ / "log" + " 2>&1").c_str());
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(rerun(""), 0);
  EXPECT_EQ(leavings("out"), before);
  strategy_ = "islands";
  EXPECT_EQ(rerun(""), 2);
  EXPECT_NE(folder_.contents("log").find("other settings"), std::string::npos);
}

TEST_F(MsciSearch, keeps_secrets_of_its_generator_out_of_every_file) {
  // It prints its secrets wherever it can: a real one may do so in a trace of its calls.
  folder_.write("leaky.sh", R"(cat >/dev/null
echo "call with $KEY $*" >&2
[ $((MSCI_ITERATION % 2)) = 0 ] || { echo "error: bad key $KEY $*" >&2; exit 1; }
printf '```metal\nkernel void k(); // %s %s %s\n```\n' "$KEY" "$*" "$MSCI_ITERATION"
)");
  const auto generator = [&](const std::string& key) {
    return "KEY=" + key + " sh " + folder_ / "leaky.sh" + " --token tok-hidden-2";
  };
  ASSERT_NE(run("--iterations 4 --no-gate", "out", generator("very-secret-1")), 2)
      << folder_.contents("log");
  const auto report = tool("msci-report").string() + " " + folder_ / "out" + " --html " +
                      folder_ / "out/page.html" + " --json " + folder_ / "out/report.json";
  ASSERT_EQ(std::system(report.c_str()), 0);
  fs::copy(folder_ / "log", folder_ / "out/log");
  std::set<std::string> seen;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out")) {
    const auto name = entry.path().filename().string();
    const auto text = folder_.contents("out/" + name);
    seen.insert(name);
    for (const char* secret : {"very-secret-1", "tok-hidden-2"})
      EXPECT_EQ(text.find(secret), std::string::npos) << name << ": " << text;
  }
  for (const char* name : {"search.json", "summary.json", "01_generator.json", "02_response.md",
                           "02_candidate.metal", "page.html", "report.json"})
    EXPECT_TRUE(seen.contains(name)) << name;
  EXPECT_NE(folder_.contents("out/search.json").find("KEY=*** sh "), std::string::npos);
  fs::remove(folder_ / "out/page.html");
  fs::remove(folder_ / "out/report.json");
  fs::remove(folder_ / "out/log");

  // A new key is the same generator, another program is not. An older build kept the command.
  EXPECT_NE(run("--iterations 5 --no-gate", "out", generator("very-secret-3")), 2)
      << folder_.contents("log");
  auto settings = nlohmann::ordered_json::parse(folder_.contents("out/search.json"));
  settings["generator"] = generator("very-secret-1");
  folder_.write("out/search.json", settings.dump(1) + "\n");
  EXPECT_NE(run("--iterations 5 --no-gate", "out", generator("very-secret-3")), 2)
      << folder_.contents("log");
  EXPECT_EQ(folder_.contents("out/search.json").find("very-secret"), std::string::npos);
  EXPECT_EQ(run("--iterations 5 --no-gate", "out", "KEY=very-secret-1 sh other.sh"), 2);
  EXPECT_NE(folder_.contents("log").find("other settings"), std::string::npos);
}

TEST_F(MsciSearch, rewrites_the_best_kernel_if_no_generator_is_named) {
  const auto search = [&](const std::string& words) {
    const auto line = "cd " + folder_.path().string() + " && " + tool("msci-search").string() +
                      " --task hmc --strategy strict --no-gate --judge 'sh " +
                      folder_ / "judge.sh" + "' " + words + " >log 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  };
  ASSERT_EQ(search("--iterations 6 --out whole"), 0) << folder_.contents("log");
  const auto settings = Json::parse(folder_.contents("whole/search.json"));
  EXPECT_EQ(settings["generator"], "msci-generate rewrite");
  std::set<std::string> kernels = {folder_.contents("whole/00_seed.metal")};
  for (int i = 1; i <= 6; ++i)
    kernels.insert(folder_.contents("whole/0" + std::to_string(i) + "_candidate.metal"));
  EXPECT_EQ(kernels.size(), 7u) << "each iteration tries another kernel";

  // A search that goes on, into the folder that is named for the task, ends the same.
  ASSERT_EQ(search("--iterations 2"), 0) << folder_.contents("log");
  ASSERT_EQ(search("--iterations 6"), 0) << folder_.contents("log");
  EXPECT_EQ(leavings("hmc_search"), leavings("whole"));
  EXPECT_EQ(search("--iterations 6 --generator ''"), 2);
  EXPECT_NE(folder_.contents("log").find("--generator is empty"), std::string::npos);
}

TEST_F(MsciSearch, names_its_generator_by_a_label) {
  EXPECT_EQ(run("--iterations 1 --no-gate --label gamma", "out", "cat $MSCI_PROMPT"), 0)
      << folder_.contents("log");
  const auto summary = Json::parse(folder_.contents("out/summary.json"));
  EXPECT_EQ(summary["model"], "gamma");
  EXPECT_EQ(summary["generator"], "cat $MSCI_PROMPT");
}

TEST_F(MsciSearch, does_not_go_on_if_its_plan_or_its_program_has_changed) {
  // The prompt names the folder, which differs from run to run: this generator always answers.
  folder_.write("generator.sh",
                "cat >/dev/null; printf '```metal\\nkernel void k() { ; }\\n```\\n'");
  folder_.write("k.metal", "kernel void k() {}");
  const auto write_plan = [&](const char* tolerance) {
    folder_.write("plan.json", std::string(R"({"seed": "k.metal", "sizes": [{"label": "one"}],
      "buffers": {"x": {"type": "float", "count": 1}},
      "launches": [{"kernel": "k", "grid": [1], "threadgroup": [1], "bind": {"0": "x"}}],
      "expect": {"x": {}}, "reference": ["true"], "tolerance": {"max_abs": )") +
                                   tolerance + "}}");
  };
  const auto rerun = [&] {
    return WEXITSTATUS(
        std::system((tool("msci-search").string() + " --task " + folder_ / "plan.json" +
                     " --verdict compatible --no-gate --iterations 1 --generator 'sh " +
                     folder_ / "generator.sh" + "' --judge 'sh " + folder_ / "judge.sh" +
                     "' --out " + folder_ / "out" + " >" + folder_ / "log" + " 2>&1")
                        .c_str()));
  };
  write_plan("1e-6");
  const auto status = rerun();
  ASSERT_NE(status, 2) << folder_.contents("log");
  EXPECT_EQ(rerun(), status);
  write_plan("1e-3");
  EXPECT_EQ(rerun(), 2);
  EXPECT_NE(folder_.contents("log").find("plan.json, or a file that it names, such as its seed"),
            std::string::npos)
      << folder_.contents("log");
  write_plan("1e-6");
  EXPECT_EQ(rerun(), status);
  folder_.write("k.metal", "kernel void k() { }");
  EXPECT_EQ(rerun(), 2);
  folder_.write("k.metal", "kernel void k() {}");
  auto settings = nlohmann::ordered_json::parse(folder_.contents("out/search.json"));
  settings["program"] = "0.0.9 ab";
  folder_.write("out/search.json", settings.dump(1));
  EXPECT_EQ(rerun(), 2);
  EXPECT_NE(folder_.contents("log").find("another build of msci-search"), std::string::npos)
      << folder_.contents("log");
}

TEST_F(MsciSearch, says_what_it_lacks) {
  const auto run = [&](const std::string& line) {
    return WEXITSTATUS(std::system(
        (tool("msci-search").string() + " " + line + " >" + folder_ / "log" + " 2>&1").c_str()));
  };
  EXPECT_EQ(run("--task nothing --generator x --out " + folder_ / "a"), 2);
  EXPECT_EQ(run("--task saxpy --generator no_such_generator --judge 'sh " + folder_ / "judge.sh" +
                "' --out " + folder_ / "b"),
            2);
  EXPECT_NE(folder_.contents("log").find("cannot run the generator"), std::string::npos)
      << folder_.contents("log");
  EXPECT_EQ(run("--task saxpy --generator x --judge false --out " + folder_ / "c"), 2);
  EXPECT_NE(folder_.contents("log").find("no judgement"), std::string::npos);
  EXPECT_EQ(run("--help"), 0);
}

TEST_F(MsciSearch, that_was_given_no_source_says_so_and_holds_no_gate) {
  const auto run = [&](const std::string& generator, const std::string& out) {
    return WEXITSTATUS(
        std::system((tool("msci-search").string() + " --task saxpy --iterations 2 --judge 'sh " +
                     folder_ / "judge.sh" + "' --generator '" + generator + "' --out " +
                     folder_ / out + " >" + folder_ / "log" + " 2>&1")
                        .c_str()));
  };
  EXPECT_EQ(run("echo no key >&2; exit 3 #", "none"), 2);
  const auto log = folder_.contents("log");
  EXPECT_NE(log.find("\nmsci-search: no candidate was made in 2 iterations; "), std::string::npos)
      << log;
  EXPECT_TRUE(log.ends_with(" What failed last: it ended with status 3: no key\n")) << log;
  EXPECT_EQ(log.find("best:"), std::string::npos) << log;
  EXPECT_FALSE(fs::exists(folder_ / "none/gate.json"));
  EXPECT_TRUE(fs::exists(folder_ / "none/summary.json"));

  // The stand-in for the judge refuses this one: the seed stays the best, without a comparison.
  folder_.write("judge.sh", R"(case "$*" in
*candidate*) echo '{"compile_ok": false, "fail_reason": "compile error: no"}'; exit 1 ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac)");
  EXPECT_EQ(run("cat \"$MSCI_PROMPT\"", "seed"), 0);
  EXPECT_TRUE(folder_.contents("log").ends_with(
      "best: the seed itself, score 0.5000; no candidate was better; " + folder_ / "seed" +
      "/best.metal\n"))
      << folder_.contents("log");
  EXPECT_FALSE(fs::exists(folder_ / "seed/gate.json"));
}

TEST_F(MsciSearch, whose_candidates_could_not_be_judged_made_none) {
  folder_.write("judge.sh", R"(case "$*" in
*candidate*) echo '{"compile_ok": null, "error": "the driver is gone"}'; exit 2 ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac)");
  EXPECT_EQ(run("--iterations 2", "none", "cat $MSCI_PROMPT"), 2);
  const auto log = folder_.contents("log");
  EXPECT_NE(log.find("\nmsci-search: no candidate was judged in 2 iterations; "), std::string::npos)
      << log;
  EXPECT_TRUE(log.ends_with("What failed last: could not be checked: the driver is gone\n")) << log;
  const auto prompt = folder_.contents("none/02_prompt.md");
  EXPECT_NE(prompt.find("- iteration 1: it could not be judged\n"), std::string::npos) << prompt;
  EXPECT_EQ(prompt.find("the driver is gone"), std::string::npos) << prompt;
}

TEST_F(MsciSearch, judges_a_seed_again_that_could_not_be_judged) {
  folder_.write("judge.sh", R"(echo '{"compile_ok": null, "error": "it was killed"}'; exit 2)");
  EXPECT_EQ(run("--iterations 2 --no-gate", "out", "cat $MSCI_PROMPT"), 2);
  EXPECT_EQ(folder_.contents("log"), "msci-search: it was killed\n");
  folder_.write("judge.sh", judge_script);
  EXPECT_EQ(run("--iterations 2 --no-gate", "out", "cat $MSCI_PROMPT"), 0)
      << folder_.contents("log");
}

TEST_F(MsciSearch, says_what_ended_it_before_all_iterations) {
  EXPECT_EQ(run("--iterations 3 --max-seconds 0", "time", "cat $MSCI_PROMPT"), 0);
  EXPECT_NE(folder_.contents("log").find("\nended by --max-seconds after 0 of 3 iterations\nbest: "
                                         "the seed itself, score "),
            std::string::npos)
      << folder_.contents("log");
  folder_.write("spender.sh",
                R"(echo '{"input_tokens": 5, "output_tokens": 1, "cost": 0}' >"$MSCI_USAGE"
cat "$MSCI_PROMPT")");
  EXPECT_EQ(
      run("--iterations 3 --max-tokens 1 --no-gate", "tokens", "sh " + folder_ / "spender.sh"), 0);
  EXPECT_NE(folder_.contents("log").find("\nended by --max-tokens after 1 of 3 iterations\n"),
            std::string::npos)
      << folder_.contents("log");
  EXPECT_EQ(run("--iterations 1 --no-gate --max-seconds 1000", "all", "cat $MSCI_PROMPT"), 0);
  EXPECT_EQ(folder_.contents("log").find("ended by"), std::string::npos) << folder_.contents("log");
  EXPECT_EQ(run("--iterations 0", "seed", "cat $MSCI_PROMPT"), 0);
  EXPECT_EQ(folder_.contents("log").find("ended by"), std::string::npos);
  EXPECT_NE(folder_.contents("log").find("; no candidate was judged; "), std::string::npos);
}

TEST_F(MsciSearch, refuses_options_that_would_change_nothing_and_numbers_below_none) {
  const struct {
    const char* words;
    const char* said;
  } cases[] = {
      {"--sbatch=--partition=gpu", "msci-search: --sbatch requires --slurm; see --help\n"},
      {"--poll 2", "msci-search: --poll requires --slurm; see --help\n"},
      {"--islands 3",
       "msci-search: --islands changes nothing with --strategy paired, but with islands; see "
       "--help\n"},
      {"--migrate-every 3 --strategy plus",
       "msci-search: --migrate-every changes nothing with --strategy plus, but with islands; see "
       "--help\n"},
      {"--mu 3 --strategy comma",
       "msci-search: --mu changes nothing with --strategy comma, but with plus; see --help\n"},
      {"--lambda 3 --strategy paired",
       "msci-search: --lambda changes nothing with --strategy paired, but with comma, plus, "
       "archive; see --help\n"},
      {"--slurm --device 0,1",
       "msci-search: with --slurm, --device takes one device, which every node has; see --help\n"},
      {"--score fast",
       "msci-search: --score takes measured, or predicted:CHIP as in predicted:m1-pro; see "
       "--help\n"},
      {"--score predicted:m1 --strategy paired",
       "msci-search: --strategy paired measures kernels in turns, so it excludes --score "
       "predicted\n"},
      {"--max-seconds -1", nullptr},
      {"--max-tokens -1", nullptr},
      {"--iterations -1", nullptr},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(run(each.words, "out", "cat $MSCI_PROMPT"), 2) << each.words;
    EXPECT_TRUE(!each.said || folder_.contents("log") == each.said) << folder_.contents("log");
  }
  EXPECT_EQ(run("--score predicted:h100", "out", "cat $MSCI_PROMPT"), 2);
  EXPECT_TRUE(
      folder_.contents("log").starts_with("msci-search: unknown chip 'h100'; known are m1, "))
      << folder_.contents("log");
  EXPECT_EQ(run("", "out", " "), 2);
  EXPECT_EQ(folder_.contents("log"),
            "msci-search: --generator is empty; give the command that writes kernels, or leave the "
            "option out to rewrite kernels without a model\n");
  const auto nowhere =
      tool("msci-search").string() + " --task saxpy --generator x --out '' 2>" + folder_ / "log";
  EXPECT_EQ(WEXITSTATUS(std::system(nowhere.c_str())), 2);
  EXPECT_EQ(folder_.contents("log"),
            "msci-search: --out is empty; name a folder for the files of the search\n");
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  for (const std::string words : {"comma --lambda 2", "plus --lambda 2 --mu 1",
                                  "archive --lambda 2", "islands --islands 2 --migrate-every 1"})
    EXPECT_EQ(run("--no-gate --iterations 2 --strategy " + words, words.substr(0, words.find(' ')),
                  "cat $MSCI_PROMPT"),
              0)
        << folder_.contents("log");
}

TEST_F(MsciSearch, promotes_by_pairs_without_a_word_and_by_scores_on_request) {
  folder_.write("judge.sh", R"(case "$*" in
*candidate*) echo '{"compile_ok": true, "correct": true, "score": 0.9}' ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac)");
  EXPECT_EQ(run("--iterations 1 --no-gate", "pairs", "cat $MSCI_PROMPT"), 0);
  EXPECT_EQ(Json::parse(folder_.contents("pairs/search.json"))["strategy"], "paired");
  EXPECT_EQ(Json::parse(folder_.contents("pairs/summary.json"))["best_iteration"], 0);
  EXPECT_EQ(run("--iterations 1 --no-gate --strategy strict", "scores", "cat $MSCI_PROMPT"), 0);
  EXPECT_EQ(Json::parse(folder_.contents("scores/summary.json"))["best_iteration"], 1);
}

TEST_F(MsciSearch, never_goes_back_to_fewer_iterations) {
  ASSERT_EQ(wait(start("out")), 0) << folder_.contents("log");
  const auto before = leavings("out");
  EXPECT_EQ(
      run("--strategy strict --seed 7 --iterations 2", "out", "sh " + folder_ / "generator.sh"), 2);
  EXPECT_NE(folder_.contents("log").find("/out holds 12 iterations, and --iterations 2 would"),
            std::string::npos)
      << folder_.contents("log");
  EXPECT_EQ(leavings("out"), before);
}

TEST_F(MsciSearch, drops_the_gate_of_an_earlier_best) {
  folder_.write("judge.sh", R"(case "$*" in
*--gate*) echo '{"size": "S", "verdict": "generalises", "speedup": {"estimate": 1.5}}' ;;
*01_candidate*) echo '{"compile_ok": true, "correct": true, "score": 0.6}' ;;
*02_candidate*) echo '{"compile_ok": true, "correct": true, "score": 0.7}' ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac)");
  ASSERT_EQ(run("--strategy strict --iterations 1", "out", "cat $MSCI_PROMPT"), 0);
  ASSERT_TRUE(fs::exists(folder_ / "out/gate.json"));
  ASSERT_EQ(run("--strategy strict --iterations 2 --no-gate", "out", "cat $MSCI_PROMPT"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "out/gate.json"));
}

TEST_F(MsciSearch, ends_where_the_generator_will_never_answer) {
  EXPECT_EQ(run("--iterations 5", "out", "echo status 401: no such key >&2; exit 78 #"), 2);
  EXPECT_TRUE(folder_.contents("log").ends_with(
      "msci-search: the generator will not answer: it ended with status 78: status 401: no such "
      "key\n"))
      << folder_.contents("log");
  EXPECT_FALSE(fs::exists(folder_ / "out/01_generator.json"));
}

TEST_F(MsciSearch, keeps_no_gate_that_gave_no_verdict) {
  folder_.write("judge.sh", R"(case "$*" in
*--gate*) echo '{"compile_ok": false, "fail_reason": "it crashed"}' ;;
*candidate*) echo '{"compile_ok": true, "correct": true, "score": 0.6}' ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac)");
  EXPECT_EQ(wait(start("out")), 2);
  EXPECT_FALSE(fs::exists(folder_ / "out/gate.json"));
  EXPECT_NE(folder_.contents("log").find("the gate gave no verdict: {\"compile_ok\""),
            std::string::npos)
      << folder_.contents("log");
}

TEST_F(MsciSearch, starts_as_a_command_of_msci_as_all_programs_do) {
  const auto run = [&](const std::string& words) {
    const auto line = tool("msci").string() + " " + words + " >" + folder_ / "log" + " 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  };
  EXPECT_EQ(run(""), 2);
  const auto usage = folder_.contents("log");
  for (const std::string name : {"lint", "eval", "tasks", "search", "generate", "report", "mcp"}) {
    EXPECT_EQ(run(name + " --version"), 0) << name;
    EXPECT_TRUE(folder_.contents("log").starts_with("msci-" + name + " ")) << name;
    EXPECT_NE(usage.find("\n  " + name + " "), std::string::npos) << usage;
  }
  EXPECT_EQ(usage.find("engine-worker"), std::string::npos);
  EXPECT_EQ(run("--help"), 0);
  EXPECT_EQ(folder_.contents("log"), usage);
  EXPECT_EQ(run("--version"), 0);
  EXPECT_TRUE(folder_.contents("log").starts_with("msci ")) << folder_.contents("log");
  EXPECT_EQ(run("serch"), 2);
  EXPECT_EQ(folder_.contents("log"), "msci: unknown command \"serch\"; did you mean \"search\"?\n");
}

TEST_F(MsciSearch, says_in_one_line_what_is_wrong_with_an_option_as_its_neighbours_do) {
  const struct {
    const char* program;
    const char* words;
    const char* said;
  } cases[] = {
      {"msci-search", "--out o --generator g", "msci-search: --task is required; see --help\n"},
      {"msci-generate", "openai --model m",
       "msci-generate: --url is required; see msci-generate openai --help\n"},
      {"msci-report", "results --odd",
       "msci-report: The following argument was not expected: --odd; see --help\n"},
  };
  for (const auto& each : cases) {
    const auto line =
        tool(each.program).string() + " " + each.words + " >" + folder_ / "log" + " 2>&1";
    EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 2) << each.program;
    EXPECT_EQ(folder_.contents("log"), each.said);
  }
}

TEST_F(MsciSearch, replays_what_was_recorded) {
  ASSERT_EQ(wait(start("first")), 0) << folder_.contents("log");
  const auto line = tool("msci-search").string() +
                    " --task saxpy --iterations 12 --seed 7 --judge 'sh " + folder_ / "judge.sh" +
                    "' --out " + folder_ / "second" + " --generator 'cat " + folder_ / "first" +
                    "/$(printf %02d $MSCI_ITERATION)_response.md' >" + folder_ / "log" + " 2>&1";
  ASSERT_EQ(WEXITSTATUS(std::system(line.c_str())), 0) << folder_.contents("log");
  for (int i = 1; i <= 12; ++i) {
    const auto name = (i < 10 ? "/0" : "/") + std::to_string(i);
    EXPECT_EQ(folder_.contents("second" + name + "_candidate.metal"),
              folder_.contents("first" + name + "_candidate.metal"));
  }
}

// The real judge, and a generator that goes through kernels of its own: one that does not compile,
// one that is wrong, the seed again, and a faster one.
TEST_F(MsciSearch, judges_real_kernels_and_tells_of_no_held_out_size) {
  const auto line = tool("msci-search").string() + " --task nbody --iterations 4 --out " +
                    folder_ / "out" + " --generator 'sh " MSCI_DEMO "' >" + folder_ / "log" +
                    " 2>&1";
  const int status =
      WEXITSTATUS(std::system(("XDG_CACHE_HOME=" + folder_ / "cache" + " " + line).c_str()));
  EXPECT_LE(status, 1) << folder_.contents("log");
  const auto history = Json::parse(folder_.contents("out/history.json"));
  ASSERT_EQ(history.size(), 5u) << folder_.contents("log");
  EXPECT_EQ(history[1]["compile_ok"], false);
  EXPECT_EQ(history[2]["compile_ok"], true);
  EXPECT_EQ(history[2]["correct"], false);
  EXPECT_EQ(history[4]["correct"], true);
  bool has_better = false;
  for (int i : {3, 4}) {  // a busy machine may judge either way, but not two ways
    const auto result = Json::parse(folder_.contents("out/0" + std::to_string(i) + "_result.json"));
    EXPECT_EQ(history[i]["is_new_best"], result["versus"]["faster"]);
    has_better |= history[i]["is_new_best"].get<bool>();
  }
  if (has_better) {
    const auto gate = Json::parse(folder_.contents("out/gate.json"));
    EXPECT_EQ(gate["size"], "512_10");
    EXPECT_EQ(gate["incumbent"]["correct"], true);
    EXPECT_EQ(gate["verdict"] == "generalises", status == 0);
  } else {  // the machine was that busy
    EXPECT_EQ(status, 0);
  }
  for (int i = 1; i <= 4; ++i) {
    const auto prompt = folder_.contents("out/0" + std::to_string(i) + "_prompt.md");
    EXPECT_NE(prompt.find("256_10"), std::string::npos);
    EXPECT_EQ(prompt.find("512_10"), std::string::npos);
    EXPECT_EQ(prompt.find(folder_ / "out"), std::string::npos);  // nor of where it all is
  }
  EXPECT_NE(folder_.contents("out/02_prompt.md").find("error:"), std::string::npos);
  EXPECT_NE(folder_.contents("out/03_prompt.md").find("INCORRECT"), std::string::npos);
}

// The seed again, and the seed under comments: noise makes none of them faster anywhere.
TEST_F(MsciSearch, and_every_report_call_equal_programs_equal) {
  folder_.write("again.sh", "printf '```metal\\n// %s\\n' \"$MSCI_ITERATION\"; cat '" MSCI_RULES
                            "/../tasks/nbody/nbody.metal'; printf '```\\n'");
  const auto search = "XDG_CACHE_HOME=" + folder_ / "cache" + " " + tool("msci-search").string() +
                      " --task nbody --device cpu --iterations 3 --out " + folder_ / "run" +
                      " --generator 'sh " + folder_ / "again.sh" + "' >" + folder_ / "log" +
                      " 2>&1";
  ASSERT_EQ(WEXITSTATUS(std::system(search.c_str())), 0) << folder_.contents("log");
  const auto log = folder_.contents("log");
  EXPECT_NE(log.find("; no candidate was better; "), std::string::npos) << log;
  EXPECT_EQ(log.find("times"), std::string::npos) << log;
  for (const auto& file : {"history.json", "summary.json"}) {
    const auto json = Json::parse(folder_.contents(std::string("run/") + file));
    const auto& history = json.is_array() ? json : json["history"];
    for (int i = 1; i <= 3; ++i) {
      EXPECT_FALSE(history[i]["is_new_best"]) << file;
      EXPECT_EQ(history[i].value("speedup", Json()),
                (Json{{"over", 0}, {"low", 1}, {"estimate", 1}, {"high", 1}}))
          << file;
    }
  }
  const auto report = tool("msci-report").string() + " " + folder_ / "run" + " --markdown " +
                      folder_ / "report.md" + " --json " + folder_ / "report.json" + " --html " +
                      folder_ / "report.html";
  ASSERT_EQ(WEXITSTATUS(std::system(report.c_str())), 0);
  for (const auto& file : {"report.md", "report.html"}) {
    const auto text = folder_.contents(file);
    EXPECT_NE(text.find("nbody: no candidate was better than the seed among 3 candidates."),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("1 (the same program)"), std::string::npos) << text;
    EXPECT_EQ(text.find("times the seed"), std::string::npos) << text;
    EXPECT_EQ(text.find("Best kernel of"), std::string::npos) << text;
  }
  const auto json = Json::parse(folder_.contents("report.json"));
  EXPECT_EQ(json["tasks"][0]["best"], nullptr);
  for (const auto& candidate : json["candidates"]) {
    EXPECT_EQ(candidate.value("is_new_best", Json()), false);
    EXPECT_EQ(candidate["speed_up"], (Json{{"low", 1}, {"estimate", 1}, {"high", 1}}));
  }
}

// A plan with a kernel that says what may change, killed whenever a result is there, and run again.
TEST_F(MsciSearch, tunes_a_kernel_and_goes_on_after_each_kill) {
  const std::string files = MSCI_SCRIPTS "/tune/";
  const auto line = "XDG_CACHE_HOME=" + folder_ / "cache" + " exec " +
                    tool("msci-search").string() + " --plan " + files + "plan.json --tune " +
                    files +
                    "double.metal --device cpu --verdict compatible --no-gate --seed 3 --out " +
                    folder_ / "out" + " >" + folder_ / "log" + " 2>&1";
  for (const char* result : {"00_result.json", "02_result.json", "07_result.json"}) {
    const auto child = ::fork();
    if (child == 0) {
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    while (!fs::exists(folder_ / ("out/" + std::string(result))))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  auto of_eval = line;  // which is another spelling
  of_eval.replace(of_eval.find("msci-search"), 11, "msci-eval");
  ASSERT_EQ(WEXITSTATUS(std::system(of_eval.c_str())), 0) << folder_.contents("log");
  const auto log = folder_.contents("log");
  EXPECT_NE(log.find("16 of 16 points tried: 8 right, 8 wrong, 0 not compiled; "), log.npos) << log;

  // What the published schema of T4, version 1.0.0, asks for.
  const auto tuning = Json::parse(folder_.contents("out/tuning.json"));
  EXPECT_EQ(tuning["schema_version"], "1.0.0");
  ASSERT_EQ(tuning["results"].size(), 16u);
  const std::set<std::string> words = {"timeout",     "compile",     "runtime",
                                       "correctness", "constraints", "correct"};
  std::set<std::string> points;
  for (const auto& result : tuning["results"]) {
    points.insert(result.at("configuration").dump());
    const bool is_right = result["configuration"]["FACTOR"] == 2;
    EXPECT_TRUE(result.at("times").at("runtimes").is_array());
    EXPECT_TRUE(words.contains(result.at("invalidity").get<std::string>()));
    EXPECT_EQ(result.at("invalidity"), is_right ? "correct" : "correctness");
    EXPECT_EQ(result.at("correctness").get<double>(), is_right ? 1 : 0);
    EXPECT_TRUE(result.at("objectives").is_array());
    for (const auto& each : result.at("measurements")) {
      EXPECT_TRUE(each.at("name").is_string() && each.at("value").is_number() &&
                  each.at("unit").is_string())
          << each;
      if (each["name"] == "time") EXPECT_GT(each["value"].get<double>(), 0);
    }
    EXPECT_EQ(result["measurements"].empty(), !is_right);
  }
  EXPECT_EQ(points.size(), 16u);

  const auto cache = Json::parse(folder_.contents("out/tuning_cache.json"));
  EXPECT_EQ(cache["tune_params_keys"], Json::array({"EACH", "FACTOR", "WIDTH"}));
  EXPECT_EQ(cache["cache"].size(), points.size());
  for (const auto& [key, entry] : cache["cache"].items()) {
    std::string values;
    for (const auto& name : cache["tune_params_keys"])
      values += (values.empty() ? "" : ",") + entry.at(name).dump();
    EXPECT_EQ(key, values);
    EXPECT_EQ(entry.at("time").is_number(), entry.at("FACTOR") == 2) << key;
  }
  const auto history = Json::parse(folder_.contents("out/history.json"));
  EXPECT_GT(std::ranges::count_if(
                history, [](const Json& each) { return each.contains("same_program_as"); }),
            0)
      << log;
  EXPECT_FALSE(fs::exists(folder_ / "out/01_prompt.md"));

  // Another kernel is another search; and a comment that is wrong has a place.
  const auto refused = [&](const std::string& kernel) {
    auto other = line;
    other.replace(other.find(files + "double.metal"), files.size() + 12, folder_ / "k.metal");
    folder_.write("k.metal", kernel);
    EXPECT_EQ(WEXITSTATUS(std::system(other.c_str())), 2);
    return folder_.contents("log");
  };
  EXPECT_NE(refused("#define A 1 // msci: tune A 1 2\n").find("other settings"), std::string::npos);
  EXPECT_NE(refused("\n// msci: tune A 1 2\n").find("k.metal:2: nothing declares A; add"),
            std::string::npos);
}

// The same for an Apple GPU, by prediction: nothing is timed before the gate.
TEST_F(MsciSearch, ranks_real_kernels_by_predicted_times) {
  const auto line = "XDG_CACHE_HOME=" + folder_ / "cache" + " " + tool("msci-search").string() +
                    " --task nbody --iterations 4 --score predicted:m1-pro --out " +
                    folder_ / "out" + " --generator 'sh " MSCI_DEMO "' >" + folder_ / "log" +
                    " 2>&1";
  const int status = WEXITSTATUS(std::system(line.c_str()));
  EXPECT_LE(status, 1) << folder_.contents("log");
  EXPECT_EQ(Json::parse(folder_.contents("out/search.json"))["scoring"], "predicted:m1-pro");
  const auto summary = Json::parse(folder_.contents("out/summary.json"));
  EXPECT_EQ(summary["scoring"], "predicted:m1-pro");
  const auto& history = summary["history"];
  ASSERT_EQ(history.size(), 5u) << folder_.contents("log");
  EXPECT_EQ(history[1]["compile_ok"], false);
  EXPECT_EQ(history[2]["correct"], false);
  EXPECT_FALSE(history[4]["extrapolated"]);
  EXPECT_FALSE(history[4].contains("same_program_as")) << "it is another program than the seed's";
  const auto result = Json::parse(folder_.contents("out/04_result.json"));
  EXPECT_EQ(result["score"], nullptr);
  EXPECT_EQ(result["predicted_score"], history[4]["score"]);
  EXPECT_EQ(result["chip"], "m1-pro");
  EXPECT_NE(folder_.contents("out/04_prompt.md").find("nbody_step is bound by"), std::string::npos);
  if (summary["best_iteration"] == 0) return;
  const auto gate = Json::parse(folder_.contents("out/gate.json"));
  EXPECT_EQ(gate["predicted"]["chip"], "m1-pro");
  EXPECT_EQ(gate["predicted"]["sizes"][0]["label"], "512_10");
  EXPECT_GT(gate["predicted"]["ratio"], 0);
  EXPECT_GT(gate["speedup"]["estimate"], 0);
}

}  // namespace
}  // namespace msci::search

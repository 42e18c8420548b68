// The tuner's spaces, and the order in which it tries their points.
#include "search/tune/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/json.h"
#include "tests/support/folder.h"

namespace msci::search {
namespace {

TuneSpace space_of(const std::string& text) {
  auto space = read_tune_space({"k.metal", text});
  EXPECT_TRUE(space) << space.error().message;
  return space ? *std::move(space) : TuneSpace{};
}

std::string error_of(const std::string& text) {
  const auto space = read_tune_space({"k.metal", text});
  return space ? "" : space.error().message;
}

TEST(TuneSpace, replaces_values_where_they_are_declared_and_nowhere_else) {
  const auto space = space_of(
      "// #define A 1\n"
      "#define A 16  // msci: tune A 8 16\n"
      "constant uint B = 4;  // msci: tune B 2 4\n"
      "constant bool C [[function_constant(2)]];  // msci: tune C true false\n"
      "constant uint AA = A;\n");
  ASSERT_EQ(space.points.size(), 8u);
  EXPECT_EQ(space.tunables[0].declared, 1u);
  EXPECT_EQ(space.tunables[2].declared, std::nullopt);
  EXPECT_EQ(
      with_values(space, {0, 0, 1}),
      "// #define A 1\n"
      "#define A 8  // msci: tune A 8 16\n"
      "constant uint B = 2;  // msci: tune B 2 4\n"
      "constant bool C [[function_constant(2)]];\n#define C false  // msci: tune C true false\n"
      "constant uint AA = A;\n");
  EXPECT_EQ(to_string(space, {0, 0, 1}), "A=8 B=2 C=false");
  // What a tuning has written can be tuned again.
  const auto again = space_of(with_values(space, {1, 1, 0}));
  EXPECT_EQ(again.tunables[2].declared, 0u);
}

TEST(TuneSpace, has_the_points_that_meet_all_conditions) {
  const auto space = space_of(
      "#define A 8   // msci: tune A 8 16 32u\n"
      "#define B 1   // msci: tune B 1 2 4\n"
      "// msci: tune where A * B <= 32\n"
      "// msci: tune where B != 2\n");
  std::set<std::string> points;
  for (const auto& point : space.points) points.insert(to_string(space, point));
  EXPECT_EQ(points, (std::set<std::string>{"A=8 B=1", "A=16 B=1", "A=32u B=1", "A=8 B=4"}));
}

TEST(TuneSpace, says_where_a_comment_is_wrong_and_what_to_write) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"kernel void f() {}\n", "k.metal says of no value that it may change; add a comment"},
      {"\n// msci: tune A 1 2\n", "k.metal:2: nothing declares A; add `#define A VALUE`"},
      {"#define A 1 // msci: tune A\n", "k.metal:1: A has no values; write `// msci: tune A 8 16"},
      {"#define A 1 // msci: tune 8 9\n", "k.metal:1: expected the name of a constant; write"},
      {"#define A 1 // msci: tune A 1 1\n", "k.metal:1: A has the value 1 twice; remove one"},
      {"#define A 1 // msci: tune A 1 2\n// msci: tune A 3\n", "k.metal:2: A is tuned twice; list"},
      {"#define A 1\n#define A 2 // msci: tune A 1 2\n", "A is declared on the lines 1 and 2; a"},
      {"#define A 1 // msci: tune A 1 2\n// msci: tune where A <\n", "k.metal:2: "},
      {"#define A 1 // msci: tune A 1 2\n// msci: tune where B < 2\n",
       "k.metal:2: B is not tuned; tuned are A; write a condition like `// msci: tune where A <="},
      {"#define A x // msci: tune A x y\n// msci: tune where A < 2\n",
       "k.metal:2: the value x of A is no integer"},
      {"#define A 1 // msci: tune A 1 2\n// msci: tune where A > 2\n",
       "k.metal:2: no combination of the tuned values meets all conditions; add values, or relax"},
      {"#define time 1 // msci: tune time 1 2\n", "k.metal:1: time is the name of a result in K"}};
  for (const auto& [text, error] : cases)
    EXPECT_NE(error_of(text).find(error), std::string::npos) << text << error_of(text);
}

// Two hundred points whose score has one top, and is zero on a part.
constexpr const char* large =
    "#define A 1 // msci: tune A 1 2 3 4 5 6 7 8 9 10\n"
    "#define B 1 // msci: tune B 1 2 3 4 5 6 7 8 9 10\n"
    "#define C 1 // msci: tune C 1 2\n";

std::optional<double> score_at(const Configuration& point) {
  const double a = static_cast<double>(point[0]) - 7, b = static_cast<double>(point[1]) - 3;
  if (point[0] == 9) return std::nullopt;
  return 1 / (1 + a * a + b * b + 0.1 * static_cast<double>(point[2]));
}

// Tries `count` points, one after the other.
History tried(Tuner& tuner, std::uint64_t count) {
  History history = {
      {.role = Record::Role::seed, .score = score_at({0, 0, 0}), .is_new_best = true}};
  for (unsigned i = 1; i <= count; ++i) {
    Record record{.iteration = i, .generation = i};
    record.score = score_at(tuner.configuration(i, history));
    record.is_new_best = record.score > incumbent(history).score;
    history.push_back(record);
  }
  return history;
}

TEST(Tuner, tries_each_point_once) {
  Tuner tuner(space_of(large), 3);
  ASSERT_EQ(tuner.size(), 199u);
  const auto history = tried(tuner, tuner.size());
  std::set<Configuration> points = {{0, 0, 0}};
  for (unsigned i = 1; i <= tuner.size(); ++i) points.insert(tuner.configuration(i, history));
  EXPECT_EQ(points.size(), 200u);
}

TEST(Tuner, is_at_the_top_after_a_third_of_the_space) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Tuner tuner(space_of(large), seed);
    const auto history = tried(tuner, 66);
    EXPECT_EQ(incumbent(history).score, 1) << seed;
  }
}

TEST(Tuner, that_begins_again_goes_on_with_the_same_points) {
  Tuner whole(space_of(large), 5);
  const auto history = tried(whole, 60);
  Tuner later(space_of(large), 5);
  for (unsigned i = 1; i <= 60; ++i)
    EXPECT_EQ(later.configuration(i, history), whole.configuration(i, history)) << i;
}

// A kernel that is right, one that is wrong, and one that does not compile.
TEST(TuningCache, has_the_kernel_itself_and_names_failures) {
  const Folder folder;
  const auto store = Store::open(folder.path());
  ASSERT_TRUE(store);
  const auto judged = [&](unsigned iteration, const char* json) {
    ASSERT_FALSE(store->write(file_of(iteration, "result.json"), json));
  };
  judged(0, R"({"task": "t", "device": "d", "compile_ok": true, "correct": true, "score": 0.5,
                "sizes": [{"label": "s", "correct": true, "gpu_seconds": 0.25}]})");
  judged(1, R"({"compile_ok": true, "correct": false})");
  judged(2, R"({"compile_ok": false, "correct": false})");
  Tuner tuner(space_of("#define A 1 // msci: tune A 1 2 x\n"), 0);
  const History history = {
      {.role = Record::Role::seed, .compile_ok = true, .score = 0.5, .is_new_best = true},
      {.iteration = 1, .generation = 1, .compile_ok = true},
      {.iteration = 2, .generation = 2, .compile_ok = false}};
  const auto text = tuning_cache(tuner, *store, history);
  ASSERT_TRUE(text) << text.error().message;
  const auto cache = Json::parse(*text);
  EXPECT_EQ(cache["device_name"], "d");
  EXPECT_EQ(cache["kernel_name"], "t");
  EXPECT_EQ(cache["problem_size"], "s");
  EXPECT_EQ(cache["tune_params"]["A"], Json::array({1, 2, "x"}));
  EXPECT_EQ(cache["cache"]["1"]["time"], 250.0);
  std::set<std::string> failures;
  for (const auto* value : {"2", "x"})
    failures.insert(cache["cache"][value]["time"].get<std::string>());
  EXPECT_EQ(failures, (std::set<std::string>{"CompilationFailedConfig", "RuntimeFailedConfig"}));
}

// The reader looks for str() of the values, opens the file again by its last three bytes, and takes
// compile_time, verification_time and benchmark_time for what a point costs in a simulation.
TEST(TuningCache, is_what_the_reader_of_kernel_tuner_looks_for) {
  const Folder folder;
  const auto store = Store::open(folder.path());
  ASSERT_TRUE(store);
  for (unsigned i = 0; i < 2; ++i)
    ASSERT_FALSE(store->write(
        file_of(i, "result.json"),
        R"({"task": "t", "device": "d", "compile_ok": true, "correct": true, "score": 0.5,
            "sizes": [{"label": "s", "correct": true, "gpu_seconds": 0.25}]})"));
  Tuner tuner(space_of("#define A 0.5 // msci: tune A 0.5\n"
                       "constant bool B = true; // msci: tune B true false\n"
                       "#define C 8u // msci: tune C 8u\n"),
              0);
  const Record seed{.role = Record::Role::seed, .compile_ok = true, .score = 0.5, .elapsed_s = 2};
  auto other = seed;
  other.role = Record::Role::candidate;
  other.iteration = other.generation = 1;
  const History history = {seed, other};
  const auto text = tuning_cache(tuner, *store, history);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(text->ends_with("}\n}\n"));
  const auto cache = OrderedJson::parse(*text);
  EXPECT_EQ(std::prev(cache.end()).key(), "cache");  // to which the reader appends
  std::set<std::string> keys;
  for (const auto& [key, entry] : cache["cache"].items()) {
    keys.insert(key);
    double cost = 0;
    for (const auto* part : {"compile_time", "verification_time", "benchmark_time"})
      cost += entry.at(part).get<double>();
    EXPECT_EQ(cost, 2000) << key;
  }
  EXPECT_EQ(keys, (std::set<std::string>{"0.5,True,8u", "0.5,False,8u"}));
  // The names that it writes into T4.
  const auto times =
      Json::parse(tuning_json(tuner, *store, history).value())["results"][0]["times"];
  for (const auto* part :
       {"compilation", "benchmark", "framework", "search_algorithm", "validation"})
    EXPECT_EQ(times.at(part), part == std::string_view("benchmark") ? 2000 : 0) << part;
}

}  // namespace
}  // namespace msci::search

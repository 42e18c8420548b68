// A plan file as a task: launches that vary, the strict verdict's problem, commands.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tasks/plan/elements.h"
#include "tasks/plan/plan_file.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

class PlanTask : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  Result<std::unique_ptr<PlanFile>> read(const std::string& text) const {
    std::ofstream(folder_ / "plan.json") << text;
    return read_plan_file(folder_ / "plan.json");
  }
  std::string error_of(const std::string& text) const {
    const auto plan = read(text);
    return plan ? "none" : plan.error().message.substr((folder_ / "plan.json: ").string().size());
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  fs::path folder_ = testing::TempDir() + "plan_task_test_" + std::to_string(::getpid());
};

// Two buffers of uint of n elements, and these launches.
std::string with_launches(const std::string& launches, const std::string& more = "") {
  return R"({"sizes": [{"label": "ten", "n": 10}],
  "buffers": {"u": {"type": "uint", "count": "n"}, "v": {"type": "uint", "count": "n"}},
  "launches": )" +
         launches + R"(, "expect": {"u": {}}, "reference": ["true"])" + more + "}";
}

// "k 5 0/1": the kernel, threads of the grid, and the buffers that are bound.
std::vector<std::string> lines_of(const Plan& plan) {
  std::vector<std::string> lines;
  for (const auto& launch : plan.launches) {
    std::string line = launch.kernel + " " + std::to_string(launch.grid.x) + " ";
    for (std::size_t i = 0; i < launch.bindings.size(); ++i)
      line += (i > 0 ? "/" : "") + std::to_string(launch.bindings[i].buffer);
    lines.push_back(line);
  }
  return lines;
}

TEST_F(PlanTask, launches_vary_with_the_indices_of_their_loops) {
  const auto plan = read(with_launches(
      R"json([{"kernel": "first", "grid": ["n"], "threadgroup": [4], "bind": {"0": "u"}, "if": "round == 0"},
          {"times": "log2(n)", "index": "level", "launches": [
            {"kernel": "level", "grid": ["ceil(n / (2 << level))"], "threadgroup": ["min(n, 4)"],
             "bind": {"0": "u", "1": "v"}},
            {"swap": [["u", "v"]]}]},
          {"kernel": "last", "grid": ["round + 1"], "threadgroup": [1], "bind": {"0": "u"},
           "times": 2, "index": "i", "if": "i == round"}])json",
      R"(, "repeat": 2)"));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& task = (*plan)->task();
  const auto made = task.plan(task.sizes[0], {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(lines_of(*made), (std::vector<std::string>{"first 10 0", "level 5 0/1", "level 3 1/0",
                                                       "level 2 0/1", "last 1 1", "level 5 1/0",
                                                       "level 3 0/1", "level 2 1/0", "last 2 0"}));
  EXPECT_EQ(made->results, std::vector<std::size_t>{0});
  ASSERT_EQ(task.kernels.size(), 3U);
}

TEST_F(PlanTask, a_launch_binds_numbers_that_no_kernel_may_write) {
  const auto plan = read(with_launches(
      R"([{"kernel": "k", "grid": [1], "threadgroup": [1], "times": 3, "index": "i",
           "bind": {"0": "u", "1": {"name": "half", "type": "uint", "values": ["i / 2"]}}}])"));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& task = (*plan)->task();
  const auto made = task.plan(task.sizes[0], {});
  EXPECT_EQ(lines_of(*made), (std::vector<std::string>{"k 1 0/2", "k 1 0/2", "k 1 0/3"}));
  EXPECT_EQ(get_element("uint", made->buffers[3].initial, 0), 1);
  ASSERT_EQ(task.kernels[0].arguments.size(), 2U);
  EXPECT_EQ(task.kernels[0].arguments[1].type, "constant uint &");
  EXPECT_EQ(task.kernels[0].arguments[1].name, "half");
}

TEST_F(PlanTask, a_threadgroup_shrinks_to_the_limit_of_its_kernel_where_the_plan_says_so) {
  const auto plan = read(with_launches(
      R"([{"kernel": "row", "grid": [99], "threadgroup": [256], "clamp": true, "bind": {"0": "u"}},
          {"kernel": "row", "grid": [99], "threadgroup": [256], "bind": {"0": "u"}},
          {"kernel": "box", "grid": [99, 9, 9], "threadgroup": [16, 8, 4], "clamp": true,
           "bind": {"0": "u"}}])"));
  ASSERT_TRUE(plan) << plan.error().message;
  Translation program;
  program.kernels.push_back({.name = "row", .symbol = "row", .thread_limit = 100});
  program.kernels.push_back({.name = "box", .symbol = "box", .thread_limit = 100});
  const auto& task = (*plan)->task();
  const auto made = task.plan(task.sizes[0], program);
  EXPECT_EQ(made->launches[0].threadgroup, (Extent{100}));
  EXPECT_EQ(made->launches[1].threadgroup, (Extent{256}));
  EXPECT_EQ(made->launches[2].threadgroup, (Extent{16, 4, 1}));
}

TEST_F(PlanTask, a_loop_may_take_as_many_launches_as_its_inner_indices_say) {
  const auto plan = read(with_launches(
      R"([{"times": 99, "index": "i", "launches": [{"times": "i + 1", "index": "j", "launches": [
            {"kernel": "k", "grid": [1], "threadgroup": [1], "bind": {"0": "u"}, "if": "i + j == 0"}
          ]}]}])"));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& task = (*plan)->task();
  EXPECT_EQ(task.plan(task.sizes[0], {})->launches.size(), 1U);
}

TEST_F(PlanTask, what_no_kernel_can_have_is_an_error_of_the_plan) {
  const auto error_with = [&](const std::string& fields) {
    return error_of(
        with_launches(R"([{"kernel": "k", "grid": [64], "bind": {"0": "u"}, )" + fields + "}]"));
  };
  EXPECT_EQ(error_with(R"("threadgroup": [1024])"), "none");
  EXPECT_EQ(error_with(R"("threadgroup": [1025])"),
            "/launches/0/threadgroup: a threadgroup has at most 1024 threads in Metal, and this "
            "one 1025");
  EXPECT_EQ(error_with(R"("threadgroup": [32, 32, 2])"),
            "/launches/0/threadgroup: a threadgroup has at most 1024 threads in Metal, and this "
            "one 2048");
  EXPECT_EQ(error_with(R"("threadgroup": [4294967295, 4294967295, 4294967295])"),
            "/launches/0/threadgroup: a threadgroup has at most 1024 threads in Metal, and this "
            "one more than 4294967295");
  EXPECT_EQ(error_with(R"("threadgroup": [2048], "clamp": true)"), "none");
  EXPECT_EQ(error_with(R"("threadgroup": [1], "threadgroup_memory": {"0": 16384, "30": 16384})"),
            "none");
  EXPECT_EQ(error_with(R"("threadgroup": [1], "threadgroup_memory": {"0": 16384, "30": 16388})"),
            "/launches/0/threadgroup_memory/30: a threadgroup has at most 32768 bytes of memory");
  EXPECT_EQ(error_with(R"("threadgroup": [1], "threadgroup_memory": {"31": 4})"),
            "/launches/0/threadgroup_memory/31: the index of a binding is a number from 0 to 30, "
            "in quotes");
  EXPECT_EQ(error_with(R"("threadgroup": [1], "threadgroup_memory": [4])"),
            "/launches/0/threadgroup_memory: it must be an object like {\"0\": 1024}");
  EXPECT_EQ(error_of(with_launches(R"([{"kernel": "k", "grid": [1], "threadgroup": [1],
                                        "bind": {"1": "u", "01": "v"}}])")),
            "/launches/0/bind/01: the index of a binding is a number from 0 to 30, in quotes");
}

TEST_F(PlanTask, has_the_name_of_its_file_or_of_its_folder) {
  const auto text =
      with_launches(R"([{"kernel": "k", "grid": [1], "threadgroup": [1], "bind": {"0": "u"}}])");
  const auto name_in = [&](const std::string& file) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
    const auto plan = read_plan_file((folder_ / file).lexically_normal());
    return plan ? std::string((*plan)->task().name) : plan.error().message;
  };
  EXPECT_EQ(name_in("smooth.json"), "smooth");
  EXPECT_EQ(name_in("two words.v2.json"), "two_words_v2");
  EXPECT_EQ(name_in("blur/plan.json"), "blur");
  const auto before = fs::current_path();
  fs::current_path(folder_ / "blur");
  EXPECT_EQ((*read_plan_file("plan.json"))->task().name, "blur");
  EXPECT_EQ((*read_plan_file("./plan.json"))->task().name, "blur");
  fs::current_path(before);
}

TEST_F(PlanTask, loops_that_make_no_sense_are_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"kernel": "k", "grid": [1], "threadgroup": [1], "bind": {}, "index": "i"}])",
       "/launches/0/index: an index needs \"times\""},
      {R"([{"times": 2, "index": "n", "launches": []}])",
       "/launches/0/index: 'n' has a meaning here already"},
      {R"([{"times": 2, "index": "i", "launches": [{"times": 2, "index": "i", "launches": []}]}])",
       "/launches/0/launches/0/index: 'i' has a meaning here already"},
      {R"([{"times": "n - 11", "launches": []}])",
       "/launches/0/times: it is -1 at size ten; it must not be negative"},
      {R"([{"times": 1000, "launches": [{"times": 1000, "launches": [{"times": 2, "launches": []}]}]}])",
       "/launches/0/times: there are more than 1000000 launches at size ten"},
      // Refused before the billionth is counted, and whatever the outer loop says.
      {R"([{"times": 4000000000, "launches": [{"swap": [["u", "v"]]}]}])",
       "/launches/0/times: there are more than 1000000 launches at size ten"},
      {R"([{"times": 1000, "index": "i", "launches": [{"times": "2000000 << i", "launches": []}]}])",
       "/launches/0/launches/0/times: there are more than 1000000 launches at size ten"},
      {R"([{"times": 1500, "index": "i", "launches": [{"times": "i", "launches": []}]}])",
       "/launches/0/times: there are more than 1000000 launches at size ten"},
      {R"([{"times": 0, "launches": []}])", "/launches: nothing is launched at size ten"},
      {R"([{"launches": [], "grid": [1]}])",
       "/launches/0/grid: unknown field; the fields here are launches, times, index, if"},
      {R"([{"kernel": "k", "grid": ["level"], "threadgroup": [1], "bind": {}}])",
       "/launches/0/grid/0: 'level' is neither an integer nor a parameter of size ten, which has: "
       "n, round"},
  };
  for (const auto& [launches, expected] : cases)
    EXPECT_EQ(error_of(with_launches(launches)), expected) << launches;
}

// Doubles each number of x, which has 64 bits.
std::string doubling(const std::string& more) {
  return R"({"name": "doubling", "title": "twice",
  "sizes": [{"label": "four", "n": 4}],
  "buffers": {"x": {"type": "ulong", "count": "n", "read_only": true, "meaning": "numbers",
                    "fill": {"uniform": [0, 9223372036854775808], "seed": 3}},
              "y": {"type": "ulong", "count": "n"}},
  "launches": [{"kernel": "k", "grid": ["n"], "threadgroup": [4], "bind": {"0": "x", "1": "y"}}],
  "expect": {"y": {}})" +
         more + "}";
}

constexpr const char* doubling_reference =
    R"json(, "reference": ["python3", "-c", "import array, sys; f = sys.argv[1]; x = array.array('Q', open(f + '/x.bin', 'rb').read()); open(f + '/y.out', 'wb').write(array.array('Q', [2 * i for i in x]).tobytes()); open('ran', 'a').write('x')", "{folder}"])json";

Bytes doubled(const Plan& plan) {
  std::vector<std::uint64_t> numbers(plan.buffers[0].bytes / 8);
  std::memcpy(numbers.data(), plan.buffers[0].initial.data(), plan.buffers[0].bytes);
  for (auto& number : numbers) number *= 2;
  return Bytes::of<std::uint64_t>(numbers);
}

TEST_F(PlanTask, results_of_64_bits_are_exact) {
  const auto file = read(doubling(doubling_reference));
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  const auto error = task.load({});
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(task.name, "doubling");
  EXPECT_EQ(task.kernels[0].arguments[0],
            (ContractArgument{0, "device const ulong *", "x", "numbers"}));
  auto right = doubled(*task.plan(task.sizes[0], {}));
  EXPECT_EQ(
      *task.judge(task.sizes[0], {}, {right}, {right}),
      (Verdict{.correct = true, .error_value = 0, .error_kind = "different", .tolerance = 0}));
  std::vector<std::byte> wrong(right.begin(), right.end());
  wrong[8] ^= std::byte{1};  // below the precision of a double
  std::uint64_t second = 0;
  std::memcpy(&second, wrong.data() + 8, sizeof second);
  const auto first_difference =
      "y[1] is " + std::to_string(second) + ", not " + std::to_string(second ^ 1);
  EXPECT_EQ(
      *task.judge(task.sizes[0], {}, {wrong}, {wrong}),
      (Verdict{.correct = false,
               .error_value = 1,
               .error_kind = "different",
               .tolerance = 0,
               .differences = Differences{.compared = 4, .wrong = 1, .first = first_difference}}));
}

TEST_F(PlanTask, a_reference_runs_again_only_if_a_file_beside_it_changes) {
  const auto cache_folder = folder_.string() + "_cache", mark = folder_.string() + "_ran";
  Cache cache{fs::path(cache_folder)};
  std::string reference = doubling_reference;
  reference.replace(reference.find("'ran'"), 5, "'" + mark + "'");
  ASSERT_TRUE(read(doubling(reference)));
  const auto runs = [&] {
    fs::remove(mark);
    const auto file = read_plan_file(folder_ / "plan.json");
    EXPECT_TRUE(file && !(*file)->task().load({.cache = &cache}));
    return text_of(mark).size();
  };
  EXPECT_EQ(runs(), 1U);
  EXPECT_EQ(runs(), 0U);
  const auto table = folder_ / "table.txt";
  std::ofstream(table) << "new";
  EXPECT_EQ(runs(), 1U);
  const auto time = fs::last_write_time(table);
  std::ofstream(table) << "old";
  fs::last_write_time(table, time);  // the inode knows better
  EXPECT_EQ(runs(), 1U);
  fs::remove(mark);
  fs::remove_all(cache_folder);
}

TEST_F(PlanTask, its_strict_problem_has_keyed_inputs_and_poisoned_results) {
  const auto stress =
      R"(, "stress": {"sizes": [{"label": "seven", "n": 7}], "random": {"n": [3, 5]}})";
  const auto file = read(doubling(doubling_reference + std::string(stress)));
  ASSERT_TRUE(file) << file.error().message;
  const auto& task = (*file)->task();
  ASSERT_EQ(task.stress.sizes.size(), 1U);
  const auto& size = task.stress.sizes[0];
  const auto plan = task.stress.plan(size, {}, {1, 2});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(*plan, *task.stress.plan(size, {}, {1, 2}));
  EXPECT_NE(*plan, *task.stress.plan(size, {}, {1, 3}));
  EXPECT_FALSE(plan->buffers[0].poison);
  EXPECT_TRUE(plan->buffers[1].poison);
  EXPECT_TRUE(plan->buffers[1].initial.empty());
  const auto expected = task.stress.reference(size, {1, 2});
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_EQ(expected->size(), 1U);
  EXPECT_EQ(expected->at(0).element, Expected::Element::exact);
  EXPECT_EQ(expected->at(0).contents, doubled(*plan));
  KeyedRandom draws({3, 4});
  for (int i = 0; i < 20; ++i) {
    const auto drawn = task.stress.random_size(draws);
    EXPECT_GE(drawn.parameters[0].second, 3U);
    EXPECT_LE(drawn.parameters[0].second, 5U);
  }
  EXPECT_NE(task.derivation.find("\"seven\""), std::string_view::npos);
}

// The grid divides by zero unless m is twice n.
TEST_F(PlanTask, a_size_is_completed_with_what_goes_with_the_chosen_parameters) {
  auto text = doubling(std::string(doubling_reference) +
                       R"(, "stress": {"sizes": [{"label": "seven", "n": 7, "m": 14, "k": 1}],
                      "random": {"n": [3, 9], "m": [6, 17], "k": [1, 99]}})");
  const auto put = [&](std::string_view before, std::string_view after) {
    text.replace(text.find(before), before.size(), after);
  };
  put(R"("n": 4)", R"("n": 4, "m": 8, "k": 1)");
  put(R"json("grid": ["n"])json", R"json("grid": ["n / (m == 2 * n)"])json");
  const auto file = read(text);
  ASSERT_TRUE(file) << file.error().message;
  const auto& stress = (*file)->task().stress;
  KeyedRandom draws({3, 4});
  for (unsigned n = 3; n <= 9; ++n) {
    auto size = stress.sizes[0];
    for (auto& [name, value] : size.parameters)
      if (name != "m") value = name == "n" ? n : 42;
    EXPECT_EQ(stress.complete(size, {"n", "k"}, draws), n < 9) << n;  // m is at most 17
    EXPECT_EQ(size["n"], n);
    EXPECT_EQ(size["k"], 42U);
    EXPECT_EQ(size["m"], n < 9 ? 2 * n : 14U);
  }
}

TEST_F(PlanTask, a_strict_problem_needs_what_makes_it_strict) {
  const auto error = [&](const std::string& stress, const std::string& more = doubling_reference) {
    return error_of(doubling(more + ", \"stress\": " + stress));
  };
  const std::string sizes = R"("sizes": [{"label": "seven", "n": 7}])";
  EXPECT_EQ(error("{" + sizes + "}"), "none");
  EXPECT_EQ(error("{\"sizes\": []}"), "/stress/sizes: there must be at least one size");
  EXPECT_EQ(error("{" + sizes + R"(, "random": {"m": [1, 2]}})"),
            "/stress/random/m: size seven has no parameter 'm'");
  EXPECT_EQ(error("{" + sizes + R"(, "random": {"n": [3, 2]}})"),
            "/stress/random/n: the first number is larger than the second");
  EXPECT_EQ(error("{" + sizes + "}", R"(, "tolerance": {"relative": 0.1})").substr(0, 31),
            "/stress: \"tolerance\" is missing");
  auto constant = doubling(std::string(doubling_reference) + ", \"stress\": {" + sizes + "}");
  constant.replace(constant.find(R"("uniform": [0, 9223372036854775808], "seed": 3)"), 46,
                   R"("constant": 1)");
  EXPECT_EQ(error_of(constant),
            "/stress: no buffer or texture has a \"uniform\" fill, so the strict verdict would "
            "have the same "
            "inputs each time");
}

TEST_F(PlanTask, a_check_sees_inputs_and_results) {
  const auto verdict_of = [&](const std::string& command) -> Result<Verdict> {
    const auto file =
        read(doubling(R"(, "check": ["sh", "-c", ")" + command + R"(", "{folder}"])"));
    if (!file) return file.error();
    const auto& task = (*file)->task();
    if (const auto error = task.load({})) return *error;
    const auto right = doubled(*task.plan(task.sizes[0], {}));
    return task.judge(task.sizes[0], {}, {right}, {right});
  };
  const auto right = verdict_of("test -s $0/x.bin -a -s $0/y.got && echo right > $0/verdict");
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(*right, (Verdict{.correct = true, .error_value = 0, .error_kind = "check"}));
  const auto wrong = verdict_of("echo wrong > $0/verdict");
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_FALSE(wrong->correct);
  // A script with a mistake says nothing about the kernel.
  EXPECT_NE(verdict_of("exit 1").error().message.find(
                "/check: 'sh' failed at size four: it ended with status 1"),
            std::string::npos);
  EXPECT_NE(verdict_of("echo perhaps > $0/verdict").error().message.find("'perhaps'"),
            std::string::npos);
}

TEST_F(PlanTask, operations_need_the_ceiling_of_the_user) {
  EXPECT_EQ(
      error_of(doubling(std::string(doubling_reference) + R"(, "work": {"operations": "2*n"})"))
          .substr(0, 28),
      "/work: \"ceiling\" is missing:");
  const auto file = read(doubling(std::string(doubling_reference) +
                                  R"(, "work": {"operations": "2*n", "ceiling": 2.5})"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->task().best_rate, 2.5);
  EXPECT_EQ((*file)->task().unit, "GOPS");
  EXPECT_EQ((*file)->task().work((*file)->task().sizes[0]), 8);
}

}  // namespace
}  // namespace msci

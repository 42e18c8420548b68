// Plan files: what they describe, and the errors for wrong ones.
#include "tasks/plan/plan_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/npy.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A correct plan, as parts that a test can replace.
struct Parts {
  std::string sizes = R"("sizes": [{"label": "eight", "n": 8}])";
  std::string buffers =
      R"("buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [1, 2]}},
                     "y": {"type": "float", "count": "n"}})";
  std::string launches = R"("launches": [{"kernel": "double", "grid": ["n"], "threadgroup": [4],
                                          "bind": {"0": "x", "1": "y"}}])";
  std::string expect = R"("expect": {"y": {"file": "y_{label}.bin"}})";
  std::string more = R"("tolerance": {"max_abs": 0.5})";
  std::string text() const {
    return "{" + sizes + ",\n" + buffers + ",\n" + launches + ",\n" + expect + ",\n" + more + "}";
  }
};

// The JSON pointer to a field.
std::string pointer(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += "/" + name;
  return text;
}

class PlanFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write("y_eight.bin", doubled(8));
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::vector<std::byte> doubled(unsigned n) {
    std::vector<std::byte> bytes;
    for (unsigned i = 0; i < n; ++i) put_element("float", 2 * (1 + 2 * i), bytes);
    return bytes;
  }
  void write(const std::string& name, const std::vector<std::byte>& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  // With its contents.
  Result<std::unique_ptr<PlanFile>> read(const std::string& text,
                                         const Loading& loading = {}) const {
    std::ofstream(folder_ / "plan.json") << text;
    auto plan = read_plan_file(folder_ / "plan.json");
    if (!plan) return plan;
    if (auto error = (*plan)->task().load(loading)) return *error;
    return plan;
  }
  // The error without the file's name, or "none".
  std::string error_of(const Parts& parts) const {
    const auto plan = read(parts.text());
    return plan ? "none" : plan.error().message.substr((folder_ / "plan.json: ").string().size());
  }

  fs::path folder_ = testing::TempDir() + "plan_file_test_" + std::to_string(::getpid());
};

TEST_F(PlanFileTest, needs_no_expectation_where_nothing_is_judged) {
  Parts parts;
  parts.expect = R"("repeat": 1)";
  const auto plan = read(parts.text(), {.is_judged = false});
  EXPECT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(error_of(parts), "/: \"expect\" is missing");
}

TEST_F(PlanFileTest, describes_buffers_launches_and_results) {
  const auto read_plan = read(Parts{}.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto& task = (*read_plan)->task();
  ASSERT_EQ(task.sizes.size(), 1u);
  EXPECT_EQ(task.sizes[0].parameters[0].second, 8u);
  ASSERT_EQ(task.kernels.size(), 1u);
  EXPECT_EQ(task.kernels[0].name, "double");
  const auto plan = task.plan(task.sizes[0], {});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->buffers.size(), 2u);
  EXPECT_EQ(get_element("float", plan->buffers[0].initial, 3), 7);
  ASSERT_EQ(plan->launches.size(), 1u);
  EXPECT_EQ(plan->launches[0].grid, (Extent{8, 1, 1}));
  EXPECT_EQ(plan->launches[0].threadgroup, (Extent{4, 1, 1}));
  EXPECT_EQ(plan->results, std::vector<std::size_t>{1});
  EXPECT_EQ(task.work(task.sizes[0]), 64);
}

TEST_F(PlanFileTest, compares_results_within_the_tolerance) {
  const auto read_plan = read(Parts{}.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto& task = (*read_plan)->task();
  const auto judged = [&](double change) {
    auto output = doubled(8);
    std::vector<std::byte> element;
    put_element("float", 6 + change, element);
    std::copy(element.begin(), element.end(), output.begin() + 4);
    const Outputs outputs{Bytes{output}};
    return *task.judge(task.sizes[0], {}, outputs, outputs);
  };
  EXPECT_TRUE(judged(0).correct);
  EXPECT_TRUE(judged(0.5).correct);
  EXPECT_FALSE(judged(0.75).correct);
  EXPECT_EQ(judged(0.75).error_value, 0.75);
  EXPECT_FALSE(judged(NAN).correct);
  EXPECT_TRUE(std::isnan(judged(NAN).error_value));
}

TEST_F(PlanFileTest, infinities_must_agree_and_widen_no_tolerance) {
  const auto with = [](float first, float second) {
    auto bytes = doubled(8);
    std::memcpy(bytes.data(), &first, sizeof first);
    std::memcpy(&bytes[sizeof first], &second, sizeof second);
    return bytes;
  };
  write("y_eight.bin", with(INFINITY, 6));
  Parts parts;
  parts.more = R"("tolerance": {"relative": 0.01})";  // of 30
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto& task = (*read_plan)->task();
  const auto judged = [&](float first, float second) {
    const Outputs outputs{Bytes{with(first, second)}};
    return *task.judge(task.sizes[0], {}, outputs, outputs);
  };
  EXPECT_EQ(judged(INFINITY, 6).error_value, 0);
  EXPECT_TRUE(judged(INFINITY, 6.25F).correct);
  EXPECT_FALSE(judged(INFINITY, 6.5F).correct);
  EXPECT_FALSE(judged(-INFINITY, 6).correct);
  EXPECT_FALSE(judged(1e38F, 6).correct);
}

TEST_F(PlanFileTest, swaps_names_between_repetitions) {
  Parts parts;
  parts.more += R"(, "repeat": 3, "swap": [["x", "y"]])";
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto plan = (*read_plan)->task().plan((*read_plan)->task().sizes[0], {});
  ASSERT_EQ(plan->launches.size(), 3u);
  EXPECT_EQ(plan->launches[1].bindings[0].buffer, 1u);
  EXPECT_EQ(plan->launches[2].bindings[0].buffer, 0u);
  EXPECT_EQ(plan->results, std::vector<std::size_t>{0});  // three changes of places
}

TEST_F(PlanFileTest, runs_the_reference_for_results_without_a_file) {
  Parts parts;
  parts.expect = R"("expect": {"y": {}})";
  parts.more += R"(, "reference": ["sh", "-c", "cp y_eight.bin {folder}/y.out"])";
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto& task = (*read_plan)->task();
  const Outputs outputs{Bytes{doubled(8)}};
  EXPECT_TRUE(task.judge(task.sizes[0], {}, outputs, outputs)->correct);
}

TEST_F(PlanFileTest, reads_the_type_of_a_numpy_array) {
  std::string file("\x93NUMPY\x01\x00\x46\x00", 10);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }";
  header.resize(0x46 - 1, ' ');
  file += header + "\n";
  std::vector<std::byte> bytes;
  for (const char c : file) bytes.push_back(static_cast<std::byte>(c));
  const auto numbers = doubled(8);
  bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  const auto array = read_npy(bytes);
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->type, "float");
  EXPECT_EQ(array->contents, numbers);
  write("y.npy", bytes);
  Parts parts;
  parts.expect = R"("expect": {"y": {"file": "y.npy"}})";
  EXPECT_EQ(error_of(parts), "none");

  bytes.pop_back();
  const auto cut_off = read_npy(bytes);
  ASSERT_FALSE(cut_off);
  EXPECT_EQ(cut_off.error().message,
            "its shape is (8,), but 31 bytes of elements follow; save it again");
}

TEST_F(PlanFileTest, errors_name_the_field_and_the_remedy) {
  const auto with = [](std::string Parts::* part, std::string text) {
    Parts parts;
    parts.*part = std::move(text);
    return parts;
  };
  const std::pair<Parts, std::string> cases[] = {
      {with(&Parts::sizes, R"("sizes": [])"), "/sizes: there must be at least one size"},
      {with(&Parts::sizes, R"("sizes": [{"label": "a", "n": -1}])"),
       "/sizes/0/n: a parameter is an integer from 0 to 4294967295"},
      {with(&Parts::sizes, R"("sizes": [{"label": "a\u001b[2J", "n": 1}])"),
       "/sizes/0/label: it must not have control characters, which a terminal would obey"},
      {with(&Parts::sizes, R"("sizes": [{"n": 1}])"), "/sizes/0: \"label\" is missing"},
      {with(&Parts::sizes, R"("sizes": [{"label": "a", "n": 1}, {"label": "a", "n": 2}])"),
       "/sizes/1: another size with the label \"a\" has other parameters"},
      {with(&Parts::sizes,
            R"("sizes": [{"label": "a", "n": 8}], "held_out": {"label": "a", "n": 9})"),
       "/held_out: another size with the label \"a\" has other parameters"},
      {with(&Parts::sizes, R"("sizes": [{"label": "a", "n": 8}, {"label": "a", "n": 8}])"),
       "/sizes/1/label: another size has the label \"a\", too; give each its own"},
      {with(&Parts::sizes,
            R"("sizes": [{"label": "a", "n": 8}], "held_out": {"label": "a", "n": 8})"),
       "/held_out/label: another size has the label \"a\", too; give each its own"},
      {with(&Parts::buffers,
            R"("buffers": {"x": {"type": "float", "count": "n", "fill": {"normal": [0, 1]}},
                           "y": {"type": "float", "count": "n"}},
               "stress": {"sizes": [{"label": "seven", "n": 7}]})"),
       "/buffers/x/fill/normal: unknown field; the fields here are constant, iota, uniform, seed"},
      {with(&Parts::buffers,
            R"("buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [1, 2]}},
                           "y": {"type": "float", "count": "n", "read_only": true}})"),
       "/expect/y: no kernel may write 'y', which is \"read_only\"; leave that out, or 'y' out of "
       "\"expect\""},
      {with(&Parts::buffers, R"("buffers": {"x": {"type": "double", "count": 1}})"),
       "/buffers/x/type: 'double' is not a scalar type; use one of float, half, bfloat, bool, "
       "char, uchar, short, ushort, int, uint, long, ulong"},
      {with(&Parts::buffers, R"("buffers": {"x": {"type": "float", "count": "4*m"}})"),
       "/buffers/x/count: 'm' is neither an integer nor a parameter of size eight, which has: n"},
      {with(&Parts::buffers, R"("buffers": {"x": {"type": "float", "cuont": 1}})"),
       "/buffers/x/cuont: unknown field; the fields here are type, count, values, file, fill, "
       "struct, read_only, meaning"},
      {with(&Parts::buffers, R"("buffers": {"x": {"type": "float", "counts": 1}})"),
       "/buffers/x/counts: unknown field; did you mean \"count\"?"},
      {with(&Parts::buffers, R"("buffers": {"../../evil": {"type": "float", "count": 1}})"),
       pointer({"buffers", "../../evil"}) +
           ": '../../evil' is not a buffer's name; a name has up to 64 letters, digits, '_', '-' "
           "and '.', and begins with a letter or '_'"},
      {with(&Parts::more, R"("repeat": 10000000000)"),
       "/repeat: there are more than 1000000 launches at size eight"},
      {with(&Parts::more, R"("repeat": 1000001)"),
       "/repeat: there are more than 1000000 launches at size eight"},
      {with(&Parts::more, R"("repeat": 18446744073709551616)"), "/repeat: the number is too large"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1, 1, 1, 1],
                                               "threadgroup": [1], "bind": {}}])"),
       "/launches/0/grid: it must be one to three numbers"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [0],
                                               "bind": {}}])"),
       "/launches/0/threadgroup/0: there must be at least one thread"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": "z"}}])"),
       "/launches/0/bind/0: buffer 'z' not found; \"buffers\" has x, y"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"40": "x"}}])"),
       "/launches/0/bind/40: the index of a binding is a number from 0 to 30, in quotes"},
      {with(&Parts::more, R"("repeat": 0)"), "/repeat: it is 0 at size eight; it must be positive"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": "x"}])"),
       "/launches/0/bind: it must be an object like {\"0\": \"x\"}"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"x": "x"}}])"),
       "/launches/0/bind/x: the index of a binding is a number from 0 to 30, in quotes"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": {"buffer": "x", "offset": 2}}}])"),
       "/launches/0/bind/0/offset: 2 is not a multiple of 4, the size of float"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": {"offset": 4}}}])"),
       "/launches/0/bind/0: it needs one of the fields buffer, values and functions"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": {"type": "uint"}}}])"),
       "/launches/0/bind/0: it needs one of the fields buffer, values and functions"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": {"function": ["f"]}}}])"),
       "/launches/0/bind/0/function: unknown field; did you mean \"functions\"?"},
      {with(&Parts::launches, R"("launches": [{"kernel": "k", "grid": [1], "threadgroup": [1],
                                               "bind": {"0": {"texture": "x"}}}])"),
       "/launches/0/bind/0/texture: unknown field; the fields here are buffer, offset, type, "
       "values, name, functions"},
      {with(&Parts::more, R"("work": {"bytes": 1, "flops": 1})"),
       pointer({"work", "bytes"}) + ": \"flops\" is given, too; remove one of the two"},
      {with(&Parts::more, R"("work": {"bytes": 0})"),
       pointer({"work", "bytes"}) + ": it is 0 at size eight; it must be positive"},
      {with(&Parts::expect, R"("expect": {})"),
       "/expect: it must name at least one buffer, {\"y\": {\"file\": \"expected.npy\"}}"},
      {with(&Parts::expect, R"("expect": {"y": {}})"), "/: \"reference\" is missing"},
      {with(&Parts::more, R"("tolerance": {"max_abs": 100})"),
       "/expect/y: a result of zeros would pass: at size eight the tolerance is 100, and the "
       "largest "
       "expected value 30"},
      {with(&Parts::more, R"("tolerance": 1)"), "/tolerance: it must be an object, {...}"},
  };
  for (const auto& [parts, expected] : cases) EXPECT_EQ(error_of(parts), expected);

  Parts failing = with(&Parts::expect, R"("expect": {"y": {}})");
  failing.more += R"(, "reference": ["false"])";
  EXPECT_EQ(error_of(failing), "/reference: 'false' failed at size eight: it ended with status 1");
  failing.more = R"("reference": ["no-such-program"])";
  EXPECT_EQ(error_of(failing),
            "/reference: cannot start no-such-program: No such file or directory");
  failing.more = R"("reference": ["true"])";
  EXPECT_EQ(error_of(failing), "/reference: it did not write y.out at size eight");
  failing.more = R"("reference": ["sh", "-c", "echo 1 > {folder}/y.out"])";
  EXPECT_EQ(error_of(failing),
            "/reference: it wrote 2 bytes to y.out at size eight; the buffer has 32");
  failing.more = R"("reference": ["cp", "{folder}/x.bin", "{foldr}/y.out"])";
  EXPECT_EQ(error_of(failing),
            "/reference/2: unknown placeholder {foldr}; size eight has {folder}, {label}, {n}");

  const auto broken = read("{\"sizes\":\n [}");
  EXPECT_EQ(
      broken.error().message,
      (folder_ / "plan.json").string() +
          ": parse error at line 2, column 3: syntax error while parsing value - unexpected '}'; "
          "expected '[', '{', or a literal; see docs/reference/plan_file.md for an example");
}

TEST_F(PlanFileTest, kills_a_slow_reference_with_its_children) {
  Parts parts;
  parts.expect = R"("expect": {"y": {}})";
  parts.more = R"("reference": ["sh", "-c", "sleep 3600 & echo $! > pid; wait"])";
  pid_t sleeper = 0;
  for (unsigned limit = 1; sleeper == 0; limit *= 2) {  // a slow machine gets more time
    const auto plan = read(parts.text(), {.reference_limit = std::chrono::seconds(limit)});
    ASSERT_FALSE(plan);
    const auto reason = fmt::format("'sh' took more than {} s at size eight", limit);
    ASSERT_NE(plan.error().message.find(reason), std::string::npos) << plan.error().message;
    std::ifstream(folder_ / "pid") >> sleeper;
  }
  const auto is_running = [&] {  // a zombie is not
    std::string line;
    std::getline(std::ifstream("/proc/" + std::to_string(sleeper) + "/stat"), line);
    return !line.empty() && line.find(") Z") == std::string::npos;
  };
  while (is_running()) ::usleep(10000);  // or for ever
}

TEST_F(PlanFileTest, refuses_numbers_that_the_type_cannot_hold) {
  const auto error_of_buffer = [&](const std::string& buffer) {
    Parts parts;
    parts.buffers = R"("buffers": {"y": {"type": "float", "count": "n"}, "x": )" + buffer + "}";
    return error_of(parts);
  };
  const std::pair<std::string, std::string> cases[] = {
      {R"({"type": "uint", "values": [1, -1]})", "/buffers/x/values/1: uint cannot hold -1"},
      {R"({"type": "uint", "values": [4294967296]})",
       "/buffers/x/values/0: uint cannot hold 4294967296"},
      {R"({"type": "int", "values": [0.5]})", "/buffers/x/values/0: int cannot hold 0.5"},
      {R"({"type": "bool", "values": [2]})", "/buffers/x/values/0: bool cannot hold 2"},
      {R"({"type": "uchar", "count": 300, "fill": {"iota": [0, 1]}})",
       "/buffers/x/fill/iota: uchar cannot hold 299"},
      {R"({"type": "int", "count": 3, "fill": {"constant": 1.5}})",
       "/buffers/x/fill/constant: int cannot hold 1.5"},
      {R"({"type": "char", "count": 3, "fill": {"uniform": [0, 200], "seed": 1}})",
       "/buffers/x/fill/uniform: char cannot hold 199, the last integer below 200"},
      {R"({"type": "uchar", "count": 3, "fill": {"uniform": [-1, 256], "seed": 1}})",
       "/buffers/x/fill/uniform: uchar cannot hold -1"},
      {R"({"type": "int", "count": 3, "fill": {"uniform": [0.2, 0.8], "seed": 1}})",
       "/buffers/x/fill/uniform: from 0.2 to below 0.8, int has no number; widen the range, or "
       "fill "
       "with a \"constant\""},
      {R"({"type": "long", "count": 3, "fill": {"uniform": [0, 9223372036854775809], "seed": 1}})",
       "/buffers/x/fill/uniform: long cannot hold 9223372036854775808, the last integer below "
       "9223372036854775809"},
      {R"({"type": "ulong", "count": 3, "fill": {"uniform": [7, 7], "seed": 1}})",
       "/buffers/x/fill/uniform: from 7 to below 7, ulong has no number; widen the range, or fill "
       "with a \"constant\""},
      {R"({"type": "half", "values": [65520]})", "/buffers/x/values/0: half cannot hold 65520"},
      {R"({"type": "half", "values": [-1e9]})",
       "/buffers/x/values/0: half cannot hold -1000000000"},
      {R"({"type": "float", "count": 3, "fill": {"constant": 3.5e38}})",
       "/buffers/x/fill/constant: float cannot hold 3.5e+38"},
      {R"({"type": "bfloat", "count": 3, "fill": {"uniform": [0, 3.4e38], "seed": 1}})",
       "/buffers/x/fill/uniform: bfloat cannot hold 3.4e+38"},
      {R"({"type": "half", "count": 66000, "fill": {"iota": [0, 1]}})",
       "/buffers/x/fill/iota: half cannot hold 65999"},
      {R"({"type": "float", "count": 3, "fill": {"uniform": [2, 1], "seed": 1}})",
       "/buffers/x/fill/uniform: the lower end 2 is above the upper end 1"},
      {R"({"type": "ulong", "count": 3, "fill": {"uniform": [9007199254740993, 9007199254740992], "seed": 1}})",
       "/buffers/x/fill/uniform: the lower end 9007199254740993 is above the upper end "
       "9007199254740992"},
      {R"({"type": "float", "count": 3, "fill": {"uniform": [1, 1], "seed": 1}})",
       "/buffers/x/fill/uniform: from 1 to below 1, float has one number; widen the range, or fill "
       "with a \"constant\""},
      {R"({"type": "half", "count": 3, "fill": {"uniform": [1, 1.0001], "seed": 1}})",
       "/buffers/x/fill/uniform: from 1 to below 1.0001, half has one number; widen the range, or "
       "fill with a \"constant\""},
      {R"({"type": "uint", "count": 3, "fill": {"uniform": [0, 1], "seed": 1}})",
       "/buffers/x/fill/uniform: from 0 to below 1, uint has one number; widen the range, or fill "
       "with a \"constant\""},
      {R"({"type": "ulong", "count": 3, "fill": {"uniform": [7, 8], "seed": 1}})",
       "/buffers/x/fill/uniform: from 7 to below 8, ulong has one number; widen the range, or fill "
       "with a \"constant\""},
      {R"({"type": "uint", "values": [1], "count": 5})",
       "/buffers/x/count: \"values\" is given, too; remove one of the two"},
      {R"({"type": "uint", "count": 5, "fill": {"constant": 1, "uniform": [0, 1]}})",
       "/buffers/x/fill/uniform: \"constant\" is given, too; remove one of the two"}};
  for (const auto& [buffer, expected] : cases) EXPECT_EQ(error_of_buffer(buffer), expected);
  EXPECT_EQ(error_of_buffer(R"({"type": "uchar", "values": [0, 255, 7]})"), "none");
  EXPECT_EQ(error_of_buffer(R"({"type": "half", "values": [0.1, -65519]})"), "none");
  EXPECT_EQ(
      error_of_buffer(R"({"type": "uint", "count": 3, "fill": {"uniform": [0, 2], "seed": 1}})"),
      "none");
}

TEST_F(PlanFileTest, uniform_fills_take_all_integers_from_low_to_below_high) {
  const auto ends_of = [&](const std::string& type, const std::string& range, unsigned count) {
    Parts parts;
    parts.buffers = R"("buffers": {"x": {"type": ")" + type + R"(", "count": )" +
                    std::to_string(count) + R"(, "fill": {"uniform": )" + range +
                    R"(, "seed": 1}}, "y": {"type": "float", "count": "n"}})";
    const auto file = read(parts.text());
    EXPECT_TRUE(file) << file.error().message;
    if (!file) return std::pair(0.0, 0.0);
    const auto plan = (*file)->task().plan((*file)->task().sizes[0], {});
    std::vector<double> numbers(count);
    for (unsigned i = 0; i < count; ++i)
      numbers[i] = get_element(type, plan->buffers[0].initial, i);
    const auto [least, greatest] = std::ranges::minmax(numbers);
    return std::pair(least, greatest);
  };
  using Ends = std::pair<double, double>;
  EXPECT_EQ(ends_of("bool", "[0, 2]", 100), (Ends{0, 1}));
  EXPECT_EQ(ends_of("char", "[-128, 128]", 10'000), (Ends{-128, 127}));
  EXPECT_EQ(ends_of("char", "[-2.5, 2.5]", 1000), (Ends{-2, 2}));
  EXPECT_EQ(ends_of("uchar", "[0, 256]", 10'000), (Ends{0, 255}));
  EXPECT_EQ(ends_of("short", "[-32768, 32768]", 1'000'000), (Ends{-32768, 32767}));
  EXPECT_EQ(ends_of("ushort", "[0, 65536]", 1'000'000), (Ends{0, 65535}));
  // Too many to see the very ends.
  const std::pair<std::pair<std::string, std::string>, Ends> wide[] = {
      {{"int", "[-2147483648, 2147483648]"}, {-0x1p31, 0x1p31}},
      {{"uint", "[0, 4294967296]"}, {0, 0x1p32}},
      {{"long", "[-9223372036854775808, 9223372036854775808]"}, {-0x1p63, 0x1p63}},
      {{"ulong", "[0, 18446744073709551616]"}, {0, 0x1p64}}};
  for (const auto& [of, ends] : wide) {
    const auto [least, greatest] = ends_of(of.first, of.second, 10'000);
    const auto close = (ends.second - ends.first) / 1000;
    EXPECT_NEAR(least, ends.first, close) << of.first;
    EXPECT_NEAR(greatest, ends.second, close) << of.first;
  }
}

TEST_F(PlanFileTest, random_inputs_of_the_strict_verdict_take_all_integers) {
  Parts parts;
  parts.buffers = R"("buffers": {"x": {"type": "char", "count": 10000,
                       "fill": {"uniform": [-128, 128], "seed": 1}},
                     "y": {"type": "float", "count": "n"}})";
  parts.expect = R"("expect": {"y": {}})";
  parts.more =
      R"("tolerance": {"max_abs": 0}, "check": ["true"],
         "stress": {"sizes": [{"label": "ten", "n": 10}], "tolerance": 0})";
  const auto file = read(parts.text());
  ASSERT_TRUE(file) << file.error().message;
  const auto& stress = (*file)->task().stress;
  const auto plan = stress.plan(stress.sizes[0], {}, Key{1, 2});
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& bytes = plan->buffers[0].initial;
  for (const int end : {-128, 127})
    EXPECT_NE(std::ranges::find(bytes, static_cast<std::byte>(end)), bytes.end()) << end;
}

TEST_F(PlanFileTest, contracts_say_how_long_values_are) {
  Parts parts;
  parts.buffers = R"("buffers": {"y": {"type": "float", "count": "n"},
    "n": {"type": "uint", "values": ["n"], "read_only": true},
    "shape": {"type": "uint", "values": ["n", 2, 3], "read_only": true},
    "state": {"type": "half", "values": [1, 2]},
    "table": {"type": "int", "values": [1, 2, 3, 4, 5], "read_only": true},
    "flags": {"type": "bool", "values": [0, 1], "read_only": true},
    "options": {"struct": [["uint", 1], ["ulong", 2]], "read_only": true}})";
  parts.launches = R"("launches": [{"kernel": "double", "grid": ["n"], "threadgroup": [4],
    "bind": {"0": "y", "1": "n", "2": "shape", "3": "state", "4": "table", "5": "flags",
             "6": "options", "7": {"type": "float", "values": [1, 2, 3], "name": "centre"}}}])";
  parts.expect = R"("expect": {"y": {"file": "y_{label}.bin"}})";
  const auto file = read(parts.text());
  ASSERT_TRUE(file) << file.error().message;
  std::vector<std::string> types;
  for (const auto& argument : (*file)->task().kernels.at(0).arguments)
    types.push_back(argument.type);
  EXPECT_EQ(types, (std::vector<std::string>{
                       "device float *", "constant uint &", "constant packed_uint3 &",
                       "packed_half2", "device const int *", "device const bool *",
                       "constant struct of 16 bytes &", "constant packed_float3 &"}));
}

TEST_F(PlanFileTest, connects_the_pointers_of_a_struct) {
  Parts parts;
  parts.buffers = R"("buffers": {
    "x": {"struct": [["uint", 7], {"buffer": "y", "offset": "4*n - 4"},
                     {"struct": [["uchar", "i"], {"buffer": "z"}], "times": 2, "index": "i"},
                     [{"buffer": null}, {"functions": ["f", null, "g"]}]]},
    "y": {"type": "float", "count": "n"}, "z": {"type": "uint", "count": 3, "read_only": true}})";
  const auto plan = read(parts.text());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto made = (*plan)->task().plan((*plan)->task().sizes[0], {});
  ASSERT_TRUE(made) << made.error().message;
  const auto& x = made->buffers[0];
  EXPECT_EQ(x.bytes, 64U);
  ASSERT_EQ(made->buffers.size(), 4U);
  EXPECT_EQ(x.pointers, (std::vector<PlanPointer>{{.at = 8, .buffer = 1, .offset = 28},
                                                  {.at = 24, .buffer = 2, .read_only = true},
                                                  {.at = 40, .buffer = 2, .read_only = true},
                                                  {.at = 56, .buffer = 3, .read_only = true}}));
  EXPECT_EQ(x.initial[8], std::byte{28});  // references find the offset
  EXPECT_EQ(x.initial[16], std::byte{0});
  EXPECT_EQ(x.initial[32], std::byte{1});
  const auto& table = made->buffers[3];
  EXPECT_EQ(table.bytes, 16U);
  EXPECT_EQ(table.initial[0], std::byte{3});
  EXPECT_EQ(table.functions, (std::vector<PlanFunction>{{4, "f"}, {12, "g"}}));
}

TEST_F(PlanFileTest, lays_a_struct_out_as_a_compiler_does) {
  Parts parts;
  parts.buffers =
      R"("buffers": {"x": {"struct": [["uchar", 1], ["int", -2, "n"], ["ulong", "2*n"], ["half", 0.5]]},
                     "y": {"type": "float", "count": "n"}})";
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto plan = (*read_plan)->task().plan((*read_plan)->task().sizes[0], {});
  const std::span<const std::byte> bytes = plan->buffers[0].initial;
  ASSERT_EQ(bytes.size(), 32U);
  EXPECT_EQ(get_element("uchar", bytes, 0), 1);
  EXPECT_EQ(get_element("int", bytes, 1), -2);
  EXPECT_EQ(get_element("int", bytes, 2), 8);
  EXPECT_EQ(get_element("ulong", bytes, 2), 16);
  EXPECT_EQ(get_element("half", bytes, 12), 0.5);
}

TEST_F(PlanFileTest, integers_are_exact_to_64_bits) {
  Parts parts;
  parts.buffers =
      R"("buffers": {"x": {"type": "ulong", "values": [18446744073709551615, 9007199254740993]},
                     "z": {"type": "long", "values": [-9223372036854775808]},
                     "y": {"type": "float", "count": "n"}})";
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const auto plan = (*read_plan)->task().plan((*read_plan)->task().sizes[0], {});
  std::map<std::string, std::vector<std::uint64_t>> words;
  for (const auto& buffer : plan->buffers) {
    words[buffer.name].resize(buffer.initial.size() / 8);
    std::memcpy(words[buffer.name].data(), buffer.initial.data(), buffer.initial.size() / 8 * 8);
  }
  EXPECT_EQ(words["x"], (std::vector<std::uint64_t>{UINT64_MAX, 9007199254740993}));
  EXPECT_EQ(words["z"], (std::vector<std::uint64_t>{std::uint64_t{1} << 63}));

  parts.buffers = R"("buffers": {"x": {"type": "long", "values": [9223372036854775808]},
                                 "y": {"type": "float", "count": "n"}})";
  EXPECT_EQ(error_of(parts), "/buffers/x/values/0: long cannot hold 9223372036854775808");
}

// A reference command may leave anything under the name of a result.
TEST_F(PlanFileTest, a_result_that_is_no_regular_file_is_not_waited_for) {
  Parts parts;
  parts.expect = R"("expect": {"y": {}})";
  parts.more = R"("reference": ["mkfifo", "{folder}/y.out"])";
  EXPECT_NE(error_of(parts).find("it is not a regular file"), std::string::npos) << error_of(parts);
  parts.more = R"("reference": ["truncate", "-s", "100G", "{folder}/y.out"])";
  EXPECT_NE(error_of(parts).find("it wrote 107374182400 bytes to y.out"), std::string::npos)
      << error_of(parts);
}

TEST_F(PlanFileTest, names_a_function_that_its_table_cannot_hold) {
  Translation program{.tables = {.functions = {{"bent", "float(float)"}, {"sum", "float(uint)"}},
                                 .types = {"float(float)", "half(half)"},
                                 .unmarked = {"plain"}}};
  program.kernels = {
      {.name = "double",
       .arguments = {{.index = 2, .name = "t", .type = "visible_function_table<float(float)>"}}}};
  const auto error_with = [&](const std::string& launched, const std::string& member) {
    Parts parts;
    parts.buffers = R"("buffers": {"y": {"type": "float", "count": "n"},
                                   "x": {"struct": [{"functions": [)" +
                    member + "]}]}}";
    parts.launches = R"("launches": [{"kernel": "double", "grid": ["n"], "threadgroup": [4],
                         "bind": {"0": "x", "1": "y", "2": {"functions": [null, )" +
                     launched + "]}}}]";
    const auto file = read(parts.text());
    EXPECT_TRUE(file) << file.error().message;
    const auto plan = (*file)->task().plan((*file)->task().sizes[0], program);
    return plan ? "none" : plan.error().message.substr((folder_ / "plan.json: ").string().size());
  };
  const std::string launched = "/launches/0/bind/2/functions/1: ";
  const std::string member = "/buffers/x/struct/0/functions/0: ";
  EXPECT_EQ(error_with(R"("bent")", R"("bent")"), "none");
  EXPECT_EQ(error_with(R"("bend")", "null"),
            launched + "function 'bend' not found in the source; did you mean \"bent\"?");
  EXPECT_EQ(error_with(R"("rectified")", "null"),
            launched +
                "function 'rectified' not found in the source; its [[visible]] functions "
                "are bent, sum");
  EXPECT_EQ(error_with("null", R"("plain")"),
            member +
                "function 'plain' is not [[visible]], so a table cannot hold it; mark it "
                "[[visible]]");
  EXPECT_EQ(error_with(R"("sum")", "null"),
            launched +
                "function 'sum' is float(uint), and the table of the kernel holds "
                "float(float); change one of them");
  EXPECT_EQ(error_with("null", R"("sum")"),
            member +
                "function 'sum' is float(uint), and the tables of the source hold "
                "float(float), half(half); change one of them");
  program.tables.functions[1].type = "half(half)";  // for a table of another kernel, perhaps
  EXPECT_EQ(error_with("null", R"("sum")"), "none");
}

TEST_F(PlanFileTest, refuses_members_without_a_type_or_a_value) {
  const auto error_of_struct = [&](const std::string& members) {
    Parts parts;
    parts.buffers =
        R"("buffers": {"y": {"type": "float", "count": "n"}, "x": {"struct": )" + members + "}}";
    return error_of(parts);
  };
  EXPECT_EQ(error_of_struct(R"([["uint"]])"),
            "/buffers/x/struct/0: it must be a type and its values, [\"uint\", \"n\"]");
  EXPECT_EQ(error_of_struct(R"([["uint", -1]])"), "/buffers/x/struct/0/1: uint cannot hold -1");
  EXPECT_EQ(error_of_struct(R"([["float4", 1]])").substr(0, 61),
            "/buffers/x/struct/0/0: 'float4' is not a scalar type; use one");
  EXPECT_EQ(error_of_struct(R"([{"buffer": "w"}])"),
            "/buffers/x/struct/0/buffer: buffer 'w' not found in \"buffers\"");
  EXPECT_EQ(error_of_struct(R"([{"buffer": "y", "offset": "4*n"}])"),
            "/buffers/x/struct/0/offset: the buffer 'y' has only 32 bytes");
  EXPECT_EQ(error_of_struct(R"([{"functions": []}])"),
            "/buffers/x/struct/0: a table needs at least one function");
  EXPECT_EQ(error_of_struct(R"([{"struct": [["uint", 1]], "times": 0}])"),
            "/buffers/x/struct/0/times: a struct must be there at least once");
  EXPECT_EQ(error_of_struct(R"([])"), "/buffers/x: the buffer has no bytes");
  EXPECT_EQ(error_of_struct(R"([["uint", 1]], "type": "uint")"),
            "/buffers/x/type: \"struct\" is given, too; remove one of the two");
}

TEST_F(PlanFileTest, takes_values_of_function_constants) {
  Parts parts;
  parts.more += R"(, "constants": {"width": 8, "wraps": true, "scale": -0.5})";
  const auto read_plan = read(parts.text());
  ASSERT_TRUE(read_plan) << read_plan.error().message;
  const std::map<std::string, std::string> expected = {
      {"width", "8"}, {"wraps", "true"}, {"scale", "-0.5"}};
  EXPECT_EQ((*read_plan)->task().constants, expected);
  parts.more = R"("constants": {"width": "8"})";
  EXPECT_EQ(error_of(parts),
            "/constants/width: a function constant is true, false, a number, or 2 to 4 of them in "
            "a list");
}

TEST(Elements, bfloats_are_rounded_to_the_nearest) {
  const std::pair<double, double> cases[] = {
      {1, 1},           {-2.5, -2.5},        {0x1.01p0, 0x1p0}, {0x1.03p0, 0x1.04p0},
      {1e39, HUGE_VAL}, {0x1p-133, 0x1p-133}};
  for (const auto& [value, expected] : cases) {
    std::vector<std::byte> bytes;
    put_element("bfloat", value, bytes);
    ASSERT_EQ(bytes.size(), 2U);
    EXPECT_EQ(get_element("bfloat", bytes, 0), expected) << value;
  }
}

TEST(Elements, halves_are_rounded_to_the_nearest) {
  const std::pair<double, double> cases[] = {
      {1, 1},          {-2.5, -2.5},       {65504, 65504}, {65519, 65504},
      {1e6, HUGE_VAL}, {0x1p-24, 0x1p-24}, {0x1p-26, 0},   {0.1, 0.0999755859375},
      {2047.9, 2048},  {2049, 2048}};
  for (const auto& [value, expected] : cases) {
    std::vector<std::byte> bytes;
    put_element("half", value, bytes);
    EXPECT_EQ(get_element("half", bytes, 0), expected) << value;
  }
}

TEST(ExpectedResult, may_be_zero_at_a_size_that_is_drawn) {
  const ExpectedResult zero{.type = "float", .contents = Bytes{std::vector<std::byte>(4)}};
  const Tolerance tolerance{.max_abs = 1e-4, .exact = false};
  PlanBuffer buffer;
  buffer.bytes = 4;
  Size size{.label = "one element"};
  EXPECT_NE(why_useless(zero, tolerance, buffer, size), std::nullopt);
  size.is_drawn = true;
  EXPECT_EQ(why_useless(zero, tolerance, buffer, size), std::nullopt);
}

}  // namespace
}  // namespace msci

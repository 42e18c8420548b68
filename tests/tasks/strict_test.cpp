// Every task's stress problem: its sizes, inputs, answers and stored tolerances.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "check.h"
#include "evaluator/measure/timed_passes.h"
#include "evaluator/strict/drawn_sizes.h"
#include "evaluator/strict/made_sizes.h"
#include "evaluator/strict/strict_verdict.h"
#include "tasks/battery.h"
#include "tasks/plan/bindings.h"

namespace msci {
namespace {

class Stressed : public testing::TestWithParam<const Task*> {
 protected:
  void SetUp() override {
    const auto& stress = task().stress;
    ASSERT_TRUE(!stress.sizes.empty() && stress.random_size && stress.plan && stress.reference)
        << task().name << " needs a stress problem; docs/developer/adding_a_task.md describes it";
  }
  const Task& task() const { return *GetParam(); }
  Plan plan(const Size& size, Key key) const {
    auto plan = task().stress.plan(size, program_for(task()), key);
    EXPECT_TRUE(plan) << plan.error().message;
    return *std::move(plan);
  }
};

TEST_P(Stressed, has_two_sizes_that_cost_little) {
  ASSERT_EQ(task().stress.sizes.size(), 2U);
  for (const auto& size : task().stress.sizes) {
    std::size_t bytes = 0;
    for (const auto& buffer : plan(size, {1, 2}).buffers) bytes += buffer.bytes;
    EXPECT_LE(bytes, std::size_t{8} << 20) << size.label;
  }
}

TEST_P(Stressed, draws_sizes_that_follow_from_the_nonce) {
  const auto labels = [&](std::uint64_t nonce) {
    std::vector<std::string> labels;
    for (const auto& size : drawn_sizes(task(), nonce)) labels.push_back(size.label);
    return labels;
  };
  EXPECT_EQ(labels(1), labels(1));
  EXPECT_NE(labels(1), labels(2));
  EXPECT_GE(labels(1).size(), 3U);
}

TEST_P(Stressed, makes_the_sizes_that_it_draws) {
  const auto allowed = allowed_sizes(task());
  EXPECT_EQ(allowed.has_dependent, static_cast<bool>(task().stress.complete));
  KeyedRandom draws({1, 2});
  for (unsigned i = 0; i < 16; ++i) {
    const auto drawn = task().stress.random_size(draws);
    const auto made = made_size(task(), program_for(task()), allowed, values_in(allowed, drawn), 1);
    ASSERT_TRUE(made) << labelled(drawn, "drawn", i).label;
    EXPECT_EQ(made->parameters, drawn.parameters) << made->label;
  }
}

// No condition that holds at such a size is impossible by the contract.
TEST_P(Stressed, allows_declared_and_held_out_sizes) {
  const auto allowed = allowed_sizes(task());
  auto sizes = task().sizes;
  if (task().held_out) sizes.push_back(*task().held_out);
  for (const auto& size : sizes)
    for (const auto& parameter : allowed.parameters)
      EXPECT_TRUE(!parameter.is_limited ||
                  value_in(size, parameter.name).value_or(0) <= parameter.most)
          << size.label << " " << parameter.name;
}

// Each parameter takes its least and its largest value, and some between them, beside the least
// ones of the others.
TEST_P(Stressed, makes_sizes_within_the_contract) {
  constexpr unsigned few = 8;
  const auto allowed = allowed_sizes(task());
  std::vector<std::uint32_t> least;
  for (const auto& parameter : allowed.parameters) least.push_back(parameter.least);
  KeyedRandom draws({1, 3});
  const auto value_of = [&](const AllowedSizes::Parameter& parameter, unsigned number) {
    if (number == 0 || number == 1) return number == 0 ? parameter.least : parameter.most;
    const auto value = draws.between(parameter.least, parameter.most);
    return parameter.is_power_of_two ? std::bit_floor(value) : value - value % parameter.multiple;
  };
  for (std::size_t i = 0; i < least.size(); ++i)
    for (unsigned number = 0; number < few; ++number) {
      auto values = least;
      values[i] = std::max(least[i], value_of(allowed.parameters[i], number));
      const auto made = made_size(task(), program_for(task()), allowed, values, number);
      ASSERT_TRUE(made) << allowed.parameters[i].name << " " << values[i];
      EXPECT_EQ(values_in(allowed, *made), values) << made->label;
      EXPECT_LE(volume_of(task(), *made), static_cast<double>(allowed.most_volume)) << made->label;
    }
}

// On a grid of 3x3 the only point inside is the axis: psi / axis is 1, psi * (1 / axis) a little
// less.
TEST(Gradshaf, may_multiply_by_the_reciprocal_of_the_axis_on_a_coarse_grid) {
  const auto expected =
      the_task("gradshaf").stress.reference({"", {{"nr", 3}, {"nz", 3}, {"k", 2}}}, {1, 2}).value();
  const auto error_of = [&](double difference) {
    Outputs got;
    for (const auto& each : expected) {
      std::vector<float> values(each.values.begin(), each.values.end());
      if (got.empty()) values[4] += static_cast<float>(difference);
      got.push_back(Bytes::of<float>(values));
    }
    return strict_error(expected, got);
  };
  const auto tolerance = 4e-6;
  EXPECT_LT(error_of(6.7e-6), tolerance);  // one unit in the last place of 1
  EXPECT_LT(error_of(1.3e-5), tolerance);
  EXPECT_GT(error_of(6e-5), tolerance);
}

// A step of gradshaf in single precision, as kernels write it, with the reciprocal of the axis.
std::vector<float> relaxed(const std::vector<float>& psi, std::size_t nr, std::size_t nz,
                           float axis, float pressure) {
  const auto dr = 1 / static_cast<float>(nr - 1), dz = 1 / static_cast<float>(nz - 1);
  const float across = 1 / (dr * dr), along = 1 / (dz * dz), per_axis = 1 / axis;
  const float per_centre = 1 / (-2 * across - 2 * along);
  auto next = psi;
  for (std::size_t j = 1; j + 1 < nz; ++j)
    for (std::size_t i = 1; i + 1 < nr; ++i) {
      const float* c = &psi[j * nr + i];
      const float r = 1 + static_cast<float>(i) * dr, slope = 0.5F / (r * dr), n = *c * per_axis;
      const float current = n > 0 && n < 1 ? r * r * pressure * 4 * n * (1 - n) : 0;
      const float sum = (across + slope) * c[-1] + (across - slope) * c[1];
      const float operated = sum + along * (*(c - nr) + c[nr]) - 2 * (across + along) * *c;
      next[j * nr + i] = *c - (current + operated) * per_centre;
    }
  return next;
}

// The strict error of such a kernel at a size, with a drawn input.
double error_of_relaxation(const Size& size, Key key, float pressure) {
  const auto& task = the_task("gradshaf");
  const std::size_t nr = size["nr"], nz = size["nz"];
  const auto plan = task.stress.plan(size, program_for(task), key).value();
  const auto first = Bytes{plan.buffers[0].initial};
  std::vector<float> psi(first.as<float>().begin(), first.as<float>().end());
  float axis = 0;
  for (unsigned step = 0; step < size["k"]; ++step) {
    axis = psi[nr + 1];
    for (std::size_t j = 1; j + 1 < nz; ++j)
      for (std::size_t i = 1; i + 1 < nr; ++i) axis = std::max(axis, psi[j * nr + i]);
    psi = relaxed(psi, nr, nz, axis, pressure);
  }
  const Outputs got = {Bytes::of<float>(psi), Bytes::of<float>(std::span(&axis, 1))};
  return strict_error(task.stress.reference(size, key).value(), got);
}

// Roundings grow from step to step on a coarse grid. A pressure that is a hundredth too high is
// told all the same.
TEST(Gradshaf, may_round_on_coarse_grids_and_not_more) {
  constexpr double tolerance = 9e-6;  // of sizes that are drawn
  constexpr unsigned all = 2000;
  unsigned told = 0;
  for (std::uint64_t seed = 0; seed < all; ++seed) {
    KeyedRandom draws({seed, 7});
    const auto side = [&] { return draws.between(3, 12); };
    const Size size{"", {{"nr", side()}, {"nz", side()}, {"k", draws.between(1, 40)}}};
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << size["nr"] << "x" << size["nz"]
                                    << ", " << size["k"] << " steps");
    EXPECT_LE(error_of_relaxation(size, {seed, 8}, 200), tolerance);
    told += !(error_of_relaxation(size, {seed, 8}, 202) <= tolerance);
  }
  EXPECT_GE(told, all * 3 / 4) << "of " << all;
}

TEST(DrawnSizes, have_the_smallest_of_the_contract_with_each_nonce) {
  const auto& task = **find_task("saxpy");
  for (std::uint64_t nonce = 1; nonce <= 16; ++nonce) {
    const auto sizes = drawn_sizes(task, nonce);
    EXPECT_TRUE(std::ranges::any_of(sizes, [](const Size& size) { return size["n"] == 1; }))
        << nonce;
  }
}

// What the pages promise of the sides of drawn sizes.
struct DrawnSide {
  std::string_view task;
  std::string_view parameter;
  unsigned least;
  unsigned most;
  unsigned multiple = 1;
};
constexpr DrawnSide drawn_sides[] = {
    {"saxpy", "n", 1, 1 << 21},   {"heat2d", "nx", 1, 4096}, {"heat2d", "ny", 1, 4096},
    {"wave3d", "nx", 1, 1024},    {"wave3d", "ny", 1, 1024}, {"wave3d", "nz", 1, 1024},
    {"nbody", "n", 1, 4096},      {"hmc", "d", 2, 32, 2},    {"hmc", "K", 1, 32768},
    {"lbm", "nx", 1, 4096},       {"lbm", "ny", 1, 4096},    {"ising", "nx", 16, 4096, 2},
    {"ising", "ny", 16, 4096, 2}, {"lj", "N", 1, 16384},     {"gradshaf", "nr", 3, 4096},
    {"gradshaf", "nz", 3, 4096},  {"fft3d", "n", 2, 128},    {"adi3d", "NX", 32, 128, 32},
    {"adi3d", "NY", 32, 128, 32}, {"adi3d", "NZ", 4, 128},   {"morton", "N", 2, 128}};

// The lengths of that side in the verdicts of the first nonces.
std::set<unsigned> drawn_lengths(const Task& task, std::string_view parameter,
                                 std::uint64_t nonces) {
  std::set<unsigned> lengths;
  for (std::uint64_t nonce = 1; nonce <= nonces; ++nonce)
    for (const auto& size : drawn_sizes(task, nonce))
      if (size.is_drawn) lengths.insert(size[parameter]);
  return lengths;
}

TEST_P(Stressed, draws_each_octave_of_each_side_from_the_least_to_the_most_length) {
  for (const auto& side : drawn_sides) {
    if (side.task != task().name) continue;
    SCOPED_TRACE(side.parameter);
    const auto lengths = drawn_lengths(task(), side.parameter, 4);
    for (unsigned begin = 1; begin <= side.most; begin *= 2) {
      const auto least = (std::max(begin, side.least) + side.multiple - 1) / side.multiple;
      const auto most = std::min(2 * begin - 1, side.most) / side.multiple;
      if (least > most) continue;
      const auto found = lengths.lower_bound(begin);
      EXPECT_TRUE(found != lengths.end() && *found < 2 * begin) << "from " << begin;
    }
    EXPECT_TRUE(lengths.contains(side.least) && lengths.contains(side.most));
    EXPECT_GE(*lengths.begin(), side.least);
    for (const auto length : lengths) EXPECT_EQ(length % side.multiple, 0U);
  }
}

TEST(DrawnSizes, have_inputs_that_hold_the_numbers_of_the_kernel) {
  const auto& task = **find_task("saxpy");
  constexpr float number = 1234.5F;
  std::size_t equal = 0, below = 0, above = 0, opposite = 0;
  for (const auto& size : drawn_sizes(task, 1, {{}, {number}})) {
    const auto plan = task.stress.plan(size, program_for(task), key_of(1, size.label, 0));
    ASSERT_TRUE(plan);
    const Bytes x{plan->buffers.front().initial};
    for (const float value : x.as<float>()) {
      equal += value == number;
      below += value < number && value > 0.999F * number;
      above += value > number && value < 1.001F * number;
      opposite += value == -number;
    }
  }
  for (const auto count : {equal, below, above, opposite}) EXPECT_GT(count, 10U);
}

TEST(DrawnSizes, lie_on_both_sides_of_a_number_in_the_kernel) {
  for (std::uint64_t nonce = 1; nonce <= 8; ++nonce)
    for (const auto* side : {"nx", "ny"}) {
      const auto sizes = drawn_sizes(**find_task("heat2d"), nonce, {{601}, {}});
      const auto has = [&](unsigned least, unsigned most) {
        return std::ranges::any_of(sizes, [&](const Size& size) {
          return size.is_drawn && size[side] >= least && size[side] <= most;
        });
      };
      EXPECT_TRUE(has(540, 600)) << nonce;
      EXPECT_TRUE(has(601, 661)) << nonce;
    }
}

// A checked run reports what lies behind a row, a column or a layer only where there are so many.
TEST(DrawnCheckedSizes, have_a_long_row_and_a_long_column_with_an_interior) {
  const auto& task = **find_task("heat2d");
  for (std::uint64_t nonce = 1; nonce <= 16; ++nonce) {
    const auto sizes = drawn_checked_sizes(task, nonce);
    for (const auto& [side, other] : {std::pair("nx", "ny"), std::pair("ny", "nx")})
      EXPECT_TRUE(std::ranges::any_of(
          sizes, [&](const Size& size) { return size[side] > 128 && size[other] >= 3; }))
          << nonce << side;
  }
}

// "Stop after step k" shows for each k.
TEST_P(Stressed, draws_sizes_with_as_many_steps_as_declared_sizes_have) {
  unsigned most = 0;
  for (const auto& size : task().sizes) most = std::max(most, steps_of(task(), size).value_or(0));
  if (most == 0) return;
  for (std::uint64_t nonce = 1; nonce <= 10; ++nonce)
    EXPECT_TRUE(std::ranges::any_of(drawn_sizes(task(), nonce), [&](const Size& size) {
      return size.is_drawn && steps_of(task(), size) == most;
    })) << nonce;
}

// Or a kernel could count passes there: the judge's own contents come back, or a change is found.
TEST_P(Stressed, leaves_no_buffer_as_an_earlier_pass_left_it) {
  const auto expect_renewed = [&](Plan made, const Size& size) {
    mark_constant_buffers(task(), made);
    for (const auto& buffer : made.buffers)
      EXPECT_TRUE(buffer.reset || buffer.poison || buffer.constant) << size.label << buffer.name;
  };
  auto sizes = drawn_sizes(task(), 1);
  std::ranges::copy(task().stress.sizes, std::back_inserter(sizes));
  sizes.push_back(task().sizes.front());
  for (const auto& size : sizes) expect_renewed(plan(size, {1, 2}), size);
  auto declared = task().plan(task().sizes.front(), program_for(task()));
  ASSERT_TRUE(declared);
  expect_renewed(*std::move(declared), task().sizes.front());
}

TEST_P(Stressed, has_other_inputs_for_another_key_and_the_same_for_the_same) {
  for (const auto& size : task().stress.sizes) {
    EXPECT_EQ(plan(size, {1, 2}), plan(size, {1, 2}));
    EXPECT_NE(plan(size, {1, 2}), plan(size, {1, 3}));
    const auto one = task().stress.reference(size, {1, 2});
    const auto other = task().stress.reference(size, {1, 3});
    EXPECT_NE(one->at(0).values, other->at(0).values);
  }
}

// How many values one expects of a buffer.
std::size_t values_in(const PlanBuffer& buffer, Expected::Element element) {
  switch (element) {
    case Expected::Element::spin:
      return buffer.bytes;
    case Expected::Element::point:
      return buffer.bytes / 16 * 3;
    default:
      return buffer.bytes / 4;
  }
}

TEST_P(Stressed, expects_a_value_for_each_that_is_read_back) {
  for (const auto& size : task().stress.sizes) {
    const auto made = plan(size, {5, 6});
    const auto expected = task().stress.reference(size, {5, 6});
    ASSERT_EQ(expected->size(), made.results.size());
    for (std::size_t i = 0; i < expected->size(); ++i) {
      const auto& values = expected->at(i).values;
      const auto& undecided = expected->at(i).undecided;
      EXPECT_EQ(values.size(), values_in(made.buffers[made.results[i]], expected->at(i).element));
      EXPECT_TRUE(undecided.empty() || undecided.size() == values.size());
      EXPECT_TRUE(std::all_of(values.begin(), values.end(),
                              [](double value) { return std::isfinite(value); }));
      const auto left_out = std::count(undecided.begin(), undecided.end(), true);
      EXPECT_LE(static_cast<double>(left_out), 0.05 * static_cast<double>(values.size()));
    }
  }
}

TEST_P(Stressed, gives_no_buffer_of_zeros_that_a_kernel_must_fill) {
  const auto counts_from_zero = [](const std::string& name) {
    return name == "accept_cnt" || name == "cell_count" || name == "cell_list";
  };
  for (const auto& buffer : plan(task().stress.sizes[0], {1, 2}).buffers)
    EXPECT_TRUE(buffer.poison || !buffer.initial.empty() || counts_from_zero(buffer.name))
        << buffer.name;
}

TEST_P(Stressed, has_tolerances_that_follow_from_the_stored_errors) {
  const auto derivation = derivation_from(task().derivation);
  ASSERT_TRUE(derivation) << derivation.error().message;
  ASSERT_EQ(derivation->sizes.size(), task().stress.sizes.size());
  for (const auto& size : task().stress.sizes) {
    const auto stored = std::find_if(derivation->sizes.begin(), derivation->sizes.end(),
                                     [&](const auto& each) { return each.label == size.label; });
    ASSERT_NE(stored, derivation->sizes.end()) << size.label;
    EXPECT_GE(stored->errors.size(), 8U);
    EXPECT_DOUBLE_EQ(
        stored->tolerance,
        derivation->factor * *std::max_element(stored->errors.begin(), stored->errors.end()));
    EXPECT_LT(stored->tolerance, 1e-4) << "half precision must show";
  }
}

TEST_P(Stressed, has_a_tolerance_for_the_random_inputs_of_each_size) {
  const auto derivation = derivation_from(task().derivation);
  ASSERT_TRUE(derivation) << derivation.error().message;
  auto sizes = task().sizes;
  if (task().held_out) sizes.push_back(*task().held_out);
  for (const auto& size : sizes) {
    EXPECT_LT(derivation->whole_tolerance(size.label), 1e-2) << size.label;
  }
}

TEST_P(Stressed, has_at_least_ten_wrong_kernels_that_fit_its_seed) {
  const auto battery = read_battery(task().page);
  ASSERT_TRUE(battery) << battery.error().message;
  EXPECT_GE(battery->size(), 10U);
  for (const auto& kernel : *battery) {
    const auto text = spoil(task().seed, kernel);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(*text, task().seed) << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, Stressed, testing::ValuesIn(all_tasks().begin(), all_tasks().end()),
                         [](const auto& info) { return std::string(info.param->name); });

// A page whose battery begins at line 6.
std::string page_with(const std::string& battery) {
  return "# t\n\n## Wrong kernels\n\n```diff\n" + battery + "```\n\nMore text.\n";
}

TEST(Battery, reads_names_words_and_edits) {
  const auto battery =
      read_battery(page_with("one: first\n- a\n+ b\n- c\n- d\n\ntwo: second\n- x\n+ y\n+  z\n"));
  ASSERT_TRUE(battery) << battery.error().message;
  EXPECT_EQ(*battery, (std::vector<WrongKernel>{{"one", "first", {{"a", "b"}, {"c\nd", ""}}},
                                                {"two", "second", {{"x", "y\n z"}}}}));
}

TEST(Battery, says_which_line_it_cannot_read) {
  EXPECT_EQ(read_battery(page_with("one\n")).error().message,
            "line 6: \"name: what is wrong\" is expected");
  EXPECT_EQ(read_battery(page_with("one: first\n+ b\n")).error().message,
            "line 7: \"- old\" or \"+ new\" is expected");
}

TEST(Battery, is_missing_without_its_section) {
  EXPECT_FALSE(read_battery("# t\n"));
  EXPECT_FALSE(read_battery("# t\n\n## Sizes\n\n```diff\none: first\n- a\n+ b\n```\n"));
}

TEST(Battery, edits_what_stands_in_the_seed_once) {
  EXPECT_EQ(*spoil("a b c", {"k", "", {{"b", "x"}}}), "a x c");
  EXPECT_FALSE(spoil("a b c", {"k", "", {{"d", "x"}}}));
  EXPECT_FALSE(spoil("a b b", {"k", "", {{"b", "x"}}}));
}

}  // namespace
}  // namespace msci

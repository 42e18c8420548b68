#include "tasks/saxpy/saxpy.h"

#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

constexpr float scale = 2.5F;

Random inputs() { return Random(0xBEEF); }

Array<float> normals(Random& random, std::size_t count) {
  Array<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

// The pass over two vectors.
Result<Plan> plan_over(const Size& size, const Translation& program, Array<float> first,
                       Array<float> second) {
  const auto group = row_group(program, "saxpy", 256);
  if (!group) return group.error();
  const unsigned n = size["n"];
  Plan plan;
  const auto x = plan.add(filled("x", std::move(first)));
  plan.buffers[x].reset = false;
  const auto y = plan.add(filled("y", std::move(second)));
  const auto a = plan.add_scalar("a", scale);
  const auto length = plan.add_scalar("N", n);
  plan.launches.push_back({.kernel = "saxpy",
                           .grid = cover({n}, *group),
                           .threadgroup = *group,
                           .bindings = bind({x, y, a, length})});
  plan.results = {y};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  Random random = inputs();
  Array<float> x = normals(random, size["n"]);
  return plan_over(size, program, std::move(x), normals(random, size["n"]));
}

// All of x is drawn before y, so y can be drawn, used and forgotten one by one.
Bytes reference(const Size& size) {
  Random random = inputs();
  Array<float> result = normals(random, size["n"]);
  for (float& value : result) value = scale * value + static_cast<float>(random.normal());
  return {std::move(result).take_bytes()};
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs", output[0].as<float>(), expected,
                1e-5 * std::max(1.0, max_magnitude(expected)));
}

struct Vectors {
  Array<float> x;
  Array<float> y;
};

Vectors strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  auto x = uniform(draws, size["n"], -4, 4), y = uniform(draws, size["n"], -10, 10);
  if (size.is_drawn) {
    add_extremes(draws, x, size.numbers);
    add_extremes(draws, y, size.numbers);
  }
  return {std::move(x), std::move(y)};
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  auto [x, y] = strict_start(size, key);
  return plan_over(size, program, std::move(x), std::move(y));
}

// Of longer vectors, a sample is compared.
constexpr unsigned most_compared = 1 << 23;

std::vector<Expected> strict_reference(const Size& size, Key key) {
  if (size["n"] > most_compared) return {};
  const auto [x, y] = strict_start(size, key);
  auto result = widened(y);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += double{scale} * double{x[i]};
  return {{.values = std::move(result)}};
}

double check(const Size& size, Key key, const Outputs& outputs) {
  if (size["n"] <= most_compared) return 0;
  const auto got = outputs[0].as<float>();
  SampledError error;
  for (const auto i : sample_of(key, got.size())) {
    const auto x = static_cast<float>(uniform_at(key, i, -4, 4));
    const auto y = static_cast<float>(uniform_at(key, got.size() + i, -10, 10));
    error.add(got[i], double{scale} * double{x} + double{y});
  }
  return error.relative();
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{.sides = {{"n", 1, 1 << 21}}, .most_cells = 1 << 21};

}  // namespace

const Task saxpy{
    .order = 1,
    .name = "saxpy",
    .title = "y = a x + y over one long vector",
    .kernels = {{.name = "saxpy",
                 .arguments = {{0, "device const float *", "x", "n floats"},
                               {1, "device float *", "y", "n floats, updated in place"},
                               {2, "constant float &", "a", "the scale, 2.5"},
                               {3, "constant uint &", "N", "n"}}}},
    .sizes = {{"1M", {{"n", 1048576}}}, {"16M", {{"n", 16777216}}}, {"64M", {{"n", 67108864}}}},
    .held_out = Size{"4M", {{"n", 4194304}}},
    .small = {"4096", {{"n", 4096}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s",
    .plan = plan,
    .reference = reference,
    .reference_bytes = [](const Size& size) { return 4 * std::size_t{size["n"]}; },
    .judge = judge,
    .work = [](const Size& size) { return 12.0 * size["n"]; },
    .intensity = [](const Size&) { return 2.0 / 12; },
    .stress = {.sizes = {{"8192", {{"n", 8192}}}, {"10007", {{"n", 10007}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .steps = "",
               .plan = strict_plan,
               .reference = strict_reference,
               .check = check},
    .derivation = saxpy_derivation,
    .seed = saxpy_seed,
    .page = saxpy_page,
};

}  // namespace msci

#include "tasks/fft3d/fft3d.h"

#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

#include "tasks/launch.h"
#include "tasks/stress.h"

namespace msci {
namespace {

using Complex = std::complex<float>;  // Metal's float2
using Wide = std::complex<double>;

constexpr std::string_view kernel_names[] = {"fft3d_x", "fft3d_y", "fft3d_z"};

std::size_t cells_of(const Size& size) { return std::size_t{size["n"]} * size["n"] * size["n"]; }

// All real parts are drawn before all imaginary parts.
Array<Complex> start(std::size_t count) {
  Random random(0xF17F);
  Array<Complex> values(count);
  for (Complex& value : values) value.real(random.normal_float());
  for (Complex& value : values) value.imag(random.normal_float());
  return values;
}

// The three passes from `first` to the other field and back.
Result<Plan> plan_from(const Size& size, const Translation& program, Array<Complex> first,
                       PlanBuffer second) {
  const unsigned n = size["n"];
  for (const auto kernel : kernel_names)
    if (const auto group = fixed_group(program, kernel, n); !group) return group.error();

  Plan plan;
  const std::size_t field[] = {plan.add(filled("A", std::move(first))),
                               plan.add(std::move(second))};
  const auto side = plan.add_scalar("N", n);
  unsigned count = 0;
  for (const auto kernel : kernel_names) {
    plan.launches.push_back({.kernel = std::string(kernel),
                             .grid = {n, n * n},
                             .threadgroup = {n},
                             .bindings = bind({field[count % 2], field[(count + 1) % 2], side})});
    ++count;
  }
  plan.results = {field[count % 2]};
  return plan;
}

Result<Plan> plan(const Size& size, const Translation& program) {
  const auto cells = cells_of(size);
  return plan_from(size, program, start(cells), zeros<Complex>("B", cells));
}

// Transforms one line of n values that lie `stride` apart.
void transform_line(Eigen::FFT<double>& fft, Wide* first, std::size_t n, std::size_t stride,
                    std::vector<Wide>& in, std::vector<Wide>& out) {
  for (std::size_t i = 0; i < n; ++i) in[i] = first[i * stride];
  fft.fwd(out.data(), in.data(), static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) first[i * stride] = out[i];
}

// Transforms the n x n lines whose first values lie `across` and `along` apart.
void transform_lines(Wide* values, std::size_t n, std::size_t stride, std::size_t across,
                     std::size_t along) {
  constexpr std::size_t operations_of_value = 60;
  in_parallel(n, operations_of_value * n * n, [=](std::size_t begin, std::size_t end) {
    Eigen::FFT<double> fft;
    std::vector<Wide> in(n), out(n);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < n; ++j)
        transform_line(fft, values + i * across + j * along, n, stride, in, out);
  });
}

std::vector<Wide> transform(const Array<Complex>& field, std::size_t n) {
  const std::size_t layer = n * n;
  std::vector<Wide> values(field.begin(), field.end());
  transform_lines(values.data(), n, 1, layer, n);
  transform_lines(values.data(), n, n, layer, 1);
  transform_lines(values.data(), n, layer, n, 1);
  return values;
}

Bytes reference(const Size& size) {
  Array<Complex> result = start(cells_of(size));
  const auto values = transform(result, size["n"]);
  std::copy(values.begin(), values.end(), result.begin());
  return {std::move(result).take_bytes()};
}

Verdict judge(const Size&, const Bytes& reference, const Outputs& output, const Outputs&) {
  const auto expected = reference.as<float>();
  return within("max_abs", output[0].as<float>(), expected, 1e-3 + 1e-3 * max_magnitude(expected),
                "xy");
}

Array<Complex> strict_start(const Size& size, Key key) {
  KeyedRandom draws(key);
  Array<Complex> field(cells_of(size));
  auto parts = uniform(draws, 2 * field.size(), -1, 1);
  if (size.is_drawn) add_extremes(draws, parts, size.numbers);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = {parts[2 * i], parts[2 * i + 1]};
  return field;
}

Result<Plan> strict_plan(const Size& size, const Translation& program, Key key) {
  return plan_from(size, program, strict_start(size, key), poisoned<Complex>("B", cells_of(size)));
}

std::vector<Expected> strict_reference(const Size& size, Key key) {
  std::vector<double> parts;
  for (const Wide& value : transform(strict_start(size, key), size["n"])) {
    parts.push_back(value.real());
    parts.push_back(value.imag());
  }
  return {{.values = std::move(parts)}};
}

KernelContract pass_contract(std::string_view kernel) {
  return {.name = std::string(kernel),
          .arguments = {{0, "device const float2 *", "in_data", "N^3 complex values"},
                        {1, "device float2 *", "out_data", "N^3 complex values"},
                        {2, "constant uint &", "N", "side, a power of two"}}};
}

// What sizes are allowed; the page has the rest.
const SizeContract contract{
    .sides = {{.parameter = "n", .least = 2, .most = 128, .power_of_two = true}},
    .most_cells = 128};

}  // namespace

const Task fft3d{
    .order = 10,
    .name = "fft3d",
    .title = "complex 3-D Fourier transform, one threadgroup per line",
    .kernels = {pass_contract("fft3d_x"), pass_contract("fft3d_y"), pass_contract("fft3d_z")},
    .sizes = {{"32cube", {{"n", 32}}}, {"64cube", {{"n", 64}}}, {"128cube", {{"n", 128}}}},
    .held_out = Size{"256cube", {{"n", 256}}},
    .small = {"32cube", {{"n", 32}}},
    .ceiling = Ceiling::bandwidth,
    .unit = "GB/s (effective, 96 B/cell across 3 passes)",
    .plan = plan,
    .reference = reference,
    .reference_bytes =
        [](const Size& size) { return 8 * std::size_t{size["n"]} * size["n"] * size["n"]; },
    .judge = judge,
    .work = [](const Size& size) { return 96.0 * static_cast<double>(cells_of(size)); },
    .intensity = [](const Size& size) { return 15.0 * std::log2(size["n"]) / 96; },
    .stress = {.sizes = {{"n32", {{"n", 32}}}, {"n64", {{"n", 64}}}},
               .random_size = [](KeyedRandom& draws) { return draw_size(contract, draws); },
               .steps = "",
               .largest_volume = 128,
               .plan = strict_plan,
               .reference = strict_reference},
    .derivation = fft3d_derivation,
    .seed = fft3d_seed,
    .page = fft3d_page,
};

}  // namespace msci

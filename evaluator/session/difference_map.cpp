#include "evaluator/session/difference_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "evaluator/strict/strict_verdict.h"
#include "tasks/plan/bindings.h"

namespace msci {
namespace {

constexpr unsigned most_cells = 128;   // in either direction
constexpr double largest_error = 1e9;  // that is told apart

double shown_error(double error) {
  return std::isfinite(error) ? std::min(error, largest_error) : largest_error;
}

// The grid of the last launch that has the buffer; null without one.
const Extent* grid_of(const Plan& plan, std::size_t buffer) {
  for (auto launch = plan.launches.rbegin(); launch != plan.launches.rend(); ++launch)
    for (const auto& binding : launch->bindings)
      if (binding.buffer == buffer && binding.offset == 0) return &launch->grid;
  return nullptr;
}

void paint(DifferenceMap& map, const Plan& plan, const WrongElements& elements) {
  const auto* grid = grid_of(plan, plan.results[elements.result]);
  if (!grid || grid->x < 2 || grid->y < 2 || grid->z != 1) return;
  const auto count = elements.errors.size();
  if (count == 0 || count % grid->count() != 0) return;
  const auto of_thread = count / grid->count();
  map.threads_per_cell = (std::max(grid->x, grid->y) + most_cells - 1) / most_cells;
  map.columns = (grid->x + map.threads_per_cell - 1) / map.threads_per_cell;
  map.rows = (grid->y + map.threads_per_cell - 1) / map.threads_per_cell;
  map.cells.assign(std::size_t{map.columns} * map.rows, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto thread = i / of_thread;
    const auto column = thread % grid->x / map.threads_per_cell;
    const auto row = thread / grid->x / map.threads_per_cell;
    auto& cell = map.cells[row * map.columns + column];
    cell = std::max(cell, shown_error(elements.errors[i]));
  }
}

Attempt<DifferenceMap> missing(std::string why) {
  return Failure{Failure::Cause::run_time, std::move(why)};
}

}  // namespace

Result<Attempt<DifferenceMap>> difference_map(Session& session, std::uint64_t nonce) {
  const auto& task = session.task();
  const auto derivation = derivation_from(task.derivation);
  if (task.stress.sizes.empty() || !derivation)
    return missing(
        fmt::format("{} has no strict verdict, whose inputs the picture needs", task.name));
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  if (const auto* rejected = std::get_if<Rejected>(&opened)) return missing(rejected->reason);
  if (const auto* failure = std::get_if<Failure>(&opened)) return missing(failure->message);
  const auto& size = task.stress.sizes.front();
  const auto key = key_of(nonce, size.label, 0);
  auto plan = task.stress.plan(size, *session.translation(), key);
  if (!plan) return missing(plan.error().message);
  mark_constant_buffers(task, *plan);
  auto ran = std::get<Program*>(opened)->run(*plan, verify_only);
  if (!ran) return ran.error();
  if (const auto* failure = std::get_if<Failure>(&*ran)) return missing(failure->message);
  const auto expected = task.stress.reference(size, key);
  if (!expected) return expected.error();
  DifferenceMap map{.size = std::string(size.label)};
  const auto tolerance = derivation->tolerance_of(size.label).value_or(0);
  const auto elements = wrong_elements(*plan, *expected, std::get<Run>(*ran).outputs, tolerance);
  if (!elements) return Attempt<DifferenceMap>{std::move(map)};
  map.result = plan->buffers[plan->results[elements->result]].name;
  map.compared = elements->errors.size();
  map.wrong = std::ranges::count_if(elements->errors, [](double error) { return !(error <= 1); });
  map.first = elements->first;
  paint(map, *plan, *elements);
  return Attempt<DifferenceMap>{std::move(map)};
}

std::string to_json(const DifferenceMap& map) {
  OrderedJson json{{"size", map.size},         {"result", map.result},
                   {"compared", map.compared}, {"wrong", map.wrong},
                   {"first", map.first},       {"columns", map.columns},
                   {"rows", map.rows},         {"threads_per_cell", map.threads_per_cell},
                   {"cells", map.cells}};
  return to_line(json);
}

}  // namespace msci

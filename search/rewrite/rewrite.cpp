#include "search/rewrite/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "lint/fix.h"
#include "search/loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// Weights follow what gained on the built-in tasks.
constexpr std::array all = {
    Transformation{"unroll_and_jam", "lets four rounds of an outer loop share its inner loop", 4,
                   find_jams},
    Transformation{"bits", "moves bits with masks instead of one a round", 4, find_bit_loops},
    Transformation{"unroll", "writes out the rounds of a short loop", 2, find_unrolls},
    Transformation{"steps", "takes four rounds of a loop in a step", 2, find_steps},
    Transformation{"vector_loads", "loads four neighbours of a row at once", 2, find_vector_loads},
    Transformation{"unroll_hint", "writes `#pragma unroll`", 0.5, find_hints},
    Transformation{"swap_loops", "swaps an outer loop and its inner one", 1, find_swaps},
    Transformation{"split_loop", "makes two loops of one", 0.5, find_splits},
    Transformation{"hoist", "takes what stays the same out of a loop", 1, find_hoists},
    Transformation{"wrap", "subtracts the divisor instead of computing a remainder", 2, find_wraps},
    Transformation{"mask", "takes divisors for powers of two", 1, find_masks},
    Transformation{"multiply", "multiplies instead of dividing integers", 2, find_quotients},
    Transformation{"reciprocal", "multiplies by reciprocals", 0.5, find_reciprocals},
    Transformation{"fast", "calls the fast forms of functions", 0.5, find_fast_functions},
    Transformation{"precise", "calls the precise forms of functions", 0.1, find_precise_functions},
    Transformation{"restrict", "declares that buffers do not overlap", 1, find_restricts},
    Transformation{"constant_buffer", "reads a buffer as constant memory", 1,
                   find_constant_buffers},
    Transformation{"narrow_groups", "limits threadgroups to 64 threads", 1, find_narrow_groups},
    Transformation{"wide_groups", "allows threadgroups of at most 512 threads", 1,
                   find_wide_groups},
};

// Compounds that stand behind the simple rewrites.
constexpr std::size_t most_compounds = 64;
constexpr std::size_t most_parts = 3;

// A number of the seed, from 0 to 1 but neither.
double fraction(std::uint64_t seed, std::uint64_t position) {
  return (static_cast<double>(draw(seed, position) >> 12) + 0.5) / std::exp2(52);
}

Finding finding_of(const Rewrite& rewrite) {
  return {.rule = rewrite.about, .fixes = {{.edits = rewrite.edits}}};
}

std::vector<Finding> findings_of(const std::vector<const Rewrite*>& rewrites) {
  std::vector<Finding> findings;
  for (const auto* rewrite : rewrites) findings.push_back(finding_of(*rewrite));
  return findings;
}

// What one answer applies, in this order; of two that overlap, the first.
using Plan = std::vector<const Rewrite*>;

struct Found {
  const Transformation* transformation = nullptr;
  std::vector<Rewrite> rewrites;
};

std::vector<Found> find_all(const Unit& unit, const std::string& only) {
  std::vector<Found> found;
  for (const auto& transformation : all) {
    if (!only.empty() && only != transformation.name) continue;
    auto rewrites = transformation.find(unit);
    if (!rewrites.empty()) found.push_back({&transformation, std::move(rewrites)});
  }
  return found;
}

Plan pointers(const std::vector<Rewrite>& rewrites) {
  Plan plan;
  for (const auto& each : rewrites) plan.push_back(&each);
  return plan;
}

// A transformation with twice the weight of another is its elder in two of three orders.
std::vector<Plan> simple_plans(std::vector<Found>& found, std::uint64_t seed) {
  std::vector<std::pair<double, const Found*>> order;
  for (const auto& each : found)
    order.emplace_back(-std::log(fraction(seed, order.size())) / each.transformation->weight,
                       &each);
  std::ranges::sort(order);
  std::vector<Plan> plans, singles;
  for (const auto& [key, each] : order) {
    plans.push_back(pointers(each->rewrites));
    if (each->rewrites.size() > 1)
      for (const auto& rewrite : each->rewrites) singles.push_back({&rewrite});
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> shuffled;
  for (std::size_t i = 0; i < singles.size(); ++i) shuffled.emplace_back(draw(seed, 1000 + i), i);
  std::ranges::sort(shuffled);
  for (const auto& [key, i] : shuffled) plans.push_back(singles[i]);
  return plans;
}

// Some of the plans, and some of these together.
std::vector<Plan> with_compounds(std::vector<Plan> plans, std::uint64_t seed) {
  const auto simple = plans.size();
  if (simple < 2) return plans;
  std::uint64_t position = 1'000'000;
  for (std::size_t i = 0; i < most_compounds; ++i) {
    Plan together;
    const auto parts = 2 + draw(seed, ++position) % (most_parts - 1);
    for (std::size_t part = 0; part < parts; ++part) {
      const auto& more = plans[draw(seed, ++position) % simple];
      for (const auto* rewrite : more)
        if (std::ranges::find(together, rewrite) == together.end()) together.push_back(rewrite);
    }
    plans.push_back(std::move(together));
  }
  return plans;
}

Result<Unit> parse_right(const Source& source) {
  auto unit = parse(source);
  if (!unit) return unit.error();
  if (unit->compiled()) return unit;
  for (const auto& diagnostic : unit->diagnostics())
    if (diagnostic.severity == Severity::error)
      return Error{
          fmt::format("{}: {}", to_string(diagnostic.place, source.name), diagnostic.message)};
  return Error{fmt::format("{} does not compile", source.name)};
}

}  // namespace

std::span<const Transformation> transformations() { return all; }

Result<RewrittenKernel> rewrite(const Source& source, const RewriteRequest& request) {
  if (!request.only.empty() && std::ranges::none_of(all, [&](const Transformation& each) {
        return each.name == request.only;
      }))
    return Error{fmt::format("no transformation has the name {}", request.only)};
  const auto unit = parse_right(source);
  if (!unit) return unit.error();
  auto found = find_all(*unit, request.only);
  const auto plans = with_compounds(simple_plans(found, request.seed), request.seed);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto& plan = plans[(request.number - 1 + i) % plans.size()];
    const auto fixed = apply_fixes(source, findings_of(plan), Fixes::all);
    if (fixed.text == source.text || !parse_right({source.name, fixed.text})) continue;
    RewrittenKernel kernel{.text = fixed.text};
    for (const auto& about : fixed.fixes)
      if (std::ranges::find(kernel.about, about) == kernel.about.end())
        kernel.about.push_back(about);
    return kernel;
  }
  return Error{"no transformation applies to this kernel"};
}

std::string kernel_of(const std::string& prompt) {
  constexpr std::string_view fence = "```";
  std::string kernel = prompt, block;
  bool is_open = false, is_metal = false;
  for (std::size_t begin = 0; begin < prompt.size();) {
    const auto end = std::min(prompt.find('\n', begin), prompt.size() - 1) + 1;
    const std::string_view line(prompt.data() + begin, end - begin);
    begin = end;
    if (!line.starts_with(fence)) {
      block += line;
    } else if (is_open) {
      if (is_metal) kernel = block;
      is_open = false;
    } else {
      is_open = true;
      is_metal = trimmed(line.substr(fence.size())) == "metal";
      block.clear();
    }
  }
  return kernel;
}

}  // namespace msci::search

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
    Transformation{"rows", "walks rows and columns instead of dividing numbers", 4, find_row_walks},
    Transformation{"elements", "gives a thread the work of four", 2, find_elements},
    Transformation{"tiles", "loads what threads share into threadgroup memory", 1, find_tiles},
    Transformation{"bits", "moves bits with masks instead of one a round", 4, find_bit_loops},
    Transformation{"unroll", "writes out the rounds of a short loop", 2, find_unrolls},
    Transformation{"steps", "takes four rounds of a loop in a step", 2, find_steps},
    Transformation{"vector_loads", "loads four neighbours of a row at once", 2, find_vector_loads},
    Transformation{"unroll_hint", "writes `#pragma unroll`", 0.5, find_hints},
    Transformation{"swap_loops", "swaps an outer loop and its inner one", 1, find_swaps},
    Transformation{"split_loop", "makes two loops of one", 0.5, find_splits},
    Transformation{"peel", "runs the first round of a loop before it", 2, find_peels},
    Transformation{"hoist", "takes what stays the same out of a loop", 1, find_hoists},
    Transformation{"wrap", "subtracts the divisor instead of computing a remainder", 4, find_wraps},
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

// One transformation at all places of a source, or at one of them.
struct Step {
  const Transformation* transformation = nullptr;
  std::optional<std::size_t> place = {};
};

// What one answer applies: each step to the result of the one before.
using Plan = std::vector<Step>;

// What several rewrites share, such as a helper, comes first; of two others that overlap, the first
// counts.
std::vector<Finding> findings_of(const std::vector<Rewrite>& rewrites) {
  std::vector<Finding> findings(1);
  std::vector<Edit> shared;
  for (const auto& rewrite : rewrites) {
    Fix own;
    for (const auto& edit : rewrite.edits) {
      const auto has = [&](const Rewrite& other) {
        return &other != &rewrite && std::ranges::find(other.edits, edit) != other.edits.end();
      };
      if (std::ranges::none_of(rewrites, has))
        own.edits.push_back(edit);
      else if (std::ranges::find(shared, edit) == shared.end())
        shared.push_back(edit);
    }
    if (!own.edits.empty()) findings.push_back({.rule = rewrite.about, .fixes = {own}});
  }
  if (!shared.empty()) findings.front().fixes = {{.edits = shared}};
  return findings;
}

struct Found {
  const Transformation* transformation = nullptr;
  std::size_t places = 0;
};

std::vector<Found> find_all(const Unit& unit, const std::string& only) {
  std::vector<Found> found;
  for (const auto& transformation : all) {
    if (!only.empty() && only != transformation.name) continue;
    if (const auto places = transformation.find(unit).size())
      found.push_back({&transformation, places});
  }
  return found;
}

// A transformation with twice the weight of another is its elder in two of three orders.
std::vector<Plan> simple_plans(const std::vector<Found>& found, std::uint64_t seed) {
  std::vector<std::pair<double, const Found*>> order;
  for (const auto& each : found)
    order.emplace_back(-std::log(fraction(seed, order.size())) / each.transformation->weight,
                       &each);
  std::ranges::sort(order);
  std::vector<Plan> plans, singles;
  for (const auto& [key, each] : order) {
    plans.push_back({{each->transformation}});
    for (std::size_t place = 0; each->places > 1 && place < each->places; ++place)
      singles.push_back({{each->transformation, place}});
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> shuffled;
  for (std::size_t i = 0; i < singles.size(); ++i) shuffled.emplace_back(draw(seed, 1000 + i), i);
  std::ranges::sort(shuffled);
  for (const auto& [key, i] : shuffled) plans.push_back(singles[i]);
  return plans;
}

// Some of the plans, and some of these one after another.
std::vector<Plan> with_compounds(std::vector<Plan> plans, std::uint64_t seed) {
  const auto simple = plans.size();
  if (simple < 2) return plans;
  std::uint64_t position = 1'000'000;
  for (std::size_t i = 0; i < most_compounds; ++i) {
    Plan together;
    const auto parts = 2 + draw(seed, ++position) % (most_parts - 1);
    for (std::size_t part = 0; part < parts; ++part)
      together.push_back(plans[draw(seed, ++position) % simple].front());
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

// Whether it changed the kernel. False also where the place is gone, or the result does not
// compile.
bool apply(const Step& step, RewrittenKernel& kernel, const std::string& name) {
  const Source source{name, kernel.text};
  const auto unit = parse_right(source);
  if (!unit) return false;
  auto rewrites = step.transformation->find(*unit);
  if (step.place && *step.place >= rewrites.size()) return false;
  if (step.place) rewrites = {rewrites[*step.place]};
  auto fixed = apply_fixes(source, findings_of(rewrites), Fixes::all);
  if (fixed.text == source.text || !parse_right({name, fixed.text})) return false;
  kernel.text = std::move(fixed.text);
  for (const auto& about : fixed.fixes)
    if (!about.empty() && std::ranges::find(kernel.about, about) == kernel.about.end())
      kernel.about.push_back(about);
  return true;
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
  const auto found = find_all(*unit, request.only);
  const auto plans = with_compounds(simple_plans(found, request.seed), request.seed);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    RewrittenKernel kernel{.text = source.text};
    bool is_changed = false;
    for (const auto& step : plans[(request.number - 1 + i) % plans.size()])
      is_changed = apply(step, kernel, source.name) || is_changed;
    if (is_changed) return kernel;
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

#include "analysis/proofs/all_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "analysis/facts/launch_facts.h"
#include "analysis/facts/specialise_kernel.h"
#include "analysis/proofs/prove.h"
#include "analysis/solver/z3.h"

namespace msci {
namespace {

using prover::AllSizes;
using prover::LaunchFacts;

constexpr std::size_t word_bytes = 4;

template <typename Each>
bool is_in(const std::vector<Each>& all, const Each& one) {
  return std::ranges::find(all, one) != all.end();
}

SizedNumber times(const SizedNumber& number, std::int64_t by) {
  auto product = number;
  if (number.divisor != 1)
    product.multiplier *= by;
  else
    product.factor *= by, product.constant *= by;
  return product;
}

std::uint32_t word_at(const std::vector<std::byte>& contents, std::size_t byte) {
  std::uint32_t word = 0;
  std::memcpy(&word, contents.data() + byte, sizeof word);
  return word;
}

// One launch of the plan at each sampled size.
class SizedLaunch {
 public:
  SizedLaunch(const OpenPlan& plan, std::vector<LaunchFacts> facts)
      : plan_(plan), facts_(std::move(facts)), all_(facts_.front()) {}

  // Its facts for sizes up to `last`; nothing where it is not known how they grow, or nothing does.
  std::optional<LaunchFacts> join(std::int64_t last) {
    sizes_ = {.first = 1, .last = last};
    all_ = facts_.front();
    grows_ = false;
    if (!are_alike() || !join_grid() || !join_memory() || !grows_ || sizes_.first >= sizes_.last)
      return std::nullopt;
    const auto threads = [&](unsigned d) {
      return static_cast<unsigned>(sizes_.grid[d].at(sizes_.last));
    };
    all_.grid = {threads(0), threads(1), threads(2)};
    for (std::size_t i = 0; i < all_.arguments.size(); ++i)
      all_.arguments[i].bytes = static_cast<std::size_t>(sizes_.bytes[i].at(sizes_.last));
    all_.all_sizes = sizes_;
    return all_;
  }

 private:
  bool are_alike() const {
    return std::ranges::all_of(facts_, [&](const LaunchFacts& each) {
      if (each.kernel != all_.kernel || each.first != all_.first ||
          !(each.threadgroup == all_.threadgroup) || each.launches != all_.launches ||
          each.arguments.size() != all_.arguments.size())
        return false;
      for (std::size_t i = 0; i < all_.arguments.size(); ++i)
        if (each.arguments[i].memory != all_.arguments[i].memory ||
            each.arguments[i].offset != all_.arguments[i].offset)
          return false;
      return true;
    });
  }

  // How the number grows that a function of the facts has at each size. Nothing unless it can only
  // be one of the plan's.
  template <typename Number>
  std::optional<SizedNumber> growth(Number number, bool may_have_factor) {
    std::vector<std::int64_t> values;
    for (const auto& each : facts_) values.push_back(static_cast<std::int64_t>(number(each)));
    if (std::ranges::all_of(values, [&](auto each) { return each == values.front(); }))
      return SizedNumber{.constant = values.front()};
    std::vector<SizedNumber> possible;
    for (const auto& candidate : plan_.numbers) {
      const auto one = candidate.at(plan_.samples.front().n);
      const auto factor = may_have_factor && one > 0 ? values.front() / one : 1;
      const auto scaled = times(candidate, factor);
      if (factor > 0 && has(scaled, values) && !is_in(possible, scaled)) possible.push_back(scaled);
    }
    if (possible.size() != 1) return std::nullopt;
    grows_ = true;
    return possible.front();
  }
  bool has(const SizedNumber& number, const std::vector<std::int64_t>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (number.at(plan_.samples[i].n) != values[i]) return false;
    return true;
  }

  // Keeps the sizes to those at which the number is at least 0, or 1, and at most `high`.
  void limit(const SizedNumber& number, bool is_positive, std::int64_t high) {
    if (!number.grows()) return;
    const auto divisor = number.divisor;
    const auto least = (is_positive ? divisor : 0) - number.constant;
    const auto most = high / number.multiplier * divisor - number.constant;
    sizes_.first =
        std::max(sizes_.first, least <= 0 ? 1 : (least + number.factor - 1) / number.factor);
    sizes_.last = std::min(sizes_.last, most < 0 ? 0 : most / number.factor);
  }

  bool join_grid() {
    constexpr std::int64_t most_threads = std::numeric_limits<std::uint32_t>::max() - 1024;
    for (unsigned d = 0; d < 3; ++d) {
      const auto number =
          growth([&](const LaunchFacts& each) { return prover::side(each.grid, d); }, false);
      if (!number) return false;
      sizes_.grid[d] = *number;
      limit(*number, true, most_threads);
    }
    // Extent::count() must hold them all.
    constexpr auto most_in_all = __int128{1} << 62;
    const auto threads = [&] {
      __int128 count = 1;
      for (const auto& side : sizes_.grid) count *= std::max<std::int64_t>(1, side.at(sizes_.last));
      return count;
    };
    while (sizes_.last > 1 && threads() > most_in_all) sizes_.last /= 2;
    return true;
  }

  bool join_memory() {
    constexpr auto most_bytes = std::int64_t{1} << 60;
    for (std::size_t i = 0; i < all_.arguments.size(); ++i) {
      const auto offset = static_cast<std::int64_t>(all_.arguments[i].offset);
      auto bytes = growth(
          [&](const LaunchFacts& each) {
            return each.arguments[i].bytes + each.arguments[i].offset;
          },
          true);
      if (!bytes || (offset != 0 && bytes->divisor != 1)) return false;
      bytes->constant -= offset;
      sizes_.bytes.push_back(*bytes);
      limit(*bytes, false, most_bytes);
      if (!join_contents(i)) all_.arguments[i].contents.clear();
    }
    return true;
  }

  // Whether the words of small memory are known for all sizes.
  bool join_contents(std::size_t argument) {
    const auto& known = all_.arguments[argument].contents;
    if (known.size() != 1 || !std::ranges::all_of(facts_, [&](const LaunchFacts& each) {
          const auto& contents = each.arguments[argument].contents;
          return contents.size() == 1 && contents.front().size() == known.front().size();
        }))
      return false;
    const auto contents_of = [&](const LaunchFacts& facts) -> const auto& {
      return facts.arguments[argument].contents.front();
    };
    const auto length = known.front().size();
    std::vector<AllSizes::Word> words;
    for (std::size_t byte = 0; byte < length; byte += word_bytes) {
      const auto count = std::min(word_bytes, length - byte);
      if (std::ranges::all_of(facts_, [&](const LaunchFacts& each) {
            return std::memcmp(contents_of(each).data() + byte, known.front().data() + byte,
                               count) == 0;
          }))
        continue;
      if (count < word_bytes) return false;
      const auto number =
          growth([&](const LaunchFacts& each) { return word_at(contents_of(each), byte); }, false);
      if (!number || !number->grows()) return false;
      limit(*number, false, std::numeric_limits<std::int32_t>::max());
      words.push_back({argument, byte, *number});
    }
    sizes_.words.insert(sizes_.words.end(), words.begin(), words.end());
    return true;
  }

  const OpenPlan& plan_;
  const std::vector<LaunchFacts> facts_;
  LaunchFacts all_;
  AllSizes sizes_;
  bool grows_ = false;  // whether anything depends on the size
};

// "4 * n + 1", "n rounded up to 64", "(n + 63) / 64".
std::string growth_text(const SizedNumber& number, const std::string& name) {
  if (!number.grows()) return std::to_string(number.constant);
  const auto sum = [&](std::int64_t constant) {
    auto text = number.factor == 1 ? name : fmt::format("{} * {}", number.factor, name);
    if (constant != 0) text += fmt::format(" {} {}", constant < 0 ? '-' : '+', std::abs(constant));
    return text;
  };
  if (number.divisor == 1) return sum(number.constant);
  const auto above = number.constant - (number.divisor - 1);
  if (number.multiplier == number.divisor && above >= 0)
    return fmt::format("{} rounded up to {}", sum(above), number.divisor);
  const auto dividend = number.constant == 0 ? sum(0) : fmt::format("({})", sum(number.constant));
  return fmt::format("{} / {}{}", dividend, number.divisor,
                     number.multiplier == 1 ? "" : fmt::format(" * {}", number.multiplier));
}

std::string launch_text(const LaunchFacts& facts, const std::string& name,
                        const KernelSignature& signature) {
  const auto& sizes = *facts.all_sizes;
  std::vector<std::string> sides, threads, memory;
  unsigned dimensions = 1;
  for (unsigned d = 1; d < 3; ++d)
    if (prover::side(facts.grid, d) > 1 || prover::side(facts.threadgroup, d) > 1)
      dimensions = d + 1;
  for (unsigned d = 0; d < dimensions; ++d) {
    sides.push_back(growth_text(sizes.grid[d], name));
    threads.push_back(std::to_string(prover::side(facts.threadgroup, d)));
  }
  for (std::size_t i = 0; i < sizes.bytes.size(); ++i)
    if (sizes.bytes[i].grows())
      memory.push_back(fmt::format("{} of {} bytes", signature.objects[i].name,
                                   growth_text(sizes.bytes[i], name)));
  for (const auto& word : sizes.words) {
    const auto& object = signature.objects[word.argument].name;
    memory.push_back(fmt::format(
        "{} = {}", word.byte == 0 ? object : fmt::format("{} at byte {}", object, word.byte),
        growth_text(word.number, name)));
  }
  return fmt::format("grid {}, threadgroups of {}{}{}", fmt::join(sides, " x "),
                     fmt::join(threads, " x "), memory.empty() ? "" : "; ",
                     fmt::join(memory, ", "));
}

// Adds what is proved of a launch, with the largest sizes at which it holds.
std::optional<Error> prove_sized(SizedLaunch& launch, const OpenPlan& plan,
                                 const Translation& checked, prover::Z3& z3,
                                 std::vector<AllSizesProof>& proofs, std::uint64_t& left_steps) {
  // 32-bit indices may wrap around in the largest launches only.
  constexpr std::array<std::int64_t, 3> most_sizes = {
      (std::int64_t{1} << 31) - 1, (std::int64_t{1} << 28) - 1, (std::int64_t{1} << 20) - 1};
  std::vector<ProofClaim> proved;
  for (const auto most : most_sizes) {
    const auto joined = launch.join(most);
    if (!joined) return std::nullopt;
    auto proof =
        prove_launch(*joined, checked, z3, {.launch_steps = left_steps}, {.arithmetic = true});
    if (!proof) return proof.error();
    left_steps -= std::min(left_steps, proof->steps);
    auto& claims = proof->claims;
    const auto count = claims.size();
    std::erase_if(claims, [&](const ProofClaim& claim) {
      return claim.answer != ProofAnswer::proved || is_in(proved, claim);
    });
    proved.insert(proved.end(), claims.begin(), claims.end());
    if (!claims.empty())
      proofs.push_back({.kernel = joined->kernel,
                        .first = joined->all_sizes->first,
                        .last = joined->all_sizes->last,
                        .launch = launch_text(*joined, plan.name, *checked.find(joined->kernel)),
                        .claims = std::move(claims)});
    if (proved.size() == count) return std::nullopt;
  }
  return std::nullopt;
}

// Whether the samples show of each number that it grows.
bool tell_growth(const OpenPlan& plan) {
  return plan.samples.size() > 1 && std::ranges::all_of(plan.numbers, [&](const auto& number) {
           return number.at(plan.samples.front().n) < number.at(plan.samples.back().n);
         });
}

}  // namespace

Result<std::vector<AllSizesProof>> prove_all_sizes(const OpenPlan& plan,
                                                   const Translation& checked) {
  std::vector<AllSizesProof> proofs;
  if (!tell_growth(plan)) return proofs;
  const auto z3 = prover::Z3::open();
  if (!z3) return z3.error();
  std::vector<std::vector<LaunchFacts>> facts;  // by size
  for (const auto& each : plan.samples) facts.push_back(prover::facts_of(each.plan, checked));
  const auto launches = facts.front().size();
  std::uint64_t left_steps = 1'000'000;  // of all launches
  if (!std::ranges::all_of(facts, [&](const auto& each) { return each.size() == launches; }))
    return proofs;
  for (std::size_t i = 0; i < launches; ++i) {
    std::vector<LaunchFacts> of_launch;
    for (const auto& each : facts) of_launch.push_back(each[i]);
    SizedLaunch launch(plan, std::move(of_launch));
    if (auto error = prove_sized(launch, plan, checked, **z3, proofs, left_steps))
      return *std::move(error);
  }
  return proofs;
}

}  // namespace msci

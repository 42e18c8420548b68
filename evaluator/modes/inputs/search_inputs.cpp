#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/check/fault_table.h"
#include "base/keyed_random.h"
#include "evaluator/modes/inputs/check_inputs.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

// Where an element lies in its buffer, and what it is in the plan.
struct Element {
  std::size_t index = 0;
  std::size_t count = 0;
  double before = 0;

  bool is_last() const { return index + 1 == count; }
  // From 0 for the first to 1 for the last.
  double position() const {
    return static_cast<double>(index) / static_cast<double>(std::max<std::size_t>(1, count - 1));
  }
};

struct Pattern {
  const char* name;
  double (*number)(const SearchedBuffer& of, const Element& element, KeyedRandom& random);
};

constexpr Pattern patterns[] = {
    {"equal to the greatest number", [](auto& of, auto&, auto&) { return of.high; }},
    {"equal to the least number", [](auto& of, auto&, auto&) { return of.low; }},
    {"zeros", [](auto&, auto&, auto&) { return 0.0; }},
    {"one less than the greatest number", [](auto& of, auto&, auto&) { return of.high - 1; }},
    {"ones", [](auto&, auto&, auto&) { return 1.0; }},
    {"half of the greatest number", [](auto& of, auto&, auto&) { return of.high / 2; }},
    {"ascending", [](auto& of, auto& element,
                     auto&) { return of.low + (of.high - of.low) * element.position(); }},
    {"descending", [](auto& of, auto& element,
                      auto&) { return of.high - (of.high - of.low) * element.position(); }},
    {"the least and the greatest number in turns",
     [](auto& of, auto& element, auto&) { return element.index % 2 ? of.high : of.low; }},
    {"the greatest number at the end",
     [](auto& of, auto& element, auto&) { return element.is_last() ? of.high : element.before; }},
    {"the least number at the beginning",
     [](auto& of, auto& element, auto&) { return element.index == 0 ? of.low : element.before; }},
    {"the least and the greatest number at random",
     [](auto& of, auto&, auto& random) { return random.between(0, 1) ? of.high : of.low; }},
    {"numbers at random",
     [](auto& of, auto&, auto& random) { return random.uniform(of.low, of.high); }},
};

ChangedBuffer changed(const SearchedBuffer& of, const Plan& plan, const Pattern& pattern,
                      KeyedRandom& random) {
  ChangedBuffer change{of, pattern.name, {}};
  const auto& before = plan.buffers[of.buffer].initial;
  Element element{.count = of.count_in(plan)};
  for (; element.index < element.count; ++element.index) {
    element.before = get_element(of.type, before, element.index);
    auto number = std::clamp(pattern.number(of, element, random), of.low, of.high);
    if (!is_floating(of.type)) number = std::round(number);
    put_element(of.type, number, change.contents);
  }
  return change;
}

Plan with(Plan plan, const std::vector<ChangedBuffer>& changes) {
  for (const auto& each : changes) plan.buffers[each.of.buffer].initial = each.contents;
  return plan;
}

std::optional<std::string> fault_of(const Checked& checked) {
  for (const auto& each : checked.findings)
    if (each.severity == Severity::error && each.id != finding_id(Fault::Kind::unstored))
      return each.id;
  if (checked.failure && !may_be_the_devices(*checked.failure))
    return std::string(to_string(checked.failure->cause));
  return std::nullopt;
}

class Search {
 public:
  Search(const Plan& plan, const std::vector<SearchedBuffer>& buffers, std::size_t most,
         const CheckPlan& check)
      : plan_(plan), buffers_(buffers), most_(most), check_(check) {}

  Result<InputSearch> run() {
    if (auto error = find()) return *std::move(error);
    if (!found_.changes.empty())
      if (auto error = shrink()) return *std::move(error);
    found_.runs = runs_;
    return std::move(found_);
  }

 private:
  std::optional<Error> find() {
    for (const auto& pattern : patterns)
      for (const auto& buffer : buffers_) {
        const auto found = shows({changed(buffer, plan_, pattern, random_)});
        if (!found) return found.error();
        if (*found) return std::nullopt;
      }
    // Few and small buffers have fewer contents than runs.
    for (std::size_t attempt = 0; attempt < 4 * most_ && runs_ < most_; ++attempt) {
      const auto found = shows(some_changes());
      if (!found) return found.error();
      if (*found) return std::nullopt;
    }
    return std::nullopt;
  }

  // Half of the buffers, each with a pattern of its own.
  std::vector<ChangedBuffer> some_changes() {
    std::vector<ChangedBuffer> changes;
    for (const auto& buffer : buffers_)
      if (random_.between(0, 1))
        changes.push_back(
            changed(buffer, plan_, patterns[random_.between(0, std::size(patterns) - 1)], random_));
    std::erase_if(changes, [&](const auto& each) { return each.changed_in(plan_) == 0; });
    return changes;
  }

  // Whether the kernel has a fault with these contents; once one is found, the same fault.
  Result<bool> shows(std::vector<ChangedBuffer> changes) {
    const auto most = found_.changes.empty() ? most_ : most_ + most_to_shrink;
    const bool is_new = std::ranges::any_of(
        changes, [&](const ChangedBuffer& each) { return each.changed_in(plan_) > 0; });
    if (!is_new || runs_ >= most || !tried_.insert(contents_of(changes)).second) return false;
    ++runs_;
    auto checked = check_(with(plan_, changes));
    if (!checked) return checked.error();
    const auto fault = fault_of(*checked);
    if (!fault || (!found_.changes.empty() && *fault != fault_)) return false;
    fault_ = *fault;
    found_.changes = std::move(changes);
    found_.checked = *std::move(checked);
    return true;
  }

  static std::string contents_of(const std::vector<ChangedBuffer>& changes) {
    std::string all;
    for (const auto& each : changes) {
      all += each.of.name + '\0';
      all.append(reinterpret_cast<const char*>(each.contents.data()), each.contents.size());
    }
    return all;
  }

  std::optional<Error> shrink() {
    for (std::size_t i = 0; i < found_.changes.size() && found_.changes.size() > 1;) {
      auto fewer = found_.changes;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const auto stays = shows(std::move(fewer));
      if (!stays) return stays.error();
      if (!*stays) ++i;
    }
    for (std::size_t i = 0; i < found_.changes.size(); ++i)
      if (auto error = put_elements_back(i)) return error;
    return std::nullopt;
  }

  // Blocks of elements, smaller and smaller ones.
  std::optional<Error> put_elements_back(std::size_t number) {
    const auto& before = plan_.buffers[found_.changes[number].of.buffer].initial;
    const auto element = element_bytes(found_.changes[number].of.type).value_or(1);
    for (auto block = before.size() / element / 2; block > 0; block /= 2)
      for (std::size_t at = 0; at < before.size(); at += block * element) {
        const auto first = static_cast<std::ptrdiff_t>(at);
        const auto last =
            static_cast<std::ptrdiff_t>(std::min(at + block * element, before.size()));
        auto changes = found_.changes;
        std::copy(before.begin() + first, before.begin() + last,
                  changes[number].contents.begin() + first);
        if (changes[number].contents == found_.changes[number].contents) continue;
        const auto stays = shows(std::move(changes));
        if (!stays) return stays.error();
      }
    return std::nullopt;
  }

  static constexpr std::size_t most_to_shrink = 200;

  const Plan& plan_;
  const std::vector<SearchedBuffer>& buffers_;
  std::size_t most_;
  const CheckPlan& check_;
  KeyedRandom random_{Key{0x696e70757473, 0}};  // the same contents in each search
  std::size_t runs_ = 0;
  std::set<std::string> tried_;
  std::string fault_;
  InputSearch found_;
};

}  // namespace

Result<InputSearch> search_inputs(const Plan& plan, const std::vector<SearchedBuffer>& buffers,
                                  std::size_t most, const CheckPlan& check) {
  return Search(plan, buffers, most, check).run();
}

}  // namespace msci

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <vector>

#include "base/json.h"
#include "tasks/describe.h"
#include "tasks/plan/elements.h"

namespace msci {
namespace {

// Of the reference, which needs nothing but Python.
constexpr std::string_view reading_and_writing = R"(import struct
import sys

folder = sys.argv[1]


def read(name, letter):
    with open(f"{folder}/{name}.bin", "rb") as file:
        data = file.read()
    return list(struct.unpack(f"<{len(data) // struct.calcsize('<' + letter)}{letter}", data))


def write(name, letter, values):
    with open(f"{folder}/{name}.out", "wb") as file:
        file.write(struct.pack(f"<{len(values)}{letter}", *values))


)";

constexpr std::array extents = {"width", "height", "depth"};

// A type of Metal's as elements of a plan: "float4" is four of float.
struct Elements {
  std::string type;
  unsigned count = 1;
};

std::optional<Elements> elements_of(const std::string& type) {
  static const std::regex atomic(R"(atomic_(\w+)|atomic<\s*(\w+)\s*>)");
  static const std::regex vector(R"((?:packed_)?([a-z]+)([234])?)");
  std::smatch parts;
  if (std::regex_match(type, parts, atomic)) return Elements{parts[1].str() + parts[2].str()};
  if (!std::regex_match(type, parts, vector)) return std::nullopt;
  const auto scalar = parts[1].str();
  if (!element_bytes(scalar)) return std::nullopt;
  // A vector of three takes the room of four, unless it is packed.
  const bool is_padded = parts[2] == "3" && !type.starts_with("packed_");
  const unsigned components = parts[2].matched ? static_cast<unsigned>(parts[2].str()[0] - '0') : 1;
  return Elements{scalar, is_padded ? 4 : components};
}

// The letter of a scalar in Python's `struct`; of a bfloat, which it lacks, that of its bits.
char letter_of(const std::string& scalar) {
  static const std::map<std::string, char> letters = {
      {"float", 'f'}, {"half", 'e'},  {"bfloat", 'H'}, {"bool", '?'},
      {"char", 'b'},  {"uchar", 'B'}, {"short", 'h'},  {"ushort", 'H'},
      {"int", 'i'},   {"uint", 'I'},  {"long", 'q'},   {"ulong", 'Q'}};
  return letters.at(scalar);
}

// The name of a buffer as a variable of the reference: not a keyword, nor one of its own names.
std::string variable_of(const std::string& name) {
  constexpr std::array taken = {
      "and",  "as",     "assert", "async", "await", "break",  "class",  "def",    "del",
      "elif", "else",   "except", "for",   "from",  "global", "if",     "import", "in",
      "is",   "lambda", "not",    "or",    "pass",  "raise",  "return", "try",    "while",
      "with", "yield",  "folder", "map",   "open",  "read",   "struct", "sys",    "write"};
  return std::ranges::find(taken, name) == taken.end() ? name : name + "_";
}

// A parameter of a kernel as a part of the plan.
struct Part {
  enum class Role { input, result, scalar };
  std::string name;
  Elements elements;
  Role role = Role::input;
  std::size_t extents_before = 0;  // of the kernel's parameters

  // Whether it may be an extent of the grid: one whole number.
  bool is_extent() const {
    return role == Role::scalar && !is_floating(elements.type) && elements.count == 1;
  }
};

// Builds the parts from the first kernel to the last.
class Scaffold {
 public:
  Scaffold(const Source& source, const Translation& translation)
      : text_(source.text), translation_(translation) {}

  std::optional<Error> build() {
    if (translation_.kernels.empty()) return Error{"the source has no kernel"};
    for (const auto& kernel : translation_.kernels)
      dimensions_ = std::max(dimensions_, dimensions_of(kernel.name));
    for (const auto& kernel : translation_.kernels)
      if (auto problem = add(kernel)) return problem;
    const bool has_result = std::ranges::any_of(
        parts_, [](const Part& part) { return part.role == Part::Role::result; });
    if (!has_result) return Error{"no kernel of the source writes a buffer, so there is no result"};
    return std::nullopt;
  }

  std::string plan() const {
    OrderedJson expect = OrderedJson::object(), buffers = OrderedJson::object();
    bool is_exact = true;
    for (const auto& part : parts_) {
      buffers[part.name] = buffer_of(part);
      if (part.role != Part::Role::result) continue;
      expect[part.name] = OrderedJson::object();
      if (is_floating(part.elements.type)) is_exact = false;
    }
    OrderedJson json = {{"sizes", sizes()},
                        {"buffers", std::move(buffers)},
                        {"launches", launches_},
                        {"expect", std::move(expect)},
                        {"reference", command()}};
    if (!is_exact) json["tolerance"] = {{"max_abs", 1e-5}, {"relative", 1e-5}};
    return json.dump(2) + "\n";
  }

  std::string reference() const {
    auto text = fmt::format(
        "\"\"\"The expected results: reference.py FOLDER {}\n\nReads each buffer from "
        "FOLDER/NAME.bin and writes each result to FOLDER/NAME.out. Write the computation where it "
        "says so.\"\"\"\n{}",
        fmt::join(parameters(), " "), reading_and_writing);
    text += fmt::format("{} = map(int, sys.argv[2:])\n",
                        dimensions_ == 1 ? "n," : fmt::format("{}", fmt::join(parameters(), ", ")));
    for (const auto& part : parts_)
      if (const auto names = parameters(); std::ranges::find(names, part.name) == names.end())
        text += fmt::format("{} = read(\"{}\", \"{}\")  # {}\n", variable_of(part.name), part.name,
                            letter_of(part.elements.type), remark_on(part));
    text += "\n# Compute the results here, from what a correct kernel gets.\n\n";
    for (const auto& part : parts_)
      if (part.role == Part::Role::result)
        text += fmt::format("write(\"{}\", \"{}\", {})\n", part.name, letter_of(part.elements.type),
                            variable_of(part.name));
    return text;
  }

 private:
  // From the kernel's name to its body.
  std::string head_of(const std::string& kernel) const {
    static const std::regex identifier(R"([A-Za-z_]\w*)");
    if (!std::regex_match(kernel, identifier)) return {};  // the host has another name for it
    const std::regex start("\\bvoid\\s+" + kernel + "\\s*\\(");
    std::smatch found;
    if (!std::regex_search(text_, found, start)) return {};
    const auto begin = static_cast<std::size_t>(found.position());
    return text_.substr(begin, text_.find('{', begin) - begin);
  }

  // Of the grid: those of the parameter with the thread's position.
  unsigned dimensions_of(const std::string& kernel) const {
    static const std::regex position(
        R"(\b(?:uint|ushort)([23]?)\s+\w+\s*\[\[\s*thread_position_in_grid\s*\]\])");
    const auto head = head_of(kernel);
    std::smatch found;
    if (!std::regex_search(head, found, position) || found[1].length() == 0) return 1;
    return static_cast<unsigned>(found[1].str()[0] - '0');
  }

  std::vector<std::string> parameters() const {
    if (dimensions_ == 1) return {"n"};
    return {extents.begin(), extents.begin() + dimensions_};
  }

  std::optional<Error> add(const KernelSignature& kernel) {
    OrderedJson bind = OrderedJson::object(), memory = OrderedJson::object();
    const auto head = head_of(kernel.name);
    std::size_t extents = 0;
    for (const auto& argument : kernel.arguments) {
      const auto index = std::to_string(argument.index);
      if (argument.kind == ArgumentKind::threadgroup) {
        memory[index] = 1024;
        continue;
      }
      const auto elements = elements_of(argument.type);
      if (argument.kind != ArgumentKind::buffer || !elements)
        return Error{fmt::format(
            "the parameter '{}' of {} has the type {}, which needs a plan written by hand; see "
            "docs/reference/plan_file.md",
            argument.name, kernel.name, argument.type)};
      const std::regex reference("&\\s*" + argument.name + "\\b");
      const bool is_scalar = argument.constant && std::regex_search(head, reference);
      const Part part{.name = argument.name,
                      .elements = *elements,
                      .role = is_scalar           ? Part::Role::scalar
                              : argument.constant ? Part::Role::input
                                                  : Part::Role::result,
                      .extents_before = extents};
      bind[index] = add_part(part);
      extents += part.is_extent();
    }
    OrderedJson launch = {{"kernel", kernel.name},
                          {"grid", grid(dimensions_of(kernel.name))},
                          {"threadgroup", threadgroup(kernel)},
                          {"bind", std::move(bind)}};
    if (!memory.empty()) launch["threadgroup_memory"] = std::move(memory);
    launches_.push_back(std::move(launch));
    return std::nullopt;
  }

  // The name of the buffer. Kernels share one where names and types agree; what one of them writes
  // is a result.
  std::string add_part(Part part) {
    const auto base = part.name;
    for (unsigned number = 2;; ++number) {
      const auto same = std::ranges::find(parts_, part.name, &Part::name);
      if (same == parts_.end()) break;
      if (same->elements.type == part.elements.type &&
          same->elements.count == part.elements.count &&
          (same->role == Part::Role::scalar) == (part.role == Part::Role::scalar)) {
        if (part.role == Part::Role::result) same->role = Part::Role::result;
        return part.name;
      }
      part.name = fmt::format("{}_{}", base, number);
    }
    parts_.push_back(part);
    return part.name;
  }

  OrderedJson grid(unsigned dimensions) const {
    if (dimensions_ == 1) return {"n"};
    const auto names = parameters();
    if (dimensions == 1) return OrderedJson::array({fmt::format("{}", fmt::join(names, "*"))});
    OrderedJson grid = OrderedJson::array();
    for (unsigned i = 0; i < dimensions; ++i)
      grid.push_back(i < names.size() ? OrderedJson(names[i]) : OrderedJson(1));
    return grid;
  }

  OrderedJson threadgroup(const KernelSignature& kernel) const {
    const auto dimensions = dimensions_of(kernel.name);
    if (dimensions == 2) return kernel.cap() >= 64 ? OrderedJson{8, 8} : OrderedJson{4, 4};
    if (dimensions == 3) return OrderedJson{4, 4, 4};
    return OrderedJson::array({std::min(kernel.cap(), 64U)});
  }

  OrderedJson sizes() const {
    OrderedJson all = OrderedJson::array();
    const std::array<std::array<unsigned, 3>, 2> grids =
        dimensions_ == 1   ? std::array<std::array<unsigned, 3>, 2>{{{1000}, {100'000}}}
        : dimensions_ == 2 ? std::array<std::array<unsigned, 3>, 2>{{{30, 20}, {300, 200}}}
                           : std::array<std::array<unsigned, 3>, 2>{{{12, 10, 8}, {60, 50, 40}}};
    for (const auto& grid : grids) {
      std::vector<unsigned> lengths(grid.begin(), grid.begin() + dimensions_);
      OrderedJson size = {{"label", fmt::format("{}", fmt::join(lengths, "x"))}};
      const auto names = parameters();
      for (unsigned i = 0; i < dimensions_; ++i) size[names[i]] = lengths[i];
      all.push_back(std::move(size));
    }
    return all;
  }

  OrderedJson buffer_of(const Part& part) const {
    const auto& [type, count] = part.elements;
    if (part.role == Part::Role::scalar) {
      const auto names = parameters();
      const bool is_extent = part.is_extent() && part.extents_before < names.size();
      OrderedJson values = OrderedJson::array();
      for (unsigned i = 0; i < count; ++i)
        values.push_back(is_extent ? OrderedJson(names[part.extents_before]) : OrderedJson(1));
      return {{"type", type}, {"values", std::move(values)}, {"read_only", true}};
    }
    const auto length = fmt::format("{}", fmt::join(parameters(), "*"));
    OrderedJson json = {{"type", type},
                        {"count", count == 1 ? length : fmt::format("{}*{}", count, length)}};
    if (part.role == Part::Role::result) return json;
    const auto range = is_floating(type) ? OrderedJson{-1, 1}
                       : type == "bool"  ? OrderedJson{0, 2}
                                         : OrderedJson{0, 100};
    json["fill"] = {{"uniform", range}, {"seed", 1 + (&part - parts_.data())}};
    json["read_only"] = true;
    return json;
  }

  OrderedJson command() const {
    OrderedJson words = {"python3", "reference.py", "{folder}"};
    for (const auto& name : parameters()) words.push_back("{" + name + "}");
    return words;
  }

  static std::string_view remark_on(const Part& part) {
    switch (part.role) {
      case Part::Role::scalar:
        return "a number";
      case Part::Role::result:
        return "a result, as it is before the launches";
      default:
        return "an input";
    }
  }

  const std::string& text_;
  const Translation& translation_;
  unsigned dimensions_ = 1;
  std::vector<Part> parts_;
  OrderedJson launches_ = OrderedJson::array();
};

}  // namespace

Result<std::string> plan_scaffold(const Source& source, const Translation& translation) {
  Scaffold scaffold(source, translation);
  if (const auto problem = scaffold.build()) return *problem;
  return scaffold.plan();
}

Result<std::string> reference_scaffold(const Source& source, const Translation& translation) {
  Scaffold scaffold(source, translation);
  if (const auto problem = scaffold.build()) return *problem;
  return scaffold.reference();
}

}  // namespace msci

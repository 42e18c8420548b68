#include "tasks/plan/assumption/assumption.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <span>

#include "base/scalar.h"
#include "base/text.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

using Kind = AssumedPart::Kind;

struct Operation {
  std::string_view text;
  Kind kind;
  bool is_swapped = false;  // a > b is b < a
  bool is_negated = false;  // a != b is !(a == b)
};

// By binding, the loosest first; of those that begin alike, the longer ones first.
constexpr std::array<Operation, 1> either = {{{"||", Kind::either}}};
constexpr std::array<Operation, 1> both = {{{"&&", Kind::both}}};
// No two of these stand side by side, so that it does not matter which binds looser.
constexpr std::array<Operation, 6> comparisons = {
    {{"==", Kind::equal},
     {.text = "!=", .kind = Kind::equal, .is_negated = true},
     {"<=", Kind::at_most},
     {.text = ">=", .kind = Kind::at_most, .is_swapped = true},
     {"<", Kind::less},
     {.text = ">", .kind = Kind::less, .is_swapped = true}}};
constexpr std::array<Operation, 2> sums = {{{"+", Kind::add}, {"-", Kind::subtract}}};
constexpr std::array<Operation, 3> products = {
    {{"*", Kind::multiply}, {"/", Kind::divide}, {"%", Kind::remainder}}};
constexpr std::array<std::span<const Operation>, 5> levels = {either, both, comparisons, sums,
                                                              products};

bool is_comparison(const Operation& operation) {
  return operation.kind == Kind::equal || operation.kind == Kind::less ||
         operation.kind == Kind::at_most;
}

bool begins_name(char each) {
  return std::isalpha(static_cast<unsigned char>(each)) || each == '_';
}
bool is_of_name(char each) { return std::isalnum(static_cast<unsigned char>(each)) || each == '_'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<AssumedPart>> read() {
    const auto whole = read_level(0);
    if (whole && at_ < text_.size()) fail("expected an operator");
    if (error_) return *error_;
    return std::move(parts_);
  }

 private:
  using Part = std::optional<std::size_t>;  // its index; nothing after an error

  Part fail(const std::string& what) {
    skip_blanks();
    constexpr std::size_t most_shown = 12;
    const auto rest = text_.substr(std::min(at_, text_.size()), most_shown);
    if (!error_)
      error_ = Error{fmt::format("column {}: {}{}", at_ + 1, what,
                                 rest.empty() ? ", not the end" : fmt::format(", not `{}`", rest))};
    return std::nullopt;
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::size_t add(AssumedPart part) {
    parts_.push_back(std::move(part));
    return parts_.size() - 1;
  }

  Part read_level(std::size_t level) {
    constexpr unsigned deepest = 100;
    if (++depth_ > deepest) return fail("expected fewer brackets");
    auto left = level == levels.size() ? read_operand() : read_level(level + 1);
    for (unsigned count = 0; left && level < levels.size(); ++count) {
      const auto begin = at_;
      const auto* operation = take_operation(levels[level]);
      if (!operation) break;
      if (count > 0 && is_comparison(*operation)) {
        // C compares the answer of the first one, 0 or 1, with what follows.
        at_ = begin;
        return fail("expected one comparison at a time, as in `0 < n && n < 5` or `(n < 5) == 1`");
      }
      left = combine(*operation, *left, level);
    }
    --depth_;
    return left;
  }

  const Operation* take_operation(std::span<const Operation> operations) {
    for (const auto& each : operations)
      if (take(each.text)) return &each;
    return nullptr;
  }

  Part combine(const Operation& operation, std::size_t left, std::size_t level) {
    // More of them keep Z3 busy for minutes.
    constexpr std::size_t most_parts = 100;
    constexpr unsigned most_products = 16;
    products_ += operation.kind == Kind::multiply;
    if (parts_.size() > most_parts || products_ > most_products)
      return fail("expected fewer operations");
    if (operation.kind == Kind::divide || operation.kind == Kind::remainder) {
      skip_blanks();
      const auto begin = at_;
      const auto divisor = read_constant();
      if (!divisor || *divisor <= 0) {
        at_ = begin;
        return fail("expected a positive number to divide by");
      }
      return add({.kind = operation.kind, .constant = *divisor, .first = left});
    }
    const auto right = read_level(level + 1);
    if (!right) return std::nullopt;
    const auto whole = add({.kind = operation.kind,
                            .first = operation.is_swapped ? *right : left,
                            .second = operation.is_swapped ? left : *right});
    return operation.is_negated ? add({.kind = Kind::negation, .first = whole}) : whole;
  }

  Part read_operand() {
    if (take("(")) {
      const auto inner = read_level(0);
      if (inner && !take(")")) return fail("expected `)`");
      return inner;
    }
    for (const auto& [word, kind] :
         {std::pair("!", Kind::negation), std::pair("-", Kind::negative)})
      if (take(word)) {
        const auto inner = read_level(levels.size());
        return inner ? Part(add({.kind = kind, .first = *inner})) : inner;
      }
    skip_blanks();
    if (at_ < text_.size() && begins_name(text_[at_])) return read_name();
    const auto constant = read_constant();
    if (!constant) return fail("expected a number or a name");
    return add({.kind = Kind::constant, .constant = *constant});
  }

  // Decimal or hexadecimal, perhaps with `u`.
  std::optional<std::int64_t> read_constant() {
    skip_blanks();
    auto end = at_;
    while (end < text_.size() && is_of_name(text_[end])) ++end;
    auto digits = text_.substr(at_, end - at_);
    const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (is_hexadecimal) digits.remove_prefix(2);
    if (digits.ends_with("u") || digits.ends_with("U")) digits.remove_suffix(1);
    std::int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                      is_hexadecimal ? 16 : 10);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size())
      return std::nullopt;
    at_ = end;
    return number;
  }

  std::string take_name() {
    skip_blanks();
    const auto begin = at_;
    if (at_ < text_.size() && begins_name(text_[at_]))
      while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Part read_name() {
    using Number = AssumedNumber::Kind;
    auto name = take_name();
    if (name == "length" && take("(")) {
      auto buffer = take_name();
      if (buffer.empty()) return fail("expected the name of a buffer");
      if (!take(")")) return fail("expected `)`");
      return add({.kind = Kind::number, .number = {Number::length, std::move(buffer)}});
    }
    if ((name == "grid" || name == "threadgroup") && take(".")) {
      for (unsigned d = 0; d < 3; ++d)
        if (take(std::string(1, "xyz"[d])))
          return add({.kind = Kind::number,
                      .number = {name == "grid" ? Number::grid : Number::threadgroup, "", d}});
      return fail("expected x, y or z");
    }
    return add({.kind = Kind::number, .number = {Number::argument, std::move(name)}});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  unsigned products_ = 0;
  std::vector<AssumedPart> parts_;
  std::optional<Error> error_;
};

constexpr std::string_view assumption_mark = "msci: assume(";

// The text of a comment's condition, up to the last bracket of the line.
std::optional<std::string_view> condition_in(std::string_view line, std::size_t& column) {
  const auto comment = line.find("//");
  if (comment == line.npos) return std::nullopt;
  const auto begin = line.find_first_not_of(" \t", comment + 2);
  if (begin == line.npos || !line.substr(begin).starts_with(assumption_mark)) return std::nullopt;
  column = begin + assumption_mark.size();
  const auto end = line.rfind(')');
  return line.substr(column, end == line.npos || end < column ? line.npos : end - column);
}

const KernelArgument* find_argument(const KernelSignature& kernel, const std::string& name) {
  const auto found = std::find_if(kernel.arguments.begin(), kernel.arguments.end(),
                                  [&](const KernelArgument& each) { return each.name == name; });
  return found == kernel.arguments.end() ? nullptr : &*found;
}

}  // namespace

std::vector<AssumedNumber> Assumption::numbers() const {
  std::vector<AssumedNumber> all;
  for (const auto& part : parts)
    if (part.kind == Kind::number && std::find(all.begin(), all.end(), part.number) == all.end())
      all.push_back(part.number);
  return all;
}

Result<Assumption> parse_assumption(std::string_view text, Place place) {
  auto parts = Reader(text).read();
  if (!parts)
    return Error{
        fmt::format("the assumption `{}` is not understood: {}", text, parts.error().message)};
  return Assumption{std::string(trimmed(text)), std::move(place), *std::move(parts)};
}

Result<std::vector<Assumption>> assumptions_in(const Source& source) {
  std::vector<Assumption> all;
  unsigned number = 0;
  for (std::string_view rest = source.text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    std::size_t column = 0;
    const auto condition = condition_in(line, column);
    if (!condition) continue;
    const auto at = [&](std::size_t offset) {
      return Location{number, static_cast<unsigned>(column + offset + 1)};
    };
    auto read = parse_assumption(*condition, {"", {at(0), at(condition->size())}});
    if (!read) return Error{fmt::format("{}:{}: {}", source.name, number, read.error().message)};
    all.push_back(*std::move(read));
  }
  return all;
}

std::optional<std::size_t> bytes_of_element(std::string_view type) {
  const auto scalar = scalar_of(type);
  if (!scalar) return std::nullopt;
  const auto lanes = lanes_of(type);
  const bool is_packed = type.find("packed_") != type.npos;
  return scalar->bytes * (is_packed ? lanes : std::bit_ceil(lanes));
}

bool is_unsigned_scalar(std::string_view type) {
  return type.find("uint") != type.npos || type.find("uchar") != type.npos ||
         type.find("ushort") != type.npos || type.find("ulong") != type.npos ||
         type.find("unsigned") != type.npos || type.find("bool") != type.npos ||
         type.find("size_t") != type.npos || type.find("NSUInteger") != type.npos;
}

// Whether the argument's buffer holds an integer, or has a length that is known.
static bool has_such_number(const KernelArgument& argument, AssumedNumber::Kind kind) {
  if (kind == AssumedNumber::Kind::length) return bytes_of_element(argument.type).has_value();
  const auto scalar = scalar_of(argument.type);
  return scalar && !scalar->is_floating && lanes_of(argument.type) == 1;
}

bool is_about(const Assumption& assumption, const KernelSignature& kernel) {
  for (const auto& number : assumption.numbers()) {
    if (number.name.empty()) continue;
    const auto* argument = find_argument(kernel, number.name);
    if (!argument || argument->kind != ArgumentKind::buffer) return false;
    if (!has_such_number(*argument, number.kind)) return false;
    const auto index = static_cast<std::size_t>(argument - kernel.arguments.data());
    const bool is_written = index < kernel.objects.size() && kernel.objects[index].written;
    if (number.kind == AssumedNumber::Kind::argument && is_written) return false;
  }
  return true;
}

std::string misunderstanding(const Assumption& assumption, const KernelSignature& kernel) {
  for (const auto& number : assumption.numbers()) {
    const auto* argument = number.name.empty() ? nullptr : find_argument(kernel, number.name);
    if (!argument || argument->kind != ArgumentKind::buffer ||
        has_such_number(*argument, number.kind))
      continue;
    if (number.kind == AssumedNumber::Kind::argument)
      return fmt::format(
          "the assumption `{}` names `{}` of the kernel {}, whose type is {}, not an integer",
          assumption.text, number.name, kernel.name, argument->type);
    return fmt::format(
        "the assumption `{}` names the length of `{}` of the kernel {}, whose elements are {}: "
        "their size is not known here",
        assumption.text, number.name, kernel.name, argument->type);
  }
  return "";
}

std::string to_string(const AssumedNumber& number) {
  switch (number.kind) {
    case AssumedNumber::Kind::argument:
      return number.name;
    case AssumedNumber::Kind::length:
      return fmt::format("length({})", number.name);
    case AssumedNumber::Kind::grid:
      return fmt::format("grid.{}", "xyz"[number.dimension]);
    case AssumedNumber::Kind::threadgroup:
      return fmt::format("threadgroup.{}", "xyz"[number.dimension]);
  }
  return "";
}

namespace {

using Wide = __int128;

// Of any size that products of a few 64-bit numbers have; larger ones have no value.
std::optional<Wide> calculated(const AssumedPart& part, Wide a, Wide b) {
  Wide result = 0;
  switch (part.kind) {
    case Kind::negative:
      return __builtin_sub_overflow(Wide{0}, a, &result) ? std::nullopt : std::optional(result);
    case Kind::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::subtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::multiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Kind::divide:
    case Kind::remainder: {
      const Wide by = part.constant;
      const Wide rest = ((a % by) + by) % by;
      return part.kind == Kind::remainder ? rest : (a - rest) / by;
    }
    case Kind::less:
      return a < b;
    case Kind::at_most:
      return a <= b;
    case Kind::equal:
      return a == b;
    case Kind::negation:
      return a == 0;
    case Kind::both:
      return a != 0 && b != 0;
    case Kind::either:
      return a != 0 || b != 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<bool> holds(const Assumption& assumption, const NumberValues& values) {
  std::vector<Wide> known;
  for (const auto& part : assumption.parts) {
    std::optional<Wide> value;
    if (part.kind == Kind::constant) {
      value = part.constant;
    } else if (part.kind == Kind::number) {
      if (const auto number = values(part.number)) value = *number;
    } else {
      value = calculated(part, known[part.first], known[part.second]);
    }
    if (!value) return std::nullopt;
    known.push_back(*value);
  }
  return !known.empty() && known.back() != 0;
}

}  // namespace msci

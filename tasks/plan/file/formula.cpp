#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tasks/plan/file/plan_numbers.h"

namespace msci {
namespace {

struct Operator {
  std::string_view text;
  int precedence = 0;  // a higher one binds tighter
};

// Those of two characters first: the first match counts.
constexpr std::array operators = {
    Operator{"||", 1}, Operator{"&&", 2}, Operator{"==", 3}, Operator{"!=", 3}, Operator{"<=", 4},
    Operator{">=", 4}, Operator{"<<", 5}, Operator{">>", 5}, Operator{"<", 4},  Operator{">", 4},
    Operator{"+", 6},  Operator{"-", 6},  Operator{"*", 7},  Operator{"/", 7},  Operator{"%", 7}};

// How a value grows with a size, if that is certain. A constant has the factor 0.
using Growth = std::optional<SizedNumber>;

struct Value {
  std::int64_t number = 0;
  bool is_uneven = false;        // a positive quotient that was rounded down
  bool is_quotient = false;      // so ceil() can round it up
  bool is_of_quotients = false;  // computed from rounded quotients: ceil() would come too late
  Growth growth = {};
};

// ---- growth. Numbers of formulas may be large: none where one does not fit.

struct Checked {
  bool fits = true;
  std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    fits = !__builtin_add_overflow(a, b, &sum) && fits;
    return sum;
  }
  std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    fits = !__builtin_mul_overflow(a, b, &product) && fits;
    return product;
  }
};

Growth constant_growth(std::int64_t number) { return SizedNumber{.constant = number}; }

// Without the quotient, where the divisor takes every step.
SizedNumber simplified(const SizedNumber& a) {
  if (a.divisor == 1 || a.factor % a.divisor != 0) return a;
  const auto below = a.constant % a.divisor < 0 ? 1 : 0;
  const auto constant = a.constant / a.divisor - below;
  return {a.factor / a.divisor * a.multiplier, constant * a.multiplier};
}

Growth sum_of(const SizedNumber& a, const SizedNumber& b) {
  if (!a.grows() && b.grows()) return sum_of(b, a);
  Checked checked;
  auto sum = a;
  if (a.divisor == 1 && b.divisor == 1) {
    sum.factor = checked.add(a.factor, b.factor);
    sum.constant = checked.add(a.constant, b.constant);
  } else if (!b.grows() && b.constant >= 0 && b.constant % a.multiplier == 0) {
    sum.constant = checked.add(a.constant, checked.multiply(b.constant / a.multiplier, a.divisor));
  } else {
    return std::nullopt;
  }
  return checked.fits ? Growth(sum) : std::nullopt;
}

Growth product_of(const SizedNumber& a, const SizedNumber& b) {
  if (a.grows() && b.grows()) return std::nullopt;
  if (!a.grows() && b.grows()) return product_of(b, a);
  Checked checked;
  auto product = a;
  if (a.divisor == 1) {
    product.factor = checked.multiply(a.factor, b.constant);
    product.constant = checked.multiply(a.constant, b.constant);
  } else if (b.constant > 0) {
    product.multiplier = checked.multiply(a.multiplier, b.constant);
  } else {
    return std::nullopt;
  }
  return checked.fits ? Growth(product) : std::nullopt;
}

Growth quotient_of(const SizedNumber& a, const SizedNumber& b) {
  Checked checked;
  const bool is_positive = a.factor >= 0 && checked.add(a.factor, a.constant) >= 0;
  if (b.grows() || b.constant <= 0 || !is_positive || a.multiplier != 1) return std::nullopt;
  auto quotient = a;
  quotient.divisor = checked.multiply(a.divisor, b.constant);
  return checked.fits ? Growth(quotient) : std::nullopt;
}

Growth growth_of(std::string_view operation, const Value& left, const Value& right,
                 std::int64_t result) {
  if (!left.growth || !right.growth) return std::nullopt;
  const auto a = simplified(*left.growth), b = simplified(*right.growth);
  if (!a.grows() && !b.grows()) return constant_growth(result);
  if (operation == "+") return sum_of(a, b);
  if (operation == "*") return product_of(a, b);
  if (operation == "/") return quotient_of(a, b);
  if (operation == "<<" && !b.grows() && b.constant >= 0 && b.constant < 62)
    return product_of(a, {.constant = std::int64_t{1} << b.constant});
  if (operation != "-") return std::nullopt;
  const auto negative = product_of(b, SizedNumber{.constant = -1});
  return negative ? sum_of(a, *negative) : std::nullopt;
}

// Of the quotient that ceil() rounds up.
Growth rounded_up(const Value& quotient, std::int64_t result) {
  if (!quotient.growth) return std::nullopt;
  auto growth = *quotient.growth;
  if (!growth.grows()) return constant_growth(result);
  Checked checked;
  if (growth.multiplier != 1) return std::nullopt;
  growth.constant = checked.add(growth.constant, growth.divisor - 1);
  return checked.fits ? Growth(simplified(growth)) : std::nullopt;
}

// The beginning of a long text.
std::string shown(std::string_view text) {
  return std::string(text.substr(0, 40)) + (text.size() > 40 ? "..." : "");
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Evaluates while it reads. After an error, all values are meaningless.
class FormulaReader {
 public:
  FormulaReader(std::string_view text, const FindValue& find) : text_(text), find_(find) {}

  // With the growth of the name's value.
  FormulaReader(std::string_view text, const FindValue& find, std::string_view name)
      : text_(text), find_(find), name_(name) {}

  Result<Value> read() {
    const auto value = choice();
    if (!error_ && !at_end()) report_unexpected();
    if (error_) return *error_;
    return value;
  }

 private:
  // ---- text

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string_view take_word() {
    skip_spaces();
    const auto begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void expect(std::string_view token) {
    if (!error_ && !take(token)) report_unexpected();
  }

  // ---- errors

  void report(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
  }
  void report_unexpected() {
    if (at_end())
      report(fmt::format("the formula \"{}\" ends too early", text_));
    else
      report(fmt::format("unexpected '{}' in the formula \"{}\"", text_.substr(at_, 1), text_));
  }
  // A part that is not chosen needs no value.
  void report_value(std::string message) {
    if (is_chosen_) report(std::move(message));
  }

  // ---- grammar

  // Reads a part that counts only under a condition.
  template <typename Part>
  Value part_if(bool is_chosen, Part part) {
    const bool before = std::exchange(is_chosen_, is_chosen_ && is_chosen);
    const auto value = part();
    is_chosen_ = before;
    return value;
  }

  Value choice() {
    return nested([&]() -> Value {
      const auto condition = binary(1);
      if (error_ || !take("?")) return condition;
      const bool is_true = condition.number != 0;
      const auto first = part_if(is_true, [&] { return choice(); });
      expect(":");
      const auto second = part_if(!is_true, [&] { return choice(); });
      auto chosen = is_true ? first : second;
      if (!is_constant(condition)) chosen.growth.reset();
      return chosen;
    });
  }

  const Operator* next_operator() {
    skip_spaces();
    const auto rest = text_.substr(at_);
    const auto* found = std::ranges::find_if(
        operators, [&](const Operator& each) { return rest.starts_with(each.text); });
    return found == operators.end() ? nullptr : found;
  }

  Value binary(int lowest) {
    auto left = unary();
    while (!error_) {
      const auto* next = next_operator();
      if (!next || next->precedence < lowest) break;
      at_ += next->text.size();
      const auto right_side = [&] { return binary(next->precedence + 1); };
      if (next->text == "&&") {
        const auto right = part_if(left.number != 0, right_side);
        left = constant_of({left, right}, left.number != 0 && right.number != 0);
      } else if (next->text == "||") {
        const auto right = part_if(left.number == 0, right_side);
        left = constant_of({left, right}, left.number != 0 || right.number != 0);
      } else {
        const auto right = right_side();
        const bool is_of_quotients = hides_rounding(std::array{left, right});
        const auto before = left;
        left = apply(next->text, left.number, right.number);
        left.is_of_quotients = is_of_quotients;
        left.growth = growth_of(next->text, before, right, left.number);
      }
    }
    return left;
  }

  static bool is_constant(const Value& value) { return value.growth && !value.growth->grows(); }

  // A number that is known to be the same at all sizes if its operands are.
  static Value constant_of(std::span<const Value> operands, std::int64_t number) {
    Value value{.number = number};
    if (std::ranges::all_of(operands, is_constant)) value.growth = constant_growth(number);
    return value;
  }
  static Value constant_of(std::initializer_list<Value> operands, std::int64_t number) {
    return constant_of(std::span(operands.begin(), operands.size()), number);
  }

  static bool hides_rounding(std::span<const Value> values) {
    return std::ranges::any_of(
        values, [](const Value& each) { return each.is_quotient || each.is_of_quotients; });
  }

  Value apply(std::string_view operation, std::int64_t a, std::int64_t b) {
    if (error_) return {};
    if (operation == "==") return {a == b};
    if (operation == "!=") return {a != b};
    if (operation == "<=") return {a <= b};
    if (operation == ">=") return {a >= b};
    if (operation == "<") return {a < b};
    if (operation == ">") return {a > b};
    if (operation == "<<" || operation == ">>") return shift(operation == "<<", a, b);
    if (operation == "/" || operation == "%") return divide(operation == "/", a, b);
    std::int64_t number = 0;
    const bool overflows = operation == "+"   ? __builtin_add_overflow(a, b, &number)
                           : operation == "-" ? __builtin_sub_overflow(a, b, &number)
                                              : __builtin_mul_overflow(a, b, &number);
    if (overflows) report_value("the number is too large");
    return {number};
  }

  Value divide(bool wants_quotient, std::int64_t a, std::int64_t b) {
    if (b == 0) {
      report_value(fmt::format("division by zero in the formula \"{}\"", text_));
      return {};
    }
    if (b == -1) return wants_quotient ? apply("-", 0, a) : Value{0};  // INT64_MIN / -1 traps
    if (!wants_quotient) return {a % b};
    return {.number = a / b, .is_uneven = a % b != 0 && (a < 0) == (b < 0), .is_quotient = true};
  }

  Value shift(bool left, std::int64_t a, std::int64_t count) {
    if (count < 0 || count > 62) {
      report_value(fmt::format("a shift by {} in the formula \"{}\"", count, text_));
      return {};
    }
    return left ? apply("*", a, std::int64_t{1} << count) : Value{a >> count};
  }

  // Formulas are short; a limit keeps the stack small for any text.
  static constexpr int most_nested = 128;

  template <typename Part>
  Value nested(Part part) {
    if (error_) return {};
    if (nested_ == most_nested) {
      report(fmt::format("the formula \"{}...\" is nested too deeply", text_.substr(0, 40)));
      return {};
    }
    ++nested_;
    const auto value = part();
    --nested_;
    return value;
  }

  Value unary() {
    return nested([&] { return operand(); });
  }

  Value operand() {
    if (take("-")) {
      const auto value = unary();
      auto negative = apply("-", 0, value.number);
      negative.is_of_quotients = hides_rounding(std::array{value});
      const Value zero{.growth = constant_growth(0)};
      negative.growth = growth_of("-", zero, value, negative.number);
      return negative;
    }
    if (take("!")) {
      const auto value = unary();
      return constant_of({value}, value.number == 0);
    }
    if (take("(")) {
      const auto value = choice();
      expect(")");
      return value;
    }
    const auto word = take_word();
    if (word.empty()) {
      report_unexpected();
      return {};
    }
    if (std::isdigit(static_cast<unsigned char>(word.front()))) return number(word);
    if (is_function(word) && take("(")) return call(word);
    const auto found = find_(word);
    if (!found) {
      report(found.error().message);
      return {};
    }
    if (word == name_) return {.number = *found, .growth = SizedNumber{.factor = 1}};
    return constant_of({}, *found);
  }

  Value number(std::string_view word) {
    if (std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) {
      std::int64_t read = 0;
      const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), read);
      if (problem == std::errc()) return constant_of({}, read);
      report(fmt::format("{} in the formula \"{}\" is above {}, the largest number of formulas",
                         shown(word), shown(text_), INT64_MAX));
      return {};
    }
    const auto unknown = find_(word);  // says what is known
    report(unknown ? fmt::format("'{}' is not a number", word) : unknown.error().message);
    return {};
  }

  static bool is_function(std::string_view word) {
    return word == "min" || word == "max" || word == "ceil" || word == "log2";
  }

  Value call(std::string_view function) {
    std::vector<Value> arguments;
    do arguments.push_back(choice());
    while (!error_ && take(","));
    expect(")");
    const bool takes_one = function == "ceil" || function == "log2";
    if (!error_ && takes_one != (arguments.size() == 1))
      report(
          fmt::format("{} takes {}", function, takes_one ? "one number" : "two numbers or more"));
    if (error_) return {};
    const auto first = arguments.front();
    if (function == "ceil") {
      if (first.is_of_quotients)
        report(
            fmt::format("ceil rounds one quotient up, as in ceil(n/2) + 1; in the formula \"{}\", "
                        "a quotient inside of it is rounded down before",
                        text_));
      const auto number = first.number + (first.is_uneven ? 1 : 0);
      return {.number = number, .growth = rounded_up(first, number)};
    }
    if (function == "log2") {
      if (first.number <= 0)
        report_value(fmt::format("log2 of {} in the formula \"{}\"", first.number, text_));
      const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(first.number, 1));
      return constant_of({first}, static_cast<std::int64_t>(std::bit_width(positive)) - 1);
    }
    auto chosen = first.number;
    for (const auto& each : arguments)
      chosen = function == "min" ? std::min(chosen, each.number) : std::max(chosen, each.number);
    auto extreme = constant_of(arguments, chosen);
    extreme.is_of_quotients = hides_rounding(arguments);
    return extreme;
  }

  std::string_view text_;
  const FindValue& find_;
  std::string_view name_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool is_chosen_ = true;
  std::optional<Error> error_;
};

}  // namespace

Result<std::int64_t> evaluate_formula(std::string_view text, const FindValue& find) {
  const auto value = FormulaReader(text, find).read();
  if (!value) return value.error();
  return value->number;
}

std::optional<SizedNumber> growth_of_formula(std::string_view text, std::string_view name,
                                             const FindValue& find) {
  const auto value = FormulaReader(text, find, name).read();
  if (!value || !value->growth) return std::nullopt;
  return simplified(*value->growth);
}

bool names_in_formula(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    const auto end = at + name.size();
    if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

}  // namespace msci

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>

#include "evaluator/check/checked_run.h"

namespace msci {
namespace {

constexpr std::size_t longest = 1000;
constexpr unsigned widest = 100;  // a hostile format may ask for billions

// "%-8.3f" and the like.
struct Conversion {
  std::string flags;
  std::optional<unsigned> width, precision;
  unsigned bytes = 0;  // as a length modifier says; 0: there is none
  char letter = 0;     // 0 at the end of the format
};

using Type = MessageArgument::Type;

bool is_one_of(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

class MessageWriter {
 public:
  MessageWriter(const DebugCall& call, std::span<const std::uint64_t> words)
      : format_(call.text), arguments_(call.arguments), words_(words) {}

  std::string write() {
    while (!format_.empty() && text_.size() <= longest) {
      if (format_.front() != '%') {
        text_ += take();
        continue;
      }
      const auto begin = format_;
      take();
      const auto conversion = take_conversion();
      write(conversion, begin.substr(0, begin.size() - format_.size()));
    }
    while (text_.ends_with('\n')) text_.pop_back();
    if (text_.size() <= longest) return std::move(text_);
    auto end = longest;
    while (end > 0 && (text_[end] & 0xc0) == 0x80) --end;  // between two characters
    return text_.substr(0, end) + "...";
  }

 private:
  char take() {
    const auto first = format_.front();
    format_.remove_prefix(1);
    return first;
  }

  bool take(std::string_view word) {
    if (!format_.starts_with(word)) return false;
    format_.remove_prefix(word.size());
    return true;
  }

  std::optional<unsigned> take_number() {
    if (take("*")) {
      const auto values = take_argument();
      if (!values || values->words.empty()) return std::nullopt;
      return static_cast<unsigned>(std::min<std::uint64_t>(values->words[0], widest));
    }
    std::optional<unsigned> number;
    while (!format_.empty() && format_.front() >= '0' && format_.front() <= '9')
      number = std::min(widest, number.value_or(0) * 10 + static_cast<unsigned>(take() - '0'));
    return number;
  }

  Conversion take_conversion() {
    Conversion conversion;
    if (format_.starts_with('{'))
      format_.remove_prefix(std::min(format_.size(), format_.find('}')));
    take("}");
    while (!format_.empty() && is_one_of(format_.front(), "-+ #0")) {
      const auto flag = take();
      if (!is_one_of(flag, conversion.flags)) conversion.flags += flag;
    }
    conversion.width = take_number();
    if (take(".")) conversion.precision = take_number().value_or(0);
    if (take("v")) take_number();  // the argument knows how many components it has
    constexpr std::pair<std::string_view, unsigned> modifiers[] = {
        {"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8}, {"l", 8},
        {"j", 8},  {"z", 8},  {"t", 8}, {"q", 8},  {"L", 8}};
    for (const auto& [modifier, bytes] : modifiers)
      if (conversion.bytes == 0 && take(modifier)) conversion.bytes = bytes;
    if (!format_.empty()) conversion.letter = take();
    return conversion;
  }

  struct Values {
    const MessageArgument* argument;
    std::span<const std::uint64_t> words;  // of the components that are known
  };

  std::optional<Values> take_argument() {
    if (arguments_.empty()) return std::nullopt;
    const auto& argument = arguments_.front();
    arguments_ = arguments_.subspan(1);
    const auto known = words_.first(std::min<std::size_t>(argument.components, words_.size()));
    words_ = words_.subspan(known.size());
    return Values{&argument, known};
  }

  void write(const Conversion& conversion, std::string_view spelling) {
    if (conversion.letter == '%') {
      text_ += '%';
    } else if (!is_one_of(conversion.letter, "diouxXcfFeEgGaAp")) {
      text_ += spelling;
      if (conversion.letter == 's') take_argument();
    } else {
      const auto values = take_argument();
      const auto count = values ? std::max(1U, values->argument->components) : 1;
      for (unsigned i = 0; i < count; ++i) {
        if (i > 0) text_ += ',';
        text_ += values && i < values->words.size()
                     ? shown(conversion, *values->argument, values->words[i])
                     : "?";
      }
    }
  }

  // One component.
  static std::string shown(Conversion conversion, const MessageArgument& argument,
                           std::uint64_t word) {
    const bool wants_float = is_one_of(conversion.letter, "fFeEgGaA");
    if (argument.type == Type::floating) {
      if (!wants_float) conversion.letter = 'g';
      return printed(conversion, "",
                     static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word))));
    }
    const bool is_signed = argument.type == Type::signed_integer;
    if (wants_float)
      return printed(conversion, "",
                     is_signed ? static_cast<double>(static_cast<std::int64_t>(word))
                               : static_cast<double>(word));
    if (conversion.letter == 'c')
      return printed(conversion, "", static_cast<int>(static_cast<unsigned char>(word)));
    if (conversion.letter == 'p') {
      conversion.letter = 'x';
      conversion.flags = "#";
    }
    // As C promotes arguments.
    const auto bytes = conversion.bytes ? conversion.bytes : std::max(4U, argument.bytes);
    const auto unused = 64 - 8 * std::min(8U, bytes);
    const auto shifted = word << unused;
    if (conversion.letter == 'd' || conversion.letter == 'i')
      return printed(conversion, "ll",
                     static_cast<long long>(static_cast<std::int64_t>(shifted) >> unused));
    return printed(conversion, "ll", static_cast<unsigned long long>(shifted >> unused));
  }

  template <typename Value>
  static std::string printed(const Conversion& conversion, const char* length, Value value) {
    auto format = "%" + conversion.flags;
    if (conversion.width) format += std::to_string(*conversion.width);
    if (conversion.precision) format += "." + std::to_string(*conversion.precision);
    format += length;
    format += conversion.letter;
    char text[512];  // holds the largest double, and `widest` characters after its point
    const auto size = std::snprintf(text, sizeof text, format.c_str(), value);
    return {text, static_cast<std::size_t>(std::clamp(size, 0, 511))};
  }

  std::string_view format_;  // what is left of it
  std::span<const MessageArgument> arguments_;
  std::span<const std::uint64_t> words_;
  std::string text_;
};

}  // namespace

std::string message_text(const DebugCall& call, std::span<const std::uint64_t> words) {
  return MessageWriter(call, words).write();
}

}  // namespace msci

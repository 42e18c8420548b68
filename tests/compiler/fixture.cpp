#include "tests/compiler/fixture.h"

#include <fmt/format.h>
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Error.h>

#include <array>
#include <cmath>
#include <map>
#include <span>
#include <sstream>

#include "base/files/read_file.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

constexpr std::byte no_answer{0xcd};

struct Scalar {
  unsigned bytes = 0;
  bool is_signed = false;
  const llvm::fltSemantics* floating = nullptr;
};

const Scalar* find_scalar(const std::string& name) {
  static const std::map<std::string, Scalar> scalars{
      {"bool", {1}},
      {"char", {1, true}},
      {"uchar", {1}},
      {"short", {2, true}},
      {"ushort", {2}},
      {"int", {4, true}},
      {"uint", {4}},
      {"long", {8, true}},
      {"ulong", {8}},
      {"half", {2, true, &llvm::APFloat::IEEEhalf()}},
      {"bfloat", {2, true, &llvm::APFloat::BFloat()}},
      {"float", {4, true, &llvm::APFloat::IEEEsingle()}},
  };
  const auto found = scalars.find(name);
  return found == scalars.end() ? nullptr : &found->second;
}

// A number's bits, if it is one that the type has.
std::optional<llvm::APInt> parse_number(const Scalar& scalar, llvm::StringRef text) {
  const unsigned bits = scalar.bytes * 8;
  if (scalar.floating) {
    llvm::APFloat value(*scalar.floating);
    auto status = value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return std::nullopt;
    }
    return value.bitcastToAPInt();
  }
  const bool negative = text.consume_front("-");
  llvm::APInt value;
  if (text.getAsInteger(0, value) || (negative && !scalar.is_signed)) return std::nullopt;
  value = value.zext(std::max(value.getBitWidth(), 65U));
  if (negative) value.negate();
  // Hexadecimal numbers are bits: 0xffffffff is an int as well.
  const bool fits = value.isIntN(bits) || value.isSignedIntN(bits);
  return fits ? std::optional(value.trunc(bits)) : std::nullopt;
}

// "7", "0..6", "2*7".
bool append_numbers(const Scalar& scalar, llvm::StringRef word, std::vector<std::byte>& bytes) {
  const auto append = [&](llvm::StringRef text) {
    const auto bits = parse_number(scalar, text);
    for (unsigned i = 0; bits && i < scalar.bytes; ++i)
      bytes.push_back(std::byte(bits->extractBitsAsZExtValue(8, i * 8)));
    return bits.has_value();
  };
  if (const auto at = word.find('*'); at != llvm::StringRef::npos) {
    unsigned times = 0;
    if (word.take_front(at).getAsInteger(10, times) || times == 0) return false;
    for (unsigned i = 0; i < times; ++i)
      if (!append(word.drop_front(at + 1))) return false;
    return true;
  }
  if (const auto at = word.find(".."); at != llvm::StringRef::npos) {
    int first = 0, last = 0;
    if (word.take_front(at).getAsInteger(10, first)) return false;
    if (word.drop_front(at + 2).getAsInteger(10, last)) return false;
    for (int each = first; each != last; each += first < last ? 1 : -1)
      if (!append(std::to_string(each))) return false;
    return append(std::to_string(last));
  }
  return append(word);
}

// The memory of a texture or a sampler with the fields of a plan file; none where they are wrong.
std::optional<std::vector<std::byte>> described(bool is_texture, const std::string& fields) {
  const auto json = parse_plan({.name = "fixture", .text = fields});
  if (!json) return std::nullopt;
  PlanFieldReader reader("fixture");
  const Field field{&*json, ""};
  std::vector<std::byte> memory;
  if (is_texture) {
    const std::filesystem::path folder;
    memory =
        read_texture(reader, "texture", field, Size{}, {}, {folder, std::uint64_t{1} << 20}).memory;
  } else {
    const auto bits = sampler_bits(read_sampler(reader, field));
    const auto bytes = std::as_bytes(std::span(&bits, 1));
    memory.assign(bytes.begin(), bytes.end());
  }
  return reader.failed() ? std::nullopt : std::optional(std::move(memory));
}

class Reader {
 public:
  // False where the line is not understood.
  bool take(llvm::StringRef line) {
    if (!line.consume_front("// ")) return true;
    const auto [head, tail] = line.split(": ");
    llvm::SmallVector<llvm::StringRef> words, values;
    head.split(words, ' ', -1, false);
    tail.split(values, ' ', -1, false);
    if (words.empty() || values.empty()) return true;
    if (head == "gap") return fixture_.gap = tail.str(), true;
    if (head == "language") return language(values[0]);
    if (head == "kernel") return begin(values[0].str());
    if (head == "grid") return extent(values, launch().grid);
    if (head == "threadgroup") return extent(values, launch().threadgroup);
    if (head == "launches") return launches(values);
    if (words[0] == "set" && words.size() == 2)
      return fixture_.constants[words[1].str()] = values[0].str(), true;
    if (words[0] == "shared") return shared(words, values);
    if (words[0] == "in" || words[0] == "out") return buffer(words, values);
    return true;  // a comment like others
  }

  Fixture take_fixture(Source source) && {
    for (auto& each : fixture_.cases) fill_unset(each);
    for (const auto& [number, count] : launches_of_) repeat(fixture_.cases[number].plan, count);
    fixture_.source = std::move(source);
    return std::move(fixture_);
  }

 private:
  bool language(llvm::StringRef name) {
    const auto version = language_version(name.str());
    if (version) fixture_.language = *version;
    return version.has_value();
  }
  bool begin(std::string kernel) {
    fixture_.cases.emplace_back().plan.launches.push_back({.kernel = std::move(kernel)});
    return true;
  }
  Case& current() {
    if (fixture_.cases.empty()) begin("");
    return fixture_.cases.back();
  }
  Launch& launch() { return current().plan.launches[0]; }

  static bool extent(llvm::ArrayRef<llvm::StringRef> values, Extent& extent) {
    unsigned* const sides[] = {&extent.x, &extent.y, &extent.z};
    if (values.size() > 3) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i].getAsInteger(10, *sides[i])) return false;
    return true;
  }

  // The copies are made at the end, when the launch is complete.
  bool launches(llvm::ArrayRef<llvm::StringRef> values) {
    return values.size() == 2 && values[1] == "concurrent" &&
           !values[0].getAsInteger(
               10, launches_of_[fixture_.cases.empty() ? 0 : fixture_.cases.size() - 1]);
  }

  bool shared(llvm::ArrayRef<llvm::StringRef> words, llvm::ArrayRef<llvm::StringRef> values) {
    ThreadgroupMemory memory;
    if (words.size() != 2 || words[1].getAsInteger(10, memory.index)) return false;
    if (values[0].getAsInteger(10, memory.bytes)) return false;
    launch().threadgroup_memory.push_back(memory);
    return true;
  }

  // The place in the plan of what is bound to an index.
  Binding& binding(unsigned index) {
    for (auto& each : launch().bindings)
      if (each.index == index) return each;
    const auto added = current().plan.add({.name = fmt::format("buffer {}", index)});
    launch().bindings.push_back({.index = index, .buffer = added});
    return launch().bindings.back();
  }

  bool buffer(llvm::ArrayRef<llvm::StringRef> words, llvm::ArrayRef<llvm::StringRef> values) {
    unsigned index = 0;
    if (words.size() < 2 || words[1].getAsInteger(10, index)) return false;
    if (words[0] == "in" && values[0] == "pointer") return pointers(index, values.drop_front());
    if (words[0] == "in" && values[0] == "functions") return table(index, values.drop_front());
    Elements elements{.type = values[0].str()};
    if (values[0] == "texture" || values[0] == "sampler") {
      auto memory = described(values[0] == "texture", llvm::join(values.drop_front(), " "));
      if (!memory) return false;
      elements = {.type = "uint", .bytes = *std::move(memory)};
    } else {
      const auto* scalar = find_scalar(elements.type);
      if (!scalar) return false;
      for (auto word : values.drop_front())
        if (!append_numbers(*scalar, word, elements.bytes)) return false;
    }
    auto& bound = binding(index);
    if (words.size() == 4 && words[2] == "at" && words[3].getAsInteger(10, bound.offset))
      return false;
    double within = 0;
    if (words.size() == 4 && words[2] == "within") {
      if (words[3].getAsDouble(within)) return false;
      elements.within = within;
    }
    if (words[0] == "in") {
      append(elements.bytes, current().plan.buffers[bound.buffer].initial);
      return true;
    }
    auto& results = current().plan.results;
    if (results.empty() || results.back() != bound.buffer) {
      results.push_back(bound.buffer);
      current().answers.push_back({.index = index});
    }
    current().answers.back().elements.push_back(std::move(elements));
    return true;
  }

  static void append(std::span<const std::byte> bytes, Bytes& to) {
    std::vector<std::byte> all(to.begin(), to.end());
    all.insert(all.end(), bytes.begin(), bytes.end());
    to = std::move(all);
  }

  // "1" or "1+8": buffers by their indices, and bytes.
  bool pointers(unsigned index, llvm::ArrayRef<llvm::StringRef> words) {
    for (const auto word : words) {
      const auto [target, bytes] = word.split('+');
      unsigned number = 0;
      std::size_t offset = 0;
      if (target.getAsInteger(10, number)) return false;
      if (!bytes.empty() && bytes.getAsInteger(10, offset)) return false;
      const auto to = binding(number).buffer;
      auto& buffer = current().plan.buffers[binding(index).buffer];
      buffer.pointers.push_back({.at = buffer.initial.size(), .buffer = to, .offset = offset});
      append(std::array<std::byte, sizeof(std::uint64_t)>{}, buffer.initial);
    }
    return true;
  }

  bool table(unsigned index, llvm::ArrayRef<llvm::StringRef> names) {
    auto& buffer = current().plan.buffers[binding(index).buffer];
    const auto put = [&](std::uint32_t word) {
      append(std::as_bytes(std::span(&word, 1)), buffer.initial);
    };
    put(static_cast<std::uint32_t>(names.size()));
    for (const auto name : names) {
      if (name != "-") buffer.functions.push_back({buffer.initial.size(), name.str()});
      put(0);
    }
    return true;
  }

  static void repeat(Plan& plan, unsigned count) {
    auto again = plan.launches.front();
    again.overlaps_previous = true;
    for (unsigned i = 1; i < count; ++i) plan.launches.push_back(again);
  }

  static void fill_unset(Case& each) {
    for (std::size_t i = 0; i < each.answers.size(); ++i) {
      auto& initial = each.plan.buffers[each.plan.results[i]].initial;
      std::size_t bytes = 0;
      for (const auto& elements : each.answers[i].elements) bytes += elements.bytes.size();
      if (!initial.empty()) continue;
      initial = std::vector(bytes, no_answer);
      each.plan.buffers[each.plan.results[i]].open_type = each.answers[i].elements.front().type;
    }
    for (auto& buffer : each.plan.buffers) buffer.bytes = buffer.initial.size();
  }

  Fixture fixture_;
  std::map<std::size_t, unsigned> launches_of_;  // by case
};

llvm::APInt element_bits(const Scalar& scalar, std::span<const std::byte> bytes, std::size_t at) {
  llvm::APInt bits(scalar.bytes * 8, 0);
  for (unsigned i = 0; i < scalar.bytes; ++i)
    bits.insertBits(std::to_integer<std::uint64_t>(bytes[at + i]), i * 8, 8);
  return bits;
}

std::string text_of(const Scalar& scalar, const llvm::APInt& bits) {
  if (!scalar.floating) return llvm::toString(bits, 10, scalar.is_signed);
  llvm::SmallString<32> text;
  llvm::APFloat(*scalar.floating, bits).toString(text);
  return text.str().str();
}

bool is_near(double got, double wanted, double within) {
  if (std::isnan(wanted)) return std::isnan(got);
  if (std::isinf(wanted)) return got == wanted;
  return std::abs(got - wanted) <= within * std::max(1.0, std::abs(wanted));
}

bool is_right(const Scalar& scalar, const llvm::APInt& got, const llvm::APInt& wanted,
              std::optional<double> within) {
  if (!scalar.floating) return got == wanted;
  const llvm::APFloat a(*scalar.floating, got), b(*scalar.floating, wanted);
  if (within) return is_near(a.convertToDouble(), b.convertToDouble(), *within);
  return a == b || (a.isNaN() && b.isNaN());
}

}  // namespace

Result<Fixture> read_fixture(const std::string& path) {
  auto source = read_source(path);
  if (!source) return source.error();
  std::istringstream lines(source->text);
  Reader reader;
  for (std::string line; std::getline(lines, line);)
    if (!reader.take(line)) return Error{fmt::format("{}: not understood: {}", path, line)};
  return std::move(reader).take_fixture(*std::move(source));
}

std::optional<std::string> first_difference(const ExpectedOutput& answer, const Bytes& output) {
  std::size_t at = 0;
  for (const auto& elements : answer.elements) {
    const auto& scalar = *find_scalar(elements.type);
    for (std::size_t i = 0; i < elements.bytes.size(); i += scalar.bytes) {
      if (at + scalar.bytes > output.size())
        return fmt::format("out {} has only {} bytes", answer.index, output.size());
      const auto got = element_bits(scalar, output, at);
      const auto wanted = element_bits(scalar, elements.bytes, i);
      if (!is_right(scalar, got, wanted, elements.within))
        return fmt::format("out {}, byte {}, {} {}: {} instead of {}", answer.index, at,
                           elements.type, i / scalar.bytes, text_of(scalar, got),
                           text_of(scalar, wanted));
      at += scalar.bytes;
    }
  }
  return std::nullopt;
}

}  // namespace msci

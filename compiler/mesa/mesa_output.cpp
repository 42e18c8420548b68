#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "compiler/mesa/mesa_compiler.h"

namespace msci {
namespace {

constexpr std::string_view kernel_mark = "msci-kernel ";

std::optional<unsigned> number_ending_at(std::string_view line, std::size_t at) {
  auto start = at;
  while (start > 0 && std::isdigit(static_cast<unsigned char>(line[start - 1]))) --start;
  unsigned number = 0;
  const auto [end, problem] = std::from_chars(line.data() + start, line.data() + at, number);
  if (problem != std::errc() || end != line.data() + at) return std::nullopt;
  return number;
}

// The number before a word: 47 of "…, 47 gprs, …".
std::optional<unsigned> number_before(std::string_view line, std::string_view word) {
  const auto at = line.find(word);
  return at == line.npos ? std::nullopt : number_ending_at(line, at);
}

// "   c: 0519084d00c01200       load     r3, du4, 0, i32, x, b".
std::optional<MachineInstruction> instruction_of(std::string_view line) {
  const auto start = line.find_first_not_of(' ');
  const auto colon = line.find(": ");
  if (start == line.npos || colon == line.npos || colon <= start) return std::nullopt;
  MachineInstruction instruction;
  const auto [address, problem] =
      std::from_chars(line.data() + start, line.data() + colon, instruction.address, 16);
  if (problem != std::errc() || address != line.data() + colon) return std::nullopt;
  const auto bytes = line.substr(colon + 2);
  const auto end = bytes.find_first_not_of("0123456789abcdef");
  if (end == 0 || end == bytes.npos || end % 2 != 0 || bytes[end] != ' ') return std::nullopt;
  instruction.bytes = bytes.substr(0, end);
  instruction.text = trimmed(bytes.substr(end));
  return instruction;
}

// The statistics of a variant of a kernel: "CS shader: 79 instrs, …".
std::optional<MachineCode> statistics_of(std::string_view line) {
  const auto registers = number_before(line, " gprs");
  if (!registers || line.find(" shader: ") == line.npos) return std::nullopt;
  MachineCode code;
  code.registers = *registers + 1;  // Mesa gives the highest index
  code.uniforms = number_before(line, " uniforms").value_or(0);
  code.scratch_bytes = number_before(line, " scratch").value_or(0);
  code.threads = number_before(line, " threads").value_or(0);
  // "3:5 spills:fills"
  const auto both = line.find(" spills:fills");
  if (both != line.npos) {
    code.fills = number_ending_at(line, both).value_or(0);
    code.spills = number_ending_at(line, line.rfind(':', both)).value_or(0);
  }
  return code;
}

// Each listing begins at address 0.
using Listings = std::vector<std::vector<MachineInstruction>>;

// A kernel as the two streams show it. Each variant starts with its statistics in one stream and
// with a heading in the other; the last one is what Mesa would run.
struct Shown {
  Listings listings;  // of the last variant
  std::optional<MachineCode> statistics;
  std::string refusal;
};

Result<MachineCode> code_of(Shown shown) {
  if (!shown.refusal.empty()) return Error{"Mesa does not take it: " + shown.refusal};
  if (!shown.statistics || shown.listings.empty())
    return Error{"Mesa's compiler printed no code of it"};
  auto code = *std::move(shown.statistics);
  code.main = std::move(shown.listings[0]);
  if (shown.listings.size() > 1) code.preamble = std::move(shown.listings[1]);
  return code;
}

void read_code(std::string_view line, Shown& shown) {
  if (line.starts_with("shader: ")) shown.listings.clear();
  if (line.starts_with("msci-refused ")) shown.refusal = line.substr(line.find(' ', 13) + 1);
  auto instruction = instruction_of(line);
  if (!instruction) return;
  if (instruction->address == 0) shown.listings.emplace_back();
  if (!shown.listings.empty()) shown.listings.back().push_back(*std::move(instruction));
}

template <typename OnLine>
void for_each_line(std::string_view text, const OnLine& on_line) {
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) on_line(std::string_view(line));
}

}  // namespace

MesaOutput read_mesa_output(std::string_view out, std::string_view err) {
  MesaOutput output;
  std::vector<Shown> kernels;
  const auto begins = [](std::string_view line) { return line.starts_with(kernel_mark); };
  for_each_line(out, [&](std::string_view line) {
    if (line.starts_with("msci-device ")) output.device = line.substr(12);
    if (line.starts_with("msci-driver ")) output.version = line.substr(12);
    if (line == "msci-end") output.is_whole = true;
    if (begins(line)) kernels.emplace_back();
    if (!kernels.empty()) read_code(line, kernels.back());
  });
  std::size_t begun = 0;
  for_each_line(err, [&](std::string_view line) {
    if (begins(line)) ++begun;
    if (begun == 0 || begun > kernels.size()) return;
    if (auto statistics = statistics_of(line))
      kernels[begun - 1].statistics = std::move(statistics);
  });
  for (auto& kernel : kernels) output.kernels.push_back(code_of(std::move(kernel)));
  return output;
}

std::string describe(const MachineCode& code) {
  const auto count = [](std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  auto text =
      fmt::format("{}, {}, {} registers of 16 bits, ", count(code.main.size(), "instruction"),
                  count(code.bytes(), "byte"), code.registers);
  text += code.spills + code.fills == 0
              ? "no spills"
              : fmt::format("{} and {} of private memory", count(code.spills, "store"),
                            count(code.fills, "load"));
  if (code.scratch_bytes > 0) text += fmt::format(", {} bytes of scratch", code.scratch_bytes);
  return text;
}

}  // namespace msci

#include "compiler/mesa/match_lines.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace msci {
namespace {

OperationKind kind_of(const MachineInstruction& instruction) {
  using enum OperationKind;
  static const std::map<std::string_view, OperationKind> kinds = {
      {"load", load},
      {"store", store},
      {"lload", threadgroup_load},
      {"lstore", threadgroup_store},
      {"atomic", atomic},
      {"latomic", atomic},
      {"threadgroup_barrier", barrier},
      {"fadd", add},
      {"hadd", add},
      {"fmul", multiply},
      {"hmul", multiply},
      {"ffma", multiply_add},
      {"hfma", multiply_add},
      {"rcp", reciprocal},
      {"rsqrt", root},
      {"rsqrts", root},
      {"exp2", exponential},
      {"log2", logarithm},
      {"sinr", sine},
      {"floor", round},
      {"ceil", round},
      {"trunc", round},
      {"rint", round},
      {"imul", multiply_integers},
      {"imadd", multiply_integers},
      {"imsub", multiply_integers},
      {"csel", select},
      {"if", branch},
      {"while", branch},
  };
  const auto mnemonic = instruction.mnemonic();
  const auto found = kinds.find(mnemonic);
  if (found != kinds.end()) return found->second;
  return mnemonic.find("_to_") != mnemonic.npos ? convert : other;
}

// How sure a pair is.
unsigned weight_of(OperationKind kind) {
  using enum OperationKind;
  switch (kind) {
    case add:
    case multiply:
    case multiply_add:
    case convert:
    case select:
    case branch:
    case multiply_integers:
      return 2;
    default:
      return 5;
  }
}

// ---- pairs

constexpr std::size_t most_pairs = std::size_t{1} << 25;  // compared, each with two bytes of memory

struct Anchor {
  MachineInstruction* instruction = nullptr;
  OperationKind kind = OperationKind::other;
};

std::vector<Anchor> anchors_of(std::vector<MachineInstruction>& code) {
  std::vector<Anchor> anchors;
  for (auto& instruction : code)
    if (const auto kind = kind_of(instruction); kind != OperationKind::other)
      anchors.push_back({&instruction, kind});
  return anchors;
}

// The weight of the best common sequence of what begins at [a][b].
class Weights {
 public:
  Weights(const std::vector<Anchor>& anchors, const std::vector<CodeOperation>& operations)
      : columns_(operations.size() + 1), best_((anchors.size() + 1) * columns_, 0) {
    for (auto a = anchors.size(); a-- > 0;)
      for (auto b = operations.size(); b-- > 0;) {
        auto& best = best_[a * columns_ + b] = std::max(at(a + 1, b), at(a, b + 1));
        if (anchors[a].kind == operations[b].kind)
          best = std::max(best, static_cast<std::uint16_t>(std::min(
                                    65535u, at(a + 1, b + 1) + weight_of(anchors[a].kind))));
      }
  }
  std::uint16_t at(std::size_t a, std::size_t b) const { return best_[a * columns_ + b]; }

 private:
  std::size_t columns_;
  std::vector<std::uint16_t> best_;
};

void match_anchors(const std::vector<Anchor>& anchors,
                   const std::vector<CodeOperation>& operations) {
  if ((anchors.size() + 1) * (operations.size() + 1) > most_pairs) return;
  const Weights weights(anchors, operations);
  std::size_t a = 0, b = 0;
  while (a < anchors.size() && b < operations.size()) {
    const bool is_pair = anchors[a].kind == operations[b].kind &&
                         weights.at(a, b) == weights.at(a + 1, b + 1) + weight_of(anchors[a].kind);
    if (is_pair)
      anchors[a++].instruction->line = operations[b++].line;
    else if (weights.at(a + 1, b) >= weights.at(a, b + 1))
      ++a;
    else
      ++b;
  }
}

// ---- uses of results

// The registers of 16 bits that an operand names: "r3", "r3l", "dr2", "$r0_r1", "r5.neg".
std::set<unsigned> registers_of(std::string_view operand) {
  std::set<unsigned> registers;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const bool is_start = operand[i] == 'r' && i + 1 < operand.size() &&
                          std::isdigit(static_cast<unsigned char>(operand[i + 1])) &&
                          (i == 0 || !std::isalpha(static_cast<unsigned char>(operand[i - 1])) ||
                           operand[i - 1] == 'd');
    if (!is_start) continue;
    unsigned number = 0;
    const auto* end =
        std::from_chars(operand.data() + i + 1, operand.data() + operand.size(), number).ptr;
    const char half = end < operand.data() + operand.size() ? *end : ' ';
    const unsigned words = i > 0 && operand[i - 1] == 'd' ? 4 : 2;
    for (unsigned word = 0; word < words; ++word) registers.insert(2 * number + word);
    if (half == 'l') registers.erase(2 * number + 1);
    if (half == 'h') registers.erase(2 * number);
  }
  return registers;
}

bool is_store(const MachineInstruction& instruction) {
  const auto mnemonic = instruction.mnemonic();
  return mnemonic == "store" || mnemonic == "lstore" || mnemonic == "if" || mnemonic == "while";
}

struct Operands {
  std::set<unsigned> written, read;
};

Operands operands_of(const MachineInstruction& instruction) {
  const std::string_view text = instruction.text;
  auto rest = text.substr(std::min(text.size(), instruction.mnemonic().size()));
  if (is_store(instruction)) return {{}, registers_of(rest)};
  const auto comma = std::min(rest.find(','), rest.size());
  return {registers_of(rest.substr(0, comma)), registers_of(rest.substr(comma))};
}

bool has_no_line(const MachineInstruction& instruction) {
  const auto mnemonic = instruction.mnemonic();
  return mnemonic == "wait" || mnemonic == "stop" || mnemonic.starts_with("jmp") ||
         mnemonic == "pop_exec";
}

// From the end, so that chains of instructions without a line get that of their last one.
void take_lines_of_uses(std::vector<MachineInstruction>& code) {
  std::map<unsigned, unsigned>
      line_of_use;  // of each register, of the next instruction that reads it
  for (auto instruction = code.rbegin(); instruction != code.rend(); ++instruction) {
    const auto [written, read] = operands_of(*instruction);
    if (instruction->line == 0 && !has_no_line(*instruction))
      for (const auto name : written)
        if (const auto use = line_of_use.find(name); use != line_of_use.end() && use->second != 0) {
          instruction->line = use->second;
          break;
        }
    for (const auto name : written) line_of_use.erase(name);
    for (const auto name : read) line_of_use[name] = instruction->line;
  }
}

}  // namespace

void match_lines(std::vector<MachineInstruction>& code,
                 const std::vector<CodeOperation>& operations) {
  match_anchors(anchors_of(code), operations);
  take_lines_of_uses(code);
}

}  // namespace msci

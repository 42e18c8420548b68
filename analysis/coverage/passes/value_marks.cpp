#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <array>
#include <vector>

#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/coverage/passes/launch_values.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

const char* metadata_of(ValueMark mark) {
  static constexpr std::array names{"msci.number", "msci.place", "msci.greatest", "msci.least",
                                    "msci.bits"};
  return names.at(static_cast<std::size_t>(mark));
}

bool is_number(const Value& value) {
  const auto* type = value.getType()->getScalarType();
  return type->isFloatingPointTy() || (type->isIntegerTy() && !type->isIntegerTy(1));
}

std::optional<ValueMark> kept_extreme(const Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!atomic) return std::nullopt;
  switch (atomic->getOperation()) {
    case llvm::AtomicRMWInst::Max:
    case llvm::AtomicRMWInst::UMax:
    case llvm::AtomicRMWInst::FMax:
      return ValueMark::greatest;
    case llvm::AtomicRMWInst::Min:
    case llvm::AtomicRMWInst::UMin:
    case llvm::AtomicRMWInst::FMin:
      return ValueMark::least;
    default:
      return std::nullopt;
  }
}

class Marker {
 public:
  Marker(llvm::Function& kernel, const ConditionWords& words, SourceLocations& locations)
      : kernel_(kernel), words_(words), locations_(locations) {}

  void run() {
    for (auto& instruction : llvm::instructions(kernel_)) {
      for (Value* operand : numbers_for_data(instruction)) {
        if (const auto extreme = kept_extreme(instruction)) mark(*operand, *extreme);
        mark_number(*operand);
      }
      for (Value* part : places_in(instruction)) mark_places(*part);
      if (words_.is_of_data(instruction)) find_bits(instruction);
      if (llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst>(instruction))
        find_address(instruction);
    }
  }

 private:
  // The operands that meet data, or become data, as numbers and not as addresses.
  std::vector<Value*> numbers_for_data(Instruction& instruction) const {
    std::vector<Value*> operands;
    const auto add = [&](Value* operand) {
      if (llvm::isa<Instruction>(operand) && is_number(*operand) && !words_.is_of_data(*operand))
        operands.push_back(operand);
    };
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      add(store->getValueOperand());
    } else if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      add(atomic->getValOperand());
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      add(exchange->getCompareOperand());
      add(exchange->getNewValOperand());
    } else if (words_.is_of_data(instruction) && meets_numbers(instruction)) {
      for (auto& operand : instruction.operands()) add(operand.get());
    }
    return operands;
  }

  // What may be a summand or a factor of an index, or the end of a range of threads or of a loop.
  std::vector<Value*> places_in(Instruction& instruction) const {
    std::vector<Value*> parts;
    const bool is_range = llvm::isa<llvm::CmpInst>(instruction) &&
                          !llvm::isa<llvm::Constant>(instruction.getOperand(0)) &&
                          !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      for (auto& index : step->indices()) parts.push_back(index.get());
    } else if (is_range || (words_.is_of_data(instruction) && is_sum_of_integers(instruction))) {
      for (auto& operand : instruction.operands()) parts.push_back(operand.get());
    }
    return parts;
  }

  static bool is_sum_of_integers(const Instruction& instruction) {
    const auto opcode = instruction.getOpcode();
    return instruction.getType()->isIntOrIntVectorTy() &&
           (opcode == Instruction::Add || opcode == Instruction::Sub ||
            opcode == Instruction::Mul || opcode == Instruction::Or);
  }

  // Comparisons, too: where data is compared with 0.9f * x, its outcomes say nothing of the 0.9f.
  // Integers that are compared are ends of ranges.
  static bool meets_numbers(const Instruction& instruction) {
    if (llvm::isa<llvm::FCmpInst>(instruction)) return true;
    if (!is_number(instruction) || llvm::isa<llvm::LoadInst>(instruction)) return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      return is_function_of_operands(*call);
    return !is_sum_of_integers(instruction);  // of an index
  }

  // With the numbers that it is made of.
  void mark_number(Value& value) {
    std::vector<Value*> open{&value};
    while (!open.empty()) {
      auto* instruction = llvm::dyn_cast<Instruction>(open.back());
      open.pop_back();
      if (!instruction || !marked_.insert(instruction).second) continue;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        if (!table_of(*load)) continue;
        for (auto* step = llvm::dyn_cast<llvm::GEPOperator>(load->getPointerOperand()); step;
             step = llvm::dyn_cast<llvm::GEPOperator>(step->getPointerOperand()))
          for (auto& index : step->indices()) open.push_back(index.get());
      } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
                 call && !is_function_of_operands(*call)) {
        continue;  // a position
      } else {
        for (auto& operand : instruction->operands())
          if (is_number(*operand)) open.push_back(operand.get());
      }
      if (is_number(*instruction)) mark(*instruction, ValueMark::number);
    }
  }

  // The parts that depend on neither data nor threads.
  void mark_places(Value& index) {
    std::vector<Value*> open{&index};
    while (!open.empty()) {
      auto* part = llvm::dyn_cast<Instruction>(open.back());
      open.pop_back();
      if (!part || words_.is_of_data(*part) || !placed_.insert(part).second) continue;
      if (!words_.is_of_threads(*part)) mark(*part, ValueMark::place);
      if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::IntrinsicInst>(
              part))
        for (auto& operand : part->operands()) open.push_back(operand.get());
    }
  }

  void mark(Value& value, ValueMark mark) {
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (instruction) add(*instruction, mark, words_.of(value), *instruction);
  }

  void add(Instruction& instruction, ValueMark mark, std::string words, const Value& numbers) {
    const auto& place = locations_.all()[locations_.number(instruction)];
    instruction.setMetadata(metadata_of(mark),
                            node_of({.file = place.file,
                                     .line = place.range.begin.line,
                                     .column = place.range.begin.column,
                                     .condition = std::move(words),
                                     .of_data = words_.is_of_data(instruction),
                                     .of_threads = words_.is_of_threads(instruction),
                                     .constants = words_.constants_in(numbers)},
                                    kernel_.getContext()));
  }

  // Bits of a real number that become a number, and a real number that was an integer.
  void find_bits(Instruction& instruction) {
    const auto opcode = instruction.getOpcode();
    const bool has_bits = opcode == Instruction::BitCast &&
                          instruction.getType()->isIntOrIntVectorTy() &&
                          instruction.getOperand(0)->getType()->isFPOrFPVectorTy();
    const bool is_rounded = opcode == Instruction::FPToSI || opcode == Instruction::FPToUI;
    if (!has_bits && !is_rounded) return;
    if (Instruction* use = number_of_bits(instruction, is_rounded))
      add(*use, ValueMark::bits,
          words_.of(*instruction.getOperand(0)) +
              (has_bits ? " has other bits" : " becomes another integer"),
          *use);
  }

  // An address that becomes more than another address, or a distance in the same memory.
  void find_address(Instruction& address) {
    const auto* memory = llvm::getUnderlyingObject(address.getOperand(0));
    const auto is_distance = [&](const Instruction& difference) {
      return difference.getOpcode() == Instruction::Sub &&
             llvm::all_of(difference.operands(), [&](const Value* operand) {
               const auto* other = llvm::dyn_cast<llvm::PtrToIntInst>(operand);
               return other && llvm::getUnderlyingObject(other->getPointerOperand()) == memory;
             });
    };
    visit_users(address, [&](Instruction& next) {
      if (llvm::isa<llvm::IntToPtrInst>(next) || is_distance(next)) return Way::aside;
      if (next.getType()->isIntOrIntVectorTy() && is_number(next) &&
          !llvm::isa<llvm::LoadInst>(next))
        return Way::further;
      add(address, ValueMark::bits,
          fmt::format("the address of {} is another number", words_.of_memory(*memory)), next);
      return Way::end;
    });
  }

  // The first instruction that takes a number where bits were: arithmetic with bits, or the way
  // back from an integer.
  Instruction* number_of_bits(Instruction& first, bool is_rounded) const {
    Instruction* number = nullptr;
    visit_users(first, [&](Instruction& next) {
      const auto opcode = next.getOpcode();
      const bool comes_back = opcode == Instruction::UIToFP || opcode == Instruction::SIToFP;
      const bool is_arithmetic = opcode == Instruction::Mul || opcode == Instruction::UDiv ||
                                 opcode == Instruction::URem || opcode == Instruction::SRem ||
                                 opcode == Instruction::SDiv;
      if (comes_back || (is_arithmetic && !is_rounded)) {
        number = &next;
        return Way::end;
      }
      const bool has_bits =
          next.getType()->isIntOrIntVectorTy() && is_number(next) &&
          llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::PHINode,
                    llvm::FreezeInst, llvm::ExtractElementInst, llvm::InsertElementInst,
                    llvm::ShuffleVectorInst, llvm::IntrinsicInst>(next);
      return has_bits ? Way::further : Way::aside;
    });
    return number;
  }

  // Where a visit goes on from an instruction: to its users, not to them, or nowhere.
  enum class Way { further, aside, end };

  // Visits the users of an instruction, and theirs, and so on.
  static void visit_users(Instruction& first, llvm::function_ref<Way(Instruction&)> visit) {
    llvm::DenseSet<const Value*> known;
    std::vector<Instruction*> open{&first};
    while (!open.empty()) {
      auto* each = open.back();
      open.pop_back();
      if (!known.insert(each).second) continue;
      for (auto* user : each->users()) {
        auto* next = llvm::dyn_cast<Instruction>(user);
        const auto way = next ? visit(*next) : Way::aside;
        if (way == Way::end) return;
        if (way == Way::further) open.push_back(next);
      }
    }
  }

  llvm::Function& kernel_;
  const ConditionWords& words_;
  SourceLocations& locations_;
  llvm::DenseSet<const Value*> marked_, placed_;
};

}  // namespace

void mark_values(llvm::Function& kernel, const ConditionWords& words, SourceLocations& locations) {
  Marker(kernel, words, locations).run();
}

std::optional<CertifiedOutcome> marked(const Instruction& instruction, ValueMark mark) {
  const auto* node = instruction.getMetadata(metadata_of(mark));
  return node ? std::optional(outcome_in(*node)) : std::nullopt;
}

}  // namespace msci

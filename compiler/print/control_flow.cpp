#include <llvm/IR/CFG.h>
#include <llvm/Support/ErrorHandling.h>

#include "compiler/print/kernel_printer.h"

namespace msci {

void KernelPrinter::print_block(llvm::BasicBlock& block) {
  if (!block.isEntryBlock() || form_ == Form::resumable) body_ += names_[&block] + ":;\n";
  for (auto& phi : block.phis()) {
    incoming(phi);
    assign(phi, incoming_[&phi]);
  }
  for (auto at = block.getFirstNonPHIIt(); at != block.end();) {
    const auto& place = at->getDebugLoc();
    source_line_ = context_.names_lines && place ? place.getLine() : 0;
    if (form_ == Form::resumable && exchanges_values(*at))
      at = print_together(at);
    else
      print(*at++);
  }
  source_line_ = 0;
}

// A phi's value travels through a variable of its own: all are written before any is read.
const std::string& KernelPrinter::incoming(const llvm::PHINode& phi) {
  auto& name = incoming_[&phi];
  if (name.empty()) {
    name = fmt::format("p{}", incoming_.size() - 1);
    declarations_ += fmt::format("  {} {};\n", type_name(phi.getType()), name);
  }
  return name;
}

void KernelPrinter::print_edge(llvm::BasicBlock& from, llvm::BasicBlock& to,
                               const std::string& indent) {
  for (auto& phi : to.phis()) {
    const auto* coming = phi.getIncomingValueForBlock(&from);
    if (!llvm::isa<llvm::UndefValue>(coming))
      line(fmt::format("{}{} = {};", indent, incoming(phi), value(coming)));
  }
  line(indent + jump(from, to));
}

// A loop that threads enter in the middle, where they resume, must not have a way back to its
// header beside the dispatcher's: a loop with two entries kills PoCL's compiler (lane_functions.h).
std::string KernelPrinter::jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (!dispatched_.contains({&from, &to})) return fmt::format("goto {};", names_[&to]);
  const auto [entry, is_new] = entries_.try_emplace(&to, 0);
  if (is_new) {
    entry->second = ++waits_;
    resumptions_ += fmt::format("    case {:#x}u: goto {};\n", entry->second << 1, names_[&to]);
  }
  return fmt::format("place = {:#x}u; goto dispatch;", entry->second << 1);
}

void KernelPrinter::print(llvm::Instruction& instruction) {
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return print_binary(*binary);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return print_cast(*cast);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return print_call(*call);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FNeg:
      return assign(instruction, "-" + value(instruction.getOperand(0)));
    case llvm::Instruction::Load:
      return print_load(llvm::cast<llvm::LoadInst>(instruction));
    case llvm::Instruction::Store:
      return print_store(llvm::cast<llvm::StoreInst>(instruction));
    case llvm::Instruction::GetElementPtr:
      return assign(instruction, address(llvm::cast<llvm::GEPOperator>(instruction)));
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp:
      return print_compare(llvm::cast<llvm::CmpInst>(instruction));
    case llvm::Instruction::Select:
      return print_select(llvm::cast<llvm::SelectInst>(instruction));
    case llvm::Instruction::Freeze:
      return assign(instruction, value(instruction.getOperand(0)));
    case llvm::Instruction::Alloca:
      return print_alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case llvm::Instruction::ExtractElement:
      return print_extract(llvm::cast<llvm::ExtractElementInst>(instruction));
    case llvm::Instruction::InsertElement:
      return print_insert(llvm::cast<llvm::InsertElementInst>(instruction));
    case llvm::Instruction::ShuffleVector:
      return print_shuffle(llvm::cast<llvm::ShuffleVectorInst>(instruction));
    case llvm::Instruction::ExtractValue:
      return print_extract_value(llvm::cast<llvm::ExtractValueInst>(instruction));
    case llvm::Instruction::AtomicRMW:
      return print_atomic(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg:
      return print_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::Fence:
      return line("mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    case llvm::Instruction::Br:
      return print_branch(llvm::cast<llvm::BranchInst>(instruction));
    case llvm::Instruction::Switch:
      return print_switch(llvm::cast<llvm::SwitchInst>(instruction));
    case llvm::Instruction::Ret:
    case llvm::Instruction::Unreachable:
      return line(form_ == Form::resumable ? "place = 0xffffffffu; goto wait;" : "return;");
    default:
      llvm_unreachable("first_unsupported() refuses other instructions");
  }
}

void KernelPrinter::print_branch(llvm::BranchInst& branch) {
  auto& block = *branch.getParent();
  if (branch.isUnconditional()) return print_edge(block, *branch.getSuccessor(0));
  line(fmt::format("if ({}) {{", value(branch.getCondition())));
  print_edge(block, *branch.getSuccessor(0), "  ");
  line("}");
  print_edge(block, *branch.getSuccessor(1));
}

void KernelPrinter::print_switch(llvm::SwitchInst& choice) {
  auto& block = *choice.getParent();
  for (auto& option : choice.cases()) {
    line(fmt::format("if ({} == {}) {{", value(choice.getCondition()),
                     integer_text(option.getCaseValue()->getValue())));
    print_edge(block, *option.getCaseSuccessor(), "  ");
    line("}");
  }
  print_edge(block, *choice.getDefaultDest());
}

}  // namespace msci

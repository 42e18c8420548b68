#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "analysis/check/check_record.h"
#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"

namespace msci {
namespace {

// msci.log(type, subsystem, category, format, kinds..., components...), as <metal_logging> has it.
constexpr unsigned first_kind = 4;
constexpr unsigned arguments_per_value = 5;  // its kind and four components

// The text that a pointer leads to; empty if it is null, or not known.
std::string text_at(const llvm::Value* pointer) {
  llvm::StringRef text;
  const auto* stripped = pointer->stripPointerCasts();
  return llvm::getConstantStringInfo(stripped, text) ? text.str() : "";
}

DebugCall::Kind kind_of(const llvm::Value* type) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(type);
  const auto number = known ? known->getZExtValue() : 0;
  const bool is_message = number >= 1 && number <= 5;
  return is_message ? static_cast<DebugCall::Kind>(number) : DebugCall::Kind::log;
}

MessageArgument argument_of(const llvm::Value* kind) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(kind);
  const auto bits = known ? known->getZExtValue() : 3;
  return {
      .type = static_cast<MessageArgument::Type>(bits & 3),
      .bytes = static_cast<unsigned>(bits >> 4 & 15),
      .components = std::min(static_cast<unsigned>(bits >> 8), MessageArgument::most_components)};
}

void record_message(llvm::CallInst& call, SourceLocations& locations) {
  DebugCall message{.kind = kind_of(call.getArgOperand(0)),
                    .place = locations.number(call),
                    .text = text_at(call.getArgOperand(3)),
                    .subsystem = text_at(call.getArgOperand(1)),
                    .category = text_at(call.getArgOperand(2))};
  std::vector<llvm::Value*> words;
  const auto count = (call.arg_size() - first_kind) / arguments_per_value;
  for (unsigned i = 0; i < count; ++i) {
    const auto& argument =
        message.arguments.emplace_back(argument_of(call.getArgOperand(first_kind + i)));
    for (unsigned part = 0; part < argument.components; ++part)
      words.push_back(call.getArgOperand(first_kind + count * (1 + part) + i));
  }
  words.resize(std::min(words.size(), KernelMessage::most_words));
  llvm::IRBuilder<> builder(&call);
  const auto place = message.place;
  call_log(builder, locations.keep(std::move(message)), place, words);
  call.eraseFromParent();
}

}  // namespace

void check_assertions(llvm::Module& ir, SourceLocations& locations) {
  if (auto* log = ir.getFunction("msci.log")) describe_runtime_function(*log);
  auto* function = ir.getFunction("msci.assert");
  if (!function) return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    const auto place = locations.number(*call);
    locations.keep({.kind = DebugCall::Kind::assertion,
                    .place = place,
                    .text = locations.condition_at(place)});
    llvm::IRBuilder<> builder(call);
    call_hold(builder, call->getArgOperand(0), Fault::Kind::assertion_failed, place,
              AccessKind::read);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

void record_messages(llvm::Module& ir, SourceLocations& locations) {
  auto* function = ir.getFunction("msci.log");
  if (!function) return;
  for (auto* user : llvm::make_early_inc_range(function->users()))
    record_message(*llvm::cast<llvm::CallInst>(user), locations);
  function->eraseFromParent();
  // The texts are in the list of calls now.
  for (auto& variable : llvm::make_early_inc_range(ir.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.hasLocalLinkage() && variable.use_empty()) variable.eraseFromParent();
  }
}

}  // namespace msci

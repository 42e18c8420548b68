#include "analysis/coverage/passes/outcome_formulas.h"

#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <bit>

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned most_bits = 64;
constexpr unsigned word_bits = 32;

std::string number(std::uint64_t value, unsigned bits) {
  return fmt::format("(_ bv{} {})", value, bits);
}

std::string bit_of(const std::string& truth) { return fmt::format("(ite {} #b1 #b0)", truth); }

std::string is_set(const std::string& bit) { return fmt::format("(= {} #b1)", bit); }

std::string all_of(const std::vector<std::string>& truths) {
  if (truths.empty()) return "true";
  return fmt::format("(and {})", fmt::join(truths, " "));
}

std::string any_of(const std::vector<std::string>& truths) {
  if (truths.empty()) return "false";
  return fmt::format("(or {})", fmt::join(truths, " "));
}

// 0 for a value that is not an integer of up to 64 bits.
unsigned bits_in(const Value& value) {
  const auto* type = value.getType();
  if (!type->isIntegerTy()) return 0;
  return type->getIntegerBitWidth() <= most_bits ? type->getIntegerBitWidth() : 0;
}

const char* operation_of(unsigned opcode) {
  switch (opcode) {
    case Instruction::Add:
      return "bvadd";
    case Instruction::Sub:
      return "bvsub";
    case Instruction::Mul:
      return "bvmul";
    case Instruction::And:
      return "bvand";
    case Instruction::Or:
      return "bvor";
    case Instruction::Xor:
      return "bvxor";
    case Instruction::Shl:
      return "bvshl";
    case Instruction::LShr:
      return "bvlshr";
    case Instruction::AShr:
      return "bvashr";
    case Instruction::UDiv:
      return "bvudiv";
    case Instruction::URem:
      return "bvurem";
    case Instruction::SDiv:
      return "bvsdiv";
    case Instruction::SRem:
      return "bvsrem";
    default:
      return nullptr;
  }
}

std::string comparison(llvm::CmpInst::Predicate predicate, const std::string& a,
                       const std::string& b) {
  using llvm::CmpInst;
  const auto said = [&](const char* name) { return fmt::format("({} {} {})", name, a, b); };
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return said("=");
    case CmpInst::ICMP_NE:
      return said("distinct");
    case CmpInst::ICMP_ULT:
      return said("bvult");
    case CmpInst::ICMP_ULE:
      return said("bvule");
    case CmpInst::ICMP_UGT:
      return said("bvugt");
    case CmpInst::ICMP_UGE:
      return said("bvuge");
    case CmpInst::ICMP_SLT:
      return said("bvslt");
    case CmpInst::ICMP_SLE:
      return said("bvsle");
    case CmpInst::ICMP_SGT:
      return said("bvsgt");
    default:
      return said("bvsge");
  }
}

std::string name_of(const LaunchNumber& number) {
  static constexpr std::array kinds{"grid", "threadgroup", "argument", "size"};
  return fmt::format("{}.{}.{}", kinds.at(static_cast<std::size_t>(number.kind)), number.index,
                     number.byte);
}

std::string widened(const std::string& word) {
  return fmt::format("((_ zero_extend {}) {})", most_bits - word_bits, word);
}

std::string product_of(const std::vector<std::string>& words) {
  std::string product = number(1, most_bits);
  for (const auto& word : words) product = fmt::format("(bvmul {} {})", product, widened(word));
  return product;
}

}  // namespace

OutcomeFormulas::OutcomeFormulas(llvm::Function& kernel, const KernelSignature& signature,
                                 const std::vector<LaunchFact>& facts, const AllowedSizes& sizes)
    : host_(kernel, signature), dominators_(kernel), loops_(dominators_) {
  for (const auto& fact : facts) state(fact);
  state_sizes(sizes);
  for (auto& instruction : llvm::instructions(kernel))
    if (const auto* holds = llvm::dyn_cast<llvm::AssumeInst>(&instruction))
      assumptions_.push_back(holds);
}

std::string OutcomeFormulas::value_of(std::size_t parameter) {
  return name_of({LaunchNumber::Kind::size, static_cast<unsigned>(parameter), 0});
}

std::string OutcomeFormulas::formula_of(const llvm::CallInst& call) {
  const auto seen = is_set(of(*call.getArgOperand(1)));
  const auto branches = branches_to(*call.getParent());
  const auto assumed = assumed_in(*call.getParent());
  return fmt::format("(assert {})\n(assert {})\n(assert {})\n", branches, assumed, seen);
}

std::string OutcomeFormulas::within(std::uint64_t volume, std::uint32_t steps) const {
  auto commands = usual_ + sides_within(volume);
  if (!steps_.empty())
    commands += fmt::format("(assert (bvule {} {}))\n", steps_, number(steps, word_bits));
  return commands;
}

// No side is longer than the volume, nor is a product of sides, so that each factor needs the bits
// of the volume only. Z3 takes several times as long for products of 64 bits.
std::string OutcomeFormulas::sides_within(std::uint64_t volume) const {
  const auto bits = static_cast<unsigned>(std::bit_width(volume));
  const auto widened = [&](const std::string& factor) {
    return fmt::format("((_ zero_extend {}) {})", bits, factor);
  };
  const auto narrowed = [&](const std::string& value) {
    return fmt::format("((_ extract {} 0) {})", bits - 1, value);
  };
  std::string commands, product;
  for (const auto& side : sides_) {
    if (bits <= word_bits)
      commands += fmt::format("(assert (bvule {} {}))\n", side, number(volume, word_bits));
    const auto factor = bits <= word_bits
                            ? narrowed(side)
                            : fmt::format("((_ zero_extend {}) {})", bits - word_bits, side);
    if (product.empty()) {
      product = factor;
      continue;
    }
    const auto exact = fmt::format("(bvmul {} {})", widened(product), widened(factor));
    commands += fmt::format("(assert (bvule {} {}))\n", exact, number(volume, 2 * bits));
    product = narrowed(exact);
  }
  return commands;
}

std::string OutcomeFormulas::without_sides_of_one() const {
  std::string commands;
  for (const auto& side : sides_)
    commands += fmt::format("(assert (distinct {} {}))\n", side, number(1, word_bits));
  return commands;
}

bool OutcomeFormulas::is_sized(std::string_view text) const {
  constexpr std::array prefixes{"size.", "argument.", "grid.", "thread.", "local.", "group."};
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_of(" ()", at), text.size());
    const auto name = text.substr(at, end - at);
    if (sized_.contains(name) ||
        std::ranges::any_of(prefixes, [&](const char* each) { return name.starts_with(each); }))
      return true;
    at = end + 1;
  }
  return false;
}

// ---- the numbers of the launch

std::string OutcomeFormulas::declare(const std::string& name, unsigned bits) {
  if (declared_.insert(name).second)
    say(fmt::format("(declare-const {} (_ BitVec {}))", name, bits));
  return name;
}

std::string OutcomeFormulas::symbol_of(const LaunchNumber& number) {
  return declare(name_of(number), word_bits);
}

void OutcomeFormulas::state(const LaunchFact& fact) {
  const auto symbol = symbol_of(fact.number);
  if (fact.constant)
    return hold(fmt::format("(= {} {})", symbol, number(*fact.constant, word_bits)));
  if (fact.most >= launch_number_limit) return;
  hold(fmt::format("(bvult {} {})", symbol, number(launch_number_limit, word_bits)));
  if (fact.least > 0) hold(fmt::format("(distinct {} {})", symbol, number(0, word_bits)));
  if (fact.same_as) hold(fmt::format("(= {} {})", symbol, symbol_of(*fact.same_as)));
  if (fact.below) hold(fmt::format("(bvult {} {})", symbol, symbol_of(*fact.below)));
  if (fact.multiple > 1)
    hold(fmt::format("(= (bvurem {} {}) {})", symbol, number(fact.multiple, word_bits),
                     number(0, word_bits)));
  for (const auto* product : {&fact.product_of, &fact.of_sizes}) {
    if (product->empty()) continue;
    std::vector<std::string> factors;
    for (const auto& factor : *product) factors.push_back(symbol_of(factor));
    hold(fmt::format("(= {} {})", widened(symbol), product_of(factors)));
  }
}

void OutcomeFormulas::state_sizes(const AllowedSizes& sizes) {
  for (std::size_t i = 0; i < sizes.parameters.size(); ++i) {
    const auto& range = sizes.parameters[i];
    const auto symbol = declare(value_of(i), word_bits);
    if (range.least > 0) hold(fmt::format("(distinct {} {})", symbol, number(0, word_bits)));
    usual_ += fmt::format("(assert (and (bvuge {0} {1}) (bvule {0} {2})))\n", symbol,
                          number(range.least, word_bits), number(range.most, word_bits));
    if (range.multiple > 1)
      hold(fmt::format("(= (bvurem {} {}) {})", symbol, number(range.multiple, word_bits),
                       number(0, word_bits)));
    if (range.is_power_of_two)
      hold(fmt::format("(= (bvand {0} (bvsub {0} {1})) {2})", symbol, number(1, word_bits),
                       number(0, word_bits)));
    if (range.counts_steps)
      steps_ = symbol;
    else
      sides_.push_back(symbol);
  }
}

// ---- values

std::string OutcomeFormulas::of(const Value& value) {
  if (const auto known = known_.find(&value); known != known_.end()) return known->second;
  if (!open_.insert(&value).second) return unknown(value);
  auto text = made(value);
  open_.erase(&value);
  const bool is_long = text.size() > 24;
  if (is_long) {
    const auto name = fmt::format("v{}", next_++);
    say(fmt::format("(define-fun {} () (_ BitVec {}) {})", name, bits_in(value), text));
    if (is_sized(text)) sized_.insert(name);
    text = name;
  }
  return known_[&value] = text;
}

std::string OutcomeFormulas::unknown(const Value& value) {
  return declare(fmt::format("u{}", next_++), bits_in(value));
}

std::string OutcomeFormulas::made(const Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number(constant->getZExtValue(), bits_in(value));
  if (const auto host = host_.number_of(value); host && bits_in(value) == word_bits)
    return symbol_of(*host);
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  return instruction ? of_instruction(*instruction) : unknown(value);
}

std::string OutcomeFormulas::of_instruction(const Instruction& instruction) {
  // A formula has integers only. A value that is computed from anything else may be any value.
  for (const Value* operand : instruction.operands())
    if (bits_in(*operand) == 0 && !llvm::isa<llvm::CallInst, llvm::PHINode>(instruction))
      return unknown(instruction);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return of_binary(*operation);
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return bit_of(comparison(compare->getPredicate(), of(*compare->getOperand(0)),
                             of(*compare->getOperand(1))));
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return fmt::format("(ite {} {} {})", is_set(of(*choice->getCondition())),
                       of(*choice->getTrueValue()), of(*choice->getFalseValue()));
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return of_cast(*cast);
  if (llvm::isa<llvm::FreezeInst>(instruction)) return of(*instruction.getOperand(0));
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return of_call(*call);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  return unknown(instruction);
}

std::string OutcomeFormulas::of_binary(const llvm::BinaryOperator& operation) {
  const auto* name = operation_of(operation.getOpcode());
  if (!name) return unknown(operation);
  const auto a = of(*operation.getOperand(0)), b = of(*operation.getOperand(1));
  const auto result = fmt::format("({} {} {})", name, a, b);
  if (!operation.isIntDivRem() || llvm::isa<llvm::ConstantInt>(operation.getOperand(1)))
    return result;
  return fmt::format("(ite (= {} {}) {} {})", b, number(0, bits_in(operation)), unknown(operation),
                     result);
}

std::string OutcomeFormulas::of_cast(const llvm::CastInst& cast) {
  const auto from = bits_in(*cast.getOperand(0)), to = bits_in(cast);
  const auto operand = of(*cast.getOperand(0));
  switch (cast.getOpcode()) {
    case Instruction::ZExt:
      return fmt::format("((_ zero_extend {}) {})", to - from, operand);
    case Instruction::SExt:
      return fmt::format("((_ sign_extend {}) {})", to - from, operand);
    case Instruction::Trunc:
      return fmt::format("((_ extract {} 0) {})", to - 1, operand);
    default:
      return unknown(cast);
  }
}

std::string OutcomeFormulas::of_call(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return unknown(call);
  if (call.arg_size() == 1 && callee->getName().starts_with("get_") && bits_in(call) == most_bits)
    if (const auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)))
      return of_position(callee->getName(), static_cast<unsigned>(axis->getZExtValue()));
  const auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&call);
  if (!extreme || bits_in(call) == 0) return unknown(call);
  const auto a = of(*extreme->getLHS()), b = of(*extreme->getRHS());
  return fmt::format("(ite {} {} {})", comparison(extreme->getPredicate(), a, b), a, b);
}

// The value of a loop is the first one, or one for which the loop went on: the condition at its end
// then held for it.
std::string OutcomeFormulas::of_loop_phi(const llvm::PHINode& phi) {
  const auto symbol = known_[&phi] = unknown(phi);
  const auto& header = *phi.getParent();
  const auto& loop = *loops_.getLoopFor(&header);
  const auto* latch = loop.getLoopLatch();
  const auto* before = loop.getLoopPredecessor();
  if (!latch || !before) return symbol;
  const auto first = fmt::format("(= {} {})", symbol, of(*phi.getIncomingValueForBlock(before)));
  // Of the iteration before, only what the next one begins with is known.
  std::map<const Value*, std::string> then;
  for (const auto& [value, text] : known_)
    if (loop.isLoopInvariant(value)) then.emplace(value, text);
  for (const auto& each : header.phis())
    if (bits_in(each) > 0) then[&each] = unknown(each);
  then[phi.getIncomingValueForBlock(latch)] = symbol;
  std::swap(known_, then);
  const auto went_on = edge(*latch, header);
  std::swap(known_, then);
  if (is_sized(first) || is_sized(went_on)) sized_.insert(symbol);
  hold(fmt::format("(or {} {})", first, went_on));
  return symbol;
}

// A choice between the values of the blocks before, by the branches that lead here.
std::string OutcomeFormulas::of_phi(const llvm::PHINode& phi) {
  if (loops_.isLoopHeader(phi.getParent())) return of_loop_phi(phi);
  const auto symbol = unknown(phi);
  std::vector<std::string> choices, edges;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto taken = edge(*phi.getIncomingBlock(i), *phi.getParent());
    choices.push_back(
        fmt::format("(and {} (= {} {}))", taken, symbol, of(*phi.getIncomingValue(i))));
    edges.push_back(taken);
  }
  const auto choice = any_of(choices);
  if (is_sized(choice)) sized_.insert(symbol);
  hold(fmt::format("(or {} (not {}))", choice, any_of(edges)));
  return symbol;
}

// Of a thread in its grid and in its threadgroup, and how they belong together. The place where
// part of a grid begins, as a device may run one, is taken for none.
std::string OutcomeFormulas::of_position(llvm::StringRef name, unsigned dimension) {
  if (name == "get_global_offset") return number(0, most_bits);
  const auto grid = widened(symbol_of({Kind::grid, dimension, 0}));
  const auto most = widened(symbol_of({Kind::threadgroup, dimension, 0}));
  const auto axis = [&](const char* prefix) { return fmt::format("{}.{}", prefix, dimension); };
  if (!declared_.contains(axis("thread"))) {
    const auto thread = declare(axis("thread"), most_bits);
    const auto local = declare(axis("local"), most_bits);
    const auto group = declare(axis("group"), most_bits);
    const auto width = declare(axis("width"), most_bits);
    hold(fmt::format("(bvult {} {})", thread, grid));
    hold(fmt::format("(bvult {} {})", local, width));
    hold(fmt::format("(bvule {} {})", width, most));
    hold(fmt::format("(bvule {} {})", group, thread));
    hold(fmt::format("(= {} (bvadd (bvmul {} {}) {}))", thread, group, most, local));
  }
  if (name == "get_global_id") return axis("thread");
  if (name == "get_local_id") return axis("local");
  if (name == "get_group_id") return axis("group");
  if (name == "get_local_size") return axis("width");
  return declare(fmt::format("u{}", next_++), most_bits);
}

// ---- paths

std::string OutcomeFormulas::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const auto* end = from.getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return "true";
    const auto holds = is_set(of(*branch->getCondition()));
    return branch->getSuccessor(0) == &to ? holds : fmt::format("(not {})", holds);
  }
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end);
  if (!choice || bits_in(*choice->getCondition()) == 0) return "true";
  const auto value = of(*choice->getCondition());
  std::vector<std::string> here, elsewhere;
  for (const auto& each : choice->cases())
    (each.getCaseSuccessor() == &to ? here : elsewhere)
        .push_back(fmt::format("(= {} {})", value, of(*each.getCaseValue())));
  return choice->getDefaultDest() == &to ? fmt::format("(not {})", any_of(elsewhere))
                                         : any_of(here);
}

std::string OutcomeFormulas::branches_to(const llvm::BasicBlock& block) {
  std::vector<std::string> path;
  for (const auto* node = dominators_.getNode(&block); node && node->getIDom();
       node = node->getIDom()) {
    const auto& before = *node->getIDom()->getBlock();
    for (const auto* next : llvm::successors(&before))
      if (dominators_.dominates(llvm::BasicBlockEdge(&before, next), &block))
        path.push_back(edge(before, *next));
  }
  return all_of(path);
}

std::string OutcomeFormulas::assumed_in(const llvm::BasicBlock& block) {
  std::vector<std::string> assumed;
  for (const auto* holds : assumptions_)
    if (dominators_.dominates(holds->getParent(), &block))
      assumed.push_back(is_set(of(*holds->getArgOperand(0))));
  return all_of(assumed);
}

}  // namespace msci

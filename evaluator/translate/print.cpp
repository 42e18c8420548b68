#include "evaluator/translate/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "evaluator/translate/check/places.h"
#include "evaluator/translate/check/runtime.h"
#include "evaluator/translate/convergence.h"
#include "evaluator/translate/helpers.h"
#include "evaluator/translate/lanes.h"
#include "evaluator/translate/spaces.h"

namespace msci {
namespace {

using llvm::Value;

// The text of one kernel is built in pieces; the first thing that cannot be said stops the rest.
struct Gap {
  std::string what;
};

std::string as_text(const Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? text : text.substr(begin);
}

// Bits of the container that holds an integer: OpenCL has 8, 16, 32 and 64.
unsigned container_bits(unsigned bits) {
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

const char* unsigned_type(unsigned bits) {
  switch (container_bits(bits)) {
    case 8:
      return "uchar";
    case 16:
      return "ushort";
    case 32:
      return "uint";
    default:
      return "ulong";
  }
}

const char* signed_type(unsigned bits) {
  switch (container_bits(bits)) {
    case 8:
      return "char";
    case 16:
      return "short";
    case 32:
      return "int";
    default:
      return "long";
  }
}

// A vector of bits: OpenCL compares vectors to one of integers, 0 or -1.
bool is_mask(const llvm::Type* type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

bool is_small_float(const llvm::Type* type) { return type->isHalfTy() || type->isBFloatTy(); }

// Exact.
std::string hex_float(float number) {
  char text[32];
  std::snprintf(text, sizeof text, std::signbit(number) ? "(%af)" : "%af",
                static_cast<double>(number));
  return text;
}

// The bytes of a constant as they lie in memory; false where it holds an address.
bool flatten(const llvm::DataLayout& layout, const llvm::Constant& constant,
             std::vector<std::uint8_t>& bytes, std::uint64_t at) {
  const auto put = [&](const llvm::APInt& bits) {
    for (unsigned i = 0; i < layout.getTypeStoreSize(constant.getType()); ++i)
      bytes[at + i] = i * 8 < bits.getBitWidth()
                          ? static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(
                                std::min(8U, bits.getBitWidth() - i * 8), i * 8))
                          : 0;
    return true;
  };
  if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue()) return true;
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return put(integer->getValue());
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return put(number->getValueAPF().bitcastToAPInt());
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const auto size = data->getElementByteSize();
    for (unsigned i = 0; i < data->getNumElements(); ++i)
      if (!flatten(layout, *data->getElementAsConstant(i), bytes, at + i * size)) return false;
    return true;
  }
  if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(&constant)) {
    auto* record = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      const auto& element = *llvm::cast<llvm::Constant>(aggregate->getOperand(i));
      const std::uint64_t offset =
          record ? layout.getStructLayout(record)->getElementOffset(i).getFixedValue()
          : aggregate->getType()->isVectorTy() ? i * layout.getTypeStoreSize(element.getType())
                                               : i * layout.getTypeAllocSize(element.getType());
      if (!flatten(layout, element, bytes, at + offset)) return false;
    }
    return true;
  }
  return false;
}

// How a kernel waits for other threads: by the device's own barriers and subgroups, or by posting
// where it stands and resuming there (lanes.h).
enum class Form { direct, resumable };

class KernelPrinter {
 public:
  KernelPrinter(llvm::Function& function, KernelSignature& signature, Form form,
                const std::map<const Value*, std::string>& tables, std::set<std::string>& helpers,
                LaneFunctions& lane_functions, Places* places)
      : function_(function),
        layout_(function.getDataLayout()),
        signature_(signature),
        form_(form),
        tables_(tables),
        helpers_(helpers),
        lane_functions_(lane_functions),
        user_places_(places) {}

  std::string print() {
    name_parameters();
    declare_threadgroup_memory();
    // Definitions come before their uses; jumps may skip a declaration in C.
    const auto order = reconvergence_order(function_);
    for (auto* block : order) name_block(*block);
    for (auto* block : order) print_block(*block);
    return fmt::format("__kernel void {}({}) {{\n{}{}{}{}{}}}\n", signature_.symbol, parameters_,
                       declarations_, checked_beginning(),
                       form_ == Form::resumable ? resumable_beginning() : "", body_,
                       form_ == Form::resumable ? resumable_end() : "");
  }

  const std::optional<Gap>& gap() const { return gap_; }

 private:
  // ---- names and types

  void name_parameters() {
    unsigned next = 0;
    const auto take = [&](const std::string& type, std::string name) {
      parameters_ += fmt::format("{}{} {}", parameters_.empty() ? "" : ", ", type, name);
      names_[function_.getArg(next++)] = std::move(name);
    };
    for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
      const bool buffer = signature_.arguments[i].kind == KernelArgument::Kind::buffer;
      const bool alone = function_.getArg(next)->hasNoAliasAttr();
      // Of others a device knows when it is told what is bound; a checked kernel's may stray.
      const auto* promise = alone ? " restrict" : user_places_ ? "" : " MSCI_RESTRICT";
      take(buffer ? fmt::format("__global uchar*{}", promise) : "__local uchar*",
           fmt::format("arg{}", i));
      if (buffer) take("ulong", fmt::format("offset{}", i));
    }
    for (const char* name : {"grid_x", "grid_y", "grid_z", "threads_x", "threads_y", "threads_z"})
      take("uint", name);
    if (user_places_) parameters_ += check_parameters();
  }

  // Threadgroup variables that are still used; OpenCL wants them at kernel scope.
  void declare_threadgroup_memory() {
    std::size_t bytes_total = 0;
    for (auto& variable : function_.getParent()->globals()) {
      if (variable.getAddressSpace() != threadgroup_space || !used_here(variable)) continue;
      const auto bytes = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue();
      const auto align = std::max<std::uint64_t>(variable.getAlign().valueOrOne().value(), 16);
      const auto name = fmt::format("shared{}", shared_++);
      declarations_ += fmt::format("  __local uchar {}[{}] __attribute__((aligned({})));\n", name,
                                   bytes + (user_places_ ? stray_bytes : 0), align);
      names_[&variable] = name;
      bytes_total += bytes;
    }
    signature_.threadgroup_bytes = bytes_total;
  }

  bool used_here(const Value& value) const {
    for (const auto* user : value.users()) {
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        if (instruction->getFunction() == &function_) return true;
      } else if (used_here(*user)) {
        return true;
      }
    }
    return false;
  }

  void name_block(llvm::BasicBlock& block) { names_[&block] = fmt::format("b{}", blocks_++); }

  std::string type(llvm::Type* type) {
    if (type->isFloatTy() || is_small_float(type)) return "float";
    if (type->isIntegerTy(1)) return "bool";
    if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
      return unsigned_type(type->getIntegerBitWidth());
    if (type->isPointerTy()) return space(type->getPointerAddressSpace()) + "uchar*";
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      const auto n = vector->getNumElements();
      if (n == 1) return this->type(vector->getElementType());
      const bool known = n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
      if (known && is_mask(type)) return "int" + std::to_string(n);
      if (known) return this->type(vector->getElementType()) + std::to_string(n);
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    type->print(stream);
    return refuse("a value of type " + text);
  }

  std::string space(unsigned number) {
    switch (number) {
      case thread_space:
        return "";
      case device_space:
        return "__global ";
      case table_space:
        return "__constant ";
      case threadgroup_space:
        return "__local ";
      default:
        return refuse("a pointer that may lead into one address space or another");
    }
  }

  std::string refuse(std::string what) {
    if (!gap_) gap_ = Gap{std::move(what)};
    return "0";
  }

  // ---- values

  // Declares the instruction's variable where it is defined: "uint v7".
  std::string definition(const llvm::Instruction& instruction) {
    auto& name = names_[&instruction];
    assert(name.empty() && "an instruction is printed once");
    name = fmt::format("v{}", values_++);
    return fmt::format("{} {}", type(instruction.getType()), name);
  }

  std::string value(const Value* value) {
    if (auto known = names_.find(value); known != names_.end()) return known->second;
    if (auto table = tables_.find(value); table != tables_.end())
      return fmt::format("((__constant uchar*){})", table->second);
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return constant_text(*constant);
    return refuse("the value " + as_text(*value));
  }

  std::string constant_text(const llvm::Constant& constant) {
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      return integer_text(integer->getValue());
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      return real_text(number->getValueAPF());
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType())) {
      std::vector<std::string> elements;
      for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        const auto* element = constant.getAggregateElement(i);
        if (!element) return refuse("the constant " + as_text(constant));
        elements.push_back(is_mask(vector) ? mask_text(*element) : constant_text(*element));
      }
      const bool all_alike = std::count(elements.begin(), elements.end(), elements.front()) ==
                             static_cast<std::ptrdiff_t>(elements.size());
      if (all_alike) elements.resize(1);
      return fmt::format("({})({})", type(vector), fmt::join(elements, ", "));
    }
    if (constant.getType()->isPointerTy()) return constant_pointer(constant);
    if (llvm::isa<llvm::UndefValue>(constant)) return zero(constant.getType());
    return refuse("the constant " + as_text(constant));
  }

  static std::string mask_text(const llvm::Constant& bit) { return bit.isOneValue() ? "-1" : "0"; }

  std::string zero(llvm::Type* type) {
    if (type->isIntegerTy()) return integer_text(llvm::APInt(type->getIntegerBitWidth(), 0));
    if (type->isFloatTy() || is_small_float(type)) return "0.0f";
    return fmt::format("({})0", this->type(type));
  }

  std::string constant_pointer(const llvm::Constant& constant) {
    if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
      return fmt::format("(({})0)", type(constant.getType()));
    if (const auto* expression = llvm::dyn_cast<llvm::GEPOperator>(&constant))
      return address(*expression);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant);
        variable && variable->isDeclaration())
      return refuse(fmt::format("the function constant '{}'", variable->getName().str()));
    return refuse("the address " + as_text(constant));
  }

  static std::string integer_text(const llvm::APInt& value) {
    const auto bits = value.getBitWidth();
    const auto number = value.getZExtValue();
    if (bits == 1) return number ? "true" : "false";
    if (bits <= 16) return fmt::format("({}){}", unsigned_type(bits), number);
    return fmt::format("{}{}", number, bits <= 32 ? "u" : "ul");
  }

  static std::string real_text(const llvm::APFloat& value) {
    bool lost = false;
    llvm::APFloat single = value;
    single.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
    if (single.isNaN() || single.isInfinity())
      return fmt::format("as_float({:#x}u)", single.bitcastToAPInt().getZExtValue());
    return hex_float(single.convertToFloat());
  }

  // The value read as a signed integer of its own width.
  std::string signed_value(const Value* value) {
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value);
        integer && integer->getBitWidth() > 16 && integer->getBitWidth() != 1 &&
        container_bits(integer->getBitWidth()) == integer->getBitWidth() &&
        !integer->getValue().isMinSignedValue())
      return fmt::format("({}{})", integer->getSExtValue(), integer->getBitWidth() > 32 ? "l" : "");
    const auto bits = value->getType()->getScalarSizeInBits();
    if (is_mask(value->getType())) return this->value(value);
    if (value->getType()->isVectorTy())
      return fmt::format("as_{}({})", signed_vector(value->getType()), this->value(value));
    if (bits == 1) return fmt::format("-(int){}", this->value(value));
    const auto spare = container_bits(bits) - bits;
    if (spare == 0) return fmt::format("({}){}", signed_type(bits), this->value(value));
    return fmt::format("(({0})({1} << {2}) >> {2})", signed_type(bits), this->value(value), spare);
  }

  static std::string signed_vector(const llvm::Type* type) {
    return signed_type(type->getScalarSizeInBits()) + std::to_string(elements(type));
  }

  // What was made of signed integers, as the unsigned ones that variables hold.
  std::string unsigned_again(const std::string& expression, llvm::Type* type) {
    return type->isVectorTy() ? fmt::format("as_{}({})", this->type(type), expression) : expression;
  }

  // Integers of odd width keep their unused bits zero.
  std::string trimmed(std::string expression, llvm::Type* type) {
    if (!type->isIntegerTy()) return expression;
    const auto bits = type->getIntegerBitWidth();
    if (bits == 1) return fmt::format("({}) & 1", expression);
    if (container_bits(bits) == bits) return expression;
    return fmt::format("({}) & {}", expression,
                       integer_text(llvm::APInt::getLowBitsSet(container_bits(bits), bits)));
  }

  // Halves are floats that were rounded.
  std::string rounded(std::string expression, llvm::Type* type) {
    if (type->isHalfTy()) return helper("msci_round_half", expression);
    if (type->isBFloatTy()) return helper("msci_round_bfloat", expression);
    return expression;
  }

  std::string helper(const std::string& name, const std::string& arguments) {
    helpers_.insert(name);
    return fmt::format("{}({})", name, arguments);
  }

  // ---- statements

  void line(const std::string& text) { body_ += "  " + text + "\n"; }

  void assign(const llvm::Instruction& instruction, const std::string& expression) {
    line(fmt::format("{} = {};", definition(instruction), expression));
  }

  void print_block(llvm::BasicBlock& block) {
    if (!block.isEntryBlock() || form_ == Form::resumable) body_ += names_[&block] + ":;\n";
    for (auto& phi : block.phis()) {
      incoming(phi);
      assign(phi, incoming_[&phi]);
    }
    for (auto at = block.getFirstNonPHIIt(); at != block.end();)
      if (form_ == Form::resumable && acts_together(*at))
        at = print_together(at);
      else
        print(*at++);
  }

  // A phi's value travels through a variable of its own: all are written before any is read.
  const std::string& incoming(const llvm::PHINode& phi) {
    auto& name = incoming_[&phi];
    if (name.empty()) {
      name = fmt::format("p{}", incoming_.size() - 1);
      declarations_ += fmt::format("  {} {};\n", type(phi.getType()), name);
    }
    return name;
  }

  void leave_for(llvm::BasicBlock& from, llvm::BasicBlock& to, const std::string& indent = "") {
    for (auto& phi : to.phis()) {
      const auto* coming = phi.getIncomingValueForBlock(&from);
      if (!llvm::isa<llvm::UndefValue>(coming))
        line(fmt::format("{}{} = {};", indent, incoming(phi), value(coming)));
    }
    line(fmt::format("{}goto {};", indent, names_[&to]));
  }

  void print(llvm::Instruction& instruction) {
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
        refuse("the instruction " + as_text(instruction));
    }
  }

  void print_binary(const llvm::BinaryOperator& binary) {
    const auto a = value(binary.getOperand(0));
    const auto b = value(binary.getOperand(1));
    const auto sa = [&] { return signed_value(binary.getOperand(0)); };
    const auto sb = [&] { return signed_value(binary.getOperand(1)); };
    const auto plain = [&](std::string_view op) {
      assign(binary, rounded(trimmed(fmt::format("{} {} {}", a, op, b), binary.getType()),
                             binary.getType()));
    };
    const auto with_sign = [&](std::string_view op, const std::string& right) {
      assign(binary,
             unsigned_again(trimmed(fmt::format("{} {} {}", sa(), op, right), binary.getType()),
                            binary.getType()));
    };
    switch (binary.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::FAdd:
        return plain("+");
      case llvm::Instruction::Sub:
      case llvm::Instruction::FSub:
        return plain("-");
      case llvm::Instruction::Mul:
      case llvm::Instruction::FMul:
        return plain("*");
      case llvm::Instruction::UDiv:
      case llvm::Instruction::FDiv:
        return plain("/");
      case llvm::Instruction::URem:
        return plain("%");
      case llvm::Instruction::And:
        return plain("&");
      case llvm::Instruction::Or:
        return plain("|");
      case llvm::Instruction::Xor:
        return plain("^");
      case llvm::Instruction::Shl:
        return plain("<<");
      case llvm::Instruction::LShr:
        return plain(">>");
      case llvm::Instruction::AShr:
        return with_sign(">>", binary.getType()->isVectorTy() ? sb() : b);
      case llvm::Instruction::SDiv:
        return with_sign("/", sb());
      case llvm::Instruction::SRem:
        return with_sign("%", sb());
      case llvm::Instruction::FRem:
        return assign(binary, rounded(fmt::format("fmod({}, {})", a, b), binary.getType()));
      default:
        refuse("the instruction " + as_text(binary));
    }
  }

  void print_select(const llvm::SelectInst& select) {
    const auto* condition = select.getCondition();
    const auto yes = value(select.getTrueValue());
    const auto no = value(select.getFalseValue());
    if (!condition->getType()->isVectorTy())
      return assign(select, fmt::format("{} ? {} : {}", value(condition), yes, no));
    auto* type = select.getType();
    // The choice must be as wide as what it chooses from.
    const auto choice = is_mask(type) || type->getScalarSizeInBits() == 32
                            ? value(condition)
                            : fmt::format("convert_{}({})", signed_vector(type), value(condition));
    assign(select, fmt::format("select({}, {}, {})", no, yes, choice));
  }

  void print_compare(const llvm::CmpInst& compare) {
    const auto a = value(compare.getOperand(0));
    const auto b = value(compare.getOperand(1));
    // OpenCL's answer is as wide as what it compared.
    const auto* compared = compare.getOperand(0)->getType();
    const bool is_wide_as_int = !compared->isVectorTy() || compared->getScalarSizeInBits() == 32;
    const auto say = [&](const std::string& answer) {
      assign(compare, is_wide_as_int
                          ? answer
                          : fmt::format("convert_{}({})", type(compare.getType()), answer));
    };
    const auto plain = [&](std::string_view op) { say(fmt::format("{} {} {}", a, op, b)); };
    const auto with_sign = [&](std::string_view op) {
      say(fmt::format("{} {} {}", signed_value(compare.getOperand(0)), op,
                      signed_value(compare.getOperand(1))));
    };
    const auto unless = [&](std::string_view op) { say(fmt::format("!({} {} {})", a, op, b)); };
    using Predicate = llvm::CmpInst::Predicate;
    switch (compare.getPredicate()) {
      case Predicate::ICMP_EQ:
      case Predicate::FCMP_OEQ:
        return plain("==");
      case Predicate::ICMP_NE:
      case Predicate::FCMP_UNE:
        return plain("!=");
      case Predicate::ICMP_UGT:
      case Predicate::FCMP_OGT:
        return plain(">");
      case Predicate::ICMP_UGE:
      case Predicate::FCMP_OGE:
        return plain(">=");
      case Predicate::ICMP_ULT:
      case Predicate::FCMP_OLT:
        return plain("<");
      case Predicate::ICMP_ULE:
      case Predicate::FCMP_OLE:
        return plain("<=");
      case Predicate::ICMP_SGT:
        return with_sign(">");
      case Predicate::ICMP_SGE:
        return with_sign(">=");
      case Predicate::ICMP_SLT:
        return with_sign("<");
      case Predicate::ICMP_SLE:
        return with_sign("<=");
      case Predicate::FCMP_UGT:
        return unless("<=");
      case Predicate::FCMP_UGE:
        return unless("<");
      case Predicate::FCMP_ULT:
        return unless(">=");
      case Predicate::FCMP_ULE:
        return unless(">");
      case Predicate::FCMP_ONE:
        return say(fmt::format("{0} < {1} || {0} > {1}", a, b));
      case Predicate::FCMP_UEQ:
        return say(fmt::format("!({0} < {1} || {0} > {1})", a, b));
      case Predicate::FCMP_ORD:
        return say(fmt::format("!isnan({}) && !isnan({})", a, b));
      case Predicate::FCMP_UNO:
        return say(fmt::format("isnan({}) || isnan({})", a, b));
      case Predicate::FCMP_TRUE:
        return assign(compare, "true");
      case Predicate::FCMP_FALSE:
        return assign(compare, "false");
      default:
        refuse("the comparison " + as_text(compare));
    }
  }

  void print_cast(const llvm::CastInst& cast) {
    auto* from = cast.getSrcTy();
    auto* to = cast.getDestTy();
    const auto a = value(cast.getOperand(0));
    if (to->isVectorTy() && cast.getOpcode() != llvm::Instruction::BitCast)
      return assign(cast, converted_vector(cast));
    switch (cast.getOpcode()) {
      case llvm::Instruction::ZExt:
        return assign(cast, fmt::format("({}){}", type(to), a));
      case llvm::Instruction::SExt:
        return assign(
            cast, trimmed(fmt::format("({})({}){}", type(to), signed_type(to->getIntegerBitWidth()),
                                      signed_value(cast.getOperand(0))),
                          to));
      case llvm::Instruction::Trunc:
        return assign(
            cast, trimmed(fmt::format("({}){}", to->isIntegerTy(1) ? "uchar" : type(to), a), to));
      case llvm::Instruction::FPToUI:
        return assign(cast, trimmed(fmt::format("({}){}", type(to), a), to));
      case llvm::Instruction::FPToSI:
        return assign(cast, trimmed(fmt::format("({})({}){}", type(to),
                                                signed_type(to->getIntegerBitWidth()), a),
                                    to));
      case llvm::Instruction::UIToFP:
        return assign(cast, rounded(fmt::format("(float){}", a), to));
      case llvm::Instruction::SIToFP:
        return assign(cast,
                      rounded(fmt::format("(float)({})", signed_value(cast.getOperand(0))), to));
      case llvm::Instruction::FPTrunc:
        return assign(cast, rounded(a, to));
      case llvm::Instruction::FPExt:
        return to->isFloatTy() ? assign(cast, a) : void(refuse("double precision"));
      case llvm::Instruction::BitCast:
        return assign(cast, bits(a, from, to));
      case llvm::Instruction::PtrToInt:
        return assign(cast, trimmed(fmt::format("({})(ulong){}", type(to), a), to));
      case llvm::Instruction::AddrSpaceCast:
        refuse("a pointer that may lead into one address space or another");
        return;
      default:
        refuse("the conversion " + as_text(cast));
    }
  }

  // An element of a mask is -1 where LLVM's bit is 1: of bits that count as unsigned, 1 is left.
  std::string converted_vector(const llvm::CastInst& cast) {
    const auto a = value(cast.getOperand(0));
    const auto to = type(cast.getDestTy());
    switch (cast.getOpcode()) {
      case llvm::Instruction::ZExt:
      case llvm::Instruction::UIToFP:
        return fmt::format("convert_{}({}{})", to, a, is_mask(cast.getSrcTy()) ? " & 1" : "");
      case llvm::Instruction::SExt:
      case llvm::Instruction::SIToFP:
        return fmt::format("convert_{}({})", to, signed_value(cast.getOperand(0)));
      case llvm::Instruction::Trunc:
        if (is_mask(cast.getDestTy())) return fmt::format("-(convert_{}({}) & 1)", to, a);
        return fmt::format("convert_{}({})", to, a);
      case llvm::Instruction::FPToUI:
        return fmt::format("convert_{}({})", to, a);
      case llvm::Instruction::FPToSI:
        return unsigned_again(fmt::format("convert_{}({})", signed_vector(cast.getDestTy()), a),
                              cast.getDestTy());
      default:
        return refuse("the conversion " + as_text(cast));
    }
  }

  // The same bits under another type of the same size.
  std::string bits(const std::string& expression, llvm::Type* from, llvm::Type* to) {
    if (from->isHalfTy() && to->isIntegerTy(16)) return helper("msci_half_bits", expression);
    if (from->isIntegerTy(16) && to->isHalfTy()) return helper("msci_half_from_bits", expression);
    if (from->isBFloatTy() && to->isIntegerTy(16))
      return fmt::format("(ushort)(as_uint({}) >> 16)", expression);
    if (from->isIntegerTy(16) && to->isBFloatTy())
      return fmt::format("as_float((uint){} << 16)", expression);
    const auto small = [](llvm::Type* type) { return is_small_float(type->getScalarType()); };
    if (small(from) && small(to) && from->getScalarType() == to->getScalarType()) return expression;
    if (small(from)) return bits(pack_halves(expression, from), short_vector(from), to);
    if (small(to)) return unpack_halves(bits(expression, from, short_vector(to)), to);
    if (from == to) return expression;
    return fmt::format("as_{}({})", type(to), expression);
  }

  static llvm::Type* short_vector(llvm::Type* halves) {
    return llvm::FixedVectorType::get(llvm::Type::getInt16Ty(halves->getContext()),
                                      llvm::cast<llvm::FixedVectorType>(halves)->getNumElements());
  }
  std::string pack_halves(const std::string& expression, llvm::Type* from) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(from);
    std::string elements;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      elements +=
          (i ? ", " : "") + bits(fmt::format("{}.s{:x}", expression, i), vector->getElementType(),
                                 llvm::Type::getInt16Ty(from->getContext()));
    return fmt::format("(ushort{})({})", vector->getNumElements(), elements);
  }
  std::string unpack_halves(const std::string& expression, llvm::Type* to) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(to);
    std::string elements;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      elements += (i ? ", " : "") + bits(fmt::format("({}).s{:x}", expression, i),
                                         llvm::Type::getInt16Ty(to->getContext()),
                                         vector->getElementType());
    return fmt::format("(float{})({})", vector->getNumElements(), elements);
  }

  // ---- memory

  // OpenCL's type of so many bytes, for steps from element to element.
  static const char* element_of_size(const llvm::APInt& bytes) {
    switch (bytes.getSExtValue()) {
      case 2:
        return "ushort";
      case 4:
        return "uint";
      case 8:
        return "ulong";
      case 16:
        return "uint4";
      default:
        return nullptr;
    }
  }

  // A pointer and a number of bytes.
  std::string address(const llvm::GEPOperator& pointer) {
    std::string text = value(pointer.getPointerOperand());
    llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(64, 0);
    if (!pointer.collectOffset(layout_, 64, variable, constant))
      return refuse("the address " + as_text(pointer));
    const auto spaced = space(pointer.getPointerAddressSpace());
    const auto in_space = llvm::StringRef(spaced).rtrim();
    for (const auto& [index, scale] : variable) {
      const auto wide =
          index->getType()->isIntegerTy(64) ? signed_value(index) : "(long)" + signed_value(index);
      if (scale.isOne())
        text += fmt::format(" + {}", wide);
      else if (const auto* element = element_of_size(scale))
        text = fmt::format("MSCI_STEP({}, {}, {}, {})", in_space.str(), element, text, wide);
      else
        text += fmt::format(" + {} * {}", wide, scale.getSExtValue());
    }
    if (!constant.isZero()) text += fmt::format(" + ({})", constant.getSExtValue());
    return llvm::isa<llvm::Instruction>(pointer) ? text : "(" + text + ")";
  }

  std::string pointer_to(const std::string& element, const Value* pointer,
                         bool is_volatile = false) {
    const auto text = value(pointer);
    return fmt::format("({}{}{}*){}", is_volatile ? "volatile " : "",
                       space(pointer->getType()->getPointerAddressSpace()), element, text);
  }

  void print_load(const llvm::LoadInst& load) {
    auto* type = load.getType();
    const auto* pointer = load.getPointerOperand();
    const auto count = elements(type);
    auto* scalar = type->getScalarType();
    const auto size = layout_.getTypeStoreSize(scalar).getFixedValue();
    const bool is_volatile = load.isVolatile() || load.isAtomic();
    if (scalar->isHalfTy())
      return assign(load,
                    fmt::format("vload_half{}(0, {})", count == 1 ? "" : std::to_string(count),
                                pointer_to("half", pointer)));
    if (scalar->isBFloatTy()) {
      const auto shorts = pointer_to("ushort", pointer);
      if (count == 1) return assign(load, fmt::format("as_float((uint)*{} << 16)", shorts));
      return assign(
          load, fmt::format("as_float{0}(convert_uint{0}(vload{0}(0, {1})) << 16)", count, shorts));
    }
    if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() != size * 8) {
      if (count != 1) return void(refuse("a vector of odd integers in memory"));
      return assign(
          load, trimmed(fmt::format("*{}", pointer_to(unsigned_type(size * 8), pointer)), scalar));
    }
    if (load.getAlign().value() < size)
      return assign(load, bytes_to(type, fmt::format("vload{}(0, {})", count * size,
                                                     pointer_to("uchar", pointer))));
    if (count > 1 && (count == 3 || load.getAlign().value() < count * size))
      return assign(load,
                    fmt::format("vload{}(0, {})", count, pointer_to(this->type(scalar), pointer)));
    assign(load, fmt::format("*{}", pointer_to(this->type(type), pointer, is_volatile)));
  }

  void print_store(const llvm::StoreInst& store) {
    const auto* stored = store.getValueOperand();
    auto* type = stored->getType();
    const auto* pointer = store.getPointerOperand();
    const auto count = elements(type);
    auto* scalar = type->getScalarType();
    const auto size = layout_.getTypeStoreSize(scalar).getFixedValue();
    const bool is_volatile = store.isVolatile() || store.isAtomic();
    const auto text = value(stored);
    if (scalar->isHalfTy())
      return line(fmt::format("vstore_half{}_rte({}, 0, {});",
                              count == 1 ? "" : std::to_string(count), text,
                              pointer_to("half", pointer)));
    if (scalar->isBFloatTy()) {
      const auto shorts = pointer_to("ushort", pointer);
      if (count == 1) return line(fmt::format("*{} = (ushort)(as_uint({}) >> 16);", shorts, text));
      return line(fmt::format("vstore{0}(convert_ushort{0}(as_uint{0}({1}) >> 16), 0, {2});", count,
                              text, shorts));
    }
    if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() != size * 8) {
      if (count != 1) return void(refuse("a vector of odd integers in memory"));
      return line(fmt::format("*{} = {};", pointer_to(unsigned_type(size * 8), pointer), text));
    }
    if (store.getAlign().value() < size)
      return line(fmt::format("vstore{0}(as_uchar{0}({1}), 0, {2});", count * size, text,
                              pointer_to("uchar", pointer)));
    if (count > 1 && (count == 3 || store.getAlign().value() < count * size))
      return line(fmt::format("vstore{}({}, 0, {});", count, text,
                              pointer_to(this->type(scalar), pointer)));
    line(fmt::format("*{} = {};", pointer_to(this->type(type), pointer, is_volatile), text));
  }

  std::string bytes_to(llvm::Type* type, const std::string& bytes) {
    return fmt::format("as_{}({})", this->type(type), bytes);
  }

  static unsigned elements(const llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
  }

  void print_alloca(const llvm::AllocaInst& alloca) {
    const auto bytes = alloca.getAllocationSize(layout_);
    if (!bytes || !alloca.isStaticAlloca())
      return void(refuse("a private array of unknown length"));
    const auto name = fmt::format("array{}", arrays_++);
    declarations_ +=
        fmt::format("  uchar {}[{}] __attribute__((aligned({})));\n", name, bytes->getFixedValue(),
                    std::max<std::uint64_t>(alloca.getAlign().value(), 4));
    names_[&alloca] = name;
  }

  void print_atomic(const llvm::AtomicRMWInst& atomic) {
    auto* type = atomic.getType();
    const auto* pointer = atomic.getPointerOperand();
    const auto operand = value(atomic.getValOperand());
    const auto in_space = [&](const char* element) { return pointer_to(element, pointer, true); };
    if (type->isFloatTy()) {
      if (atomic.getOperation() == llvm::AtomicRMWInst::Xchg)
        return assign(atomic, fmt::format("atomic_xchg({}, {})", in_space("float"), operand));
      const char* suffix =
          pointer->getType()->getPointerAddressSpace() == threadgroup_space ? "local" : "global";
      switch (atomic.getOperation()) {
        case llvm::AtomicRMWInst::FAdd:
          return assign(atomic, helper(fmt::format("msci_atomic_add_{}", suffix),
                                       in_space("uint") + ", " + operand));
        case llvm::AtomicRMWInst::FSub:
          return assign(atomic, helper(fmt::format("msci_atomic_add_{}", suffix),
                                       in_space("uint") + ", -" + operand));
        default:
          return void(refuse("the atomic operation " + as_text(atomic)));
      }
    }
    const bool wide = type->isIntegerTy(64);
    if (!type->isIntegerTy(32) && !wide)
      return void(refuse("the atomic operation " + as_text(atomic)));
    const std::string prefix = wide ? "atom" : "atomic";
    if (wide) helpers_.insert("msci_int64_atomics");
    const auto call = [&](std::string_view name, bool is_signed = false) {
      const auto* element = is_signed ? signed_type(wide ? 64 : 32) : unsigned_type(wide ? 64 : 32);
      assign(atomic, fmt::format("{}_{}({}, {})", prefix, name, in_space(element),
                                 is_signed ? signed_value(atomic.getValOperand()) : operand));
    };
    switch (atomic.getOperation()) {
      case llvm::AtomicRMWInst::Add:
        return call("add");
      case llvm::AtomicRMWInst::Sub:
        return call("sub");
      case llvm::AtomicRMWInst::And:
        return call("and");
      case llvm::AtomicRMWInst::Or:
        return call("or");
      case llvm::AtomicRMWInst::Xor:
        return call("xor");
      case llvm::AtomicRMWInst::Xchg:
        return call("xchg");
      case llvm::AtomicRMWInst::UMin:
        return call("min");
      case llvm::AtomicRMWInst::UMax:
        return call("max");
      case llvm::AtomicRMWInst::Min:
        return call("min", true);
      case llvm::AtomicRMWInst::Max:
        return call("max", true);
      default:
        refuse("the atomic operation " + as_text(atomic));
    }
  }

  // The pair {old value, whether it was exchanged} is two variables.
  void print_exchange(const llvm::AtomicCmpXchgInst& exchange) {
    auto* type = exchange.getCompareOperand()->getType();
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return void(refuse("the atomic operation " + as_text(exchange)));
    if (type->isIntegerTy(64)) helpers_.insert("msci_int64_atomics");
    const auto old = pair_member(exchange, 0, type);
    const auto expected = value(exchange.getCompareOperand());
    line(fmt::format("{} = {}_cmpxchg({}, {}, {});", old, type->isIntegerTy(64) ? "atom" : "atomic",
                     pointer_to(this->type(type), exchange.getPointerOperand(), true), expected,
                     value(exchange.getNewValOperand())));
    line(fmt::format("{} = {} == {};",
                     pair_member(exchange, 1, llvm::Type::getInt1Ty(type->getContext())), old,
                     expected));
  }

  std::string pair_member(const Value& pair, unsigned index, llvm::Type* type) {
    auto& name = members_[{&pair, index}];
    if (name.empty()) {
      name = fmt::format("m{}", members_.size() - 1);
      declarations_ += fmt::format("  {} {};\n", this->type(type), name);
    }
    return name;
  }

  void print_extract_value(const llvm::ExtractValueInst& extract) {
    if (extract.getNumIndices() != 1 ||
        !llvm::isa<llvm::CallInst, llvm::AtomicCmpXchgInst>(extract.getAggregateOperand()))
      return void(refuse("the instruction " + as_text(extract)));
    assign(extract,
           pair_member(*extract.getAggregateOperand(), extract.getIndices()[0], extract.getType()));
  }

  // ---- vectors

  std::string element(const Value& vector, const Value& index) {
    auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index))
      return fmt::format("{}.s{:x}", value(&vector), constant->getZExtValue());
    // OpenCL has no such access; a vector lies in memory as its elements do.
    return fmt::format(
        "(({}*)&{})[{} & {}]", this->type(type->getElementType()), in_variable(vector),
        value(&index),
        std::max(1U, llvm::NextPowerOf2(type->getNumElements() - 1)
                         ? unsigned(llvm::NextPowerOf2(type->getNumElements() - 1)) - 1
                         : 0));
  }

  // The name of a variable that holds the value, whose address may be taken.
  std::string in_variable(const Value& vector) {
    if (llvm::isa<llvm::Instruction>(vector)) return value(&vector);
    const auto name = fmt::format("c{}", copies_++);
    declarations_ += fmt::format("  {} {} = {};\n", type(vector.getType()), name, value(&vector));
    return name;
  }

  void print_extract(const llvm::ExtractElementInst& extract) {
    const auto text = element(*extract.getVectorOperand(), *extract.getIndexOperand());
    assign(extract, is_mask(extract.getVectorOperandType()) ? text + " != 0" : text);
  }

  void print_insert(const llvm::InsertElementInst& insert) {
    if (llvm::isa<llvm::UndefValue>(insert.getOperand(0)))
      line(definition(insert) + ";");
    else
      assign(insert, value(insert.getOperand(0)));
    const auto* inserted = insert.getOperand(1);
    line(fmt::format("{} = {};", element(insert, *insert.getOperand(2)),
                     is_mask(insert.getType()) ? signed_value(inserted) : value(inserted)));
  }

  void print_shuffle(const llvm::ShuffleVectorInst& shuffle) {
    const auto width = elements(shuffle.getOperand(0)->getType());
    std::string parts;
    for (int lane : shuffle.getShuffleMask()) {
      parts += parts.empty() ? "" : ", ";
      if (lane < 0)
        parts += is_mask(shuffle.getType()) ? "0" : zero(shuffle.getType()->getScalarType());
      else
        parts += fmt::format("{}.s{:x}", value(shuffle.getOperand(unsigned(lane) < width ? 0 : 1)),
                             unsigned(lane) % width);
    }
    assign(shuffle, fmt::format("({})({})", type(shuffle.getType()), parts));
  }

  // ---- control flow

  void print_branch(llvm::BranchInst& branch) {
    auto& block = *branch.getParent();
    if (branch.isUnconditional()) return leave_for(block, *branch.getSuccessor(0));
    line(fmt::format("if ({}) {{", value(branch.getCondition())));
    leave_for(block, *branch.getSuccessor(0), "  ");
    line("}");
    leave_for(block, *branch.getSuccessor(1));
  }

  void print_switch(llvm::SwitchInst& choice) {
    auto& block = *choice.getParent();
    for (auto& option : choice.cases()) {
      line(fmt::format("if ({} == {}) {{", value(choice.getCondition()),
                       integer_text(option.getCaseValue()->getValue())));
      leave_for(block, *option.getCaseSuccessor(), "  ");
      line("}");
    }
    leave_for(block, *choice.getDefaultDest());
  }

  // ---- calls

  void print_call(const llvm::CallInst& call) {
    const auto* callee = call.getCalledFunction();
    if (!callee) return void(refuse("a call through a pointer"));
    if (callee->isIntrinsic()) return print_intrinsic(call, callee->getIntrinsicID());
    const auto name = callee->getName();
    if (name.starts_with("get_"))
      return assign(call, fmt::format("{}({})", name.str(), value(call.getArgOperand(0))));
    if (name.starts_with("msci.math.")) return print_math(call, name.drop_front(10).str());
    if (name == "msci.barrier.threadgroup") return print_barrier(call);
    if (name.starts_with("msci.check.")) return print_check(call);
    if (name == "msci.fence") return line("mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    if (name == "msci.simd.lane") return assign(call, thread_index + " & 31u");
    if (name == "msci.quad.lane") return assign(call, thread_index + " & 3u");
    if (const auto function = lane_function(name.str()))
      return print_lane_function(call, *function);
    if (name.starts_with("msci.texture.")) return void(refuse("textures"));
    refuse(fmt::format("a call of '{}', which has no body here", name.str()));
  }

  void print_barrier(const llvm::CallInst& barrier) {
    if (form_ == Form::direct)
      line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    else if (user_places_)
      wait(Wait::barrier, {{.posted = fmt::format("{}u", user_places_->number(barrier))}});
    else
      wait(Wait::barrier, {});
    if (user_places_) line(fmt::format("msci_pass(&checks, {});", value(barrier.getArgOperand(0))));
  }

  // ---- checks (check/runtime.h)

  std::string checked_beginning() const {
    if (!user_places_) return "";
    const bool has_threadgroup_memory =
        signature_.objects.size() > signature_.arguments.size() ||
        llvm::any_of(signature_.arguments, [](const KernelArgument& argument) {
          return argument.kind == KernelArgument::Kind::threadgroup;
        });
    return check_beginning(thread_index, has_threadgroup_memory);
  }

  // msci.check.NAME is the run-time function msci_check_NAME.
  void print_check(const llvm::CallInst& call) {
    auto text = call.getCalledFunction()->getName().str();
    std::replace(text.begin(), text.end(), '.', '_');
    text += "(&checks";
    for (const auto& argument : call.args()) text += ", " + value(argument);
    if (call.getType()->isVoidTy()) return line(text + ");");
    assign(call, text + ")");
  }

  // ---- threads that wait for each other (lanes.h)

  static std::optional<LaneFunction> lane_function_of(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* callee = call ? call->getCalledFunction() : nullptr;
    return callee ? lane_function(callee->getName().str()) : std::nullopt;
  }

  static bool acts_together(const llvm::Instruction& instruction) {
    const auto function = lane_function_of(instruction);
    return function && !function->is_barrier;
  }

  void print_lane_function(const llvm::CallInst& call, const LaneFunction& function) {
    lane_functions_.insert(function.name);
    if (form_ == Form::direct) {
      std::vector<std::string> arguments;
      for (unsigned i = 0; i < function.arguments; ++i)
        arguments.push_back(value(call.getArgOperand(i)));
      const auto text = fmt::format("{}({})", function.name, fmt::join(arguments, ", "));
      call.getType()->isVoidTy() ? line(text + ";") : assign(call, text);
    } else {
      wait(Wait::lanes, {});
    }
    pass_simdgroup_barrier(call);
  }

  void pass_simdgroup_barrier(const llvm::CallInst& call) {
    if (user_places_ && call.getCalledFunction()->getName() == "msci.barrier.simdgroup")
      line(fmt::format("msci_pass_simdgroup(&checks, {});", value(call.getArgOperand(0))));
  }

  std::string word(const Value& posted) {
    return posted.getType()->isFloatTy() ? fmt::format("as_uint({})", value(&posted))
                                         : value(&posted);
  }

  // Neighbouring functions, none of which needs another's answer, wait together.
  llvm::BasicBlock::iterator print_together(llvm::BasicBlock::iterator at) {
    std::vector<const llvm::CallInst*> calls;
    for (; calls.size() < most_words && acts_together(*at); ++at) {
      const auto& call = llvm::cast<llvm::CallInst>(*at);
      const bool needs_answer = llvm::any_of(
          call.args(), [&](const Value* argument) { return llvm::is_contained(calls, argument); });
      if (needs_answer) break;
      calls.push_back(&call);
    }
    std::vector<Word> words;
    for (const auto* call : calls) {
      const auto function = *lane_function_of(*call);
      lane_functions_.insert(function.name);
      words.push_back({.posted = function.arguments ? word(*call->getArgOperand(0)) : "0u",
                       .code = function.code,
                       .argument = function.travels ? value(call->getArgOperand(1)) : ""});
    }
    wait(Wait::lanes, words);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto answer = answer_to(words[i], i);
      assign(*calls[i],
             calls[i]->getType()->isFloatTy() ? fmt::format("as_float({})", answer) : answer);
    }
    return at;
  }

  // What a thread posts, and what is to be made of it: nothing, or the function of that code. One
  // with an argument reads another thread's word.
  struct Word {
    std::string posted;
    std::optional<unsigned> code;
    std::string argument;
    bool travels() const { return !argument.empty(); }
  };

  // Where the i-th word of a thread lies; those of the last time lie in the other half.
  std::string word_at(std::string_view turn, std::size_t i, std::string_view thread) const {
    return fmt::format("values[{} * half_values + {}u + {}]", turn, i * most_threads(), thread);
  }

  // Checks take 0 for the answer of a thread that is not there (check/lanes.h).
  std::string answer_to(const Word& word, std::size_t i) const {
    if (!word.travels()) return word_at("(1u - turn)", i, "thread");
    const auto source = fmt::format("source{}", i);
    const auto answer = word_at("(1u - turn)", i, source);
    if (!user_places_) return answer;
    return fmt::format(
        "({0} >= threads || places[(1u - turn) * half_places + {0}] != place ? 0u : {1})", source,
        answer);
  }

  // What threads wait for: all threads of the threadgroup, or those of their simdgroup.
  enum class Wait { barrier = barrier_kind, lanes = lanes_kind };

  // Posts words, waits, and goes on from there.
  void wait(Wait kind, const std::vector<Word>& words) {
    const auto number = ++places_;
    const auto place = fmt::format("{:#x}u", number << 1 | static_cast<unsigned>(kind));
    most_words_here_ = std::max(most_words_here_, words.size());
    std::string posts, combinations;
    for (std::size_t i = 0; i < words.size(); ++i) {
      posts += fmt::format("{} = {}; ", word_at("turn", i, "thread"), words[i].posted);
      if (words[i].travels()) {
        posts += fmt::format("source{} = msci_source({}u, thread, {}); ", i, *words[i].code,
                             words[i].argument);
        most_sources_here_ = std::max(most_sources_here_, i + 1);
      } else if (words[i].code) {
        combinations += fmt::format("msci_combine({}u, &{}, mask); ", *words[i].code,
                                    word_at("turn", i, "thread"));
      }
    }
    line(fmt::format("{}words = {}u; place = {}; goto wait;", posts, words.size(), place));
    body_ += fmt::format("resume{}:;\n", number);
    resumptions_ += fmt::format("    case {}: goto resume{};\n", place, number);
    if (!combinations.empty())
      combinations_ += fmt::format("      case {}: {}break;\n", place, combinations);
  }

  unsigned most_threads() const { return (signature_.cap() + 31) / 32 * 32; }

  std::string resumable_beginning() const {
    std::string sources;
    for (std::size_t i = 0; i < most_sources_here_; ++i)
      sources += fmt::format("  uint source{} = thread;\n", i);
    const auto half_values = most_threads() * std::max<std::size_t>(1, most_words_here_);
    return fmt::format(
        "  __local uint places[{0}], values[{1}], earliest[{2}];\n"
        "  const uint half_places = {3}u, half_values = {4}u;\n"
        "  const uint thread = {5};\n"
        "  const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
        "  uint place = 0, words = 0, turn = 0;\n"
        "{6}"
        "  bool goes_on = true;\n"
        "resume:;\n"
        "  if (!goes_on) {{\n"
        "    for (uint i = 0; i < words; ++i)\n"
        "      values[turn * half_values + i * half_places + thread] = "
        "values[(1u - turn) * half_values + i * half_places + thread];\n"
        "    goto wait;\n"
        "  }}\n"
        "  switch (place) {{\n"
        "{7}"
        "    default: goto {8};\n"
        "  }}\n",
        2 * most_threads(), 2 * half_values, most_threads() / 32, most_threads(), half_values,
        thread_index, sources, resumptions_, names_.at(&function_.getEntryBlock()));
  }

  std::string resumable_end() const {
    const auto combine =
        combinations_.empty()
            ? std::string()
            : fmt::format(
                  "    switch (earliest[thread / 32u]) {{\n{}      default: break;\n    }}\n",
                  combinations_);
    return fmt::format(
        "wait:;\n"
        "  places[turn * half_places + thread] = place;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "  if ((thread & 31u) == 0u) {{\n"
        "    uint mask = msci_lead(places + turn * half_places + thread, earliest + thread / 32u, "
        "min(32u, threads - thread));\n"
        "{0}"
        "  }}\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  goes_on = place != 0xffffffffu && place == earliest[thread / 32u] &&\n"
        "            ((place & 1u) != {1}u || msci_all_wait(earliest, (threads + 31u) / 32u));\n"
        "  bool all_returned = msci_all_returned(earliest, (threads + 31u) / 32u);\n"
        "{2}"
        "  turn = 1u - turn;\n"
        "  if (!all_returned) goto resume;\n",
        combine, barrier_kind,
        user_places_
            ? "  if (thread == 0u && !all_returned && msci_all_wait(earliest, (threads + 31u) / "
              "32u))\n    msci_meet(&checks, places + turn * half_places, values + turn * "
              "half_values, threads);\n"
            : "");
  }

  // msci.math.NAME.SUFFIX is OpenCL's NAME on that type.
  void print_math(const llvm::CallInst& call, const std::string& name) {
    const auto dot = name.rfind('.');
    const bool is_signed = name.compare(dot + 1, 1, "i") == 0;
    std::string arguments;
    for (const auto& argument : call.args()) {
      const bool as_signed = is_signed && argument->getType()->isIntegerTy();
      arguments +=
          (arguments.empty() ? "" : ", ") + (as_signed ? signed_value(argument) : value(argument));
    }
    assign(call, fmt::format("{}({})", name.substr(0, dot), arguments));
  }

  static const std::map<unsigned, std::string_view>& spellings() {
    static const std::map<unsigned, std::string_view> table{
#define MSCI_INTRINSIC(id, text) {llvm::Intrinsic::id, text},
#include "evaluator/translate/builtins.def"
#undef MSCI_INTRINSIC
    };
    return table;
  }

  void print_intrinsic(const llvm::CallInst& call, unsigned id) {
    switch (id) {
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::fshr:
        return print_funnel_shift(call, id == llvm::Intrinsic::fshl);
      case llvm::Intrinsic::bitreverse:
        return print_bit_reverse(call);
      case llvm::Intrinsic::bswap:
        return print_byte_swap(call);
      case llvm::Intrinsic::is_fpclass:
        return print_class_test(call);
      case llvm::Intrinsic::sincos:
        return print_sincos(call);
      case llvm::Intrinsic::frexp:
        return print_frexp(call);
      case llvm::Intrinsic::modf:
        return print_modf(call);
      case llvm::Intrinsic::umul_with_overflow:
      case llvm::Intrinsic::uadd_with_overflow:
        return print_with_overflow(call, id);
      default:
        break;
    }
    const auto spelling = spellings().find(id);
    if (spelling == spellings().end())
      return void(refuse("the intrinsic " + call.getCalledFunction()->getName().str()));
    if (spelling->second.empty()) return;
    const auto text = filled(spelling->second, call);
    const bool is_signed = spelling->second.find("$s") != std::string_view::npos;
    if (is_signed && call.getType()->getScalarType()->isIntegerTy())
      return assign(call, unsigned_again(trimmed(text, call.getType()), call.getType()));
    assign(call, rounded(trimmed(text, call.getType()), call.getType()));
  }

  std::string filled(std::string_view pattern, const llvm::CallInst& call) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '$') {
        text += pattern[i];
      } else if (pattern[i + 1] == 'T') {
        text += type(call.getType());
        ++i;
      } else if (pattern[i + 1] == 's') {
        text += signed_value(call.getArgOperand(pattern[i + 2] - '0'));
        i += 2;
      } else {
        text += value(call.getArgOperand(pattern[i + 1] - '0'));
        ++i;
      }
    }
    return text;
  }

  void print_funnel_shift(const llvm::CallInst& call, bool left) {
    const auto a = value(call.getArgOperand(0));
    const auto b = value(call.getArgOperand(1));
    const auto by = value(call.getArgOperand(2));
    const auto bits = call.getType()->getIntegerBitWidth();
    if (container_bits(bits) != bits) return void(refuse("the instruction " + as_text(call)));
    const auto* name = unsigned_type(bits);
    if (a == b)
      return assign(call, left ? fmt::format("rotate({}, {})", a, by)
                               : fmt::format("rotate({}, ({})-{})", a, name, by));
    const char* pattern =
        left ? "({3})({0} << ({2} & {4})) | ({3})(({1} >> 1) >> ({4} - ({2} & {4})))"
             : "({3})(({0} << 1) << ({4} - ({2} & {4}))) | ({3})({1} >> ({2} & {4}))";
    assign(call, fmt::format(fmt::runtime(pattern), a, b, by, name, bits - 1));
  }

  void print_bit_reverse(const llvm::CallInst& call) {
    const auto bits = call.getType()->getIntegerBitWidth();
    const auto a = value(call.getArgOperand(0));
    if (bits <= 32)
      return assign(call, fmt::format("({})({} >> {})", type(call.getType()),
                                      helper("msci_reverse_bits", "(uint)" + a), 32 - bits));
    helpers_.insert("msci_reverse_bits");
    assign(call, fmt::format("(((ulong)msci_reverse_bits((uint){0}) << 32) | "
                             "msci_reverse_bits((uint)({0} >> 32))) >> {1}",
                             a, 64 - bits));
  }

  void print_byte_swap(const llvm::CallInst& call) {
    const auto a = value(call.getArgOperand(0));
    switch (call.getType()->getIntegerBitWidth()) {
      case 16:
        return assign(call, fmt::format("as_ushort(as_uchar2({}).s10)", a));
      case 32:
        return assign(call, fmt::format("as_uint(as_uchar4({}).s3210)", a));
      case 64:
        return assign(call, fmt::format("as_ulong(as_uchar8({}).s76543210)", a));
      default:
        refuse("the instruction " + as_text(call));
    }
  }

  // llvm.is.fpclass: a mask of classes.
  void print_class_test(const llvm::CallInst& call) {
    if (!call.getArgOperand(0)->getType()->isFloatTy())
      return void(refuse("a class test of a half"));
    const auto a = value(call.getArgOperand(0));
    const auto mask = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue();
    assign(call, helper("msci_is_class", fmt::format("{}, {}u", a, mask)));
  }

  void print_sincos(const llvm::CallInst& call) {
    auto* real = call.getArgOperand(0)->getType();
    const auto a = value(call.getArgOperand(0));
    line(fmt::format("{} = {};", pair_member(call, 0, real),
                     rounded(fmt::format("sin({})", a), real)));
    line(fmt::format("{} = {};", pair_member(call, 1, real),
                     rounded(fmt::format("cos({})", a), real)));
  }

  void print_frexp(const llvm::CallInst& call) {
    auto* real = call.getArgOperand(0)->getType();
    auto* integer = llvm::cast<llvm::StructType>(call.getType())->getElementType(1);
    const auto exponent = fmt::format("e{}", copies_++);
    declarations_ += fmt::format("  int {};\n", exponent);
    line(fmt::format("{} = frexp({}, &{});", pair_member(call, 0, real),
                     value(call.getArgOperand(0)), exponent));
    line(fmt::format("{} = {};", pair_member(call, 1, integer), exponent));
  }

  void print_modf(const llvm::CallInst& call) {
    auto* real = call.getArgOperand(0)->getType();
    const auto whole = fmt::format("w{}", copies_++);
    declarations_ += fmt::format("  float {};\n", whole);
    line(fmt::format("{} = modf({}, &{});", pair_member(call, 0, real),
                     value(call.getArgOperand(0)), whole));
    line(fmt::format("{} = {};", pair_member(call, 1, real), whole));
  }

  void print_with_overflow(const llvm::CallInst& call, unsigned id) {
    auto* type = call.getArgOperand(0)->getType();
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return void(refuse("the instruction " + as_text(call)));
    const auto a = value(call.getArgOperand(0));
    const auto b = value(call.getArgOperand(1));
    const auto result = pair_member(call, 0, type);
    const auto overflow = pair_member(call, 1, llvm::Type::getInt1Ty(type->getContext()));
    if (id == llvm::Intrinsic::uadd_with_overflow) {
      line(fmt::format("{} = {} + {};", result, a, b));
      line(fmt::format("{} = {} < {};", overflow, result, a));
    } else {
      line(fmt::format("{} = {} * {};", result, a, b));
      line(fmt::format("{} = mul_hi({}, {}) != 0;", overflow, a, b));
    }
  }

  // Behind a checked array: where accesses go that must not happen.
  static constexpr std::uint64_t stray_bytes = 64;
  // x fastest, then y, then z.
  inline static const std::string thread_index =
      "(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + "
      "get_local_id(0))";

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  KernelSignature& signature_;
  Form form_;
  const std::map<const Value*, std::string>& tables_;
  std::set<std::string>& helpers_;
  LaneFunctions& lane_functions_;
  Places* user_places_;  // null in a plain text
  std::optional<Gap> gap_;
  std::map<const Value*, std::string> names_;
  std::map<const Value*, std::string> incoming_;
  std::map<std::pair<const Value*, unsigned>, std::string> members_;
  std::string parameters_;
  std::string declarations_;
  std::string body_;
  std::string resumptions_;
  std::string combinations_;
  unsigned places_ = 0;
  std::size_t most_words_here_ = 0;
  std::size_t most_sources_here_ = 0;
  unsigned values_ = 0;
  unsigned blocks_ = 0;
  unsigned arrays_ = 0;
  unsigned shared_ = 0;
  unsigned copies_ = 0;
};

// Program-scope tables, as words where their size allows.
Result<std::string> print_table(const llvm::GlobalVariable& table, const std::string& name) {
  const auto& layout = table.getDataLayout();
  std::vector<std::uint8_t> bytes(layout.getTypeAllocSize(table.getValueType()).getFixedValue());
  if (!flatten(layout, *table.getInitializer(), bytes, 0))
    return Error{
        fmt::format("cannot translate the program-scope constant '{}' yet: it holds an address",
                    table.getName().str())};
  const bool words = bytes.size() % 4 == 0;
  const std::size_t step = words ? 4 : 1;
  std::string text =
      fmt::format("__constant {} {}[{}] __attribute__((aligned(16))) = {{",
                  words ? "uint" : "uchar", name, std::max<std::size_t>(1, bytes.size() / step));
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < step; ++j) word |= std::uint32_t{bytes[i + j]} << (8 * j);
    text += fmt::format("{}{:#x}{}", i ? "," : "", word, words ? "u" : "");
  }
  return text + "};\n";
}

// What a device may promise that knows the buffers (evaluator/program.h).
constexpr std::string_view promises = "#ifndef MSCI_RESTRICT\n#define MSCI_RESTRICT\n#endif\n";

// From element to element: PoCL's compiler makes two instructions of a step of bytes, and unrolls
// loops half as far; NVIDIA's makes more of bytes (hmc by a third, nbody by a tenth).
constexpr std::string_view steps = R"(#ifdef MSCI_NATIVE_SIMDGROUPS
#define MSCI_STEP(space, type, pointer, count) ((pointer) + (count) * (long)sizeof(type))
#else
#define MSCI_STEP(space, type, pointer, count) ((space uchar*)((space type*)(pointer) + (count)))
#endif
)";

}  // namespace

Result<std::string> print(llvm::Module& ir, std::vector<KernelSignature>& kernels, Places* places) {
  std::map<const Value*, std::string> tables;
  std::string table_text;
  for (auto& variable : ir.globals()) {
    if (variable.getAddressSpace() != table_space || variable.use_empty()) continue;
    const auto name = fmt::format("table{}", tables.size());
    auto text = print_table(variable, name);
    if (!text) return text.error();
    table_text += *text;
    tables[&variable] = name;
  }
  std::string kernel_text;
  std::set<std::string> helpers;
  LaneFunctions lane_functions;
  bool any_resumable = false;
  for (auto& signature : kernels) {
    auto& function = *ir.getFunction(signature.symbol);
    signature.uses_simdgroups = uses_simdgroups(function);
    const auto in_form = [&](Form form) -> Result<std::string> {
      KernelPrinter printer(function, signature, form, tables, helpers, lane_functions, places);
      auto text = printer.print();
      if (const auto& gap = printer.gap())
        return Error{
            fmt::format("cannot translate kernel '{}' yet: it uses {}", signature.name, gap->what)};
      return text;
    };
    auto direct = in_form(Form::direct);
    if (!direct) return direct.error();
    if (!signature.uses_simdgroups && !needs_resumption(function)) {
      kernel_text += "\n" + *direct;
      continue;
    }
    auto resumable = in_form(Form::resumable);
    if (!resumable) return resumable.error();
    kernel_text +=
        fmt::format("\n#ifdef MSCI_NATIVE_SIMDGROUPS\n{}#else\n{}#endif\n", *direct, *resumable);
    any_resumable = true;
  }
  std::string helper_text;
  for (const auto& helper : helpers) helper_text += helper_source(helper);
  if (any_resumable)
    helper_text +=
        fmt::format("#ifdef MSCI_NATIVE_SIMDGROUPS{}#else{}#endif\n",
                    native_lane_helpers(lane_functions), resumable_lane_helpers(lane_functions));
  if (places) helper_text += check_runtime();
  return fmt::format("{}{}{}{}{}", places ? "" : promises, steps, helper_text, table_text,
                     kernel_text);
}

}  // namespace msci

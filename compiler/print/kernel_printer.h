// Prints one kernel. The class is defined over several files, by what they print: kernel.cpp (its
// head and its memory), control_flow.cpp, expressions.cpp, vectors.cpp, memory.cpp, calls.cpp,
// lanes.cpp (waiting for other threads), values.cpp (names and constants).
//
// It decides nothing: first_unsupported() has refused what OpenCL C cannot say.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/convergence.h"
#include "compiler/ir/lane_functions.h"
#include "compiler/print/opencl_types.h"
#include "compiler/print/print.h"
#include "tasks/plan/program.h"

namespace msci {

// How a kernel waits for other threads: by the device's own barriers and subgroups, or by posting
// where it stands and resuming there (lane_functions.h).
enum class Form { direct, resumable };

// What the kernels of one module share.
struct TextContext {
  bool names_lines = false;  // statements end with the lines of their debug locations
  std::map<const llvm::Value*, std::string> tables = {};  // names of program-scope constants
  TextParts parts = {};
};

class KernelPrinter {
 public:
  KernelPrinter(llvm::Function& function, KernelSignature& signature, Form form,
                TextContext& context)
      : function_(function),
        layout_(function.getDataLayout()),
        signature_(signature),
        form_(form),
        context_(context) {}

  std::string print();

 private:
  using Value = llvm::Value;

  // ---- the kernel's head
  void name_parameters();
  void declare_threadgroup_memory();

  // ---- names, values, statements
  std::string definition(const llvm::Instruction& instruction);
  std::string value(const Value* operand);
  std::string constant_text(const llvm::Constant& constant);
  std::string constant_pointer(const llvm::Constant& constant);
  std::string signed_value(const Value* operand);
  std::string rounded(std::string expression, const llvm::Type* type);
  std::string helper(const std::string& name, const std::string& arguments);
  std::string pair_member(const Value& pair, unsigned index, const llvm::Type* type);
  void line(const std::string& text);
  void assign(const llvm::Instruction& instruction, const std::string& expression);

  // ---- control flow
  void print_block(llvm::BasicBlock& block);
  const std::string& incoming(const llvm::PHINode& phi);
  void print_edge(llvm::BasicBlock& from, llvm::BasicBlock& to, const std::string& indent = "");
  std::string jump(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void print(llvm::Instruction& instruction);
  void print_branch(llvm::BranchInst& branch);
  void print_switch(llvm::SwitchInst& choice);

  // ---- expressions
  void print_binary(const llvm::BinaryOperator& binary);
  void print_select(const llvm::SelectInst& select);
  void print_compare(const llvm::CmpInst& compare);
  void print_cast(const llvm::CastInst& cast);
  std::string converted_vector(const llvm::CastInst& cast);
  std::string bits(const std::string& expression, const llvm::Type* from, const llvm::Type* to);
  std::string pack_halves(const std::string& expression, const llvm::Type* from);
  std::string unpack_halves(const std::string& expression, const llvm::Type* to);

  // ---- vectors
  std::string element(const Value& vector, const Value& index);
  std::string in_variable(const Value& vector);
  void print_extract(const llvm::ExtractElementInst& extract);
  void print_insert(const llvm::InsertElementInst& insert);
  void print_shuffle(const llvm::ShuffleVectorInst& shuffle);

  // ---- memory
  std::string address(const llvm::GEPOperator& pointer);
  std::string pointer_to(const std::string& element, const Value* pointer,
                         bool is_volatile = false);
  void print_load(const llvm::LoadInst& load);
  void print_store(const llvm::StoreInst& store);
  void print_alloca(const llvm::AllocaInst& alloca);
  void print_atomic(const llvm::AtomicRMWInst& atomic);
  void print_float_atomic(const llvm::AtomicRMWInst& atomic);
  void print_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void print_extract_value(const llvm::ExtractValueInst& extract);

  // ---- calls
  void print_call(const llvm::CallInst& call);
  void print_barrier();
  void print_math(const llvm::CallInst& call, const std::string& name);
  void print_intrinsic(const llvm::CallInst& call, unsigned id);
  std::string fill_pattern(std::string_view pattern, const llvm::CallInst& call);
  void print_funnel_shift(const llvm::CallInst& call, bool left);
  void print_bit_reverse(const llvm::CallInst& call);
  void print_byte_swap(const llvm::CallInst& call);
  void print_class_test(const llvm::CallInst& call);
  void print_sincos(const llvm::CallInst& call);
  void print_frexp(const llvm::CallInst& call);
  void print_modf(const llvm::CallInst& call);
  void print_with_overflow(const llvm::CallInst& call, unsigned id);

  // ---- threads that wait for each other

  // A value that a thread posts, and the function of all threads' values that replaces it, by code.
  struct Post {
    std::string value;
    std::optional<unsigned> combination = std::nullopt;
  };

  // Which threads are waited for: all threads of the threadgroup, or those of the simdgroup.
  enum class Wait { barrier = barrier_kind, lanes = lanes_kind };

  void print_lane_function(const llvm::CallInst& call, const LaneFunction& function);
  std::string posted_bits(const Value& posted);
  llvm::BasicBlock::iterator print_together(llvm::BasicBlock::iterator at);
  std::string posted_at(std::string_view turn, std::size_t i, std::string_view thread) const;
  std::string result_of(const llvm::CallInst& call, std::size_t i);
  std::string meet(Wait kind);
  std::string next_place(Wait kind);
  void wait(Wait kind, const std::vector<Post>& posts);
  unsigned most_threads() const;
  std::string resumable_beginning() const;
  std::string resumable_end() const;

  // x fastest, then y, then z.
  inline static const std::string thread_index =
      "(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + "
      "get_local_id(0))";

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  KernelSignature& signature_;
  Form form_;
  TextContext& context_;
  bool meets_ = false;             // in the direct form, before each lane function and barrier
  std::set<BackEdge> dispatched_;  // of the resumable form
  std::map<const llvm::BasicBlock*, unsigned> entries_;  // places at which loops are entered again
  std::map<const Value*, std::string> names_;
  std::map<const Value*, std::string> incoming_;
  std::map<std::pair<const Value*, unsigned>, std::string> members_;
  std::string parameters_;
  std::string declarations_;
  std::string body_;
  std::string resumptions_;
  std::string combinations_;
  unsigned waits_ = 0;
  std::size_t most_posts_ = 0;
  unsigned source_line_ = 0;  // of the instruction that is printed; 0 if it is unknown
  unsigned values_ = 0;
  unsigned blocks_ = 0;
  unsigned arrays_ = 0;
  unsigned shared_ = 0;
  unsigned copies_ = 0;
};

}  // namespace msci

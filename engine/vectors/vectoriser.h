// The class behind vectorise(), defined over several files by what they make: vectoriser.cpp
// (values and control flow), vector_operations.cpp, vector_memory.cpp, vector_rows.cpp (accesses of
// rows of lanes), vector_atomics.cpp, vector_calls.cpp, vector_guards.cpp, vector_lanes.cpp
// (functions of a simdgroup), vector_counts.cpp, vector_outcomes.cpp, and those of checks in
// checks/: vector_checks.cpp, vector_checked_rows.cpp and vector_row_records.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/ir/builtins.h"
#include "engine/vectors/vectorise.h"

namespace llvm {
class DISubprogram;
class Module;
}  // namespace llvm

namespace msci::engine {

// What differs among the lanes of a simdgroup: values, and which blocks only some lanes run.

// Of a specialised kernel, which must not change while this exists.
class Variation {
 public:
  explicit Variation(llvm::Function& kernel);
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;
  ~Variation();

  // Whether active lanes can have different values of it.
  bool differs(const llvm::Value& value) const;
  // Whether active lanes can leave the block in different directions.
  bool parts(const llvm::BasicBlock& block) const;

 private:
  struct Analyses;
  std::unique_ptr<Analyses> analyses_;
  llvm::UniformityInfo* uniformity_ = nullptr;
};

// The blocks in the order in which a simdgroup runs them. Lanes that part wait at the blocks that
// they go to; control goes to the first block in this order where lanes wait.
class BlockOrder {
 public:
  BlockOrder(llvm::Function& kernel, const Variation& variation);

  const std::vector<llvm::BasicBlock*>& blocks() const { return blocks_; }
  std::size_t index(const llvm::BasicBlock& block) const { return indices_.at(&block); }
  // Whether some lanes may wait elsewhere or have returned while others run the block.
  bool is_partial(const llvm::BasicBlock& block) const { return partial_[index(block)]; }
  // Later blocks where lanes may wait when control leaves that one.
  const std::vector<std::size_t>& waiting_after(std::size_t block) const {
    return waiting_after_[block];
  }
  // Whether lanes may wait at `to` already when others go there from `from`.
  bool may_join(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

 private:
  void find_partial(llvm::Function& kernel, const Variation& variation);
  void find_waiting(llvm::Function& kernel, const Variation& variation);

  std::vector<llvm::BasicBlock*> blocks_;
  std::map<const llvm::BasicBlock*, std::size_t> indices_;
  std::vector<bool> partial_;
  std::vector<std::vector<std::size_t>> waiting_after_;
};

// Which values grow by the same step from lane to lane: addresses of these are consecutive.

// In each row of `lanes` lanes, a value is that of the row's first lane and `step` more per lane;
// bytes for a pointer. The rows' first values may be anything.
struct RowShape {
  unsigned lanes = 32;
  std::int64_t step = 0;
  bool may_wrap = false;  // around the end of its integer type, between two lanes
  // It was extended after it may have wrapped: two lanes must be compared to know its steps.
  bool may_break = false;
  bool is_tested = false;  // it is a guess: the code compares all lanes
  bool operator==(const RowShape&) const = default;
};

class RowShapes {
 public:
  RowShapes(llvm::Function& kernel, const Variation& variation);

  // The shape of a value along a row of lanes, if it has one.
  std::optional<RowShape> of(const llvm::Value& value);
  // Whether it is computed from positions and what the lanes share, not from what lanes read.
  bool is_of_positions(const llvm::Value& value);

 private:
  std::optional<RowShape> find(const llvm::Value& value);
  std::optional<RowShape> of_call(const llvm::CallInst& call);
  std::optional<RowShape> of_binary(const llvm::BinaryOperator& binary);
  std::optional<RowShape> of_address(const llvm::GetElementPtrInst& address);
  std::optional<RowShape> of_phi(const llvm::PHINode& phi);
  void learn(const llvm::Value& value, std::optional<RowShape> shape);
  // What was learnt after the first `count` values may rest on an assumption that failed.
  void forget_since(std::size_t count);

  const Variation& variation_;
  std::map<const llvm::PHINode*, bool> heads_;  // phis at loop headers, and whether they are tried
  std::map<const llvm::Value*, std::optional<RowShape>> known_;
  std::vector<const llvm::Value*> learnt_;  // the keys of `known_`, in the order of time
  std::map<const llvm::Value*, bool> of_positions_;
};

// A value: one element for each element of its Metal vector, or each member of its pair. Each is a
// scalar if all lanes share it, otherwise a vector over the lanes.
using Parts = llvm::SmallVector<llvm::Value*, 4>;

// Whether numbers of the type, or its elements, are computed as floats.
inline bool is_small(llvm::Type* type) {
  return type->getScalarType()->isHalfTy() || type->getScalarType()->isBFloatTy();
}

// The value of a constant argument.
inline std::uint32_t number_of_constant(const llvm::Value& value) {
  return static_cast<std::uint32_t>(llvm::cast<llvm::ConstantInt>(value).getZExtValue());
}

class Vectoriser {
 public:
  Vectoriser(llvm::Function& from, const Variation& variation, const BlockOrder& order,
             RowShapes& shapes, llvm::Module& to, const VectorOptions& options);

  VectorKernel run();

 private:
  using Value = llvm::Value;
  using Type = llvm::Type;

  // The lanes that run a block: as bits, as a vector of bits, or all that exist.
  struct Mask {
    Value* bits = nullptr;
    Value* vector = nullptr;
    bool is_full = false;  // all 32 lanes exist and run
  };

  // A block of the kernel in the new function.
  struct Place {
    llvm::BasicBlock* body = nullptr;
    // Of a block that only some lanes may run: whether any waits, and where the others go.
    llvm::BasicBlock* check = nullptr;
    llvm::AllocaInst* waiting = nullptr;
  };

  // Forgets the values that were computed since it was made.
  class Scope {
   public:
    explicit Scope(Vectoriser& in)
        : in_(in), values_(in.value_log_.size()), projections_(in.projection_log_.size()) {}
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Vectoriser& in_;
    std::size_t values_;
    std::size_t projections_;
  };

  // ---- the function, its parameters, its memory (vectorise.cpp)
  void make_function();
  bool runs_along_x() const;
  void make_loop();
  void promise_what_is_alone();
  void load_simdgroup();
  void place_threadgroup_memory();
  void place_private_memory();
  void find_private_readers();
  Value* field(unsigned number, Type* type);
  llvm::AllocaInst* slot(Type* type, const llvm::Twine& name);

  // ---- types
  Type* mapped(Type* type) const;
  unsigned part_count(Type* type) const;
  Type* part_type(Type* type, unsigned part) const;
  Type* wide(Type* type) const { return llvm::FixedVectorType::get(type, 32); }

  // ---- values
  bool differs(const Value& value) const { return variation_.differs(value); }
  Parts parts(const Value& value, bool as_vectors);
  Parts native(const Value& value);
  Parts constant_parts(const llvm::Constant& constant);
  Value* constant_address(const llvm::Constant& constant);
  Value* constant_number(llvm::Constant& constant);
  Value* scalar(const Value& value) { return parts(value, false)[0]; }
  Value* vector(const Value& value) { return parts(value, true)[0]; }
  // That of the first active lane.
  Value* one_for_all(const Value& value);
  Value* splat(Value* value);
  void define(const llvm::Instruction& instruction, Parts parts);
  Value* projected(const Value& value, unsigned lane);
  Value* project(const Value& value, unsigned lane);

  // ---- masks
  Value* mask_bits() { return mask_.bits; }
  Value* mask_vector();
  Value* chosen(Value* condition, Value* yes, Value* no);
  Value* bits_of(Value* vector);
  Value* lane_numbers(Type* integer);
  Value* first_active();
  Value* all_active();

  // ---- control flow
  void make_places();
  void run_block(std::size_t index);
  void begin_body(std::size_t index);
  void leave(std::size_t index);
  void leave_apart(std::size_t index, llvm::BranchInst& branch);
  void arrive(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Mask& lanes);
  void go_to_first(std::size_t after, const std::vector<std::size_t>& also);
  void make_checks();
  llvm::BasicBlock* entry_of(std::size_t index, bool certain);
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  bool needs_slot(const llvm::Instruction& instruction) const;
  llvm::DebugLoc line_of(const llvm::Instruction& instruction) const;

  // ---- operations
  void visit(llvm::Instruction& instruction);
  void visit_binary(llvm::BinaryOperator& binary);
  Value* binary(const llvm::BinaryOperator& binary, Value* a, Value* b);
  Value* integer_division(const llvm::BinaryOperator& binary, Value* a, Value* b);
  Value* quotient_of_words(Value* a, Value* by, bool is_signed);
  void visit_compare(llvm::CmpInst& compare);
  void visit_select(llvm::SelectInst& select);
  void visit_cast(llvm::CastInst& cast);
  Parts reinterpreted(const Parts& from, Type* to, bool is_wide);
  void visit_extract(llvm::ExtractElementInst& extract);
  void visit_insert(llvm::InsertElementInst& insert);
  void visit_shuffle(llvm::ShuffleVectorInst& shuffle);
  void visit_address(llvm::GetElementPtrInst& address);
  Value* as_float(Value* small);
  Value* as_small(Value* real, Type* small);
  Type* like(Value* value, Type* element) const;

  // ---- memory
  void visit_load(llvm::LoadInst& load);
  void visit_store(llvm::StoreInst& store);
  struct Access;
  struct IndexedAddress;
  std::optional<IndexedAddress> index_of(const Value& pointer);
  Value* origin(const IndexedAddress& at, std::int64_t bytes);
  Value* lane_addresses(const Access& access, unsigned part);
  Parts load_uniform(const Access& access);
  Parts load_rows(const Access& access, const RowShape& shape);
  Parts load_anywhere(const Access& access);
  Parts load_quadruples(const Access& access);
  Parts load_pairs(const Access& access);
  void scatter(Value* values, Value* addresses, llvm::Align align);
  void store_pairs(const Access& access, const Parts& values);
  Value* load_from_words(const Access& access, Value* addresses);
  void store_rows(const Access& access, const RowShape& shape, const Parts& values);
  void store_anywhere(const Access& access, const Parts& values);
  std::optional<RowShape> rows_of(const Access& access);
  std::optional<RowShape> rows_to_test(const Access& access);
  Parts load_lanes(const Access& access);
  void store_lanes(const Access& access, const Parts& values);
  Value* follow(Value* numbers, const RowShape& shape, std::int64_t step, bool all_lanes);
  Value* rows_found(const Access& access, const RowShape& shape);
  Value* stays_in_type(Value* first, unsigned lanes, std::int64_t step, bool is_signed);
  Value* row_address(const Access& access, const RowShape& shape, unsigned first);
  Value* rows_hold(const Access& access, const RowShape& shape);
  void make_row_masks(const RowShape& shape);
  Value* row_mask(unsigned first, unsigned lanes);
  Parts load_private(const Access& access);
  void store_private(const Access& access, const Parts& values);
  Value* private_word(Value* offset, bool load, Value* stored);
  template <typename Yes, typename No>
  void either(Value* condition, Yes yes, No no);
  Parts either_value(Value* condition, llvm::function_ref<Parts()> yes,
                     llvm::function_ref<Parts()> no);

  // ---- atomics
  void visit_atomic(llvm::AtomicRMWInst& atomic);
  void visit_exchange(llvm::AtomicCmpXchgInst& exchange);
  void for_active_lanes(llvm::function_ref<void(Value* lane)> body);
  Value* combined(llvm::AtomicRMWInst::BinOp operation, Value* values);

  // ---- calls
  void visit_call(llvm::CallInst& call);
  void visit_intrinsic(llvm::CallInst& call);
  void visit_math(llvm::CallInst& call, llvm::StringRef name);
  Value* in_pieces(llvm::ArrayRef<Value*> arguments, unsigned width,
                   llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> compute);
  Value* math(const LaneMath& function, llvm::ArrayRef<Value*> arguments);
  Value* reciprocal_root(Value* x);
  bool is_x86() const;
  Value* call_on_lanes(llvm::StringRef name, llvm::ArrayRef<Value*> arguments, Type* result);
  void wait_for_threadgroup();

  // ---- the checked mode
  void visit_check(llvm::CallInst& call, llvm::StringRef name);
  void pass_simdgroup_checked(const llvm::CallInst& barrier);
  void check_fence(const llvm::CallInst& fence);
  void visit_checked_access(llvm::CallInst& call, llvm::StringRef name, bool is_threadgroup);
  void visit_checked_write(llvm::CallInst& call, bool is_threadgroup);
  void record_writes(llvm::CallInst& call, Value* site, Value* same);
  void visit_unwritten(llvm::CallInst& call);
  void visit_find(llvm::CallInst& call);
  void visit_base(llvm::CallInst& call);
  void visit_message(llvm::CallInst& call);
  void visit_birth(llvm::CallInst& call);
  llvm::AllocaInst* spilled_words(llvm::CallInst& call, unsigned first);
  void visit_loop_begin(llvm::CallInst& call);
  void wait_checked(const llvm::CallInst& barrier);
  Value* begin_checks(llvm::Function& outer, Value* words, Value* group, Value* index,
                      Value* lanes);
  llvm::CallInst* call_check(llvm::StringRef name, Type* result, llvm::ArrayRef<Value*> arguments);
  Value* check_site(const llvm::CallInst& call, unsigned align, unsigned location, unsigned kind,
                    bool is_threadgroup);
  void cover_accesses(const llvm::BasicBlock& block);
  Value* fingerprint(const Value& value);
  Value* active_bits(Value* holds);
  enum class Spill { offsets, numbers, values };  // what a check reads in memory
  llvm::AllocaInst* spilled(Value* value, Spill purpose);
  Value* object_word(const Value& object, unsigned word);
  void record_reads(Value* site, Value* offset, unsigned bytes, const Value& object);
  Value* order_of(Value* offsets, unsigned bytes);
  struct CheckedRows;
  std::optional<RowShape> rows_to_check(const llvm::CallInst& call);
  void check_rows(llvm::CallInst& call, llvm::StringRef name, Value* site, const RowShape& shape);
  Value* rows_are_inside(llvm::CallInst& call, const RowShape& shape,
                         llvm::ArrayRef<Value*> firsts);
  Value* none_wraps(const Value& wrapped);
  Parts redirected(llvm::CallInst& call, llvm::StringRef name, Value* site);
  void record_reads(llvm::CallInst& call, Value* site, const CheckedRows& rows);
  Value* lanes_of_row(const RowShape& shape, std::size_t row);
  struct RowsToRecord;
  struct ShadowRows;
  void record_rows(const RowsToRecord& access, llvm::function_ref<void()> by_calls);
  void note_launch_access(const ShadowRows& shadow);
  void record_row_writes(const ShadowRows& shadow, Value* has_reads, llvm::BasicBlock* calls);
  void record_row_reads(const ShadowRows& shadow, llvm::BasicBlock* calls);
  Value* suits_rows(const RowsToRecord& access, Value*& has_reads);
  Value* are_apart(const RowsToRecord& access);
  ShadowRows shadow_rows(const RowsToRecord& access);
  std::vector<Value*> recorded_rows(const ShadowRows& shadow, unsigned plane);
  Value* plane_address(const ShadowRows& shadow, std::size_t row, unsigned plane);
  void store_entries(const ShadowRows& shadow, unsigned plane, llvm::ArrayRef<Value*> entries);
  void store_second_reads(const ShadowRows& shadow, llvm::ArrayRef<Value*> read);
  Value* may_be_concurrent(Value* before, Value* now);
  Value* are_concurrent(Value* before, Value* now);
  std::vector<Value*> of_rows(const ShadowRows& shadow, llvm::ArrayRef<Value*> recorded,
                              Value* (Vectoriser::*test)(Value* before, Value* now));
  void require_order(const ShadowRows& shadow, llvm::ArrayRef<std::vector<Value*>> planes,
                     llvm::BasicBlock* calls);
  Value* holds_nowhere(const ShadowRows& shadow, llvm::ArrayRef<Value*> holds);
  std::vector<Value*> entries_after(const ShadowRows& shadow, llvm::ArrayRef<Value*> written,
                                    Value* same);
  bool needs_only_rows(const llvm::CallInst& call, const RowShape& shape) const;
  bool is_access_of_rows(const llvm::User& user, const Value& pointer, const RowShape& shape) const;
  struct CheckedAddress;
  std::optional<CheckedAddress> checked_rows_of(const Value& pointer);
  void when(Value* condition, llvm::function_ref<void()> body);
  void for_failing(Value* fails, llvm::function_ref<void(Value* lanes)> report);

  // ---- guards (vector_guards.cpp)
  void visit_guard(llvm::CallInst& call);
  Value* guarded(const llvm::CallInst& call, Value* address);

  // ---- counting (vector_counts.cpp)
  void count_block(const llvm::CallInst& call);
  void count_access(const llvm::CallInst& call);
  void call_counter(llvm::StringRef name, llvm::ArrayRef<Value*> arguments);

  // ---- coverage (vector_outcomes.cpp)
  void see_outcome(const llvm::CallInst& call);

  // ---- functions of a simdgroup
  void visit_lanes(llvm::CallInst& call, llvm::StringRef name);
  Value* combined_lanes(llvm::StringRef operation, Value* values, unsigned width);
  Value* prefix_lanes(llvm::StringRef operation, Value* values, unsigned width);
  Value* travelled(llvm::StringRef way, Value* values, Value* argument, unsigned width);
  Value* identity(llvm::StringRef operation, Type* type);
  Value* join(llvm::StringRef operation, bool is_signed, Value* a, Value* b);
  Value* active_or(Value* values, Value* otherwise);
  Value* shuffled(Value* values, llvm::ArrayRef<int> lanes);

  llvm::Function& from_;
  const llvm::DataLayout& layout_;
  const Variation& variation_;
  const BlockOrder& order_;
  RowShapes& shapes_;
  llvm::Module& to_;
  const VectorOptions& options_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;
  Type* i1_;
  Type* i8_;
  Type* i32_;
  Type* i64_;
  Type* f32_;
  Type* ptr_;

  VectorKernel result_;
  llvm::Function* function_ = nullptr;
  llvm::DISubprogram* line_table_ = nullptr;  // null if the kernel does not know its lines
  llvm::BasicBlock* entry_ = nullptr;
  llvm::Value* simdgroup_ = nullptr;
  llvm::Instruction* slots_end_ = nullptr;  // slots stand before it
  Value* private_memory_ = nullptr;
  Value* threadgroup_memory_ = nullptr;
  std::vector<bool> reads_private_later_;      // by block: whether control can come to a load of it
  bool keeps_private_ = true;                  // whether lanes that wait may read theirs later
  Value* checks_ = nullptr;                    // the SimdgroupChecks of a checked kernel
  Value* objects_ = nullptr;                   // its table of objects
  Value* shadows_[2] = {};                     // of device and of threadgroup memory
  Value* index_bits_ = nullptr;                // of a thread's index in its threadgroup, 64 bits
  bool orders_threads_ = false;                // it has a barrier or a fence
  Value* coverage_ = nullptr;                  // a byte for each location that the run has reached
  const llvm::BasicBlock* covered_ = nullptr;  // the last block whose accesses are noted there
  Value* position_ = nullptr;                  // its CheckedPosition
  Value* counter_ = nullptr;                   // the WorkCounter of a counted kernel
  Value* outcomes_ = nullptr;                  // of a covered kernel: a word for each
  unsigned barriers_ = 0;                      // of a checked kernel
  llvm::AllocaInst* spills_[3] = {};
  // Of the current block: the offsets that a check returns, where they may lie in rows.
  struct CheckedRows {
    RowShape shape;
    Value* hold = nullptr;     // whether they do
    Parts firsts;              // the offset of the first lane of each row
    bool stand_alone = false;  // where they hold, the offsets of the lanes are not computed
  };
  llvm::DenseMap<const Value*, CheckedRows> checked_rows_;
  // Plain accesses in rows, each of an element that lies right behind that of the lane before.
  struct RowsToRecord {
    const Value& object;
    unsigned bytes = 0;  // of an element
    unsigned location = 0;
    bool is_threadgroup = false;
    const CheckedRows& rows;
    bool is_write = false;
    Value* same = nullptr;  // of a write: the lanes that store what memory holds
  };
  Mask existing_;  // the lanes that exist
  Mask mask_;      // of the current block
  std::map<std::string, Value*> ids_;
  llvm::DenseMap<const Value*, Value*> globals_;
  std::map<const Value*, std::uint64_t> private_offsets_;
  std::vector<Place> places_;
  std::map<const Value*, llvm::SmallVector<llvm::AllocaInst*, 4>> slots_;
  std::map<const llvm::PHINode*, llvm::SmallVector<llvm::AllocaInst*, 4>> phi_slots_;

  llvm::DenseMap<const Value*, Parts> values_;  // of the current block
  std::vector<const Value*> value_log_;
  std::map<std::pair<const Value*, unsigned>, Value*> projections_;
  std::vector<std::pair<const Value*, unsigned>> projection_log_;
};

// Which instructions of generated code belong to which line of the source: for people who read it.

// The scope of locations in a function of the module. Its assembly then has directives (.loc) that
// name the lines; its machine code does not change.
llvm::DISubprogram* add_line_table(llvm::Module& to, llvm::StringRef function);

}  // namespace msci::engine

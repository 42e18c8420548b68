#include <llvm/IR/Module.h>

#include <numeric>

#include "analysis/check/check_layout.h"
#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/places.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

bool reaches_shadow(llvm::StringRef name) {
  return name == "wait" || name == "unwritten" || name.starts_with("read") ||
         name.starts_with("write");
}

// Of a call that checks an access; none for other instructions.
std::optional<std::uint32_t> location_of_access(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction()) return std::nullopt;
  auto name = call->getCalledFunction()->getName();
  if (!name.consume_front("msci.check.")) return std::nullopt;
  if (name.starts_with("read.") || name == "reach")
    return number_of_constant(*call->getArgOperand(4));
  if (name.starts_with("write.")) return number_of_constant(*call->getArgOperand(3));
  return std::nullopt;
}

std::uint32_t place_of(const llvm::CallInst& barrier) {
  const auto* node = barrier.getMetadata(place_metadata);
  if (!node) return 0;
  return number_of_constant(*llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0)));
}

}  // namespace

// Calls a function of check_functions.h, which reads its arguments and memory that no kernel can
// reach; for some, the shadow is part of that, which generated code reads and writes, too.
llvm::CallInst* Vectoriser::call_check(llvm::StringRef name, Type* result,
                                       llvm::ArrayRef<Value*> arguments) {
  std::vector<Value*> all{checks_};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<Type*> types;
  for (auto* argument : all) types.push_back(argument->getType());
  auto callee = to_.getOrInsertFunction(("msci_engine_check_" + name).str(),
                                        llvm::FunctionType::get(result, types, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotThrow();
  if (!reaches_shadow(name))
    declared->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
  return builder_.CreateCall(callee, all);
}

void Vectoriser::visit_check(llvm::CallInst& call, llvm::StringRef name) {
  if (name.starts_with("read."))
    return visit_checked_access(call, "read", name == "read.threadgroup");
  if (name == "reach") return visit_checked_access(call, "reach", false);
  if (name.starts_with("write."))
    return visit_checked_write(call, name.starts_with("write.threadgroup"));
  if (name == "loop") return visit_loop_begin(call);
  if (name == "find") return visit_find(call);
  if (name == "base") return visit_base(call);
  if (name.starts_with("log.")) return visit_message(call);
  if (name == "hold") {
    auto* fails = builder_.CreateNot(vector(*call.getArgOperand(0)));
    return for_failing(fails, [&](Value* lanes) {
      call_check("hold", builder_.getVoidTy(),
                 {call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(3), lanes});
    });
  }
  if (name == "birth") return visit_birth(call);
  if (name == "unwritten") return visit_unwritten(call);
  if (name != "used")
    llvm::report_fatal_error("visit_check() has no vector form of msci.check." + name);
  auto* origins = vector(*call.getArgOperand(0));
  auto* none = llvm::Constant::getNullValue(origins->getType());
  for_failing(builder_.CreateICmpNE(origins, none), [&](Value* lanes) {
    call_check("used", builder_.getVoidTy(),
               {spilled(origins, Spill::numbers), call.getArgOperand(1), lanes});
  });
}

// Calls `report` with those of the active lanes for which `fails` is true, if there are any.
void Vectoriser::for_failing(Value* fails, llvm::function_ref<void(Value* lanes)> report) {
  auto* lanes = active_bits(fails);
  when(builder_.CreateIsNotNull(lanes), [&] { report(lanes); });
}

void Vectoriser::when(Value* condition, llvm::function_ref<void()> body) {
  auto* then = new_block("when");
  auto* join = new_block("join");
  builder_.CreateCondBr(condition, then, join);
  builder_.SetInsertPoint(then);
  {
    const Scope scope(*this);
    body();
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

// A bit for each active lane where that is true.
Vectoriser::Value* Vectoriser::active_bits(Value* holds) {
  return bits_of(chosen(mask_vector(), holds, llvm::ConstantInt::getFalse(wide(i1_))));
}

// A value in memory, until the next one for the same purpose.
llvm::AllocaInst* Vectoriser::spilled(Value* value, Spill purpose) {
  auto*& memory = spills_[static_cast<unsigned>(purpose)];
  if (!memory) {
    memory = slot(value->getType(), "checked");
    memory->setAlignment(llvm::Align(64));
  }
  builder_.CreateAlignedStore(value, memory, llvm::Align(64));
  return memory;
}

Vectoriser::Value* Vectoriser::check_site(const llvm::CallInst& call, unsigned align,
                                          unsigned location, unsigned kind, bool is_threadgroup) {
  const std::uint32_t site[] = {number_of_constant(*call.getArgOperand(1)), align, location, kind,
                                is_threadgroup};
  auto* contents = llvm::ConstantDataArray::get(context_, site);
  auto* constant = new llvm::GlobalVariable(to_, contents->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, contents, "site");
  constant->setAlignment(llvm::Align(4));
  return constant;
}

// Notes that the run has reached the accesses of a block, at the first of them. All processors
// share the log, so only what is not noted yet is stored there (cover() of fault_log.h). Blocks may
// share places, those of an inlined function, so none of them stands for the others.
void Vectoriser::cover_accesses(const llvm::BasicBlock& block) {
  if (covered_ == &block) return;
  covered_ = &block;
  llvm::SmallVector<Value*> places;
  for (const auto& instruction : block)
    if (const auto location = location_of_access(instruction))
      places.push_back(builder_.CreateConstGEP1_64(i8_, coverage_, *location));
  Value* seen = builder_.getInt8(1);
  for (auto* each : places) seen = builder_.CreateAnd(seen, builder_.CreateLoad(i8_, each));
  when(builder_.CreateIsNull(seen), [&] {
    for (auto* each : places) builder_.CreateStore(builder_.getInt8(1), each);
  });
}

// NAME(offset, bytes, align, object, location, wrapped, kind): the offset to access. Where all
// lanes stay inside one object, only a read whose object is tracked needs a call.
void Vectoriser::visit_checked_access(llvm::CallInst& call, llvm::StringRef name,
                                      bool is_threadgroup) {
  const auto* object = call.getArgOperand(3);
  const auto number = [&](unsigned i) { return number_of_constant(*call.getArgOperand(i)); };
  auto* site = check_site(call, number(2), number(4), number(6), is_threadgroup);
  cover_accesses(*call.getParent());
  if (differs(*object)) {
    auto* offset = vector(*call.getArgOperand(0));
    auto* offsets = spilled(offset, Spill::offsets);
    std::vector<Value*> passed{site, offsets, mask_bits(), spilled(vector(*object), Spill::numbers),
                               active_bits(vector(*call.getArgOperand(5)))};
    if (name == "read") passed.push_back(order_of(offset, number(1)));
    call_check((name + ".objects").str(), builder_.getVoidTy(), passed);
    return define(call, {builder_.CreateAlignedLoad(wide(i64_), offsets, llvm::Align(64))});
  }
  if (const auto shape = rows_to_check(call)) return check_rows(call, name, site, *shape);
  const bool is_shared = !differs(call);
  auto* offset = parts(*call.getArgOperand(0), !is_shared)[0];
  auto* wrapped = parts(*call.getArgOperand(5), !is_shared)[0];
  const auto all = [&](Value* value) { return is_shared ? value : splat(value); };
  const auto bits = [&](Value* holds) {
    return is_shared ? builder_.CreateSelect(holds, mask_bits(), builder_.getInt32(0))
                     : active_bits(holds);
  };
  auto* at = builder_.CreateSub(offset, all(object_word(*object, ObjectTable::first_byte)));
  auto* size = builder_.getInt64(number(1));
  auto* last = builder_.CreateSub(object_word(*object, ObjectTable::bytes), size);
  // What is allocated begins where any type may lie.
  auto* low_bits = builder_.CreateAnd(offset, all(builder_.getInt64(number(2) - 1)));
  auto* is_outside = builder_.CreateOr(builder_.CreateICmpUGT(at, all(last)), wrapped);
  is_outside = builder_.CreateOr(is_outside, builder_.CreateIsNotNull(low_bits));
  auto* fits = builder_.CreateICmpUGE(object_word(*object, ObjectTable::bytes), size);
  auto* is_fine = builder_.CreateAnd(fits, builder_.CreateIsNull(bits(is_outside)));
  const auto fine = [&]() -> Parts {
    if (name == "read") record_reads(site, offset, number(1), *object);
    return {offset};
  };
  const auto redirected = [&]() -> Parts {
    if (is_shared)
      return {call_check((name + ".shared").str(), i64_,
                         {site, offset, mask_bits(), scalar(*object), bits(wrapped)})};
    return this->redirected(call, name, site);
  };
  define(call, either_value(is_fine, fine, redirected));
}

// The offsets after a call that moves those that must not be accessed.
Parts Vectoriser::redirected(llvm::CallInst& call, llvm::StringRef name, Value* site) {
  auto* offset = vector(*call.getArgOperand(0));
  auto* offsets = spilled(offset, Spill::offsets);
  std::vector<Value*> passed{site, offsets, mask_bits(), scalar(*call.getArgOperand(3)),
                             active_bits(vector(*call.getArgOperand(5)))};
  if (name == "read")
    passed.push_back(order_of(offset, number_of_constant(*call.getArgOperand(1))));
  call_check(name, builder_.getVoidTy(), passed);
  return {builder_.CreateAlignedLoad(wide(i64_), offsets, llvm::Align(64))};
}

// unwritten(offset, bytes, object, location): where the values come from. Mostly no read at the
// location has found memory that was never written, as the log says.
void Vectoriser::visit_unwritten(llvm::CallInst& call) {
  const auto location = number_of_constant(*call.getArgOperand(3));
  const bool is_shared = !differs(call);
  auto* type = is_shared ? i32_ : wide(i32_);
  auto* log = builder_.CreateLoad(ptr_, checks_);
  static_assert(offsetof(SimdgroupChecks, log) == 0);
  auto* seen = builder_.CreateLoad(
      i32_, builder_.CreateConstGEP1_64(i8_, log, 8 * CheckLog::seen_at + 4 * location));
  const auto kind = 1U << static_cast<unsigned>(Fault::Kind::uninitialised);
  define(call,
         either_value(
             builder_.CreateIsNotNull(builder_.CreateAnd(seen, builder_.getInt32(kind))),
             [&]() -> Parts {
               auto* site = check_site(call, 1, location, 0, true);
               auto* lanes =
                   call_check("unwritten", i32_,
                              {site, spilled(vector(*call.getArgOperand(0)), Spill::offsets),
                               mask_bits(), scalar(*call.getArgOperand(2))});
               auto* some = is_shared ? builder_.CreateIsNotNull(lanes)
                                      : builder_.CreateBitCast(lanes, wide(i1_));
               auto* origin = llvm::ConstantInt::get(type, origin_unwritten | (location + 1));
               return {builder_.CreateSelect(some, origin, llvm::Constant::getNullValue(type))};
             },
             [&]() -> Parts { return {llvm::Constant::getNullValue(type)}; }));
}

// The numbers of the objects that addresses lead into.
void Vectoriser::visit_find(llvm::CallInst& call) {
  const auto& address = *call.getArgOperand(0);
  if (!differs(call)) return define(call, {call_check("find", i32_, {scalar(address)})});
  auto* numbers = spilled(llvm::Constant::getNullValue(wide(i32_)), Spill::numbers);
  call_check("find.lanes", builder_.getVoidTy(),
             {spilled(vector(address), Spill::offsets), mask_bits(), numbers});
  define(call, {builder_.CreateAlignedLoad(wide(i32_), numbers, llvm::Align(64))});
}

// Pointers to where the memories of objects begin.
void Vectoriser::visit_base(llvm::CallInst& call) {
  const auto& object = *call.getArgOperand(0);
  if (!differs(call)) return define(call, {call_check("base", ptr_, {scalar(object)})});
  auto* addresses = spilled(llvm::Constant::getNullValue(wide(i64_)), Spill::values);
  call_check("base.lanes", builder_.getVoidTy(),
             {spilled(vector(object), Spill::numbers), mask_bits(), addresses});
  auto* loaded = builder_.CreateAlignedLoad(wide(i64_), addresses, llvm::Align(64));
  define(call, {builder_.CreateIntToPtr(loaded, wide(ptr_))});
}

// log.N(number, place, words...): the words of all lanes go through memory.
void Vectoriser::visit_message(llvm::CallInst& call) {
  const auto count = call.arg_size() - 2;
  auto* words = spilled_words(call, 2);
  call_check(
      "log", builder_.getVoidTy(),
      {call.getArgOperand(0), call.getArgOperand(1), words, builder_.getInt32(count), mask_bits()});
}

// birth(is_fine, location, operation, read_at, object, words...)
void Vectoriser::visit_birth(llvm::CallInst& call) {
  constexpr unsigned constants = 5;
  auto* fails = builder_.CreateNot(vector(*call.getArgOperand(0)));
  for_failing(fails, [&](Value* lanes) {
    auto* words = spilled_words(call, constants);
    call_check("birth", builder_.getVoidTy(),
               {call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(3),
                call.getArgOperand(4), words, lanes});
  });
}

// The arguments from `first` on in memory, each with one word for each lane.
llvm::AllocaInst* Vectoriser::spilled_words(llvm::CallInst& call, unsigned first) {
  const auto count = call.arg_size() - first;
  auto* type = wide(i64_);
  auto* words = slot(llvm::ArrayType::get(type, std::max(1U, count)), "message");
  words->setAlignment(llvm::Align(64));
  for (unsigned i = 0; i < count; ++i)
    builder_.CreateAlignedStore(vector(*call.getArgOperand(first + i)),
                                builder_.CreateConstGEP1_64(type, words, i), llvm::Align(64));
  return words;
}

// A word of an object in the ObjectTable.
Vectoriser::Value* Vectoriser::object_word(const Value& object, unsigned word) {
  auto* row = builder_.CreateMul(builder_.CreateZExt(scalar(object), i64_),
                                 builder_.getInt64(ObjectTable::words_per_object));
  auto* index = builder_.CreateAdd(row, builder_.getInt64(ObjectTable::header_words + word));
  auto* load = builder_.CreateLoad(i64_, builder_.CreateGEP(i64_, objects_, index));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  return load;
}

// Records reads of one object, if its accesses are recorded.
void Vectoriser::record_reads(Value* site, Value* offset, unsigned bytes, const Value& object) {
  auto* untracked = builder_.getInt64(ObjectTable::untracked);
  when(builder_.CreateICmpNE(object_word(object, ObjectTable::shadow_at), untracked), [&] {
    auto* type = builder_.getVoidTy();
    if (offset->getType()->isVectorTy())
      call_check("read.inside", type,
                 {site, spilled(offset, Spill::offsets), mask_bits(), scalar(object),
                  order_of(offset, bytes)});
    else
      call_check("read.inside.shared", type, {site, offset, mask_bits(), scalar(object)});
  });
}

// The lanes whose offset is `bytes` more than that of the lane before, and from bit 32 on those
// whose offset is that much or more. They are found here, since the processor waits where it loads
// beside what it has just stored.
Vectoriser::Value* Vectoriser::order_of(Value* offsets, unsigned bytes) {
  llvm::SmallVector<int> before(lane_count);
  std::iota(before.begin() + 1, before.end(), 0);
  auto* steps = builder_.CreateSub(offsets, builder_.CreateShuffleVector(offsets, before));
  auto* size = splat(builder_.getInt64(bytes));
  const auto bits = [&](Value* holds) { return builder_.CreateZExt(bits_of(holds), i64_); };
  return builder_.CreateOr(
      bits(builder_.CreateICmpEQ(steps, size)),
      builder_.CreateShl(bits(builder_.CreateICmpSGE(steps, size)), lane_count));
}

// write(offset, bytes, object, location, kind, same) and the stored value, if it is known.
void Vectoriser::visit_checked_write(llvm::CallInst& call, bool is_threadgroup) {
  cover_accesses(*call.getParent());
  const auto* object = call.getArgOperand(2);
  auto* site = check_site(call, 1, number_of_constant(*call.getArgOperand(3)),
                          number_of_constant(*call.getArgOperand(4)), is_threadgroup);
  auto* same = active_bits(vector(*call.getArgOperand(5)));
  const auto rows = checked_rows_.find(call.getArgOperand(0));
  if (rows == checked_rows_.end() || differs(*object) ||
      rows->second.shape.step != number_of_constant(*call.getArgOperand(1)))
    return record_writes(call, site, same);
  either_value(
      rows->second.hold,
      [&]() -> Parts {
        const auto& checked = rows->second;
        const RowsToRecord writes{.object = *object,
                                  .bytes = number_of_constant(*call.getArgOperand(1)),
                                  .location = number_of_constant(*call.getArgOperand(3)),
                                  .is_threadgroup = is_threadgroup,
                                  .rows = checked,
                                  .is_write = true,
                                  .same = same};
        record_rows(writes, [&] {
          for (std::size_t row = 0; row < checked.firsts.size(); ++row)
            call_check("write.row", builder_.getVoidTy(),
                       {site, checked.firsts[row], lanes_of_row(checked.shape, row),
                        builder_.getInt32(static_cast<unsigned>(row) * checked.shape.lanes),
                        scalar(*object), same});
        });
        return {};
      },
      [&]() -> Parts {
        record_writes(call, site, same);
        return {};
      });
}

// Writes of any lanes to any objects.
void Vectoriser::record_writes(llvm::CallInst& call, Value* site, Value* same) {
  const auto* object = call.getArgOperand(2);
  Value* values = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (call.arg_size() > 6) values = spilled(fingerprint(*call.getArgOperand(6)), Spill::values);
  auto* offsets = vector(*call.getArgOperand(0));
  const bool has_objects = differs(*object);
  auto* objects = has_objects ? spilled(vector(*object), Spill::numbers) : scalar(*object);
  call_check(has_objects ? "write.objects" : "write", builder_.getVoidTy(),
             {site, spilled(offsets, Spill::offsets), mask_bits(), objects, same, values,
              order_of(offsets, number_of_constant(*call.getArgOperand(1)))});
}

// A number for each lane by which the values of two lanes are told apart.
Vectoriser::Value* Vectoriser::fingerprint(const Value& value) {
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;  // odd, of no pattern
  Value* all = nullptr;
  for (auto* part : parts(value, true)) {
    auto* integer = builder_.getIntNTy(part->getType()->getScalarSizeInBits());
    auto* bits = builder_.CreateZExt(builder_.CreateBitCast(part, wide(integer)), wide(i64_));
    if (all)
      bits = builder_.CreateAdd(
          bits, builder_.CreateMul(all, llvm::ConstantInt::get(wide(i64_), multiplier)));
    all = bits;
  }
  return all;
}

void Vectoriser::visit_loop_begin(llvm::CallInst& call) {
  const auto store = [&](Value* value, unsigned offset) {
    builder_.CreateStore(value, builder_.CreateConstGEP1_64(i8_, position_, offset),
                         /*isVolatile=*/true);
  };
  store(call.getArgOperand(0), offsetof(CheckedPosition, loop));
  store(mask_bits(), offsetof(CheckedPosition, lanes));
}

void Vectoriser::wait_checked(const llvm::CallInst& barrier) {
  result_.waits = true;
  call_check("wait", builder_.getVoidTy(),
             {one_for_all(*barrier.getArgOperand(0)), builder_.getInt32(place_of(barrier)),
              builder_.getInt32(++barriers_), mask_bits()});
}

void Vectoriser::pass_simdgroup_checked(const llvm::CallInst& barrier) {
  call_check(
      "pass_simdgroup", builder_.getVoidTy(),
      {one_for_all(*barrier.getArgOperand(0)), builder_.getInt32(place_of(barrier)), mask_bits()});
}

void Vectoriser::check_fence(const llvm::CallInst& fence) {
  result_.checks_fences = true;
  call_check("fence", builder_.getVoidTy(),
             {one_for_all(*fence.getArgOperand(0)), one_for_all(*fence.getArgOperand(1)),
              one_for_all(*fence.getArgOperand(2)), mask_bits()});
}

// Memory for the checks of one simdgroup, in the function that runs them one after another.
Vectoriser::Value* Vectoriser::begin_checks(llvm::Function& outer, Value* words, Value* group,
                                            Value* index, Value* lanes) {
  llvm::IRBuilder<> at(&*outer.getEntryBlock().getFirstInsertionPt());
  auto* type = llvm::ArrayType::get(i64_, sizeof(SimdgroupChecks) / sizeof(std::uint64_t));
  checks_ = at.CreateAlloca(type, nullptr, "checks");
  auto* after = builder_.CreateConstGEP1_64(i64_, words, from_.arg_size());
  call_check("begin", builder_.getVoidTy(), {outer.getArg(0), after, group, index, lanes});
  return checks_;
}

}  // namespace msci::engine

// Checks of accesses in rows of lanes: the first and the last lane of a row stand for all.
#include <bit>

#include "analysis/check/check_layout.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vector_access.h"

namespace msci::engine {
namespace {

bool is_of_threadgroup(const llvm::CallInst& call) {
  return call.getCalledFunction()->getName().contains(".threadgroup");
}

bool is_guard(const llvm::CallInst* call) {
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(guard_prefix);
}

// An element at a number of bytes behind `base`.
bool is_at_offset(const llvm::GetElementPtrInst* address) {
  return address && address->getSourceElementType()->isIntegerTy(8);
}

}  // namespace

// The shape by which offsets can be checked row by row.
std::optional<RowShape> Vectoriser::rows_to_check(const llvm::CallInst& call) {
  constexpr unsigned least_lanes = 8;
  if (!differs(call)) return std::nullopt;
  const auto shape = shapes_.of(*call.getArgOperand(0));
  const auto align = std::int64_t{number_of_constant(*call.getArgOperand(2))};
  const bool suits = shape && !shape->is_tested && shape->lanes >= least_lanes &&
                     shape->step != 0 && shape->step % align == 0;
  return suits ? shape : std::nullopt;
}

void Vectoriser::check_rows(llvm::CallInst& call, llvm::StringRef name, Value* site,
                            const RowShape& shape) {
  const auto& offset = *call.getArgOperand(0);
  CheckedRows rows{.shape = shape, .stand_alone = needs_only_rows(call, shape)};
  for (unsigned first = 0; first < lane_count; first += shape.lanes)
    rows.firsts.push_back(projected(offset, first));
  rows.hold = rows_are_inside(call, shape, rows.firsts);
  auto offsets = either_value(
      rows.hold,
      [&]() -> Parts {
        if (name == "read") record_reads(call, site, rows);
        Parts same{rows.stand_alone ? llvm::PoisonValue::get(wide(i64_)) : vector(offset)};
        same.append(rows.firsts);
        return same;
      },
      [&]() -> Parts {
        auto moved = redirected(call, name, site);
        for (unsigned first = 0; first < lane_count; first += shape.lanes)
          moved.push_back(builder_.CreateExtractElement(moved[0], first));
        return moved;
      });
  rows.firsts.assign(offsets.begin() + 1, offsets.end());
  define(call, {offsets[0]});
  checked_rows_[&call] = std::move(rows);
}

// Whether all lanes, also those that do not run, stay inside of the object and follow the first
// lane of their row, and no index of a lane that runs has wrapped around.
Vectoriser::Value* Vectoriser::rows_are_inside(llvm::CallInst& call, const RowShape& shape,
                                               llvm::ArrayRef<Value*> firsts) {
  const auto& offset = *call.getArgOperand(0);
  const auto* object = call.getArgOperand(3);
  auto* size = builder_.getInt64(number_of_constant(*call.getArgOperand(1)));
  auto* begin = object_word(*object, ObjectTable::first_byte);
  auto* bytes = object_word(*object, ObjectTable::bytes);
  auto* most = builder_.CreateSub(bytes, size);
  auto* are =
      builder_.CreateAnd(builder_.CreateICmpUGE(bytes, size), none_wraps(*call.getArgOperand(5)));
  const auto require = [&](Value* holds) { are = builder_.CreateAnd(are, holds); };
  const auto length = (std::int64_t{shape.lanes} - 1) * shape.step;
  for (std::size_t row = 0; row < firsts.size(); ++row) {
    auto* first = firsts[row];
    auto* last = projected(offset, static_cast<unsigned>(row + 1) * shape.lanes - 1);
    for (auto* each : {first, last})
      require(builder_.CreateICmpULE(builder_.CreateSub(each, begin), most));
    auto* low_bits = builder_.getInt64(number_of_constant(*call.getArgOperand(2)) - 1);
    require(builder_.CreateIsNull(builder_.CreateAnd(first, low_bits)));
    if (shape.may_break)
      require(builder_.CreateICmpEQ(builder_.CreateSub(last, first),
                                    builder_.getInt64(static_cast<std::uint64_t>(length))));
  }
  return are;
}

// Whether that is false in all lanes that run.
Vectoriser::Value* Vectoriser::none_wraps(const Value& wrapped) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&wrapped); known && known->isZero())
    return builder_.getTrue();
  return differs(wrapped) ? builder_.CreateIsNull(active_bits(vector(wrapped)))
                          : builder_.CreateNot(scalar(wrapped));
}

// Records reads of rows, if the accesses of their object are recorded.
void Vectoriser::record_reads(llvm::CallInst& call, Value* site, const CheckedRows& rows) {
  const auto& object = *call.getArgOperand(3);
  const auto bytes = number_of_constant(*call.getArgOperand(1));
  if (rows.shape.step != bytes)
    return record_reads(site, vector(*call.getArgOperand(0)), bytes, object);
  auto* untracked = builder_.getInt64(ObjectTable::untracked);
  const RowsToRecord reads{.object = object,
                           .bytes = bytes,
                           .location = number_of_constant(*call.getArgOperand(4)),
                           .is_threadgroup = is_of_threadgroup(call),
                           .rows = rows};
  when(builder_.CreateICmpNE(object_word(object, ObjectTable::shadow_at), untracked), [&] {
    record_rows(reads, [&] {
      for (std::size_t row = 0; row < rows.firsts.size(); ++row)
        call_check(
            "read.inside.row", builder_.getVoidTy(),
            {site, rows.firsts[row], lanes_of_row(rows.shape, row),
             builder_.getInt32(static_cast<unsigned>(row) * rows.shape.lanes), scalar(object)});
    });
  });
}

// The bits of those lanes of a row that run.
Vectoriser::Value* Vectoriser::lanes_of_row(const RowShape& shape, std::size_t row) {
  const auto all = ~0U >> (lane_count - shape.lanes) << (row * shape.lanes);
  return builder_.CreateAnd(mask_bits(), builder_.getInt32(all));
}

// Whether all uses of the offsets go by rows where these hold.
bool Vectoriser::needs_only_rows(const llvm::CallInst& call, const RowShape& shape) const {
  return llvm::all_of(call.users(), [&](const llvm::User* user) {
    const auto& instruction = *llvm::cast<llvm::Instruction>(user);
    if (instruction.getParent() != call.getParent()) return false;
    if (const auto* write = llvm::dyn_cast<llvm::CallInst>(user))
      return write->getCalledFunction()->getName().starts_with("msci.check.write.") &&
             !differs(*write->getArgOperand(2)) &&
             shape.step == number_of_constant(*write->getArgOperand(1));
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    return is_at_offset(address) && address->getOperand(1) == &call &&
           !differs(*address->getPointerOperand()) &&
           llvm::all_of(address->users(), [&](const llvm::User* each) {
             return is_access_of_rows(*each, *address, shape);
           });
  });
}

// Whether that is a load or a store of one element at the pointer, perhaps behind a guard.
bool Vectoriser::is_access_of_rows(const llvm::User& user, const Value& pointer,
                                   const RowShape& shape) const {
  const auto& instruction = *llvm::cast<llvm::Instruction>(&user);
  if (instruction.getParent() != llvm::cast<llvm::Instruction>(&pointer)->getParent()) return false;
  const auto is_element = [&](const llvm::Type& type) {
    const auto bytes = layout_.getTypeStoreSize(const_cast<llvm::Type*>(&type)).getKnownMinValue();
    return !type.isVectorTy() && !type.isStructTy() && std::has_single_bit(bytes) &&
           shape.step == static_cast<std::int64_t>(bytes);
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&user))
    return load->isSimple() && is_element(*load->getType());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&user))
    return store->isSimple() && store->getPointerOperand() == &pointer &&
           store->getValueOperand() != &pointer && is_element(*store->getValueOperand()->getType());
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
  return is_guard(call) && call->getArgOperand(0) == &pointer &&
         llvm::all_of(call->users(), [&](const llvm::User* each) {
           return is_access_of_rows(*each, *call, shape);
         });
}

// None for an address whose offset no check in this block returns in rows.
std::optional<Vectoriser::CheckedAddress> Vectoriser::checked_rows_of(const Value& pointer) {
  CheckedAddress checked;
  const auto* inner = &pointer;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(inner); is_guard(call)) {
    checked.guard = call;
    inner = call->getArgOperand(0);
  }
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(inner);
  if (!is_at_offset(address) || differs(*address->getPointerOperand())) return std::nullopt;
  const auto found = checked_rows_.find(address->getOperand(1));
  if (found == checked_rows_.end()) return std::nullopt;
  checked.rows = &found->second;
  checked.base = address->getPointerOperand();
  return checked;
}

}  // namespace msci::engine

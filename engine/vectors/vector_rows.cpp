// Accesses whose addresses lie side by side in rows of lanes.
#include <bit>
#include <cstdint>

#include "engine/isolation/guard_accesses.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vector_access.h"

namespace msci::engine {

// The shape by which an access can go row by row.
std::optional<RowShape> Vectoriser::rows_of(const Access& access) {
  constexpr unsigned least_lanes = 4;
  // In a masked vector, LLVM places numbers of 24 bits as far apart as those of 32.
  if (access.is_volatile || !std::has_single_bit(access.bytes)) return std::nullopt;
  const auto shape = shapes_.of(*access.pointer);
  if (!shape) return rows_to_test(access);
  if (shape->lanes < least_lanes) return std::nullopt;
  const auto step = shape->step;
  if (step == 0 && shape->is_tested) return std::nullopt;
  if (step == 0 && access.parts <= 4) return shape;
  if (step == access.parts * access.bytes) return shape;
  if (access.pads && step == 4 * access.bytes) return shape;
  return std::nullopt;
}

// Addresses that are computed from positions mostly lie side by side, but for the edges of a grid.
std::optional<RowShape> Vectoriser::rows_to_test(const Access& access) {
  constexpr unsigned least_lanes = 8;
  if (access.parts == 3 || !shapes_.is_of_positions(*access.pointer)) return std::nullopt;
  const auto width = options_.shape ? options_.shape->x : lane_count;
  const auto lanes = width % lane_count == 0 ? lane_count : width;
  if (lane_count % lanes != 0 || lanes < least_lanes) return std::nullopt;
  return RowShape{.lanes = lanes, .step = access.parts * access.bytes, .is_tested = true};
}

// Whether the numbers of the active lanes of each row follow that of its first lane by that step.
Vectoriser::Value* Vectoriser::follow(Value* numbers, const RowShape& shape, std::int64_t step,
                                      bool all_lanes) {
  auto* type = numbers->getType()->getScalarType();
  llvm::SmallVector<int> firsts;
  llvm::SmallVector<llvm::Constant*> offsets;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    firsts.push_back(static_cast<int>(lane / shape.lanes * shape.lanes));
    offsets.push_back(llvm::ConstantInt::getSigned(type, lane % shape.lanes * step));
  }
  auto* wanted = builder_.CreateAdd(builder_.CreateShuffleVector(numbers, firsts),
                                    llvm::ConstantVector::get(offsets));
  auto* right = builder_.CreateICmpEQ(numbers, wanted);
  right = active_or(right, all_lanes ? llvm::ConstantInt::getFalse(wide(i1_))
                                     : llvm::ConstantInt::getTrue(wide(i1_)));
  return builder_.CreateICmpEQ(bits_of(right), builder_.getInt32(~0U));
}

// Whether the addresses of the active lanes of each row follow that of its first lane. Of several
// elements, all lanes are read.
Vectoriser::Value* Vectoriser::rows_found(const Access& access, const RowShape& shape) {
  if (const auto checked = checked_rows_of(*access.pointer); checked && !checked->rows->stand_alone)
    return either_value(
        checked->rows->hold,
        [&]() -> Parts { return {access.parts > 1 ? all_active() : builder_.getTrue()}; },
        [&]() -> Parts {
          return {follow(builder_.CreatePtrToInt(vector(*access.pointer), wide(i64_)), shape,
                         shape.step, access.parts > 1)};
        })[0];
  const auto at = index_of(*access.pointer);
  if (!at || shape.step % at->scale != 0)
    return follow(builder_.CreatePtrToInt(vector(*access.pointer), wide(i64_)), shape, shape.step,
                  access.parts > 1);
  auto* index = vector(*at->index);
  const auto step = shape.step / at->scale;
  auto* found = follow(index, shape, step, access.parts > 1);
  for (unsigned first = 0; first < lane_count; first += shape.lanes)
    found = builder_.CreateAnd(found, stays_in_type(builder_.CreateExtractElement(index, first),
                                                    shape.lanes, step, at->is_signed()));
  return found;
}

// Whether a number of 32 bits does not wrap around in a row of lanes.
Vectoriser::Value* Vectoriser::stays_in_type(Value* first, unsigned lanes, std::int64_t step,
                                             bool is_signed) {
  const auto span = (lanes - 1) * step;
  if (span >= 0) {
    const auto most = (is_signed ? std::int64_t{INT32_MAX} : std::int64_t{UINT32_MAX}) - span;
    auto* limit = builder_.getInt32(static_cast<std::uint32_t>(most));
    return is_signed ? builder_.CreateICmpSLE(first, limit) : builder_.CreateICmpULE(first, limit);
  }
  const auto least = (is_signed ? std::int64_t{INT32_MIN} : std::int64_t{0}) - span;
  auto* limit = builder_.getInt32(static_cast<std::uint32_t>(least));
  return is_signed ? builder_.CreateICmpSGE(first, limit) : builder_.CreateICmpUGE(first, limit);
}

Vectoriser::Value* Vectoriser::row_address(const Access& access, const RowShape& shape,
                                           unsigned first) {
  if (const auto checked = checked_rows_of(*access.pointer)) {
    auto* address =
        builder_.CreateGEP(i8_, scalar(*checked->base), checked->rows->firsts[first / shape.lanes]);
    return checked->guard ? guarded(*checked->guard, address) : address;
  }
  if (!shape.is_tested) return projected(*access.pointer, first);
  const auto at = index_of(*access.pointer);
  if (!at) return builder_.CreateExtractElement(vector(*access.pointer), first);
  auto* index = builder_.CreateExtractElement(vector(*at->index), first);
  auto* bytes = builder_.CreateMul(builder_.CreateCast(at->extension->getOpcode(), index, i64_),
                                   builder_.getInt64(static_cast<std::uint64_t>(at->scale)));
  auto* address = builder_.CreateGEP(i8_, origin(*at, 0), bytes);
  return at->guard ? guarded(*at->guard, address) : address;
}

// The instructions that index_of() looks through.
bool is_part_of_address_elsewhere(const llvm::Instruction& value, const llvm::BasicBlock& home) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const bool is_guard = call && call->getCalledFunction()->getName().starts_with(guard_prefix);
  if (!is_guard && !llvm::isa<llvm::GetElementPtrInst, llvm::ZExtInst, llvm::SExtInst>(value))
    return false;
  return llvm::any_of(value.users(), [&](const llvm::User* each) {
    const auto& user = *llvm::cast<llvm::Instruction>(each);
    return user.getParent() != &home || is_part_of_address_elsewhere(user, home);
  });
}

// How an address follows from an index; nothing where it does so in another way.
std::optional<Vectoriser::IndexedAddress> Vectoriser::index_of(const Value& pointer) {
  IndexedAddress found;
  const auto* inner = &pointer;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(inner);
      call && call->getCalledFunction()->getName().starts_with(guard_prefix)) {
    found.guard = call;
    inner = call->getArgOperand(0);
  }
  found.address = llvm::dyn_cast<llvm::GetElementPtrInst>(inner);
  if (!found.address || differs(*found.address->getPointerOperand()) ||
      !mapped(found.address->getType())->isPointerTy())
    return std::nullopt;
  llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!llvm::cast<llvm::GEPOperator>(found.address)->collectOffset(layout_, 64, variable, constant))
    return std::nullopt;
  for (const auto& [index, scale] : variable) {
    if (!differs(*index)) continue;
    const auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
    if (found.extension || !extension || !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) ||
        !extension->getSrcTy()->isIntegerTy(32) || !extension->getDestTy()->isIntegerTy(64))
      return std::nullopt;
    found.extension = extension;
    found.index = extension->getOperand(0);
    found.scale = scale.getSExtValue();
  }
  constexpr std::int64_t most_scale = std::int64_t{1} << 20;
  if (!found.extension || found.scale <= 0 || found.scale > most_scale) return std::nullopt;
  return found;
}

// Where the address would lead with an index of 0, and that many bytes further.
Vectoriser::Value* Vectoriser::origin(const IndexedAddress& at, std::int64_t bytes) {
  llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  llvm::cast<llvm::GEPOperator>(at.address)->collectOffset(layout_, 64, variable, constant);
  auto* base = scalar(*at.address->getPointerOperand());
  for (const auto& [index, scale] : variable) {
    if (index == at.extension) continue;
    auto* offset = builder_.CreateMul(builder_.CreateSExtOrTrunc(scalar(*index), i64_),
                                      builder_.getInt64(scale.getZExtValue()));
    base = builder_.CreateGEP(i8_, base, offset);
  }
  const auto moved = static_cast<std::uint64_t>(constant.getSExtValue() + bytes);
  return moved == 0 ? base : builder_.CreateGEP(i8_, base, builder_.getInt64(moved));
}

// Whether the lanes' addresses are what their shape says. Accesses to several elements, and to
// those that a row shares, also need all lanes.
Vectoriser::Value* Vectoriser::rows_hold(const Access& access, const RowShape& shape) {
  Value* holds = shape.step == 0 || access.parts > 1 ? all_active() : builder_.getTrue();
  if (!shape.may_break) return holds;
  const auto at = index_of(*access.pointer);
  const auto index = at ? shapes_.of(*at->index) : std::nullopt;
  for (unsigned first = 0; first < lane_count; first += shape.lanes) {
    if (index && !index->may_break && !index->is_tested) {  // only the index can wrap around
      holds = builder_.CreateAnd(holds, stays_in_type(projected(*at->index, first), shape.lanes,
                                                      index->step, at->is_signed()));
      continue;
    }
    const auto address = [&](unsigned lane) {
      return builder_.CreatePtrToInt(projected(*access.pointer, lane), i64_);
    };
    auto* length = builder_.CreateSub(address(first + shape.lanes - 1), address(first));
    auto* wanted = builder_.getInt64((shape.lanes - 1) * shape.step);
    holds = builder_.CreateAnd(holds, builder_.CreateICmpEQ(length, wanted));
  }
  return holds;
}

// Here and not beside each access, so that the accesses of a block share them.
void Vectoriser::make_row_masks(const RowShape& shape) {
  if (mask_.is_full) return;
  for (unsigned first = 0; first < lane_count; first += shape.lanes) row_mask(first, shape.lanes);
}

Vectoriser::Value* Vectoriser::row_mask(unsigned first, unsigned lanes) {
  if (lanes == lane_count) return mask_vector();
  return builder_.CreateShuffleVector(mask_vector(), counting(lanes, static_cast<int>(first)));
}

Parts Vectoriser::load_rows(const Access& access, const RowShape& shape) {
  const auto lanes = shape.lanes;
  const auto step = static_cast<unsigned>(shape.step / access.bytes);  // in elements
  std::vector<Parts> rows;
  for (unsigned first = 0; first < lane_count; first += lanes) {
    auto* address = row_address(access, shape, first);
    Parts row;
    if (step == 0) {
      for (unsigned i = 0; i < access.parts; ++i) {
        auto* value = builder_.CreateAlignedLoad(
            access.element, builder_.CreateConstGEP1_64(i8_, address, i * access.bytes),
            access.align_of(i));
        row.push_back(builder_.CreateVectorSplat(lanes, value));
      }
    } else {
      auto* type = llvm::FixedVectorType::get(access.element, lanes * step);
      const auto align = llvm::Align(access.align_of(1));
      const bool masked = step == 1 && !mask_.is_full;
      auto* all = masked ? static_cast<Value*>(builder_.CreateMaskedLoad(
                               type, address, align, row_mask(first, lanes),
                               llvm::Constant::getNullValue(type)))
                         : builder_.CreateAlignedLoad(type, address, align);
      for (unsigned i = 0; i < access.parts; ++i)
        row.push_back(step == 1
                          ? all
                          : builder_.CreateShuffleVector(
                                all, counting(lanes, static_cast<int>(i), static_cast<int>(step))));
    }
    rows.push_back(std::move(row));
  }
  while (rows.size() > 1) {
    std::vector<Parts> joined;
    for (std::size_t i = 0; i < rows.size(); i += 2) {
      Parts pair;
      for (unsigned part = 0; part < access.parts; ++part) {
        const auto width =
            llvm::cast<llvm::FixedVectorType>(rows[i][part]->getType())->getNumElements();
        pair.push_back(
            builder_.CreateShuffleVector(rows[i][part], rows[i + 1][part], counting(2 * width)));
      }
      joined.push_back(std::move(pair));
    }
    rows = std::move(joined);
  }
  return rows[0];
}

void Vectoriser::store_rows(const Access& access, const RowShape& shape, const Parts& values) {
  if (shape.step == 0) return store_anywhere(access, values);
  const auto lanes = shape.lanes;
  for (unsigned first = 0; first < lane_count; first += lanes) {
    auto* address = row_address(access, shape, first);
    const auto align = access.align_of(1);
    Parts row;
    for (auto* value : values)
      row.push_back(lanes == lane_count ? value
                                        : builder_.CreateShuffleVector(
                                              value, counting(lanes, static_cast<int>(first))));
    if (access.parts == 1 && !mask_.is_full) {
      builder_.CreateMaskedStore(row[0], address, align, row_mask(first, lanes));
      continue;
    }
    // Elements of one lane side by side.
    if (access.parts == 1) {
      builder_.CreateAlignedStore(row[0], address, align);
    } else if (access.parts == 2 || access.parts == 4) {
      const auto count = access.parts;
      auto* low = builder_.CreateShuffleVector(row[0], row[1], counting(2 * lanes));
      auto* all = low;
      if (count == 4) {
        auto* high = builder_.CreateShuffleVector(row[2], row[3], counting(2 * lanes));
        all = builder_.CreateShuffleVector(low, high, counting(4 * lanes));
      }
      llvm::SmallVector<int> order;
      for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < count; ++i) order.push_back(static_cast<int>(i * lanes + lane));
      builder_.CreateAlignedStore(builder_.CreateShuffleVector(all, order), address, align);
    } else {
      return store_anywhere(access, values);
    }
  }
}

}  // namespace msci::engine

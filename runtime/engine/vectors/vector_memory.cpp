#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>

#include "compiler/ir/spaces.h"
#include "runtime/engine/vectors/specialise.h"
#include "runtime/engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

constexpr unsigned word_bytes = 4;  // of private memory

// Lanes as a constant list, for shuffles.
llvm::SmallVector<int> counting(unsigned count, int first = 0, int step = 1) {
  llvm::SmallVector<int> lanes(count);
  for (unsigned i = 0; i < count; ++i) lanes[i] = first + static_cast<int>(i) * step;
  return lanes;
}

}  // namespace

// What a load reads or a store writes.
struct Vectoriser::Access {
  const Value* pointer = nullptr;
  unsigned parts = 1;
  Type* element = nullptr;  // of one lane, as it lies in memory: whole bytes
  unsigned bytes = 0;       // of an element
  llvm::Align align;        // of the whole
  bool is_volatile = false;
  bool pads = false;  // three elements that take the place of four

  llvm::Align align_of(unsigned part) const { return llvm::commonAlignment(align, part * bytes); }
};

namespace {

// An element in memory has whole bytes: 1 for a bool, 4 for an integer of 24 bits.
llvm::Type* in_memory(llvm::Type* type, const llvm::DataLayout& layout) {
  if (!type->isIntegerTy()) return type;
  return llvm::IntegerType::get(type->getContext(), layout.getTypeStoreSize(type) * 8);
}

}  // namespace

// ---- control around accesses

template <typename Yes, typename No>
void Vectoriser::either(Value* condition, Yes yes, No no) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    if (known->isOne())
      yes();
    else
      no();
    return;
  }
  auto* then = new_block("then");
  auto* otherwise = new_block("otherwise");
  auto* join = new_block("join");
  builder_.CreateCondBr(condition, then, otherwise);
  builder_.SetInsertPoint(then);
  {
    const Scope scope(*this);
    yes();
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(otherwise);
  {
    const Scope scope(*this);
    no();
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

Parts Vectoriser::either_value(Value* condition, llvm::function_ref<Parts()> yes,
                               llvm::function_ref<Parts()> no) {
  Parts first, second;
  llvm::BasicBlock* first_end = nullptr;
  llvm::BasicBlock* second_end = nullptr;
  either(
      condition, [&] { first = yes(), first_end = builder_.GetInsertBlock(); },
      [&] { second = no(), second_end = builder_.GetInsertBlock(); });
  if (!first_end) return second;
  if (!second_end) return first;
  Parts joined;
  for (std::size_t i = 0; i < first.size(); ++i) {
    auto* phi = builder_.CreatePHI(first[i]->getType(), 2);
    phi->addIncoming(first[i], first_end);
    phi->addIncoming(second[i], second_end);
    joined.push_back(phi);
  }
  return joined;
}

// ---- loads and stores

void Vectoriser::visit_load(llvm::LoadInst& load) {
  auto* type = load.getType();
  auto* element = part_type(type, 0);
  Access access{.pointer = load.getPointerOperand(),
                .parts = part_count(type),
                .element = in_memory(element, layout_),
                .align = load.getAlign(),
                .is_volatile = load.isVolatile() || load.isAtomic()};
  access.bytes = static_cast<unsigned>(layout_.getTypeStoreSize(access.element));
  access.pads = access.parts == 3;
  Parts values;
  if (load.getPointerAddressSpace() == thread_space) {
    values = load_private(access);
  } else if (!differs(*access.pointer)) {
    values = load_uniform(access);
    if (differs(load))
      for (auto& value : values) value = splat(value);
  } else if (const auto shape = rows_of(access)) {
    make_row_masks(*shape);
    values = either_value(
        shape->is_tested ? rows_found(access, *shape) : rows_hold(access, *shape),
        [&] { return load_rows(access, *shape); }, [&] { return load_anywhere(access); });
  } else {
    values = load_anywhere(access);
  }
  if (access.element != element)
    for (auto& value : values) value = builder_.CreateTrunc(value, like(value, element));
  define(load, values);
}

void Vectoriser::visit_store(llvm::StoreInst& store) {
  auto* type = store.getValueOperand()->getType();
  auto* element = part_type(type, 0);
  Access access{.pointer = store.getPointerOperand(),
                .parts = part_count(type),
                .element = in_memory(element, layout_),
                .align = store.getAlign(),
                .is_volatile = store.isVolatile() || store.isAtomic()};
  access.bytes = static_cast<unsigned>(layout_.getTypeStoreSize(access.element));
  const auto as_stored = [&](Parts values) {
    if (access.element != element)
      for (auto& value : values) value = builder_.CreateZExt(value, like(value, access.element));
    return values;
  };
  if (store.getPointerAddressSpace() == thread_space)
    return store_private(access, as_stored(parts(*store.getValueOperand(), true)));
  if (differs(*access.pointer)) {
    const auto values = as_stored(parts(*store.getValueOperand(), true));
    const auto shape = rows_of(access);
    if (!shape) return store_anywhere(access, values);
    make_row_masks(*shape);
    return either(
        shape->is_tested ? rows_found(access, *shape) : rows_hold(access, *shape),
        [&] { store_rows(access, *shape, values); }, [&] { store_anywhere(access, values); });
  }
  // Of lanes that write to one place, the last is right.
  auto values = as_stored(native(*store.getValueOperand()));
  if (differs(*store.getValueOperand())) {
    auto* leading =
        builder_.CreateIntrinsic(llvm::Intrinsic::ctlz, {i32_}, {mask_bits(), builder_.getTrue()});
    auto* last = builder_.CreateSub(builder_.getInt32(lane_count - 1), leading);
    for (auto& value : values) value = builder_.CreateExtractElement(value, last);
  }
  auto* address = scalar(*access.pointer);
  for (unsigned i = 0; i < values.size(); ++i)
    builder_.CreateAlignedStore(values[i],
                                builder_.CreateConstGEP1_64(i8_, address, i * access.bytes),
                                access.align_of(i), access.is_volatile);
}

Parts Vectoriser::load_uniform(const Access& access) {
  auto* address = scalar(*access.pointer);
  Parts values;
  for (unsigned i = 0; i < access.parts; ++i)
    values.push_back(builder_.CreateAlignedLoad(
        access.element, builder_.CreateConstGEP1_64(i8_, address, i * access.bytes),
        access.align_of(i), access.is_volatile));
  return values;
}

// ---- consecutive addresses

// The shape by which an access can go row by row.
std::optional<RowShape> Vectoriser::rows_of(const Access& access) {
  constexpr unsigned least_lanes = 4;
  if (access.is_volatile) return std::nullopt;
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

// Whether the addresses of the active lanes of each row follow that of its first lane.
Vectoriser::Value* Vectoriser::rows_found(const Access& access, const RowShape& shape) {
  auto* addresses = builder_.CreatePtrToInt(vector(*access.pointer), wide(i64_));
  llvm::SmallVector<int> firsts;
  llvm::SmallVector<llvm::Constant*> offsets;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    firsts.push_back(static_cast<int>(lane / shape.lanes * shape.lanes));
    offsets.push_back(builder_.getInt64(lane % shape.lanes * shape.step));
  }
  auto* wanted = builder_.CreateAdd(builder_.CreateShuffleVector(addresses, firsts),
                                    llvm::ConstantVector::get(offsets));
  // Of several elements, all lanes are read.
  auto* otherwise = access.parts > 1 ? llvm::ConstantInt::getFalse(wide(i1_))
                                     : llvm::ConstantInt::getTrue(wide(i1_));
  auto* right = bits_of(active_or(builder_.CreateICmpEQ(addresses, wanted), otherwise));
  return builder_.CreateICmpEQ(right, builder_.getInt32(~0U));
}

Vectoriser::Value* Vectoriser::row_address(const Access& access, const RowShape& shape,
                                           unsigned first) {
  return shape.is_tested ? builder_.CreateExtractElement(vector(*access.pointer), first)
                         : projected(*access.pointer, first);
}

// Whether the lanes' addresses are what their shape says. Accesses to several elements, and to
// those that a row shares, also need all lanes.
Vectoriser::Value* Vectoriser::rows_hold(const Access& access, const RowShape& shape) {
  Value* holds = shape.step == 0 || access.parts > 1 ? all_active() : builder_.getTrue();
  if (!shape.may_break) return holds;
  for (unsigned first = 0; first < lane_count; first += shape.lanes) {
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

// ---- any addresses

// Four words of each lane by one load a lane: faster than four gathers.
Parts Vectoriser::load_quadruples(const Access& access) {
  auto* addresses = vector(*access.pointer);
  if (!mask_.is_full) {  // lanes that do not run read what one that runs reads
    auto* safe = splat(builder_.CreateExtractElement(addresses, first_active()));
    addresses = builder_.CreateSelect(mask_vector(), addresses, safe);
  }
  auto* quadruple = llvm::FixedVectorType::get(access.element, 4);
  std::vector<Value*> pieces;
  for (unsigned lane = 0; lane < lane_count; ++lane)
    pieces.push_back(builder_.CreateAlignedLoad(
        quadruple, builder_.CreateExtractElement(addresses, lane), access.align));
  for (unsigned width = 4; pieces.size() > 1; width *= 2) {
    std::vector<Value*> joined;
    for (std::size_t i = 0; i < pieces.size(); i += 2)
      joined.push_back(builder_.CreateShuffleVector(pieces[i], pieces[i + 1], counting(2 * width)));
    pieces = std::move(joined);
  }
  Parts values;
  for (unsigned i = 0; i < access.parts; ++i)
    values.push_back(
        builder_.CreateShuffleVector(pieces[0], counting(lane_count, static_cast<int>(i), 4)));
  return values;
}

// Elements of 8 or 16 bits: processors gather words only. The word around an element lies in the
// same page.
Vectoriser::Value* Vectoriser::load_from_words(const Access& access, Value* addresses) {
  const auto number = [&](std::uint64_t value) {
    return llvm::ConstantInt::get(wide(i64_), value);
  };
  auto* in_word =
      builder_.CreateAnd(builder_.CreatePtrToInt(addresses, wide(i64_)), number(word_bytes - 1));
  auto* words = builder_.CreateMaskedGather(
      wide(i32_), builder_.CreateGEP(i8_, addresses, builder_.CreateNeg(in_word)),
      llvm::Align(word_bytes), mask_vector(), llvm::Constant::getNullValue(wide(i32_)));
  auto* shift = builder_.CreateTrunc(builder_.CreateShl(in_word, number(3)), wide(i32_));
  auto* bits = builder_.CreateTrunc(builder_.CreateLShr(words, shift),
                                    wide(builder_.getIntNTy(8 * access.bytes)));
  return builder_.CreateBitCast(bits, wide(access.element));
}

Parts Vectoriser::load_anywhere(const Access& access) {
  // Three elements have the place of four where they are aligned like four.
  const bool are_quadruples =
      access.bytes == 4 && !access.is_volatile &&
      (access.parts == 4 || (access.parts == 3 && access.align.value() >= 16));
  if (are_quadruples) return load_quadruples(access);
  auto* addresses = vector(*access.pointer);
  auto* type = wide(access.element);
  Parts values;
  for (unsigned i = 0; i < access.parts; ++i) {
    auto* moved = i == 0 ? addresses
                         : builder_.CreateGEP(i8_, addresses, builder_.getInt64(i * access.bytes));
    if (access.bytes < word_bytes && access.align_of(i).value() >= access.bytes &&
        !access.is_volatile && access.pointer->getType()->getPointerAddressSpace() != table_space) {
      values.push_back(load_from_words(access, moved));
      continue;
    }
    values.push_back(builder_.CreateMaskedGather(type, moved, access.align_of(i), mask_vector(),
                                                 llvm::Constant::getNullValue(type)));
  }
  return values;
}

void Vectoriser::store_anywhere(const Access& access, const Parts& values) {
  auto* addresses = vector(*access.pointer);
  for (unsigned i = 0; i < access.parts; ++i) {
    auto* moved = i == 0 ? addresses
                         : builder_.CreateGEP(i8_, addresses, builder_.getInt64(i * access.bytes));
    builder_.CreateMaskedScatter(values[i], moved, access.align_of(i), mask_vector());
  }
}

// ---- private memory: words of the lanes side by side

// Reads a word of each lane, or writes it: where the lane runs, or in all lanes if no other lane
// comes back to its memory.
Vectoriser::Value* Vectoriser::private_word(Value* offset, bool load, Value* stored) {
  constexpr unsigned row_bytes = lane_count * word_bytes;
  auto* type = wide(i32_);
  if (!offset->getType()->isVectorTy()) {
    auto* row = builder_.CreateMul(builder_.CreateLShr(offset, 2), builder_.getInt64(row_bytes));
    auto* address = builder_.CreateGEP(i8_, private_memory_, row);
    const llvm::Align align(64);
    if (load) return builder_.CreateAlignedLoad(type, address, align);
    if (!mask_.is_full && keeps_private_)
      stored = builder_.CreateSelect(mask_vector(), stored,
                                     builder_.CreateAlignedLoad(type, address, align));
    builder_.CreateAlignedStore(stored, address, align);
    return nullptr;
  }
  const auto number = [&](std::uint64_t value) {
    return llvm::ConstantInt::get(wide(i64_), value);
  };
  auto* row = builder_.CreateMul(builder_.CreateLShr(offset, 2), number(row_bytes));
  auto* lane = builder_.CreateMul(lane_numbers(i64_), number(word_bytes));
  auto* address = builder_.CreateGEP(i8_, private_memory_, builder_.CreateAdd(row, lane));
  const llvm::Align align(word_bytes);
  if (load)
    return builder_.CreateMaskedGather(type, address, align, mask_vector(),
                                       llvm::Constant::getNullValue(type));
  builder_.CreateMaskedScatter(stored, address, align, mask_vector());
  return nullptr;
}

Parts Vectoriser::load_private(const Access& access) {
  auto* base = native(*access.pointer)[0];
  const auto at = [&](unsigned bytes) {
    return builder_.CreateAdd(base, llvm::ConstantInt::get(base->getType(), bytes));
  };
  // A piece of at most four bytes that lies in one word.
  const auto piece = [&](unsigned offset, unsigned bytes) -> Value* {
    auto* address = at(offset);
    auto* word = private_word(address, true, nullptr);
    if (bytes == word_bytes) return word;
    auto* in_word = builder_.CreateShl(
        builder_.CreateAnd(address, llvm::ConstantInt::get(address->getType(), 3)), 3);
    auto* shift = splat(builder_.CreateTrunc(in_word, like(in_word, i32_)));
    return builder_.CreateAnd(builder_.CreateLShr(word, shift),
                              llvm::ConstantInt::get(wide(i32_), (1U << (8 * bytes)) - 1));
  };
  Parts values;
  for (unsigned i = 0; i < access.parts; ++i) {
    const auto unit = static_cast<unsigned>(
        std::min<std::uint64_t>({word_bytes, access.bytes, access.align_of(i).value()}));
    auto* bits = wide(builder_.getIntNTy(access.bytes * 8));
    Value* value = nullptr;
    for (unsigned offset = 0; offset < access.bytes; offset += unit) {
      auto* part = builder_.CreateZExtOrTrunc(piece(i * access.bytes + offset, unit), bits);
      if (offset > 0) part = builder_.CreateShl(part, 8 * offset);
      value = value ? builder_.CreateOr(value, part) : part;
    }
    values.push_back(access.element->isPointerTy()
                         ? builder_.CreateIntToPtr(value, wide(access.element))
                         : builder_.CreateBitCast(value, wide(access.element)));
  }
  return values;
}

void Vectoriser::store_private(const Access& access, const Parts& values) {
  auto* base = native(*access.pointer)[0];
  const auto at = [&](unsigned bytes) {
    return builder_.CreateAdd(base, llvm::ConstantInt::get(base->getType(), bytes));
  };
  const auto piece = [&](unsigned offset, unsigned bytes, Value* stored) {
    auto* address = at(offset);
    if (bytes == word_bytes) {
      private_word(address, false, stored);
      return;
    }
    auto* in_word = builder_.CreateShl(
        builder_.CreateAnd(address, llvm::ConstantInt::get(address->getType(), 3)), 3);
    auto* shift = splat(builder_.CreateTrunc(in_word, like(in_word, i32_)));
    auto* hole =
        builder_.CreateShl(llvm::ConstantInt::get(wide(i32_), (1U << (8 * bytes)) - 1), shift);
    auto* kept = builder_.CreateAnd(private_word(address, true, nullptr), builder_.CreateNot(hole));
    auto* moved = builder_.CreateAnd(builder_.CreateShl(stored, shift), hole);
    private_word(address, false, builder_.CreateOr(kept, moved));
  };
  for (unsigned i = 0; i < access.parts; ++i) {
    const auto unit = static_cast<unsigned>(
        std::min<std::uint64_t>({word_bytes, access.bytes, access.align_of(i).value()}));
    auto* type = wide(builder_.getIntNTy(access.bytes * 8));
    auto* bits = access.element->isPointerTy() ? builder_.CreatePtrToInt(values[i], type)
                                               : builder_.CreateBitCast(values[i], type);
    for (unsigned offset = 0; offset < access.bytes; offset += unit) {
      auto* shifted = offset == 0 ? bits : builder_.CreateLShr(bits, 8 * offset);
      piece(i * access.bytes + offset, unit, builder_.CreateZExtOrTrunc(shifted, wide(i32_)));
    }
  }
}

}  // namespace msci::engine

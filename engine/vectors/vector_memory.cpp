#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

#include "compiler/ir/spaces.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vector_access.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

constexpr unsigned word_bytes = 4;  // of private memory

}  // namespace

namespace {

// An element in memory has whole bytes: 1 for a bool, 3 for an integer of 20 bits.
llvm::Type* in_memory(llvm::Type* type, const llvm::DataLayout& layout) {
  if (!type->isIntegerTy()) return type;
  return llvm::IntegerType::get(type->getContext(), layout.getTypeStoreSize(type) * 8);
}

// The function that stores integers of this type at an address for each lane of a mask, the first
// lane first. They have 8, 16, 32 or 64 bits, so that they lie in memory as in an array, and one
// instruction stores one, also if it is not aligned.
llvm::Function* scatter_function(llvm::Module& module, llvm::FixedVectorType* type) {
  const auto name = ("msci_scatter" + llvm::Twine(type->getScalarSizeInBits())).str();
  if (auto* made = module.getFunction(name)) return made;
  auto& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto* addresses_type = llvm::FixedVectorType::get(builder.getPtrTy(), type->getNumElements());
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {type, addresses_type, builder.getInt32Ty()},
                              false),
      llvm::GlobalValue::InternalLinkage, name, module);
  for (const auto each : {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind,
                          llvm::Attribute::WillReturn, llvm::Attribute::NoSync})
    function->addFnAttr(each);
  function->setOnlyWritesMemory();
  auto* entry = llvm::BasicBlock::Create(context, "entry", function);
  auto* loop = llvm::BasicBlock::Create(context, "lane", function);
  auto* end = llvm::BasicBlock::Create(context, "end", function);

  builder.SetInsertPoint(entry);
  const auto spilled = [&](unsigned argument) {
    auto* place = builder.CreateAlloca(function->getArg(argument)->getType());
    builder.CreateStore(function->getArg(argument), place);
    return place;
  };
  auto* values = spilled(0);
  auto* addresses = spilled(1);
  auto* zero = builder.getInt32(0);
  builder.CreateCondBr(builder.CreateICmpEQ(function->getArg(2), zero), end, loop);

  builder.SetInsertPoint(loop);
  auto* lanes = builder.CreatePHI(builder.getInt32Ty(), 2);
  auto* lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, builder.getTrue());
  const auto load = [&](llvm::Type* element, llvm::Value* place) {
    return builder.CreateLoad(element, builder.CreateInBoundsGEP(element, place, lane));
  };
  builder.CreateAlignedStore(load(type->getElementType(), values),
                             load(builder.getPtrTy(), addresses), llvm::Align(1));
  auto* left = builder.CreateAnd(lanes, builder.CreateSub(lanes, builder.getInt32(1)));
  lanes->addIncoming(function->getArg(2), entry);
  lanes->addIncoming(left, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(left, zero), end, loop);

  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return function;
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
  } else if (const auto checked = checked_rows_of(*access.pointer);
             checked && checked->rows->stand_alone) {
    make_row_masks(checked->rows->shape);
    values = either_value(
        checked->rows->hold, [&] { return load_rows(access, checked->rows->shape); },
        [&] { return load_lanes(access); });
  } else {
    values = load_lanes(access);
  }
  if (access.element != element)
    for (auto& value : values) value = builder_.CreateTrunc(value, like(value, element));
  define(load, values);
}

// By rows where the addresses of all lanes say so.
Parts Vectoriser::load_lanes(const Access& access) {
  const auto shape = rows_of(access);
  if (!shape) return load_anywhere(access);
  make_row_masks(*shape);
  return either_value(
      shape->is_tested ? rows_found(access, *shape) : rows_hold(access, *shape),
      [&] { return load_rows(access, *shape); }, [&] { return load_anywhere(access); });
}

void Vectoriser::store_lanes(const Access& access, const Parts& values) {
  const auto shape = rows_of(access);
  if (!shape) return store_anywhere(access, values);
  make_row_masks(*shape);
  either(
      shape->is_tested ? rows_found(access, *shape) : rows_hold(access, *shape),
      [&] { store_rows(access, *shape, values); }, [&] { store_anywhere(access, values); });
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
    const auto checked = checked_rows_of(*access.pointer);
    if (!checked || !checked->rows->stand_alone) return store_lanes(access, values);
    make_row_masks(checked->rows->shape);
    return either(
        checked->rows->hold, [&] { store_rows(access, checked->rows->shape, values); },
        [&] { store_lanes(access, values); });
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

// The addresses of a part in all lanes: with 32-bit indices where they are computed from such,
// because processors gather twice as many elements at once by these. Their indices are signed.
Vectoriser::Value* Vectoriser::lane_addresses(const Access& access, unsigned part) {
  const auto offset = static_cast<std::int64_t>(part) * access.bytes;
  const auto at = index_of(*access.pointer);
  if (!at || at->guard || at->scale > 8 || !std::has_single_bit(static_cast<unsigned>(at->scale))) {
    auto* addresses = vector(*access.pointer);
    return part == 0 ? addresses : builder_.CreateGEP(i8_, addresses, builder_.getInt64(offset));
  }
  auto* index = vector(*at->index);
  if (at->is_signed()) {
    index = builder_.CreateSExt(index, wide(i64_));
    return builder_.CreateGEP(builder_.getIntNTy(8 * at->scale), origin(*at, offset), index);
  }
  constexpr std::int64_t half = std::int64_t{1} << 31;
  auto* centred = builder_.CreateXor(index, splat(builder_.getInt32(1U << 31)));
  return builder_.CreateGEP(builder_.getIntNTy(8 * at->scale),
                            origin(*at, offset + half * at->scale),
                            builder_.CreateSExt(centred, wide(i64_)));
}

Parts Vectoriser::load_anywhere(const Access& access) {
  // Three elements have the place of four where they are aligned like four.
  const bool are_quadruples =
      access.bytes == 4 && !access.is_volatile &&
      (access.parts == 4 || (access.parts == 3 && access.align.value() >= 16));
  if (are_quadruples) return load_quadruples(access);
  if (access.is_pair()) return load_pairs(access);
  auto* type = wide(access.element);
  Parts values;
  for (unsigned i = 0; i < access.parts; ++i) {
    auto* moved = lane_addresses(access, i);
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

// Two words of each lane as one of 64 bits: processors take as long for either.
Parts Vectoriser::load_pairs(const Access& access) {
  auto* pairs =
      builder_.CreateMaskedGather(wide(i64_), lane_addresses(access, 0), access.align,
                                  mask_vector(), llvm::Constant::getNullValue(wide(i64_)));
  auto* words =
      builder_.CreateBitCast(pairs, llvm::FixedVectorType::get(access.element, 2 * lane_count));
  Parts values;
  for (int part = 0; part < 2; ++part)
    values.push_back(builder_.CreateShuffleVector(words, counting(lane_count, part, 2)));
  return values;
}

// Processors with vectors of 512 bits scatter words and pairs of words. Otherwise, LLVM makes a
// branch for each lane of each scatter, and takes minutes for a long kernel. So one function with a
// loop over the lanes serves all such stores of a size. Pointers and bit-fields of 24 bits or so,
// which are rare, keep the branches.
void Vectoriser::scatter(Value* values, Value* addresses, llvm::Align align) {
  const auto width = values->getType()->getScalarSizeInBits();  // 0 of pointers
  const bool can_scatter = options_.vector_bits >= 512 && width >= 32;
  if (mask_.is_full || can_scatter || !std::has_single_bit(width)) {
    builder_.CreateMaskedScatter(values, addresses, align, mask_vector());
    return;
  }
  auto* bits = llvm::FixedVectorType::get(builder_.getIntNTy(width), lane_count);
  builder_.CreateCall(scatter_function(to_, bits),
                      {builder_.CreateBitCast(values, bits), addresses, mask_bits()});
}

void Vectoriser::store_pairs(const Access& access, const Parts& values) {
  llvm::SmallVector<int> order;
  for (unsigned lane = 0; lane < lane_count; ++lane)
    for (unsigned part = 0; part < 2; ++part)
      order.push_back(static_cast<int>(part * lane_count + lane));
  auto* words = builder_.CreateShuffleVector(values[0], values[1], order);
  scatter(builder_.CreateBitCast(words, wide(i64_)), lane_addresses(access, 0), access.align);
}

void Vectoriser::store_anywhere(const Access& access, const Parts& values) {
  if (access.is_pair()) return store_pairs(access, values);
  for (unsigned i = 0; i < access.parts; ++i)
    scatter(values[i], lane_addresses(access, i), access.align_of(i));
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
  scatter(stored, address, align);
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
      const auto bytes = std::min(unit, access.bytes - offset);  // 4 and 1 of 40 bits
      auto* part = builder_.CreateZExtOrTrunc(piece(i * access.bytes + offset, bytes), bits);
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
      piece(i * access.bytes + offset, std::min(unit, access.bytes - offset),
            builder_.CreateZExtOrTrunc(shifted, wide(i32_)));
    }
  }
}

}  // namespace msci::engine

// Records of accesses that lie in rows of lanes. What the shadow holds of their cells mostly orders
// them: then the code itself writes the new entries, as vectors. Otherwise a function of
// check_functions.h decides, which holds all rules (record_batches.h).
#include <bit>

#include "analysis/check/check_layout.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/vectors/vector_access.h"

namespace msci::engine {
namespace {

constexpr unsigned most_granule = 16;  // bytes

std::uint64_t granules_like(unsigned bytes, unsigned entries) {
  return ObjectTable::granule_log2.set(static_cast<unsigned>(std::countr_zero(bytes))) |
         ObjectTable::entries_per_granule.set(entries);
}

}  // namespace

// The shadow of the rows of one access.
struct Vectoriser::ShadowRows {
  const RowsToRecord& access;
  Value* granules = nullptr;    // of the object
  std::vector<Value*> written;  // the last write of the first granule of each row: an address
  std::vector<Value*> now;      // the new entries

  std::size_t count() const { return written.size(); }
  unsigned lanes() const { return access.rows.shape.lanes; }
};

// Whether the object has one granule for each element, and entries for plain accesses only.
Vectoriser::Value* Vectoriser::suits_rows(const RowsToRecord& access, Value*& has_reads) {
  const auto granules = ObjectTable::granule_log2.mask() | ObjectTable::entries_per_granule.mask();
  auto* layout = builder_.CreateAnd(object_word(access.object, ObjectTable::layout),
                                    builder_.getInt64(granules));
  const auto is = [&](unsigned entries) {
    return builder_.CreateICmpEQ(layout, builder_.getInt64(granules_like(access.bytes, entries)));
  };
  has_reads = is(ShadowEntry::of_plain_object);
  if (!access.is_write) return has_reads;
  auto* is_tracked = builder_.CreateICmpNE(object_word(access.object, ObjectTable::shadow_at),
                                           builder_.getInt64(ObjectTable::untracked));
  auto* suits = builder_.CreateOr(has_reads, is(ShadowEntry::of_written_object));
  return builder_.CreateAnd(suits, is_tracked);
}

// Whether no two rows share a granule. In line, the entries of all rows are read before one is
// stored, so a row would not see what another one has just stored.
Vectoriser::Value* Vectoriser::are_apart(const RowsToRecord& access) {
  const auto& firsts = access.rows.firsts;
  const auto bytes = std::uint64_t{access.rows.shape.lanes} * access.bytes;
  Value* apart = builder_.getTrue();
  for (std::size_t i = 0; i < firsts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      auto* distance = builder_.CreateSub(firsts[i], firsts[j]);
      auto* from_least = builder_.CreateAdd(distance, builder_.getInt64(bytes - 1));
      apart = builder_.CreateAnd(
          apart, builder_.CreateICmpUGT(from_least, builder_.getInt64(2 * bytes - 2)));
    }
  return apart;
}

Vectoriser::ShadowRows Vectoriser::shadow_rows(const RowsToRecord& access) {
  ShadowRows shadow{access};
  const auto log2 = builder_.getInt64(static_cast<unsigned>(std::countr_zero(access.bytes)));
  const auto word = [&](unsigned member) { return object_word(access.object, member); };
  auto* before = builder_.CreateLShr(word(ObjectTable::layout), ObjectTable::bytes_before.at);
  auto* begin = builder_.CreateSub(word(ObjectTable::first_byte), before);
  auto* bytes = builder_.CreateAdd(before, word(ObjectTable::bytes));
  shadow.granules =
      builder_.CreateLShr(builder_.CreateAdd(bytes, builder_.getInt64(access.bytes - 1)), log2);
  auto* first =
      builder_.CreateGEP(i64_, shadows_[access.is_threadgroup], word(ObjectTable::shadow_at));
  auto* type = llvm::FixedVectorType::get(i64_, shadow.lanes());
  const auto entries = offsetof(SimdgroupChecks, entries) +
                       sizeof(SimdgroupChecks::entries[0]) * access.is_threadgroup;
  auto* place = llvm::ConstantInt::get(type, ShadowEntry::location.set(access.location));
  for (std::size_t row = 0; row < access.rows.firsts.size(); ++row) {
    auto* granule = builder_.CreateLShr(builder_.CreateSub(access.rows.firsts[row], begin), log2);
    shadow.written.push_back(builder_.CreateGEP(i64_, first, granule));
    auto* thread = builder_.CreateConstGEP1_64(
        i8_, checks_, entries + row * shadow.lanes() * sizeof(std::uint64_t));
    shadow.now.push_back(
        builder_.CreateOr(builder_.CreateAlignedLoad(type, thread, llvm::Align(8)), place));
  }
  return shadow;
}

// The entries of each row in a plane of the shadow: 0 has the last writes, 1 and 2 two reads.
std::vector<Vectoriser::Value*> Vectoriser::recorded_rows(const ShadowRows& shadow,
                                                          unsigned plane) {
  std::vector<Value*> rows;
  for (std::size_t row = 0; row < shadow.count(); ++row)
    rows.push_back(builder_.CreateAlignedLoad(shadow.now[row]->getType(),
                                              plane_address(shadow, row, plane), llvm::Align(8)));
  return rows;
}

Vectoriser::Value* Vectoriser::plane_address(const ShadowRows& shadow, std::size_t row,
                                             unsigned plane) {
  return builder_.CreateGEP(i64_, shadow.written[row],
                            builder_.CreateMul(shadow.granules, builder_.getInt64(plane)));
}

void Vectoriser::store_entries(const ShadowRows& shadow, unsigned plane,
                               llvm::ArrayRef<Value*> entries) {
  for (std::size_t row = 0; row < shadow.count(); ++row) {
    auto* address = plane_address(shadow, row, plane);
    if (mask_.is_full)
      builder_.CreateAlignedStore(entries[row], address, llvm::Align(8));
    else
      builder_.CreateMaskedStore(
          entries[row], address, llvm::Align(8),
          row_mask(static_cast<unsigned>(row) * shadow.lanes(), shadow.lanes()));
  }
}

// For each lane of a row: whether an entry is of the same launch and another thread. Without
// barriers, nothing orders the two. Otherwise this is a quick test, for what is_ordered() of
// shadow_memory.h is.
Vectoriser::Value* Vectoriser::may_be_concurrent(Value* before, Value* now) {
  constexpr auto thread = ShadowEntry::thread.one();
  auto* change = builder_.CreateXor(before, now);
  const auto all = [&](std::uint64_t number) {
    return llvm::ConstantInt::get(change->getType(), number);
  };
  return builder_.CreateICmpULT(builder_.CreateSub(change, all(thread)),
                                all(ShadowEntry::launch.one() - thread));
}

// Whether nothing orders the two, as in happen_concurrently() of shadow_memory.h.
Vectoriser::Value* Vectoriser::are_concurrent(Value* before, Value* now) {
  auto* may = may_be_concurrent(before, now);
  if (!orders_threads_) return may;
  auto* change = builder_.CreateXor(before, now);
  const auto all = [&](std::uint64_t number) {
    return llvm::ConstantInt::get(change->getType(), number);
  };
  const auto same_count = [&](BitField barriers) {
    auto* many = all(barriers.mask());
    auto* is_same = builder_.CreateIsNull(builder_.CreateAnd(change, many));
    auto* is_known = builder_.CreateICmpNE(builder_.CreateAnd(before, many), many);
    return builder_.CreateAnd(is_same, is_known);
  };
  constexpr auto other_simdgroup = ShadowEntry::thread.one() << ShadowEntry::lane.bits;
  auto* apart = builder_.CreateOr(builder_.CreateICmpUGE(change, all(other_simdgroup)),
                                  same_count(ShadowEntry::simdgroup_barriers));
  auto* other_group = builder_.CreateVectorSplat(
      llvm::cast<llvm::FixedVectorType>(change->getType())->getNumElements(),
      builder_.CreateShl(builder_.getInt64(ShadowEntry::thread.one()), index_bits_));
  return builder_.CreateAnd(
      may, builder_.CreateOr(builder_.CreateICmpUGE(change, other_group),
                             builder_.CreateAnd(same_count(ShadowEntry::barriers), apart)));
}

// Whether that is false in all lanes that run.
Vectoriser::Value* Vectoriser::holds_nowhere(const ShadowRows& shadow,
                                             llvm::ArrayRef<Value*> holds) {
  Value* any = nullptr;
  for (std::size_t row = 0; row < shadow.count(); ++row) {
    auto* lanes = holds[row];
    if (!mask_.is_full)
      lanes = builder_.CreateAnd(
          lanes, row_mask(static_cast<unsigned>(row) * shadow.lanes(), shadow.lanes()));
    any = any ? builder_.CreateOr(any, lanes) : lanes;
  }
  return builder_.CreateIsNull(builder_.CreateBitCast(any, builder_.getIntNTy(shadow.lanes())));
}

std::vector<Vectoriser::Value*> Vectoriser::of_rows(const ShadowRows& shadow,
                                                    llvm::ArrayRef<Value*> recorded,
                                                    Value* (Vectoriser::*test)(Value* before,
                                                                               Value* now)) {
  std::vector<Value*> found;
  for (std::size_t row = 0; row < shadow.count(); ++row)
    found.push_back((this->*test)(recorded[row], shadow.now[row]));
  return found;
}

// Goes on where the recorded entries are ordered before the new ones, and to `calls` elsewhere.
void Vectoriser::require_order(const ShadowRows& shadow, llvm::ArrayRef<std::vector<Value*>> planes,
                               llvm::BasicBlock* calls) {
  const auto all_ordered = [&](Value* (Vectoriser::*test)(Value*, Value*)) {
    Value* are = nullptr;
    for (const auto& recorded : planes) {
      auto* each = holds_nowhere(shadow, of_rows(shadow, recorded, test));
      are = are ? builder_.CreateAnd(are, each) : each;
    }
    return are;
  };
  auto* next = new_block("ordered");
  auto* count = orders_threads_ ? new_block("count.barriers") : calls;
  builder_.CreateCondBr(all_ordered(&Vectoriser::may_be_concurrent), next, count);
  if (orders_threads_) {
    builder_.SetInsertPoint(count);
    builder_.CreateCondBr(all_ordered(&Vectoriser::are_concurrent), next, calls);
  }
  builder_.SetInsertPoint(next);
}

// The entries after a write. Lanes of `same` store what memory holds: only those that write
// something else can notice (after_same_write() of shadow_memory.h).
std::vector<Vectoriser::Value*> Vectoriser::entries_after(const ShadowRows& shadow,
                                                          llvm::ArrayRef<Value*> written,
                                                          Value* same) {
  auto* all_same = builder_.CreateBitCast(same, wide(i1_));
  std::vector<Value*> after;
  for (std::size_t row = 0; row < shadow.count(); ++row) {
    auto* now = shadow.now[row];
    const auto all = [&](std::uint64_t number) {
      return llvm::ConstantInt::get(now->getType(), number);
    };
    auto* change = builder_.CreateXor(written[row], now);
    auto* is_other = builder_.CreateICmpUGE(change, all(ShadowEntry::barriers.one()));
    auto* unchanged = all(ShadowEntry::unchanged.mask());
    auto* was_unchanged = builder_.CreateIsNotNull(builder_.CreateAnd(written[row], unchanged));
    auto* kept = builder_.CreateSelect(builder_.CreateOr(is_other, was_unchanged),
                                       builder_.CreateOr(now, unchanged), written[row]);
    auto* is_same = builder_.CreateShuffleVector(
        all_same, counting(shadow.lanes(), static_cast<int>(row * shadow.lanes())));
    // Threadgroup memory has no contents at first.
    if (shadow.access.is_threadgroup)
      is_same = builder_.CreateAnd(is_same, builder_.CreateIsNotNull(written[row]));
    after.push_back(builder_.CreateSelect(is_same, kept, now));
  }
  return after;
}

// Notes the rows where several threads of the processor run the launch (checked_simdgroup.h).
void Vectoriser::note_launch_access(const ShadowRows& shadow) {
  constexpr unsigned words = 2;
  const auto member = [&](std::size_t at) {
    return builder_.CreateConstGEP1_64(i8_, position_, offsetof(CheckedThread, notes) + at);
  };
  auto* next_at = member(offsetof(AccessNotes, next));
  auto* next = builder_.CreateLoad(ptr_, next_at);
  auto* end = builder_.CreateLoad(ptr_, member(offsetof(AccessNotes, end)));
  when(builder_.CreateICmpULT(next, end), [&] {
    for (std::size_t row = 0; row < shadow.count(); ++row) {
      const auto first = row * shadow.lanes();
      const auto entry_at = offsetof(SimdgroupChecks, entries) + first * sizeof(std::uint64_t);
      auto* entry = builder_.CreateLoad(i64_, builder_.CreateConstGEP1_64(i8_, checks_, entry_at));
      auto* of_thread =
          builder_.CreateAnd(entry, builder_.getInt64(~(ShadowEntry::thread.one() - 1)));
      auto* lanes = builder_.CreateLShr(lanes_of_row(shadow.access.rows.shape, row), first);
      auto* note = builder_.CreateOr(of_thread, builder_.CreateZExt(lanes, i64_));
      builder_.CreateStore(note, builder_.CreateConstGEP1_64(i64_, next, words * row));
      builder_.CreateStore(shadow.written[row],
                           builder_.CreateConstGEP1_64(i64_, next, words * row + 1));
    }
    builder_.CreateStore(builder_.CreateConstGEP1_64(i64_, next, words * shadow.count()), next_at);
  });
}

// Records the rows in line, or by `by_calls` where that does not suffice.
void Vectoriser::record_rows(const RowsToRecord& access, llvm::function_ref<void()> by_calls) {
  if (!std::has_single_bit(access.bytes) || access.bytes > most_granule) return by_calls();
  auto* in_line = new_block("in.line");
  auto* calls = new_block("by.calls");
  auto* join = new_block("recorded");
  Value* has_reads = nullptr;
  auto* suits = builder_.CreateAnd(suits_rows(access, has_reads), are_apart(access));
  builder_.CreateCondBr(suits, in_line, calls);
  builder_.SetInsertPoint(in_line);
  const auto shadow = shadow_rows(access);
  if (!access.is_threadgroup) note_launch_access(shadow);
  access.is_write ? record_row_writes(shadow, has_reads, calls) : record_row_reads(shadow, calls);
  builder_.CreateBr(join);
  builder_.SetInsertPoint(calls);
  {
    const Scope scope(*this);
    by_calls();
  }
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

void Vectoriser::record_row_writes(const ShadowRows& shadow, Value* has_reads,
                                   llvm::BasicBlock* calls) {
  auto* test_reads = new_block("test.reads");
  auto* store = new_block("store.entries");
  auto* some_same = new_block("some.same");
  auto* none_same = new_block("none.same");
  auto* stored = new_block("stored");
  const auto written = recorded_rows(shadow, 0);
  require_order(shadow, {written}, calls);
  builder_.CreateCondBr(has_reads, test_reads, store);
  builder_.SetInsertPoint(test_reads);
  require_order(shadow, {recorded_rows(shadow, 1), recorded_rows(shadow, 2)}, calls);
  builder_.CreateBr(store);

  builder_.SetInsertPoint(store);
  auto* same = shadow.access.same;
  builder_.CreateCondBr(builder_.CreateIsNull(same), none_same, some_same);
  builder_.SetInsertPoint(none_same);
  store_entries(shadow, 0, shadow.now);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(some_same);
  store_entries(shadow, 0, entries_after(shadow, written, same));
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(stored);
}

void Vectoriser::record_row_reads(const ShadowRows& shadow, llvm::BasicBlock* calls) {
  auto* first = new_block("first.reads");
  auto* second = new_block("second.reads");
  auto* stored = new_block("stored");
  const auto written = recorded_rows(shadow, 0);
  require_order(shadow, {written}, calls);
  if (shadow.access.is_threadgroup) {
    std::vector<Value*> empty;
    for (auto* each : written) empty.push_back(builder_.CreateIsNull(each));
    auto* has_contents = new_block("has.contents");
    builder_.CreateCondBr(holds_nowhere(shadow, empty), has_contents, calls);
    builder_.SetInsertPoint(has_contents);
  }
  const auto read = recorded_rows(shadow, 1);
  const auto others = of_rows(shadow, read, &Vectoriser::may_be_concurrent);
  builder_.CreateCondBr(holds_nowhere(shadow, others), first, second);
  builder_.SetInsertPoint(first);
  store_entries(shadow, 1, shadow.now);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(second);
  store_second_reads(shadow, read);
  builder_.CreateBr(stored);
  builder_.SetInsertPoint(stored);
}

// Beside concurrent reads of others: a second read is kept, too, preferably one from afar
// (is_farther() of shadow_memory.h).
void Vectoriser::store_second_reads(const ShadowRows& shadow, llvm::ArrayRef<Value*> read) {
  constexpr auto simdgroup_at = ShadowEntry::lane.at + ShadowEntry::lane.bits;
  const auto second = recorded_rows(shadow, 2);
  std::vector<Value*> first_after, second_after;
  for (std::size_t row = 0; row < shadow.count(); ++row) {
    auto* now = shadow.now[row];
    const auto distance = [&](Value* to) {
      return builder_.CreateLShr(builder_.CreateXor(read[row], to), simdgroup_at);
    };
    auto* has_other = are_concurrent(read[row], now);
    auto* is_farther = builder_.CreateICmpUGT(distance(now), distance(second[row]));
    auto* is_free = builder_.CreateNot(are_concurrent(second[row], now));
    auto* takes = builder_.CreateAnd(has_other, builder_.CreateOr(is_free, is_farther));
    first_after.push_back(builder_.CreateSelect(has_other, read[row], now));
    second_after.push_back(builder_.CreateSelect(takes, now, second[row]));
  }
  store_entries(shadow, 1, first_after);
  store_entries(shadow, 2, second_after);
}

}  // namespace msci::engine

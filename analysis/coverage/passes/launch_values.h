// What values of a kernel are in many launches at once, where they follow from the launch alone: in
// those of the judged runs, and those that sizes of the task would have.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "analysis/coverage/launch_numbers.h"
#include "analysis/coverage/passes/condition_words.h"
#include "analysis/coverage/passes/host_numbers.h"
#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace msci {

// A launch and a thread of it in each row.
struct LaunchTable {
  using Column = std::vector<std::uint32_t>;
  std::size_t rows = 0;
  std::map<LaunchNumber, Column> numbers;
  std::array<Column, 3> threads;  // their positions in the grid; empty: unknown
};

// The control flow of a kernel that does not change.
struct KernelFlow {
  explicit KernelFlow(llvm::Function& kernel) : dominators(kernel), loops(dominators) {}
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
};

class LaunchValues {
 public:
  // A value in each row: the bits of an integer of up to 64 bits, and a real number as the bits of
  // a float.
  using Column = std::vector<std::uint64_t>;

  // The references must outlive this.
  LaunchValues(const llvm::Function& kernel, const KernelFlow& flow,
               const KernelSignature& signature, const LaunchTable& table);

  // Null for values of memory, of loops, and of functions that this does not know.
  const Column* of(const llvm::Value& value, unsigned element = 0);

  // In which rows a thread may come to a block: 0 where a branch before it, as far as this knows
  // it, leads elsewhere.
  Column may_come_to(const llvm::BasicBlock& block);

  // Whether the value may differ between the threads of a launch. Of values that of() knows.
  bool is_of_threads(const llvm::Value& value) const { return of_threads_.contains(&value); }

 private:
  using Made = std::optional<Column>;

  Made make(const llvm::Value& value, unsigned element);
  Made of_constant(const llvm::Constant& constant, unsigned element) const;
  Made of_instruction(const llvm::Instruction& instruction, unsigned element);
  Made of_binary(const llvm::Instruction& operation, unsigned element);
  Made of_compare(const llvm::CmpInst& compare, unsigned element);
  Made of_cast(const llvm::CastInst& cast, unsigned element);
  Made of_select(const llvm::SelectInst& select, unsigned element);
  Made of_phi(const llvm::PHINode& phi, unsigned element);
  Made of_load(const llvm::LoadInst& load, unsigned element);
  Made of_call(const llvm::CallInst& call, unsigned element);
  Made of_funnel(const llvm::CallInst& call, unsigned element);
  Made of_position(llvm::StringRef name, unsigned axis) const;
  Made of_number(const LaunchNumber& number) const;
  // In which rows a thread that passes the block `from` comes to `to`, or goes from one to the
  // other.
  Made reaches(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  Made goes(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  const KernelFlow& flow_;
  const LaunchTable& table_;
  HostNumbers host_;
  std::map<std::pair<const llvm::Value*, unsigned>, std::unique_ptr<Column>> known_;
  std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, Made> reached_;
  std::set<const llvm::Value*> of_threads_;
};

// A real number whose bits a column has.
float real_of(std::uint64_t bits);

// A size, the values of its parameters.
using SizeValues = std::vector<std::uint32_t>;

// The size of one of the launches, by its number; empty if it is unknown.
SizeValues size_of(const std::map<LaunchNumber, LaunchNumbers::Numbers>& launches,
                   std::size_t launch);

// A seed for the draws below that no kernel knows before its runs.
std::uint64_t seed_of(const std::map<LaunchNumber, LaunchNumbers::Numbers>& launches);

// Up to `most_rows` of the launches, first one of each size and then evenly, each with a thread.
// Not those of sizes with a side of 1 or 2, where a kernel may have nothing to do, if there are
// others.
LaunchTable judged_launches(const std::map<LaunchNumber, LaunchNumbers::Numbers>& launches,
                            const AllowedSizes& sizes,
                            const std::vector<std::uint32_t>& own_numbers, std::uint64_t seed,
                            std::size_t most_rows);

// Whether a side is so short, where others are allowed, that a kernel may have nothing to do.
bool is_thin(const AllowedSizes& sizes, const SizeValues& values);

// Sizes that the task allows, small ones first, but those with a side of 1 or 2 last: all of them
// where they are few, and otherwise small ones, random ones, and ones beside the kernel's own
// numbers.
std::vector<SizeValues> sampled_sizes(const AllowedSizes& sizes,
                                      const std::vector<std::uint32_t>& own_numbers,
                                      std::uint64_t seed, std::size_t most);

// What the facts say of a launch of each size, in which steps are any. Without the numbers that no
// fact leads to from the size.
LaunchTable launches_of_sizes(const std::vector<SizeValues>& sizes,
                              const std::vector<LaunchFact>& facts,
                              const std::vector<std::uint32_t>& own_numbers, std::uint64_t seed);

// Looks for sizes at which numbers of the launch, which no condition compares, are what no judged
// run has seen: exp2(-64.0f * float(hash)) is 0 unless the hash is.

// Numbers that take part in results, though no condition tells what they do: those that follow from
// the launch alone, and bits of data that become numbers.
enum class ValueMark {
  number,    // of the launch: it reaches a result, as a factor or by an index of a table
  place,     // of the launch: a summand or factor of an index into data, or the end of a range
  greatest,  // of the launch: memory keeps the greatest of such numbers
  least,     // or the least
  bits,      // what an integer that is made of the bits of a real number of data, or a real number
             // that comes from one by way of an integer, does is unknown; and what an address does
};

// Attaches marks to instructions. Numbers of the launch are those that do not depend on data.
void mark_values(llvm::Function& kernel, const ConditionWords& words, SourceLocations& locations);

// The place of an instruction that has the mark, the words for its value as a condition, and the
// numbers in its expression.
std::optional<CertifiedOutcome> marked(const llvm::Instruction& instruction, ValueMark mark);

struct ValueOutcomes {
  // As in Certificate. Values first, then outcomes of conditions, and large ones for outcomes that
  // only few elements have seen.
  std::vector<std::vector<std::uint32_t>> wanted_sizes;
  // Values that no judged run has seen, or of which nobody knows; none of them was seen.
  std::vector<CertifiedOutcome> never;
  // Numbers of the outcomes of conditions that some wanted size shows.
  std::set<std::size_t> found;
};

// `kernel`: with marks, as it was translated. `record`, `outcomes`: of the kernel; by number.
ValueOutcomes find_values(llvm::Function& kernel, const KernelSignature& signature,
                          const LaunchNumbers& numbers, const AllowedSizes& sizes,
                          const KernelRecord& record,
                          const std::vector<CertifiedOutcome>& outcomes);

}  // namespace msci

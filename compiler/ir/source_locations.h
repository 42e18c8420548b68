// The source locations that the faults of a checked text name, by number.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/frontend/unit.h"
#include "tasks/plan/program.h"

namespace llvm {
class Instruction;
}

namespace msci {

class SourceLocations {
 public:
  explicit SourceLocations(const Unit& unit) : unit_(unit) {}

  // The number of an instruction's location in the user's text. An instruction of a Metal header's
  // function has the location of the call. 0 stands for no location: it is unknown, or there are
  // too many.
  unsigned number(const llvm::Instruction& instruction);
  // The same of an access or a barrier: a run marks that it has come to the location.
  unsigned number_marked(const llvm::Instruction& instruction);

  // The line of the source itself, also for code of a file that it includes; 0 if it is unknown.
  static unsigned line_in_source(const llvm::Instruction& instruction);

  // Whether an instruction stands in the source itself, not in a file that it includes.
  static bool is_in_users_text(const llvm::Instruction& instruction);

  // Keeps a debug call for the run to name: its number. Equal calls have one.
  unsigned keep(DebugCall call);
  // "i < n" of `assert(i < n)` at the location of that number; empty if another text is there.
  std::string condition_at(unsigned number) const;
  // The user's text from the location of that number on; empty without one.
  llvm::StringRef text_from(unsigned number) const;

  // Whether the source has a cast to a number of 8 or 16 bits in that line, by name.
  bool casts_to_narrow(unsigned line);

  // Keeps the words of an operation for the run to name: their number. Equal words have one.
  unsigned keep_operation(const std::string& words);
  const std::vector<std::string>& operations() const { return operations_; }

  // All debug calls, by number.
  const std::vector<DebugCall>& debug_calls() const { return debug_calls_; }
  // All locations, by number.
  const std::vector<Place>& all() const { return all_; }
  // The numbers that number_marked() gave, without 0.
  const std::set<unsigned>& marked() const { return marked_; }

 private:
  const Unit& unit_;
  // Of an instruction's location in the user's text; unknown without one.
  Place place_of(const llvm::Instruction& instruction) const;

  std::map<Place, unsigned> numbers_;
  std::vector<Place> all_{Place{}};
  std::set<unsigned> marked_;
  std::vector<DebugCall> debug_calls_;
  std::vector<std::string> operations_;
  std::optional<std::set<unsigned>> narrow_casts_;  // their lines, once they are asked for
};

// Casts to narrow numbers that the source writes down.

// The lines of the source itself with a cast to an integer or a float of 8 or 16 bits, by name.
std::set<unsigned> lines_of_narrow_casts(const Unit& unit);

}  // namespace msci

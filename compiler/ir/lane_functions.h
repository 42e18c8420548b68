// Simdgroup and quadgroup functions in OpenCL C: by the device's own instructions, or by waiting.
//
// A device without subgroups of 32 threads runs a kernel that uses them in a resumable form. At
// each such function and at each barrier a thread posts a value and the number of that point, and
// waits. Values are posted in one half of an array while results are read from the other half, so
// that each exchange takes two barriers of the device. In each simdgroup the threads at the
// earliest point continue first, so that diverged threads meet again. A barrier opens once every
// simdgroup waits at one. Threads that have returned keep waiting until all have returned.
//
// A thread resumes in the middle of a loop. If an iteration can pass without waiting, the loop
// would have two entries, and PoCL 3.1 does not survive that: it copies blocks after barriers, and
// follows such a loop without end. So the loop's way back leads through the dispatcher, too, which
// jumps to the resume points. All loops have one entry then.
//
// NVIDIA's GPUs have the instructions. There the lanes that act together are those that the GPU
// runs together, or, in a kernel whose lanes may stay apart (convergence.h), those that meet: each
// lane waits by votes of its simdgroup, in the order of the same points.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace llvm {
class CallInst;
class Instruction;
class Value;
}  // namespace llvm

namespace msci {

// A function that the threads of a simdgroup or quadgroup execute together: "simd.shuffle_xor.u32".
struct LaneFunction {
  unsigned code = 0;  // its number in the helpers of the resumable form
  std::string name;   // of the native helper in the text: "msci_simd_shuffle_xor_u32"
  std::string_view
      type;  // "uint", "int", "float" of its first argument and of its result; "ulong" of a vote's
  unsigned arguments = 0;
  bool travels = false;     // each lane reads the value of another lane
  bool is_barrier = false;  // of the simdgroup; exchanges no values
};

// The lowest bit of the number of a point where a thread waits: for all threads of its threadgroup,
// or for its simdgroup only.
constexpr unsigned barrier_kind = 0;
constexpr unsigned lanes_kind = 1;

// The lane function behind an external function of the Metal headers, if it is one.
std::optional<LaneFunction> lane_function(std::string_view external);

// The lane function that an instruction calls, if it calls one.
std::optional<LaneFunction> called_lane_function(const llvm::Instruction& instruction);

// Whether an instruction calls a lane function that is not a barrier.
bool exchanges_values(const llvm::Instruction& instruction);

// The names of the lane functions that a text calls.
using LaneFunctions = std::set<std::string>;

// The native helper by which lanes meet: its name stands among the lane functions of a text that
// calls it.
inline const std::string native_meet = "msci_meet";

// Helpers of the native form: inline PTX on NVIDIA's GPUs. Guarded by MSCI_NATIVE_SIMDGROUPS.
std::string native_lane_helpers(const LaneFunctions& used);

// The values that a thread of the resumable form posts at one point. Functions that read other
// lanes' posts share one if they are about the same value.
class PostedValues {
 public:
  bool has_room_for(const llvm::CallInst& call) const;
  void add(const llvm::CallInst& call);  // there is room for it
  std::size_t count() const { return posts_.size(); }
  // The number of the call's post. The call was added.
  std::size_t place(const llvm::CallInst& call) const;

 private:
  static constexpr std::size_t most_posts = 8, most_calls = 64;

  // By the value that other lanes read, or by the call that combines values of its own.
  llvm::SmallVector<const llvm::Value*, most_posts> posts_;
  std::size_t calls_ = 0;
};

// Helpers of the resumable form: msci_lead, msci_combine, msci_source and what they need.
std::string resumable_lane_helpers(const LaneFunctions& used);

}  // namespace msci

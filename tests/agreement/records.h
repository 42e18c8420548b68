// What Apple's compiler and a real chip said about kernels: the figures that ours must agree with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace msci {

// How far a candidate comes. The order is that of the stages.
enum class Fate {
  refused_by_compiler,
  refused_at_pipeline,
  wrong,
  right,
  accepted,   // it compiles, and nobody looked further
  unchecked,  // we could not do our part
};
std::string to_string(Fate fate);

// The time of a pass at one size.
struct RecordedTime {
  std::string size;
  double seconds = 0;
};

// One recorded candidate.
struct Record {
  std::string id;
  std::string task;      // its group where it was written for no task: "accepted", "rejected"
  std::string run = {};  // the search that it was recorded in; "lbm-r05" of the id "lbm-r05-03"
  std::string source;
  std::string language = {};  // "metal2.3"; empty: the default
  Fate fate = Fate::accepted;
  std::optional<unsigned> error_line;     // of the first error, for the refused
  std::optional<std::string> wrong_size;  // label of the first size that is wrong
  std::string reason;                     // why it is not right, in one line
  std::vector<RecordedTime> times = {};   // of a right one, on the chip
};

// Files of one JSON object a line, compressed with gzip or plain. Errors: unreadable, or a line
// that is no record, by its number.
Result<std::vector<Record>> read_candidates(const std::string& path);
// Sources that Apple's compiler is known to accept, or to refuse.
Result<std::vector<Record>> read_accepted(const std::string& path);
Result<std::vector<Record>> read_rejected(const std::string& path);

}  // namespace msci

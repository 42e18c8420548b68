// Code that people read: each line ends with a comment that names the line of the source, such as
// "// line 12".
#pragma once

#include <memory>
#include <string>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"

namespace msci {

// Passes that change no code. Afterwards, the text has comments, and each instruction of the IR has
// its line as its debug location. Code of an included file has none. `locations` must outlive them.
std::unique_ptr<InstrumentPasses> reading_passes(SourceLocations& locations);

// Gives each instruction its line as debug location, as reading_passes() do.
void set_lines(llvm::Module& ir, SourceLocations& locations);

// The IR of a translation for reading, as text. Errors: it is not LLVM IR.
Result<std::string> readable_ir(const Translation& translation);

}  // namespace msci

// The user's cache of verdicts, references and ceilings.
#pragma once

namespace msci {

// Prints what it holds, as text or as a JSON object; returns the exit code.
int print_cache(bool json);

// Removes all of it; returns the exit code.
int clear_cache();

}  // namespace msci

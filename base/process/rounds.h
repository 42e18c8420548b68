// The loop of a program that answers until its input ends.
#pragma once

#include <functional>

namespace msci {

// Calls round(), which may wait for input, until it returns false. Natively a plain loop. A
// WebAssembly module in a browser cannot wait: it leaves its caller after a round, and the page
// resumes it with the next input. So everything that the rounds need lives as long as the program.
void run_rounds(const std::function<bool()>& round);

}  // namespace msci

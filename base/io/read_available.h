// Reading what a descriptor holds now, without waiting for more.
#pragma once

#include <string>

namespace msci {

// Appends what can be read now to `text`; call it when poll() reports the descriptor as readable.
// False at the end of the input, and on errors.
bool read_available(int descriptor, std::string& text);

}  // namespace msci

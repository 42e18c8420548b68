// What somebody sends, as it comes.
#pragma once

#include <string>

namespace msci {

// Adds to `text` what is there, once the descriptor is readable. False: nothing comes any more.
bool receive_from(int descriptor, std::string& text);

}  // namespace msci

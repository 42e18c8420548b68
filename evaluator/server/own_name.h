// A name for a source whose verdict may be kept: it follows from the text, and no source can hold
// it. Where an answer goes, it gets the name that the source has there.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// Of a digest of the source and all that its verdict depends on.
std::string own_name_of(const std::string& digest);
// JSON in which the name stands for the own one.
std::string with_name(std::string_view json, const std::string& own_name, const std::string& name);

}  // namespace msci

// Everything that a kept result depends on.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

struct ResultKey {
  std::string program;                       // the build of msci: program_identity()
  std::vector<std::string> settings;         // what was asked: "held_out=true"
  std::vector<std::string> devices;          // back end, platform, name and driver of each
  std::map<std::string, std::string> tasks;  // the version of each

  // SHA-256 of that and of the text of a source.
  std::string digest_of(std::string_view text) const;
};

}  // namespace msci

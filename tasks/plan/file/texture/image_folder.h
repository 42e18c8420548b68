// Results of passes as PNG files, for people to look at.
#pragma once

#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tasks/plan/file/expected_result.h"
#include "tasks/plan/plan.h"

namespace msci {

// A folder of images. Safe to use from several threads.
class ImageFolder {
 public:
  explicit ImageFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Writes the largest level of each result that is a texture to LABEL.NAME.png, and what it must
  // be, if that is known, to LABEL.NAME.expected.png; layers lie one below the other. Characters
  // other than letters, digits, _ and - are escaped in LABEL and NAME, as in a URL, so that no two
  // results share a file. `outputs` are those of `expected`, in order.
  void save(const std::string& label, std::span<const ExpectedResult> expected,
            const Outputs& outputs);

  // Why images are missing, each once: a format that a PNG cannot show, a file that cannot be
  // written. That says nothing about the kernel.
  std::vector<std::string> problems() const;

 private:
  void note(std::string problem);

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> problems_;
};

}  // namespace msci

// The profile of a kernel, as msci-eval --profile --json writes it, as far as a report shows it.
#pragma once

#include <string>
#include <vector>

#include "evaluator/profile/profile_result.h"
#include "evaluator/result/described.h"

namespace msci {

struct ProfilePage {
  struct Launch {
    std::string kernel;
    double launches = 1;  // equal ones that it stands for
    double seconds = 0;   // of one, as predicted
    std::string advice;
    std::vector<LineProfile> lines;
    bool operator==(const Launch&) const = default;
  };
  struct Size {
    std::string label;
    double seconds = 0;  // of a pass, as predicted
    std::vector<Launch> launches;
    bool operator==(const Size&) const = default;
  };
  std::string file;
  std::string source;  // the text
  std::string task;
  std::string chip;
  std::vector<Size> sizes;
  bool operator==(const ProfilePage&) const = default;
};

template <typename Fields, Described<ProfilePage::Launch> Value>
void describe(Fields& field, Value& launch) {
  field("kernel", launch.kernel);
  field("launches", launch.launches);
  field("predicted_seconds", launch.seconds);
  field("advice", launch.advice);
  field("lines", launch.lines);
}

template <typename Fields, Described<ProfilePage::Size> Value>
void describe(Fields& field, Value& size) {
  field("label", size.label);
  field("predicted_seconds", size.seconds);
  field("launches", size.launches);
}

template <typename Fields, Described<ProfilePage> Value>
void describe(Fields& field, Value& page) {
  field("file", page.file);
  field("source", page.source);
  field("task", page.task);
  field("chip", page.chip);
  field("sizes", page.sizes);
}

}  // namespace msci

// Many files at once: each is linted as its configuration says, in a process of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lint/apart.h"
#include "lint/config.h"
#include "lint/files.h"
#include "lint/fix.h"
#include "lint/mend.h"

namespace msci {

// What the command line asks for; it goes before a file's configuration.
struct Wishes {
  std::vector<std::string> select;  // in place of the configuration's
  std::vector<std::string> ignore;  // the rest comes on top of them
  std::vector<Override> severity;
  std::optional<LanguageVersion> version;
  Expectation expectation;
  std::vector<Source> host;  // its files
  std::string stdin_name;    // empty: "<stdin>"
  std::optional<Fixes> mend;
  unsigned at_once = 1;
};

// A source, and what is asked about it.
struct Question {
  Source source;
  Request request;
  std::optional<Fixes> mend;
};

// What is asked of the rules where both speak. Errors: a word that fits no rule; names the
// configuration and its key.
Result<Request> request_from(const Wishes& wishes, const Config& config,
                             std::span<const ListedRule> rules);

// Takes a head start where one of those fits. Errors are ours alone.
Result<Examination> examine(const Question& question, std::span<const ListedRule> rules,
                            HeadStarts* head_starts = nullptr);

// What is said of a source that broke the process that examined it.
Examination refused(const Question& question, const Broken& broken);

// The examination that a process came to which wrote it to_wire().
Result<Examination> answer_of(const Result<Ended>& ended, const Question& question);

// The files in the order of the arguments, folders expanded, without what configurations exclude.
Files files_of(const std::vector<std::string>& arguments, Configs& configs);

// What each file comes to, in their order; the error of one that cannot be checked keeps none from
// the others. Errors: of a configuration or of the wishes.
Result<std::vector<Result<Examination>>> check(const std::vector<std::string>& files,
                                               const Wishes& wishes, Configs& configs,
                                               std::span<const ListedRule> rules);

}  // namespace msci

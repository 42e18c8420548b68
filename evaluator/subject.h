// What msci-eval is given to judge: files and the tasks' own kernels, made ready for a device.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluator/frontend.h"
#include "evaluator/task.h"

namespace msci {

// One file, Metal or a translated program, or one seed, and what became of it before any task.
struct Subject {
  std::string name;
  Result<Prepared> prepared;  // an Error also where this build cannot read Metal
  std::size_t source_bytes = 0;
  std::string hash = {};          // of the source
  double prepare_seconds = 0;     // that were waited for it
  const Task* seed_of = nullptr;  // the task whose own kernel it is; none of a file
};

Subject subject_of(const std::string& file);
Subject seed_of(const Task& task);

// Where a subject comes from: a file, or a task whose seed it is.
struct Origin {
  std::string file = {};
  const Task* task = nullptr;  // none of a file
};

// How sources become subjects.
struct Preparation {
  bool checked = false;  // for --check: with its checks in the translation
  // The next one's source is read and translated, in a process of its own, while those taken are
  // judged; else nothing of ours is at work beside them.
  bool ahead = false;
};

// Subjects in their order, each for whoever takes it first. Safe to use from several threads.
class SubjectLine {
 public:
  SubjectLine(std::vector<Origin> origins, Preparation preparation);

  std::size_t size() const { return origins_.size(); }
  // The next one with its number, from 0; none at the end.
  std::optional<std::pair<std::size_t, Subject>> take();

 private:
  // Waits for a subject that has been begun.
  using Begun = std::function<Subject()>;
  Begun begin(const Origin& origin) const;

  std::vector<Origin> origins_;
  Preparation preparation_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  Begun begun_;  // the next one, where it has been begun
};

}  // namespace msci

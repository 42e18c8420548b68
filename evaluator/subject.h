// What msci-eval is given to judge: files and the tasks' own kernels, made ready for a device.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
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
  // The next file's source is read and translated, in a process of its own, while what was taken is
  // judged; else nothing of ours is at work beside that.
  bool ahead = false;
};

// Subjects in their order.
class SubjectLine {
 public:
  SubjectLine(std::vector<Origin> origins, Preparation preparation);

  std::size_t size() const { return origins_.size(); }
  // The next one; none at the end. For the main thread: it starts processes that live on its stack.
  std::optional<Subject> take();

 private:
  // Waits for a subject that has been begun.
  using Begun = std::function<Subject()>;
  Begun begin(const Origin& origin) const;

  std::vector<Origin> origins_;
  Preparation preparation_;
  std::size_t next_ = 0;
  Begun begun_;  // the next one, where it has been begun
};

}  // namespace msci
